// An order by recursive bisection: ranks that send each other much go to the same half of the places, and so on.
#pragma once

#include "host/search/places/place_problem.hpp"

namespace tailback::search {

/// Places are divided in their order (nodes of one leaf follow each other), ranks by what they send each other: halves
/// are grown from the first rank, then improved by swaps (Kernighan and Lin 1970) while they get better. Ranks that go
/// together are one. Those that stay do not count here: see `allowed`.
Order bisected(PlaceProblem const& problem);

}  // namespace tailback::search
