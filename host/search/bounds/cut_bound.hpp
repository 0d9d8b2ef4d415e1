// What cables allow a collective operation at best: any routes, any algorithm, endpoints may pass on what they get.
//
// What:  some endpoints give parts to others, and out of every set S of vertices that lacks one who is to get them go
//        the parts of all in S. So a part of one byte takes at least |parts in S| / (bandwidth out of S).
//          allgather   everybody gives one, everybody gets all
//          broadcast   the root gives one, everybody gets it
//          gather      everybody gives one, the root gets all
//        The largest of these is reached (Edmonds' branchings; Zhao et al., "ForestColl", 2024). A reduce-scatter, a
//        reduce and a scatter are these backwards.
// How:   Newton's method: at bandwidth y for each part, a vertex v to which a source that gives y for each cannot send
//        all of them has a cut that allows less; its own ratio is the next y. Sets that lack a vertex which was looked
//        at are done with, so for the next such vertices are joined with the source, and flows are short. Whole numbers
//        throughout. Vertices that have the same links are looked at once, and are one vertex for the others.
#pragma once

#include "host/search/bounds/capacity_graph.hpp"

#include <cstdint>
#include <optional>

namespace tailback::search {

/// The cut that allows the least: so many parts go out of S, by so much bandwidth.
struct CutBound {
    std::uint64_t parts = 0, bandwidth = 0;
};

inline constexpr std::uint64_t most_cut_work = 250'000'000;

// None where there are fewer than two vertices with endpoints, one that others do not reach, or where it would take
// more than so much work (cuts x edges).

std::optional<CutBound> bound_allgather(CapacityGraph const& graph, std::uint64_t most_work = most_cut_work);
/// The root is one of the endpoints at this vertex; none: whichever takes the least time.
std::optional<CutBound> bound_broadcast(CapacityGraph const& graph, std::optional<std::uint32_t> root,
                                        std::uint64_t most_work = most_cut_work);
/// Endpoints at the root's vertex have their parts there.
std::optional<CutBound> bound_gather(CapacityGraph const& graph, std::optional<std::uint32_t> root,
                                     std::uint64_t most_work = most_cut_work);

}  // namespace tailback::search
