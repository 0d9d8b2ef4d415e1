// What will be read soon is asked for now.
#pragma once

namespace tailback::kernels {

// prefetch: into the first cache; prefetch_to_second_cache: as far as the second.
#if defined(__x86_64__)
// Not __builtin_prefetch: g++ 12 takes functions that only prefetch for ones without effect, and drops the call.
inline void prefetch(void const* place) { asm volatile("prefetcht0 %0" : : "m"(*static_cast<char const*>(place))); }
inline void prefetch_to_second_cache(void const* place) {
    asm volatile("prefetcht1 %0" : : "m"(*static_cast<char const*>(place)));
}
#else
inline void prefetch(void const* place) { __builtin_prefetch(place); }
inline void prefetch_to_second_cache(void const* place) { __builtin_prefetch(place, 0, 2); }
#endif

}  // namespace tailback::kernels
