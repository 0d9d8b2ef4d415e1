// The one word kernel bodies need to be compiled for both executors.
#pragma once

#if defined(__CUDACC__)
#define TAILBACK_HD __host__ __device__ __forceinline__
#else
#define TAILBACK_HD inline __attribute__((always_inline))
#endif
