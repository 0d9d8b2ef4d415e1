#include "host/search/bounds/max_flow.hpp"

#include <algorithm>

namespace tailback::search {

std::uint32_t MaxFlow::add(std::uint32_t from, std::uint32_t to, std::uint64_t capacity) {
    arcs_.push_back({to, first_[from], capacity});
    first_[from] = static_cast<std::uint32_t>(arcs_.size() - 1);
    arcs_.push_back({from, first_[to], 0});
    first_[to] = static_cast<std::uint32_t>(arcs_.size() - 1);
    capacity_.push_back(capacity);
    return static_cast<std::uint32_t>(capacity_.size() - 1);
}

void MaxFlow::forget_ranks() {
    for (std::uint32_t const v : ranked_) rank_[v] = none;
    ranked_.clear();
}

void MaxFlow::forget() {
    for (std::uint32_t const arc : used_) arcs_[2 * arc].left = capacity_[arc], arcs_[2 * arc + 1].left = 0;
    used_.clear();
}

/// By distance from the sink, as far as the source.
bool MaxFlow::rank_from(std::uint32_t sink, std::uint32_t source) {
    forget_ranks();
    from_source_.clear();
    auto const rank = [&](std::uint32_t v, std::uint32_t distance) {
        rank_[v] = distance;
        at_[v] = first_[v];
        ranked_.push_back(v);
    };
    rank(sink, 0);
    std::uint32_t farthest = none;  // of vertices that the source leads to
    for (std::size_t i = 0; i < ranked_.size(); ++i) {
        std::uint32_t const v = ranked_[i], distance = rank_[v];
        if (distance > farthest) break;
        for (std::uint32_t a = first_[v]; a != none; a = arcs_[a].next) {
            if (arcs_[a ^ 1].left == 0) continue;
            std::uint32_t const from = arcs_[a].to;
            if (from == source) from_source_.push_back(a ^ 1), farthest = distance;
            else if (farthest == none && rank_[from] == none) rank(from, distance + 1);
        }
    }
    return !from_source_.empty();
}

std::uint64_t MaxFlow::push(std::uint32_t arc, std::uint32_t sink, std::uint64_t most) {
    std::uint32_t const to = arcs_[arc].to;
    most = std::min(most, arcs_[arc].left);
    std::uint64_t sent = to == sink ? most : 0;
    for (std::uint32_t& a = at_[to]; sent < most && a != none; a = arcs_[a].next) {
        if (arcs_[a].left > 0 && rank_[arcs_[a].to] + 1 == rank_[to]) sent += push(a, sink, most - sent);
        if (sent == most) break;  // the arc may have more: it is looked at again
    }
    if (sent > 0) used_.push_back(arc / 2);
    arcs_[arc].left -= sent;
    arcs_[arc ^ 1].left += sent;
    return sent;
}

std::uint64_t MaxFlow::find(std::uint32_t source, std::uint32_t sink, std::uint64_t wanted) {
    std::uint64_t flow = 0;
    while (flow < wanted && rank_from(sink, source))
        for (std::uint32_t const arc : from_source_)
            if (flow < wanted) flow += push(arc, sink, wanted - flow);
    return flow;
}

}  // namespace tailback::search
