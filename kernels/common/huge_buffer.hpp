// Memory for tables that are read at random: on huge pages where the system has them, so that a look-up costs one miss.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace tailback::kernels {

/// Wishes for huge pages under memory that is there already; nothing is lost when it is not granted.
#if defined(__linux__) && defined(MADV_HUGEPAGE)
inline void wish_for_huge_pages(void const* memory, std::size_t size) {
    constexpr std::uintptr_t page = std::uintptr_t{2} << 20;
    std::uintptr_t const first = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
    std::uintptr_t const last = (reinterpret_cast<std::uintptr_t>(memory) + size) / page * page;
    if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
}
#else
inline void wish_for_huge_pages(void const*, std::size_t) {}
#endif

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

/// Of lists that come to millions of items: on huge pages, so that new memory costs little. Items made without a value
/// are not written: who resizes a list writes all of them, in as many threads as it likes.
template <class Item>
struct LongListAllocator {
    static_assert(std::is_trivially_destructible_v<Item>);
    using value_type = Item;
    LongListAllocator() = default;
    template <class Other>
    LongListAllocator(LongListAllocator<Other> const&) {}

    static constexpr std::size_t page = std::size_t{2} << 20;
    static constexpr bool is_long(std::size_t count) { return count * sizeof(Item) >= page; }

    Item* allocate(std::size_t count) {
        if (!is_long(count)) return std::allocator<Item>().allocate(count);
        if (count > (SIZE_MAX - page) / sizeof(Item)) throw std::bad_alloc();
        void* const memory = std::aligned_alloc(page, (count * sizeof(Item) + page - 1) / page * page);
        if (memory == nullptr) throw std::bad_alloc();
        wish_for_huge_pages(memory, count * sizeof(Item));
        return static_cast<Item*>(memory);
    }
    void deallocate(Item* items, std::size_t count) {
        if (is_long(count)) std::free(items);
        else std::allocator<Item>().deallocate(items, count);
    }
    template <class Any>
    void construct(Any*) {}
    template <class Any, class... Values>
    void construct(Any* place, Values&&... values) {
        ::new (static_cast<void*>(place)) Any(std::forward<Values>(values)...);
    }
    bool operator==(LongListAllocator const&) const { return true; }
};

}  // namespace tailback::kernels
