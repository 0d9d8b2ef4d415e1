// What will be read soon is asked for now.
#pragma once

namespace tailback::kernels {

/// Into the first cache. Not __builtin_prefetch alone: g++ 12 takes functions that only prefetch for ones without
/// effect, and drops the call.
inline void prefetch(void const* place) {
#if defined(__x86_64__)
    asm volatile("prefetcht0 %0" : : "m"(*static_cast<char const*>(place)));
#else
    __builtin_prefetch(place);
#endif
}

/// As far as the second cache.
inline void prefetch_to_second_cache(void const* place) {
#if defined(__x86_64__)
    asm volatile("prefetcht1 %0" : : "m"(*static_cast<char const*>(place)));
#else
    __builtin_prefetch(place, 0, 2);
#endif
}

}  // namespace tailback::kernels
