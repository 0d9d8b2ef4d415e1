// An IP fabric as its routers tell of it: a folder with, for every device, its routes (`show ip route json` of FRR, or
// `ip -j route`) and its neighbours (`lldpctl -f json`).
//
// A folder in it is a device with its files; files that lie beside each other are named DEVICE.anything.json. What a
// file is shows by its content. Further files that count: `ip -j addr`, and `sysctl net.ipv4` for the seed and the
// policy of the kernel's hash, and `ethtool` for rates.
#pragma once

#include "host/io/line_reader.hpp"
#include "host/model/routes/ip_plan.hpp"
#include "host/model/tables.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tailback::formats {

/// IPv4, in host byte order.
struct Prefix {
    std::uint32_t address = 0;
    std::uint32_t length = 0;
    bool holds(std::uint32_t other) const { return length == 0 || (address ^ other) >> (32 - length) == 0; }
    bool operator==(Prefix const&) const = default;
};
/// `10.1.0.0/16`
std::string text_of(Prefix const& prefix);
/// 169.254.0.0/16: what routers use on cables without networks (RFC 5549), and pairs of switches between them; the same
/// on many.
inline bool is_link_local(std::uint32_t address) { return address >> 16 == 0xA9FE; }
/// 127.0.0.0/8: a device's own, on every device.
inline bool is_localhost(std::uint32_t address) { return address >> 24 == 127; }
/// `10.1.0.0/16`, `10.1.2.3` (a /32), `default`; none for anything else.
std::optional<Prefix> parse_prefix(std::string_view text);

struct IpNextHop {
    std::string interface;      ///< empty: by the gateway's own route
    std::uint32_t gateway = 0;  ///< 0 = none, or by IPv6: what is reached is on the link
    bool has_gateway = false;
    std::uint32_t weight = 1;
    bool operator==(IpNextHop const&) const = default;
};
struct IpRoute {
    Prefix prefix;
    std::vector<IpNextHop> next_hops;   ///< none: packets are dropped
    std::uint64_t next_hop_object = 0;  ///< the kernel's number of them, where it is all that is told
    bool operator==(IpRoute const&) const = default;
};
struct IpAddress {
    std::string interface;
    Prefix own;  ///< the address itself, with the length of its network
};
inline constexpr char const* is_down = "is down";
/// An interface as `ip -j addr` tells it.
struct IpLink {
    std::string name;
    std::string master;             ///< a LAG (bond, team, PortChannel), a bridge, or a VRF; empty: none
    std::string below;              ///< of a VLAN: the interface that it is on
    std::string kind, member_kind;  ///< `bond`, `bridge`, ..; of its master, where it tells that; of `ip -d` alone
    bool is_bond_member = false;    ///< by its flags
    std::string idle;               ///< why nothing is sent by it: is_down, `is a backup`; empty: it may be
};
struct IpLinks {
    std::vector<IpAddress> addresses;
    std::vector<IpLink> links;
    std::size_t other_answers = 0;
};
/// Next hops by the kernel's number of them: `ip -j nexthop`.
using NextHopObjects = std::map<std::uint64_t, std::vector<IpNextHop>>;
NextHopObjects read_next_hops(io::LineReader& lines, model::Disagreements& disagreements);

/// Routes in use, each prefix once. Several answers in one file: an object a VRF, as FRR before 9 writes them.
struct IpRoutes {
    std::vector<IpRoute> routes;
    std::vector<IpAddress> own;             ///< where the file tells them
    bool of_kernel = false;                 ///< `ip -j route`; else FRR's
    std::size_t of_ipv6 = 0;                ///< destinations that are left out
    std::string vrf;                        ///< the table that FRR's records name; empty: none
    std::vector<std::string> other_tables;  ///< VRFs of the file that are left out
    std::size_t other_answers = 0;          ///< of other commands in the file, which are left out
    NextHopObjects objects;                 ///< that the file has beside the routes
};
/// @throws InputError for what is no JSON of that kind. Records that make no sense go to `disagreements`.
IpRoutes read_ip_routes(io::LineReader& lines, model::Disagreements& disagreements);
/// `ip -j addr`
IpLinks read_ip_addresses(io::LineReader& lines, model::Disagreements& disagreements);

/// What a device hears on one of its interfaces.
struct LldpNeighbour {
    std::string interface;   ///< its own
    std::string name, port;  ///< the neighbour's; the id of its chassis, where it tells no name
    std::string chassis;     ///< its id
    bool is_nameless = false;
    bool is_router = false;                ///< as it tells of itself
    std::vector<std::uint32_t> addresses;  ///< that the neighbour tells
    bool operator==(LldpNeighbour const&) const = default;
};
/// `lldpctl -f json`, or `-f json0`. @param other_answers if not null, answers of the file that are left out are added
std::vector<LldpNeighbour> read_lldp(io::LineReader& lines, model::Disagreements& disagreements,
                                     std::size_t* other_answers = nullptr);

/// A value of a file of `name = value` lines; none = it is not there. `name` is what it ends with.
struct HashSettings {
    std::optional<std::uint32_t> seed;
    std::optional<model::LinuxHashPolicy> policy;
};
/// @throws InputError for values that Linux does not take
HashSettings read_hash_settings(io::LineReader& lines);

/// Mb/s, by interface: of `ethtool`, or of /sys/class/net/*/speed as `grep .` and `tail -n +1` print it; a number alone
/// is that of the interface which the file is named after. What has no rate (`Unknown!`, -1) is left out; other words
/// are a finding.
using InterfaceRates = std::map<std::string, std::uint64_t>;
InterfaceRates read_interface_rates(io::LineReader& lines, model::Disagreements& disagreements,
                                    std::string const& of_file = "");

/// The fabric of such a folder (without the prefix). Devices with routes are switches, and so are those that routes to
/// others lead through; all other neighbours are hosts, an endpoint a cable. Hosts get LIDs 1 .. n in the order of
/// their names; candidate sets hold all next hops for each, tables one of them: of those that the switch has used least
/// so far, the first.
/// @throws InputError where there is no such folder, no device or no host.
model::Fabric read_router_folder(std::string const& path, model::Disagreements& disagreements);

/// Has a folder routes or neighbours of routers in it?
bool holds_routers(std::string const& path);

}  // namespace tailback::formats
