// Routings for any graph. Each says in routing.cpp what it does; all give tables for hosts and for switches.
#pragma once

#include "topologies/topology.hpp"

namespace tailback {

ForwardingTables route_bfs(Topology const& topology, Arguments const& options, std::uint64_t seed);
ForwardingTables route_random(Topology const& topology, Arguments const& options, std::uint64_t seed);
ForwardingTables route_minhop(Topology const& topology, Arguments const& options, std::uint64_t seed);
ForwardingTables route_sssp(Topology const& topology, Arguments const& options, std::uint64_t seed);

/// The roots of up*/down*: those of the option, else of the list, else its own choice. @throws InputError
RoutingRoots updn_roots(Topology const& topology, Arguments const& options, std::vector<Node> const& listed);
ForwardingTables route_updn(Topology const& topology, RoutingRoots const& roots);

}  // namespace tailback
