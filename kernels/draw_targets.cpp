// The draws of a permutation, many Philox blocks side by side in vector registers.
//
// What:  lane b holds the whole state of block b; ten rounds run on all lanes at once, then every word becomes a draw.
// Why so: Philox is 20 wide multiplications a block and nothing else. With AVX-512 a state word lives in the lower half of a
//        64-bit lane: a product is one instruction, its upper half one shift, and what lies above a word does no harm. On other
//        machines compilers turn the lane loops into vector code, and the loader picks the best.
// Needs: `targets` has room for `steps` rounded up to a multiple of 4.
#include "kernels/cpu_team.hpp"

#include <algorithm>
#include <cstring>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"  // g++ 12 warns of its own header
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#define TAILBACK_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#if !defined(TAILBACK_NO_CLONES)
#define TAILBACK_CLONES __attribute__((target_clones("arch=x86-64-v3", "default")))
#endif
#endif
#ifndef TAILBACK_CLONES
#define TAILBACK_CLONES
#endif

namespace tailback {
namespace {

constexpr std::uint32_t chunk = Draws::chunk;
constexpr std::uint32_t lanes = chunk / 4;  // blocks

/// The draws of blocks first .. first+lanes-1. @return true when a word of the first `count`, in blocks that are whole, may be
/// in the biased tail: its product's low half is below the range. Then the caller looks closer.
TAILBACK_CLONES bool draw_chunk(Draws const& draw, std::uint32_t first, std::uint32_t count, std::uint32_t* __restrict draws) {
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

#ifdef TAILBACK_AVX512
/// Mask of the lower halves of those lanes of vector v whose blocks have only steps among the first `count`.
std::uint16_t lower_halves(std::uint32_t count, std::uint32_t v) {
    std::uint32_t const left = count > 32 * v ? count - 32 * v : 0, blocks = std::min(left / 4, 8u);
    return static_cast<std::uint16_t>(0x5555u & ((1u << 2 * blocks) - 1));
}

/// The same for machines with AVX-512.
TAILBACK_AVX512 bool draw_chunk_avx512(Draws const& draw, std::uint32_t first, std::uint32_t count, std::uint32_t* draws) {
    constexpr std::uint32_t vectors = lanes / 8;
    __m512i const lane = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
    __m512i const m0 = _mm512_set1_epi64(0xD2511F53u), m1 = _mm512_set1_epi64(0xCD9E8D57u);
    auto k0 = static_cast<std::uint32_t>(draw.seed);
    auto k1 = static_cast<std::uint32_t>(draw.seed >> 32);
    __m512i c0[vectors], c1[vectors], c2[vectors], c3[vectors];
    {
        // In the first two rounds half of the state is the same in all blocks.
        std::uint64_t const p1 = std::uint64_t{0xCD9E8D57u} * draw.c2;
        std::uint32_t const same0 = static_cast<std::uint32_t>(p1 >> 32) ^ draw.c1 ^ k0;
        std::uint32_t const same1 = static_cast<std::uint32_t>(p1);
        __m512i const key = _mm512_set1_epi64(draw.c3 ^ k1);
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
        std::uint64_t const p0 = std::uint64_t{0xD2511F53u} * same0;
        __m512i const next0 = _mm512_set1_epi64(same1 ^ k0), next2 = _mm512_set1_epi64(static_cast<std::uint32_t>(p0 >> 32) ^ k1);
        __m512i const next3 = _mm512_set1_epi64(static_cast<std::uint32_t>(p0));
        for (std::uint32_t v = 0; v < vectors; ++v) {
            __m512i const q0 = _mm512_mul_epu32(_mm512_add_epi64(lane, _mm512_set1_epi64(first + 8 * v)), m0);
            __m512i const q1 = _mm512_mul_epu32(_mm512_xor_si512(_mm512_srli_epi64(q0, 32), key), m1);
            c0[v] = _mm512_xor_si512(_mm512_srli_epi64(q1, 32), next0);
            c1[v] = q1;
            c2[v] = _mm512_xor_si512(next2, q0);
            c3[v] = next3;
        }
    }
    for (int round = 2; round < 10; ++round) {
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
        __m512i const key0 = _mm512_set1_epi64(k0), key1 = _mm512_set1_epi64(k1);
        for (std::uint32_t v = 0; v < vectors; ++v) {
            __m512i const p0 = _mm512_mul_epu32(c0[v], m0), p1 = _mm512_mul_epu32(c2[v], m1);
            c0[v] = _mm512_ternarylogic_epi64(_mm512_srli_epi64(p1, 32), c1[v], key0, 0x96);  // a ^ b ^ c
            c1[v] = p1;
            c2[v] = _mm512_ternarylogic_epi64(_mm512_srli_epi64(p0, 32), c3[v], key1, 0x96);
            c3[v] = p0;
        }
    }
    __m512i const blocks0 = _mm512_set_epi64(11, 10, 3, 2, 9, 8, 1, 0), blocks1 = _mm512_set_epi64(15, 14, 7, 6, 13, 12, 5, 4);
    __m512i const size = _mm512_set1_epi64(draw.size);
    std::uint32_t doubt = 0;
    for (std::uint32_t v = 0; v < vectors; ++v) {
        std::int64_t const step = 4 * std::int64_t{first + 8 * v};
        __m512i const range0 = _mm512_sub_epi64(_mm512_set1_epi64(std::int64_t{draw.size} - step), _mm512_slli_epi64(lane, 2));
        __m512i const range1 = _mm512_sub_epi64(range0, _mm512_set1_epi64(1)), range2 = _mm512_sub_epi64(range0, _mm512_set1_epi64(2));
        __m512i const range3 = _mm512_sub_epi64(range0, _mm512_set1_epi64(3));
        __m512i const p0 = _mm512_mul_epu32(c0[v], range0), p1 = _mm512_mul_epu32(c1[v], range1);
        __m512i const p2 = _mm512_mul_epu32(c2[v], range2), p3 = _mm512_mul_epu32(c3[v], range3);
        // Upper halves side by side: lane b holds steps 4b, 4b+1 and 4b+2, 4b+3; then into the order of steps.
        __m512i const front = _mm512_mask_blend_epi32(0xAAAA, _mm512_srli_epi64(p0, 32), p1);
        __m512i const back = _mm512_mask_blend_epi32(0xAAAA, _mm512_srli_epi64(p2, 32), p3);
        __m512i const even = _mm512_unpacklo_epi64(front, back), odd = _mm512_unpackhi_epi64(front, back);
        _mm512_storeu_si512(draws + 32 * v, _mm512_permutex2var_epi64(even, blocks0, odd));
        _mm512_storeu_si512(draws + 32 * v + 16, _mm512_permutex2var_epi64(even, blocks1, odd));
        // The least lower half of each block that counts, against the size, which no range exceeds.
        __m512i const least = _mm512_min_epu32(_mm512_min_epu32(p0, p1), _mm512_min_epu32(p2, p3));
        doubt |= _mm512_mask_cmplt_epu32_mask(lower_halves(count, v), least, size);
    }
    return doubt != 0;
}
#endif

using DrawChunk = bool (*)(Draws const&, std::uint32_t, std::uint32_t, std::uint32_t*);

DrawChunk best_draw_chunk() {
#ifdef TAILBACK_AVX512
    if (has_avx512()) return draw_chunk_avx512;
#endif
    return draw_chunk;
}

}  // namespace

bool has_avx512() {
#ifdef TAILBACK_AVX512
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

void Draws::draw(std::uint32_t step, std::uint32_t count, std::uint32_t* draws) const {
    static DrawChunk const best = best_draw_chunk();
    bool const doubtful = best(*this, step / 4, count, draws);
    PhiloxBlock words{};
    for (std::uint32_t i = doubtful ? step : step + count / 4 * 4; i < step + count; ++i) {
        if (i % 4 == 0) words = philox(i / 4, c1, c2, c3, seed);
        draws[i - step] = bounded_draw(words.word[i % 4], size - i, i, seed, stream, std::uint64_t{c3} << 32 | c2);
    }
}

void draw_targets_vectorised(std::uint64_t seed, Stream stream, std::uint64_t m, std::uint32_t size, std::uint32_t steps,
                             std::uint32_t* targets) {
    Draws const draws(seed, stream, m, size);
    for (std::uint32_t step = 0; step < steps; step += chunk) {
        std::uint32_t const count = std::min(steps - step, chunk);
        std::uint32_t drawn[chunk];
        draws.draw(step, count, drawn);
        for (std::uint32_t k = 0; k < count; ++k) targets[step + k] = step + k + drawn[k];
    }
}

}  // namespace tailback
