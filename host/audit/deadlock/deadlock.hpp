// Deadlock: whether packets can wait for each other in a circle (Dally and Seitz 1987), on one lane or on virtual
// lanes.
#pragma once

#include "host/audit/deadlock/channel_cycles.hpp"
#include "host/audit/findings/finding.hpp"
#include "host/audit/loads/all_pairs.hpp"
#include "host/model/service_levels.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tailback::audit {

/// Whose delivered routes count, and on which lanes they travel. Aggregation nodes count only when they are listed.
struct LaneRequest {
    std::span<model::Host const> sources;
    std::span<model::Host const> destinations;
    /// SL2VL tables; null, or where a record is missing: the lane is the service level itself.
    model::LaneMaps const* maps = nullptr;
    /// Service levels of paths; null, or where a pair has none: level 0.
    model::ServiceLevels const* levels = nullptr;
    unsigned threads = 0;  ///< 0 = all cores; the report is the same with any number
};

/// One channel of a cycle, and an example of a route that takes it and then the next one of the cycle.
struct DeadlockStep {
    Channel channel;
    model::Host source;
    model::Lid destination = 0;
};
struct DeadlockCycle {
    std::vector<DeadlockStep> steps;
    std::uint64_t component = 0;  ///< channels that wait for each other, this cycle's and all that are tied to it
    bool shortest = true;         ///< false: the search was cut short (ChannelCycle)
    /// Pairs whose routes take a link of the circle and then the next one. On one lane, for the first
    /// `most_cycles_counted`; else 0.
    std::uint64_t pairs = 0;
};
inline constexpr std::size_t most_cycles_counted = 64;

/// Where a map sends a service level to the lane that drops.
struct LaneDrop {
    model::Node node;
    model::Port in = 0, out = 0;
    unsigned level = 0;
    std::uint64_t pairs = 0;
};

struct DeadlockReport {
    bool free = true;
    unsigned lanes = 1;                 ///< lanes in use on links that switches send on
    bool levels_given = false;          ///< false: all packets were taken to have service level 0
    std::vector<DeadlockCycle> cycles;  ///< one for every strongly connected component, the largest first
    std::uint64_t pairs_without_level =
        0;  ///< delivered pairs whose service level is not known, though levels were given
    std::uint64_t turns_without_map =
        0;  ///< (switch, in port, out port) in use without an SL2VL record, though maps were given
    std::string first_without_level, first_without_map;  ///< an example of each, in words
    std::vector<LaneDrop> drops;                         ///< most pairs first; their packets count as far as they come
    std::uint64_t dropped_pairs = 0;                     ///< each once, however many of its service levels are dropped
};

/// On one lane, from the turns that count_all_pairs found for these sources and destinations. Costs the components and
/// the cycles, and one tree for each dependency of a cycle.
DeadlockReport find_deadlocks(model::Forwarding const& forwarding, TurnSet const& turns,
                              std::span<model::Host const> sources, std::span<model::Host const> destinations,
                              unsigned threads = 0);

/// On virtual lanes: service levels go down the tree of every destination, O(rows x destinations x levels + pairs).
DeadlockReport find_deadlocks(model::Forwarding const& forwarding, LaneRequest const& request);

/// The same on one lane, without the turns.
DeadlockReport find_deadlocks_on_one_lane(model::Forwarding const& forwarding, std::span<model::Host const> sources,
                                          std::span<model::Host const> destinations, unsigned threads = 0);

/// The verdict alone of that.
bool is_free_on_one_lane(model::Forwarding const& forwarding, std::span<model::Host const> sources,
                         std::span<model::Host const> destinations, unsigned threads = 0);

bool is_free_on_one_lane(model::Forwarding const& forwarding, TurnSet const& turns,
                         std::span<model::Host const> sources, std::span<model::Host const> destinations,
                         unsigned threads = 0);

/// How many strongly connected components of channels have a cycle, without pairs or examples: on one lane from turns,
/// or by a pass.
std::uint64_t count_cyclic_components(model::Forwarding const& forwarding, TurnSet const& turns,
                                      std::span<model::Host const> sources, std::span<model::Host const> destinations,
                                      unsigned threads = 0);
std::uint64_t count_cyclic_components(model::Forwarding const& forwarding, LaneRequest const& request);

/// What the report has to say, worst first: a finding for every cycle (deadlock), for every port that drops
/// (unreachable), and one each for missing service levels and SL2VL records (inconsistent).
/// `undecided`: service levels are not known, and may avoid what was found at level 0.
std::vector<Finding> findings_of(model::Fabric const& fabric, DeadlockReport const& report, bool undecided = false);

}  // namespace tailback::audit
