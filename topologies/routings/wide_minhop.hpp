// Minhop for many targets and 16 forwarders at once, on machines with AVX-512.
#pragma once

#include "topologies/routings/trees.hpp"

#include <memory>

namespace tailback::topologies {

/// The same as trees that LeastLoaded chooses along shortest ways; null where this machine or graph has no such form.
std::unique_ptr<DestinationTrees> make_wide_minhop(ForwardingGraph const& graph, DestinationTreesFor const& what);

}  // namespace tailback::topologies
