// Every family of networks, in a function each: what `all_families` lists.
#pragma once

#include "topologies/topology.hpp"

namespace tailback {

Family xgft_family();
Family kary_ntree_family();
Family mport_ntree_family();
Family thintree_family();
Family clos_family();
Family rail_family();
Family torus_family();
Family mesh_family();
Family ring_family();
Family hypercube_family();
Family hyperx_family();
Family fully_connected_family();

}  // namespace tailback
