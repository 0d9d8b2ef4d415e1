// A small IP fabric as its routers' files tell it, to be changed and written as a folder of routers.
#pragma once

#include "tests/support/programs/temporary_folder.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tailback::router_fabric {

struct Neighbour {
    std::string name, port, address;  // as it tells by LLDP
};
/// Of an interface: its network, and its own address there.
struct Connected {
    std::string network, own;
    int length = 31;
};
struct Hop {
    std::string gateway, interface;  // the gateway may be IPv6
    bool is_down = false;
};
struct Router {
    std::map<std::string, Neighbour> hears;                // by interface
    std::vector<std::pair<std::string, Connected>> nets;   // interface, its network
    std::vector<std::pair<std::string, std::string>> own;  // addresses without one: interface, address
    std::map<std::string, std::vector<Hop>> routes;        // by prefix
};

using All = std::map<std::string, Router>;

/// Four leaves of three hosts, two spines; a /31 on every cable.
All routers();

enum class Told { kernel, kernel_and_addresses, frr, frr_and_addresses };
inline constexpr Told all_ways_to_tell[] = {Told::kernel, Told::kernel_and_addresses, Told::frr,
                                            Told::frr_and_addresses};
/// A folder a router: routes.json, lldp.json, addr.json.
void write(TemporaryFolder const& folder, All const& all, Told told);

/// What an audit finds that is not only noted: places and messages.
struct Found {
    std::vector<std::string> findings;
    int exit = 0;
    std::string digest;  // of nodes, cables and routes
};
Found audit_of(TemporaryFolder const& folder);

}  // namespace tailback::router_fabric
