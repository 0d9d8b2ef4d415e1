// The k shortest ways between two forwarders that meet none twice.
#pragma once

#include "topologies/forwarding_graph.hpp"

#include <cstdint>
#include <vector>

namespace tailback::topologies {

/// Yen, "Finding the K Shortest Loopless Paths in a Network", Management Science 17 (1971), for links of length one.
class KShortestPaths {
public:
    using Path = std::vector<std::uint32_t>;  ///< arcs of the graph

    explicit KShortestPaths(ForwardingGraph const& graph);
    /// Up to k ways, shortest first, of equals the one of lower ports first.
    std::vector<Path> operator()(std::uint32_t from, std::uint32_t to, std::uint32_t k);

private:
    /// The shortest way that avoids closed nodes and, as its first, closed arcs; empty = none.
    Path shortest(std::uint32_t from, std::uint32_t to);

    ForwardingGraph const& graph_;
    std::vector<std::uint8_t> closed_node_, closed_arc_;
    std::vector<std::uint32_t> came_by_, came_from_, queue_;
};

}  // namespace tailback::topologies
