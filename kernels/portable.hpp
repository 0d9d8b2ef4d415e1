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
