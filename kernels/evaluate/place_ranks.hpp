// Which host every rank of a mapping runs on, and the permutations of its random patterns.
#pragma once

#include "kernels/common/permutation.hpp"
#include "kernels/evaluate/problem.hpp"
#include "kernels/evaluate/scratch.hpp"

#include <type_traits>

namespace tailback::kernels::kernel {

/// Puts ranks on the hosts of a drawn subset. `makes_whole`: then undoes what drawing has done to it. Of places beyond
/// the first `ranks`, steps aimed at those whose own hosts were drawn, and at no others.
template <class Team, class HostWord>
TAILBACK_KERNEL void settle_subset(Team& team, std::uint32_t ranks, HostWord* host_of_rank, HostWord* subset,
                                   bool makes_whole) {
    // Drawing ends in order, and what was not drawn is this member's own.
    for (std::uint32_t const r : team.each(ranks)) host_of_rank[r] = subset[host_of_rank[r]];
    if (!makes_whole) return;
    team.sync("subset read");
    for (std::uint32_t const r : team.each(ranks)) {
        HostWord const host = host_of_rank[r];
        if (host >= ranks) subset[host] = host;  // the others are somebody's `r`
        subset[r] = static_cast<HostWord>(r);
    }
}

/// Fills host_index_of_rank and the patterns' permutations for mapping m.
template <class Team, class Scratch>
TAILBACK_KERNEL void place_ranks(Team& team, Problem const& p, std::uint64_t m, Scratch const& s) {
    using HostWord = std::remove_reference_t<decltype(*s.host_index_of_rank)>;
    if (p.placement.source != MappingSource::random)
        for (std::uint32_t const r : team.each(p.placement.ranks))
            s.host_index_of_rank[r] =
                static_cast<HostWord>(p.placement.source == MappingSource::identity
                                          ? r
                                          : p.placement.listed[(m - p.placement.first_listed) * p.placement.ranks + r]);
    // One body that draws, as there is a copy of it in every kernel.
    TAILBACK_ROLLED
    for (std::uint32_t k = static_cast<std::uint32_t>(Stream::mapping);
         k <= static_cast<std::uint32_t>(Stream::second_pattern); ++k) {
        Stream const stream{k};
        HostWord* order = nullptr;
        std::uint32_t size = 0, steps = p.placement.ranks;
        if (stream == Stream::mapping) {
            order = s.host_index_of_rank;
            size = p.placement.source == MappingSource::random ? p.placement.ranks : 0;
        } else if (stream == Stream::subset) {
            order = s.subset;
            size = p.placement.draw_subset ? p.placement.study_hosts : 0;
        } else {
            order = s.permutation(stream == Stream::second_pattern);
            size = steps = p.traffic.drawn_ranks[stream == Stream::second_pattern];
        }
        if (size > 0)
            draw_permutation(team, Draw{p.seed, stream, m, size, steps}, s.targets, order,
                             stream == Stream::subset && s.subset_is_whole);
    }
    if constexpr (TeamOfLanes<Team>)
        if (s.borrowed > 0) {
            team.sync("drawn in counters");
            WholeWords{s.targets}.clear(team, s.borrowed);
        }
    if (p.placement.draw_subset)
        settle_subset(team, p.placement.ranks, s.host_index_of_rank, s.subset, s.subset_is_whole);
    team.sync("ranks placed");
}

}  // namespace tailback::kernels::kernel
