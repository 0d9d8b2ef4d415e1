#include "topologies/routings/k_shortest.hpp"

#include <algorithm>
#include <set>

namespace tailback::topologies {
namespace {

struct ShorterThenLower {
    bool operator()(KShortestPaths::Path const& a, KShortestPaths::Path const& b) const {
        return a.size() != b.size() ? a.size() < b.size() : a < b;
    }
};

}  // namespace

KShortestPaths::KShortestPaths(ForwardingGraph const& graph)
    : graph_(graph),
      closed_node_(graph.size()),
      closed_arc_(graph.arcs.size()),
      came_by_(graph.size()),
      came_from_(graph.size()) {}

KShortestPaths::Path KShortestPaths::shortest(std::uint32_t from, std::uint32_t to) {
    std::fill(came_by_.begin(), came_by_.end(), ForwardingGraph::none);
    queue_.assign(1, from);
    for (std::size_t i = 0; i < queue_.size(); ++i) {
        std::uint32_t const v = queue_[i];
        if (v == to) break;
        if (v != from && !graph_.transit[v]) continue;
        for (std::uint32_t a = graph_.first_arc[v]; a < graph_.first_arc[v + 1]; ++a) {
            std::uint32_t const next = graph_.arcs[a].to;
            if (next == from || closed_node_[next] || closed_arc_[a] || came_by_[next] != ForwardingGraph::none)
                continue;
            came_by_[next] = a;
            came_from_[next] = v;
            queue_.push_back(next);
        }
    }
    Path way;
    if (came_by_[to] == ForwardingGraph::none) return way;
    for (std::uint32_t v = to; v != from; v = came_from_[v]) way.push_back(came_by_[v]);
    std::reverse(way.begin(), way.end());
    return way;
}

std::vector<KShortestPaths::Path> KShortestPaths::operator()(std::uint32_t from, std::uint32_t to, std::uint32_t k) {
    std::vector<Path> found;
    std::set<Path, ShorterThenLower> waiting;
    if (Path const first = shortest(from, to); !first.empty()) waiting.insert(first);
    while (!waiting.empty() && found.size() < k) {
        found.push_back(*waiting.begin());
        waiting.erase(waiting.begin());
        Path const last = found.back();
        // Ways that leave the last one at its i-th node: not by an arc that a found way with the same beginning took.
        std::uint32_t at = from;
        for (std::size_t i = 0; i < last.size(); ++i) {
            std::vector<std::uint32_t> closed;
            for (Path const& way : found)
                if (way.size() > i && std::equal(last.begin(), last.begin() + std::ptrdiff_t(i), way.begin()))
                    closed.push_back(way[i]);
            for (std::uint32_t const a : closed) closed_arc_[a] = 1;
            if (Path const rest = shortest(at, to); !rest.empty()) {
                Path whole(last.begin(), last.begin() + std::ptrdiff_t(i));
                whole.insert(whole.end(), rest.begin(), rest.end());
                if (std::find(found.begin(), found.end(), whole) == found.end()) waiting.insert(std::move(whole));
            }
            for (std::uint32_t const a : closed) closed_arc_[a] = 0;
            closed_node_[at] = 1;
            at = graph_.arcs[last[i]].to;
        }
        std::fill(closed_node_.begin(), closed_node_.end(), std::uint8_t{0});
    }
    return found;
}

}  // namespace tailback::topologies
