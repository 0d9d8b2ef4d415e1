// Counters dealt over several memories, as those of a cluster of blocks are, for a team of threads.
#pragma once

#include "tests/support/rooms.hpp"
#include "tests/support/teams/team_of_threads.hpp"

#include <vector>

namespace tailback {

/// From a place in the first memory to the same place in another.
struct ReachMemory {
    std::uint32_t* const* memories;
    std::uint32_t* operator()(std::uint32_t part, std::uint32_t* own) const {
        return memories[part] + (own - memories[0]);
    }
};

/// Mappings 0 .. mappings-1 by a team of threads whose counters lie in 2^parts_log memories.
template <bool plain, ThreadDraws draws = ThreadDraws::by_claims>
TeamRun run_split(Problem const& p, std::uint64_t mappings, TeamHub& hub, std::uint32_t packing,
                  std::uint32_t parts_log) {
    using Counters = PackedCounters<SplitWords<ReachMemory>>;
    std::uint32_t const words = ((p.routes.slots >> packing) >> parts_log) + 2;
    std::vector<std::vector<std::uint32_t>> memory(std::size_t{1} << parts_log, std::vector<std::uint32_t>(words));
    std::vector<std::uint32_t*> memories;
    for (auto& part : memory) memories.push_back(part.data());
    auto const make = [&](unsigned member) { return ThreadTeam<false, true, draws>(hub, member); };
    return run_team<plain, Counters>(p, mappings, hub.members, make, packing, [&](Counters& counters) {
        counters = {{{memories.data()}, memories[0], parts_log}, packing};
    });
}

}  // namespace tailback
