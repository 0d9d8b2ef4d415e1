// OpenMP where there is one; a build without it runs in one thread.
#pragma once

#ifdef _OPENMP
#include <omp.h>
#endif

namespace tailback {

/// The number of the calling thread in its team, from 0.
inline int this_thread() {
#ifdef _OPENMP
    return omp_get_thread_num();
#else
    return 0;
#endif
}

}  // namespace tailback
