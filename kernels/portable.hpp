// The words kernel code needs to be compiled for both executors: TAILBACK_HD for what the host calls too,
// TAILBACK_KERNEL for bodies that run inside a team only, TAILBACK_APART for those that stay functions of their own (one
// copy instead of one a kernel).
#pragma once

#if defined(__CUDACC__)
#define TAILBACK_HD __host__ __device__ __forceinline__
#define TAILBACK_KERNEL __device__ __forceinline__
#define TAILBACK_APART __device__ __noinline__
#else
#define TAILBACK_HD inline __attribute__((always_inline))
#define TAILBACK_KERNEL inline __attribute__((always_inline))
#define TAILBACK_APART inline
#endif

#include <cstdint>

namespace tailback {

/// The upper half of a 64 x 64-bit product.
TAILBACK_HD std::uint64_t high_product(std::uint64_t a, std::uint64_t b) {
#if defined(__CUDA_ARCH__)
    return __umul64hi(a, b);
#else
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<Wide>(a) * b >> 64);
#endif
}

}  // namespace tailback
