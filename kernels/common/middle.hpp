// Valiant's middle switch: a pure function of a seed, a source and a destination, the same in tables and in kernels.
#pragma once

#include "kernels/common/philox.hpp"

namespace tailback::kernels {

/// The stream of these draws among those of routings (topologies/draws.hpp).
inline constexpr std::uint32_t middle_stream = 7;

/// Uniform on 0 .. range-1 but for 2^-32.
TAILBACK_HD std::uint32_t drawn_middle(std::uint64_t seed, std::uint32_t source, std::uint32_t destination,
                                       std::uint32_t range) {
    // Keys of ten rounds would lie in registers from one flow to the next.
    PhiloxBlock const block = philox(source, destination, 0, middle_stream, unknown(seed));
    return static_cast<std::uint32_t>(high_product(std::uint64_t{block.word[0]} << 32 | block.word[1], range));
}

}  // namespace tailback::kernels
