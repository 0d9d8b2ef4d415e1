// The network of a spec with the forwarding tables of a routing.
#pragma once

#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

#include <string>
#include <utility>

namespace tailback {

inline Fabric routed_by_tables(std::string const& spec, std::string const& routing) {
    Topology topology = make_topology(spec);
    Fabric fabric;
    fabric.tables = make_tables(topology, routing);
    fabric.network = std::move(topology.network);
    fabric.routed = true;
    return fabric;
}

}  // namespace tailback
