// A study under adaptive routing, as a bracket of four columns side by side: by the static entries, under equal
// division at every switch, with a hash that picks a port for every flow, and at best.
#pragma once

#include "host/evaluation/adaptive/optimal_split.hpp"
#include "host/study/plan/study_plan.hpp"
#include "topologies/flow_hash.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace tailback::evaluation {

enum class Division : std::uint8_t { fixed, equal, hashed, optimal };
inline constexpr std::size_t divisions = 4;
/// As reports spell them: static, equal, hash, optimal.
char const* division_name(Division division);

struct BracketOptions {
    unsigned threads = 0;                 ///< 0 = all cores; never changes a result
    std::uint64_t optimal_mappings = 10;  ///< of how many mappings the optimum is found, the first ones
    topologies::FlowHashOptions hash;     ///< of the column `hash`; its seed is the study's
    std::uint32_t queue_pairs = 1;        ///< of each flow, every one with a hash of its own
    std::uint32_t hash_draws = 1;         ///< seeds of the hash for every mapping: the study's and those that follow
    double gap = 0.01;                    ///< how far apart its bounds may be, as a part of the lower
    /// Called now and then with mappings done so far, by one thread.
    std::function<void(std::uint64_t done)> progress;
    /// Asked between mappings; true ends the evaluation there.
    std::function<bool()> stop;
};

/// What one column came to. Numbers by mapping (of `hash` by mapping and draw), in the order of mappings; NaN where no
/// flow is delivered.
struct BracketColumn {
    std::vector<double> bandwidth;  ///< hist_acc_band: mean of weight / congestion over delivered flows
    std::vector<double> largest;    ///< sum_max_cong: largest congestion of a flow, summed over the levels
    std::vector<double> delay;      ///< dep_max_delay
    std::vector<double> lower;      ///< of the optimum: lower bounds of `largest`, summed over the levels
    std::uint64_t delivered = 0,
                  failed = 0;  ///< flows; failed: those that some choice (of the column) does not deliver
    model::Link hottest;       ///< the link with the largest mean load / capacity; none = of the optimum
    double hottest_load = 0;

    double mean_bandwidth() const;
    double mean_largest() const;
};

struct Bracket {
    std::uint64_t mappings = 0;                    ///< evaluated: the first so many of the plan's study
    bool interrupted = false;                      ///< by `stop`
    std::array<BracketColumn, divisions> columns;  ///< by Division
    std::uint64_t optimal_mappings = 0;
    std::uint64_t unit = 1;  ///< a flow of weight 1 is so many units under equal division
    double error = 0;        ///< SplitPlan::error
    std::uint64_t hash_seed = 0;
    std::uint32_t queue_pairs = 1, hash_draws = 1;
    /// hist_acc_band of `hash`, of the mappings that the optimum was found of: exactly, over all draws of a perfect
    /// hash. None where the law is not known (hash_law.hpp).
    std::optional<double> expected_bandwidth;
    unsigned threads = 0;
    double evaluate_s = 0;

    BracketColumn const& of(Division division) const { return columns[std::size_t(division)]; }
    BracketColumn& of(Division division) { return columns[std::size_t(division)]; }
    /// Mean largest congestion of a column over the mappings that the optimum was found of.
    double largest_where_optimal(Division division) const;
    double bandwidth_where_optimal(Division division) const;
    /// Numbers of a column for one mapping.
    std::uint64_t draws(Division division) const { return division == Division::hashed ? hash_draws : 1; }
};

/// @param plan a study of a fabric with candidate sets, whose hash has the study's seed.
/// @throws InputError where it has none, for ranks that share rails, and where loads could pass 2^63.
Bracket evaluate_bracket(study::StudyPlan const& plan, BracketOptions const& options);

}  // namespace tailback::evaluation
