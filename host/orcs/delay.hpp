// dep_max_delay as ORCS's two versions compute it, which is not the longest path that the paper describes.
#pragma once

#include "host/orcs/levels.hpp"

#include <span>
#include <utility>

namespace tailback::orcs {

/// The graph of dependent messages, as ORCS builds it level by level.
class OrcsDelayGraph {
public:
    /// A message of congestion `weight` becomes two new vertices and an edge between them. The first message that a
    /// rank sends in a level hangs on the first one that it received in the level right before; older ones are
    /// forgotten.
    void add_level(std::span<std::pair<OrcsPair, std::uint64_t> const> messages);

    /// The largest distance that breadth-first searches from `roots`, one after another, leave anywhere. A search
    /// overwrites the distance of a vertex at every edge that leads to it, and none starts from a clean slate.
    std::uint64_t largest_distance(std::span<std::uint32_t const> roots) const;
    /// The same from every vertex.
    std::uint64_t largest_distance() const;

    std::uint32_t vertices() const { return static_cast<std::uint32_t>(edges_.size()); }

private:
    struct Edge {
        std::uint32_t to;
        std::uint64_t weight;
    };
    using RankVertex = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // sorted by rank, one a rank

    std::vector<std::vector<Edge>> edges_;  // by vertex, in order of insertion
    RankVertex received_;                   // where ranks received in the last level
};

}  // namespace tailback::orcs
