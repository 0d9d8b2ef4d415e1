// Memory for tables that are read at random: on huge pages where the system has them, so that a look-up costs one miss.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tailback::kernels {

/// Wishes for huge pages under memory that is there already; nothing is lost when it is not granted.
inline void wish_for_huge_pages(void const* memory, std::size_t size) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
    std::uintptr_t const first = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
    std::uintptr_t const last = (reinterpret_cast<std::uintptr_t>(memory) + size) / page * page;
    if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#else
    (void)memory, (void)size;
#endif
}

/// Bytes that never move; contents undefined until written.
class HugeBuffer {
public:
    HugeBuffer() = default;
    /// @throws std::bad_alloc
    explicit HugeBuffer(std::size_t size) : size_(size) {
        if (size == 0) return;
        constexpr std::size_t page = std::size_t{2} << 20;
        std::size_t const alignment = size >= page ? page : 64;
        memory_.reset(
            static_cast<std::byte*>(std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment)));
        if (!memory_) throw std::bad_alloc();
        wish_for_huge_pages(memory_.get(), size);
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

}  // namespace tailback::kernels
