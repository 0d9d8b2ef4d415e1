// DFSSSP's virtual lanes: paths shared out to layers, each without a cycle of waiting links.
#pragma once

#include "topologies/topology.hpp"

namespace tailback::topologies {

/// For any tables on this network (Domke, Hoefler, Nagel, "Deadlock-Free Oblivious Routing for Arbitrary Topologies",
/// IPDPS 2011): all paths begin on lane 0; while its dependencies have a cycle, the paths over that dependency of the
/// cycle that the fewest take move on to the next lane, and so on lane by lane. Option `lanes`: how many there are.
/// Paths of aggregation nodes come after all others and move none of them: they need no lane more, but may find none.
model::FindLanes lanes_by_layers(Topology const& topology, Arguments const& options);

/// @throws InputError when the levels of all pairs of hosts need more than 4 GiB.
void check_levels_fit(model::Network const& network);

}  // namespace tailback::topologies
