// How old tables may become new ones while traffic runs: whether what lies between loses pairs or waits in a circle.
#pragma once

#include "host/search/tables/trees.hpp"

#include <cstdint>

namespace tailback::search {

enum class Rollout : std::uint8_t {
    nothing,    ///< there is nothing to change
    any_order,  ///< every mixture of old and new entries delivers all that both deliver, and adds no circle of links
                ///< that wait for each other on one lane to those that old entries make alone
    by_destination,  ///< so is every state where entries change destination by destination, outwards along its new tree
    drain            ///< neither is certain: states in between can lose pairs or stand still
};

/// Sufficient tests of the union of old and new entries of each target: no loop in it and no end before the target, for
/// packets that old and new entries both deliver (no mixture loses these); and no cycle of links that wait for each
/// other over the unions of all, but what old entries make alone. O(LIDs x switches x links into one)
///
/// All LIDs of the graph's hosts are targets, and every host sends to each: with an LMC, any of them may be used.
/// Pairs that the old tables lose may be lost until all entries have changed.
Rollout find_rollout(SwitchGraph const& graph, model::ForwardingTables const& before,
                     model::ForwardingTables const& after);

}  // namespace tailback::search
