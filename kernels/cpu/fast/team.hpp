// A team of one thread: every collective is the identity.
#pragma once

#include "kernels/common/permutation.hpp"
#include "kernels/cpu/fast/permutation_draws.hpp"

#include <atomic>
#include <cstdint>

namespace tailback::kernels {

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
    template <class T>
    void raise(T& cell, T to) {
        cell = to > cell ? to : cell;
    }
    template <class T>
    void clear(T& cell) {
        cell = 0;
    }
    std::uint64_t sum(std::uint64_t x, char const* = nullptr) { return x; }
    std::uint64_t max(std::uint64_t x, char const* = nullptr) { return x; }
    template <std::size_t n>
    void sum_each(std::uint64_t (&)[n]) {}
    bool leads() const { return true; }
    void draw_targets(std::uint64_t seed, Stream stream, std::uint64_t m, std::uint32_t size, std::uint32_t steps,
                      std::uint32_t* targets) {
        draw_targets_vectorised(seed, stream, m, size, steps, targets);
    }
};

}  // namespace tailback::kernels
