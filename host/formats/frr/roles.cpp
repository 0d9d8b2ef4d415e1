#include "host/formats/frr/roles.hpp"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace tailback::formats {
namespace {

class RoleFinder {
public:
    RoleFinder(Devices const& devices, RouterCabling const& cabling, RouteLookup const& lookup)
        : devices_(devices), cabling_(cabling), lookup_(lookup) {}

    Roles find() {
        find_routers();
        find_addresses();
        find_routers_between();
        return std::move(roles_);
    }

private:
    /// The address of what hangs off a router's interface.
    std::uint32_t address_behind(Interface const& at, Interface const& host) const {
        Device const& device = devices_.at(at.first);
        if (std::uint32_t const own = own_address(at, host); own != 0) return own;
        std::uint32_t guess = 0;
        Prefix own;
        for (IpAddress const& one : device.own())
            if (one.interface == at.second) own = one.own;
        std::vector<std::uint32_t> told;
        if (auto const found = cabling_.told_addresses.find(host); found != cabling_.told_addresses.end())
            told = found->second;
        for (IpRoute const& route : device.routes.routes)
            for (IpNextHop const& hop : route.next_hops) {
                if (hop.has_gateway || hop.interface != at.second) continue;
                for (std::uint32_t const address : told)
                    if (route.prefix.holds(address)) return address;
                if (route.prefix.length == 32) guess = route.prefix.address;
                else if (guess == 0) guess = other_address(route.prefix, own.address);
            }
        if (guess != 0) return guess;
        for (std::uint32_t const address : told)
            if (lookup_.find(device, address) != nullptr || is_routed(address)) return address;
        // Its routes are lost, and it told its own addresses.
        return !has_routes(devices_, at.first) && own.length >= 30 && own.length < 32 ? other_address(own, own.address)
                                                                                      : 0;
    }
    /// By a host's own file: the address of the interface; else one that the router is connected to or sends to by the
    /// host's port, or that others have a route for (of a bond, a VLAN, a bridge, or a loopback); else its only one.
    /// 0 = it tells none.
    std::uint32_t own_address(Interface const& at, Interface const& host) const {
        auto const itself = devices_.find(host.first);
        if (itself == devices_.end()) return 0;
        std::vector<std::uint32_t> others;
        for (IpAddress const& one : itself->second.own()) {
            if (one.interface == host.second) return one.own.address;
            if (!is_localhost(one.own.address) && !is_link_local(one.own.address)) others.push_back(one.own.address);
        }
        Device const& router = devices_.at(at.first);
        auto const next_hop = [&](std::uint32_t address) -> IpNextHop const* {
            IpRoute const* const route = lookup_.find(router, address);
            bool const leads = route != nullptr && route->prefix.length > 0 && !route->next_hops.empty();
            return leads ? &route->next_hops.front() : nullptr;
        };
        for (std::uint32_t const address : others)
            if (IpNextHop const* const hop = next_hop(address); hop != nullptr && !hop->has_gateway) return address;
        for (std::uint32_t const address : others)
            if (IpNextHop const* const hop = next_hop(address); hop != nullptr && hop->interface == at.second)
                return address;
        for (std::uint32_t const address : others)
            if (is_routed(address)) return address;
        return others.size() == 1 ? others.front() : 0;
    }
    /// Does any router send packets for an address to another, and not by its default route?
    bool is_routed(std::uint32_t address) const {
        return std::any_of(devices_.begin(), devices_.end(), [&](auto const& one) {
            IpRoute const* const route = lookup_.find(one.second, address);
            return route != nullptr && route->prefix.length > 0 && !route->next_hops.empty() &&
                   route->next_hops.front().has_gateway;
        });
    }
    /// The lowest host address of a network that is not the router's own; that one has the lowest if nobody tells.
    static std::uint32_t other_address(Prefix const& network, std::uint32_t own) {
        std::uint32_t const base =
            network.length == 0 ? 0 : network.address & ~std::uint32_t{0} << (32 - network.length);
        std::uint32_t const first = network.length == 31 ? base : base + 1;
        if (own == 0) own = first;
        return first != own ? first : first + 1;
    }

    /// Who has a file of routes, even a damaged one; who has files and no address of its own; through whom others send;
    /// who hears a host.
    void find_routers() {
        for (auto const& [name, device] : devices_)
            if (device.told_routes.whole || device.told_routes.lost() || !device.has_addresses)
                roles_.routers.insert(name);
        for (auto const& [here, there] : cabling_.far)
            if (has_routes(devices_, here.first)) heard_by_[there.first].insert(here.first);
        Senders senders;
        for (auto const& [name, device] : devices_)
            for (IpRoute const& route : device.routes.routes)
                for (IpNextHop const& hop : route.next_hops)
                    if (auto const at = cabling_.far.find({name, hop.interface});
                        at != cabling_.far.end() && hop.has_gateway && !devices_.contains(at->second.first) &&
                        leads_on(route.prefix, at->second))
                        senders[at->second.first].insert(name);
        take_routers(senders);
        find_routers_that_hear_hosts();
    }

    using Senders = std::map<std::string, std::set<std::string, Natural>, Natural>;  ///< by whom they send through
    /// A router is one through whom several routers send; one router's wrong route makes none of a host, unless it
    /// calls itself one. Several hear it.
    void take_routers(Senders const& senders) {
        for (auto const& [name, by] : senders)
            if (heard_by_[name].size() > 1 && (by.size() > 1 || cabling_.call_themselves_routers.contains(name))) {
                roles_.routers.insert(name);
                roles_.sent_by.try_emplace(name, *by.begin());
            }
    }

    /// A router whose file of routes is not there: routers hear it, and it hears a host, which no router hears, or
    /// which tells nothing of neighbours.
    void find_routers_that_hear_hosts() {
        std::set<std::string> found;
        for (auto const& [here, there] : cabling_.far) {
            auto const at = devices_.find(here.first), other = devices_.find(there.first);
            if (at == devices_.end() || at->second.neighbours.empty() || heard_by_[here.first].empty()) continue;
            bool const hears = other != devices_.end() && !other->second.neighbours.empty();
            bool const is_host = heard_by_[there.first].empty() || (!hears && !roles_.routers.contains(there.first));
            if (is_host && !has_routes(devices_, there.first)) found.insert(here.first);
        }
        roles_.routers.insert(found.begin(), found.end());
    }

    /// A host of its own address alone forwards nothing, nor does who is only a way out. Who calls itself a router
    /// forwards to addresses that it does not tell.
    bool leads_on(Prefix const& prefix, Interface const& next) const {
        if (prefix.length < 32) return prefix.length > 0;
        auto const told = cabling_.told_addresses.find(next);
        return cabling_.call_themselves_routers.contains(next.first) && told != cabling_.told_addresses.end() &&
               std::ranges::find(told->second, prefix.address) == told->second.end();
    }

    void find_addresses() {
        for (auto const& [here, there] : cabling_.far)
            if (devices_.contains(here.first) && roles_.routers.contains(here.first) &&
                !roles_.routers.contains(there.first))
                roles_.addresses[there] = address_behind(here, there);
    }

    /// Nodes without routes of their own that routes to others lead through.
    void find_routers_between() {
        heard_by_.clear();
        for (auto const& [here, there] : cabling_.far) heard_by_[there.first].insert(here.first);
        std::set<std::pair<std::string, std::uint32_t>> own;
        for (auto const& [host, address] : roles_.addresses) own.emplace(host.first, address);
        Senders senders;
        for (auto const& [name, device] : devices_) {
            if (!device.told_routes.whole) continue;
            std::unordered_map<IpRoute const*, std::vector<std::string>> without_routes;  // who a route leads to
            for (auto const& [host, address] : roles_.addresses) {
                IpRoute const* const route = address != 0 ? lookup_.find(device, address) : nullptr;
                if (route == nullptr) continue;
                auto const [leads_to, added] = without_routes.try_emplace(route);
                if (added)
                    for (IpNextHop const& hop : route->next_hops)
                        if (auto const at = cabling_.far.find({name, hop.interface});
                            at != cabling_.far.end() && hop.has_gateway && !has_routes(devices_, at->second.first))
                            leads_to->second.push_back(at->second.first);
                for (std::string const& next : leads_to->second)
                    if (!own.contains({next, address})) senders[next].insert(name);
            }
        }
        take_routers(senders);
    }

    Devices const& devices_;
    RouterCabling const& cabling_;
    RouteLookup const& lookup_;
    std::map<std::string, std::set<std::string>> heard_by_;  // routers that hear a node
    Roles roles_;
};

}  // namespace

bool has_routes(Devices const& devices, std::string const& name) {
    auto const at = devices.find(name);
    return at != devices.end() && at->second.told_routes.whole;
}

Roles find_roles(Devices const& devices, RouterCabling const& cabling, RouteLookup const& lookup) {
    return RoleFinder(devices, cabling, lookup).find();
}

}  // namespace tailback::formats
