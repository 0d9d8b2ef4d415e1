// Hosts, networks and ports where LLDP hears nobody, and somebody should be.
#pragma once

#include "host/formats/frr/router_fabric.hpp"

#include <string>
#include <vector>

namespace tailback::formats {

/// Hosts that are cabled nowhere: a router has a network of an address that a host's own file tells, or a route to a
/// single address by a port of its own, like those to its other hosts. One finding a router.
void note_unheard_hosts(RouterFabric const& fabric, model::Disagreements& disagreements);

/// Networks without hosts, and ports that are down.
std::vector<std::string> remarks_on_silence(RouterFabric const& fabric);

}  // namespace tailback::formats
