// The order of ranks that keeps what they send near: a quadratic assignment problem.
//
// Cost of an order p: sum over flows (i, j, w) of w x D[p(i)][p(j)] (Koopmans and Beckmann 1957). Small problems by
// robust tabu search (Taillard, "Robust taboo search for the quadratic assignment problem", 1991), whose changes of
// cost by all swaps are kept, each brought up to date in O(1) after a swap; larger ones by annealing.
#pragma once

#include "host/search/orders/order_search.hpp"

namespace tailback::search {

/// Distances between places: [from * places + to].
struct Distances {
    std::uint32_t places = 0;
    std::vector<std::uint32_t> between;
    std::uint32_t operator()(std::uint32_t from, std::uint32_t to) const {
        return between[std::size_t{from} * places + to];
    }
};

/// By the number of links of the ways, without so many: hop-bytes are without the two links of hosts.
Distances distances_by_links(Ways const& ways, std::uint32_t without = 0);
/// 1 between places whose way has more links than `without`, else 0.
Distances distances_by_leaving(Ways const& ways, std::uint32_t without);
/// 1 between places that `group` tells apart and that are not in one node, else 0.
Distances distances_by_group(std::vector<std::uint32_t> const& group, std::vector<std::uint32_t> const& node);
/// What distances of 0 connect, one after another, is one group.
struct GroupsApart {
    std::vector<std::uint32_t> of_place;
    std::uint32_t between = 0;  ///< the least distance from one to another; 0 = there is one group
};
GroupsApart groups_apart(Distances const& distances);

/// The cost of an order, from scratch.
std::uint64_t cost_of(std::span<PlacedFlow const> flows, Distances const& distances, Order const& order);

/// The best order found from these starts, as many searches as there are starts and always the same number of moves.
/// Ranks of `problem` that stay or go together do so in every start. @throws InputError where costs pass 2^62.
FoundOrder search_near(PlaceProblem const& problem, Distances const& distances, std::span<Order const> starts,
                       OrderSearchOptions const& options);

/// No order costs less: every rank's flows, heaviest first, at the nearest places that there are around the best place
/// (the minimal scalar product of sorted rows, of flows out and in, summed over the best assignment of rows; a form of
/// Gilmore 1962 and Lawler 1963). 0 where there are more than 400 places.
std::uint64_t least_distance_cost(PlaceProblem const& problem, Distances const& distances);

}  // namespace tailback::search
