#include "kernels/cpu/fast/vector_stages.hpp"

#include "kernels/cpu/fast/philox.hpp"
#include "kernels/cpu/fast/x86_vectors.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <utility>

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

/// Steps k .. k + 3 of a Fisher-Yates whose places from step 0 on are `rest`. @return the four final places, 16 bits
/// each.
inline std::uint64_t swap_four(std::uint16_t* rest, std::uint32_t k, std::uint32_t const* draws) {
    auto swap = [&](std::uint32_t step) -> std::uint64_t {
        std::uint16_t* const place = rest + step;  // so that the address takes no addition of its own
        return std::exchange(place[draws[step]], *place);
    };
    std::uint64_t four = swap(k);
    four |= swap(k + 1) << 16;
    four |= swap(k + 2) << 32;
    four |= swap(k + 3) << 48;
    return four;
}

/// The same, the four final places in the room of those steps.
inline void swap_four_in_place(std::uint16_t* rest, std::uint32_t k, std::uint32_t const* draws) {
    std::uint64_t const four = swap_four(rest, k, draws);
    std::memcpy(rest + k, &four, sizeof four);
    asm volatile("" : : : "memory");  // or g++ moves all rounds of draws between swaps together
}

#ifdef TAILBACK_AVX512
/// The draws of the chunk from step `first` on, and between their rounds the 128 swaps of another whose places begin at
/// `rest` and whose draws are `ready`. @return true when a draw may be in the biased tail.
TAILBACK_AVX512 bool draw_between_swaps(Draws const& draws, std::uint32_t first, std::uint32_t count,
                                        std::uint32_t* drawn, std::uint16_t* rest, std::uint32_t const* ready) {
    constexpr std::uint32_t swaps = Draws::chunk / PhiloxVectors::rounds_left;
    PhiloxVectors philox_vectors(draws, first / 4);
#pragma GCC unroll 8
    for (std::uint32_t round = 0; round < PhiloxVectors::rounds_left; ++round) {
        philox_vectors.round();
#pragma GCC unroll 4
        for (std::uint32_t k = swaps * round; k < swaps * (round + 1); k += 4) swap_four_in_place(rest, k, ready);
    }
    return philox_vectors.draws(count, drawn);
}

/// The same by AVX2, where a quarter of a chunk is drawn at once.
TAILBACK_AVX2 bool draw_between_swaps_avx2(Draws const& draws, std::uint32_t first, std::uint32_t count,
                                           std::uint32_t* drawn, std::uint16_t* rest, std::uint32_t const* ready) {
    constexpr std::uint32_t blocks = PhiloxEight::blocks;
    PhiloxStart const start(draws);
    bool doubtful = false;
    for (std::uint32_t block = 0; block < Draws::chunk / 4; block += blocks) {
        PhiloxEight eight(start, first / 4 + block);
#pragma GCC unroll 8
        for (std::uint32_t round = 0; round < PhiloxEight::rounds_left; ++round) {
            eight.round();
            static_assert(PhiloxEight::rounds_left * 4 == blocks * 4);
            swap_four_in_place(rest, 4 * (block + round), ready);
        }
        doubtful |= eight.draws(draws.size, count / 4 > block ? count / 4 - block : 0, drawn + 4 * block);
    }
    return doubtful;
}
#endif

using DrawBetweenSwaps = bool (*)(Draws const&, std::uint32_t, std::uint32_t, std::uint32_t*, std::uint16_t*,
                                  std::uint32_t const*);

/// Null where the machine has none of the two.
DrawBetweenSwaps best_draw_between_swaps() {
#ifdef TAILBACK_AVX512
    if (has_avx512()) return draw_between_swaps;
    if (has_avx2()) return draw_between_swaps_avx2;
#endif
    return nullptr;
}

}  // namespace

void draw_places(Draws const& draws, std::uint32_t steps, std::uint16_t const* identity, std::uint16_t* order,
                 std::uint16_t* places) {
    std::memcpy(order, identity, draws.size * sizeof *order);
    each_chunk(draws, steps, [&](std::uint32_t first, std::uint32_t count, std::uint32_t const* drawn) {
        std::uint32_t k = 0;
        for (; k + 4 <= count; k += 4) {
            std::uint64_t const four = swap_four(order + first, k, drawn);
            std::memcpy(places + first + k, &four, sizeof four);
        }
        for (; k < count; ++k) places[first + k] = std::exchange(order[first + k + drawn[k]], order[first + k]);
    });
}

void draw_places(Draws const& draws, std::uint32_t steps, std::uint32_t const* identity, std::uint32_t* order,
                 std::uint32_t* places) {
    std::memcpy(order, identity, draws.size * sizeof *order);
    each_chunk(draws, steps, [&](std::uint32_t first, std::uint32_t count, std::uint32_t const* draws_ahead) {
        std::uint32_t* const rest = order + first;
        for (std::uint32_t k = 0; k < count; ++k) places[first + k] = std::exchange(rest[k + draws_ahead[k]], rest[k]);
    });
}

void draw_places_in_turns(Draws const& draws, std::uint32_t steps, std::uint16_t const* identity,
                          std::uint16_t* places) {
    std::memcpy(places, identity, draws.size * sizeof *places);
    constexpr std::uint32_t chunk = Draws::chunk;
    std::uint32_t drawn[2][chunk], first = 0, now = 0;
    draws.draw(0, std::min(steps, chunk), drawn[0]);
    auto swap = [&](std::uint32_t k) { std::swap(places[first + k], places[first + k + drawn[now][k]]); };
    auto* const between_swaps = best_draw_between_swaps();
    for (; first + chunk < steps; first += chunk, now ^= 1) {
        std::uint32_t const next = first + chunk, count = std::min(steps - next, chunk);
        if (between_swaps != nullptr) {
            draws.settle(next, count, between_swaps(draws, next, count, drawn[now ^ 1], places + first, drawn[now]),
                         drawn[now ^ 1]);
        } else {
            draws.draw(next, count, drawn[now ^ 1]);
            for (std::uint32_t k = 0; k < chunk; ++k) swap(k);
        }
    }
    for (std::uint32_t k = 0; first + k < steps; ++k) swap(k);
}

#ifdef TAILBACK_AVX512
namespace {

/// Shares of congestions below 16 from two registers, of higher ones from memory.
class Shares {
public:
    TAILBACK_AVX512_INLINE Shares(std::uint64_t const* share, std::uint32_t max_congestion) : share_(share) {
        std::uint64_t near[16] = {};
        for (std::uint32_t c = 0; c < 16 && c <= max_congestion; ++c) near[c] = share[c];
        near0_ = _mm512_loadu_si512(near);
        near1_ = _mm512_loadu_si512(near + 8);
    }
    TAILBACK_AVX512_INLINE __m512i of(__m512i congestions) const {
        return _mm512_cmplt_epu64_mask(congestions, _mm512_set1_epi64(16)) == 0xFF
                   ? _mm512_permutex2var_epi64(near0_, congestions, near1_)
                   : _mm512_i64gather_epi64(congestions, share_, 8);
    }

private:
    std::uint64_t const* share_;
    __m512i near0_, near1_;
};

/// Eight rows at once. Counters are gathered as 32 bits, of which the lower half is meant: one counter more must be
/// readable.
TAILBACK_AVX512 ReadBack read_back_two_by_gathers(FlowsToRead const& flows) {
    Shares const shares(flows.share, flows.max_congestion);
    auto const* const rows = static_cast<std::uint32_t const*>(flows.rows);
    __m256i const half = _mm256_set1_epi32(0xFFFF), one = _mm256_set1_epi32(1);
    __m256i largest = _mm256_setzero_si256();
    __m512i sum = _mm512_setzero_si512();
    for (std::uint32_t f = 0; f < flows.count; f += 8) {
        __mmask8 const there = flows.count - f >= 8 ? 0xFF : static_cast<__mmask8>((1u << (flows.count - f)) - 1);
        __m256i const row = _mm256_maskz_loadu_epi32(there, rows + f);
        auto const* const counters = reinterpret_cast<int const*>(flows.counters);
        __m256i const even = _mm256_i32gather_epi32(counters, _mm256_and_si256(row, half), 2);
        __m256i const odd = _mm256_i32gather_epi32(counters, _mm256_srli_epi32(row, 16), 2);
        __m256i const floor = flows.floors == nullptr ? one : _mm256_maskz_loadu_epi32(there, flows.floors + f);
        __m256i const c = _mm256_maskz_max_epu32(there, _mm256_and_si256(_mm256_max_epu16(even, odd), half), floor);
        largest = _mm256_max_epu32(largest, c);
        sum = _mm512_add_epi64(sum, _mm512_maskz_mov_epi64(there, shares.of(_mm512_cvtepu32_epi64(c))));
        if (flows.congestion != nullptr) _mm256_mask_storeu_epi32(flows.congestion + f, there, c);
    }
    return {static_cast<std::uint64_t>(_mm512_reduce_add_epi64(sum)),
            static_cast<std::uint32_t>(_mm512_reduce_max_epu32(_mm512_zextsi256_si512(largest)))};
}

/// The same of rows of four.
TAILBACK_AVX512 ReadBack read_back_by_gathers(FlowsToRead const& flows) {
    Shares const shares(flows.share, flows.max_congestion);
    __m512i const half = _mm512_set1_epi32(0xFFFF), one = _mm512_set1_epi64(1), low = _mm512_set1_epi64(0xFFFFFFFF);
    __m512i largest = _mm512_setzero_si512(), sum = _mm512_setzero_si512();
    for (std::uint32_t f = 0; f < flows.count; f += 8) {
        __mmask8 const there = flows.count - f >= 8 ? 0xFF : static_cast<__mmask8>((1u << (flows.count - f)) - 1);
        __m512i const row = _mm512_maskz_loadu_epi64(there, static_cast<std::uint64_t const*>(flows.rows) + f);
        __m512i const even = _mm512_i32gather_epi32(_mm512_and_si512(row, half), flows.counters, 2);
        __m512i const odd = _mm512_i32gather_epi32(_mm512_srli_epi32(row, 16), flows.counters, 2);
        __m512i c = _mm512_and_si512(_mm512_max_epu16(even, odd), half);
        c = _mm512_and_si512(_mm512_max_epu32(c, _mm512_srli_epi64(c, 32)), low);
        __m512i const floor =
            flows.floors == nullptr ? one : _mm512_cvtepu32_epi64(_mm256_maskz_loadu_epi32(there, flows.floors + f));
        c = _mm512_maskz_max_epu64(there, c, floor);
        largest = _mm512_max_epu64(largest, c);
        sum = _mm512_add_epi64(sum, _mm512_maskz_mov_epi64(there, shares.of(c)));
        if (flows.congestion != nullptr)
            _mm256_mask_storeu_epi32(flows.congestion + f, there, _mm512_cvtepi64_epi32(c));
    }
    return {static_cast<std::uint64_t>(_mm512_reduce_add_epi64(sum)),
            static_cast<std::uint32_t>(_mm512_reduce_max_epu64(largest))};
}

/// Rows as words that slots are shifted out of.
template <class Word_, unsigned bits, unsigned slots_>
struct RowWords {
    using Word = Word_;
    static constexpr unsigned slot_bits = bits, slots = slots_, word_bits = 8 * sizeof(Word),
                              words = slots * bits / word_bits;
};
using TwoOf16 = RowWords<std::uint32_t, 16, 2>;
using FourOf16 = RowWords<std::uint64_t, 16, 4>;
using FourOf32 = RowWords<std::uint64_t, 32, 4>;

/// Largest counter of a row in the lowest 16 bits: each load brings eight counters, of which the first is meant.
template <class Rows>
TAILBACK_AVX2_INLINE __m128i largest_counter(typename Rows::Word const* row, std::uint16_t const* counters) {
    auto load = [&](unsigned k) TAILBACK_AVX2 {
        std::uint64_t const word = row[k * Rows::slot_bits / Rows::word_bits];
        std::uint64_t const slot =
            word >> (k * Rows::slot_bits % Rows::word_bits) & ((std::uint64_t{1} << Rows::slot_bits) - 1);
        return _mm_loadu_si128(reinterpret_cast<__m128i const*>(counters + slot));
    };
    if constexpr (Rows::slots == 2) return _mm_max_epu16(load(0), load(1));
    else return _mm_max_epu16(_mm_max_epu16(load(0), load(1)), _mm_max_epu16(load(2), load(3)));
}

/// Largest counters of eight rows, 16 bits each.
template <class Rows>
TAILBACK_AVX2_INLINE __m128i largest_counters(typename Rows::Word const* row, std::uint16_t const* counters) {
    auto pair = [&](std::uint32_t k) TAILBACK_AVX2 {
        return _mm_unpacklo_epi16(largest_counter<Rows>(row + k * Rows::words, counters),
                                  largest_counter<Rows>(row + (k + 1) * Rows::words, counters));
    };
    return _mm_unpacklo_epi64(_mm_unpacklo_epi32(pair(0), pair(2)), _mm_unpacklo_epi32(pair(4), pair(6)));
}

/// Row by row, where a gather takes longer than its loads. Seven counters more must be readable.
template <class Rows>
TAILBACK_AVX512 ReadBack read_back_by_loads(FlowsToRead const& flows) {
    constexpr std::uint32_t words = Rows::words;
    Shares const shares(flows.share, flows.max_congestion);
    __m256i const one = _mm256_set1_epi32(1);
    __m256i largest = _mm256_setzero_si256();
    __m512i sum = _mm512_setzero_si512();
    typename Rows::Word last[8 * words] = {};
    for (std::uint32_t f = 0; f < flows.count; f += 8) {
        std::uint32_t const left = std::min(flows.count - f, 8u);
        __mmask8 const there = static_cast<__mmask8>((1u << left) - 1);
        auto const* row = static_cast<typename Rows::Word const*>(flows.rows) + std::size_t{f} * words;
        if (left < 8) row = std::copy_n(row, left * words, last) - left * words;
        __m128i const eight = largest_counters<Rows>(row, flows.counters);
        __m256i const floor = flows.floors == nullptr ? one : _mm256_maskz_loadu_epi32(there, flows.floors + f);
        __m256i const c = _mm256_maskz_max_epu32(there, _mm256_cvtepu16_epi32(eight), floor);
        largest = _mm256_max_epu32(largest, c);
        sum = _mm512_add_epi64(sum, _mm512_maskz_mov_epi64(there, shares.of(_mm512_cvtepu32_epi64(c))));
        if (flows.congestion != nullptr) _mm256_mask_storeu_epi32(flows.congestion + f, there, c);
    }
    return {static_cast<std::uint64_t>(_mm512_reduce_add_epi64(sum)),
            static_cast<std::uint32_t>(_mm512_reduce_max_epu32(_mm512_zextsi256_si512(largest)))};
}

/// The same by AVX2: shares one by one.
template <class Rows>
TAILBACK_AVX2 ReadBack read_back_by_loads_avx2(FlowsToRead const& flows) {
    constexpr std::uint32_t words = Rows::words;
    ReadBack found;
    __m256i largest = _mm256_setzero_si256();
    std::uint64_t sums[2] = {};
    alignas(32) std::uint32_t c[8];
    typename Rows::Word last[8 * words] = {};
    std::uint32_t last_floors[8] = {};
    for (std::uint32_t f = 0; f < flows.count; f += 8) {
        std::uint32_t const left = std::min(flows.count - f, 8u);
        auto const* row = static_cast<typename Rows::Word const*>(flows.rows) + std::size_t{f} * words;
        std::uint32_t const* floors = flows.floors == nullptr ? nullptr : flows.floors + f;
        if (left < 8) {
            row = std::copy_n(row, left * words, last) - left * words;
            if (floors != nullptr) floors = std::copy_n(floors, left, last_floors) - left;
        }
        __m256i const floor =
            floors == nullptr ? _mm256_set1_epi32(1) : _mm256_loadu_si256(reinterpret_cast<__m256i const*>(floors));
        __m256i const eight =
            _mm256_max_epu32(_mm256_cvtepu16_epi32(largest_counters<Rows>(row, flows.counters)), floor);
        _mm256_store_si256(reinterpret_cast<__m256i*>(c), eight);
        if (left < 8) {
            for (std::uint32_t i = 0; i < left; ++i) {
                sums[0] += flows.share[c[i]];
                found.largest = std::max(found.largest, c[i]);
            }
        } else {
            for (std::uint32_t i = 0; i < 8; ++i) sums[i % 2] += flows.share[c[i]];
            largest = _mm256_max_epu32(largest, eight);
        }
        if (flows.congestion != nullptr) std::copy_n(c, left, flows.congestion + f);
    }
    _mm256_store_si256(reinterpret_cast<__m256i*>(c), largest);
    found.share_sum = sums[0] + sums[1];
    found.largest = std::max(found.largest, *std::max_element(c, c + 8));
    return found;
}

}  // namespace
#endif

ReadBack read_back_vectorised(ReadBackBy way, RowKind kind, FlowsToRead const& flows) {
#ifdef TAILBACK_AVX512
    auto const of = [&]<class Rows>() {
        return has_avx512() ? read_back_by_loads<Rows>(flows) : read_back_by_loads_avx2<Rows>(flows);
    };
    if (way == ReadBackBy::gathers && kind == RowKind::two16) return read_back_two_by_gathers(flows);
    if (way == ReadBackBy::gathers && kind == RowKind::four16) return read_back_by_gathers(flows);
    if (way == ReadBackBy::loads) {
        switch (kind) {
            case RowKind::two16: return of.template operator()<TwoOf16>();
            case RowKind::four16: return of.template operator()<FourOf16>();
            case RowKind::four32: return of.template operator()<FourOf32>();
        }
    }
#endif
    (void)way, (void)kind, (void)flows;
    throw std::logic_error("this machine has no such way to read counters back");
}

}  // namespace tailback::stages
