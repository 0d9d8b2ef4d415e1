// The best assignment of rows to columns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tailback::search {

/// The largest sum of `weight[row][column]` over pairs of rows and columns that each are used once; n x n numbers that
/// are not negative. @param chosen out: the column of each row. O(n^3) (Kuhn 1955, in the form of Jonker and Volgenant
/// 1987).
double largest_assignment(std::span<double const> weight, std::size_t n, std::vector<std::uint32_t>& chosen);

}  // namespace tailback::search
