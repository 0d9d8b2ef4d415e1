// ibtracert's words for a route: which GUID stands where (a port's in a hop, the node's at the ends) is its choice.
#include "host/model/routes/route_text.hpp"

#include "host/model/routes/fabric_words.hpp"
#include "host/model/routes/ip_plan.hpp"

#include <fmt/format.h>

namespace tailback::model {
namespace {

char const* kind_of(NodeRecord const& node) {
    switch (node.kind) {
        case NodeKind::switch_node: return "switch";
        case NodeKind::router: return "router";
        case NodeKind::adapter: break;
    }
    return "ca";
}

std::string guid_or_name(std::uint64_t guid, NodeRecord const& node) {
    return guid != 0 ? fmt::format("0x{:016x}", guid) : node.name;
}

HostRecord const* host_at(Network const& network, Node node, Port port) {
    HostRecord const* only = nullptr;
    for (Host const host : network.hosts_of(node)) {
        only = &network[host];
        if (network[host].port == port) return only;
    }
    return network.hosts_of(node).size() == 1 ? only : nullptr;
}

std::string lids_of(NodeRecord const& node, HostRecord const* host) {
    Lid const lid = host ? host->lid : node.kind == NodeKind::switch_node ? node.lid : 0;
    std::uint8_t const lmc = host ? host->lmc : node.kind == NodeKind::switch_node ? node.lmc : 0;
    return fmt::format("lid {}-{}", lid, lid + (Lid{1} << lmc) - 1);
}

std::string end_line(Network const& network, char const* prompt, Node node, HostRecord const* host) {
    NodeRecord const& record = network[node];
    return fmt::format("{} {} {{{}}} portnum {} {} \"{}\"\n", prompt, kind_of(record),
                       guid_or_name(record.guid, record), host ? host->port : 0, lids_of(record, host), record.name);
}

std::string hop_text(Network const& network, Link link) {
    LinkRecord const& hop = network[link];
    NodeRecord const& to = network[hop.to];
    HostRecord const* const host = to.kind == NodeKind::switch_node ? nullptr : host_at(network, hop.to, hop.to_port);
    std::uint64_t const guid = host ? host->port_guid : to.port_guid != 0 ? to.port_guid : to.guid;
    return fmt::format("[{}] -> {} port {{{}}}[{}] {} \"{}\"", network.port_name(hop.from, hop.from_port), kind_of(to),
                       guid_or_name(guid, to), network.port_name(hop.to, hop.to_port), lids_of(to, host), to.name);
}

/// Of a folder of routers: `node01 (10.1.1.2)`, `leaf01`.
std::string ip_name(Fabric const& fabric, Node node) {
    std::string name = fabric.network[node].name;
    for (Host const host : fabric.network.hosts_of(node))
        if (std::uint32_t const address = fabric.ip->address[host.value]; address != 0)
            return name + " (" + address_text(address) + ")";
    return name;
}

/// `leaf01 swp50 -> swp1 spine02`
std::string ip_hop(Fabric const& fabric, Link link) {
    Network const& network = fabric.network;
    LinkRecord const& hop = network[link];
    return fmt::format("{} {} -> {} {}", network[hop.from].name, network.port_name(hop.from, hop.from_port),
                       network.port_name(hop.to, hop.to_port), ip_name(fabric, hop.to));
}

std::string network_name(Fabric const& fabric, Located const& found) { return fabric.network.describe(found.node); }

bool last_hop_is_left_out(Route const& route) {
    return !route.links.empty() && (route.cause == Cause::no_entry || route.cause == Cause::port_beyond_switch ||
                                    route.cause == Cause::no_table);
}

}  // namespace

Route trace_between(Fabric const& fabric, Located const& source, Lid destination) {
    if (!source.node.exists())
        throw base::InputError({}, "nobody owns the source LID " + std::to_string(source.lid), "",
                               "give a name, a GUID or an LID of a host or a switch");
    if (fabric.routing->depends_on_source() && !source.host.exists())
        throw base::InputError({}, network_name(fabric, source) + " is not a host",
                               "routes by " + fabric.routing->text() + " depend on the host they come from",
                               "give a host as the source");
    return source.host.exists() ? trace_from_host(fabric, source.host, destination)
                                : trace_from_node(fabric, source.node, destination);
}

std::string ibtracert_text(Fabric const& fabric, Located const& source, Lid destination, Route const& route) {
    Network const& network = fabric.network;
    if (fabric.ip != nullptr) {
        std::string text = "from " + ip_name(fabric, source.node) + "\n";
        for (Link const link : route.links) text += "  " + ip_hop(fabric, link) + "\n";
        return route.fate != Fate::delivered ? text : text + "to " + ip_name(fabric, route.end) + "\n";
    }
    std::string text = end_line(network, "From", source.node, source.host.exists() ? &network[source.host] : nullptr);
    std::size_t const hops = route.links.size() - (last_hop_is_left_out(route) ? 1 : 0);
    for (std::size_t i = 0; i < hops; ++i) text += hop_text(network, route.links[i]) + "\n";
    if (route.fate != Fate::delivered) return text;
    Host const to = network.owner(destination).host;
    return text + end_line(network, "To", route.end, to.exists() ? &network[to] : nullptr);
}

std::string failure_text(Fabric const& fabric, Lid destination, Route const& route) {
    if (route.fate == Fate::delivered) return "";
    Network const& network = fabric.network;
    std::string text = std::string(fate_names[std::size_t(route.fate)]) + ": " + route.why(fabric, destination);
    if (fabric.ip == nullptr && last_hop_is_left_out(route))
        text += " (reached by " + hop_text(network, route.links.back()) + ")";
    Node const owner = network.owner(destination).node;
    text += "; " + destination_text(fabric, destination) +
            (owner.exists() ? (fabric.ip != nullptr ? " is " : " is owned by ") + network.describe(owner)
                            : " is owned by nobody");
    return text;
}

}  // namespace tailback::model
