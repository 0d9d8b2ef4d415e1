// Robust tabu search (Taillard, Parallel Computing 17, 1991) for quadratic assignment problems.
#pragma once

#include "host/search/orders/annealing.hpp"
#include "host/search/orders/distance_search.hpp"

namespace tailback::search {

/// Above it the changes by all swaps, which are kept, are too many.
inline constexpr std::uint32_t most_places_of_tabu = 160;

/// @param units ranks that may be swapped; @param start a place for every rank, and behind them the empty places
/// @param moves swaps looked at: all of them in every iteration
FoundOrder search_by_tabu(std::span<PlacedFlow const> flows, Distances const& distances,
                          std::span<std::uint32_t const> units, Order const& start, std::uint32_t ranks,
                          std::uint64_t moves, topologies::Draws draws, SearchClock const& clock);

}  // namespace tailback::search
