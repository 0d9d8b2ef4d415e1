// Searches for orders of ranks: how much they may do, and what they give.
#pragma once

#include "host/search/orders/place_problem.hpp"

#include <functional>

namespace tailback::search {

struct OrderSearchOptions {
    std::uint64_t moves = 10'000'000;  ///< swaps looked at, all searches together
    std::uint64_t seed = 1;
    unsigned threads = 0;      ///< 0 = all cores; changes nothing but the time
    std::uint64_t enough = 0;  ///< a search that finds it ends: no order costs less
    /// Called now and then with the moves done, from one thread at a time.
    std::function<void(std::uint64_t)> progress = nullptr;
};

/// What was found. `cost` is that of `order`.
struct FoundOrder {
    Order order;
    std::uint64_t cost = 0;
    std::uint64_t moves = 0;  ///< that were looked at
    bool stopped = false;     ///< by kernels::StopWish: the best so far
};

struct SearchClock;  // host/search/orders/annealing.hpp
/// Runs one search for each start, in threads, and takes the best: of equal ones that of the first start.
/// @param search gives what it found from start number k with so many moves
FoundOrder best_of_searches(
    std::size_t starts, OrderSearchOptions const& options,
    std::function<FoundOrder(std::size_t k, std::uint64_t moves, SearchClock const&)> const& search);

}  // namespace tailback::search
