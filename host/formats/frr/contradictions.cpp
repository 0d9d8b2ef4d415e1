#include "host/formats/frr/contradictions.hpp"

#include "host/base/numbers.hpp"
#include "host/model/ip_plan.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace tailback::formats {
namespace {

void note(model::Disagreements& disagreements, std::string const& file, std::string const& where,
          std::string const& text) {
    disagreements.note(model::Disagreement::descriptions_differ, {file, 0}, text, 1, {where, {}, 0, 0, {}, {}});
}

/// Under which names its neighbours hear a device at the cables that both ends tell, each with its cables.
std::map<std::string, std::size_t> heard_as(Devices const& devices, Device const& device) {
    std::map<std::string, std::size_t> names;
    for (LldpNeighbour const& one : device.neighbours)
        if (auto const other = devices.find(known_name(devices, one.name)); other != devices.end())
            for (LldpNeighbour const& back : other->second.neighbours)
                if (back.interface == one.port && back.port == one.interface) ++names[known_name(devices, back.name)];
    return names;
}

/// No two devices have the same neighbours at the same ports. Of two the one whose neighbours hear it less has files of
/// the other: of one whom nobody hears at all, everything is a copy; of another the neighbours are lost.
void forget_copies(Devices& devices, std::string const& path, model::Disagreements& disagreements) {
    using Heard = std::vector<std::tuple<std::string, std::string, std::string>>;
    std::map<Heard, std::vector<std::string>> tellers;
    std::set<std::string> are_heard;
    for (auto const& [name, device] : devices) {
        Heard heard;
        for (LldpNeighbour const& one : device.neighbours) {
            heard.emplace_back(one.interface, one.name, one.port);
            are_heard.insert(known_name(devices, one.name));
        }
        if (!heard.empty()) tellers[std::move(heard)].push_back(name);
    }
    for (auto& [heard, names] : tellers) {
        if (names.size() == 1) continue;
        auto const confirmed = [&](std::string const& name) { return heard_as(devices, devices.at(name))[name]; };
        std::stable_sort(names.begin(), names.end(),
                         [&](std::string const& a, std::string const& b) { return confirmed(a) > confirmed(b); });
        for (std::size_t i = 1; i < names.size(); ++i) {
            Device& copy = devices.at(names[i]);
            if (are_heard.contains(names[i])) {
                copy.told_neighbours.whole = false;
                copy.told_neighbours.why =
                    copy.told_neighbours.file + " tells, port by port, what " + names[0] + " hears";
                copy.neighbours.clear();
                continue;
            }
            note(disagreements, path, names[i],
                 names[i] + " hears what " + names[0] +
                     " hears, port by port, and nobody hears it: it is a copy of those files, and left out");
            devices.erase(names[i]);
        }
    }
}

using End = std::pair<std::string, std::string>;  // device, interface

/// Who hears an interface, and on which of its own.
std::map<End, End> hearers(Devices const& devices) {
    std::map<End, End> found;
    for (auto const& [name, device] : devices)
        for (LldpNeighbour const& one : device.neighbours)
            found.try_emplace({known_name(devices, one.name), one.port}, name, one.interface);
    return found;
}

/// Two devices of which each is heard as the other: each has the other's files.
void swap_folders(Devices& devices, std::string const& path, model::Disagreements& disagreements) {
    std::map<std::string, std::string> as;
    for (auto const& [name, device] : devices)
        if (auto const names = heard_as(devices, device); names.size() == 1 && names.begin()->first != name)
            as[name] = names.begin()->first;
    for (auto const& [name, other] : as) {
        auto const back = as.find(other);
        if (back == as.end() || back->second != name || other < name || !devices.contains(other)) continue;
        std::swap(devices.at(name), devices.at(other));
        note(disagreements, path, name,
             "the files of " + name + " and " + other +
                 " are swapped: all neighbours of each hear the other; they are read so");
    }
}

/// Neighbours without files that are heard at the same end of a cable as a device with files, and always as the same.
void take_other_names(Devices& devices, model::Disagreements& disagreements) {
    struct Other {
        std::set<std::string> devices;  // which it may be
        std::size_t cables = 0;
        End first, far;  // who hears it, first, and the end that hears that one
    };
    std::map<std::string, Other> others;
    std::map<End, End> const heard_by = hearers(devices);
    for (auto const& [name, device] : devices)
        for (LldpNeighbour const& one : device.neighbours) {
            if (devices.contains(known_name(devices, one.name))) continue;
            auto const at = heard_by.find({name, one.interface});
            if (at == heard_by.end() || at->second.second != one.port) continue;
            Other& other = others[one.name];
            other.devices.insert(at->second.first);
            if (other.cables++ == 0) other.first = {name, one.interface}, other.far = at->second;
        }
    std::erase_if(others, [](auto const& one) { return one.second.devices.size() != 1; });
    if (others.empty()) return;
    for (auto& [name, device] : devices)
        for (LldpNeighbour& one : device.neighbours)
            if (auto const at = others.find(one.name); at != others.end()) one.name = at->second.far.first;
    for (auto const& [name, other] : others)
        note(disagreements, devices.at(other.first.first).file, other.first.first + " " + other.first.second,
             other.first.first + " hears " + name + " on " + other.first.second + ", and " + other.far.first +
                 " hears it on " + other.far.second + ", the interface that " + name +
                 " is heard to have: it is taken as " + other.far.first +
                 (other.cables > 1 ? ", at " + std::to_string(other.cables) + " cables" : "") +
                 "; name the folder as LLDP does");
}

/// By interface: its networks, but for single addresses and the default route.
using Networks = std::map<std::string, std::vector<Prefix>>;

Networks networks_of(Device const& device) {
    Networks found;
    for (auto const& [name, interface] : routed_interfaces(device))
        if (std::vector<Prefix> shared = interface.shared_networks(); !shared.empty()) found[name] = std::move(shared);
    return found;
}

bool hold(std::vector<Prefix> const& networks, Prefix const& one) {
    return std::find(networks.begin(), networks.end(), one) != networks.end();
}

/// Why the routes of a device are not its own: no connected network fits an address of its interface.
std::string unlike_own_addresses(Device const& device, Networks const& networks_by_interface) {
    std::map<std::string, std::vector<std::uint32_t>> own;
    for (IpAddress const& one : device.routes.own) own[one.interface].push_back(one.own.address);
    std::string first;
    for (auto const& [interface, addresses] : own) {
        auto const at = networks_by_interface.find(interface);
        if (at == networks_by_interface.end()) continue;
        std::vector<Prefix> const& networks = at->second;
        for (Prefix const& network : networks)
            for (std::uint32_t const address : addresses)
                if (network.holds(address)) return {};
        if (first.empty())
            first = interface + " is in network " + text_of(networks.front()) + ", and has address " +
                    model::address_text(addresses.front());
    }
    return first;
}

/// What the networks at the ends of a device's cables say of its routes.
struct CableFit {
    bool fits = false;       ///< some cable has one network at both ends
    std::size_t unlike = 0;  ///< cables with other networks at the two ends, none of another neighbour's
    std::string first_unlike;
};

/// The devices, and what their routes say of their interfaces.
struct Facts {
    Devices const& devices;
    std::map<End, End> heard_by;
    std::map<std::string, Networks> networks;
    std::map<std::string, std::set<std::pair<std::uint32_t, std::uint32_t>>> of_any_interface;

    explicit Facts(Devices const& all) : devices(all), heard_by(hearers(all)) {
        for (auto const& [name, device] : all)
            for (auto const& [interface, own] : networks[name] = networks_of(device))
                for (Prefix const& one : own) of_any_interface[name].emplace(one.address, one.length);
    }
    std::vector<Prefix> at(std::string const& device, std::string const& interface) const {
        Networks const& all = networks.at(device);
        auto const found = all.find(interface);
        return found == all.end() ? std::vector<Prefix>() : found->second;
    }
    /// Does a neighbour of the device, but for one, have the network on any interface?
    bool of_another_neighbour(Device const& device, std::string const& but, Prefix const& network) const {
        for (LldpNeighbour const& neighbour : device.neighbours) {
            std::string const name = known_name(devices, neighbour.name);
            auto const known = of_any_interface.find(name);
            if (name != but && known != of_any_interface.end() &&
                known->second.contains({network.address, network.length}))
                return true;
        }
        return false;
    }
};

CableFit compare_with_neighbours(Facts const& facts, std::string const& name) {
    Device const& device = facts.devices.at(name);
    CableFit found;
    for (LldpNeighbour const& one : device.neighbours) {
        std::string const other = known_name(facts.devices, one.name);
        if (!facts.devices.contains(other) || !facts.heard_by.contains({name, one.interface})) continue;
        std::vector<Prefix> const here = facts.at(name, one.interface), there = facts.at(other, one.port);
        if (here.empty() || there.empty()) continue;
        if (std::any_of(here.begin(), here.end(), [&](Prefix const& network) { return hold(there, network); })) {
            found.fits = true;
            continue;
        }
        // A network of another neighbour: it may be LLDP that mixes up the interfaces.
        if (facts.of_another_neighbour(device, other, here.front())) continue;
        if (found.unlike++ == 0)
            found.first_unlike = one.interface + " is in network " + text_of(here.front()) + " by them, and " +
                                 one.port + " of " + other + " at the other end of its cable in " +
                                 text_of(there.front());
    }
    return found;
}

/// Routes and addresses of another device, whichever of the two the neighbours contradict.
void forget_routes_of_others(Devices& devices, std::string const& path, model::Disagreements& disagreements) {
    Facts const facts(devices);
    std::map<std::string, std::string> why;
    for (auto& [name, device] : devices) {
        if (!device.told_routes.whole) continue;
        std::string const own = unlike_own_addresses(device, facts.networks.at(name));
        CableFit const cables = compare_with_neighbours(facts, name);
        if (!own.empty() && cables.fits) {
            device.routes.own.clear();
            note(disagreements, path, name,
                 name + " has the addresses of another device: by its routes " + own +
                     "; its routes count, which fit its neighbours'");
        } else if (!own.empty()) {
            why[name] = own;
        } else if (!cables.fits && cables.unlike > 1) {
            why[name] = cables.first_unlike;
        }
    }
    for (auto const& [name, text] : why) {
        Device& device = devices.at(name);
        device.told_routes.whole = false;
        device.told_routes.why = device.told_routes.file + " is of another device (" + text + ")";
        device.routes.routes.clear();
    }
}

/// Routes go by VLANs on a port (swp49.100), where LLDP tells the port: they are the port's.
void take_ports_of_vlans(Devices& devices) {
    for (auto& [name, device] : devices) {
        std::set<std::string> heard;
        for (LldpNeighbour const& one : device.neighbours) heard.insert(one.interface);
        auto const take = [&heard](std::string& interface) {
            std::size_t const dot = interface.rfind('.');
            if (dot == std::string::npos || heard.contains(interface) || dot + 1 == interface.size()) return;
            if (interface.find_first_not_of("0123456789", dot + 1) != std::string::npos) return;
            if (heard.contains(interface.substr(0, dot))) interface.resize(dot);
        };
        for (IpRoute& route : device.routes.routes)
            for (IpNextHop& hop : route.next_hops) take(hop.interface);
        for (IpAddress& one : device.routes.own) take(one.interface);
    }
}

/// Devices whose neighbours all call its ports by names that are none of its interfaces (aliases, descriptions): where
/// it has one cable to a neighbour, that cable's port is the one on which it hears the neighbour.
void take_ports_by_cables(Devices& devices) {
    using Pair = std::pair<std::string, std::string>;
    std::map<Pair, std::vector<LldpNeighbour*>> between;  // (who hears, whom)
    std::map<std::string, std::set<std::string>> interfaces;
    for (auto& [name, device] : devices) {
        for (auto const& [interface, routed] : routed_interfaces(device)) interfaces[name].insert(interface);
        for (LldpNeighbour& one : device.neighbours) {
            between[{name, known_name(devices, one.name)}].push_back(&one);
            interfaces[name].insert(one.interface);
        }
    }
    std::map<std::string, std::size_t> hearers;
    std::set<std::string> called_by_interfaces;
    for (auto const& [pair, heard] : between)
        for (LldpNeighbour const* const one : heard) {
            ++hearers[pair.second];
            if (interfaces[pair.second].contains(one->port)) called_by_interfaces.insert(pair.second);
        }
    for (auto const& [pair, heard] : between) {
        auto const back = between.find({pair.second, pair.first});
        if (heard.size() != 1 || back == between.end() || back->second.size() != 1) continue;
        if (hearers[pair.second] > 1 && !called_by_interfaces.contains(pair.second))
            heard[0]->port = back->second[0]->interface;
    }
}

}  // namespace

void mend_contradictions(Devices& devices, std::string const& path, model::Disagreements& disagreements) {
    take_ports_of_vlans(devices);
    take_ports_by_cables(devices);
    forget_copies(devices, path, disagreements);
    swap_folders(devices, path, disagreements);
    take_other_names(devices, disagreements);
    forget_routes_of_others(devices, path, disagreements);
}

}  // namespace tailback::formats
