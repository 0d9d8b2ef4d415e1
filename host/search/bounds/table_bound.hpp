// What forwarding tables cannot beat even where flows that divide could: all that a switch gets for one destination
// leaves it by one port.
#pragma once

#include "host/search/bounds/price_bound.hpp"

#include <cstdint>

namespace tailback::search {

/// `sources` hosts send to each of `destinations` LIDs through the switch `at`, whatever the table, and what goes to
/// one LID leaves it by one of its `links` (those to `next`, where it is a switch).
///
/// Proof of `load`: each link gets whole destinations of weight `sources` or more. In links of costs c_1, c_2, .. of
/// which none has a congestion above t x sources / denominator, there is room for the sum of floor(t / c_i) of them;
/// the least t with room for all is what some link must have. With unit capacities: sources x ceil(destinations /
/// links).
struct TableBound {
    Fraction load;  ///< load / capacity of some link; 0 = nothing is known
    std::uint32_t at = SwitchGraph::none, next = SwitchGraph::none;
    std::uint64_t sources = 0, destinations = 0, links = 0;
};

/// The largest for all pairs. With shortest routes, sources are those whose every shortest way to the destination
/// passes the switch (dominators, Lengauer and Tarjan 1979); with any routes, those at the switch, or all others where
/// a switch has one neighbour alone.
TableBound find_table_bound(Bundles const& bundles, BoundRoutes routes);

}  // namespace tailback::search
