// Searches for orders of ranks: how much they may do, and what they give.
#pragma once

#include "host/search/places/zones.hpp"
#include "host/search/shared_search.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>

namespace tailback::search {

struct OrderSearchOptions {
    std::uint64_t moves = 10'000'000;  ///< swaps looked at, all searches together
    std::uint64_t seed = 1;
    std::uint32_t restarts = 1;      ///< searches from every start, each with its own draws
    unsigned threads = 0;            ///< 0 = all cores; changes nothing but the time
    SharedSearch* shared = nullptr;  ///< with whom it is shared, and what keeps it; null: nobody
    std::uint64_t enough = 0;        ///< a search that finds it ends: no order costs less
    /// Called now and then with the moves done, from one thread at a time.
    std::function<void(std::uint64_t)> progress = nullptr;
};

/// What makes a search of orders this one. @param goal what is to be small
SharedSearch::Identity identity_of(PlaceProblem const& problem, std::span<Order const> starts,
                                   OrderSearchOptions const& options, std::string const& goal);

/// What was found. `cost` is that of `order`.
struct FoundOrder {
    Order order;
    std::uint64_t cost = 0;
    std::uint64_t moves = 0;  ///< that were looked at
    bool stopped = false;     ///< by kernels::StopWish: the best so far
    bool is_proven = false;   ///< all orders were looked at: so many as `moves`
};

/// One search from one start.
class OrderPart : public SearchPart {
public:
    /// The best so far. @throws nothing; called once
    virtual FoundOrder take() = 0;
};

/// An order that is allowed where `start` is. @throws UnfitWords
Order next_order(WordReader& words, PlaceProblem const& problem, Order const& start);

struct SearchClock;  // host/search/orders/annealing.hpp
/// Makes search number k from start number s with so many moves.
using BeginSearch = std::function<std::unique_ptr<OrderPart>(std::uint32_t k, std::size_t s, std::uint64_t moves,
                                                             SearchClock const& clock)>;
/// Those of search number k.
topologies::Draws draws_of(OrderSearchOptions const& options, std::uint32_t k);

/// Runs `restarts` searches from each start, in threads and processes, and takes the best: of equal ones the first.
FoundOrder best_of_searches(std::size_t starts, OrderSearchOptions const& options, BeginSearch const& begin);

}  // namespace tailback::search
