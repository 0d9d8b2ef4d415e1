// Routings for any graph. Each says in routing.cpp what it does; all give tables for hosts and for switches.
#pragma once

#include "topologies/topology.hpp"

namespace tailback {

ForwardingTables route_bfs(Topology const& topology, Arguments const& options, std::uint64_t seed);
ForwardingTables route_random(Topology const& topology, Arguments const& options, std::uint64_t seed);
ForwardingTables route_minhop(Topology const& topology, Arguments const& options, std::uint64_t seed);
ForwardingTables route_sssp(Topology const& topology, Arguments const& options, std::uint64_t seed);
ForwardingTables route_updn(Topology const& topology, Arguments const& options, std::uint64_t seed);

}  // namespace tailback
