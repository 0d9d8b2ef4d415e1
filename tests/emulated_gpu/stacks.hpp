// Memory for the stacks of the emulated device's threads.
#pragma once

#include <boost/context/stack_context.hpp>

#include <sys/mman.h>

#include <cstddef>
#include <mutex>
#include <new>
#include <vector>

namespace emulated_gpu {

/// Stacks with a page below each that cannot be touched. They are kept for the next threads. They begin at different
/// places of their last page: from the same ones they would push each other out of the caches.
class Stacks {
public:
    boost::context::stack_context allocate() {
        std::lock_guard const lock(mutex());
        boost::context::stack_context stack;
        stack.size = bytes;
        if (kept().empty()) {
            void* const pages = mmap(nullptr, guard + bytes + guard, PROT_READ | PROT_WRITE,
                                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
            if (pages == MAP_FAILED) throw std::bad_alloc();
            mprotect(pages, guard, PROT_NONE);
            stack.sp = static_cast<std::byte*>(pages) + guard + bytes + made()++ * apart % guard;
        } else {
            stack.sp = kept().back();
            kept().pop_back();
        }
        return stack;
    }
    void deallocate(boost::context::stack_context& stack) noexcept {
        std::lock_guard const lock(mutex());
        kept().push_back(stack.sp);
    }

private:
    static constexpr std::size_t bytes = 128 << 10, guard = 4 << 10, apart = 9 * 64;
    static std::size_t& made() {
        static std::size_t count = 0;
        return count;
    }
    static std::mutex& mutex() {
        static std::mutex one;
        return one;
    }
    static std::vector<void*>& kept() {
        static std::vector<void*> all;
        return all;
    }
};

}  // namespace emulated_gpu
