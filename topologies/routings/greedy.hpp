// Routings that know the traffic: the heaviest pair first, each by the shortest route that is least loaded so far.
#pragma once

#include "topologies/routing.hpp"

namespace tailback::topologies {

/// @throws InputError where the traffic is not known, or its file cannot be read or has more ranks than there are
/// hosts.
Routes greedy_sum(Topology const& topology, RoutingSpec const& spec);
Routes greedy_max(Topology const& topology, RoutingSpec const& spec);

}  // namespace tailback::topologies
