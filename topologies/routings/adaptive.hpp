// Adaptive routing on any graph: candidate sets of all switches for all destinations, and static entries beside them.
#pragma once

#include "topologies/routing.hpp"

namespace tailback::topologies {

/// The sets that the parameter `sets` names: of every switch and destination LID not its own host's, the ports by which
/// the switch may send (a set of one port, too). Static entries are the port of a set that has been chosen for the
/// fewest destinations.
/// @throws InputError for one-way links where up*/down* ways are asked for, and more than 32,766 sets a switch.
Routes adaptive_routes(Topology const& topology, RoutingSpec const& spec);

}  // namespace tailback::topologies
