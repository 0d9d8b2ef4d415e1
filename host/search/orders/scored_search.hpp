// The order of ranks that is best by a number which only a whole evaluation tells: no part of it is known by a swap.
#pragma once

#include "host/search/orders/order_search.hpp"

#include <algorithm>

namespace tailback::search {

/// What an order comes to when it is evaluated as a whole.
struct OrderScore {
    /// The less, the better. Any number of threads ask at once; the same order has the same score.
    std::function<std::uint64_t(std::span<std::uint32_t const> order)> of = nullptr;
    std::uint64_t bound = 0;               ///< no order has less; 0: nothing is known
    std::vector<PlacedLevel> levels = {};  ///< whose time is searched before; empty: those of the problem
};

/// Of the moves, one in so many is an evaluation; the others are those of the search before, which look at the flows of
/// two ranks each.
inline std::uint64_t evaluated_one_in(PlaceProblem const& problem) {
    return std::max<std::uint64_t>(100, problem.ranks);
}

/// The best order found from the best four of these starts: annealing, every swap evaluated.
FoundOrder search_scores(PlaceProblem const& problem, OrderScore const& score, std::span<Order const> starts,
                         OrderSearchOptions const& options);

}  // namespace tailback::search
