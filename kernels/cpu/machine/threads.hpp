// Threads of the CPU: how many to use, and which one is asking. A build without OpenMP runs its loops in one thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <optional>
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
#ifdef _OPENMP
inline int this_thread() { return omp_get_thread_num(); }
#else
inline int this_thread() { return 0; }
#endif

/// The first exception of a parallel region: none may leave it, or the program ends there. What fails in one thread
/// keeps all from going on; `rethrow` behind the region throws it.
class FirstFailure {
public:
    /// Calls run(), unless something has failed.
    template <class Run>
    void hold(Run&& run) {
        if (failed_.load(std::memory_order_relaxed)) return;
        try {
            run();
        } catch (...) {
            std::lock_guard const lock(noting_);
            if (!failed_.exchange(true)) first_ = std::current_exception();
        }
    }
    /// What make() gives; none where it fails, or something has: `hold` runs nothing then.
    template <class Make>
    auto made(Make&& make) -> std::optional<decltype(make())> {
        std::optional<decltype(make())> value;
        hold([&] { value.emplace(make()); });
        return value;
    }
    /// @throws what was thrown first.
    void rethrow() const {
        if (first_) std::rethrow_exception(first_);
    }

private:
    std::atomic<bool> failed_ = false;
    std::mutex noting_;
    std::exception_ptr first_;
};

/// Calls work() in so many threads at once; 0 = as many as a parallel region has. @throws what is thrown first.
template <class Work>
void in_threads(unsigned threads, Work&& work) {
    FirstFailure failed;
    if (threads == 0) {
#pragma omp parallel
        failed.hold(work);
    } else {
#pragma omp parallel num_threads(static_cast <int>(threads))
        failed.hold(work);
    }
    failed.rethrow();
}

/// The next of 0 .. count-1 that no thread has: in a loop, `for (std::size_t i; next.take(i);)`.
class NextOf {
public:
    explicit NextOf(std::size_t count, std::size_t at_once = 1) : count_(count), at_once_(at_once) {}
    /// False when there is none left. With `at_once` i .. i + at_once - 1 are taken, as far as they go.
    bool take(std::size_t& i) {
        i = next_.fetch_add(at_once_, std::memory_order_relaxed);
        return i < count_;
    }

private:
    std::size_t const count_, at_once_;
    std::atomic<std::size_t> next_ = 0;
};

}  // namespace tailback::kernels
