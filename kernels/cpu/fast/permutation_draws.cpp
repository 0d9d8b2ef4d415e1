// The draws of a permutation, many Philox blocks side by side in vector registers.
//
// What:  lane b holds the whole state of block b; ten rounds run on all lanes at once, then every word becomes a draw.
// Why so: Philox is 20 wide multiplications a block and nothing else. For AVX-512 and AVX2 there is
// kernels/cpu/fast/philox.hpp; for other
//        machines compilers turn the lane loops into what they have.
// Needs: `targets` has room for `steps` rounded up to a multiple of 4.
#include "kernels/cpu/fast/permutation_draws.hpp"

#include "kernels/cpu/fast/philox.hpp"
#include "kernels/cpu/machine/isa.hpp"

#include <algorithm>
#include <cstring>

namespace tailback::kernels {
namespace {

constexpr std::uint32_t chunk = PermutationDraws::chunk;
constexpr std::uint32_t lanes = chunk / 4;  // blocks

/// The draws of blocks first .. first+lanes-1. @return true when a word of the first `count`, in blocks that are whole,
/// may be in the biased tail: its product's low half is below the range. Then the caller looks closer.
bool draw_chunk(PermutationDraws const& draw, std::uint32_t first, std::uint32_t count,
                std::uint32_t* __restrict draws) {
    std::uint32_t c0[lanes], c1[lanes], c2[lanes], c3[lanes];
    for (std::uint32_t b = 0; b < lanes; ++b) {
        c0[b] = first + b;
        c1[b] = draw.c1;
        c2[b] = draw.c2;
        c3[b] = draw.c3;
    }
    auto k0 = static_cast<std::uint32_t>(draw.seed);
    auto k1 = static_cast<std::uint32_t>(draw.seed >> 32);
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
    std::uint32_t word[chunk];
    for (std::uint32_t b = 0; b < lanes; ++b) {
        word[4 * b] = c0[b];
        word[4 * b + 1] = c1[b];
        word[4 * b + 2] = c2[b];
        word[4 * b + 3] = c3[b];
    }
    std::uint32_t const step = 4 * first;
    std::uint32_t doubt = 0;
    for (std::uint32_t i = 0; i < chunk; ++i) {
        std::uint32_t const range = draw.size - (step + i);
        std::uint64_t const product = std::uint64_t{word[i]} * range;
        draws[i] = static_cast<std::uint32_t>(product >> 32);
        doubt |= (static_cast<std::uint32_t>(product) < range ? 1u : 0u) & (i < count / 4 * 4 ? 1u : 0u);
    }
    return doubt != 0;
}

using DrawChunk = bool (*)(PermutationDraws const&, std::uint32_t, std::uint32_t, std::uint32_t*);

#ifdef TAILBACK_AVX512
/// The same for machines with AVX-512.
TAILBACK_AVX512 bool draw_chunk_avx512(PermutationDraws const& draw, std::uint32_t first, std::uint32_t count,
                                       std::uint32_t* draws) {
    PhiloxVectors philox_vectors(draw, first);
    for (int round = 0; round < PhiloxVectors::rounds_left; ++round) philox_vectors.round();
    return philox_vectors.draws(count, draws);
}

/// The same for machines with AVX2.
TAILBACK_AVX2 bool draw_chunk_avx2(PermutationDraws const& draw, std::uint32_t first, std::uint32_t count,
                                   std::uint32_t* draws) {
    PhiloxStart const start(draw);
    bool doubtful = false;
    for (std::uint32_t block = 0; block < (count + 3) / 4; block += PhiloxEight::blocks) {
        PhiloxEight eight(start, first + block);
#pragma GCC unroll 8
        for (int round = 0; round < PhiloxEight::rounds_left; ++round) eight.round();
        doubtful |= eight.draws(draw.size, count / 4 > block ? count / 4 - block : 0, draws + 4 * block);
    }
    return doubtful;
}

DrawChunk best_draw_chunk() {
    if (has_avx512()) return draw_chunk_avx512;
    return has_avx2() ? draw_chunk_avx2 : draw_chunk;
}
#else
DrawChunk best_draw_chunk() { return draw_chunk; }
#endif

}  // namespace

void PermutationDraws::draw(std::uint32_t step, std::uint32_t count, std::uint32_t* draws) const {
    settle(step, count, best_draw_chunk()(*this, step / 4, count, draws), draws);
}

void PermutationDraws::settle(std::uint32_t step, std::uint32_t count, bool doubtful, std::uint32_t* draws) const {
    PhiloxBlock words{};
    for (std::uint32_t i = doubtful ? step : step + count / 4 * 4; i < step + count; ++i) {
        if (i % 4 == 0) words = philox(i / 4, c1, c2, c3, seed);
        draws[i - step] = bounded_draw(words.word[i % 4], size - i, i, seed, stream, std::uint64_t{c3} << 32 | c2);
    }
}

void draw_targets_vectorised(std::uint64_t seed, Stream stream, std::uint64_t m, std::uint32_t size,
                             std::uint32_t steps, std::uint32_t* targets) {
    PermutationDraws const draws(seed, stream, m, size);
    for (std::uint32_t step = 0; step < steps; step += chunk) {
        std::uint32_t const count = std::min(steps - step, chunk);
        std::uint32_t drawn[chunk];
        draws.draw(step, count, drawn);
        for (std::uint32_t k = 0; k < count; ++k) targets[step + k] = step + k + drawn[k];
    }
}

}  // namespace tailback::kernels
