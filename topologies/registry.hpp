// What extensions add to the tables of this room: families of networks, and routings of their own.
#pragma once

#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

#include <vector>

namespace tailback::topologies {

struct Registry {
    std::vector<Family> families;  ///< base::insert_before: in the order of lists
    std::vector<RoutingAlgorithm> routings;
};

/// Calls every extension's register_NAME(Registry&) (generated from extensions.cmake).
void register_extensions(Registry& registry);
/// What `all_routings` begins with.
std::vector<RoutingAlgorithm> routings_of_core();
/// The core's tables with what extensions add.
Registry const& tables();

}  // namespace tailback::topologies
