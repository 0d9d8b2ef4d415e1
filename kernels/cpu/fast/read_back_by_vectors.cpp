#include "kernels/cpu/fast/slot_rows.hpp"
#include "kernels/cpu/machine/isa.hpp"
#include "kernels/cpu/machine/x86_vectors.hpp"

#include <algorithm>
#include <stdexcept>
#include <type_traits>

namespace tailback::kernels::stages {
#ifdef TAILBACK_AVX512
namespace {

using Flows = FlowsToRead<std::uint16_t>;

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

/// Rows as words that slots are shifted out of.
template <class LinkWord, unsigned width>
struct RowWords {
    using Word = std::conditional_t<sizeof(LinkWord) * width == 4, std::uint32_t, std::uint64_t>;
    static constexpr unsigned link_index_bits = 8 * sizeof(LinkWord), slots = width, word_bits = 8 * sizeof(Word),
                              words = slots * link_index_bits / word_bits;
};

/// Largest counter of a row in the lowest 16 bits: each load brings eight counters, of which the first is meant.
template <class Rows>
TAILBACK_AVX2_INLINE __m128i largest_counter(typename Rows::Word const* row, std::uint16_t const* counters) {
    auto load = [&](unsigned k) TAILBACK_AVX2 {
        std::uint64_t const word = row[k * Rows::link_index_bits / Rows::word_bits];
        std::uint64_t const slot =
            word >> (k * Rows::link_index_bits % Rows::word_bits) & ((std::uint64_t{1} << Rows::link_index_bits) - 1);
        return _mm_loadu_si128(reinterpret_cast<__m128i const*>(counters + slot));
    };
    __m128i even = load(0), odd = load(1);
#pragma GCC unroll 16
    for (unsigned k = 2; k < Rows::slots; k += 2) {
        even = _mm_max_epu16(even, load(k));
        odd = _mm_max_epu16(odd, load(k + 1));
    }
    return _mm_max_epu16(even, odd);
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
TAILBACK_AVX512 ReadBack read_back_by_loads(Flows const& flows) {
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
        __m256i const floor =
            flows.min_congestions == nullptr ? one : _mm256_maskz_loadu_epi32(there, flows.min_congestions + f);
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
TAILBACK_AVX2 ReadBack read_back_by_loads_avx2(Flows const& flows) {
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
        std::uint32_t const* min_congestions = flows.min_congestions == nullptr ? nullptr : flows.min_congestions + f;
        if (left < 8) {
            row = std::copy_n(row, left * words, last) - left * words;
            if (min_congestions != nullptr) min_congestions = std::copy_n(min_congestions, left, last_floors) - left;
        }
        __m256i const floor = min_congestions == nullptr
                                  ? _mm256_set1_epi32(1)
                                  : _mm256_loadu_si256(reinterpret_cast<__m256i const*>(min_congestions));
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

ReadBack read_back_by_vectors(RowKind kind, FlowsToRead<std::uint16_t> const& flows) {
    return with_kind(kind, [&]<class LinkWord, std::uint32_t width>() {
        using Rows = RowWords<LinkWord, width>;
        return has_avx512() ? read_back_by_loads<Rows>(flows) : read_back_by_loads_avx2<Rows>(flows);
    });
}
#else
ReadBack read_back_by_vectors(RowKind, FlowsToRead<std::uint16_t> const&) {
    throw std::logic_error("this machine has no vectors to read counters back by");
}
#endif

}  // namespace tailback::kernels::stages
