// Hosts, networks and ports where LLDP hears nobody, and somebody should be.
#include "host/formats/frr/findings.hpp"

#include "host/base/numbers.hpp"
#include "host/model/routes/ip_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tailback::formats {
namespace {

class UnheardHosts {
public:
    explicit UnheardHosts(RouterFabric const& fabric) : fabric_(fabric) {
        known_.insert(fabric.addresses.begin(), fabric.addresses.end());
        for (auto const& [name, device] : fabric.devices) {
            if (!fabric.roles.routers.contains(name)) continue;
            for (IpAddress const& one : device.own()) known_.insert(one.own.address);
            for (auto const& [interface, address] : routed_loopbacks(device)) known_.insert(address);
        }
    }

    struct Unheard {
        Interface at;  ///< of a router
        Prefix route;
        std::uint32_t address = 0;
        std::string host;  ///< whose file tells it; empty: none
    };
    /// By router.
    std::map<std::string, std::vector<Unheard>> find() {
        for (auto const& [name, device] : fabric_.devices)
            if (is_listening(name, device)) routed_alone(name, device);
        if (2 * found_.size() > heard_) found_.clear();  // hosts without lldpd are usual here
        for (auto const& [name, device] : fabric_.devices)
            if (device.has_addresses && !fabric_.roles.routers.contains(name)) of_its_file(name, device);
        std::map<std::string, std::vector<Unheard>> by_router;
        for (auto const& [address, one] : found_) by_router[one.at.first].push_back(one);
        return by_router;
    }

private:
    /// Are its routes and neighbours known, and does every host that it hears hang off it?
    bool is_listening(std::string const& name, Device const& device) const {
        return device.told_routes.whole && device.told_neighbours.whole &&
               std::ranges::none_of(fabric_.cabling.heard_twice,
                                    [&](auto const& one) { return one.here.first == name; });
    }
    bool hears_nobody(Interface const& at) const {
        return !fabric_.cabling.far.contains(at) && !is_management(at.second);
    }

    /// Routes to single addresses by ports that hear nobody, of a router that has such routes to hosts.
    void routed_alone(std::string const& name, Device const& device) {
        std::map<std::string, std::vector<Prefix>> by_port;  // that routes go on by
        std::set<std::string> others;                        // ports of other routes
        std::size_t heard = 0;
        for (IpRoute const& route : device.routes.routes)
            for (IpNextHop const& hop : route.next_hops) {
                bool const is_alone = route.next_hops.size() == 1 && route.prefix.length == 32 && hop.has_gateway;
                if (!is_alone) {
                    others.insert(hop.interface);
                } else if (hears_nobody({name, hop.interface})) {
                    by_port[hop.interface].push_back(route.prefix);
                } else if (auto const far = fabric_.cabling.far.find({name, hop.interface});
                           far != fabric_.cabling.far.end()) {
                    auto const host = fabric_.roles.addresses.find(far->second);
                    heard += host != fabric_.roles.addresses.end() && host->second == route.prefix.address;
                }
            }
        heard_ += heard;
        for (auto const& [port, prefixes] : by_port)
            if (heard > 0 && !others.contains(port) && prefixes.size() == 1 &&
                !known_.contains(prefixes.front().address))
                found_[prefixes.front().address] = {{name, port}, prefixes.front(), prefixes.front().address, {}};
    }

    /// Addresses of a host's file that no port has, and in whose network there is a router that does not hear it.
    void of_its_file(std::string const& host, Device const& device) {
        for (IpAddress const& one : device.addresses) {
            std::uint32_t const address = one.own.address;
            if (auto const at = found_.find(address); at != found_.end()) at->second.host = host;
            if (known_.contains(address) || found_.contains(address) || is_localhost(address) ||
                is_link_local(address) || fabric_.cabling.far.contains({host, one.interface}))
                continue;
            Unheard unheard{{}, {}, address, host};
            if (is_in_silent_network(unheard)) found_[address] = unheard;
        }
    }

    /// Is it in a network of routers of which none hears its host, nor a host whose address is not known?
    bool is_in_silent_network(Unheard& unheard) const {
        std::size_t with_it = 0;
        for (auto const& [name, device] : fabric_.devices) {
            IpRoute const* const route = fabric_.lookup.find(device, unheard.address);
            if (route == nullptr || route->prefix.length == 0 || route->prefix.length == 32 ||
                route->next_hops.empty() || route->next_hops.front().has_gateway)
                continue;
            Interface const at{name, route->next_hops.front().interface};
            if (!is_listening(name, device) || !hears_nobody(at) || hears_it_or_unknown(name, unheard.host))
                return false;
            if (with_it++ == 0) unheard.at = at, unheard.route = route->prefix;
        }
        return with_it > 0 && (2 * with_it < fabric_.roles.routers.size() || holds_a_host(unheard.route));
    }
    bool hears_it_or_unknown(std::string const& router, std::string const& host) const {
        for (model::Host const one : fabric_.hosts_behind(fabric_.nodes.at(router)))
            if (fabric_.addresses[one.value] == 0 || fabric_.network[fabric_.network[one].node].name == host)
                return true;
        return false;
    }
    bool holds_a_host(Prefix const& network) const {
        return std::ranges::any_of(fabric_.addresses,
                                   [&](std::uint32_t const one) { return one != 0 && network.holds(one); });
    }

    RouterFabric const& fabric_;
    std::set<std::uint32_t> known_;  // addresses of ports, and of routers
    std::size_t heard_ = 0;          // hosts with a route to their single address
    std::map<std::uint32_t, Unheard> found_;
};

/// Networks on bridges of routers behind which no host is heard; one that half of all routers are in is for management.
std::string silent_networks(RouterFabric const& fabric) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Interface>> by_network;
    std::size_t routers = 0;
    for (auto const& [name, device] : fabric.devices) {
        if (!device.told_routes.whole) continue;
        ++routers;
        for (auto const& [interface, routed] : routed_interfaces(device))
            for (Prefix const& network : routed.shared_networks())
                if (network.length < shortest_of_a_cable && !is_link_local(network.address))
                    by_network[{network.address, network.length}].emplace_back(name, interface);
    }
    std::string first;
    std::size_t more = 0;
    for (auto const& [key, interfaces] : by_network) {
        Prefix const network{key.first, key.second};
        bool const silent =
            2 * interfaces.size() < routers &&
            std::none_of(fabric.addresses.begin(), fabric.addresses.end(),
                         [&](std::uint32_t one) { return one != 0 && network.holds(one); }) &&
            std::all_of(interfaces.begin(), interfaces.end(), [&](Interface const& at) {
                return fabric.port_of(at) == 0 && fabric.hosts_behind(fabric.nodes.at(at.first)).empty();
            });
        if (!silent) continue;
        if (first.empty()) first = text_of(network) + " (" + interfaces[0].second + " of " + interfaces[0].first + ")";
        else ++more;
    }
    if (first.empty()) return {};
    return "no host is heard in network " + first + (more > 0 ? ", nor in " + std::to_string(more) + " more" : "") +
           ": hosts without lldpd are not part of this fabric";
}

/// Ports with an address of a cable's network that no route knows and on which nobody is heard: they are down.
std::string ports_that_are_down(RouterFabric const& fabric) {
    std::string first;
    std::size_t count = 0;
    for (auto const& [name, device] : fabric.devices) {
        if (!device.told_routes.whole || !device.told_neighbours.whole) continue;
        auto const routed = routed_interfaces(device);
        for (IpAddress const& one : device.addresses) {
            if (one.own.length < shortest_of_a_cable || one.own.length == 32 || is_loopback(one.interface) ||
                is_management(one.interface) || is_link_local(one.own.address) || routed.contains(one.interface) ||
                fabric.cabling.far.contains({name, one.interface}))
                continue;
            if (count++ == 0) first = one.interface + " of " + name;
        }
    }
    if (count == 0) return {};
    return base::counted(count, "port has an address of a cable, hears nobody, and its network is not connected",
                         "ports have an address of a cable, hear nobody, and their networks are not connected") +
           " by the routes (the first: " + first + "): a cable is out, or the port is shut";
}

}  // namespace

void note_unheard_hosts(RouterFabric const& fabric, model::Disagreements& disagreements) {
    for (auto const& [router, all] : UnheardHosts(fabric).find()) {
        auto const& [at, route, address, host] = all.front();
        std::string text = fmt::format("{} has network {} on {} for {} of {}, and no router of that network hears {}",
                                       router, text_of(route), at.second, model::address_text(address), host, host);
        if (route.length == 32)
            text = fmt::format("{} has a route to {}{} by {}, and hears nobody there by LLDP", router,
                               model::address_text(address), host.empty() ? "" : " of " + host, at.second);
        if (all.size() > 1) text += "; so it is with " + base::counted(all.size() - 1, "more host", "more hosts");
        disagreements.note(diagnosis::Code::host_not_heard, {fabric.devices.at(router).file, 0},
                           text + ": it is unplugged, or runs no lldpd, and is not in the network there", 1,
                           fabric.place_of(at));
    }
}

std::vector<std::string> remarks_on_silence(RouterFabric const& fabric) {
    std::vector<std::string> remarks;
    for (std::string const& one : {silent_networks(fabric), ports_that_are_down(fabric)})
        if (!one.empty()) remarks.push_back(one);
    return remarks;
}

}  // namespace tailback::formats
