// A study with its flows spread over the LIDs of their destinations, in several ways side by side; or over queue pairs
// that are hashed over routes of equal cost, by several numbers of them.
#pragma once

#include "host/evaluation/adaptive/lid_paths.hpp"
#include "host/evaluation/adaptive/one_path.hpp"
#include "host/evaluation/adaptive/split_plan.hpp"
#include "host/evaluation/adaptive/study_columns.hpp"

namespace tailback::evaluation {

/// By numbers of queue pairs of a flow, each hashed on its own.
struct QueuePairCounts {
    std::vector<std::uint32_t> counts;  ///< empty: flows are spread over LIDs
    topologies::FlowHashOptions hash;   ///< its seed is the study's
};

struct Multipath {
    std::uint64_t mappings = 0;
    bool interrupted = false;
    std::uint32_t lmc = 0;  ///< the largest of a host of the study
    std::vector<LidSpread> spreads;
    std::vector<std::uint32_t> queue_pairs;  ///< in place of spreads: that of each column but the first, equal division
    std::vector<StudyColumn> columns;        ///< by spread
    unsigned threads = 0;
    bool one_hash = false;      ///< of all mappings; else each draws its own
    bool hash_is_drawn = true;  ///< false: no seed changes what it picks
    double evaluate_s = 0;
};

/// One that is ready to be evaluated. The plan must outlive it.
class MultipathStudy {
public:
    /// @param plan a study of a fabric with tables @param spreads beside the base LID alone
    /// @throws InputError where routes are no tables, where no host has several LIDs, and for ranks that share rails.
    MultipathStudy(study::StudyPlan const& plan, std::vector<LidSpread> const& spreads);
    /// @param plan a study of a fabric with routes of equal cost @param threads 0 = all cores
    /// @throws InputError where it has none, and for ranks that share rails.
    MultipathStudy(study::StudyPlan const& plan, QueuePairCounts const& queue_pairs, unsigned threads);
    MultipathStudy(MultipathStudy const&) = delete;

    StudyColumns const& columns() const { return columns_; }
    Multipath conclude(std::vector<Evaluation>&& results) const;

private:
    std::uint32_t lmc_;
    bool one_hash_ = false, hash_is_drawn_ = true;
    model::Forwarding forwarding_;
    std::vector<LidSpread> spreads_;
    std::vector<std::uint32_t> queue_pairs_;
    model::LinkCosts costs_;
    std::optional<model::ChoiceGraph> sets_;
    std::optional<SplitPlan> split_;
    StudyColumns columns_;
};

}  // namespace tailback::evaluation
