// Every family of networks of the core, in a function each: what `all_families` lists.
#pragma once

#include "topologies/topology.hpp"

namespace tailback::topologies {

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
Family dragonfly_family();
Family dragonfly_plus_family();
Family slimfly_family();
Family polarfly_family();
Family jellyfish_family();
Family twisted_torus_family();
Family midimew_family();
Family triangular_torus_family();
Family star_family();
Family crossbar_family();
Family edge_list_family();
Family nesttree_family();
Family nestghc_family();
Family aries_family();

}  // namespace tailback::topologies
