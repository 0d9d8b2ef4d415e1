// The draws of a permutation, several Philox blocks side by side in vector registers.
//
// What:  for chunks of blocks, lane b holds the whole state of block b; ten rounds run on all lanes at once.
// Why so: Philox is 20 wide multiplications a block and nothing else; compilers turn the lane loops into vector code
//        for each instruction set, and the loader picks the best one the machine has.
// Needs: `targets` has room for `steps` rounded up to a multiple of 4.
#include "kernels/cpu_team.hpp"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(TAILBACK_NO_CLONES)
#define TAILBACK_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define TAILBACK_CLONES
#endif

namespace tailback {
namespace {

constexpr std::uint32_t lanes = 32;  // blocks a chunk

/// Words of blocks first .. first+lanes-1, word k of block b at words[k * lanes + b].
TAILBACK_CLONES void philox_chunk(std::uint64_t key, std::uint32_t first, std::uint32_t c1_value, std::uint32_t c2_value,
                                  std::uint32_t c3_value, std::uint32_t size, std::uint32_t count, std::uint32_t* __restrict targets,
                                  std::uint32_t* __restrict suspicious) {
    std::uint32_t c0[lanes], c1[lanes], c2[lanes], c3[lanes];
    for (std::uint32_t b = 0; b < lanes; ++b) {
        c0[b] = first + b;
        c1[b] = c1_value;
        c2[b] = c2_value;
        c3[b] = c3_value;
    }
    auto k0 = static_cast<std::uint32_t>(key);
    auto k1 = static_cast<std::uint32_t>(key >> 32);
    for (int round = 0; round < 10; ++round) {
        for (std::uint32_t b = 0; b < lanes; ++b) {
            std::uint64_t const p0 = std::uint64_t{0xD2511F53u} * c0[b];
            std::uint64_t const p1 = std::uint64_t{0xCD9E8D57u} * c2[b];
            c0[b] = static_cast<std::uint32_t>(p1 >> 32) ^ c1[b] ^ k0;
            c1[b] = static_cast<std::uint32_t>(p1);
            c2[b] = static_cast<std::uint32_t>(p0 >> 32) ^ c3[b] ^ k1;
            c3[b] = static_cast<std::uint32_t>(p0);
        }
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    std::uint32_t word[4 * lanes];
    for (std::uint32_t b = 0; b < lanes; ++b) {
        word[4 * b] = c0[b];
        word[4 * b + 1] = c1[b];
        word[4 * b + 2] = c2[b];
        word[4 * b + 3] = c3[b];
    }
    // A word may be in the biased tail only if the product's low half is below the range: then the caller looks closer.
    std::uint32_t const step = 4 * first;
    std::uint32_t doubt = 0;
    for (std::uint32_t i = 0; i < 4 * lanes; ++i) {
        std::uint32_t const range = size - (step + i);
        std::uint64_t const product = std::uint64_t{word[i]} * range;
        targets[i] = step + i + static_cast<std::uint32_t>(product >> 32);
        doubt |= (static_cast<std::uint32_t>(product) < range ? 1u : 0u) & (i < count ? 1u : 0u);
    }
    *suspicious = doubt;
}

}  // namespace

void draw_targets_vectorised(std::uint64_t seed, Stream stream, std::uint64_t m, std::uint32_t size, std::uint32_t steps,
                             std::uint32_t* targets) {
    auto const c1 = static_cast<std::uint32_t>(stream) << 24;
    auto const c2 = static_cast<std::uint32_t>(m);
    auto const c3 = static_cast<std::uint32_t>(m >> 32);
    for (std::uint32_t step = 0; step < steps; step += 4 * lanes) {
        std::uint32_t const count = steps - step < 4 * lanes ? steps - step : 4 * lanes;
        std::uint32_t chunk[4 * lanes];
        std::uint32_t suspicious = 0;
        std::uint32_t* const to = count == 4 * lanes ? targets + step : chunk;
        philox_chunk(seed, step / 4, c1, c2, c3, size, count, to, &suspicious);
        if (to == chunk)
            for (std::uint32_t i = 0; i < count; ++i) targets[step + i] = chunk[i];
        if (suspicious == 0) continue;
        for (std::uint32_t i = step; i < step + count; ++i) {
            PhiloxBlock const words = philox(i / 4, c1, c2, c3, seed);
            targets[i] = i + bounded_draw(words.word[i % 4], size - i, i, seed, stream, m);
        }
    }
}

}  // namespace tailback
