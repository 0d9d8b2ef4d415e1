// Other routings tried on a network: what tables each would give it.
#pragma once

#include "host/model/network.hpp"
#include "topologies/topology.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tailback::audit {

/// Tables, judged by the base LIDs of hosts. All links count alike.
struct TriedRouting {
    std::string name;                 ///< a routing; `as they are`: the tables of the fabric
    std::string refused;              ///< why the network does not have it: then there are no numbers
    std::uint64_t not_delivered = 0;  ///< ordered pairs
    std::uint64_t largest = 0;        ///< pairs over a link between switches
    double collisions = 0;            ///< of a random permutation: search::Trees
    std::optional<double> bandwidth;  ///< of random bisections: search::ExpectedBisection
    bool free = false;                ///< of deadlock on one lane
};

/// Every routing by destination whose tables follow from the network alone: it draws nothing and needs no lanes.
std::vector<std::string> routings_to_try(topologies::Topology const& topology);

/// The fabric's tables and those of every routing by destination that draws nothing and fits: fewer pairs that are not
/// delivered first, then more bandwidth, then fewer collisions; those that are refused last.
/// @param topology the same network, with its family's own routings where it has some
/// @param roots of a list, for those that want some; empty = they choose
/// @throws InputError where hosts forward packets of others, or memory does not suffice; kernels::Stopped
std::vector<TriedRouting> try_routings(model::Fabric const& fabric, topologies::Topology const& topology,
                                       std::span<model::Host const> hosts, std::vector<model::Node> const& roots,
                                       unsigned threads);

/// Between these hosts. @throws as above
TriedRouting judge_fabric(model::Fabric const& fabric, std::span<model::Host const> hosts, unsigned threads);
/// The same of what one routing makes of a network whose hosts have LIDs; `refused` where it has none.
TriedRouting try_routing(topologies::Topology const& topology, std::string const& routing, unsigned threads);

}  // namespace tailback::audit
