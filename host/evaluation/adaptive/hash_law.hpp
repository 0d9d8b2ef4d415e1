// What a perfect hash comes to on average over all its draws, exactly, where the law is known.
//
// n flows that a hash puts on m equal links are n balls in m bins: P(largest <= k) = n! m^-n [x^n] (sum_{i<=k}
// x^i/i!)^m, and the mean over flows of 1/(flows on its link) is (m/n)(1 - (1 - 1/m)^n). Where every flow meets one
// choice at most, the loads of the links of each of its paths are sums of independent draws of the other flows, which
// gives the expectation of its bandwidth (docs/roce.md).
#pragma once

#include "host/evaluation/adaptive/split_plan.hpp"

#include <optional>

namespace tailback::evaluation {

struct BallsInBins {
    double mean_largest = 0;  ///< balls in the fullest bin
    double mean_rate = 0;     ///< mean over balls of 1/(balls in its bin)
};
/// O(n^2 m) steps. `bins` > 0.
BallsInBins balls_in_bins(std::uint32_t balls, std::uint32_t bins);

/// Sum over the flows of 1/congestion, expected over all draws of a hash that is uniform and independent for every
/// connection (source, destination, number); flows of one go together. Flows that fail count 0. None: a flow meets two
/// choices, flows have weights, more than two links of a path depend on the draw, or it takes more than `most_steps`.
std::optional<double> expected_bandwidth(model::ChoiceGraph const& graph, model::LinkCosts const& costs,
                                         std::span<HostFlow const> flows, double most_steps = 2e9);

}  // namespace tailback::evaluation
