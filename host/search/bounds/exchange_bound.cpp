#include "host/search/bounds/exchange_bound.hpp"

#include "host/search/bounds/load_bound.hpp"

#include <limits>

namespace tailback::search {
namespace {

bool has_several_neighbours(Folded::Group const& group) {
    for (auto const* const links : {&group.in, &group.out})
        for (auto const& [other, capacity] : *links)
            if (other != group.out.front().first) return true;
    return false;
}

}  // namespace

std::optional<ExchangeBound> bound_exchange(CapacityGraph const& graph, std::uint64_t most_work) {
    Folded const folded = fold(graph);
    std::uint64_t capacities = 0, vertices = 0;
    for (CapacityGraph::Edge const& edge : graph.edges)
        if (edge.capacity > INT64_MAX || (capacities += edge.capacity) > INT64_MAX) return std::nullopt;
    std::vector<CapacityGraph::Edge> edges = folded.edges;
    std::uint32_t all = folded.vertices;
    auto const groups = static_cast<std::uint32_t>(folded.groups.size());
    std::vector<std::uint32_t> entry(groups);  // by group: the vertex that it is entered by
    for (std::uint32_t g = 0; g < groups; ++g) {
        Folded::Group const& group = folded.groups[g];
        if (group.in.empty() || group.out.empty()) return std::nullopt;
        vertices += group.count;
        entry[g] = group.count > 1 ? all++ : g;
        std::uint64_t into = 0;
        for (auto const& [to, capacity] : group.out) edges.push_back({g, to, capacity * group.count});
        for (auto const& [from, capacity] : group.in) {
            into += capacity * group.count;
            // Between two vertices with endpoints, each of which is a group alone, it is among those that go out.
            if (from >= groups) edges.push_back({from, entry[g], capacity * group.count});
        }
        if (group.count > 1 && has_several_neighbours(group)) edges.push_back({entry[g], g, into});
    }
    if (vertices < 2 || std::uint64_t{groups} * edges.size() > most_work) return std::nullopt;
    Demand::Sums sums;
    for (std::uint32_t to = 0; to < groups; ++to)
        for (std::uint32_t from = 0; from < groups; ++from) {
            Folded::Group const &a = folded.groups[from], &b = folded.groups[to];
            std::uint64_t const receivers = from == to ? a.count - 1 : b.count;
            if (receivers > 0) sums[{entry[to], from}] = a.count * a.endpoints * receivers * b.endpoints;
        }
    Bundles const bundles(all, edges);
    LoadBound const found = find_load_bound(bundles, Demand::of_sums(all, sums), BoundRoutes::any,
                                            {.gap = 0.0005, .most_steps = 50'000'000, .most_ways = 3'000'000});
    if (found.bound.p == 0) return std::nullopt;
    return ExchangeBound{found.bound,
                         found.upper > 0 ? std::max(0.0, found.gap()) : std::numeric_limits<double>::infinity()};
}

}  // namespace tailback::search
