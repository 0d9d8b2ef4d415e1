// The flows of one level of one mapping, dealt out to the members of a team.
#pragma once

#include "kernels/common/portable.hpp"
#include "kernels/evaluate/counters.hpp"
#include "kernels/evaluate/problem.hpp"

namespace tailback::kernels {

/// A flow of a level: its number there, and the ranks it joins.
struct RankFlow {
    std::uint32_t number;
    Rank source, destination;
    // Of ListedFlow, where counters bring these.
    std::uint32_t weight = 1, least = 1;
};

namespace kernel {

/// Calls visit(flow) for this member's share of a level's flows: those of the list, then i -> pi(i) for each random
/// part. Returns how many of the latter stay on their rank.
template <class Team, class Scratch, class Visit>
TAILBACK_KERNEL std::uint64_t each_flow(Team& team, Problem const& p, LevelView const& level, Scratch const& s,
                                        Visit&& visit) {
    if constexpr (requires { s.counters.flow; }) {
        ListedFlow const* const flows = s.counters.flow + level.first_flow;
        for (std::uint32_t const f : team.each(level.flows)) {
            ListedFlow const flow = flows[f];
            visit(RankFlow{f, Rank{flow.source}, Rank{flow.destination}, flow.weight, flow.least});
        }
        return 0;
    }
    RankPair const* const flows = p.traffic.flows + level.first_flow;
    for (std::uint32_t const f : team.each(level.flows)) {
        RankPair const pair = flows[f];
        visit(RankFlow{f, Rank{pair.source}, Rank{pair.destination}});
    }
    std::uint64_t local = 0;
    std::uint32_t before = level.flows;
    for (RandomPart const& part : level.random) {
        auto const* const pi = s.permutation(part.drawn);
        for (std::uint32_t const i : team.each(part.ranks)) {
            if (pi[i] == i) ++local;
            else visit(RankFlow{before + i, Rank{part.first_rank + i}, Rank{part.first_rank + pi[i]}});
        }
        before += part.ranks;
    }
    return local;
}

}  // namespace kernel
}  // namespace tailback::kernels
