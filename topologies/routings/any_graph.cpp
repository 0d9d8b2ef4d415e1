#include "topologies/routings/any_graph.hpp"

#include "topologies/draws.hpp"
#include "topologies/routings/candidates.hpp"

namespace tailback {

void ShortestCandidates::find(std::uint32_t target, Candidates& found) {
    graph_.distances(target, hops_, order_);
    for (std::size_t i = 1; i < order_.size(); ++i) {
        std::uint32_t const v = order_[i];
        for (std::uint32_t a = graph_.first_arc[v]; a < graph_.first_arc[v + 1]; ++a) {
            std::uint32_t const to = graph_.arcs[a].to;
            if (hops_[to] + 1 == hops_[v] && (to == target || graph_.transit[to])) found.arcs.push_back(a);
        }
        found.order.push_back(v);
        found.first.push_back(static_cast<std::uint32_t>(found.arcs.size()));
    }
}

namespace {

template <class Choose>
ForwardingTables shortest(Topology const& topology, Choose&& choose_of_graph) {
    ForwardingGraph const graph(topology.network, topology.hosts_do);
    ShortestCandidates candidates(graph);
    return fill_tables(
        graph, topology.network, [&](std::uint32_t target, Candidates& found) { candidates.find(target, found); },
        choose_of_graph(graph));
}

}  // namespace

ForwardingTables route_bfs(Topology const& topology, Arguments const&, std::uint64_t) {
    return shortest(topology, [](ForwardingGraph const&) {
        return [](std::uint32_t, std::span<std::uint32_t const> arcs, ForwardingGraph::Destination const&) {
            return arcs[0];
        };
    });
}

ForwardingTables route_random(Topology const& topology, Arguments const&, std::uint64_t seed) {
    return shortest(topology, [seed](ForwardingGraph const&) {
        return [seed](std::uint32_t v, std::span<std::uint32_t const> arcs, ForwardingGraph::Destination const& to) {
            std::uint64_t const word = drawn_word(seed, BuildStream::random_ports, v, to.lid, 0);
            return arcs[word * arcs.size() >> 32];
        };
    });
}

ForwardingTables route_minhop(Topology const& topology, Arguments const&, std::uint64_t) {
    return shortest(topology, [](ForwardingGraph const& graph) { return LeastLoaded(graph); });
}

// Hoefler, Schneider, Lumsdaine ("Optimized Routing for Large-Scale InfiniBand Networks", HotI 2009): destinations one
// after the other; each takes the tree of shortest routes that is lightest in the routes its links carry already.
ForwardingTables route_sssp(Topology const& topology, Arguments const&, std::uint64_t) {
    ForwardingGraph const graph(topology.network, topology.hosts_do);
    ShortestCandidates shortest_ways(graph);
    ForwardingTables tables = tables_of(graph, topology.network);
    Candidates candidates;
    std::vector<std::uint64_t> weight(graph.arcs.size()), cost(graph.size()), routes(graph.size());
    std::vector<std::uint32_t> chosen;
    for (std::uint32_t target = 0; target < graph.size(); ++target) {
        std::uint32_t const begin = graph.first_destination[target], end = graph.first_destination[target + 1];
        if (begin == end) continue;
        candidates.clear();
        shortest_ways.find(target, candidates);
        chosen.resize(candidates.order.size());
        for (std::uint32_t d = begin; d < end; ++d) {
            ForwardingGraph::Destination const& to = graph.destinations[d];
            tables.set(graph.nodes[target], to.lid, to.port);
            cost[target] = 0;
            for (std::size_t i = 0; i < candidates.order.size(); ++i) {
                std::uint32_t const v = candidates.order[i];
                std::uint64_t least = ~std::uint64_t{0};
                for (std::uint32_t const a : candidates.of(i))
                    if (std::uint64_t const sum = cost[graph.arcs[a].to] + weight[a]; sum < least) {
                        least = sum;
                        chosen[i] = a;
                    }
                cost[v] = least;
                routes[v] = graph.sources[v];
                tables.set(graph.nodes[v], to.lid, graph.arcs[chosen[i]].port);
            }
            if (!to.host) continue;
            for (std::size_t i = candidates.order.size(); i-- > 0;) {
                std::uint32_t const v = candidates.order[i];
                weight[chosen[i]] += routes[v];
                routes[graph.arcs[chosen[i]].to] += routes[v];
            }
        }
    }
    return tables;
}

}  // namespace tailback
