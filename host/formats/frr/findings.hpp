// What is wrong with the fabric of a folder, each with its cause and its place: files that are missing, cables that one
// end alone knows, addresses, routes.
#pragma once

#include "host/formats/frr/forwarding.hpp"
#include "host/formats/frr/router_fabric.hpp"

#include <string>
#include <vector>

namespace tailback::formats {

/// Cables, files that are missing, and addresses.
void note_network(RouterFabric const& fabric, model::Disagreements& disagreements);

/// Routes that lead nowhere, and addresses and routers without any.
void note_forwarding(RouterFabric const& fabric, RouterForwarding const& forwarding,
                     model::Disagreements& disagreements);

/// Hosts that are cabled nowhere: a router has a network of an address that a host's own file tells, or a route to a
/// single address by a port of its own, like those to its other hosts. One finding a router.
void note_unheard_hosts(RouterFabric const& fabric, model::Disagreements& disagreements);

/// Networks without hosts, and ports that are down.
std::vector<std::string> remarks_on_silence(RouterFabric const& fabric);

/// What readers of a report should know of the fabric, and is no fault.
std::vector<std::string> remarks_on(RouterFabric const& fabric);

}  // namespace tailback::formats
