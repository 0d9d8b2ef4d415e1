// The order of ranks that is best by a number which only a whole evaluation tells: no part of it is known by a swap.
#pragma once

#include "host/search/orders/order_search.hpp"

namespace tailback::search {

/// What an order comes to when it is evaluated as a whole.
struct OrderScore {
    /// The less, the better. Any number of threads ask at once; the same order has the same score.
    std::function<std::uint64_t(std::span<std::uint32_t const> order)> of = nullptr;
    std::uint64_t bound = 0;               ///< no order has less; 0: nothing is known
    std::uint64_t effort = 4;              ///< of an evaluation, for each link of a flow: 1 = that of a swap's
    std::vector<PlacedLevel> levels = {};  ///< whose time is searched before; empty: those of the problem
};

/// As many evaluations as take some seconds.
std::uint64_t usual_evaluations(PlaceProblem const& problem, std::uint64_t effort);
/// How many of the moves are evaluations: one in a hundred, or in as many as there are ranks; where there are more
/// moves than `before` and the usual evaluations, as large a part of them as the usual ones are of these. The others
/// are those of the search before, which look at the flows of two ranks each.
std::uint64_t evaluations_of(PlaceProblem const& problem, std::uint64_t effort, std::uint64_t moves,
                             std::uint64_t before);

/// The best order found from the best four of these starts: annealing, every swap evaluated.
FoundOrder search_scores(PlaceProblem const& problem, OrderScore const& score, std::span<Order const> starts,
                         OrderSearchOptions const& options);

}  // namespace tailback::search
