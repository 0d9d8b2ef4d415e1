// Ways for pairs that no up*/down* way joins: down into one switch and up again, once for a whole group of pairs.
#pragma once

#include "host/search/switch_graph.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tailback::search {

/// From those of `near` by a way of the order to `near_top`, down to `bottom`, up to `far_top`, and by a way of the
/// order to those of `far`; and back. No way that turns at the bottom comes back to its turn where the tops have
/// nothing in common above them: two dependencies more, and no cycle as long as groups do not meet.
struct Valley {
    std::vector<std::uint32_t> near, far;  ///< switches with hosts
    std::uint32_t near_top = 0, bottom = 0, far_top = 0;
};

/// A valley for every group of switches with hosts between which an order has no up*/down* ways, where there is one:
/// a switch without lower neighbours, with two above it of which each has ways to all of one side and none to the
/// other. O(switches with hosts x arcs)
std::vector<Valley> find_valleys(SwitchGraph const& graph, std::span<std::uint32_t const> place);

}  // namespace tailback::search
