// Work that somebody no longer wants: long loops ask now and then, and end.
#pragma once

#include <atomic>
#include <exception>

#ifdef _OPENMP
#include <omp.h>
#endif

namespace tailback::kernels {

#ifdef _OPENMP
inline bool in_parallel_region() { return omp_in_parallel() != 0; }
#else
inline bool in_parallel_region() { return false; }
#endif

/// What work throws that has heeded a wish to stop.
class Stopped final : public std::exception {
public:
    char const* what() const noexcept override { return "stopped"; }
};

/// Somebody's wish that the work of a thread may end. Taken before the work is shared between threads, which have none
/// of their own; loops skip what is left when it is asked, and `heed` throws when they are over.
class StopWish {
public:
    /// Of the calling thread. None inside a parallel region, which no exception may leave.
    static StopWish now() { return StopWish(in_parallel_region() ? nullptr : of_thread()); }

    /// Of the calling thread, in a parallel region, too: for work whose exceptions are held (FirstFailure).
    static StopWish held() { return StopWish(of_thread()); }

    bool asked() const { return wish_ != nullptr && wish_->load(std::memory_order_relaxed); }
    /// @throws Stopped when it is asked.
    void heed() const {
        if (asked()) throw Stopped();
    }

    /// While it lives, this is the wish of the calling thread.
    class Scope {
    public:
        explicit Scope(std::atomic<bool> const& wish) : before_(of_thread()) { of_thread() = &wish; }
        ~Scope() { of_thread() = before_; }
        Scope(Scope const&) = delete;
        Scope& operator=(Scope const&) = delete;

        /// The same wish, for a thread that shares the work.
        explicit Scope(StopWish const& wish) : before_(of_thread()) { of_thread() = wish.wish_; }

    private:
        std::atomic<bool> const* before_;
    };

private:
    explicit StopWish(std::atomic<bool> const* wish) : wish_(wish) {}
    static std::atomic<bool> const*& of_thread() {
        static thread_local std::atomic<bool> const* wish = nullptr;
        return wish;
    }

    std::atomic<bool> const* wish_;
};

}  // namespace tailback::kernels
