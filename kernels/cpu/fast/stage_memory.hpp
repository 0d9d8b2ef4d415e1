// What a thread works on while it goes through the stages of a mapping: one piece of memory, on huge pages where there
// are some.
#pragma once

#include "kernels/cpu/huge_buffer.hpp"
#include "kernels/evaluate/problem.hpp"
#include "kernels/evaluate/scratch.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

namespace tailback::stages {

/// One thread's working memory.
template <class Row, class Seat>
class Scratch {
public:
    explicit Scratch(Problem const& p) {
        std::uint32_t const most = p.seats > p.ranks ? p.seats : p.ranks;
        std::size_t used = 0;
        auto take = [&]<class Item>(Item*& array, std::size_t count) {
            array = reinterpret_cast<Item*>(used);
            used += (count * sizeof(Item) + 63) / 64 * 64;
        };
        auto lay_out = [&] {
            take(counters, std::size_t{p.inner} + 4 + 7);
            take(seat_of_rank, most + 8);
            take(subset, p.draw_subset ? p.seats + 8 : 0);
            take(drawn[0], p.drawn_ranks[0] + 8);
            take(drawn[1], p.drawn_ranks[1] + 8);
            take(identity, most);
            take(order, most);
            take(rows, p.max_kept + 8);
            take(congestion, p.max_kept + 8);
            take(before, p.wants_delay ? p.ranks : 0);
            take(after, p.wants_delay ? p.ranks : 0);
            take(histogram, p.wants_histogram ? near_bins : 0);
        };
        lay_out();
        memory_ = HugeBuffer(used);
        std::memset(memory_.data(), 0, used);
        used = reinterpret_cast<std::uintptr_t>(memory_.data());
        lay_out();
        for (std::uint32_t i = 0; i < most; ++i) identity[i] = static_cast<Seat>(i);
    }

    std::uint16_t* counters;
    Seat *seat_of_rank, *subset, *drawn[2], *identity, *order;
    Row* rows;
    std::uint32_t* congestion;
    std::uint64_t *before, *after;
    std::uint32_t* histogram;
    std::vector<std::uint32_t> wide_counters;  ///< made when 16 bits did not suffice once

private:
    HugeBuffer memory_;
};

}  // namespace tailback::stages
