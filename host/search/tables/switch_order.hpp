// Orders of the switches, by which up*/down* ways go: one to begin with, and a search for a better one.
#pragma once

#include "host/search/tables/trees.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tailback::search {

/// Of each switch its place: by links from the nearest root, of equally far ones by GUID, as up*/down* is judged.
/// @param roots switches. Those that no root reaches come last
std::vector<std::uint32_t> order_from_roots(SwitchGraph const& graph, std::span<std::uint32_t const> roots);

/// The same by links from the nearest switch with hosts: the farthest are the highest, of those with
/// equal ways the one with more links to switches.
std::vector<std::uint32_t> order_from_hosts(SwitchGraph const& graph);

struct OrderBudget {
    std::uint64_t trials = 0;  ///< of each descent
    std::uint64_t descents = 1;
    std::uint64_t seed = 1;
    unsigned threads = 0;
    SharedSearch* shared = nullptr;  ///< see SearchBudget
};
/// The order, of those tried, whose trees have the lowest largest load and the fewest shared squares: one switch is
/// moved, or two are exchanged, two rounds tell what that is worth; some worse ones are kept while it is hot.
/// None that loses pairs. The same with any number of threads.
/// @param trees some by that order; at its end those of the best one
/// @param tried of the trials of each descent; fewer than asked where somebody wishes it to stop
std::vector<std::uint32_t> search_order(Trees& trees, std::vector<std::uint32_t> place, OrderBudget const& budget,
                                        std::uint64_t& tried);

}  // namespace tailback::search
