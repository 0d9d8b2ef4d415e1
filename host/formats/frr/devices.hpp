// What the files of a folder say, device by device, and which of them say nothing.
#pragma once

#include "host/base/natural.hpp"
#include "host/formats/frr/frr.hpp"

#include <map>

namespace tailback::formats {

using base::Natural;

/// A kind of file that a device should have: as one that is whole, or damaged (why = what is wrong with it).
struct Told {
    bool whole = false;
    std::string file;          ///< `leaf01/lldp.json`: the one that counts
    std::string damaged, why;  ///< of a file that is not whole: `leaf01/lldp.json`, `leaf01/lldp.json is empty`
    bool lost() const { return !whole && !why.empty(); }
};

/// An interface of several cables: a bond, a team, a PortChannel.
struct Lag {
    std::vector<std::string> members;  ///< that carry its packets
    struct Idle {
        std::string member, why;  ///< `swp3`, `is down`
    };
    std::vector<Idle> idle;      ///< that do not
    std::size_t neighbours = 1;  ///< at the ends of its members
};

/// What the files of a device say.
struct Device {
    std::string file;  ///< of its routes, or another of its files
    Told told_routes, told_neighbours;
    std::string ipv6_routes;  ///< a file that has no others
    IpRoutes routes;
    struct Numbered {
        std::string path, name;
        IpRoutes routes;
    };
    std::vector<Numbered> numbered;  ///< as they are read: routes with next hops by the kernel's numbers
    NextHopObjects next_hop_objects;
    std::vector<std::string> other_answers;  ///< files with answers of other commands, which are left out
    bool has_addresses = false;              ///< by `ip -j addr`
    std::vector<IpAddress> addresses;
    std::vector<IpLink> links;
    std::vector<LldpNeighbour> neighbours;
    std::size_t named_by_network = 0;  ///< of them: devices of the folder that told no name of their own
    HashSettings hash;
    InterfaceRates rates;
    std::map<std::string, Lag, Natural> lags;  ///< by which its routes go
    /// Is it a member of a LAG, but not the first? All have the LAG's networks and addresses.
    bool is_further_member(std::string const& interface) const;
    /// Its addresses, as any file tells them.
    std::vector<IpAddress> own() const;
};
using Devices = std::map<std::string, Device, Natural>;

/// What the routes of a device say of an interface that they name.
struct RoutedInterface {
    std::vector<Prefix> networks;  ///< of routes without a gateway
    bool goes_on = false;          ///< of a route with one, but for the default route
    /// Those of more than one address, but for all addresses.
    std::vector<Prefix> shared_networks() const;
};
std::map<std::string, RoutedInterface> routed_interfaces(Device const& device);

/// lo, loopback0, Loopback0
inline bool is_loopback(std::string_view interface) {
    return interface.starts_with("lo") || interface.starts_with("Lo");
}
inline bool is_own_loopback(IpAddress const& one) {
    return is_loopback(one.interface) && !is_localhost(one.own.address);
}
/// By its name: eth0, mgmt0, Management1, ma1, ..
bool is_management(std::string_view interface);
/// Is it called as LAGs are? PortChannel101, Port-Channel1, bond0, team0, Po1, ae0, ..
bool is_named_like_lag(std::string_view interface);
/// Interfaces and addresses of the loopbacks that its routes tell.
std::vector<std::pair<std::string, std::uint32_t>> routed_loopbacks(Device const& device);

/// Do names of interfaces differ in numbers alone? swp1 and swp49, Ethernet1/1 and Ethernet12/4.
bool are_of_one_kind(std::string_view one, std::string_view other);

/// A neighbour's name as the folder spells it: with or without its domain, where one device alone is meant.
std::string known_name(Devices const& devices, std::string const& name);

/// Files that are damaged are data: they are told where they say what nothing else does (routes, neighbours), and by
/// `disagreements` otherwise.
/// @throws InputError where there is no such folder, or no device in it.
Devices read_devices(std::string const& path, model::Disagreements& disagreements);

}  // namespace tailback::formats
