// Rounds: trees chosen anew, one switch's targets after the other, each where the other trees have put least.
#pragma once

#include "host/search/tables/legal_ways.hpp"
#include "host/search/tables/trees.hpp"

#include <cstdint>

namespace tailback::search {

/// What a round came to.
struct RoundChange {
    std::uint64_t entries = 0;  ///< that are other ones now
    bool complete = true;       ///< false: it was asked to stop on the way; what is done by then stays
};

/// What a link costs beside its load: `steepness` for each that it has above `bend` (loads times costs).
struct RoundPrices {
    std::uint64_t bend = UINT64_MAX, steepness = 0;
    std::uint64_t of(std::uint64_t priced) const {
        return priced <= bend ? priced : priced + (priced - bend) * steepness;
    }
};

/// Coordinate descent on the sum over links of cost (R^2 - sum by target r^2): no round raises it, but for trees that
/// are no such ways. O(targets x arcs of the ways). Keeps an entry where no other is better.
/// @param stop asked between two switches
RoundChange run_round(Trees& trees, LegalWays const& ways, RoundPrices const& prices = {});

/// Switches that no packet of a target meets take the arcs of `before` again where those are legal ways.
void keep_unused(Trees& trees, LegalWays const& ways, Trees const& before);

}  // namespace tailback::search
