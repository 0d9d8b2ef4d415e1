// Rounds: trees chosen anew, one switch's targets after the other, each where the other trees have put least.
#pragma once

#include "host/search/tables/legal_ways.hpp"
#include "host/search/tables/trees.hpp"

#include <cstdint>
#include <functional>
#include <span>

namespace tailback::search {

/// What two flows that share several links one behind the other count for: once, or on each of them.
enum class Meetings : std::uint8_t { once, by_link };

/// Coordinate descent on the sum over links of cost (R^2 - sum by target r^2), less the same over turns where meetings
/// count once (shared_squares): no round raises it, but for trees that are no such ways. O(targets x arcs of the ways).
/// Keeps an entry where no other is better. Trees of targets that stay are left alone, and trees of other LIDs of their
/// hosts keep off their links. @param fall gets by how much the sum falls @return entries that are other ones now
std::uint64_t run_round(Trees& trees, LegalWays const& ways, Meetings meetings = Meetings::once,
                        WideCount* fall = nullptr);

/// The same for some targets, in this order: `take` says whether each new tree (of `chosen`) is to stay. Entries that
/// no packet meets are kept. @param take gets by how much half the sum by link falls, too
void choose_trees(Trees& trees, std::span<std::uint32_t const> targets, LegalWays const& ways,
                  std::function<bool(std::uint32_t d, Trees const& chosen, double gain)> const& take);

/// Switches that no packet of a target meets take the arcs of `before` again where those are legal ways.
void keep_unused(Trees& trees, LegalWays const& ways, Trees const& before);

}  // namespace tailback::search
