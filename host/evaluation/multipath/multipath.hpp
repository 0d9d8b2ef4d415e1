// A study with its flows spread over the LIDs of their destinations, in several ways side by side.
#pragma once

#include "host/evaluation/adaptive/study_columns.hpp"
#include "host/evaluation/multipath/lid_paths.hpp"

namespace tailback::evaluation {

struct Multipath {
    std::uint64_t mappings = 0;
    bool interrupted = false;
    std::uint32_t lmc = 0;  ///< the largest of a host of the study
    std::vector<LidSpread> spreads;
    std::vector<StudyColumn> columns;  ///< by spread
    unsigned threads = 0;
    double evaluate_s = 0;
};

/// One that is ready to be evaluated. The plan must outlive it.
class MultipathStudy {
public:
    /// @param plan a study of a fabric with tables @param spreads beside the base LID alone
    /// @throws InputError where routes are no tables, where no host has several LIDs, and for ranks that share rails.
    MultipathStudy(study::StudyPlan const& plan, std::vector<LidSpread> const& spreads);
    MultipathStudy(MultipathStudy const&) = delete;

    StudyColumns const& columns() const { return columns_; }
    Multipath conclude(std::vector<Evaluation>&& results) const;

private:
    std::uint32_t lmc_;
    model::Forwarding forwarding_;
    std::vector<LidSpread> spreads_{LidSpread::base};
    StudyColumns columns_;
};

}  // namespace tailback::evaluation
