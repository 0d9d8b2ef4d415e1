// Which host every rank of a mapping runs on, and the permutations of its random patterns.
#pragma once

#include "kernels/common/permutation.hpp"
#include "kernels/evaluate/problem.hpp"
#include "kernels/evaluate/scratch.hpp"

#include <type_traits>

namespace tailback::kernels::kernel {

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
    // One call that draws, as there is a copy of it in every kernel.
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
        if (size > 0) draw_permutation(team, Draw{p.seed, stream, m, size, steps}, s.targets, order);
    }
    if (p.placement.draw_subset)  // drawing ends in order, and what was not drawn is this member's own
        for (std::uint32_t const r : team.each(p.placement.ranks))
            s.host_index_of_rank[r] = s.subset[s.host_index_of_rank[r]];
    team.sync("ranks placed");
}

}  // namespace tailback::kernels::kernel
