// The stages that pay for instructions of their own.
#include "kernels/cpu_stages.hpp"

#include <cstring>
#include <utility>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"  // g++ 12 warns of its own header
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#define TAILBACK_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#endif

namespace tailback::stages {
namespace {

/// Draws a chunk ahead of the swaps: a core does the products of the one while it waits for the stores of the other.
template <class Swap>
void each_chunk(Draws const& draws, std::uint32_t steps, Swap&& swap_chunk) {
    constexpr std::uint32_t chunk = Draws::chunk;
    std::uint32_t drawn[2][chunk];
    draws.draw(0, std::min(steps, chunk), drawn[0]);
    for (std::uint32_t step = 0, now = 0; step < steps; step += chunk, now ^= 1) {
        if (step + chunk < steps) draws.draw(step + chunk, std::min(steps - step - chunk, chunk), drawn[now ^ 1]);
        swap_chunk(step, std::min(steps - step, chunk), drawn[now]);
    }
}

}  // namespace

void draw_places(Draws const& draws, std::uint32_t steps, std::uint16_t const* identity, std::uint16_t* order, std::uint16_t* places) {
    std::memcpy(order, identity, draws.size * sizeof *order);
    each_chunk(draws, steps, [&](std::uint32_t first, std::uint32_t count, std::uint32_t const* draws_ahead) {
        std::uint16_t* const rest = order + first;
        auto swap = [&](std::uint32_t k) -> std::uint64_t {
            std::uint16_t& other = rest[k + draws_ahead[k]];
            return std::exchange(other, rest[k]);
        };
        std::uint32_t k = 0;
        for (; k + 4 <= count; k += 4) {
            std::uint64_t four = swap(k);
            four |= swap(k + 1) << 16;
            four |= swap(k + 2) << 32;
            four |= swap(k + 3) << 48;
            std::memcpy(places + first + k, &four, sizeof four);
        }
        for (; k < count; ++k) places[first + k] = static_cast<std::uint16_t>(swap(k));
    });
}

void draw_places(Draws const& draws, std::uint32_t steps, std::uint32_t const* identity, std::uint32_t* order, std::uint32_t* places) {
    std::memcpy(order, identity, draws.size * sizeof *order);
    each_chunk(draws, steps, [&](std::uint32_t first, std::uint32_t count, std::uint32_t const* draws_ahead) {
        std::uint32_t* const rest = order + first;
        for (std::uint32_t k = 0; k < count; ++k) places[first + k] = std::exchange(rest[k + draws_ahead[k]], rest[k]);
    });
}

#ifdef TAILBACK_AVX512
namespace {

/// Eight rows at once. Counters are gathered as 32 bits, of which the lower half is meant: one counter more must be readable.
TAILBACK_AVX512 void read_back_eight(std::uint64_t const* rows, std::uint32_t flows, std::uint16_t const* counters,
                                     std::uint32_t const* floors, std::uint64_t const* share, std::uint64_t const (&near_share)[16],
                                     std::uint32_t* congestion, ReadBack& found) {
    __m512i const half = _mm512_set1_epi32(0xFFFF), one = _mm512_set1_epi64(1), low = _mm512_set1_epi64(0xFFFFFFFF);
    __m512i const near0 = _mm512_loadu_si512(near_share), near1 = _mm512_loadu_si512(near_share + 8);
    __m512i largest = _mm512_setzero_si512(), sum = _mm512_setzero_si512();
    for (std::uint32_t f = 0; f < flows; f += 8) {
        __mmask8 const there = flows - f >= 8 ? 0xFF : static_cast<__mmask8>((1u << (flows - f)) - 1);
        __m512i const row = _mm512_maskz_loadu_epi64(there, rows + f);
        __m512i const even = _mm512_i32gather_epi32(_mm512_and_si512(row, half), counters, 2);
        __m512i const odd = _mm512_i32gather_epi32(_mm512_srli_epi32(row, 16), counters, 2);
        __m512i c = _mm512_and_si512(_mm512_max_epu16(even, odd), half);
        c = _mm512_and_si512(_mm512_max_epu32(c, _mm512_srli_epi64(c, 32)), low);
        __m512i const floor = floors == nullptr ? one : _mm512_cvtepu32_epi64(_mm256_maskz_loadu_epi32(there, floors + f));
        c = _mm512_maskz_max_epu64(there, c, floor);
        largest = _mm512_max_epu64(largest, c);
        __m512i const shares = _mm512_cmplt_epu64_mask(c, _mm512_set1_epi64(16)) == 0xFF
                                   ? _mm512_permutex2var_epi64(near0, c, near1)
                                   : _mm512_i64gather_epi64(c, share, 8);
        sum = _mm512_add_epi64(sum, _mm512_maskz_mov_epi64(there, shares));
        if (congestion != nullptr) _mm256_mask_storeu_epi32(congestion + f, there, _mm512_cvtepi64_epi32(c));
    }
    found.share_sum = static_cast<std::uint64_t>(_mm512_reduce_add_epi64(sum));
    found.largest = static_cast<std::uint32_t>(_mm512_reduce_max_epu64(largest));
}

}  // namespace
#endif

bool read_back_vectorised(std::uint64_t const* rows16, std::uint32_t flows, std::uint16_t const* counters, std::uint32_t const* floors,
                          std::uint64_t const* share, std::uint32_t max_congestion, std::uint32_t* congestion, ReadBack& found) {
#ifdef TAILBACK_AVX512
    static bool const can = has_avx512();
    if (!can) return false;
    std::uint64_t near_share[16] = {};
    for (std::uint32_t c = 0; c < 16 && c <= max_congestion; ++c) near_share[c] = share[c];
    read_back_eight(rows16, flows, counters, floors, share, near_share, congestion, found);
    return true;
#else
    (void)rows16, (void)flows, (void)counters, (void)floors, (void)share, (void)max_congestion, (void)congestion, (void)found;
    return false;
#endif
}

}  // namespace tailback::stages
