// All orders that are allowed, where they are few: then the best of them is proven to be.
#pragma once

#include "host/search/places/place_problem.hpp"

#include <functional>

namespace tailback::search {

/// Tells all orders that are allowed (zones.hpp), of units that all send each other the same one of each set of places:
/// any other order of these is as good.
/// @param start tells where ranks stay, and the fields of groups
/// @param visit may be null; false: it wants no more
/// @return how many there are; 0 where there are more than `most`: then nothing is told
std::uint64_t each_order(PlaceProblem const& problem, Order const& start, std::uint64_t most,
                         std::function<bool(Order const&)> const& visit);

}  // namespace tailback::search
