#include "host/formats/frr/findings.hpp"

#include "host/base/numbers.hpp"
#include "host/formats/frr/odd_addresses.hpp"
#include "host/model/routes/ip_plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tailback::formats {
namespace {

/// Hosts by their addresses.
std::map<std::uint32_t, std::vector<model::Host>> owners_of_addresses(RouterFabric const& fabric) {
    std::map<std::uint32_t, std::vector<model::Host>> owners;
    for (std::size_t h = 0; h < fabric.addresses.size(); ++h)
        if (fabric.addresses[h] != 0) owners[fabric.addresses[h]].emplace_back(h);
    return owners;
}

/// `10.1.1.1 and 3 hosts more`
std::string addresses_text(RouterFabric const& fabric, std::vector<model::Lid> const& lids) {
    std::string const first = model::address_text(fabric.addresses[fabric.network.owner(lids.front()).host.value]);
    return lids.size() == 1 ? first : first + " and " + base::counted(lids.size() - 1, "host", "hosts") + " more";
}

class NetworkFindings {
public:
    NetworkFindings(RouterFabric const& fabric, model::Disagreements& disagreements)
        : fabric_(fabric), net_(fabric.network), disagreements_(disagreements) {}

    void note() {
        note_cables();
        note_missing_files();
        note_hosts_without_address();
        note_shared_addresses();
        for (OddAddress const& one :
             find_odd_addresses(fabric_.devices, fabric_.cabling, fabric_.lookup, fabric_.roles.addresses))
            disagreements_.note(one.code, {fabric_.devices.at(one.at.first).file, 0}, one.text, 1,
                                fabric_.place_of(one.at));
    }

private:
    void note_cables() {
        auto const note = [&](diagnosis::Code code, Interface const& at, std::string const& text) {
            disagreements_.note(code, {fabric_.devices.at(at.first).file, 0}, text, 1, fabric_.place_of(at));
        };
        for (auto const& [here, there] : fabric_.cabling.one_sided)
            note(diagnosis::Code::neighbour_hears_not_back, here,
                 here.first + " hears " + there.first + " on " + here.second + ", but " + there.first +
                     " does not hear it on " + there.second);
        std::map<std::string, std::size_t> renamed;  // ports of a device that others hear as other ports of it
        for (auto const& one : fabric_.cabling.renamed) renamed[one.here.first] += !one.own_counts;
        std::set<std::string> told;
        for (auto const& [here, there, heard, own_counts] : fabric_.cabling.renamed)
            if (std::size_t const count = renamed[here.first]; count > 1 && !own_counts) {
                if (told.insert(here.first).second)
                    note(diagnosis::Code::neighbour_ports_differ, {here.first, ""},
                         fmt::format("{} hears neighbours on {} ports that hear other ports of it (the first: {} of "
                                     "{} on {}, which hears {}): its file of neighbours is of another time, or its "
                                     "cables were moved since; what the others hear counts",
                                     here.first, count, there.second, there.first, here.second, heard.second));
            } else
                note(diagnosis::Code::neighbour_ports_differ, here,
                     here.first + " hears " + there.second + " of " + there.first + " on " + here.second + ", which " +
                         there.first + " hears as " + heard.second +
                         (own_counts ? "; its own name counts, by which its routes go" : ", whose cable counts"));
        for (auto const& [here, there, counts] : fabric_.cabling.heard_twice)
            note(diagnosis::Code::neighbour_heard_twice, here,
                 there.second + " of " + there.first + " is heard by " + here.second + " of " + here.first +
                     " and by " + counts.second + " of " + counts.first +
                     ", whose cable counts: one of them tells an old neighbour, or two hosts have one name");
        for (auto const& [ends, of] : fabric_.cabling.unheard)
            if (auto const& [one, other] = ends; !lacks_neighbours(one.first) && !lacks_neighbours(other.first))
                note(diagnosis::Code::cable_not_heard, one,
                     "routes go by " + one.second + " to " + other.second + " of " + other.first +
                         ", which is in the same network (" + text_of(of) +
                         "), and neither end hears the other by LLDP; a cable is taken to be there" +
                         (is_named_like_lag(one.second) || is_named_like_lag(other.second)
                              ? model::collect_members_of_lag("both routers")
                              : ""));
    }

    bool lacks_neighbours(std::string const& name) const {
        auto const at = fabric_.devices.find(name);
        return at == fabric_.devices.end() ||
               (fabric_.roles.routers.contains(name) && !at->second.told_neighbours.whole);
    }

    /// One cause for everything that a device does not tell.
    void note_missing_files() {
        for (std::string const& name : fabric_.roles.routers) {
            auto const at = fabric_.devices.find(name);
            Device const* const device = at == fabric_.devices.end() ? nullptr : &at->second;
            if (!has_routes(fabric_.devices, name)) note_lost_routes(name, device);
            if (device != nullptr && lacks_neighbours(name)) note_lost_neighbours(name, *device);
        }
    }

    void note_hosts_without_address() {
        model::FabricPlace where{"the files", {}, 0, 0, {}, {}};
        std::map<model::Node, std::vector<model::Host>> strangers;  // by router: hosts that tell addresses
        for (std::size_t h = 0; h < net_.hosts().size(); ++h) {
            model::HostRecord const& host = net_[model::Host{h}];
            if (fabric_.addresses[h] != 0 || explained_.contains(host.node.value)) continue;
            model::Link const up = net_.up_link(model::Host{h});
            if (up.exists() && !told_by(model::Host{h}).empty()) strangers[net_[up].to].emplace_back(h);
            else where.nodes.push_back(host.node);
        }
        for (auto const& [router, hosts] : strangers)
            if (strangers.size() <= most_strangers) note_strangers(router, hosts);
            else  // addresses of management
                for (model::Host const host : hosts)
                    if (std::ranges::find(where.nodes, net_[host].node) == where.nodes.end())
                        where.nodes.push_back(net_[host].node);
        if (where.nodes.empty()) return;
        std::string const first = net_[where.nodes.front()].name;
        disagreements_.note(diagnosis::Code::host_without_address, {fabric_.path, 0},
                            "no address is known for " + base::counted(where.nodes.size(), "host", "hosts") +
                                " (the first: " + first +
                                "): put `ip -j addr` of each into a folder with its name, as " + first + "/addr.json",
                            1, where);
    }

    static constexpr std::size_t most_strangers = 2;  // routers

    /// The addresses that a host tells by LLDP.
    std::vector<std::uint32_t> told_by(model::Host host) const {
        std::string const& name = net_[net_[host].node].name;
        auto const& told = fabric_.cabling.told_addresses;
        for (auto at = told.lower_bound({name, ""}); at != told.end() && at->first.first == name; ++at)
            if (fabric_.port_of(at->first) == net_[host].port) return at->second;
        return {};
    }

    /// Hosts of a router that tell addresses of none of its networks: of some hosts these are wrong, of all of them
    /// the router's network.
    void note_strangers(model::Node router, std::vector<model::Host> const& hosts) {
        bool const are_all = hosts.size() > 1 && hosts.size() == fabric_.hosts_behind(router).size();
        model::HostRecord const& first = net_[hosts.front()];
        model::FabricPlace where = are_all ? net_.place_of(router) : net_.place_of(first.node, first.port);
        for (model::Host const host : hosts) where.nodes.push_back(net_[host].node);
        std::string networks;
        if (auto const device = fabric_.devices.find(net_[router].name); device != fabric_.devices.end())
            for (auto const& [interface, of] : routed_interfaces(device->second))
                for (Prefix const& one : of.shared_networks())
                    if (one.length < shortest_of_a_cable)
                        networks += (networks.empty() ? "" : ", ") + text_of(one) + " on " + interface;
        std::string const address = model::address_text(told_by(hosts.front()).front()), &name = net_[first.node].name;
        std::string const whose =
            hosts.size() == 1
                ? fmt::format("{} tells {} by LLDP, of which {} has no network", name, address, net_[router].name)
                : fmt::format(
                      "{} hosts of {} tell addresses by LLDP of which it has no network (the "
                      "first: {} of {})",
                      hosts.size(), net_[router].name, address, name);
        disagreements_.note(diagnosis::Code::address_in_no_network, {fabric_.path, 0},
                            whose + (networks.empty() ? "" : "; it has " + networks), 1, where);
    }

    /// Packets for the address of two hosts reach one of them.
    void note_shared_addresses() {
        for (auto const& [address, hosts] : owners_of_addresses(fabric_)) {
            model::HostRecord const& one = net_[hosts.front()];
            auto const other = std::find_if(hosts.begin(), hosts.end(),
                                            [&](model::Host const host) { return net_[host].node != one.node; });
            if (other == hosts.end()) continue;
            model::FabricPlace where = net_.place_of(one.node, one.port);
            for (model::Host const host : hosts) where.lids.push_back(net_[host].lid);
            disagreements_.note(diagnosis::Code::address_of_two_hosts, {fabric_.path, 0},
                                where.text + " and " + net_.place_of(net_[*other].node, net_[*other].port).text +
                                    (hosts.size() > 2 ? " (and " + std::to_string(hosts.size() - 2) + " more)" : "") +
                                    " have the same address, " + model::address_text(address),
                                1, std::move(where));
        }
    }

    /// @param device null where the folder has nothing of it
    void note_lost_routes(std::string const& name, Device const* device) {
        model::Node const node = fabric_.nodes.at(name);
        model::FabricPlace where = net_.place_of(node);
        where.nodes.push_back(node);
        std::size_t unknown = 0;
        for (model::Host const host : fabric_.hosts_behind(node))
            if (fabric_.addresses[host.value] == 0) {
                where.nodes.push_back(net_[host].node);
                explained_.insert(net_[host].node.value);
                ++unknown;
            }
        std::string text = "its routes are not known: ";
        if (device != nullptr && device->told_routes.lost()) text += device->told_routes.why;
        else if (device != nullptr && device->has_addresses) text += "the folder has none of it";
        else if (device != nullptr) text += "the folder has none of it (if it is a host: put its `ip -j addr` there)";
        else text += "the folder has nothing of it, neither routes nor neighbours";
        if (auto const by = fabric_.roles.sent_by.find(name); device == nullptr && by != fabric_.roles.sent_by.end())
            text += ", and " + by->second + " sends through it";
        if (unknown > 0)
            text += "; " + base::counted(unknown, "host behind it has", "hosts behind it have") + " no known address";
        disagreements_.note(diagnosis::Code::routes_missing, {device != nullptr ? device->file : fabric_.path, 0},
                            device == nullptr ? name + ": " + text : text, 1, where);
    }

    void note_lost_neighbours(std::string const& name, Device const& device) {
        std::size_t cables = 0;
        for (auto const& [here, there] : fabric_.cabling.far) cables += here.first == name;
        std::string const why =
            device.told_neighbours.lost() ? device.told_neighbours.why : "the folder has no `lldpctl -f json` of it";
        model::FabricPlace where = net_.place_of(fabric_.nodes.at(name));
        where.nodes.push_back(fabric_.nodes.at(name));
        disagreements_.note(
            diagnosis::Code::neighbours_missing, {device.file, 0},
            "its neighbours are not known: " + why + "; " +
                base::counted(cables, "cable is known from its other end", "cables are known from their other end") +
                " alone, and hosts that hang off it are missing",
            1, where);
    }

    RouterFabric const& fabric_;
    model::Network const& net_;
    model::Disagreements& disagreements_;
    std::set<std::uint32_t> explained_;  // hosts' nodes, whose address is not known as a router's routes are missing
};

class ForwardingFindings {
public:
    ForwardingFindings(RouterFabric const& fabric, RouterForwarding const& forwarding,
                       model::Disagreements& disagreements)
        : fabric_(fabric), net_(fabric.network), forwarding_(forwarding), disagreements_(disagreements) {}

    void note() {
        for (auto const& [at, lids] : forwarding_.to_no_cable) note_no_cable(model::Node{at.first}, at.second, lids);
        for (auto const& [node, drops] : forwarding_.drops) note_drops(model::Node{node}, drops);
        note_elsewhere();
        note_routers_without_neighbours();
        note_hosts_without_route();
        note_gone_router();
    }

private:
    /// Does a route lead out of ports without a cable alone?
    bool leads_nowhere(std::string const& name, IpRoute const& route) const {
        model::Node const node = fabric_.nodes.at(name);
        return !route.next_hops.empty() &&
               std::all_of(route.next_hops.begin(), route.next_hops.end(), [&](IpNextHop const& hop) {
                   model::Port const port = fabric_.port_of({name, hop.interface});
                   return hop.has_gateway && port != 0 && !net_.link_at(node, port).exists();
               });
    }

    /// The first of a router's routes that lead nowhere and are like those to hosts, or to one address; null where it
    /// has none, or where its way out of the fabric goes there, too.
    IpRoute const* route_to_gone(std::string const& name, Device const& device) const {
        std::vector<IpRoute const*> nowhere;
        for (IpRoute const& route : device.routes.routes)
            if (leads_nowhere(name, route)) nowhere.push_back(&route);
        if (nowhere.empty()) return nullptr;
        std::set<std::uint32_t> lengths = {32};
        for (std::uint32_t const address : fabric_.addresses)
            if (IpRoute const* const route = address != 0 ? fabric_.lookup.find(device, address) : nullptr)
                if (route->prefix.length > 0 && !route->next_hops.empty() && route->next_hops.front().has_gateway)
                    lengths.insert(route->prefix.length);
        IpRoute const* first = nullptr;
        for (IpRoute const* const route : nowhere) {
            if (route->prefix.length == 0) return nullptr;
            if (first == nullptr && lengths.contains(route->prefix.length)) first = route;
        }
        return first;
    }

    /// Several routers without hosts still send to one whose files, cables and hosts nobody knows.
    void note_gone_router() {
        std::vector<Interface> from;
        std::string prefix;
        for (auto const& [name, device] : fabric_.devices) {
            if (!device.told_routes.whole || !fabric_.hosts_behind(fabric_.nodes.at(name)).empty()) continue;
            IpRoute const* const route = route_to_gone(name, device);
            if (route == nullptr) continue;
            Interface const at{name, route->next_hops.front().interface};
            if (forwarding_.to_no_cable.contains({fabric_.nodes.at(name).value, fabric_.port_of(at)})) continue;
            if (from.empty()) prefix = text_of(route->prefix);
            from.push_back(at);
        }
        if (from.size() < 2) return;
        disagreements_.note(diagnosis::Code::router_gone, {fabric_.devices.at(from[0].first).file, 0},
                            base::counted(from.size(), "router has", "routers have") + " routes like that to " +
                                prefix + " by ports where LLDP hears nobody (the first: " + from[0].second + " of " +
                                from[0].first + "): a router that led there is gone, or tells nothing of itself",
                            1, fabric_.place_of(from[0]));
    }

    /// Routes without a next hop: discarded on purpose, or all their next hops are down.
    void note_drops(model::Node node, RouterForwarding::Drops const& drops) {
        model::FabricPlace where = net_.place_of(node);
        where.lids = drops.lids;
        auto const& [address, length] = *drops.prefixes.begin();
        std::size_t const more = drops.prefixes.size() - 1;
        disagreements_.note(diagnosis::Code::black_hole, {fabric_.devices.at(net_[node].name).file, 0},
                            net_[node].name + " drops packets for " + addresses_text(fabric_, drops.lids) +
                                ": its route " + text_of(Prefix{address, length}) +
                                (more == 0 ? std::string(" has") : " and " + std::to_string(more) + " more have") +
                                " no next hop (a black hole, or all of them are down)",
                            1, std::move(where));
    }

    /// `node07 at swp3 of leaf04`
    std::string host_text(model::Lid lid) const {
        model::LidOwner const owner = net_.owner(lid);
        model::Link const up = net_.up_link(owner.host);
        std::string text = net_[owner.node].name;
        if (up.exists())
            text += " at " + net_.port_name(net_[up].to, net_[up].to_port) + " of " + net_[net_[up].to].name;
        return text;
    }
    using Elsewhere = std::map<RouterForwarding::Connected, std::vector<model::Lid>>::value_type;

    /// The router that a host hangs off; none without a cable.
    model::Node router_of(model::Lid lid) const {
        model::Link const up = net_.up_link(net_.owner(lid).host);
        return up.exists() ? net_[up].to : model::Node{};
    }

    void note_elsewhere() {
        std::set<Elsewhere const*> told;
        for (Elsewhere const& one : forwarding_.elsewhere) {
            auto const other = std::ranges::find_if(forwarding_.elsewhere, [&](Elsewhere const& it) {
                return one.second.size() == 1 && it.second.size() == 1 && !told.contains(&it) &&
                       network_of(one.first) != network_of(it.first) &&  // else it is of two routers
                       router_of(one.second[0]) == model::Node{it.first.node} &&
                       router_of(it.second[0]) == model::Node{one.first.node};
            });
            if (told.contains(&one)) continue;
            if (other == forwarding_.elsewhere.end()) {
                note_elsewhere(one.first, one.second);
                continue;
            }
            told.insert(&*other);
            note_swapped_hosts(one, *other);
        }
    }
    static Prefix network_of(RouterForwarding::Connected const& one) { return {one.address, one.length}; }
    /// `10.1.0.0/24, which leaf01 has on vlan10`
    std::string network_text(RouterForwarding::Connected const& network) const {
        return text_of(network_of(network)) + ", which " + net_[model::Node{network.node}].name + " has on " +
               network.interface;
    }
    /// Two hosts that each hang off the router that has the other's network.
    void note_swapped_hosts(Elsewhere const& one, Elsewhere const& other) {
        model::HostRecord const& host = net_[net_.owner(one.second[0]).host];
        model::FabricPlace where = net_.place_of(host.node, host.port);
        where.lids = {one.second[0], other.second[0]};
        disagreements_.note(diagnosis::Code::hosts_on_wrong_routers, {fabric_.path, 0},
                            host_text(one.second[0]) + " has an address of " + network_text(one.first) + ", and " +
                                host_text(other.second[0]) + " one of " + network_text(other.first) +
                                ": their cables, or their addresses, are swapped",
                            1, std::move(where));
    }
    /// A network of hosts that hang off another router, to which no cable joins it.
    void note_elsewhere(RouterForwarding::Connected const& network, std::vector<model::Lid> const& lids) {
        model::Node const node{network.node};
        model::FabricPlace where = net_.place_of(node);
        where.lids = lids;
        std::size_t const more = lids.size() - 1;
        disagreements_.note(
            diagnosis::Code::network_elsewhere, {fabric_.devices.at(net_[node].name).file, 0},
            net_[node].name + " has network " + text_of(network_of(network)) + " on " + network.interface + ", and " +
                host_text(lids.front()) + " has an address in it, " +
                model::address_text(fabric_.addresses[net_.owner(lids.front()).host.value]) +
                (more > 0 ? "; so " + std::string(more == 1 ? "has " : "have ") + base::counted(more, "more", "more")
                          : "") +
                ": it is cabled elsewhere, or the network is of two routers",
            1, std::move(where));
    }

    /// Does a route of another lead to it?
    bool is_sent_to(std::string const& name) const {
        for (auto const& [here, there] : fabric_.cabling.far) {
            auto const device = there.first == name ? fabric_.devices.find(here.first) : fabric_.devices.end();
            if (device == fabric_.devices.end()) continue;
            for (IpRoute const& route : device->second.routes.routes)
                for (IpNextHop const& hop : route.next_hops)
                    if (hop.has_gateway && hop.interface == here.second) return true;
        }
        return false;
    }

    /// Routers with cables to others and no route by any of them, behind which somebody is or to which others send; not
    /// where everybody is behind one, which needs no route.
    void note_routers_without_neighbours() {
        for (std::string const& name : fabric_.roles.routers) {
            if (!has_routes(fabric_.devices, name)) continue;
            std::vector<IpRoute> const& routes = fabric_.devices.at(name).routes.routes;
            if (std::any_of(routes.begin(), routes.end(), [](IpRoute const& route) {
                    return std::any_of(route.next_hops.begin(), route.next_hops.end(),
                                       [](IpNextHop const& hop) { return hop.has_gateway; });
                }))
                continue;
            model::Node const node = fabric_.nodes.at(name);
            model::FabricPlace where = net_.place_of(node);
            where.nodes.push_back(node);
            std::size_t cables = 0;
            for (std::uint32_t l = 0; l < net_.link_count(node); ++l)
                cables += net_.is_switch(net_[model::Link{net_.first_link(node).value + l}].to);
            for (model::Host const host : fabric_.hosts_behind(node)) where.lids.push_back(net_[host].lid);
            if (where.lids.size() == net_.hosts().size()) continue;
            if (cables == 0 || (where.lids.empty() && !is_sent_to(name))) continue;
            disagreements_.note(diagnosis::Code::router_without_routes, {fabric_.devices.at(name).file, 0},
                                name + " has no IPv4 route by any of its " + base::counted(cables, "cable", "cables") +
                                    " to other routers: its sessions seem to be down",
                                1, std::move(where));
        }
    }

    /// Addresses that no router has a route for.
    void note_hosts_without_route() {
        std::map<std::uint32_t, std::vector<model::Lid>> behind;  // by router
        for (std::size_t h = 0; h < net_.hosts().size(); ++h) {
            model::Link const up = net_.up_link(model::Host{h});
            if (fabric_.addresses[h] != 0 && up.exists() && !forwarding_.routed.contains(static_cast<std::uint32_t>(h)))
                behind[net_[up].to.value].push_back(net_[model::Host{h}].lid);
        }
        for (auto const& [router, lids] : behind) {
            model::HostRecord const& host = net_[net_.owner(lids.front()).host];
            bool const one = lids.size() == 1;
            model::FabricPlace where = one ? net_.place_of(host.node, host.port) : net_.place_of(model::Node{router});
            where.lids = lids;
            disagreements_.note(diagnosis::Code::no_route_to_host, {fabric_.path, 0},
                                one ? "no router has a route for its address, " + addresses_text(fabric_, lids)
                                    : "no router has a route for the addresses of " + std::to_string(lids.size()) +
                                          " hosts behind it, " + addresses_text(fabric_, lids) +
                                          ": its own network of them is missing",
                                1, std::move(where));
        }
    }

    void note_no_cable(model::Node node, model::Port port, std::vector<model::Lid> const& lids) {
        model::FabricPlace where = net_.place_of(node, port);
        where.lids = lids;
        disagreements_.note(
            diagnosis::Code::sends_to_no_neighbour, {fabric_.devices.at(net_[node].name).file, 0},
            net_[node].name + " sends packets for " + addresses_text(fabric_, lids) + " to " +
                net_.port_label(node, port) + ", where LLDP hears nobody" +
                (is_named_like_lag(net_.port_label(node, port)) ? model::collect_members_of_lag("the router") : ""),
            1, std::move(where));
    }

    RouterFabric const& fabric_;
    model::Network const& net_;
    RouterForwarding const& forwarding_;
    model::Disagreements& disagreements_;
};

}  // namespace

void note_network(RouterFabric const& fabric, model::Disagreements& disagreements) {
    NetworkFindings(fabric, disagreements).note();
}

void note_forwarding(RouterFabric const& fabric, RouterForwarding const& forwarding,
                     model::Disagreements& disagreements) {
    ForwardingFindings(fabric, forwarding, disagreements).note();
    note_unheard_hosts(fabric, disagreements);
}

namespace {

/// LAGs by which routes go, and members that carry nothing.
void add_remarks_on_lags(RouterFabric const& fabric, std::vector<std::string>& remarks) {
    std::size_t lags = 0, of_several = 0, idle = 0;
    std::string first, first_of_several, first_idle;
    for (auto const& [name, device] : fabric.devices)
        for (auto const& [interface, lag] : device.lags) {
            if (lags++ == 0) first = interface + " of " + name;
            if (lag.neighbours > 1 && of_several++ == 0) first_of_several = interface + " of " + name;
            if (idle == 0 && !lag.idle.empty())
                first_idle = lag.idle[0].member + " " + lag.idle[0].why + " (" + interface + " of " + name + ")";
            idle += lag.idle.size();
        }
    if (lags > 0)
        remarks.push_back("routes go by " + base::counted(lags, "LAG", "LAGs") + " (the first: " + first +
                          "): its members are the cables, each with an equal part of its load; which one a flow takes "
                          "is by the LAG's own hash, which no file tells");
    if (of_several > 0)
        remarks.push_back(base::counted(of_several, "LAG has", "LAGs have") +
                          " members to several devices, as to a pair that shares an address (MLAG); its load is "
                          "divided over all (the first: " +
                          first_of_several + ")");
    if (idle > 0)
        remarks.push_back(base::counted(idle, "member of a LAG carries", "members of LAGs carry") +
                          " nothing (the first: " + first_idle + ")");
}

/// What files have beside that which counts, and names that say nothing.
void add_remarks_on_files(RouterFabric const& fabric, std::vector<std::string>& remarks) {
    std::size_t named = 0;
    std::string first_named;
    for (auto const& [name, device] : fabric.devices) {
        if (named == 0 && device.named_by_network > 0) first_named = name;
        named += device.named_by_network;
    }
    if (named > 0)
        remarks.push_back(base::counted(named, "neighbour tells", "neighbours tell") +
                          " no name of its own by LLDP; the device counts that has the port in the same network (the "
                          "first: at " +
                          first_named + ")");
    std::size_t tables = 0, answers = 0;
    std::string first_table, first_answer;
    for (auto const& [name, device] : fabric.devices) {
        if (!device.routes.other_tables.empty() && tables++ == 0)
            first_table = fmt::format("{} of {}", fmt::join(device.routes.other_tables, ", "), name);
        if (!device.other_answers.empty() && answers == 0) first_answer = device.other_answers.front();
        answers += device.other_answers.size();
    }
    if (tables > 0)
        remarks.push_back(base::counted(tables, "router tells", "routers tell") +
                          " routes of more than one VRF; those of one count, and the others are left out (the first: " +
                          first_table + ")");
    if (answers > 0)
        remarks.push_back(base::counted(answers, "file has", "files have") +
                          " further answers, which are left out (the first: " + first_answer + ")");
}

}  // namespace

std::vector<std::string> remarks_on(RouterFabric const& fabric) {
    std::vector<std::string> remarks = fabric.cabling.remarks;
    add_remarks_on_lags(fabric, remarks);
    add_remarks_on_files(fabric, remarks);
    for (std::string& one : remarks_on_silence(fabric)) remarks.push_back(std::move(one));
    std::size_t count = 0;  // bonds over two leaves, and routes on hosts
    for (auto const& [address, hosts] : owners_of_addresses(fabric))
        count += hosts.size() > 1 && fabric.network[hosts[0]].node == fabric.network[hosts[1]].node;
    if (count > 0)
        remarks.push_back(base::counted(count, "host has", "hosts have") +
                          " one address on several cables: each cable is an endpoint of its own, and what comes by "
                          "another cable of the host has arrived");
    return remarks;
}

}  // namespace tailback::formats
