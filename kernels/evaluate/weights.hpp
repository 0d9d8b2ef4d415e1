// Flows with weights: their bandwidths, and bins for their congestions, which have too many values for a table of each.
#pragma once

#include "kernels/common/portable.hpp"
#include "kernels/evaluate/problem.hpp"

#include <cstdint>

namespace tailback::kernels {

/// A flow's bandwidth, weight / congestion, in whole units of Problem::weighted_share_unit, rounded to the nearest.
/// The only floating point in a kernel: each operation is rounded as IEEE 754 says, so that all devices agree. Weights
/// and congestions below 2^53 are exact.
TAILBACK_HD std::uint64_t weighted_share(double unit, std::uint64_t weight, std::uint64_t congestion) {
    return static_cast<std::uint64_t>(static_cast<double>(weight) * unit / static_cast<double>(congestion) + 0.5);
}

/// The hops of a route of so many links: those between switches, as the first leaves a host and the last enters one.
TAILBACK_HD std::uint64_t hops_of(std::uint32_t links) { return links > 2 ? links - 2 : 0; }

/// Of weighted_bin: below 64 a bin each, then 32 bins from every power of two to the next.
inline constexpr std::uint32_t weighted_bins = 1920;

/// The bin of a congestion.
TAILBACK_HD std::uint32_t weighted_bin(std::uint64_t congestion) {
    if (congestion < 64) return static_cast<std::uint32_t>(congestion);
    std::uint32_t const shift = bit_width(congestion) - 6;
    return 32 * shift + static_cast<std::uint32_t>(congestion >> shift);
}

/// The least congestion of a bin; of `weighted_bins` 2^64, told as 2^64 - 1.
TAILBACK_HD std::uint64_t first_of_weighted_bin(std::uint32_t bin) {
    if (bin < 64) return bin;
    if (bin == weighted_bins) return UINT64_MAX;
    std::uint32_t const shift = bin / 32 - 1;
    return std::uint64_t{bin - 32 * shift} << shift;
}

/// The sum of many tallies' share_sum passes 64 bits: its parts of 21 bits, the lowest first, are summed apart.
inline constexpr std::uint32_t share_parts = 3, share_part_bits = 21;
TAILBACK_HD std::uint64_t share_part(std::uint64_t share_sum, std::uint32_t part) {
    return share_sum >> (part * share_part_bits) & ((1u << share_part_bits) - 1);
}

}  // namespace tailback::kernels
