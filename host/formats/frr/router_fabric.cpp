#include "host/formats/frr/router_fabric.hpp"

#include "host/base/error.hpp"
#include "host/model/ethernet.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace tailback::formats {
namespace {

/// Of every node: those with a cable, and those of routers by which routes go, or that are in LAGs.
std::map<std::string, std::set<std::string, Natural>, Natural> interfaces_of_nodes(RouterFabric const& fabric) {
    std::map<std::string, std::set<std::string, Natural>, Natural> interfaces;
    for (std::string const& name : fabric.roles.routers) interfaces[name];
    for (auto const& [here, there] : fabric.cabling.far) interfaces[here.first].insert(here.second);
    for (auto const& [name, device] : fabric.devices)
        for (IpRoute const& route : device.routes.routes)
            for (IpNextHop const& hop : route.next_hops)
                if (fabric.roles.routers.contains(name) && hop.has_gateway && !hop.interface.empty())
                    interfaces[name].insert(hop.interface);
    for (auto const& [name, device] : fabric.devices)
        for (auto const& [interface, lag] : device.lags)
            for (Lag::Idle const& one : lag.idle)
                if (fabric.roles.routers.contains(name)) interfaces[name].insert(one.member);
    return interfaces;
}

/// Routers first.
void add_nodes(model::NetworkBuilder& builder, RouterFabric& fabric) {
    auto const interfaces = interfaces_of_nodes(fabric);
    model::Lid lid = 0;
    for (bool const hosts : {false, true})
        for (auto const& [name, of] : interfaces) {
            if (fabric.roles.routers.contains(name) == hosts) continue;
            model::NodeRecord record;
            record.kind = hosts ? model::NodeKind::adapter : model::NodeKind::switch_node;
            record.name = name;
            record.ports = static_cast<model::Port>(of.size());
            model::Node const node = fabric.nodes[name] = builder.add_node(std::move(record));
            for (std::string const& interface : of) {
                model::Port const port = 1 + static_cast<model::Port>(fabric.ports[name].size());
                fabric.ports[name][interface] = port;
                builder.set_port_label(node, port, interface);
                if (!hosts) continue;
                auto const known = fabric.roles.addresses.find({name, interface});
                std::uint32_t const address = known != fabric.roles.addresses.end() ? known->second : 0;
                if (address != 0) ++lid;
                builder.add_host({node, port, 0, address != 0 ? lid : 0});
                fabric.addresses.push_back(address);
            }
        }
}

/// As its files tell it; 0 = they do not.
std::uint64_t rate_of(RouterFabric const& fabric, Interface const& at) {
    auto const device = fabric.devices.find(at.first);
    if (device == fabric.devices.end()) return 0;
    auto const rate = device->second.rates.find(at.second);
    return rate == device->second.rates.end() ? 0 : rate->second;
}

/// A cable is as fast as the slower of its ends, where both tell.
void add_links(model::NetworkBuilder& builder, RouterFabric const& fabric) {
    for (auto const& [here, there] : fabric.cabling.far) {
        std::uint64_t const one = rate_of(fabric, here), other = rate_of(fabric, there);
        std::uint64_t const rate = one == 0 || other == 0 ? std::max(one, other) : std::min(one, other);
        builder.add_link({.from = fabric.nodes.at(here.first),
                          .from_port = fabric.port_of(here),
                          .to = fabric.nodes.at(there.first),
                          .to_port = fabric.port_of(there),
                          .rate = model::ethernet_rate(rate)});
    }
}

void require_hosts(RouterFabric const& fabric) {
    if (!fabric.addresses.empty()) return;
    bool const hears = std::any_of(fabric.devices.begin(), fabric.devices.end(),
                                   [](auto const& one) { return !one.second.neighbours.empty(); });
    auto const lost =
        std::ranges::find_if(fabric.devices, [](auto const& one) { return one.second.told_neighbours.lost(); });
    throw base::InputError({fabric.path, 0}, "no host is known",
                           (hears ? "routers hear routers alone by LLDP (" : "no file tells neighbours (") +
                               std::to_string(fabric.roles.routers.size()) + " routers)" +
                               (hears || lost == fabric.devices.end() ? "" : ": " + lost->second.told_neighbours.why),
                           "run lldpd on the hosts, so that their routers hear them; or put `lldpctl -f json` and "
                           "`ip -j addr` of each host into a folder with its name");
}

}  // namespace

model::Port RouterFabric::port_of(Interface const& at) const {
    auto const of_node = ports.find(at.first);
    if (of_node == ports.end()) return 0;
    auto const port = of_node->second.find(at.second);
    return port == of_node->second.end() ? model::Port{0} : port->second;
}

model::FabricPlace RouterFabric::place_of(Interface const& at) const {
    auto const node = nodes.find(at.first);
    if (node == nodes.end()) return {at.first + " " + at.second, {}, 0, 0, {}, {}};
    return network.place_of(node->second, port_of(at));
}

std::vector<model::Host> RouterFabric::hosts_behind(model::Node router) const {
    std::vector<model::Host> hosts;
    for (std::size_t h = 0; h < network.hosts().size(); ++h)
        if (model::Link const up = network.up_link(model::Host{h}); up.exists() && network[up].to == router)
            hosts.emplace_back(h);
    return hosts;
}

std::vector<model::Link> RouterFabric::links_between(model::Node from, model::Node to) const {
    std::vector<model::Link> links;
    for (std::uint32_t l = 0; l < network.link_count(from); ++l)
        if (model::Link const link{network.first_link(from).value + l}; network[link].to == to) links.push_back(link);
    return links;
}

RouterFabric build_router_fabric(std::string const& path, Devices const& devices, RouterCabling const& cabling,
                                 RouteLookup const& lookup, Roles const& roles, model::Disagreements& disagreements) {
    RouterFabric fabric{path, devices, cabling, lookup, roles, {}, {}, {}, {}};
    model::NetworkBuilder builder(true);
    add_nodes(builder, fabric);
    add_links(builder, fabric);
    require_hosts(fabric);
    fabric.network = builder.finish(disagreements, path);
    return fabric;
}

}  // namespace tailback::formats
