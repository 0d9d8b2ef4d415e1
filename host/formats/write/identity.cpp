#include "host/formats/write/identity.hpp"

#include <fmt/format.h>

namespace tailback {
namespace {

constexpr std::uint64_t local_guids = 0x0254'4200'0000'0000u;
constexpr Port most_ports = 254;

}  // namespace

FabricIdentity::FabricIdentity(Network const& network)
    : guid(network.nodes().size()),
      switch_lid(network.nodes().size()),
      host_lid(network.hosts().size()),
      host_guid(network.hosts().size()) {
    std::uint64_t next = local_guids;
    for (std::size_t n = 0; n < network.nodes().size(); ++n) {
        NodeRecord const& node = network[Node{n}];
        next += 256;
        if (node.guid == 0)
            while (network.node_by_guid(next).exists()) next += 256;
        guid[Node{n}] = node.guid != 0 ? node.guid : next;
        if (node.kind == NodeKind::switch_node) switch_lid[Node{n}] = node.lid;
    }
    for (std::size_t h = 0; h < network.hosts().size(); ++h) {
        HostRecord const& host = network[Host{h}];
        host_lid[Host{h}] = host.lid;
        host_guid[Host{h}] = host.port_guid != 0 ? host.port_guid : guid[host.node] + host.port;
    }
    if (network.max_lid() != 0) return;
    Lid lid = 0;
    for (std::size_t h = 0; h < network.hosts().size(); ++h) {
        lid = (lid / (Lid{1} << network[Host{h}].lmc) + 1)
              << network[Host{h}].lmc;  // a base LID is a multiple of 2^LMC
        host_lid[Host{h}] = lid;
        lid += (Lid{1} << network[Host{h}].lmc) - 1;
    }
    for (std::size_t n = 0; n < network.nodes().size(); ++n)
        if (network[Node{n}].kind == NodeKind::switch_node) switch_lid[Node{n}] = ++lid;
}

std::uint64_t FabricIdentity::port_guid(Network const& network, Node node, Port port) const {
    NodeRecord const& record = network[node];
    if (record.kind == NodeKind::switch_node) return record.port_guid != 0 ? record.port_guid : guid[node];
    Host const host = host_at(network, node, port);
    return host.exists() ? host_guid[host] : guid[node] + port;
}

Lid FabricIdentity::port_lid(Network const& network, Node node, Port port) const {
    if (network[node].kind == NodeKind::switch_node) return switch_lid[node];
    Host const host = host_at(network, node, port);
    return host.exists() ? host_lid[host] : 0;
}

Host host_at(Network const& network, Node node, Port port) {
    for (Host const host : network.hosts_of(node))
        if (network[host].port == port) return host;
    return Host{};
}

std::string one_line(std::string const& name) {
    std::string text = name;
    for (char& c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) c = ' ';
    return text;
}

void check_fits_infiniband(Network const& network, FabricIdentity const& identity) {
    auto const check_lid = [&](Lid lid, std::uint8_t lmc, Node node) {
        Lid const last = lid + (Lid{1} << lmc) - 1;
        if (lid != 0 && last > max_unicast_lid)
            throw InputError({}, fmt::format("LID {} of {} does not fit InfiniBand", last, network.describe(node)),
                             fmt::format("its unicast LIDs end at {}", max_unicast_lid), "choose orcs-dot or graphml");
    };
    for (std::size_t n = 0; n < network.nodes().size(); ++n) {
        Node const node{n};
        check_lid(identity.switch_lid[node], network[node].lmc, node);
        if (network[node].ports > most_ports)
            throw InputError({}, fmt::format("{} has {} ports", network.describe(node), network[node].ports),
                             fmt::format("InfiniBand's nodes have at most {}", most_ports),
                             "choose orcs-dot or graphml");
    }
    for (std::size_t h = 0; h < network.hosts().size(); ++h)
        check_lid(identity.host_lid[Host{h}], network[Host{h}].lmc, network[Host{h}].node);
}

}  // namespace tailback
