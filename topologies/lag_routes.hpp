// Routes where several cables are one LAG: a routing sees one cable, and what it sends there is divided over all.
#pragma once

#include "topologies/routing.hpp"

namespace tailback::topologies {

/// Are there cables that a routing should not see? Those of LAGs beside the first, and members that carry nothing.
bool has_lags(Topology const& topology);

/// The same nodes, ports, hosts and LIDs, where every LAG keeps one of its cables. The family's own routings are left
/// out.
Topology without_further_members(Topology const& topology);

/// Routes of that network on the whole one. Entries of tables take turns over the members, and beside them stand sets
/// of which a hash picks one; a LAG in a set of next hops has the weight of one next hop, in equal parts by its
/// members; of routes of pairs a hash of the pair picks the member at each switch.
Routes over_all_members(Topology const& topology, RoutingSpec const& spec, Routes routes);

}  // namespace tailback::topologies
