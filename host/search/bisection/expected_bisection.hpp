// The effective bisection bandwidth of tables by a formula, without drawing mappings: docs/semantics.md defines it.
//
// In `bisect`, floor(N/2) flows pair N hosts at random. How many of them share a link is a sum of rare events with an
// exact mean and variance, so nearly binomial; how many share the links of one route is a Markov chain along it, as
// those that go on together stay together.
#pragma once

#include "host/model/tables.hpp"
#include "host/search/switch_graph.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tailback::search {

struct ExpectedBisectionLimits {
    /// Pairs of a switch and a destination that are followed; where there are more, so many of them, evenly spaced from
    /// starts that are drawn.
    std::uint64_t most_pairs = 100'000;
    std::uint64_t seed = 1;
    std::uint64_t most_bytes = 1'000'000'000;
};

struct ExpectedBisection {
    double mean = 1;                 ///< over all ordered pairs of hosts: of 1 / congestion
    std::vector<double> congestion;  ///< [c] part of the pairs with congestion c; from 1 on, the last: so much or more
    std::uint64_t pairs = 0, all = 0;  ///< pairs of a switch and a destination: followed, and there are
    std::string missing;               ///< why there is none; empty = there is one
};

/// By the base LIDs of the graph's hosts; all links count alike. Sequential, the same numbers on any machine.
/// @throws kernels::Stopped
ExpectedBisection expect_bisection(SwitchGraph const& graph, model::ForwardingTables const& tables,
                                   ExpectedBisectionLimits const& limits = {});

}  // namespace tailback::search
