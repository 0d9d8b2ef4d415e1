// Built and searched in ORCS's order of vertices and edges, on which the result depends.
#include "host/orcs/delay.hpp"

#include <algorithm>
#include <numeric>

namespace tailback::orcs {
namespace {

/// Sorted by rank; of several vertices of one rank the first stays.
void keep_first(std::vector<std::pair<std::uint32_t, std::uint32_t>>& by_rank) {
    std::stable_sort(by_rank.begin(), by_rank.end(), [](auto const& a, auto const& b) { return a.first < b.first; });
    by_rank.erase(
        std::unique(by_rank.begin(), by_rank.end(), [](auto const& a, auto const& b) { return a.first == b.first; }),
        by_rank.end());
}

}  // namespace

void OrcsDelayGraph::add_level(std::span<std::pair<OrcsPair, std::uint64_t> const> messages) {
    RankVertex sent, received;
    for (auto const& [pair, weight] : messages) {
        std::uint32_t const from = vertices(), to = from + 1;
        edges_.resize(edges_.size() + 2);
        edges_[from].push_back({to, weight});
        sent.emplace_back(pair.source, from);
        received.emplace_back(pair.destination, to);
    }
    keep_first(sent);
    keep_first(received);
    for (auto const& [rank, vertex] : sent) {
        auto const before = std::lower_bound(received_.begin(), received_.end(), std::pair{rank, std::uint32_t{0}});
        if (before != received_.end() && before->first == rank) edges_[before->second].push_back({vertex, 0});
    }
    received_ = std::move(received);
}

std::uint64_t OrcsDelayGraph::largest_distance(std::span<std::uint32_t const> roots) const {
    std::vector<std::uint64_t> distance(edges_.size(), 0);
    std::vector<std::uint32_t> met(edges_.size(), 0), queue;
    std::uint64_t largest = 0;
    std::uint32_t search = 0;
    for (std::uint32_t const root : roots) {
        if (root >= vertices()) continue;
        ++search;
        queue.assign(1, root);
        met[root] = search;
        for (std::size_t next = 0; next < queue.size(); ++next) {
            std::uint32_t const at = queue[next];
            for (Edge const& edge : edges_[at]) {
                distance[edge.to] = distance[at] + edge.weight;
                if (met[edge.to] == search) continue;
                met[edge.to] = search;
                queue.push_back(edge.to);
            }
        }
        for (std::uint32_t const vertex : queue) largest = std::max(largest, distance[vertex]);
    }
    return largest;
}

std::uint64_t OrcsDelayGraph::largest_distance() const {
    std::vector<std::uint32_t> roots(edges_.size());
    std::iota(roots.begin(), roots.end(), 0u);
    return largest_distance(roots);
}

}  // namespace tailback::orcs
