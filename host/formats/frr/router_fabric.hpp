// The nodes and cables of a folder's fabric, and what its files say of them.
#pragma once

#include "host/formats/frr/roles.hpp"
#include "host/model/network.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tailback::formats {

struct RouterFabric {
    std::string const& path;
    Devices const& devices;
    RouterCabling const& cabling;
    RouteLookup const& lookup;
    Roles const& roles;
    model::Network network;
    std::vector<std::uint32_t> addresses;  ///< [host] 0 = not known
    std::map<std::string, model::Node> nodes;
    std::map<std::string, std::map<std::string, model::Port>> ports;  ///< by node and interface

    /// 0 = it is none.
    model::Port port_of(Interface const& at) const;
    /// Of an interface that may be no port, as its cable does not count, of a device that may be no node.
    model::FabricPlace place_of(Interface const& at) const;
    /// Hosts whose cable leads to it.
    std::vector<model::Host> hosts_behind(model::Node router) const;
    std::vector<model::Link> links_between(model::Node from, model::Node to) const;
};

/// Hosts get LIDs 1 .. n in the order of their names.
/// @throws InputError where there is no host.
RouterFabric build_router_fabric(std::string const& path, Devices const& devices, RouterCabling const& cabling,
                                 RouteLookup const& lookup, Roles const& roles, model::Disagreements& disagreements);

}  // namespace tailback::formats
