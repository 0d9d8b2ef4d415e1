// Rows of routes as sums: where a route's way up depends on source and destination independently of each other, as
// D-mod-K's does, row (source, destination) = part of the source + part of the destination, and a table of all pairs
// need not be read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tailback::kernels {

/// Words of 64 bits (of rows of 32 bits the lower half is meant), added without regard to what they hold: a sum is used
/// for a pair only where it is that pair's row.
struct RouteSums {
    std::vector<std::uint64_t> source;       ///< [group][word]
    std::vector<std::uint64_t> destination;  ///< [seat][word]
    std::vector<std::uint32_t> block_of_group,
        block_of_host_index;  ///< pairs inside one block have their rows in the table alone

    bool empty() const { return source.empty(); }
};

/// Rows as RouteStore packs them.
struct RowTable {
    std::uint64_t const* words;  ///< [groups][seats][words_a_row]
    std::uint32_t words_a_row, link_index_bits;
    std::uint32_t padding, longest;  ///< the slot that pads short rows; slots of the longest route
    std::uint32_t groups;
    std::vector<std::uint32_t> const& group_of_host_index;
};

/// Rows of 32 bits as words. None where there are more than 2^25, which would take 256 MB.
std::vector<std::uint64_t> widened_rows(void const* rows, std::size_t count);

/// Finds sums that hold for every pair of different blocks, where at most a quarter of all pairs are inside blocks;
/// empty when there are none. Every pair is checked.
RouteSums find_route_sums(RowTable const& rows);

}  // namespace tailback::kernels
