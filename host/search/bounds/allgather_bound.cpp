#include "host/search/bounds/allgather_bound.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tailback::search {

void MaxFlow::add(std::uint32_t from, std::uint32_t to, std::uint64_t capacity) {
    arcs_.push_back({to, first_[from], capacity});
    first_[from] = static_cast<std::uint32_t>(arcs_.size() - 1);
    arcs_.push_back({from, first_[to], 0});
    first_[to] = static_cast<std::uint32_t>(arcs_.size() - 1);
}

bool MaxFlow::rank_from(std::uint32_t source, std::uint32_t sink) {
    rank_.assign(first_.size(), none);
    rank_[source] = 0;
    std::vector<std::uint32_t> queue = {source};
    for (std::size_t i = 0; i < queue.size(); ++i)
        for (std::uint32_t a = first_[queue[i]]; a != none; a = arcs_[a].next)
            if (arcs_[a].left > 0 && rank_[arcs_[a].to] == none) {
                rank_[arcs_[a].to] = rank_[queue[i]] + 1;
                queue.push_back(arcs_[a].to);
            }
    return rank_[sink] != none;
}

std::uint64_t MaxFlow::push(std::uint32_t from, std::uint32_t sink, std::uint64_t most) {
    if (from == sink) return most;
    std::uint64_t sent = 0;
    for (std::uint32_t& a = at_[from]; a != none; a = arcs_[a].next) {
        Arc& arc = arcs_[a];
        if (arc.left == 0 || rank_[arc.to] != rank_[from] + 1) continue;
        std::uint64_t const more = push(arc.to, sink, std::min(most - sent, arc.left));
        arc.left -= more;
        arcs_[a ^ 1].left += more;
        sent += more;
        if (sent == most) return sent;  // the arc may have more: it is looked at again
    }
    return sent;
}

std::uint64_t MaxFlow::find(std::uint32_t source, std::uint32_t sink, std::uint64_t wanted) {
    std::uint64_t flow = 0;
    while (flow < wanted && rank_from(source, sink)) {
        at_ = first_;
        flow += push(source, sink, wanted - flow);
    }
    return flow;
}

std::vector<char> MaxFlow::reached() const {
    std::vector<char> reached(rank_.size());
    for (std::size_t v = 0; v < rank_.size(); ++v) reached[v] = rank_[v] != none;
    return reached;
}

namespace {

std::uint64_t sum_of(std::vector<std::pair<std::uint32_t, std::uint64_t>> const& links) {
    std::uint64_t sum = 0;
    for (auto const& [other, capacity] : links) sum += capacity;
    return sum;
}

__extension__ using Wide = unsigned __int128;

bool allows_less(AllgatherBound const& a, AllgatherBound const& b) {
    return Wide{a.bandwidth} * b.endpoints < Wide{b.bandwidth} * a.endpoints;
}

/// One vertex of group `apart` is to get everything.
class Cuts {
public:
    Cuts(Folded const& folded, std::uint32_t apart) : folded_(folded), apart_(apart) {
        auto const own = folded.vertices, source = own + 1;
        edges_ = folded.edges;
        for (std::uint32_t g = 0; g < folded.groups.size(); ++g) {
            Folded::Group const& group = folded.groups[g];
            std::uint64_t const others = group.count - (g == apart ? 1 : 0);
            // A link between two vertices with endpoints is in both their lists, and each of these is a group alone.
            for (auto const& [to, capacity] : group.out) {
                bool const is_apart = to == apart;
                if (others > 0) edges_.push_back({g, is_apart ? own : to, capacity * others});
                if (g == apart) edges_.push_back({own, to, capacity});
            }
            for (auto const& [from, capacity] : group.in) {
                if (from < folded.groups.size()) continue;  // it is among those that go out
                if (others > 0) edges_.push_back({from, g, capacity * others});
                if (g == apart) edges_.push_back({from, own, capacity});
            }
            if (others > 0) supplies_.push_back({g, others * group.endpoints});
            all_ += others * group.endpoints;
        }
        source_ = source;
        own_ = own;
    }
    /// A cut that allows less than `bound`; false: there is none.
    bool find_less(AllgatherBound& bound) const {
        MaxFlow flow(std::size_t{folded_.vertices} + 2);
        for (CapacityGraph::Edge const& edge : edges_) flow.add(edge.from, edge.to, edge.capacity * bound.endpoints);
        for (auto const& [vertex, endpoints] : supplies_) flow.add(source_, vertex, endpoints * bound.bandwidth);
        std::uint64_t const wanted = all_ * bound.bandwidth;
        if (flow.find(source_, own_, wanted) == wanted) return false;
        std::vector<char> const inside = flow.reached();
        AllgatherBound less;
        for (auto const& [vertex, endpoints] : supplies_) less.endpoints += inside[vertex] != 0 ? endpoints : 0;
        for (CapacityGraph::Edge const& edge : edges_)
            if (inside[edge.from] != 0 && inside[edge.to] == 0) less.bandwidth += edge.capacity;
        std::uint64_t const common = std::gcd(less.endpoints, less.bandwidth);
        bound = {less.endpoints / common, less.bandwidth / common};
        return true;
    }

private:
    Folded const& folded_;
    std::uint32_t const apart_;
    std::uint32_t source_ = 0, own_ = 0;
    std::uint64_t all_ = 0;
    std::vector<CapacityGraph::Edge> edges_;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> supplies_;
};

}  // namespace

std::optional<AllgatherBound> bound_allgather(CapacityGraph const& graph, std::uint64_t most_work) {
    std::uint64_t const all = std::accumulate(graph.endpoints.begin(), graph.endpoints.end(), std::uint64_t{0});
    Folded const folded = fold(graph);
    std::uint64_t vertices = 0, bandwidth = 0;
    for (Folded::Group const& group : folded.groups) vertices += group.count;
    for (CapacityGraph::Edge const& edge : graph.edges) bandwidth += edge.capacity;
    if (vertices < 2 || folded.groups.size() * (graph.edges.size() + 1) > most_work) return std::nullopt;
    if (Wide{bandwidth} * all > INT64_MAX) return std::nullopt;  // products would not fit
    std::optional<AllgatherBound> bound;
    for (Folded::Group const& group : folded.groups) {  // everybody but one: into that goes all
        AllgatherBound const one{all - group.endpoints, sum_of(group.in)};
        if (!bound || allows_less(one, *bound)) bound = one;
    }
    for (std::uint32_t g = 0; g < folded.groups.size() && bound->bandwidth > 0; ++g) {
        Cuts const cuts(folded, g);
        while (bound->bandwidth > 0 && cuts.find_less(*bound)) {
        }
    }
    if (bound->bandwidth == 0) return std::nullopt;
    std::uint64_t const common = std::gcd(bound->endpoints, bound->bandwidth);
    return AllgatherBound{bound->endpoints / common, bound->bandwidth / common};
}

}  // namespace tailback::search
