// What the effective bisection bandwidth of any tables cannot exceed.
//
// A flow leaves its switch by the link that its destination decides, one for each destination and switch. Over the
// flows of one mapping the sum of 1 / congestion is at most the number of links between switches that leave a switch
// with hosts and are busy, since n flows that share one have 1/n each. How likely a link is to be busy grows with the
// number of destinations it has ever more slowly, so equal parts are best; the bound is the mean of that sum over
// mappings, plus the pairs within one switch, which count 1 at most. For each switch no more than its flows count.
#pragma once

#include "host/search/switch_graph.hpp"

namespace tailback::search {

/// Of `bisect` on the graph's hosts, one LID each, by tables with one port for a destination; 1 at most.
double bisection_bound(SwitchGraph const& graph);

}  // namespace tailback::search
