// The ports among which a routing chooses: for one target, those of every forwarder that lead nearer.
#pragma once

#include "topologies/forwarding_graph.hpp"

#include <span>
#include <vector>

namespace tailback {

struct Candidates {
    std::vector<std::uint32_t> order;  ///< forwarders with a way to the target, without the target, nearest first
    std::vector<std::uint32_t> first;  ///< arcs of order[i]: at first[i] .. first[i+1] of `arcs`
    std::vector<std::uint32_t> arcs;   ///< positions in ForwardingGraph::arcs, by port

    std::span<std::uint32_t const> of(std::size_t i) const {
        return {arcs.data() + first[i], arcs.data() + first[i + 1]};
    }
    void clear() {
        order.clear();
        first.assign(1, 0);
        arcs.clear();
    }
};

/// The first links of all shortest ways. Keeps its memory between targets.
class ShortestCandidates {
public:
    explicit ShortestCandidates(ForwardingGraph const& graph) : graph_(graph) {}
    void find(std::uint32_t target, Candidates& found);

private:
    ForwardingGraph const& graph_;
    std::vector<std::uint32_t> hops_, order_;
};

/// Fills tables target by target: `find(target, candidates)`, then for every destination of the target and every
/// forwarder on the way `choose(i-th forwarder's place in the order, forwarder, candidate arcs, destination)` gives an
/// arc.
template <class Find, class Choose>
ForwardingTables fill_tables(ForwardingGraph const& graph, Network const& network, Find&& find, Choose&& choose) {
    ForwardingTables tables = tables_of(graph, network);
    Candidates candidates;
    for (std::uint32_t target = 0; target < graph.size(); ++target) {
        std::uint32_t const begin = graph.first_destination[target], end = graph.first_destination[target + 1];
        if (begin == end) continue;
        candidates.clear();
        find(target, candidates);
        for (std::uint32_t d = begin; d < end; ++d)
            tables.set(graph.nodes[target], graph.destinations[d].lid, graph.destinations[d].port);
        for (std::size_t i = 0; i < candidates.order.size(); ++i) {
            std::uint32_t const v = candidates.order[i];
            for (std::uint32_t d = begin; d < end; ++d) {
                std::uint32_t const arc = choose(v, candidates.of(i), graph.destinations[d]);
                tables.set(graph.nodes[v], graph.destinations[d].lid, graph.arcs[arc].port);
            }
        }
    }
    return tables;
}

/// Chooses the arc that has been chosen for the fewest hosts, the first of equals.
class LeastLoaded {
public:
    explicit LeastLoaded(ForwardingGraph const& graph) : load_(graph.arcs.size()) {}
    std::uint32_t operator()(std::uint32_t, std::span<std::uint32_t const> arcs,
                             ForwardingGraph::Destination const& to) {
        std::uint32_t best = arcs[0];
        for (std::uint32_t const arc : arcs)
            if (load_[arc] < load_[best]) best = arc;
        load_[best] += to.host;
        return best;
    }

private:
    std::vector<std::uint32_t> load_;
};

}  // namespace tailback
