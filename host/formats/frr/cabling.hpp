// Who is cabled to whom, by what devices hear of each other, and by their networks where they hear nothing.
#pragma once

#include "host/formats/frr/devices.hpp"

#include <set>
#include <string>
#include <utility>

namespace tailback::formats {

using Interface = std::pair<std::string, std::string>;  ///< node, interface

/// Networks of so many bits or more are of two ends.
inline constexpr std::uint32_t shortest_of_a_cable = 29;

struct RouterCabling {
    std::map<Interface, Interface> far;                              ///< of both ends of every cable
    std::map<Interface, std::vector<std::uint32_t>> told_addresses;  ///< of neighbours, by LLDP
    std::vector<std::pair<Interface, Interface>> one_sided;          ///< (who hears, who does not)
    struct HeardTwice {
        Interface here, there, counts;  ///< `here` hears `there`, as `counts` does, whose cable it is
    };
    std::vector<HeardTwice> heard_twice;
    std::set<std::string> call_themselves_routers;  ///< by LLDP
    struct Renamed {
        Interface here, there, heard;  ///< `there` hears `heard`, an interface of the same device as `here`
        bool own_counts = false;       ///< routes go by `here`, none by `heard`; else the cable is that of `heard`
    };
    std::vector<Renamed> renamed;
    /// Cables between interfaces of one network where neither hears the other, with that network.
    std::vector<std::pair<std::pair<Interface, Interface>, Prefix>> unheard;
    std::vector<std::string> remarks;  ///< on neighbours out of band, without a name, and missing
};

/// Contradictions go to `disagreements`, as cables that one end alone knows.
RouterCabling find_cabling(Devices const& devices, model::Disagreements& disagreements);

}  // namespace tailback::formats
