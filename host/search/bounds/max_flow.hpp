// The largest flow between two vertices of a directed graph with whole capacities. (Dinic 1970)
//
// How:  from the sink backwards, by shortest ways. A sink that is near what flows to it costs what lies between,
// however
//       large the graph is; so does to forget a flow. One graph serves many sinks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tailback::search {

class MaxFlow {
public:
    explicit MaxFlow(std::size_t vertices) : first_(vertices, none), at_(vertices), rank_(vertices, none) {}
    /// @return the arc's number, counted from 0
    std::uint32_t add(std::uint32_t from, std::uint32_t to, std::uint64_t capacity);
    std::uint64_t capacity(std::uint32_t arc) const { return capacity_[arc]; }
    /// Needs: no flow.
    void set_capacity(std::uint32_t arc, std::uint64_t capacity) { capacity_[arc] = arcs_[2 * arc].left = capacity; }
    /// From one to the other, up to `wanted`. Needs: no flow.
    std::uint64_t find(std::uint32_t source, std::uint32_t sink, std::uint64_t wanted);
    /// After a flow that is as large as it can be: whether the sink could be sent more from there. The arcs from
    /// vertices of which it could not to others are a least cut.
    bool could_send(std::uint32_t vertex) const { return rank_[vertex] != none; }
    /// Takes the flow away.
    void forget();

private:
    static constexpr std::uint32_t none = 0xFFFFFFFFu;
    struct Arc {
        std::uint32_t to, next;
        std::uint64_t left;  ///< capacity that is not used
    };
    bool rank_from(std::uint32_t sink, std::uint32_t source);
    std::uint64_t push(std::uint32_t arc, std::uint32_t sink, std::uint64_t most);
    void forget_ranks();

    std::vector<Arc> arcs_;  ///< arc k: 2k, and its way back 2k + 1
    std::vector<std::uint64_t> capacity_;
    std::vector<std::uint32_t> first_, at_, rank_;
    std::vector<std::uint32_t> ranked_, from_source_;  ///< vertices with a rank; arcs by which a flow can begin
    std::vector<std::uint32_t> used_;                  ///< arcs with a flow, perhaps several times
};

}  // namespace tailback::search
