// A study with its flows spread over the LIDs of their destinations, in several ways side by side.
#pragma once

#include "host/evaluation/adaptive/bracket.hpp"
#include "host/evaluation/multipath/lid_paths.hpp"

namespace tailback::evaluation {

struct MultipathOptions {
    unsigned threads = 0;            ///< 0 = all cores; never changes a result
    std::vector<LidSpread> spreads;  ///< beside the base LID alone
    std::function<void(std::uint64_t done)> progress;
    std::function<bool()> stop;
};

struct Multipath {
    std::uint64_t mappings = 0;
    bool interrupted = false;
    std::uint32_t lmc = 0;  ///< the largest of a host of the study
    std::vector<LidSpread> spreads;
    std::vector<BracketColumn> columns;  ///< by spread
    unsigned threads = 0;
    double evaluate_s = 0;
};

/// @param plan a study of a fabric with tables. @throws InputError where routes are no tables, where no host has
/// several LIDs, and for ranks that share rails.
Multipath evaluate_multipath(study::StudyPlan const& plan, MultipathOptions const& options);

}  // namespace tailback::evaluation
