// Dimension-order routing for a torus or mesh that no family made.
#pragma once

#include "topologies/topology.hpp"

namespace tailback::topologies {

/// On what FoundTorus finds; destinations take turns on parallel cables. @throws InputError as FoundTorus does.
OwnRouting found_dor(Topology const& topology);

}  // namespace tailback::topologies
