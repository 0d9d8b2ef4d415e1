// Philox on 32 blocks at once, round by round, so that a caller may do something else between rounds.
//
// Why so: with AVX-512 a state word lives in the lower half of a 64-bit lane: a product is one instruction, its upper half one
//        shift, and what lies above a word does no harm.
#pragma once

#include "kernels/cpu/avx512.hpp"
#include "kernels/cpu/team.hpp"

#include <algorithm>

#ifdef TAILBACK_AVX512
namespace tailback {

class PhiloxVectors {
public:
    static constexpr int rounds_left = 8;  ///< calls of round() before draws() can be asked

    /// Blocks first .. first + 31, with the first two rounds done: there half of the state is the same in all blocks.
    TAILBACK_AVX512_INLINE PhiloxVectors(Draws const& draw, std::uint32_t first)
        : size_(draw.size), first_(first), k0_(static_cast<std::uint32_t>(draw.seed)), k1_(static_cast<std::uint32_t>(draw.seed >> 32)) {
        std::uint64_t const p1 = std::uint64_t{0xCD9E8D57u} * draw.c2;
        std::uint32_t const same0 = static_cast<std::uint32_t>(p1 >> 32) ^ draw.c1 ^ k0_;
        std::uint32_t const same1 = static_cast<std::uint32_t>(p1);
        __m512i const key = _mm512_set1_epi64(draw.c3 ^ k1_);
        next_keys();
        std::uint64_t const p0 = std::uint64_t{0xD2511F53u} * same0;
        __m512i const next0 = _mm512_set1_epi64(same1 ^ k0_), next2 = _mm512_set1_epi64(static_cast<std::uint32_t>(p0 >> 32) ^ k1_);
        __m512i const next3 = _mm512_set1_epi64(static_cast<std::uint32_t>(p0));
        next_keys();
#pragma GCC unroll 4
        for (std::uint32_t v = 0; v < vectors; ++v) {
            __m512i const q0 = _mm512_mul_epu32(_mm512_add_epi64(lane(), _mm512_set1_epi64(first + 8 * v)), factor0());
            __m512i const q1 = _mm512_mul_epu32(_mm512_xor_si512(_mm512_srli_epi64(q0, 32), key), factor1());
            c0_[v] = _mm512_xor_si512(_mm512_srli_epi64(q1, 32), next0);
            c1_[v] = q1;
            c2_[v] = _mm512_xor_si512(next2, q0);
            c3_[v] = next3;
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

    /// The draws of the steps from 4 first on. @return true when one of the first `count`, in blocks that are whole, may be in the biased
    /// tail: its product's low half is below the range.
    TAILBACK_AVX512_INLINE bool draws(std::uint32_t count, std::uint32_t* to) const {
        // Upper halves side by side: block b's four in order.
        __m512i const upper = _mm512_set_epi32(31, 15, 29, 13, 27, 11, 25, 9, 23, 7, 21, 5, 19, 3, 17, 1);
        __m512i const lower_blocks = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0), upper_blocks = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
        __m512i smallest = _mm512_set1_epi64(-1);
#pragma GCC unroll 4
        for (std::uint32_t v = 0; v < vectors; ++v) {
            std::int64_t const step = 4 * std::int64_t{first_ + 8 * v};
            __m512i const range0 = _mm512_sub_epi64(_mm512_set1_epi64(std::int64_t{size_} - step), _mm512_slli_epi64(lane(), 2));
            __m512i const range1 = _mm512_sub_epi64(range0, _mm512_set1_epi64(1)), range2 = _mm512_sub_epi64(range0, _mm512_set1_epi64(2));
            __m512i const range3 = _mm512_sub_epi64(range0, _mm512_set1_epi64(3));
            __m512i const p0 = _mm512_mul_epu32(c0_[v], range0), p1 = _mm512_mul_epu32(c1_[v], range1);
            __m512i const p2 = _mm512_mul_epu32(c2_[v], range2), p3 = _mm512_mul_epu32(c3_[v], range3);
            __m512i const front = _mm512_permutex2var_epi32(p0, upper, p1), back = _mm512_permutex2var_epi32(p2, upper, p3);
            _mm512_storeu_si512(to + 32 * v, _mm512_permutex2var_epi64(front, lower_blocks, back));
            _mm512_storeu_si512(to + 32 * v + 16, _mm512_permutex2var_epi64(front, upper_blocks, back));
            __m512i const least = _mm512_min_epu32(_mm512_min_epu32(p0, p1), _mm512_min_epu32(p2, p3));
            smallest = _mm512_mask_min_epu32(smallest, lower_halves(count, v), smallest, least);
        }
        return _mm512_cmplt_epu32_mask(smallest, _mm512_set1_epi64(size_)) != 0;  // no range exceeds the size
    }

private:
    static constexpr std::uint32_t vectors = Draws::chunk / 32;

    TAILBACK_AVX512_INLINE static __m512i lane() { return _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0); }
    TAILBACK_AVX512_INLINE static __m512i factor0() { return _mm512_set1_epi64(0xD2511F53u); }
    TAILBACK_AVX512_INLINE static __m512i factor1() { return _mm512_set1_epi64(0xCD9E8D57u); }
    TAILBACK_AVX512_INLINE void next_keys() {
        k0_ += 0x9E3779B9u;
        k1_ += 0xBB67AE85u;
    }
    /// Mask of the lower halves of those lanes of vector v whose blocks have only steps among the first `count`.
    TAILBACK_AVX512_INLINE static __mmask16 lower_halves(std::uint32_t count, std::uint32_t v) {
        std::uint32_t const left = count > 32 * v ? count - 32 * v : 0, blocks = std::min(left / 4, 8u);
        return static_cast<__mmask16>(0x5555u & ((1u << 2 * blocks) - 1));
    }

    __m512i c0_[vectors], c1_[vectors], c2_[vectors], c3_[vectors];
    std::uint32_t size_, first_, k0_, k1_;
};

}  // namespace tailback
#endif
