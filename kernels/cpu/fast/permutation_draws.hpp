// The draws of a permutation, many at once.
#pragma once

#include "kernels/common/permutation.hpp"

#include <cstdint>

namespace tailback::kernels {

/// The draws of one permutation, vectorised.
struct PermutationDraws {
    static constexpr std::uint32_t chunk = 128;

    PermutationDraws(std::uint64_t seed_, Stream stream_, std::uint64_t m, std::uint32_t size_)
        : seed(seed_),
          stream(stream_),
          c1(static_cast<std::uint32_t>(stream_) << 24),
          c2(static_cast<std::uint32_t>(m)),
          c3(static_cast<std::uint32_t>(m >> 32)),
          size(size_) {}
    /// draws[k] = draw(step + k) for k < count; `step` is a multiple of 4, and there is room for `chunk` draws.
    void draw(std::uint32_t step, std::uint32_t count, std::uint32_t* draws) const;
    /// Draws one by one what vectors leave open: a block that is not whole, and all of a chunk with a
    /// doubtful draw.
    void settle(std::uint32_t step, std::uint32_t count, bool doubtful, std::uint32_t* draws) const;

    std::uint64_t const seed;
    Stream const stream;
    std::uint32_t const c1, c2, c3, size;  ///< counter words; size of the permutation
};

/// Vectorised twin of draw_permutation's draws: targets[i] = i + draw(i) for i < steps.
void draw_targets_vectorised(std::uint64_t seed, Stream stream, std::uint64_t m, std::uint32_t size,
                             std::uint32_t steps, std::uint32_t* targets);

}  // namespace tailback::kernels
