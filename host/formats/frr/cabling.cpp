#include "host/formats/frr/cabling.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace tailback::formats {
namespace {

class Cables {
public:
    Cables(Devices const& devices, model::Disagreements& disagreements)
        : devices_(devices), disagreements_(disagreements) {
        for (auto const& [name, device] : devices) routed_[name] = routed_interfaces(device);
    }

    RouterCabling find() {
        for (bool const nameless : {false, true})
            for (auto const& [name, device] : devices_)
                for (LldpNeighbour const& heard : device.neighbours)
                    if (heard.is_nameless == nameless) hear(name, device, heard);
        leave_out_of_band();
        if (nameless_ > 0)
            found_.remarks.push_back(std::to_string(nameless_) +
                                     (nameless_ == 1 ? " neighbour tells no system name by LLDP and goes"
                                                     : " neighbours tell no system name by LLDP and go") +
                                     " by the id of the chassis (the first: \"" + first_nameless_ + "\")");
        if (second_ > 0)
            found_.remarks.push_back(std::to_string(second_) + (second_ == 1 ? " port hears" : " ports hear") +
                                     " a second neighbour, as of an adapter with a system of its own; the first counts "
                                     "(the first: " +
                                     first_second_ + ")");
        join_ends();
        leave_out_peer_links();
        join_networks();
        note_silent();
        return std::move(found_);
    }

private:
    void hear(std::string const& name, Device const& device, LldpNeighbour const& heard) {
        Interface const here{name, heard.interface}, there{known_name(devices_, heard.name), heard.port};
        if (here == there) return;
        if (is_management(here.second) && is_management(there.second) && !is_next_hop(here)) {
            if (out_of_band_++ == 0) first_out_of_band_ = there.first + " on " + here.second + " of " + here.first;
            return;
        }
        if (heard.is_nameless) {  // another end may have told who it is
            for (auto const& [other, far] : found_.far)
                if (far == here) return;
            if (nameless_++ == 0) first_nameless_ = there.first;
        }
        if (!heard.addresses.empty()) found_.told_addresses[there] = heard.addresses;
        if (heard.is_router) found_.call_themselves_routers.insert(there.first);
        auto const at = found_.far.find(here);
        bool const is_second = at != found_.far.end() && at->second != there;
        if (is_second && is_host(at->second.first) && !devices_.contains(there.first)) {
            if (second_++ == 0)
                first_second_ = at->second.first + " and " + there.first + " on " + here.second + " of " + name;
            return;
        }
        if (is_second)
            return disagreements_.note(diagnosis::Code::two_neighbours_on_port, {device.file, 0},
                                       name + " hears both " + at->second.first + " and " + there.first + " on " +
                                           heard.interface + "; the first counts",
                                       1, {name + " " + heard.interface, {}, 0, 0, {}, {}});
        found_.far[here] = there;
    }

    /// Has the folder nothing of it, or its addresses alone?
    bool is_host(std::string const& name) const {
        auto const at = devices_.find(name);
        return at == devices_.end() || (at->second.has_addresses && !at->second.told_routes.whole &&
                                        !at->second.told_routes.lost() && at->second.neighbours.empty());
    }

    /// Null: no route names it.
    RoutedInterface const* routed(Interface const& at) const {
        auto const device = routed_.find(at.first);
        if (device == routed_.end()) return nullptr;
        auto const found = device->second.find(at.second);
        return found == device->second.end() ? nullptr : &found->second;
    }
    std::vector<Prefix> networks_of(Interface const& at) const {
        RoutedInterface const* const found = routed(at);
        return found == nullptr ? std::vector<Prefix>() : found->networks;
    }
    bool is_next_hop(Interface const& at) const {
        RoutedInterface const* const found = routed(at);
        return found != nullptr && found->goes_on;
    }
    /// A connected network of the two ends of a cable.
    static bool is_to_one_neighbour(IpRoute const& route, IpNextHop const& hop) {
        return !hop.has_gateway && route.prefix.length >= shortest_of_a_cable && route.prefix.length < 32;
    }
    /// Switches of the management network: routers hear them on interfaces by which no route goes on, and which are in
    /// one network of several routers, or in none and named like management ports.
    void leave_out_of_band() {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::string>> sharing;  // by network
        std::map<std::string, std::vector<Interface>, Natural> heard;
        for (auto const& [here, there] : found_.far)
            if (!devices_.contains(there.first)) {
                heard[there.first].push_back(here);
                for (Prefix const& one : networks_of(here)) sharing[{one.address, one.length}].insert(here.first);
            }
        std::size_t count = out_of_band_;
        std::string first = first_out_of_band_;
        for (auto const& [name, on] : heard) {
            bool const is_heard_once = on.size() == 1;
            bool const apart = std::all_of(on.begin(), on.end(), [&](Interface const& here) {
                if (is_next_hop(here)) return false;
                std::vector<Prefix> const networks = networks_of(here);
                if (networks.empty()) return is_management(here.second);
                if (is_heard_once && !is_management(here.second)) return false;
                return std::any_of(networks.begin(), networks.end(), [&](Prefix const& one) {
                    return one.length < shortest_of_a_cable && sharing.at({one.address, one.length}).size() > 1;
                });
            });
            if (!apart) continue;
            if (count == 0) first = name + " on " + on.front().second + " of " + on.front().first;
            count += on.size();
            for (Interface const& here : on) found_.far.erase(here);
        }
        if (count > 0)
            found_.remarks.push_back(std::to_string(count) + (count == 1 ? " neighbour" : " neighbours") +
                                     " on management ports, which no route of the fabric goes by, " +
                                     (count == 1 ? "is" : "are") + " left out (the first: " + first + ")");
    }

    /// Interfaces of routers in a network for one neighbour, which hear nobody and which no route goes on by: a host
    /// without lldpd, perhaps.
    void note_silent() {
        std::size_t count = 0;
        std::string first;
        for (auto const& [name, device] : devices_) {
            if (!device.told_neighbours.whole) continue;
            std::set<std::string> silent;
            for (IpRoute const& route : device.routes.routes)
                for (IpNextHop const& hop : route.next_hops)
                    if (is_to_one_neighbour(route, hop) && !found_.far.contains({name, hop.interface}) &&
                        !is_next_hop({name, hop.interface}) && !is_management(hop.interface))
                        silent.insert(hop.interface);
            if (count == 0 && !silent.empty()) first = *silent.begin() + " of " + name;
            count += silent.size();
        }
        if (count > 0)
            found_.remarks.push_back(std::to_string(count) + (count == 1 ? " interface has" : " interfaces have") +
                                     " a network for one neighbour and hear" + (count == 1 ? "s" : "") +
                                     " nobody by LLDP (the first: " + first + "): a host there is not in the network");
    }

    /// Do the ends of a cable share a network?
    bool share_network(Interface const& here, Interface const& there) const {
        std::vector<Prefix> const far = networks_of(there);
        return std::ranges::any_of(networks_of(here), [&](Prefix const& one) {
            return one.length >= shortest_of_a_cable && std::ranges::find(far, one) != far.end();
        });
    }

    struct Claim {
        std::size_t doubt = 0;  ///< 0 = nothing contradicts it
        Interface here, there;
    };
    /// What is heard, what is most likely old first, as it gives way: of ends that hear others, those that share no
    /// network with whom they hear, by how many ports of the same device are contradicted; more so where whom they hear
    /// and another hear each other.
    std::vector<Claim> claims() const {
        auto const is_contradicted = [&](std::pair<Interface const, Interface> const& one) {
            auto const back = found_.far.find(one.second);
            return back != found_.far.end() && back->second != one.first;
        };
        std::map<std::string, std::size_t> contradicted;  // by device
        for (auto const& one : found_.far) contradicted[one.first.first] += is_contradicted(one);
        std::vector<Claim> all;
        for (auto const& one : found_.far) {
            auto const& [here, there] = one;
            std::size_t doubt = 0;
            if (is_contradicted(one)) {
                doubt = share_network(here, there) ? 1 : 1 + contradicted.at(here.first);
                doubt += !is_contradicted({there, found_.far.at(there)});
            }
            all.push_back({doubt, here, there});
        }
        std::ranges::stable_sort(all, std::ranges::greater{}, &Claim::doubt);
        return all;
    }

    /// Has a router a network for an address that the host tells?
    bool has_network_of(Interface const& router, Interface const& host) const {
        auto const told = found_.told_addresses.find(host);
        auto const device = routed_.find(router.first);
        if (told == found_.told_addresses.end() || device == routed_.end()) return false;
        return std::ranges::any_of(device->second, [&](auto const& interface) {
            return std::ranges::any_of(interface.second.shared_networks(), [&](Prefix const& one) {
                return std::ranges::any_of(told->second, [&](std::uint32_t address) { return one.holds(address); });
            });
        });
    }

    /// What only one end tells is a cable all the same.
    void join_ends() {
        std::map<Interface, Interface> const told = found_.far;
        std::set<Interface> old;  // ends that hear others than who hears them: what they hear is told
        for (auto const& [doubt, here, there] : claims()) {
            if (auto const now = found_.far.find(here); now == found_.far.end() || now->second != there) continue;
            auto const [at, added] = found_.far.try_emplace(there, here);
            auto const other = devices_.find(there.first);
            bool const listens = other != devices_.end() && other->second.told_neighbours.whole;
            if (added && listens) found_.one_sided.emplace_back(here, there);
            if (at->second == here) continue;
            if (at->second.first == here.first && told.contains(there) && routed(here) != nullptr &&
                routed(at->second) == nullptr) {
                found_.renamed.push_back({here, there, at->second, true});
                found_.far.erase(std::exchange(at->second, here));
                continue;
            }
            if (at->second.first == here.first && told.contains(there))
                found_.renamed.push_back({here, there, at->second}), old.insert(here);
            else if (told.contains(there)) found_.one_sided.emplace_back(here, there), old.insert(here);
            else if (has_network_of(here, there) && !has_network_of(at->second, there)) {
                found_.heard_twice.push_back({at->second, there, here});
                found_.far.erase(std::exchange(at->second, here));
                continue;
            } else {
                found_.heard_twice.push_back({here, there, at->second});
            }
            found_.far.erase(here);
        }
        for (auto const& [here, there, heard, own_counts] : found_.renamed)
            std::erase(found_.one_sided, std::pair(there, heard));
        std::erase_if(found_.one_sided, [&](auto const& one) { return old.contains(one.second); });
    }

    static IpLink const* link_of(Device const& device, std::string const& interface) {
        auto const at = std::ranges::find(device.links, interface, &IpLink::name);
        return at == device.links.end() ? nullptr : &*at;
    }
    /// The bridge that an interface, or a LAG that it is a member of, is a port of; empty: none.
    std::string bridge_of(Interface const& at) const {
        constexpr int most_masters = 4;
        auto const device = devices_.find(at.first);
        std::string interface = at.second;
        for (int i = 0; device != devices_.end() && i < most_masters; ++i) {
            IpLink const* const link = link_of(device->second, interface);
            if (link == nullptr || link->master.empty()) break;
            IpLink const* const master = link_of(device->second, link->master);
            if (link->member_kind == "bridge" || (master != nullptr && master->kind == "bridge")) return link->master;
            interface = link->master;
        }
        return {};
    }
    /// Does some route go on to a gateway by the bridge, or by a VLAN on it?
    bool goes_on_by(Device const& device, std::string const& bridge) const {
        return std::ranges::any_of(device.routes.routes, [&](IpRoute const& route) {
            return std::ranges::any_of(route.next_hops, [&](IpNextHop const& hop) {
                if (!hop.has_gateway) return false;
                IpLink const* const link = link_of(device, hop.interface);
                return hop.interface == bridge || (link != nullptr && link->below == bridge);
            });
        });
    }
    /// Who is at the ports of a device's bridge, but for one device.
    std::set<std::string> heard_on(std::string const& device, std::string const& bridge,
                                   std::string const& except) const {
        std::set<std::string> names;
        for (auto const& [here, there] : found_.far)
            if (here.first == device && there.first != except && bridge_of(here) == bridge) names.insert(there.first);
        return names;
    }
    /// A cable of the bridges of two routers that share all hosts there: each delivers to them by its own ports, and no
    /// packet that is routed takes the cable.
    bool is_peer_link(Interface const& here, Interface const& there) const {
        std::string const one = bridge_of(here), other = bridge_of(there);
        if (one.empty() || other.empty() || is_host(here.first) || is_host(there.first)) return false;
        if (goes_on_by(devices_.at(here.first), one) || goes_on_by(devices_.at(there.first), other)) return false;
        std::set<std::string> const hosts = heard_on(here.first, one, there.first);
        return !hosts.empty() && hosts == heard_on(there.first, other, here.first);
    }
    bool is_told_by_both(Interface const& here, Interface const& there) const {
        return std::ranges::find(found_.one_sided, std::pair(here, there)) == found_.one_sided.end() &&
               std::ranges::find(found_.one_sided, std::pair(there, here)) == found_.one_sided.end();
    }
    void leave_out_peer_links() {
        std::vector<std::pair<Interface, Interface>> left_out;
        for (auto const& [here, there] : found_.far)
            if (auto const back = found_.far.find(there); here < there && back != found_.far.end() &&
                                                          back->second == here && is_peer_link(here, there) &&
                                                          is_told_by_both(here, there))
                left_out.emplace_back(here, there);
        for (auto const& [here, there] : left_out) found_.far.erase(here), found_.far.erase(there);
        if (left_out.empty()) return;
        auto const& [here, there] = left_out.front();
        found_.remarks.push_back(
            std::to_string(left_out.size()) +
            (left_out.size() == 1 ? " cable between bridges of two routers" : " cables between bridges of routers") +
            " with the same hosts (peer links), which no route goes by, " + (left_out.size() == 1 ? "is" : "are") +
            " left out (the first: " + here.first + " " + here.second + " to " + there.first + " " + there.second +
            ")");
    }

    /// Two interfaces alone in a small network, and routes that go by one of them: there is a cable.
    void join_networks() {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<Interface>> members;
        for (auto const& [name, device] : devices_)
            for (IpRoute const& route : device.routes.routes)
                for (IpNextHop const& hop : route.next_hops)
                    if (is_to_one_neighbour(route, hop))
                        members[{route.prefix.address, route.prefix.length}].insert({name, hop.interface});
        for (auto const& [network, ends] : members) {
            if (ends.size() != 2) continue;
            Interface const &one = *ends.begin(), &other = *ends.rbegin();
            if (one.first == other.first || found_.far.contains(one) || found_.far.contains(other)) continue;
            if (!is_next_hop(one) && !is_next_hop(other) && !(is_port(one) && is_port(other))) continue;
            if (is_link_local(network.first) && !is_next_hop(one)) continue;  // between two switches of a pair
            found_.far[one] = other, found_.far[other] = one;
            found_.unheard.push_back({{one, other}, {network.first, network.second}});
        }
    }

    /// Is it called as the interfaces on which its device hears somebody?
    bool is_port(Interface const& at) const {
        std::vector<LldpNeighbour> const& heard = devices_.at(at.first).neighbours;
        return std::any_of(heard.begin(), heard.end(),
                           [&](LldpNeighbour const& one) { return are_of_one_kind(one.interface, at.second); });
    }

    Devices const& devices_;
    model::Disagreements& disagreements_;
    std::map<std::string, std::map<std::string, RoutedInterface>> routed_;  // by device and interface
    RouterCabling found_;
    std::size_t nameless_ = 0, out_of_band_ = 0, second_ = 0;
    std::string first_nameless_, first_out_of_band_, first_second_;
};

}  // namespace

RouterCabling find_cabling(Devices const& devices, model::Disagreements& disagreements) {
    return Cables(devices, disagreements).find();
}

}  // namespace tailback::formats
