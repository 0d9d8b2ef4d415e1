// The routing of OpenSM's engine ftree, for any network that is a tree to it.
#pragma once

#include "topologies/routing.hpp"

namespace tailback::topologies {

/// @throws InputError for a network that the engine refuses, with its reason.
Routes ftree_routes(Topology const& topology, RoutingSpec const& spec);
/// Those of the option, else of the list, else the switches farthest from the hosts.
model::RoutingRoots ftree_roots(Topology const& topology, Arguments const& options,
                                std::vector<model::Node> const& listed);

}  // namespace tailback::topologies
