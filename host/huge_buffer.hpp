// Memory for tables that are read at random: on huge pages where the system has them, so that a look-up costs one miss.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tailback {

/// Bytes that never move; contents undefined until written.
class HugeBuffer {
public:
    HugeBuffer() = default;
    /// @throws std::bad_alloc
    explicit HugeBuffer(std::size_t size) : size_(size) {
        if (size == 0) return;
        constexpr std::size_t page = std::size_t{2} << 20;
        std::size_t const alignment = size >= page ? page : 64;
        memory_.reset(static_cast<std::byte*>(std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)));
        if (!memory_) throw std::bad_alloc();
#if defined(__linux__) && defined(MADV_HUGEPAGE)
        if (size >= page) madvise(memory_.get(), size, MADV_HUGEPAGE);  // a wish: nothing is lost when it is not granted
#endif
    }
    std::byte* data() { return memory_.get(); }
    std::byte const* data() const { return memory_.get(); }
    std::size_t size() const { return size_; }

private:
    struct Free {
        void operator()(std::byte* p) const { std::free(p); }
    };
    std::unique_ptr<std::byte, Free> memory_;
    std::size_t size_ = 0;
};

}  // namespace tailback
