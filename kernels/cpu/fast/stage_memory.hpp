// What a thread works on while it goes through the stages of a mapping: one piece of memory, on huge pages where there
// are some.
#pragma once

#include "kernels/common/huge_buffer.hpp"
#include "kernels/cpu/fast/row_links.hpp"
#include "kernels/evaluate/problem.hpp"
#include "kernels/evaluate/scratch.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

namespace tailback::kernels::stages {

/// Must host links be counted mapping by mapping? Else their loads are known from the pattern.
inline bool counts_host_links(Problem const& p) {
    return p.measures.count_host_links && (p.routes.cost != nullptr || !p.routes.all_delivered);
}

/// One thread's working memory.
template <class HostWord>
class Scratch {
public:
    /// @param splits whether flows may take two rows.
    Scratch(Problem const& p, std::size_t row_bytes, bool splits) {
        std::uint32_t const most =
            p.placement.study_hosts > p.placement.ranks ? p.placement.study_hosts : p.placement.ranks;
        std::uint32_t const flows = p.traffic.max_kept + 8;
        std::size_t const most_rows = std::size_t{flows} * (splits ? 2 : 1);
        bool const by_flow = passes_delays(p) || p.measures.wants_histogram;
        bool const hosts = counts_host_links(p);
        std::size_t used = 0;
        auto take = [&]<class Item>(Item*& array, std::size_t count) {
            array = reinterpret_cast<Item*>(used);
            used += (count * sizeof(Item) + 63) / 64 * 64;
        };
        auto lay_out = [&] {
            take(counters, std::size_t{p.routes.inner} + padding_counters + readable_counters);
            take(host_index_of_rank, most + 8);
            take(subset, p.placement.draw_subset ? p.placement.study_hosts + 8 : 0);
            take(drawn[0], p.traffic.drawn_ranks[0] + 8);
            take(drawn[1], p.traffic.drawn_ranks[1] + 8);
            take(identity, most);
            take(rows, most_rows * row_bytes);
            take(absent, flows);
            take(split, splits ? flows : 0);
            take(congestion, by_flow ? flows : 0);
            take(lengths, p.measures.wants_route_links ? most_rows : 0);
            take(min_congestions, hosts ? flows : 0);
            take(host_loads, hosts ? 2 * std::size_t{p.placement.study_hosts} : 0);
            take(before, passes_delays(p) ? p.placement.ranks : 0);
            take(after, passes_delays(p) ? p.placement.ranks : 0);
            take(histogram, p.measures.wants_histogram ? near_bins : 0);
        };
        lay_out();
        memory_ = HugeBuffer(used);
        std::memset(memory_.data(), 0, used);
        used = reinterpret_cast<std::uintptr_t>(memory_.data());
        lay_out();
        for (std::uint32_t i = 0; i < most; ++i) identity[i] = static_cast<HostWord>(i);
        if (p.placement.draw_subset) std::copy_n(identity, p.placement.study_hosts, subset);
    }

    std::uint16_t* counters;
    HostWord *host_index_of_rank, *subset, *drawn[2], *identity;
    std::byte* rows;
    std::uint32_t *absent, *split, *congestion, *lengths, *min_congestions, *host_loads;
    std::uint64_t *before, *after;
    std::uint32_t* histogram;
    std::vector<std::uint32_t> wide_counters;  ///< made when 16 bits did not suffice once

private:
    HugeBuffer memory_;
};

}  // namespace tailback::kernels::stages
