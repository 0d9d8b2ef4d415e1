// Which nodes of a folder forward packets, and which addresses those have that do not.
#pragma once

#include "host/formats/frr/cabling.hpp"
#include "host/formats/frr/longest_prefix.hpp"

#include <map>
#include <set>
#include <string>

namespace tailback::formats {

struct Roles {
    std::set<std::string, Natural> routers;
    std::map<Interface, std::uint32_t> addresses;  ///< of ports of nodes that are no routers; 0 = not known
    std::map<std::string, std::string> sent_by;    ///< through whom a router sends, and the first that does
};

/// Does a device have a whole file of routes?
bool has_routes(Devices const& devices, std::string const& name);

/// Who has a file of routes, even a damaged one; who has files and no address of its own; through whom others send.
Roles find_roles(Devices const& devices, RouterCabling const& cabling, RouteLookup const& lookup);

}  // namespace tailback::formats
