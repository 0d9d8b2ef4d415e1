// AVX-512 and AVX2 in functions of their own: compiled in where the compiler can, called where
// kernels/cpu/machine/isa.hpp says so.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wuninitialized"  // g++ 12 warns of its own header, wherever that is inlined
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <immintrin.h>
#define TAILBACK_AVX512 __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#define TAILBACK_AVX512_INLINE TAILBACK_AVX512 inline __attribute__((always_inline))
#define TAILBACK_AVX2 __attribute__((target("avx2")))
#define TAILBACK_AVX2_INLINE TAILBACK_AVX2 inline __attribute__((always_inline))
#endif
