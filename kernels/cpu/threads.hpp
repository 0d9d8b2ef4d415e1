// Threads of the CPU: how many to use, and which one is asking. A build without OpenMP runs its loops in one thread.
#pragma once

#include <algorithm>
#include <thread>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace tailback::kernels {

/// `wanted`, or one for every core when that is 0.
inline unsigned threads_to_use(unsigned wanted) {
    return wanted != 0 ? wanted : std::max(1u, std::thread::hardware_concurrency());
}

/// The number of the calling thread in its OpenMP team, from 0.
inline int this_thread() {
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

}  // namespace tailback::kernels
