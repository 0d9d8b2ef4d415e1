// From the files of all devices to one fabric: who they are, how they are cabled, which hosts have which addresses,
// and what every switch does with packets for each of them.
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/formats/frr/cabling.hpp"
#include "host/formats/frr/longest_prefix.hpp"
#include "host/formats/frr/odd_addresses.hpp"
#include "host/model/routes/candidate_sets.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

namespace tailback::formats {
namespace {

class Builder {
public:
    Builder(std::string path, Devices devices, model::Disagreements& disagreements)
        : path_(std::move(path)), devices_(std::move(devices)), disagreements_(disagreements) {}

    model::Fabric build() {
        cabling_ = find_cabling(devices_, disagreements_);
        plan_.remarks = cabling_.remarks;
        find_routers();
        find_addresses();
        find_switches();
        add_nodes();
        require_hosts();
        model::Fabric fabric;
        fabric.network = builder_.finish(disagreements_, path_);
        note_cables(fabric.network);
        note_missing(fabric.network);
        note_shared_addresses(fabric.network);
        for (auto const& [at, text] : find_odd_addresses(devices_, cabling_, address_))
            disagreements_.note(model::Disagreement::descriptions_differ, {devices_.at(at.first).file, 0}, text, 1,
                                place_of(fabric.network, at));
        remark_on_hosts_on_several_cables(fabric.network);
        route(fabric);
        fabric.ip = std::make_shared<model::IpPlan const>(std::move(plan_));
        return fabric;
    }

private:
    bool has_routes(std::string const& name) const {
        auto const at = devices_.find(name);
        return at != devices_.end() && at->second.told_routes.whole;
    }

    /// The address of what hangs off a switch's interface.
    std::uint32_t address_behind(Interface const& at, Interface const& host) const {
        Device const& device = devices_.at(at.first);
        if (auto const itself = devices_.find(host.first); itself != devices_.end())
            for (IpAddress const& one : itself->second.routes.own)
                if (one.interface == host.second) return one.own.address;
        std::uint32_t guess = 0;
        Prefix own;
        for (IpAddress const& one : device.routes.own)
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
            if (find_route(table_of(device), address) != nullptr) return address;
        // Its routes are lost, and it told its own addresses.
        return !has_routes(at.first) && own.length >= 30 && own.length < 32 ? other_address(own, own.address) : 0;
    }
    /// The lowest host address of a network that is not the switch's own; that one has the lowest if nobody tells.
    static std::uint32_t other_address(Prefix const& network, std::uint32_t own) {
        std::uint32_t const base =
            network.length == 0 ? 0 : network.address & ~std::uint32_t{0} << (32 - network.length);
        std::uint32_t const first = network.length == 31 ? base : base + 1;
        if (own == 0) own = first;
        return first != own ? first : first + 1;
    }

    LongestPrefix const& table_of(Device const& device) const {
        auto const [at, added] = tables_.try_emplace(&device);
        if (added) at->second = LongestPrefix(device.routes.routes);
        return at->second;
    }
    static IpRoute const* find_route(LongestPrefix const& table, std::uint32_t address) { return table.find(address); }

    /// Who has a file of routes, even a damaged one; who has files and no address of its own; through whom others send.
    void find_routers() {
        for (auto const& [name, device] : devices_)
            if (device.told_routes.whole || device.told_routes.lost() || !device.has_addresses) switches_.insert(name);
        // Who hears a host is no host: a router whose file of routes is not there.
        std::set<std::string> heard_by_routers;
        for (auto const& [here, there] : cabling_.far)
            if (has_routes(here.first)) heard_by_routers.insert(there.first);
        for (auto const& [here, there] : cabling_.far)
            if (auto const at = devices_.find(here.first);
                at != devices_.end() && !at->second.neighbours.empty() && heard_by_routers.contains(here.first) &&
                !has_routes(there.first) && !heard_by_routers.contains(there.first))
                switches_.insert(here.first);
        std::map<std::string, std::set<std::string>> heard_by;
        for (auto const& [here, there] : cabling_.far)
            if (has_routes(here.first) && !devices_.contains(there.first)) heard_by[there.first].insert(here.first);
        for (auto const& [name, device] : devices_)
            for (IpRoute const& route : device.routes.routes)
                for (IpNextHop const& hop : route.next_hops)
                    // A host of its own address alone forwards nothing, nor does who is only a way out.
                    if (auto const at = cabling_.far.find({name, hop.interface});
                        at != cabling_.far.end() && hop.has_gateway && route.prefix.length > 0 &&
                        route.prefix.length < 32 && heard_by[at->second.first].size() > 1) {
                        switches_.insert(at->second.first);
                        sent_by_.try_emplace(at->second.first, name);
                    }
    }

    void find_addresses() {
        for (auto const& [here, there] : cabling_.far)
            if (devices_.contains(here.first) && switches_.contains(here.first) && !switches_.contains(there.first))
                address_[there] = address_behind(here, there);
    }

    /// Nodes without routes that routes to others lead through.
    void find_switches() {
        std::set<std::string, Natural> through;
        for (auto const& [name, device] : devices_) {
            if (!device.told_routes.whole) continue;
            std::unordered_map<IpRoute const*, std::vector<std::string>> without_routes;  // who a route leads to
            for (auto const& [host, address] : address_) {
                IpRoute const* const route = address != 0 ? find_route(table_of(device), address) : nullptr;
                if (route == nullptr) continue;
                auto const [leads_to, added] = without_routes.try_emplace(route);
                if (added)
                    for (IpNextHop const& hop : route->next_hops)
                        if (auto const at = cabling_.far.find({name, hop.interface});
                            at != cabling_.far.end() && hop.has_gateway && !has_routes(at->second.first))
                            leads_to->second.push_back(at->second.first);
                for (std::string const& next : leads_to->second)
                    if (next != host.first) {
                        through.insert(next);
                        sent_by_.try_emplace(next, name);
                    }
            }
        }
        switches_.insert(through.begin(), through.end());
    }

    void add_nodes() {
        std::map<std::string, std::set<std::string, Natural>, Natural> interfaces;
        for (std::string const& name : switches_) interfaces[name];
        for (auto const& [here, there] : cabling_.far) interfaces[here.first].insert(here.second);
        for (auto const& [name, device] : devices_)
            for (IpRoute const& route : device.routes.routes)
                for (IpNextHop const& hop : route.next_hops)
                    if (switches_.contains(name) && hop.has_gateway && !hop.interface.empty())
                        interfaces[name].insert(hop.interface);
        model::Lid lid = 0;
        for (bool const hosts : {false, true})
            for (auto const& [name, of] : interfaces) {
                if (switches_.contains(name) == hosts) continue;
                model::NodeRecord record;
                record.kind = hosts ? model::NodeKind::adapter : model::NodeKind::switch_node;
                record.name = name;
                record.ports = static_cast<model::Port>(of.size());
                model::Node const node = node_[name] = builder_.add_node(std::move(record));
                for (std::string const& interface : of) {
                    model::Port const port = 1 + static_cast<model::Port>(port_[name].size());
                    port_[name][interface] = port;
                    builder_.set_port_label(node, port, interface);
                    if (!hosts) continue;
                    auto const known = address_.find({name, interface});
                    std::uint32_t const address = known != address_.end() ? known->second : 0;
                    if (address != 0) ++lid;
                    builder_.add_host({node, port, 0, address != 0 ? lid : 0});
                    plan_.address.push_back(address);
                }
            }
        for (auto const& [here, there] : cabling_.far)
            builder_.add_link({node_.at(here.first), port_.at(here.first).at(here.second), node_.at(there.first),
                               port_.at(there.first).at(there.second)});
    }

    void require_hosts() const {
        if (!plan_.address.empty()) return;
        bool const hears = std::any_of(devices_.begin(), devices_.end(),
                                       [](auto const& one) { return !one.second.neighbours.empty(); });
        throw base::InputError({path_, 0}, "no host is known",
                               (hears ? "routers hear routers alone by LLDP (" : "no file tells neighbours (") +
                                   std::to_string(switches_.size()) + " routers)",
                               "run lldpd on the hosts, so that their routers hear them; or put `lldpctl -f json` and "
                               "`ip -j addr` of each host into a folder with its name");
    }

    bool lacks_neighbours(std::string const& name) const {
        auto const at = devices_.find(name);
        return at == devices_.end() || (switches_.contains(name) && !at->second.told_neighbours.whole);
    }

    /// An interface whose cable does not count may be no port, and its device no node.
    model::FabricPlace place_of(model::Network const& network, Interface const& at) const {
        auto const node = node_.find(at.first);
        if (node == node_.end()) return {at.first + " " + at.second, {}, 0, 0, {}, {}};
        return network.place_of(node->second, port_of(at));
    }
    /// 0 = it is none.
    model::Port port_of(Interface const& at) const {
        auto const ports = port_.find(at.first);
        if (ports == port_.end()) return 0;
        auto const port = ports->second.find(at.second);
        return port == ports->second.end() ? model::Port{0} : port->second;
    }

    void note_cables(model::Network const& network) {
        auto const note = [&](Interface const& at, std::string const& text) {
            disagreements_.note(model::Disagreement::one_sided_cable, {devices_.at(at.first).file, 0}, text, 1,
                                place_of(network, at));
        };
        for (auto const& [here, there] : cabling_.one_sided)
            note(here, here.first + " hears " + there.first + " on " + here.second + ", but " + there.first +
                           " does not hear it on " + there.second);
        for (auto const& [here, there, heard, own_counts] : cabling_.renamed)
            note(here, here.first + " hears " + there.second + " of " + there.first + " on " + here.second +
                           ", which " + there.first + " hears as " + heard.second +
                           (own_counts ? "; its own name counts, by which its routes go" : ", whose cable counts"));
        for (auto const& [here, there, counts] : cabling_.heard_twice)
            note(here, there.second + " of " + there.first + " is heard by " + here.second + " of " + here.first +
                           " and by " + counts.second + " of " + counts.first +
                           ", whose cable counts: one of them tells an old neighbour, or two hosts have one name");
        for (auto const& [ends, of] : cabling_.unheard)
            if (auto const& [one, other] = ends; !lacks_neighbours(one.first) && !lacks_neighbours(other.first))
                note(one, "routes go by " + one.second + " to " + other.second + " of " + other.first +
                              ", which is in the same network (" + text_of(of) +
                              "), and neither end hears the other by LLDP; a cable is taken to be there");
    }

    /// One cause for everything that a device does not tell.
    void note_missing(model::Network const& net) {
        std::set<std::uint32_t> explained;
        for (std::string const& name : switches_) {
            auto const at = devices_.find(name);
            if (at != devices_.end() && !has_routes(name)) note_lost_routes(net, name, &at->second, explained);
            if (at == devices_.end()) note_lost_routes(net, name, nullptr, explained);
            if (at != devices_.end() && lacks_neighbours(name)) note_lost_neighbours(net, name, at->second);
        }
        model::FabricPlace where;
        std::string first;
        for (std::size_t h = 0; h < net.hosts().size(); ++h) {
            model::Node const node = net[model::Host{h}].node;
            if (plan_.address[h] != 0 || explained.contains(node.value)) continue;
            if (first.empty()) first = net[node].name;
            where.nodes.push_back(node);
        }
        if (where.nodes.empty()) return;
        where.text = "the files";
        disagreements_.note(model::Disagreement::damaged_section, {path_, 0},
                            "no address is known for " + std::to_string(where.nodes.size()) +
                                (where.nodes.size() == 1 ? " host" : " hosts") + " (the first: " + first +
                                "): put `ip -j addr` of each into a folder with its name, as " + first + "/addr.json",
                            1, where);
    }

    /// Hosts by their addresses.
    std::map<std::uint32_t, std::vector<model::Host>> owners_of_addresses() const {
        std::map<std::uint32_t, std::vector<model::Host>> owners;
        for (std::size_t h = 0; h < plan_.address.size(); ++h)
            if (plan_.address[h] != 0) owners[plan_.address[h]].emplace_back(h);
        return owners;
    }

    /// Packets for the address of two hosts reach one of them.
    void note_shared_addresses(model::Network const& net) {
        for (auto const& [address, hosts] : owners_of_addresses()) {
            model::HostRecord const& one = net[hosts.front()];
            auto const other = std::find_if(hosts.begin(), hosts.end(),
                                            [&](model::Host const host) { return net[host].node != one.node; });
            if (other == hosts.end()) continue;
            model::FabricPlace where = net.place_of(one.node, one.port);
            for (model::Host const host : hosts) where.lids.push_back(net[host].lid);
            disagreements_.note(model::Disagreement::descriptions_differ, {path_, 0},
                                where.text + " and " + net.place_of(net[*other].node, net[*other].port).text +
                                    (hosts.size() > 2 ? " (and " + std::to_string(hosts.size() - 2) + " more)" : "") +
                                    " have the same address, " + model::address_text(address),
                                1, std::move(where));
        }
    }

    /// Bonds over two leaves, and routes on hosts.
    void remark_on_hosts_on_several_cables(model::Network const& net) {
        std::size_t count = 0;
        for (auto const& [address, hosts] : owners_of_addresses())
            count += hosts.size() > 1 && net[hosts[0]].node == net[hosts[1]].node;
        if (count > 0)
            plan_.remarks.push_back(base::counted(count, "host has", "hosts have") +
                                    " one address on several cables: each cable is an endpoint of its own, and what "
                                    "comes by another cable of the host has arrived");
    }

    void note_lost_routes(model::Network const& net, std::string const& name, Device const* device,
                          std::set<std::uint32_t>& explained) {
        model::Node const node = node_.at(name);
        model::FabricPlace where = net.place_of(node);
        where.nodes.push_back(node);
        std::size_t unknown = 0;
        for (std::size_t h = 0; h < net.hosts().size(); ++h)
            if (model::Link const up = net.up_link(model::Host{h});
                up.exists() && net[up].to == node && plan_.address[h] == 0) {
                where.nodes.push_back(net[model::Host{h}].node);
                explained.insert(net[model::Host{h}].node.value);
                ++unknown;
            }
        std::string text = "its routes are not known: ";
        if (device != nullptr && device->told_routes.lost()) text += device->told_routes.why;
        else if (device != nullptr && device->has_addresses) text += "the folder has none of it";
        else if (device != nullptr) text += "the folder has none of it (if it is a host: put its `ip -j addr` there)";
        else text += "the folder has nothing of it, neither routes nor neighbours";
        if (auto const by = sent_by_.find(name); device == nullptr && by != sent_by_.end())
            text += ", and " + by->second + " sends through it";
        if (unknown > 0)
            text += "; " + std::to_string(unknown) +
                    (unknown == 1 ? " host behind it has no known address" : " hosts behind it have no known address");
        disagreements_.note(model::Disagreement::damaged_section, {device != nullptr ? device->file : path_, 0},
                            device == nullptr ? name + ": " + text : text, 1, where);
    }

    void note_lost_neighbours(model::Network const& net, std::string const& name, Device const& device) {
        std::size_t cables = 0;
        for (auto const& [here, there] : cabling_.far) cables += here.first == name;
        std::string const why =
            device.told_neighbours.lost() ? device.told_neighbours.why : "the folder has no `lldpctl -f json` of it";
        model::FabricPlace where = net.place_of(node_.at(name));
        where.nodes.push_back(node_.at(name));
        disagreements_.note(
            model::Disagreement::damaged_section, {device.file, 0},
            "its neighbours are not known: " + why + "; " + std::to_string(cables) +
                (cables == 1 ? " cable is known from its other end" : " cables are known from their other end") +
                " alone, and hosts that hang off it are missing",
            1, where);
    }

    void route(model::Fabric& fabric) {
        model::Network const& net = fabric.network;
        plan_.seed.resize(net.nodes().size());
        plan_.policy.resize(net.nodes().size());
        fabric.tables = model::ForwardingTables(net);
        sets_ = std::make_shared<model::CandidateSets>(net.nodes().size(), std::size_t{net.max_lid()} + 1,
                                                       "routes of equal cost", model::ChosenBy::hash);
        for (std::string const& name : switches_) {
            model::Node const node = node_.at(name);
            if (!has_routes(name)) continue;
            Device const& device = devices_.at(name);
            plan_.seed[node.value] = device.hash.seed;
            plan_.policy[node.value] = device.hash.policy;
            fabric.tables.add_table(node);
            sets_->add_row(node);
            for (std::size_t h = 0; h < net.hosts().size(); ++h)
                if (model::Host const host{h}; net[host].lid != 0) route_to(fabric, {node, name, device}, host);
        }
        fabric.candidates = std::move(sets_);
        fabric.routed = true;
        for (auto const& [at, lids] : sent_nowhere_) note_sent_nowhere(net, model::Node{at.first}, at.second, lids);
        for (auto const& [node, drops] : dropped_) note_dropped(net, model::Node{node}, drops);
        note_without_neighbours(net);
        note_without_route(net);
    }

    /// `10.1.1.1 and 3 hosts more`
    std::string addresses_text(model::Network const& net, std::vector<model::Lid> const& lids) const {
        std::string const first = model::address_text(plan_.address[net.owner(lids.front()).host.value]);
        return lids.size() == 1 ? first : first + " and " + base::counted(lids.size() - 1, "host", "hosts") + " more";
    }

    struct Drops {
        std::set<std::pair<std::uint32_t, std::uint32_t>> prefixes;
        std::vector<model::Lid> lids;
    };
    /// Routes without a next hop: discarded on purpose, or all their next hops are down.
    void note_dropped(model::Network const& net, model::Node node, Drops const& drops) {
        model::FabricPlace where = net.place_of(node);
        where.lids = drops.lids;
        auto const& [address, length] = *drops.prefixes.begin();
        std::size_t const more = drops.prefixes.size() - 1;
        disagreements_.note(model::Disagreement::damaged_section, {devices_.at(net[node].name).file, 0},
                            net[node].name + " drops packets for " + addresses_text(net, drops.lids) + ": its route " +
                                text_of(Prefix{address, length}) +
                                (more == 0 ? std::string(" has") : " and " + std::to_string(more) + " more have") +
                                " no next hop (a black hole, or all of them are down)",
                            1, std::move(where));
    }

    /// Does a route of another lead to it?
    bool is_sent_to(std::string const& name) const {
        for (auto const& [here, there] : cabling_.far) {
            auto const device = there.first == name ? devices_.find(here.first) : devices_.end();
            if (device == devices_.end()) continue;
            for (IpRoute const& route : device->second.routes.routes)
                for (IpNextHop const& hop : route.next_hops)
                    if (hop.has_gateway && hop.interface == here.second) return true;
        }
        return false;
    }

    /// Routers with cables to others and no route by any of them, behind which somebody is or to which others send.
    void note_without_neighbours(model::Network const& net) {
        for (std::string const& name : switches_) {
            if (!has_routes(name)) continue;
            std::vector<IpRoute> const& routes = devices_.at(name).routes.routes;
            if (std::any_of(routes.begin(), routes.end(), [](IpRoute const& route) {
                    return std::any_of(route.next_hops.begin(), route.next_hops.end(),
                                       [](IpNextHop const& hop) { return hop.has_gateway; });
                }))
                continue;
            model::Node const node = node_.at(name);
            model::FabricPlace where = net.place_of(node);
            where.nodes.push_back(node);
            std::size_t cables = 0;
            for (std::uint32_t l = 0; l < net.link_count(node); ++l)
                cables += net.is_switch(net[model::Link{net.first_link(node).value + l}].to);
            for (std::size_t h = 0; h < net.hosts().size(); ++h)
                if (model::Link const up = net.up_link(model::Host{h}); up.exists() && net[up].to == node)
                    where.lids.push_back(net[model::Host{h}].lid);
            if (cables == 0 || (where.lids.empty() && !is_sent_to(name))) continue;
            disagreements_.note(model::Disagreement::damaged_section, {devices_.at(name).file, 0},
                                name + " has no IPv4 route by any of its " + base::counted(cables, "cable", "cables") +
                                    " to other routers: its sessions seem to be down",
                                1, std::move(where));
        }
    }

    /// Addresses that no router has a route for.
    void note_without_route(model::Network const& net) {
        for (std::size_t h = 0; h < net.hosts().size(); ++h) {
            model::HostRecord const& host = net[model::Host{h}];
            if (plan_.address[h] == 0 || with_route_.contains(static_cast<std::uint32_t>(h))) continue;
            model::FabricPlace where = net.place_of(host.node, host.port);
            where.lids = {host.lid};
            disagreements_.note(model::Disagreement::descriptions_differ, {path_, 0},
                                "no router has a route for its address, " + model::address_text(plan_.address[h]), 1,
                                std::move(where));
        }
    }

    void note_sent_nowhere(model::Network const& net, model::Node node, model::Port port,
                           std::vector<model::Lid> const& lids) {
        model::FabricPlace where = net.place_of(node, port);
        where.lids = lids;
        disagreements_.note(model::Disagreement::descriptions_differ, {devices_.at(net[node].name).file, 0},
                            net[node].name + " sends packets for " + addresses_text(net, lids) + " to " +
                                net.port_label(node, port) + ", where LLDP hears nobody",
                            1, std::move(where));
    }

    struct Router {
        model::Node node;
        std::string const& name;
        Device const& device;
    };

    /// A host's link up; where the host has the same address on a cable to the router itself, that one.
    model::Link cable_to(model::Network const& net, model::Node router, model::Host host) const {
        model::Link const own = net.up_link(host);
        if (own.exists() && net[own].to == router) return own;
        for (model::Host const other : net.hosts_of(net[host].node))
            if (model::Link const up = net.up_link(other);
                up.exists() && net[up].to == router && plan_.address[other.value] == plan_.address[host.value])
                return up;
        return own;
    }

    /// Of cables between two switches: a bridge over both of them goes on there (the peer link of a pair).
    static std::vector<model::Port> ports_to(model::Network const& net, model::Node from, model::Node to) {
        std::vector<model::Port> ports;
        for (std::uint32_t l = 0; l < net.link_count(from); ++l)
            if (model::LinkRecord const& link = net[model::Link{net.first_link(from).value + l}]; link.to == to)
                ports.push_back(link.from_port);
        return ports;
    }

    /// The ports of a route, with their weights, in its order.
    using WeightedPorts = std::vector<std::pair<model::Port, std::uint32_t>>;
    WeightedPorts ports_of(model::Network const& net, Router const& router, IpRoute const& route, model::Host host,
                           int depth) const {
        WeightedPorts found;
        for (IpNextHop const& hop : route.next_hops) {
            if (!hop.has_gateway) {  // on the link, or on a bridge that the host hangs off
                model::Link const up = cable_to(net, router.node, host);
                if (up.exists() && net[up].to == router.node) found.emplace_back(net[up].to_port, hop.weight);
                else if (up.exists() && route.prefix.length < 32 && port_of({router.name, hop.interface}) == 0)
                    for (model::Port const port : ports_to(net, router.node, net[up].to))
                        found.emplace_back(port, hop.weight);
                continue;
            }
            if (model::Port const port = port_of({router.name, hop.interface}); port != 0) {
                found.emplace_back(port, hop.weight);
            } else if (depth < 4 && hop.gateway != 0) {
                IpRoute const* const further = find_route(table_of(router.device), hop.gateway);
                if (further == nullptr) continue;
                for (auto const& one : ports_of(net, router, *further, host, depth + 1)) found.push_back(one);
            }
        }
        return found;
    }

    /// Then its ports are the same for every host.
    bool is_by_neighbours(Router const& router, IpRoute const& route) const {
        return std::all_of(route.next_hops.begin(), route.next_hops.end(), [&](IpNextHop const& hop) {
            return hop.has_gateway && port_of({router.name, hop.interface}) != 0;
        });
    }

    void route_to(model::Fabric& fabric, Router const& router, model::Host host) {
        model::Network const& net = fabric.network;
        model::Node const node = router.node;
        IpRoute const* const route = find_route(table_of(router.device), plan_.address[host.value]);
        if (route == nullptr) return;
        with_route_.insert(host.value);
        if (route->next_hops.empty()) {
            Drops& drops = dropped_[node.value];
            drops.prefixes.emplace(route->prefix.address, route->prefix.length);
            drops.lids.push_back(net[host].lid);
        }
        auto const known = ports_of_routes_.find(route);
        WeightedPorts const ports =
            known != ports_of_routes_.end() ? known->second : ports_of(net, router, *route, host, 0);
        if (known == ports_of_routes_.end() && is_by_neighbours(router, *route)) ports_of_routes_[route] = ports;
        if (ports.empty()) return;
        auto& used = entries_of_port_[node.value];
        model::Port const chosen = std::min_element(ports.begin(), ports.end(), [&](auto const& a, auto const& b) {
                                       return used[a.first] < used[b.first];
                                   })->first;
        ++used[chosen];
        fabric.tables.set(node, net[host].lid, chosen);
        for (auto const& [port, weight] : ports)
            if (!net.link_at(node, port).exists()) sent_nowhere_[{node.value, port}].push_back(net[host].lid);
        if (ports.size() == 1) return;
        std::uint32_t divisor = 0;
        for (auto const& [port, weight] : ports) divisor = std::gcd(divisor, weight);
        std::vector<model::Port> weighted;
        for (auto const& [port, weight] : ports)
            weighted.insert(weighted.end(), divisor > 0 ? weight / divisor : 1, port);
        if (weighted.size() > most_places)
            throw base::InputError({router.device.file, 0}, "the weights of a route are too different",
                                   std::to_string(weighted.size()) + " parts of equal weight",
                                   "65,536 is the limit; round the weights");
        sets_->set(node, net[host].lid, model::LidState::hashed, sets_->group_of(node, weighted));
    }

    static constexpr std::size_t most_places = 65'536;

    std::string path_;
    Devices devices_;
    model::Disagreements& disagreements_;
    model::NetworkBuilder builder_{true};
    model::IpPlan plan_;
    RouterCabling cabling_;
    std::map<Interface, std::uint32_t> address_;  // of ports of nodes without routes
    std::set<std::string, Natural> switches_;
    std::map<std::string, std::string> sent_by_;  // through whom somebody sends, and who does
    std::map<std::string, model::Node> node_;
    std::map<std::string, std::map<std::string, model::Port>> port_;
    std::shared_ptr<model::CandidateSets> sets_;
    std::set<std::uint32_t> with_route_;      // hosts that some router has a route for
    std::map<std::uint32_t, Drops> dropped_;  // by node
    std::map<std::pair<std::uint32_t, model::Port>, std::vector<model::Lid>> sent_nowhere_;  // by a port without cable
    std::map<std::uint32_t, std::map<model::Port, std::uint64_t>> entries_of_port_;          // by node
    std::unordered_map<IpRoute const*, WeightedPorts> ports_of_routes_;                      // of those by neighbours
    mutable std::map<Device const*, LongestPrefix> tables_;
};

}  // namespace

model::Fabric read_router_folder(std::string const& path, model::Disagreements& disagreements) {
    return Builder(path, read_devices(path, disagreements), disagreements).build();
}

}  // namespace tailback::formats
