// Endpoints and others, the links between them, and what is alike among them: bounds of collective operations go by it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace tailback::search {

struct CapacityGraph {
    struct Edge {
        std::uint32_t from, to;
        std::uint64_t capacity;
    };
    std::vector<Edge> edges;               ///< parallel ones add up
    std::vector<std::uint64_t> endpoints;  ///< by vertex: how many there are
};

/// Vertices without an endpoint, and groups of those with endpoints that have the same links: each a vertex.
struct Folded {
    std::uint32_t vertices = 0;
    struct Group {
        std::uint64_t count, endpoints;                                ///< vertices, and endpoints of each
        std::vector<std::pair<std::uint32_t, std::uint64_t>> in, out;  ///< links of each
    };
    std::vector<Group> groups;               ///< their vertices come first
    std::vector<CapacityGraph::Edge> edges;  ///< between other vertices
    std::vector<std::uint32_t> number;       ///< by vertex of the graph: its own, or its group's
};

/// Only vertices whose links lead to others without endpoints are grouped, and not the one that is to stay alone.
Folded fold(CapacityGraph const& graph, std::optional<std::uint32_t> alone = std::nullopt);

/// Whether all links have as much capacity one way as the other.
bool is_same_both_ways(CapacityGraph const& graph);

}  // namespace tailback::search
