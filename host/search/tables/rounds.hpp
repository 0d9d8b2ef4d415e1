// Rounds: trees chosen anew, one switch's targets after the other, each where the other trees have put least.
#pragma once

#include "host/search/tables/legal_ways.hpp"
#include "host/search/tables/trees.hpp"

#include <cstdint>

namespace tailback::search {

/// Coordinate descent on the sum over links of cost (R^2 - sum by target r^2): no round raises it, but for trees that
/// are no such ways. O(targets x arcs of the ways). Keeps an entry where no other is better. Trees of targets that stay
/// are left alone, and trees of other LIDs of their hosts keep off their links. @return entries that are other ones now
std::uint64_t run_round(Trees& trees, LegalWays const& ways);

/// Switches that no packet of a target meets take the arcs of `before` again where those are legal ways.
void keep_unused(Trees& trees, LegalWays const& ways, Trees const& before);

}  // namespace tailback::search
