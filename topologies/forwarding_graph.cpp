#include "topologies/forwarding_graph.hpp"

#include <algorithm>

namespace tailback::topologies {
namespace {

constexpr std::uint64_t most_entries = std::uint64_t{1} << 35;

/// Positions from counts: first[v] .. first[v+1].
void to_positions(std::vector<std::uint32_t>& counts) {
    for (std::size_t v = 1; v < counts.size(); ++v) counts[v] += counts[v - 1];
}

/// A host's port that is cabled to a forwarder, and the forwarder's port.
struct Attached {
    std::uint32_t forwarder = ForwardingGraph::none;
    model::Port port = 0;
};

/// Counts arcs at both of their ends, and finds where hosts are attached.
std::vector<Attached> count_arcs(model::Network const& network, ForwardingGraph& graph) {
    std::vector<Attached> attached(network.hosts().size());
    for (model::LinkRecord const& link : network.links()) {
        std::uint32_t const from = graph.index[link.from.value], to = graph.index[link.to.value];
        if (from == ForwardingGraph::none) continue;
        if (to != ForwardingGraph::none) {
            ++graph.first_arc[from + 1];
            ++graph.first_in[to + 1];
            continue;
        }
        for (model::Host const host : network.hosts_of(link.to)) {
            bool const its_port = network.named() || link.to_port == 0 || link.to_port == network[host].port;
            if (its_port && attached[host.value].forwarder == ForwardingGraph::none)
                attached[host.value] = {from, link.from_port};
        }
    }
    return attached;
}

/// Arcs by their source, and sources of arcs by their end.
void list_arcs(model::Network const& network, ForwardingGraph& graph) {
    to_positions(graph.first_arc);
    to_positions(graph.first_in);
    graph.arcs.resize(graph.first_arc.back());
    graph.in.resize(graph.first_in.back());
    std::vector<std::uint32_t> arc_at(graph.first_arc.begin(), graph.first_arc.end() - 1),
        in_at(graph.first_in.begin(), graph.first_in.end() - 1);
    for (model::LinkRecord const& link : network.links()) {
        std::uint32_t const from = graph.index[link.from.value], to = graph.index[link.to.value];
        if (from == ForwardingGraph::none || to == ForwardingGraph::none) continue;
        graph.arcs[arc_at[from]++] = {to, link.from_port};
        graph.in[in_at[to]++] = from;
    }
}

/// LIDs by the forwarder that delivers them. Routings that take turns go through them in this order: of several LIDs a
/// host one after the other, hosts and LIDs rotated, so that neither the base LIDs nor the LIDs of one host fall on one
/// port.
void list_destinations(model::Network const& network, std::vector<Attached> const& attached, ForwardingGraph& graph) {
    std::vector<std::vector<model::Host>> hosts(graph.size());
    std::uint8_t most_lmc = 0;
    for (std::size_t h = 0; h < attached.size(); ++h)
        if (attached[h].forwarder != ForwardingGraph::none && network[model::Host{h}].lid != 0) {
            hosts[attached[h].forwarder].emplace_back(h);
            most_lmc = std::max(most_lmc, network[model::Host{h}].lmc);
        }
    auto const each_destination = [&](auto&& take) {
        auto const each_lid = [&](std::uint32_t at, model::Port port, model::Lid lid, std::uint8_t lmc, bool host,
                                  bool aggregates) {
            if (lid == 0 || at == ForwardingGraph::none) return;
            for (model::Lid l = lid; l < lid + (model::Lid{1} << lmc); ++l)
                take(at, ForwardingGraph::Destination{l, port, host, aggregates});
        };
        for (std::uint32_t v = 0; v < graph.size(); ++v)
            for (std::uint32_t turn = 0; turn < std::uint32_t{1} << most_lmc; ++turn)
                for (std::size_t i = 0; i < hosts[v].size(); ++i) {
                    model::Host const host = hosts[v][(i + turn) % hosts[v].size()];
                    model::HostRecord const& record = network[host];
                    if (turn >> record.lmc != 0) continue;
                    model::Lid const lid =
                        record.lid + (turn + v + (v >> record.lmc)) % (std::uint32_t{1} << record.lmc);
                    take(v, ForwardingGraph::Destination{lid, attached[host.value].port, true,
                                                         record.role == model::HostRole::aggregation});
                }
        for (std::uint32_t v = 0; v < graph.size(); ++v)
            if (model::NodeRecord const& node = network[graph.nodes[v]]; node.kind == model::NodeKind::switch_node)
                each_lid(v, 0, node.lid, node.lmc, false, false);
    };
    each_destination([&](std::uint32_t at, auto const&) { ++graph.first_destination[at + 1]; });
    to_positions(graph.first_destination);
    graph.destinations.resize(graph.first_destination.back());
    std::vector<std::uint32_t> next(graph.first_destination.begin(), graph.first_destination.end() - 1);
    each_destination([&](std::uint32_t at, auto const& destination) { graph.destinations[next[at]++] = destination; });
}

}  // namespace

ForwardingGraph::ForwardingGraph(model::Network const& network, HostsDo hosts_do) {
    index.assign(network.nodes().size(), none);
    for (std::size_t n = 0; n < network.nodes().size(); ++n) {
        model::NodeKind const kind = network[model::Node{n}].kind;
        bool const chooses = kind == model::NodeKind::adapter && hosts_do != HostsDo::send;
        if (kind != model::NodeKind::switch_node && !chooses) continue;
        index[n] = size();
        nodes.push_back(model::Node{n});
        transit.push_back(kind == model::NodeKind::switch_node || hosts_do == HostsDo::forward);
    }
    first_arc.assign(size() + 1, 0);
    first_in.assign(size() + 1, 0);
    first_destination.assign(size() + 1, 0);
    sources.assign(size(), 0);
    aggregation.assign(size(), 0);

    std::vector<Attached> attached = count_arcs(network, *this);
    list_arcs(network, *this);
    for (std::size_t h = 0; h < network.hosts().size(); ++h) {
        model::Node const own = network[model::Host{h}].node;
        if (index[own.value] != none) attached[h] = {index[own.value], 0};
        std::uint32_t const at = entrance(network, model::Host{h});
        if (at == none) continue;
        ++sources[at];
        aggregation[at] += network[model::Host{h}].role == model::HostRole::aggregation;
    }
    list_destinations(network, attached, *this);
}

std::uint32_t ForwardingGraph::entrance(model::Network const& network, model::Host host) const {
    if (std::uint32_t const own = index[network[host].node.value]; own != none) return own;
    model::Link const up = network.up_link(host);
    return up.exists() ? index[network[up].to.value] : none;
}

void ForwardingGraph::distances(std::uint32_t target, std::vector<std::uint32_t>& hops,
                                std::vector<std::uint32_t>& order) const {
    hops.assign(size(), none);
    order.clear();
    hops[target] = 0;
    order.push_back(target);
    for (std::size_t at = 0; at < order.size(); ++at) {
        std::uint32_t const v = order[at];
        if (v != target && !transit[v]) continue;
        for (std::uint32_t i = first_in[v]; i < first_in[v + 1]; ++i)
            if (hops[in[i]] == none) {
                hops[in[i]] = hops[v] + 1;
                order.push_back(in[i]);
            }
    }
}

model::ForwardingTables tables_of(ForwardingGraph const& graph, model::Network const& network) {
    std::uint64_t const entries = std::uint64_t{graph.size()} * (std::uint64_t{network.max_lid()} + 1);
    if (entries > most_entries)
        throw base::InputError(
            {}, "forwarding tables beyond 2^35 entries",
            std::to_string(graph.size()) + " tables of " + std::to_string(network.max_lid() + 1) + " LIDs each",
            "choose a smaller network; `tailback evaluate` also works without tables (--routes trees)");
    model::ForwardingTables tables(network, graph.size());
    for (model::Node const node : graph.nodes) tables.add_table(node);
    return tables;
}

}  // namespace tailback::topologies
