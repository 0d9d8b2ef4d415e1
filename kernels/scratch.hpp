// The working memory of one team for one mapping. Where it lies (cache, shared memory, global memory) is the executor's business.
#pragma once

#include "kernels/portable.hpp"
#include "kernels/problem.hpp"

#include <cstddef>

namespace tailback {

/// Congestions below this are first counted in the team's own small histogram.
inline constexpr std::uint32_t near_bins = 64;

/// Counter: how wide a link's load is counted. Kept: what Routes keeps of a found route.
template <class Counter, class Kept>
struct Scratch {
    std::uint32_t* seat_of_rank;
    std::uint32_t* subset;        ///< drawn subset, or null
    std::uint32_t* targets;
    std::uint32_t* drawn[2];      ///< the pattern's random permutations
    Counter* counters;            ///< by slot
    std::uint64_t* before;        ///< delays, by rank
    std::uint64_t* after;
    std::uint32_t* near_histogram;
    Kept* kept;                   ///< null when the team finds routes again

    /// Lays the arrays out from `base` (16-byte aligned) on; null base only measures.
    /// Returns the bytes needed.
    TAILBACK_HD std::size_t lay_out(Problem const& p, std::byte* base, bool keeps) {
        std::size_t used = 0;
        auto take = [&](auto*& array, std::size_t count) {
            using Item = std::remove_reference_t<decltype(*array)>;
            array = count == 0 ? nullptr : reinterpret_cast<Item*>(base + used);
            used += (count * sizeof(Item) + 15) / 16 * 16;
        };
        std::uint32_t const most = p.seats > p.ranks ? p.seats : p.ranks;
        take(counters, p.count_host_links ? p.slots : p.inner + 4);
        take(seat_of_rank, p.ranks + 4);
        take(targets, most + 4);
        take(subset, p.draw_subset ? p.seats : 0);
        take(drawn[0], p.drawn_ranks[0]);
        take(drawn[1], p.drawn_ranks[1]);
        take(before, p.wants_delay ? p.ranks : 0);
        take(after, p.wants_delay ? p.ranks : 0);
        take(near_histogram, p.wants_histogram ? near_bins : 0);
        take(kept, keeps ? p.max_kept : 0);
        return used;
    }
};

}  // namespace tailback
