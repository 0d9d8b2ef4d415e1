// Cycles among channels: the strongly connected components of the dependency graph, and the shortest cycle of each.
#pragma once

#include "host/audit/deadlock/channel_dependencies.hpp"

#include <cstdint>
#include <vector>

namespace tailback::audit {

struct ChannelCycle {
    std::vector<Channel> channels;  ///< each waits for the next, the last for the first; the lowest link and lane first
    std::uint64_t component = 0;    ///< channels of the strongly connected component it is of
    bool shortest = true;           ///< false: the search was cut short, a shorter one may be there
};

/// One cycle a component, the largest component first. The search for the shortest one starts once from every channel
/// of a component and never goes deeper than what is found already; over all components it looks at no more than
/// `most_steps` dependencies beyond the first search of each.
std::vector<ChannelCycle> find_cycles(model::Forwarding const& forwarding, ChannelDependencies const& dependencies,
                                      std::uint64_t most_steps = 300'000'000);

/// Is there one? Without looking for the shortest.
bool has_cycles(model::Forwarding const& forwarding, ChannelDependencies const& dependencies);

}  // namespace tailback::audit
