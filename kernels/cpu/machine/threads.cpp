// OpenMP's library ends the program where the system refuses a thread: what it can have is found out before.
#include "kernels/cpu/machine/threads.hpp"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <vector>

namespace tailback::kernels {
namespace {

std::atomic<unsigned> limit{0};

/// Of regions that do not say how many they want.
#ifdef _OPENMP
int default_threads() { return omp_get_max_threads(); }
void set_default_threads(int threads) { omp_set_num_threads(threads); }
#else
int default_threads() { return 1; }
void set_default_threads(int) {}
#endif

}  // namespace

ThreadLimit::ThreadLimit(unsigned most) : before_(limit), default_before_(default_threads()) {
    limit = most;
    if (most != 0) set_default_threads(static_cast<int>(most));
}

ThreadLimit::~ThreadLimit() {
    limit = before_;
    set_default_threads(default_before_);
}

unsigned ThreadLimit::now() { return limit; }

unsigned granted_threads(unsigned wanted) {
    std::mutex mutex;
    std::condition_variable changed;
    bool over = false;
    std::vector<std::thread> others;  // all at once, as in a team
    unsigned granted = 1;
    try {
        others.reserve(wanted);
        for (; granted < wanted; ++granted)
            others.emplace_back([&] {
                std::unique_lock lock(mutex);
                changed.wait(lock, [&] { return over; });
            });
    } catch (std::system_error const&) {  // no more of them
    }
    {
        std::lock_guard const lock(mutex);
        over = true;
    }
    changed.notify_all();
    for (std::thread& other : others) other.join();
    return granted;
}

}  // namespace tailback::kernels
