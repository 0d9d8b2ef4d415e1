// The order in which hosts take ranks.
#pragma once

#include "host/model/tables.hpp"

#include <vector>

namespace tailback::model {

/// Hosts in breadth-first order from the first host of the file, over links in port order; hosts that cannot be
/// reached come last, in file order. Only hosts that a study may use.
std::vector<Host> breadth_first_hosts(Network const& network, bool aggregation_nodes_are_hosts);
std::vector<Host> breadth_first_hosts(Fabric const& fabric, bool aggregation_nodes_are_hosts);

/// The same hosts in file order.
std::vector<Host> usable_hosts(Network const& network, bool aggregation_nodes_are_hosts);
std::vector<Host> usable_hosts(Fabric const& fabric, bool aggregation_nodes_are_hosts);
/// Those of them that are no aggregation nodes and have a cable.
std::vector<Host> cabled_hosts(Network const& network);

}  // namespace tailback::model
