// The best that any division of flows over their candidate ports can do: the least largest congestion, with a
// certificate.
//
// That is the maximum concurrent flow problem on the graphs of candidates (host/search/bounds/divided_flows.hpp).
#pragma once

#include "host/evaluation/adaptive/split_plan.hpp"

namespace tailback::evaluation {

struct OptimalSplit {
    double lower = 0, upper = 0;     ///< bounds of the least largest congestion, of flows of weight 1
    std::vector<double> congestion;  ///< by flow, under the division found; 0 = not carried
    std::vector<double> loads;       ///< by link, under the division found
    std::uint64_t sweeps = 0;
    bool within(double gap) const { return upper <= lower * (1 + gap); }
};

struct OptimalSplitLimits {
    double gap = 0.01;  ///< (upper - lower) / lower that suffices
    /// Ports looked at, over all sweeps; after that the bounds stay as far apart as they are. Some seconds.
    std::uint64_t most_steps = 100'000'000;
};

/// For flows of one level, which start at every switch in proportion as equal division would have them. Flows that some
/// choice does not deliver are left out. Sequential: the same numbers with any number of threads.
OptimalSplit find_optimal_split(SplitPlan const& plan, model::LinkCosts const& costs, std::span<HostFlow const> flows,
                                OptimalSplitLimits const& limits = {});

}  // namespace tailback::evaluation
