// Permutation number m of a stream: Fisher-Yates whose draws are a pure function of (seed, stream, m, step).
//
// Definition. Let a = 0, 1, .., size-1. For step i = 0, 1, .., steps-1 swap a[i] with a[i + draw(i)], draw(i) uniform
// on 0 .. size-1-i. The random word of step i is word i mod 4 of Philox4x32-10 with key = seed and counter =
// (i div 4, attempt + 2^24 stream, low half of m, high half of m). It is mapped onto the range by the high half of a
// 32x32-bit product; a word in the biased tail is rejected and drawn anew with attempt + 1 (Lemire, "Fast random
// integer generation in an interval", 2019), so every permutation is exactly as likely as every other. With
// steps < size the first `steps` places are a uniform ordered sample.
#pragma once

#include "kernels/philox.hpp"

namespace tailback {

/// Streams keep the uses of randomness apart.
enum class Stream : std::uint32_t { mapping = 1, subset = 2, first_pattern = 3, second_pattern = 4 };

/// draw(i) above, given the step's first word; redraws in the biased tail.
TAILBACK_HD std::uint32_t bounded_draw(std::uint32_t word, std::uint32_t range, std::uint32_t step, std::uint64_t seed,
                                       Stream stream, std::uint64_t m) {
    std::uint64_t product = std::uint64_t{word} * range;
    if (static_cast<std::uint32_t>(product) < range) {
        std::uint32_t const tail = (0u - range) % range;
        for (std::uint32_t attempt = 1; static_cast<std::uint32_t>(product) < tail; ++attempt) {
            PhiloxBlock const again = philox(step / 4, attempt + (static_cast<std::uint32_t>(stream) << 24),
                                             static_cast<std::uint32_t>(m), static_cast<std::uint32_t>(m >> 32), seed);
            product = std::uint64_t{again.word[step % 4]} * range;
        }
    }
    return static_cast<std::uint32_t>(product >> 32);
}

/// Fills `order[0..size)` with permutation `m` of `stream`, of which the first `steps` places are final.
/// `targets` is scratch for `steps` rounded up to a multiple of 4. All members of the team call it.
template <class Team>
TAILBACK_APART void draw_permutation(Team& team, std::uint64_t seed, Stream stream, std::uint64_t m, std::uint32_t size,
                                  std::uint32_t steps, std::uint32_t* targets, std::uint32_t* order) {
    if constexpr (requires { team.draw_targets(seed, stream, m, size, steps, targets); }) {
        team.draw_targets(seed, stream, m, size, steps, targets);
    } else {
        for (std::uint32_t const block : team.each((steps + 3) / 4)) {
            PhiloxBlock const words = philox(block, static_cast<std::uint32_t>(stream) << 24, static_cast<std::uint32_t>(m),
                                             static_cast<std::uint32_t>(m >> 32), seed);
            for (std::uint32_t k = 0; k < 4; ++k) {
                std::uint32_t const step = 4 * block + k;
                if (step < steps) targets[step] = step + bounded_draw(words.word[k], size - step, step, seed, stream, m);
            }
        }
    }
    for (std::uint32_t const i : team.each(size)) order[i] = i;
    team.sync();
    if (team.leads()) {
        for (std::uint32_t i = 0; i < steps; ++i) {
            std::uint32_t const j = targets[i];
            std::uint32_t const moved = order[i];
            order[i] = order[j];
            order[j] = moved;
        }
    }
    team.sync();
}

}  // namespace tailback
