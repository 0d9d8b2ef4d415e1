// Threads of the CPU: how many to use, and which one is asking. A build without OpenMP runs its loops in one thread.
#pragma once

#include <algorithm>
#include <thread>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace tailback::kernels {

/// While it lives, no parallel region has more threads than this, whatever it asks for.
class ThreadLimit {
public:
    explicit ThreadLimit(unsigned most);
    ~ThreadLimit();
    ThreadLimit(ThreadLimit const&) = delete;
    ThreadLimit& operator=(ThreadLimit const&) = delete;

    /// 0 = there is none.
    static unsigned now();

private:
    unsigned before_;
    int default_before_;
};

/// How many of `wanted` threads the system grants at the moment; at least 1, the caller's own.
unsigned granted_threads(unsigned wanted);

/// `wanted`, or one for every core when that is 0; never more than the limit.
inline unsigned threads_to_use(unsigned wanted) {
    unsigned const asked = wanted != 0 ? wanted : std::max(1u, std::thread::hardware_concurrency());
    return ThreadLimit::now() == 0 ? asked : std::min(asked, ThreadLimit::now());
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
