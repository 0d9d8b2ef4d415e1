// Philox on 32 blocks at once (AVX-512) or 8 (AVX2), round by round, so that a caller may do something else between
// rounds.
//
// Why so: a state word lives in the lower half of a 64-bit lane: a product is one instruction, its upper half one
// shift, and what
//        lies above a word does no harm. As many blocks at once as registers hold.
#pragma once

#include "kernels/cpu/fast/permutation_draws.hpp"
#include "kernels/cpu/machine/x86_vectors.hpp"

#include <algorithm>

#ifdef TAILBACK_AVX512
namespace tailback::kernels {

/// What the first two rounds make of all blocks of a permutation alike: there half of the state does not depend on the
/// block.
struct PhiloxStart {
    static constexpr std::uint32_t factor0 = 0xD2511F53u, factor1 = 0xCD9E8D57u, step0 = 0x9E3779B9u,
                                   step1 = 0xBB67AE85u;
    static constexpr int rounds_left = 8;

    explicit PhiloxStart(PermutationDraws const& draw) {
        auto k0 = static_cast<std::uint32_t>(draw.seed), k1 = static_cast<std::uint32_t>(draw.seed >> 32);
        std::uint64_t const p1 = std::uint64_t{factor1} * draw.c2,
                            p0 = std::uint64_t{factor0} * (static_cast<std::uint32_t>(p1 >> 32) ^ draw.c1 ^ k0);
        key = draw.c3 ^ k1;
        k0 += step0;
        k1 += step1;
        next0 = static_cast<std::uint32_t>(p1) ^ k0;
        next2 = static_cast<std::uint32_t>(p0 >> 32) ^ k1;
        next3 = static_cast<std::uint32_t>(p0);
        key0 = k0 + step0;
        key1 = k1 + step1;
    }
    std::uint32_t key;                  ///< q0 = block * factor0, q1 = (upper half of q0 ^ key) * factor1
    std::uint32_t next0, next2, next3;  ///< state: upper half of q1 ^ next0, q1, q0 ^ next2, next3
    std::uint32_t key0, key1;           ///< of the third round
};

/// The blocks of a chunk at once.
class PhiloxVectors {
public:
    static constexpr int rounds_left = PhiloxStart::rounds_left;  ///< calls of round() before draws() can be asked

    /// Blocks first .. first + 31, with the first two rounds done.
    TAILBACK_AVX512_INLINE PhiloxVectors(PermutationDraws const& draw, std::uint32_t first)
        : size_(draw.size), first_(first) {
        PhiloxStart const start(draw);
        k0_ = start.key0;
        k1_ = start.key1;
#pragma GCC unroll 4
        for (std::uint32_t v = 0; v < vectors; ++v) {
            __m512i const q0 = _mm512_mul_epu32(_mm512_add_epi64(lane(), _mm512_set1_epi64(first + 8 * v)), factor0());
            __m512i const q1 =
                _mm512_mul_epu32(_mm512_xor_si512(_mm512_srli_epi64(q0, 32), _mm512_set1_epi64(start.key)), factor1());
            c0_[v] = _mm512_xor_si512(_mm512_srli_epi64(q1, 32), _mm512_set1_epi64(start.next0));
            c1_[v] = q1;
            c2_[v] = _mm512_xor_si512(_mm512_set1_epi64(start.next2), q0);
            c3_[v] = _mm512_set1_epi64(start.next3);
        }
    }

    TAILBACK_AVX512_INLINE void round() {
        __m512i const key0 = _mm512_set1_epi64(k0_), key1 = _mm512_set1_epi64(k1_);
        next_keys();
#pragma GCC unroll 4
        for (std::uint32_t v = 0; v < vectors; ++v) {
            __m512i const p0 = _mm512_mul_epu32(c0_[v], factor0()), p1 = _mm512_mul_epu32(c2_[v], factor1());
            c0_[v] = _mm512_ternarylogic_epi64(_mm512_srli_epi64(p1, 32), c1_[v], key0, 0x96);  // a ^ b ^ c
            c1_[v] = p1;
            c2_[v] = _mm512_ternarylogic_epi64(_mm512_srli_epi64(p0, 32), c3_[v], key1, 0x96);
            c3_[v] = p0;
        }
    }

    /// The draws of the steps from 4 first on. @return true when one of the first `count`, in blocks that are whole,
    /// may be in the biased tail: its product's low half is below the range.
    TAILBACK_AVX512_INLINE bool draws(std::uint32_t count, std::uint32_t* to) const {
        // Upper halves side by side: block b's four in order.
        __m512i const upper = _mm512_set_epi32(31, 15, 29, 13, 27, 11, 25, 9, 23, 7, 21, 5, 19, 3, 17, 1);
        __m512i const lower_blocks = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0),
                      upper_blocks = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
        __m512i smallest = _mm512_set1_epi64(-1);
#pragma GCC unroll 4
        for (std::uint32_t v = 0; v < vectors; ++v) {
            std::int64_t const step = 4 * std::int64_t{first_ + 8 * v};
            __m512i const range0 =
                _mm512_sub_epi64(_mm512_set1_epi64(std::int64_t{size_} - step), _mm512_slli_epi64(lane(), 2));
            __m512i const range1 = _mm512_sub_epi64(range0, _mm512_set1_epi64(1)),
                          range2 = _mm512_sub_epi64(range0, _mm512_set1_epi64(2));
            __m512i const range3 = _mm512_sub_epi64(range0, _mm512_set1_epi64(3));
            __m512i const p0 = _mm512_mul_epu32(c0_[v], range0), p1 = _mm512_mul_epu32(c1_[v], range1);
            __m512i const p2 = _mm512_mul_epu32(c2_[v], range2), p3 = _mm512_mul_epu32(c3_[v], range3);
            __m512i const front = _mm512_permutex2var_epi32(p0, upper, p1),
                          back = _mm512_permutex2var_epi32(p2, upper, p3);
            _mm512_storeu_si512(to + 32 * v, _mm512_permutex2var_epi64(front, lower_blocks, back));
            _mm512_storeu_si512(to + 32 * v + 16, _mm512_permutex2var_epi64(front, upper_blocks, back));
            __m512i const least = _mm512_min_epu32(_mm512_min_epu32(p0, p1), _mm512_min_epu32(p2, p3));
            smallest = _mm512_mask_min_epu32(smallest, lower_halves(count, v), smallest, least);
        }
        return _mm512_cmplt_epu32_mask(smallest, _mm512_set1_epi64(size_)) != 0;  // no range exceeds the size
    }

private:
    static constexpr std::uint32_t vectors = PermutationDraws::chunk / 32;

    TAILBACK_AVX512_INLINE static __m512i lane() { return _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0); }
    TAILBACK_AVX512_INLINE static __m512i factor0() { return _mm512_set1_epi64(PhiloxStart::factor0); }
    TAILBACK_AVX512_INLINE static __m512i factor1() { return _mm512_set1_epi64(PhiloxStart::factor1); }
    TAILBACK_AVX512_INLINE void next_keys() {
        k0_ += PhiloxStart::step0;
        k1_ += PhiloxStart::step1;
    }
    /// Mask of the lower halves of those lanes of vector v whose blocks have only steps among the first `count`.
    TAILBACK_AVX512_INLINE static __mmask16 lower_halves(std::uint32_t count, std::uint32_t v) {
        std::uint32_t const left = count > 32 * v ? count - 32 * v : 0, blocks = std::min(left / 4, 8u);
        return static_cast<__mmask16>(0x5555u & ((1u << 2 * blocks) - 1));
    }

    __m512i c0_[vectors], c1_[vectors], c2_[vectors], c3_[vectors];
    std::uint32_t size_, first_, k0_, k1_;
};

/// Eight blocks, as many as the registers of AVX2 hold.
class PhiloxEight {
public:
    static constexpr std::uint32_t blocks = 8;
    static constexpr int rounds_left = PhiloxStart::rounds_left;

    TAILBACK_AVX2_INLINE PhiloxEight(PhiloxStart const& start, std::uint32_t first)
        : first_(first), k0_(start.key0), k1_(start.key1) {
#pragma GCC unroll 2
        for (std::uint32_t v = 0; v < vectors; ++v) {
            __m256i const q0 = _mm256_mul_epu32(_mm256_add_epi64(lane(), _mm256_set1_epi64x(first + 4 * v)), factor0());
            __m256i const q1 =
                _mm256_mul_epu32(_mm256_xor_si256(_mm256_srli_epi64(q0, 32), _mm256_set1_epi64x(start.key)), factor1());
            c0_[v] = _mm256_xor_si256(_mm256_srli_epi64(q1, 32), _mm256_set1_epi64x(start.next0));
            c1_[v] = q1;
            c2_[v] = _mm256_xor_si256(_mm256_set1_epi64x(start.next2), q0);
            c3_[v] = _mm256_set1_epi64x(start.next3);
        }
    }
    TAILBACK_AVX2_INLINE void round() {
        __m256i const key0 = _mm256_set1_epi64x(k0_), key1 = _mm256_set1_epi64x(k1_);
        k0_ += PhiloxStart::step0;
        k1_ += PhiloxStart::step1;
#pragma GCC unroll 2
        for (std::uint32_t v = 0; v < vectors; ++v) {
            __m256i const p0 = _mm256_mul_epu32(c0_[v], factor0()), p1 = _mm256_mul_epu32(c2_[v], factor1());
            c0_[v] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p1, 32), c1_[v]), key0);
            c1_[v] = p1;
            c2_[v] = _mm256_xor_si256(_mm256_xor_si256(_mm256_srli_epi64(p0, 32), c3_[v]), key1);
            c3_[v] = p0;
        }
    }
    /// The draws of the steps from 4 first on, of a permutation of `size`. @return true when one of the first
    /// `whole_blocks` may be in the biased tail.
    TAILBACK_AVX2_INLINE bool draws(std::uint32_t size, std::uint32_t whole_blocks, std::uint32_t* to) const {
        __m256i smallest = _mm256_set1_epi64x(-1);
#pragma GCC unroll 2
        for (std::uint32_t v = 0; v < vectors; ++v) {
            __m256i const block = _mm256_add_epi64(lane(), _mm256_set1_epi64x(4 * v));
            __m256i const range0 = _mm256_sub_epi64(_mm256_set1_epi64x(std::int64_t{size} - 4 * std::int64_t{first_}),
                                                    _mm256_slli_epi64(block, 2));
            __m256i const p0 = _mm256_mul_epu32(c0_[v], range0),
                          p1 = _mm256_mul_epu32(c1_[v], _mm256_sub_epi64(range0, _mm256_set1_epi64x(1)));
            __m256i const p2 = _mm256_mul_epu32(c2_[v], _mm256_sub_epi64(range0, _mm256_set1_epi64x(2)));
            __m256i const p3 = _mm256_mul_epu32(c3_[v], _mm256_sub_epi64(range0, _mm256_set1_epi64x(3)));
            // Upper halves side by side: block b's four in order.
            __m256i const front = _mm256_blend_epi32(_mm256_srli_epi64(p0, 32), p1, 0xAA),
                          back = _mm256_blend_epi32(_mm256_srli_epi64(p2, 32), p3, 0xAA);
            __m256i const even = _mm256_unpacklo_epi64(front, back), odd = _mm256_unpackhi_epi64(front, back);
            auto* const four_blocks = reinterpret_cast<__m256i*>(to + 16 * v);
            _mm256_storeu_si256(four_blocks, _mm256_permute2x128_si256(even, odd, 0x20));
            _mm256_storeu_si256(four_blocks + 1, _mm256_permute2x128_si256(even, odd, 0x31));
            __m256i const least = _mm256_min_epu32(_mm256_min_epu32(p0, p1), _mm256_min_epu32(p2, p3));
            __m256i const is_whole = _mm256_cmpgt_epi64(_mm256_set1_epi64x(whole_blocks), block);
            smallest =
                _mm256_min_epu32(smallest, _mm256_or_si256(least, _mm256_xor_si256(is_whole, _mm256_set1_epi64x(-1))));
        }
        __m256i const limit = _mm256_set1_epi64x(size),
                      low = _mm256_set1_epi64x(0xFFFFFFFF);  // no range exceeds the size
        __m256i const enough = _mm256_cmpeq_epi32(_mm256_max_epu32(smallest, limit), smallest);
        return _mm256_testc_si256(enough, low) == 0;
    }

private:
    static constexpr std::uint32_t vectors = blocks / 4;

    TAILBACK_AVX2_INLINE static __m256i lane() { return _mm256_set_epi64x(3, 2, 1, 0); }
    TAILBACK_AVX2_INLINE static __m256i factor0() { return _mm256_set1_epi64x(PhiloxStart::factor0); }
    TAILBACK_AVX2_INLINE static __m256i factor1() { return _mm256_set1_epi64x(PhiloxStart::factor1); }

    __m256i c0_[vectors], c1_[vectors], c2_[vectors], c3_[vectors];
    std::uint32_t first_, k0_, k1_;
};

}  // namespace tailback::kernels
#endif
