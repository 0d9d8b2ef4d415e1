// The working memory of one team for one mapping. Where it lies (cache, shared memory, global memory) is the executor's
// business.
#pragma once

#include "kernels/common/array_layout.hpp"
#include "kernels/common/permutation.hpp"
#include "kernels/common/portable.hpp"
#include "kernels/evaluate/counters.hpp"
#include "kernels/evaluate/problem.hpp"

#include <cstddef>

namespace tailback::kernels {

/// Congestions, and numbers of links, below this are first counted in the team's own small histogram.
inline constexpr std::uint32_t near_bins = 64;

/// What a team's scratch has to hold.
struct ScratchLayout {
    bool keeps = false;         ///< found routes
    std::uint32_t members = 0;  ///< of a TeamOfMany; 0: one that draws all targets at once
    std::uint32_t claims = 0;   ///< cells, where they draw permutations by claims
    std::uint32_t packing = 0;  ///< of PackedCounters
    bool counts = true;         ///< counters lie in it
    bool places = true;         ///< so do places of ranks, drawn by this team
};

/// Counter: an integer type, or a view of counters. Kept: what Routes keeps of a found route. HostWord: an integer that
/// every seat and rank fits.
template <class Counter, class Kept, class HostWord = std::uint32_t>
struct Scratch {
    using Counters = typename CountersOf<Counter>::Type;
    HostWord* host_index_of_rank;
    HostWord* subset;  ///< drawn subset, or null
    std::uint32_t* targets;
    HostWord* drawn[2];     ///< the pattern's random permutations
    Counters counters;      ///< by slot
    std::uint64_t* before;  ///< delays, by rank
    std::uint64_t* after;
    std::uint32_t* near_histogram;
    std::uint32_t* near_lengths;  ///< as near_histogram, of routes' links
    Kept* kept;                   ///< null when the team finds routes again

    /// drawn[k] without an index known only at run time, which would keep all pointers in a GPU's local memory.
    TAILBACK_KERNEL HostWord* permutation(std::uint32_t k) const { return k == 0 ? drawn[0] : drawn[1]; }

    /// Lays the arrays out from `base` (16-byte aligned) on; null base only measures. Arrays that lie elsewhere are
    /// left alone. Returns the bytes needed.
    TAILBACK_HD std::size_t lay_out(Problem const& p, std::byte* base, ScratchLayout const& layout) {
        ArrayLayout arrays(base);
        std::uint32_t const most =
            p.placement.study_hosts > p.placement.ranks ? p.placement.study_hosts : p.placement.ranks;
        if constexpr (requires { Counters::at(base, 0u); }) {
            std::uint32_t const count = p.measures.count_host_links ? p.routes.slots : p.routes.inner + 4;
            if (layout.counts)
                counters = Counters::at(arrays.take_bytes(Counters::bytes(count, layout.packing)), layout.packing);
        }
        if (layout.places) {
            arrays.take(host_index_of_rank, p.placement.ranks + 4);
            arrays.take(targets, layout.members == 0 ? most + 4 : target_words(layout.members, layout.claims));
            arrays.take(subset, p.placement.draw_subset ? p.placement.study_hosts : 0);
            arrays.take(drawn[0], p.traffic.drawn_ranks[0]);
            arrays.take(drawn[1], p.traffic.drawn_ranks[1]);
        }
        arrays.take(before, p.measures.wants_delay ? p.placement.ranks : 0);
        arrays.take(after, p.measures.wants_delay ? p.placement.ranks : 0);
        arrays.take(near_histogram, p.measures.wants_histogram ? near_bins : 0);
        arrays.take(near_lengths, p.measures.wants_route_links ? near_bins : 0);
        arrays.take(kept, layout.keeps ? p.traffic.max_kept : 0);
        return arrays.used();
    }
    TAILBACK_HD std::size_t lay_out(Problem const& p, std::byte* base, bool keeps) {
        ScratchLayout layout;
        layout.keeps = keeps;
        return lay_out(p, base, layout);
    }
};

}  // namespace tailback::kernels
