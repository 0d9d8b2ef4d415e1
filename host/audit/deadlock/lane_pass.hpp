// The pass over all destinations that collects dependencies between channels, lane by lane.
#pragma once

#include "host/audit/deadlock/channel_dependencies.hpp"
#include "host/audit/deadlock/deadlock.hpp"
#include "host/audit/deadlock/lane_rules.hpp"

namespace tailback::audit {

struct LanePass {
    std::uint16_t lanes_used = 0;
    std::uint64_t pairs_without_level = 0;
    model::Host first_source;  ///< of those pairs, by destination LID, then by source
    model::Lid first_destination = 0;
    std::vector<LaneDrop> unmapped;  ///< turns without a record, `level` and `pairs` not filled
    bool drops = false;              ///< some packets are dropped; `count_drops` tells which
};

/// Whose delivered routes count.
struct RoutedPairs {
    std::span<model::Host const> sources, destinations;
    unsigned threads = 0;  ///< 0 = all cores; never changes a result
};

/// Fills `dependencies`.
LanePass collect_dependencies(model::Forwarding const& forwarding, LaneRules const& rules, RoutedPairs const& pairs,
                              ChannelDependencies& dependencies);

/// Every pair walked to the switch that drops it. O(pairs x links); only for fabrics where something is dropped.
/// @param dropped_pairs out: those that are dropped at one of their service levels at least.
std::vector<LaneDrop> count_drops(model::Forwarding const& forwarding, LaneRules const& rules, RoutedPairs const& pairs,
                                  std::uint64_t& dropped_pairs);

/// For each cycle's every dependency an example route: the lowest destination LID, then the first source.
std::vector<DeadlockCycle> with_examples(model::Forwarding const& forwarding, LaneRules const& rules,
                                         RoutedPairs const& pairs, std::vector<ChannelCycle> const& cycles);

}  // namespace tailback::audit
