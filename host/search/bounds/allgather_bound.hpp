// What cables allow an allgather at best: any routes, any algorithm, endpoints may pass on what they get.
//
// What:  everybody is to get a part from everybody. Out of every set S of vertices that lacks an endpoint go the parts
//        of all endpoints in S; so a part of one byte takes at least |endpoints in S| / (bandwidth out of S). The
//        largest of these is reached (Edmonds' branchings; Zhao et al., "ForestColl", 2024). A reduce-scatter is an
//        allgather backwards.
// How:   Newton's method: at bandwidth y for each endpoint, a vertex v to which a source that gives y to each cannot
//        send all of them has a cut that allows less; its own ratio is the next y. Whole numbers throughout. Vertices
//        that have the same links are looked at once, and are one vertex for the others.
#pragma once

#include "host/search/bounds/capacity_graph.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace tailback::search {

/// The cut that allows the least: so many endpoints in S, so much bandwidth out of it.
struct AllgatherBound {
    std::uint64_t endpoints = 0, bandwidth = 0;
};

/// None where there are fewer than two endpoints, an endpoint that others do not reach, or where it would take more
/// than so much work (cuts x edges).
std::optional<AllgatherBound> bound_allgather(CapacityGraph const& graph, std::uint64_t most_work = 100'000'000);

/// Of a directed graph with whole capacities. (Dinic 1970)
class MaxFlow {
public:
    explicit MaxFlow(std::size_t vertices) : first_(vertices, none) {}
    void add(std::uint32_t from, std::uint32_t to, std::uint64_t capacity);
    /// From one to the other, up to `wanted`. Once.
    std::uint64_t find(std::uint32_t source, std::uint32_t sink, std::uint64_t wanted);
    /// After a flow that is as large as it can be: vertices that could send more.
    std::vector<char> reached() const;

private:
    static constexpr std::uint32_t none = 0xFFFFFFFFu;
    struct Arc {
        std::uint32_t to, next;
        std::uint64_t left;  ///< capacity that is not used
    };
    bool rank_from(std::uint32_t source, std::uint32_t sink);
    std::uint64_t push(std::uint32_t from, std::uint32_t sink, std::uint64_t most);

    std::vector<Arc> arcs_;  ///< arc 2k and its way back 2k + 1
    std::vector<std::uint32_t> first_, at_, rank_;
};

}  // namespace tailback::search
