// A study under adaptive routing, as a bracket of four columns side by side: by the static entries, under equal
// division at every switch, with a hash that picks a port for every flow, and at best.
#pragma once

#include "host/evaluation/adaptive/found_loads.hpp"
#include "host/evaluation/adaptive/study_columns.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace tailback::evaluation {

enum class Division : std::uint8_t { fixed, equal, hashed, optimal };
inline constexpr std::size_t divisions = 4;
/// As reports spell them: static, equal, hash, optimal.
char const* division_name(Division division);

struct BracketOptions {
    std::uint64_t optimal_mappings = 10;  ///< of how many mappings the optimum is found, the first ones
    topologies::FlowHashOptions hash;     ///< of the column `hash`; its seed is the study's
    std::uint32_t queue_pairs = 1;        ///< of each flow, every one with a hash of its own
    std::uint32_t hash_draws = 1;         ///< seeds of the hash for every mapping: its own and those that follow
    double gap = 0.01;                    ///< how far apart its bounds may be, as a part of the lower
};

struct Bracket {
    std::uint64_t mappings = 0;                  ///< evaluated: the first so many of the plan's study
    bool interrupted = false;                    ///< by `stop`
    std::array<StudyColumn, divisions> columns;  ///< by Division; of `hashed` every mapping has a number of each draw
    std::uint64_t optimal_mappings = 0;
    /// The same of the mappings that the optimum was found of.
    std::array<StudyColumn, divisions> where_optimal;
    double optimum_at_least = 0;  ///< mean of the lower bounds of the optimum's sum_max_cong
    std::uint64_t unit = 1;       ///< a flow of weight 1 is so many units under equal division
    double error = 0;             ///< SplitPlan::error
    std::uint64_t hash_seed = 0;
    std::uint32_t queue_pairs = 1, hash_draws = 1;
    /// hist_acc_band of `hash`, of the mappings that the optimum was found of: exactly, over all draws of a perfect
    /// hash. None where the law is not known (hash_law.hpp).
    std::optional<double> expected_bandwidth;
    unsigned threads = 0;
    bool one_hash = false;      ///< of all mappings; else each draws its own
    bool hash_is_drawn = true;  ///< false: no seed changes what it picks
    double evaluate_s = 0;

    StudyColumn const& of(Division division) const { return columns[std::size_t(division)]; }
    StudyColumn& of(Division division) { return columns[std::size_t(division)]; }
    /// Mean largest congestion of a column, and mean bandwidth, over the mappings that the optimum was found of.
    double largest_where_optimal(Division division) const;
    double bandwidth_where_optimal(Division division) const;
    /// Numbers of a column for one mapping.
    std::uint64_t draws(Division division) const { return division == Division::hashed ? hash_draws : 1; }
};

/// A bracket that is ready to be evaluated. The plan must outlive it.
class BracketStudy {
public:
    /// @param plan a study of a fabric with candidate sets @param threads 0 = all cores
    /// @throws InputError where it has none, and for ranks that share rails.
    BracketStudy(study::StudyPlan const& plan, BracketOptions const& options, unsigned threads);
    BracketStudy(BracketStudy const&) = delete;

    /// The divisions, then what stands beside the optimum.
    StudyColumns const& columns() const { return columns_; }
    /// What the columns were evaluated to.
    Bracket conclude(std::vector<Evaluation>&& results) const;

private:
    /// @param division which mappings and metrics
    void add_divisions(std::string const& suffix, study::FlowDivision division);
    void add_optimum();

    study::StudyPlan const& plan_;
    BracketOptions options_;
    model::Forwarding forwarding_;
    model::LinkCosts costs_;
    model::ChoiceGraph fixed_, sets_;
    SplitPlan split_;
    HashedWays hash_;
    OptimumBeside beside_;
    FoundBounds bounds_;
    std::uint64_t optimal_mappings_;
    StudyColumns columns_;
};

/// @throws InputError also where loads could pass 2^63.
Bracket evaluate_bracket(study::StudyPlan const& plan, BracketOptions const& options,
                         ExecutionOptions const& execution);

}  // namespace tailback::evaluation
