#include "host/search/bounds/bundles.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace tailback::search {

Bundles::Bundles(SwitchGraph const& graph)
    : graph_(&graph), denominator_(graph.denominator()), of_arc_(graph.arcs().size()) {
    for (Arc const& arc : graph.arcs()) unit_ = std::lcm(unit_, std::uint64_t{arc.cost});
    std::vector<std::uint32_t> order;
    for (std::uint32_t s = 0; s < graph.switches(); ++s) {
        first_.push_back(static_cast<std::uint32_t>(all_.size()));
        order.clear();
        for (std::uint32_t a = graph.first_arc(s); a < graph.first_arc(s + 1); ++a) order.push_back(a);
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return graph[a].to < graph[b].to; });
        for (std::uint32_t const a : order) {
            if (all_.size() == first_.back() || all_.back().to != graph[a].to) all_.push_back({s, graph[a].to});
            add_link(all_.back(), graph[a].cost);
            of_arc_[a] = static_cast<std::uint32_t>(all_.size() - 1);
        }
    }
    first_.push_back(static_cast<std::uint32_t>(all_.size()));
    find_into();
}

Bundles::Bundles(std::uint32_t vertices, std::span<CapacityGraph::Edge const> edges) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> sums;
    for (CapacityGraph::Edge const& edge : edges) sums[{edge.from, edge.to}] += edge.capacity;
    for (auto const& [ends, units] : sums) {
        while (first_.size() <= ends.first) first_.push_back(static_cast<std::uint32_t>(all_.size()));
        all_.push_back({ends.first, ends.second, double(units), units});
    }
    first_.resize(vertices + std::size_t{1}, static_cast<std::uint32_t>(all_.size()));
    find_into();
}

void Bundles::add_link(Bundle& bundle, std::uint32_t cost) {
    bundle.costs.push_back(cost);
    bundle.capacity += double(denominator_) / cost;
    bundle.units += unit_ / cost;
}

void Bundles::find_into() {
    first_into_.assign(first_.size(), 0);
    for (Bundle const& bundle : all_) ++first_into_[bundle.to + 1];
    std::partial_sum(first_into_.begin(), first_into_.end(), first_into_.begin());
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
        if (b != SwitchGraph::none) add_link(all_[b], all_[b].costs.front());
}

std::vector<std::uint32_t> Bundles::nearest_first(std::uint32_t to, std::vector<std::uint32_t>& distance) const {
    distance.assign(switches(), SwitchGraph::none);
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
