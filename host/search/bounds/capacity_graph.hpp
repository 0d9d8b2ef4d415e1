// Endpoints and others, the links between them, and what is alike among them: bounds of collective operations go by it.
#pragma once

#include <cstdint>
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
};

/// Only vertices whose links lead to others without endpoints are grouped.
Folded fold(CapacityGraph const& graph);

}  // namespace tailback::search
