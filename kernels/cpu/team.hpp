// A team of one thread: every collective is the identity.
#pragma once

#include "kernels/common/permutation.hpp"

#include <atomic>
#include <cstdint>

namespace tailback {

/// The draws of one permutation, vectorised.
struct Draws {
    static constexpr std::uint32_t chunk = 128;

    Draws(std::uint64_t seed_, Stream stream_, std::uint64_t m, std::uint32_t size_)
        : seed(seed_),
          stream(stream_),
          c1(static_cast<std::uint32_t>(stream_) << 24),
          c2(static_cast<std::uint32_t>(m)),
          c3(static_cast<std::uint32_t>(m >> 32)),
          size(size_) {}
    /// draws[k] = draw(step + k) for k < count; `step` is a multiple of 4, and there is room for `chunk` draws.
    void draw(std::uint32_t step, std::uint32_t count, std::uint32_t* draws) const;
    /// Draws one by one what vectors leave open: a block that is not whole, and all of a chunk with a doubtful draw.
    void settle(std::uint32_t step, std::uint32_t count, bool doubtful, std::uint32_t* draws) const;

    std::uint64_t const seed;
    Stream const stream;
    std::uint32_t const c1, c2, c3, size;  ///< counter words; size of the permutation
};

/// Vectorised twin of draw_permutation's draws: targets[i] = i + draw(i) for i < steps.
void draw_targets_vectorised(std::uint64_t seed, Stream stream, std::uint64_t m, std::uint32_t size,
                             std::uint32_t steps, std::uint32_t* targets);

struct CpuTeam {
    static constexpr bool keeps_routes = true;
    static constexpr bool skips_padding = false;

    struct Range {
        struct Iterator {
            std::uint32_t at;
            std::uint32_t operator*() const { return at; }
            Iterator& operator++() { return ++at, *this; }
            bool operator!=(Iterator other) const { return at != other.at; }
        };
        std::uint32_t count;
        Iterator begin() const { return {0}; }
        Iterator end() const { return {count}; }
    };

    Range each(std::uint32_t n) { return {n}; }
    void sync(char const*) {}
    template <class T>
    void add(T& cell, T amount) {
        cell = static_cast<T>(cell + amount);
    }
    std::uint32_t fetch_add(std::uint32_t& cell, std::uint32_t amount) {
        std::uint32_t const before = cell;
        cell += amount;
        return before;
    }
    /// Other teams may set bits of the same cell.
    void set_bits(std::uint32_t& cell, std::uint32_t bits) {
        std::atomic_ref<std::uint32_t> const shared(cell);
        if ((shared.load(std::memory_order_relaxed) & bits) != bits) shared.fetch_or(bits, std::memory_order_relaxed);
    }
    void add_total(std::uint64_t& cell, std::uint64_t amount) { cell += amount; }
    void raise(std::uint64_t& cell, std::uint64_t to) { cell = to > cell ? to : cell; }
    template <class T>
    void clear(T& cell) {
        cell = 0;
    }
    std::uint64_t sum(std::uint64_t x, char const* = nullptr) { return x; }
    std::uint64_t max(std::uint64_t x, char const* = nullptr) { return x; }
    /// Not __builtin_prefetch alone: g++ 12 takes functions that only prefetch for ones without effect, and drops the
    /// call.
    void expect(void const* route) {
#if defined(__x86_64__)
        asm volatile("prefetcht0 %0" : : "m"(*static_cast<char const*>(route)));
#else
        __builtin_prefetch(route);
#endif
    }
    /// The same, as far as the second cache.
    static void expect_in_second_cache(void const* row) {
#if defined(__x86_64__)
        asm volatile("prefetcht1 %0" : : "m"(*static_cast<char const*>(row)));
#else
        __builtin_prefetch(row, 0, 2);
#endif
    }
    bool leads() const { return true; }
    void draw_targets(std::uint64_t seed, Stream stream, std::uint64_t m, std::uint32_t size, std::uint32_t steps,
                      std::uint32_t* targets) {
        draw_targets_vectorised(seed, stream, m, size, steps, targets);
    }
};

}  // namespace tailback
