#include "host/formats/frr/mend/shared_names.hpp"

#include "host/formats/frr/cabling.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tailback::formats {
namespace {

/// Names under which one port is heard with several chassis.
std::set<std::string> shared_names(Devices const& devices) {
    std::map<std::pair<std::string, std::string>, std::set<std::string>> chassis;  // by name and port
    for (auto const& [name, device] : devices)
        for (LldpNeighbour const& one : device.neighbours)
            if (!one.chassis.empty() && !one.is_nameless && !devices.contains(known_name(devices, one.name)))
                chassis[{one.name, one.port}].insert(one.chassis);
    std::set<std::string> names;
    for (auto const& [port, all] : chassis)
        if (all.size() > 1) names.insert(port.first);
    return names;
}

using Network = std::pair<std::uint32_t, std::uint32_t>;  // address, length

std::set<Network> cable_networks(RoutedInterface const& interface) {
    std::set<Network> found;
    for (Prefix const& one : interface.shared_networks())
        if (one.length >= shortest_of_a_cable && !is_link_local(one.address)) found.emplace(one.address, one.length);
    return found;
}

}  // namespace

void tell_shared_names_apart(Devices& devices) {
    std::set<std::string> const shared = shared_names(devices);
    std::map<Network, std::set<std::pair<std::string, std::string>>> ends;  // device, interface
    for (auto const& [name, device] : devices)
        for (auto const& [interface, routed] : routed_interfaces(device))
            for (Network const& network : cable_networks(routed)) ends[network].emplace(name, interface);
    for (auto& [name, device] : devices) {
        auto const routed = routed_interfaces(device);
        for (LldpNeighbour& one : device.neighbours) {
            if (shared.contains(one.name) && !one.chassis.empty()) {
                one.name = one.chassis;
                one.is_nameless = true;
            }
            if (!one.is_nameless) continue;
            auto const here = routed.find(one.interface);
            if (here == routed.end()) continue;
            std::set<std::string> owners;
            for (Network const& network : cable_networks(here->second))
                for (auto const& [other, interface] : ends.at(network))
                    if (other != name && interface == one.port) owners.insert(other);
            if (owners.size() != 1) continue;
            one.name = *owners.begin();
            one.is_nameless = false;
            ++device.named_by_network;
        }
    }
}

}  // namespace tailback::formats
