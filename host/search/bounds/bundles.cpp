#include "host/search/bounds/bundles.hpp"

#include <algorithm>

namespace tailback::search {

Bundles::Bundles(SwitchGraph const& graph) : graph_(graph), of_arc_(graph.arcs().size()) {
    std::vector<std::uint32_t> order;
    first_into_.assign(graph.switches() + std::size_t{1}, 0);
    for (std::uint32_t s = 0; s < graph.switches(); ++s) {
        first_.push_back(static_cast<std::uint32_t>(all_.size()));
        order.clear();
        for (std::uint32_t a = graph.first_arc(s); a < graph.first_arc(s + 1); ++a) order.push_back(a);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return graph[a].to < graph[b].to; });
        for (std::uint32_t const a : order) {
            if (all_.size() == first_.back() || all_.back().to != graph[a].to) {
                all_.push_back({s, graph[a].to, 0, {}});
                ++first_into_[graph[a].to + 1];
            }
            all_.back().costs.push_back(graph[a].cost);
            all_.back().capacity += double(graph.denominator()) / graph[a].cost;
            of_arc_[a] = static_cast<std::uint32_t>(all_.size() - 1);
        }
    }
    first_.push_back(static_cast<std::uint32_t>(all_.size()));
    for (std::uint32_t s = 0; s < graph.switches(); ++s) first_into_[s + 1] += first_into_[s];
    into_.resize(all_.size());
    std::vector<std::uint32_t> next(first_into_.begin(), first_into_.end() - 1);
    for (std::uint32_t b = 0; b < all_.size(); ++b) into_[next[all_[b].to]++] = b;
}

std::uint32_t Bundles::reverse(std::uint32_t bundle) const {
    Bundle const& one = all_[bundle];
    for (std::uint32_t b = first(one.to); b < first(one.to + 1); ++b)
        if (all_[b].to == one.from) return b;
    return SwitchGraph::none;
}

void Bundles::add_cable(std::uint32_t bundle) {
    for (std::uint32_t const b : {bundle, reverse(bundle)})
        if (b != SwitchGraph::none) {
            all_[b].capacity += double(graph_.denominator()) / all_[b].costs.front();
            all_[b].costs.push_back(all_[b].costs.front());
        }
}

std::vector<std::uint32_t> Bundles::nearest_first(std::uint32_t to, std::vector<std::uint32_t>& distance) const {
    distance.assign(graph_.switches(), SwitchGraph::none);
    std::vector<std::uint32_t> queue = {to};
    distance[to] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next)
        for (std::uint32_t const b : into(queue[next])) {
            std::uint32_t const from = all_[b].from;
            if (distance[from] != SwitchGraph::none) continue;
            distance[from] = distance[queue[next]] + 1;
            queue.push_back(from);
        }
    return queue;
}

}  // namespace tailback::search
