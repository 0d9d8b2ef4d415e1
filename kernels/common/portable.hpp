// The words kernel code needs to be compiled for both executors: TAILBACK_HD for what the host calls too,
// TAILBACK_KERNEL for bodies that run inside a team only, TAILBACK_APART for those that stay functions of their own
// (one copy instead of one a kernel). With TAILBACK_CALLS they all stay functions: sooner compiled, for tests.
#pragma once

#if defined(__CUDACC__)
#define TAILBACK_HD __host__ __device__ __forceinline__
#define TAILBACK_KERNEL __device__ __forceinline__
#define TAILBACK_APART inline __device__ __noinline__
#elif defined(TAILBACK_CALLS)
#define TAILBACK_HD inline
#define TAILBACK_KERNEL inline
#define TAILBACK_APART inline
#else
#define TAILBACK_HD inline __attribute__((always_inline))
#define TAILBACK_KERNEL inline __attribute__((always_inline))
#define TAILBACK_APART inline
#endif

// Before a short loop. ROLLED: it is to stay one, as unrolled what it reads ahead would hold registers. UNROLLED: it is
// to go, as what it reads by its index would lie on a stack.
#if defined(__CUDACC__)
#define TAILBACK_ROLLED _Pragma("unroll 1")
#define TAILBACK_UNROLLED _Pragma("unroll")
#else
#define TAILBACK_ROLLED
#define TAILBACK_UNROLLED
#endif

#include <bit>
#include <cstdint>

namespace tailback::kernels {

/// Both halves of a 32 x 32-bit product.
struct WideProduct {
    std::uint32_t low, high;
};

#if defined(__CUDA_ARCH__)
TAILBACK_HD std::uint32_t bit_width(std::uint64_t x) {
    return 64u - static_cast<std::uint32_t>(__clzll(static_cast<long long>(x)));
}
TAILBACK_HD std::uint64_t high_product(std::uint64_t a, std::uint64_t b) { return __umul64hi(a, b); }
#else
/// Bits that a number has, 0 for 0. std::bit_width will not do in kernels: nvcc takes the compiler's built-in functions
/// behind it for undefined and makes anything of them, without a word.
TAILBACK_HD std::uint32_t bit_width(std::uint64_t x) { return static_cast<std::uint32_t>(std::bit_width(x)); }
/// The upper half of a 64 x 64-bit product.
TAILBACK_HD std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<Wide>(a) * b >> 64);
}
#endif

#if defined(__CUDACC__) && defined(__CUDA_ARCH__)
/// nvcc's compiler makes more instructions of a 64-bit number's halves than there need be.
TAILBACK_HD WideProduct wide_product(std::uint32_t a, std::uint32_t b) {
    WideProduct product;
    asm("{ .reg .b64 whole; mul.wide.u32 whole, %2, %3; mov.b64 {%0, %1}, whole; }"
        : "=r"(product.low), "=r"(product.high)
        : "r"(a), "r"(b));
    return product;
}
TAILBACK_HD std::uint32_t unknown(std::uint32_t x) {
    asm volatile("" : "+r"(x));
    return x;
}
#else
TAILBACK_HD WideProduct wide_product(std::uint32_t a, std::uint32_t b) {
    std::uint64_t const whole = std::uint64_t{a} * b;
    return {static_cast<std::uint32_t>(whole), static_cast<std::uint32_t>(whole >> 32)};
}
/// x, of which nvcc does not know that it is: what is reckoned from it is reckoned anew, and holds no registers before.
TAILBACK_HD std::uint32_t unknown(std::uint32_t x) { return x; }
#endif
TAILBACK_HD std::uint64_t unknown(std::uint64_t x) {
    return std::uint64_t{unknown(static_cast<std::uint32_t>(x >> 32))} << 32 | unknown(static_cast<std::uint32_t>(x));
}

}  // namespace tailback::kernels
