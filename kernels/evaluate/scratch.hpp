// The working memory of one team for one mapping. Where it lies (cache, shared memory, global memory) is the executor's
// business.
#pragma once

#include "kernels/common/array_layout.hpp"
#include "kernels/common/permutation.hpp"
#include "kernels/common/portable.hpp"
#include "kernels/evaluate/counters.hpp"
#include "kernels/evaluate/problem.hpp"

#include <cstddef>
#include <type_traits>

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
    bool borrows = false;       ///< places are drawn where counters lie, which are zero again when they count
};

/// Of a mapping's flows with weights, beside what all studies want; zero between mappings.
struct SumsApart {
    std::uint64_t route_links = 0, hop_weight = 0, flow_weight = 0, within_nodes = 0;  ///< as in MappingTally
    TAILBACK_HD void move_to(MappingTally& tally) {
        tally.route_links = route_links, tally.hop_weight = hop_weight;
        tally.flow_weight = flow_weight, tally.within_nodes = within_nodes;
        *this = {};
    }
};

/// Where a scratch's arrays begin, in bytes from its first: of a kernel that were to reckon it itself they would take
/// registers.
struct ScratchPlaces {
    std::uint32_t counters = 0, host_index_of_rank = 0, targets = 0, subset = 0, drawn[2] = {}, before = 0, after = 0,
                  near_histogram = 0, near_lengths = 0, apart = 0, kept = 0;
    std::size_t bytes = 0;  ///< of all
};

/// Counter: an integer type, or a view of counters. Kept: what Routes keeps of a found route. HostWord: an integer that
/// every seat and rank fits.
template <class Counter, class Kept, class HostWord = std::uint32_t>
struct Scratch {
    using Counters = typename CountersOf<Counter>::Type;
    /// Teams with places of 16 bits may lie in a GPU's shared memory, where the larger of two words of 64 bits is a
    /// loop that compares and swaps. Needs: narrow_delays(problem).
    using Delay = std::conditional_t<sizeof(HostWord) == 2, std::uint32_t, std::uint64_t>;
    HostWord* host_index_of_rank;
    HostWord* subset;  ///< drawn subset, or null
    std::uint32_t* targets;
    HostWord* drawn[2];  ///< the pattern's random permutations
    Counters counters;   ///< by slot
    Delay* before;       ///< delays, by rank
    Delay* after;
    std::uint32_t* near_histogram;
    std::uint32_t* near_lengths;  ///< as near_histogram, of routes' links
    SumsApart* apart;             ///< of the block's member that leads; null where they are not wanted
    Kept* kept;                   ///< null when the team finds routes again
    /// Between mappings `subset` is 0, 1, 2, ..: then drawing ranks' hosts costs what ranks do, however many hosts
    /// there are.
    bool subset_is_whole = false;
    std::uint32_t borrowed = 0;  ///< words of the counters that drawing takes: to be cleared then

    /// drawn[k] without an index known only at run time, which would keep all pointers in a GPU's local memory.
    TAILBACK_KERNEL HostWord* permutation(std::uint32_t k) const { return k == 0 ? drawn[0] : drawn[1]; }

    static TAILBACK_HD bool wants_sums_apart(Problem const& p) {
        return p.traffic.weights != nullptr && (p.measures.wants_route_links || p.placement.nodes.node != nullptr);
    }

    static TAILBACK_HD std::uint32_t borrowed_by(ScratchLayout const& layout) {
        return layout.borrows ? target_words(layout.members, layout.claims) : 0;
    }

    /// Makes `subset` whole, once. By all members; drawing the ranks' order has the barrier that this needs.
    template <class Team>
    TAILBACK_KERNEL void fill_subset(Team& team, Problem const& p) {
        if (!p.placement.draw_subset) return;
        for (std::uint32_t const i : team.each(p.placement.study_hosts)) subset[i] = static_cast<HostWord>(i);
        subset_is_whole = true;
    }

    /// Lays the arrays out from `base` (16-byte aligned) on; null base only measures. Arrays that lie elsewhere are
    /// left alone. Returns the bytes needed.
    TAILBACK_HD std::size_t lay_out(Problem const& p, std::byte* base, ScratchLayout const& layout) {
        ArrayLayout arrays(base);
        std::uint32_t const most =
            p.placement.study_hosts > p.placement.ranks ? p.placement.study_hosts : p.placement.ranks;
        if constexpr (requires { Counters::at(base, 0u); }) {
            std::uint32_t const count = p.measures.count_host_links ? p.routes.slots : p.routes.inner + 4;
            if (layout.counts) {
                borrowed = borrowed_by(layout);
                std::size_t const own = Counters::bytes(count, layout.packing), lent = borrowed * sizeof(std::uint32_t);
                std::byte* const first = arrays.take_bytes(own > lent ? own : lent);
                counters = Counters::at(first, layout.packing);
                if (layout.borrows) targets = reinterpret_cast<std::uint32_t*>(first);
            }
        }
        if (layout.places) {
            arrays.take(host_index_of_rank, p.placement.ranks + 4);
            if (borrowed == 0)
                arrays.take(targets, layout.members == 0 ? most + 4 : target_words(layout.members, layout.claims));
            arrays.take(subset, p.placement.draw_subset ? p.placement.study_hosts : 0);
            arrays.take(drawn[0], p.traffic.drawn_ranks[0]);
            arrays.take(drawn[1], p.traffic.drawn_ranks[1]);
        }
        arrays.take(before, passes_delays(p) ? p.placement.ranks : 0);
        arrays.take(after, passes_delays(p) ? p.placement.ranks : 0);
        arrays.take(near_histogram, p.measures.wants_histogram ? near_bins : 0);
        arrays.take(near_lengths, p.measures.wants_route_links ? near_bins : 0);
        arrays.take(apart, wants_sums_apart(p) ? 1 : 0);
        arrays.take(kept, layout.keeps ? p.traffic.max_kept : 0);
        return arrays.used();
    }
    /// Where `lay_out` puts them. Of counters that `layout` has not: 0.
    static ScratchPlaces places(Problem const& p, ScratchLayout const& layout) {
        Scratch s{};
        auto* const base = reinterpret_cast<std::byte*>(std::uintptr_t{1} << 32);  // nothing is read or written there
        auto const at = [&](void const* array) {
            return array == nullptr ? 0 : static_cast<std::uint32_t>(static_cast<std::byte const*>(array) - base);
        };
        ScratchPlaces found;
        found.bytes = s.lay_out(p, base, layout);
        found.host_index_of_rank = at(s.host_index_of_rank), found.targets = at(s.targets);
        found.subset = at(s.subset), found.drawn[0] = at(s.drawn[0]), found.drawn[1] = at(s.drawn[1]);
        found.before = at(s.before), found.after = at(s.after), found.kept = at(s.kept);
        found.apart = at(s.apart);
        found.near_histogram = at(s.near_histogram), found.near_lengths = at(s.near_lengths);
        return found;
    }
    /// Lays them out from `base` on as `places` says.
    TAILBACK_HD void lie_at(std::byte* base, ScratchPlaces const& places, ScratchLayout const& layout) {
        auto const take = [&]<class Item>(Item*& array, std::uint32_t at) {
            array = reinterpret_cast<Item*>(base + at);
        };
        if constexpr (requires { Counters::at(base, 0u); })
            if (layout.counts) {
                counters = Counters::at(base + places.counters, layout.packing);
                borrowed = borrowed_by(layout);
            }
        if (layout.places) {
            take(host_index_of_rank, places.host_index_of_rank);
            take(targets, places.targets);
            take(subset, places.subset);
            take(drawn[0], places.drawn[0]);
            take(drawn[1], places.drawn[1]);
        }
        take(before, places.before);
        take(after, places.after);
        take(near_histogram, places.near_histogram);
        take(near_lengths, places.near_lengths);
        apart = places.apart == 0 ? nullptr : reinterpret_cast<SumsApart*>(base + places.apart);
        take(kept, places.kept);
    }
    TAILBACK_HD std::size_t lay_out(Problem const& p, std::byte* base, bool keeps) {
        ScratchLayout layout;
        layout.keeps = keeps;
        return lay_out(p, base, layout);
    }
};

}  // namespace tailback::kernels
