// The ports among which a routing chooses: for one target, those of every forwarder that lead nearer.
#pragma once

#include "topologies/forwarding_graph.hpp"

#include <span>
#include <vector>

namespace tailback::topologies {

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

}  // namespace tailback::topologies
