// The order of ranks whose flows end soonest by the linear model: loads of links along the routes, not distances.
//
// Time of an order: sum over levels of the largest load / capacity of a link. The maximum alone is flat under swaps, so
// what is annealed is the sum over levels of the p-norm of the links' congestion, p = 6, later 16 (24 and 48 beside
// other loads); the best order by the time itself is kept. A swap is judged by the links of the flows of the two ranks
// alone.
#pragma once

#include "host/search/orders/order_search.hpp"

namespace tailback::search {

/// What flows put on links by an order, added to `load`.
void add_loads(Ways const& ways, std::span<PlacedFlow const> flows, Order const& order,
               std::vector<std::uint64_t>& load);

/// Sum over levels (each as often as it comes) of the largest congestion of a link that its flows use, background
/// included: loads x PlaceProblem::cost. From scratch.
std::uint64_t time_of(PlaceProblem const& problem, Order const& order);

/// The best order by `time_of` found from these starts. @throws InputError where congestion passes 2^62.
FoundOrder search_times(PlaceProblem const& problem, std::span<Order const> starts, OrderSearchOptions const& options);

/// Links that a bound looks at: first and last ones hold whatever way flows take between them.
enum class BoundBy : std::uint8_t { links_of_places, all_links };

/// No order has a smaller time: of each level the largest of
/// - the most that a rank sends (or gets), without its heaviest flows, to as many others as a node has places besides
///   its own; spread evenly over as many first (last) links as any place has, on the fastest of all of them;
/// - what all ranks must send from node to node, and from leaf to leaf (least_cut, or all but the heaviest flows of
///   every rank), spread evenly over all links that lead there.
/// Without any background.
std::uint64_t least_time(PlaceProblem const& problem, BoundBy by = BoundBy::all_links);

}  // namespace tailback::search
