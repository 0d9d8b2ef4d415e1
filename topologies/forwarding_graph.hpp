// The forwarding part of any network as arrays: who forwards, over which ports, and which destinations hang off whom.
#pragma once

#include "host/io/progress.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "topologies/topology.hpp"

#include <cstdint>
#include <vector>

namespace tailback::topologies {

struct ForwardingGraph {
    /// A link between two forwarders.
    struct Arc {
        std::uint32_t to = 0;  ///< index of a forwarder
        model::Port port = 0;
    };
    /// A LID and the port that leads to it from the forwarder it hangs off; 0 = the forwarder itself.
    struct Destination {
        model::Lid lid = 0;
        model::Port port = 0;
        bool host = false;         ///< false = a switch's own LID
        bool aggregation = false;  ///< a host that is an aggregation node
    };
    static constexpr std::uint32_t none = 0xFFFFFFFF;

    std::vector<model::Node> nodes;        ///< by forwarder, in node order
    std::vector<std::uint32_t> index;      ///< of a node; none = it does not forward
    std::vector<std::uint32_t> first_arc;  ///< arcs of forwarder v: first_arc[v] .. first_arc[v+1], in port order
    std::vector<Arc> arcs;
    std::vector<std::uint32_t> first_in;           ///< the other way round
    std::vector<std::uint32_t> in;                 ///< forwarders that have an arc to v
    std::vector<std::uint8_t> transit;             ///< by forwarder: takes packets of others through
    std::vector<std::uint32_t> first_destination;  ///< destinations of forwarder v, hosts first, in host order
    std::vector<Destination> destinations;
    std::vector<std::uint32_t> sources;      ///< hosts whose packets enter here, by forwarder
    std::vector<std::uint32_t> aggregation;  ///< how many of them are aggregation nodes

    ForwardingGraph(model::Network const& network, HostsDo hosts_do);
    /// The forwarder where a host's packets enter; none = it has no cable to one.
    std::uint32_t entrance(model::Network const& network, model::Host host) const;
    std::uint32_t size() const { return static_cast<std::uint32_t>(nodes.size()); }

    /// Hops of every forwarder to `target` (none = no way there), and the forwarders that reach it, nearest first.
    void distances(std::uint32_t target, std::vector<std::uint32_t>& hops, std::vector<std::uint32_t>& order) const;
};
/// No forwarder, no arc, no way.
inline constexpr std::uint32_t none = ForwardingGraph::none;
/// What a routing may keep of one kind while it is computed: distances, routes, layers.
inline constexpr std::uint64_t most_bytes = std::uint64_t{4} << 30;

/// Empty tables for all forwarders of the graph. @throws InputError beyond 2^35 entries.
model::ForwardingTables tables_of(ForwardingGraph const& graph, model::Network const& network);

/// Tables where `next_port(v, t, number)` is the port that forwarder v takes towards the destination LID `number` of
/// the network's (counted from 0) on forwarder t, v != t; no_entry = none.
template <class NextPort>
model::ForwardingTables tables_by_destination(model::Network const& network, HostsDo hosts_do, NextPort&& next_port) {
    ForwardingGraph const graph(network, hosts_do);
    model::ForwardingTables tables = tables_of(graph, network);
    io::Progress progress("computing the routes", graph.size(), "switches");
    auto const stop = kernels::StopWish::now();
    for (std::uint32_t v = 0; v < graph.size(); ++v, progress.add(1), stop.heed())
        for (std::uint32_t t = 0; t < graph.size(); ++t)
            for (std::uint32_t d = graph.first_destination[t]; d < graph.first_destination[t + 1]; ++d) {
                ForwardingGraph::Destination const& to = graph.destinations[d];
                tables.set(graph.nodes[v], to.lid, v == t ? to.port : next_port(v, t, to.lid - 1));
            }
    return tables;
}

/// The same where all LIDs of a forwarder are reached alike: `next_port(v, t)`.
template <class NextPort>
model::ForwardingTables tables_by(model::Network const& network, HostsDo hosts_do, NextPort&& next_port) {
    ForwardingGraph const graph(network, hosts_do);
    model::ForwardingTables tables = tables_of(graph, network);
    io::Progress progress("computing the routes", graph.size(), "switches");
    auto const stop = kernels::StopWish::now();
    for (std::uint32_t v = 0; v < graph.size(); ++v, progress.add(1), stop.heed())
        for (std::uint32_t t = 0; t < graph.size(); ++t) {
            std::uint32_t const begin = graph.first_destination[t], end = graph.first_destination[t + 1];
            if (begin == end) continue;
            model::Port const port = v == t ? 0 : next_port(v, t);
            for (std::uint32_t d = begin; d < end; ++d)
                tables.set(graph.nodes[v], graph.destinations[d].lid, v == t ? graph.destinations[d].port : port);
        }
    return tables;
}

}  // namespace tailback::topologies
