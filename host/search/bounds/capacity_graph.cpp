#include "host/search/bounds/capacity_graph.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace tailback::search {

namespace {

std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> capacities_of(CapacityGraph const& graph) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> capacities;
    for (CapacityGraph::Edge const& edge : graph.edges)
        if (edge.from != edge.to && edge.capacity > 0) capacities[{edge.from, edge.to}] += edge.capacity;
    return capacities;
}

}  // namespace

bool is_same_both_ways(CapacityGraph const& graph) {
    auto const capacities = capacities_of(graph);
    return std::all_of(capacities.begin(), capacities.end(), [&](auto const& one) {
        auto const back = capacities.find({one.first.second, one.first.first});
        return back != capacities.end() && back->second == one.second;
    });
}

Folded fold(CapacityGraph const& graph, std::optional<std::uint32_t> alone) {
    std::size_t const n = graph.endpoints.size();
    auto const capacities = capacities_of(graph);
    using Links = std::vector<std::pair<std::uint32_t, std::uint64_t>>;
    std::vector<Links> in(n), out(n);
    std::vector<char> foldable(n);
    for (std::size_t v = 0; v < n; ++v) foldable[v] = graph.endpoints[v] > 0 && alone != v;
    for (auto const& [ends, capacity] : capacities) {
        out[ends.first].emplace_back(ends.second, capacity);
        in[ends.second].emplace_back(ends.first, capacity);
        if (graph.endpoints[ends.first] > 0 && graph.endpoints[ends.second] > 0)
            foldable[ends.first] = foldable[ends.second] = 0;
    }
    Folded folded;
    std::map<std::tuple<std::uint64_t, Links, Links, std::size_t>, std::uint32_t> known;
    std::vector<std::uint32_t>& number = folded.number;
    number.resize(n);
    for (std::size_t v = 0; v < n; ++v) {
        if (graph.endpoints[v] == 0) continue;
        auto const [at, is_new] = known.try_emplace({graph.endpoints[v], in[v], out[v], foldable[v] != 0 ? n : v},
                                                    static_cast<std::uint32_t>(folded.groups.size()));
        if (is_new) folded.groups.push_back({0, graph.endpoints[v], in[v], out[v]});
        ++folded.groups[at->second].count;
        number[v] = at->second;
    }
    folded.vertices = static_cast<std::uint32_t>(folded.groups.size());
    for (std::size_t v = 0; v < n; ++v)
        if (graph.endpoints[v] == 0) number[v] = folded.vertices++;
    for (Folded::Group& group : folded.groups) {
        for (auto& [other, capacity] : group.in) other = number[other];
        for (auto& [other, capacity] : group.out) other = number[other];
    }
    for (auto const& [ends, capacity] : capacities)
        if (graph.endpoints[ends.first] == 0 && graph.endpoints[ends.second] == 0)
            folded.edges.push_back({number[ends.first], number[ends.second], capacity});
    return folded;
}

}  // namespace tailback::search
