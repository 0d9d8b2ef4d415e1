#include "host/formats/frr/mend/contradictions.hpp"

#include "host/base/nearest.hpp"
#include "host/formats/frr/mend/foreign_files.hpp"
#include "host/formats/frr/mend/heard.hpp"
#include "host/formats/frr/mend/lags.hpp"
#include "host/formats/frr/mend/shared_names.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace tailback::formats {
namespace {

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
            note_contradiction(
                disagreements, diagnosis::Code::folder_is_copy, path, names[i],
                names[i] + " hears what " + names[0] +
                    " hears, port by port, and nobody hears it: it is a copy of those files, and left out");
            devices.erase(names[i]);
        }
    }
}

/// Neighbours without files that are heard at the same end of a cable as a device with files: that device under another
/// name; where several have one name, each at the cables that it hears the other end of.
void take_other_names(Devices& devices, model::Disagreements& disagreements) {
    struct Other {
        std::map<std::string, End> devices;  // which it may be, and the first end of each that is heard
        std::size_t cables = 0;
        End first;  // who hears it
    };
    std::map<std::string, Other> others;
    std::map<End, End> const heard_by = hearers(devices);
    auto const heard_at = [&](std::string const& name, LldpNeighbour const& one) -> End const* {
        if (devices.contains(known_name(devices, one.name))) return nullptr;
        auto const at = heard_by.find({name, one.interface});
        return at == heard_by.end() || at->second.second != one.port ? nullptr : &at->second;
    };
    for (auto const& [name, device] : devices)
        for (LldpNeighbour const& one : device.neighbours)
            if (End const* const at = heard_at(name, one)) {
                Other& other = others[one.name];
                other.devices.try_emplace(at->first, *at);
                if (other.cables++ == 0) other.first = {name, one.interface};
            }
    if (others.empty()) return;
    for (auto& [name, device] : devices)
        for (LldpNeighbour& one : device.neighbours) {
            auto const other = others.find(one.name);
            if (other == others.end()) continue;
            if (other->second.devices.size() == 1) one.name = other->second.devices.begin()->first;
            else if (End const* const at = heard_at(name, one)) one.name = at->first;
        }
    for (auto const& [name, other] : others) {
        auto const& [device, far] = *other.devices.begin();
        std::string text = other.first.first + " hears " + name + " on " + other.first.second + ", and " + device +
                           " hears it on " + far.second + ", the interface that " + name +
                           " is heard to have: it is taken as " + device +
                           (other.cables > 1 ? ", at " + std::to_string(other.cables) + " cables" : "") +
                           "; name the folder as LLDP does";
        if (other.devices.size() > 1)
            text = std::to_string(other.devices.size()) + " devices are called " + name + " by LLDP (" + device +
                   " and " + std::next(other.devices.begin())->first + (other.devices.size() > 2 ? ", .." : "") +
                   "): each is taken as who hears the other end of the cable; give each a name of its own";
        note_contradiction(disagreements, diagnosis::Code::device_of_two_names, devices.at(other.first.first).file,
                           other.first.first + " " + other.first.second, text);
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
        for (std::vector<IpAddress>* const all : {&device.routes.own, &device.addresses})
            for (IpAddress& one : *all) take(one.interface);
    }
}

/// Names of systems are the same in capitals: all are spelled as the folder does, or as they are first heard.
void take_one_spelling(Devices& devices) {
    std::map<std::string, std::string> spellings;  // of a folder's device: none where two differ in capitals alone
    for (auto const& [name, device] : devices)
        for (std::string const& word : std::set<std::string>{name, name.substr(0, name.find('.'))})
            if (auto const [at, added] = spellings.emplace(base::lower_case(word), name); !added) at->second.clear();
    for (auto& [name, device] : devices)
        for (LldpNeighbour& one : device.neighbours) {
            std::string const known = known_name(devices, one.name);
            if (devices.contains(known)) continue;
            auto const short_name = spellings.find(base::lower_case(one.name.substr(0, one.name.find('.'))));
            std::string const spelled = short_name != spellings.end() && devices.contains(short_name->second)
                                            ? short_name->second
                                            : spellings.emplace(base::lower_case(one.name), one.name).first->second;
            if (!spelled.empty()) one.name = spelled;
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
            interfaces[name].insert(one.interface);
            if (std::string const heard = known_name(devices, one.name); heard != name)
                between[{name, heard}].push_back(&one);
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
    take_one_spelling(devices);
    tell_shared_names_apart(devices);
    take_members_of_lags(devices, disagreements);
    swap_back_neighbours(devices, path, disagreements);
    take_ports_by_cables(devices);
    forget_copies(devices, path, disagreements);
    take_other_names(devices, disagreements);
    sort_out_routes_and_addresses(devices, path, disagreements);
}

}  // namespace tailback::formats
