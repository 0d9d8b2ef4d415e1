// Addresses that cannot be right where the cables are as LLDP tells.
#pragma once

#include "host/formats/frr/cabling.hpp"
#include "host/formats/frr/longest_prefix.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tailback::formats {

struct OddAddress {
    diagnosis::Code code{};
    Interface at;      ///< of a device of the folder
    std::string text;  ///< what is odd, and what counts
};

/// - An interface's own addresses, if none is in a network that it is connected to by the routes. One note a device.
/// - The loopbacks of two routers, if neither has one of its own.
/// - Networks of the two ends of a cable between routers that are not the same. One note a cable; two swapped ones have
///   the same text.
/// - A host's address that is a router's.
/// - An address of two cables between routers, unless they are members of one LAG at the other end. One note for each
///   two devices.
/// - A gateway that is no address of what is at the other end of the cable. One note a device.
/// - A host's address, as LLDP tells it, whose network a router has on a cable to somebody else. One note a router.
/// - A host's address, as LLDP tells it, that is another host's.
/// A cable is told once. `host_addresses`: of hosts' interfaces, 0 = not known.
std::vector<OddAddress> find_odd_addresses(Devices const& devices, RouterCabling const& cabling,
                                           RouteLookup const& lookup,
                                           std::map<Interface, std::uint32_t> const& host_addresses);

}  // namespace tailback::formats
