// How little ranks in groups of given sizes can send from group to group, by eigenvalues of what they send each other.
#pragma once

#include "host/search/places/place_problem.hpp"

namespace tailback::search {

/// Donath and Hoffman (IBM J. Res. Dev. 17, 1973): no division into groups of m_1 >= m_2 >= .. ranks cuts less than
/// half the sum of m_i x (the i-th smallest eigenvalue of the Laplacian of weights). Groups with more places than there
/// are ranks are filled from the largest on. Errors of the arithmetic are taken off.
/// @param group of each place. @return 0 also for more than 256 ranks
std::uint64_t least_cut(std::span<PlacedFlow const> flows, std::uint32_t ranks, std::span<std::uint32_t const> group);

}  // namespace tailback::search
