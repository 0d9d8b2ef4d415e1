#include "host/formats/write/identity.hpp"

#include "host/formats/read/lid_range.hpp"

#include <fmt/format.h>

namespace tailback::formats {
namespace {

constexpr std::uint64_t local_guids = 0x0254'4200'0000'0000u;

}  // namespace

FabricIdentity::FabricIdentity(model::Network const& network)
    : guid(network.nodes().size()),
      switch_lid(network.nodes().size()),
      host_lid(network.hosts().size()),
      host_guid(network.hosts().size()) {
    std::uint64_t next = local_guids;
    for (std::size_t n = 0; n < network.nodes().size(); ++n) {
        model::NodeRecord const& node = network[model::Node{n}];
        next += 256;
        if (node.guid == 0)
            while (network.node_by_guid(next).exists()) next += 256;
        guid[model::Node{n}] = node.guid != 0 ? node.guid : next;
        if (node.kind == model::NodeKind::switch_node) switch_lid[model::Node{n}] = node.lid;
    }
    for (std::size_t h = 0; h < network.hosts().size(); ++h) {
        model::HostRecord const& host = network[model::Host{h}];
        host_lid[model::Host{h}] = host.lid;
        host_guid[model::Host{h}] = host.port_guid != 0 ? host.port_guid : guid[host.node] + host.port;
    }
    if (network.max_lid() != 0) return;
    model::Lid lid = 0;
    for (std::size_t h = 0; h < network.hosts().size(); ++h) {
        lid = (lid / (model::Lid{1} << network[model::Host{h}].lmc) + 1)
              << network[model::Host{h}].lmc;  // a base LID is a multiple of 2^LMC
        host_lid[model::Host{h}] = lid;
        lid += (model::Lid{1} << network[model::Host{h}].lmc) - 1;
    }
    for (std::size_t n = 0; n < network.nodes().size(); ++n)
        if (network.is_switch(model::Node{n})) switch_lid[model::Node{n}] = ++lid;
}

std::uint64_t FabricIdentity::port_guid(model::Network const& network, model::Node node, model::Port port) const {
    model::NodeRecord const& record = network[node];
    if (record.kind == model::NodeKind::switch_node) return record.port_guid != 0 ? record.port_guid : guid[node];
    model::Host const host = host_at(network, node, port);
    return host.exists() ? host_guid[host] : guid[node] + port;
}

model::Lid FabricIdentity::port_lid(model::Network const& network, model::Node node, model::Port port) const {
    if (network.is_switch(node)) return switch_lid[node];
    model::Host const host = host_at(network, node, port);
    return host.exists() ? host_lid[host] : 0;
}

model::Host host_at(model::Network const& network, model::Node node, model::Port port) {
    for (model::Host const host : network.hosts_of(node))
        if (network[host].port == port) return host;
    return model::Host{};
}

void check_fits_infiniband(model::Network const& network, FabricIdentity const& identity) {
    auto const check_lid = [&](model::Lid lid, std::uint8_t lmc, model::Node node) {
        model::Lid const last = lid + (model::Lid{1} << lmc) - 1;
        if (lid != 0 && last > model::max_unicast_lid)
            throw base::InputError(
                {}, fmt::format("LID {} of {} does not fit InfiniBand", last, network.describe(node)),
                fmt::format("its unicast LIDs end at {}", model::max_unicast_lid), "choose orcs-dot or graphml");
    };
    for (std::size_t n = 0; n < network.nodes().size(); ++n) {
        model::Node const node{n};
        check_lid(identity.switch_lid[node], network[node].lmc, node);
        if (network[node].ports > most_ports)
            throw base::InputError({}, fmt::format("{} has {} ports", network.describe(node), network[node].ports),
                                   fmt::format("InfiniBand's nodes have at most {}", most_ports),
                                   "choose orcs-dot or graphml");
    }
    for (std::size_t h = 0; h < network.hosts().size(); ++h)
        check_lid(identity.host_lid[model::Host{h}], network[model::Host{h}].lmc, network[model::Host{h}].node);
}

void check_only_switches_choose(model::ForwardingTables const& tables, model::Network const& network) {
    for (std::size_t n = 0; n < network.nodes().size(); ++n) {
        model::Node const node{n};
        if (!network.is_switch(node) && tables.has_table(node) && network.link_count(node) > 1)
            throw base::InputError(
                {}, fmt::format("the routes of {} cannot be written", network.describe(node)),
                fmt::format("it chooses among {} links, and InfiniBand's files hold the tables of switches alone",
                            network.link_count(node)),
                "choose orcs-dot, or write the network alone");
    }
}

}  // namespace tailback::formats
