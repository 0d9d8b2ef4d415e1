#include "host/search/bounds/cut_bound.hpp"

#include "host/search/bounds/max_flow.hpp"

#include <numeric>
#include <utility>
#include <vector>

namespace tailback::search {
namespace {

__extension__ using Wide = unsigned __int128;

bool allows_less(CutBound const& a, CutBound const& b) {
    return Wide{a.bandwidth} * b.parts < Wide{b.bandwidth} * a.parts;
}

CutBound reduced(CutBound const& bound) {
    std::uint64_t const common = std::gcd(bound.parts, bound.bandwidth);
    return {bound.parts / common, bound.bandwidth / common};
}

std::uint64_t sum_of(std::vector<std::pair<std::uint32_t, std::uint64_t>> const& links) {
    std::uint64_t sum = 0;
    for (auto const& [other, capacity] : links) sum += capacity;
    return sum;
}

/// Who gives parts: by group how many each of its vertices; and who gets them: by group whether its vertices do.
struct Giving {
    std::vector<std::uint64_t> gives;
    std::vector<char> gets;
};

/// One vertex after the other is to get everything. Those that do are joined with the source.
class Cuts {
public:
    Cuts(Folded const& folded, Giving const& giving)
        : folded_(folded), giving_(giving), own_(folded.groups.size()), arcs_of_(folded.groups.size()) {
        std::size_t const groups = folded.groups.size();
        vertices_ = folded.vertices;
        edges_ = folded.edges;
        for (std::uint32_t g = 0; g < groups; ++g) {
            Folded::Group const& group = folded.groups[g];
            all_ += group.count * giving.gives[g];
            auto const add = [&](std::uint32_t from, std::uint32_t to, std::uint64_t capacity) {
                if (group.count > 1) arcs_of_[g].emplace_back(static_cast<std::uint32_t>(edges_.size()), capacity);
                edges_.push_back({from, to, capacity * group.count});
            };
            for (auto const& [to, capacity] : group.out) add(g, to, capacity);
            for (auto const& [from, capacity] : group.in)
                if (from >= groups) add(from, g, capacity);  // else it is among those that go out
            own_[g] = group.count > 1 ? vertices_++ : g;
            if (group.count > 1)  // one of them, apart: what it sends does not matter
                for (auto const& [from, capacity] : group.in) edges_.push_back({from, own_[g], capacity});
        }
    }
    /// The least of all cuts; bandwidth 0: somebody is not reached.
    CutBound least() {
        CutBound bound;
        for (std::uint32_t g = 0; g < folded_.groups.size(); ++g) {
            if (giving_.gets[g] == 0 || all_ == giving_.gives[g]) continue;
            CutBound const one{all_ - giving_.gives[g], sum_of(folded_.groups[g].in)};  // everybody else
            if (bound.parts == 0 || allows_less(one, bound)) bound = reduced(one);
        }
        std::optional<MaxFlow> flow;
        for (std::uint32_t g = 0; g < folded_.groups.size() && bound.bandwidth > 0; ++g) {
            if (giving_.gets[g] == 0 || all_ == giving_.gives[g]) continue;
            if (!flow) flow = network(bound);
            while (bound.bandwidth > 0 && find_less(*flow, g, bound))
                if (bound.bandwidth > 0) flow = network(bound);
            done_[g] = 1;
            flow->set_capacity(supply(g), all_ * bound.bandwidth);
        }
        return bound;
    }

private:
    std::uint32_t source() const { return vertices_; }
    std::uint32_t supply(std::uint32_t group) const { return static_cast<std::uint32_t>(edges_.size()) + group; }
    std::uint64_t supply_of(std::uint32_t group, std::uint64_t vertices, CutBound const& bound) const {
        return done_[group] != 0 ? all_ * bound.bandwidth : vertices * giving_.gives[group] * bound.bandwidth;
    }
    MaxFlow network(CutBound const& bound) {
        done_.resize(folded_.groups.size());
        MaxFlow flow(std::size_t{vertices_} + 1);
        for (CapacityGraph::Edge const& edge : edges_) flow.add(edge.from, edge.to, edge.capacity * bound.parts);
        for (std::uint32_t g = 0; g < folded_.groups.size(); ++g)
            flow.add(source(), g, supply_of(g, folded_.groups[g].count, bound));
        return flow;
    }
    /// The group as if it had so many vertices.
    void resize(MaxFlow& flow, std::uint32_t group, std::uint64_t vertices, CutBound const& bound) const {
        for (auto const& [arc, capacity] : arcs_of_[group]) flow.set_capacity(arc, capacity * vertices * bound.parts);
        flow.set_capacity(supply(group), supply_of(group, vertices, bound));
    }
    /// A cut that allows less than `bound` to one vertex of the group; false: there is none.
    bool find_less(MaxFlow& flow, std::uint32_t apart, CutBound& bound) const {
        resize(flow, apart, folded_.groups[apart].count - 1, bound);
        std::uint64_t const wanted = (all_ - giving_.gives[apart]) * bound.bandwidth;
        bool const is_less = flow.find(source(), own_[apart], wanted) < wanted;
        CutBound less;
        if (is_less) {
            for (std::uint32_t g = 0; g < folded_.groups.size(); ++g)
                if (!flow.could_send(g))
                    less.parts += (folded_.groups[g].count - (g == apart ? 1 : 0)) * giving_.gives[g];
            for (std::uint32_t e = 0; e < edges_.size(); ++e)
                if (!flow.could_send(edges_[e].from) && flow.could_send(edges_[e].to))
                    less.bandwidth += flow.capacity(e) / bound.parts;
        }
        flow.forget();
        resize(flow, apart, folded_.groups[apart].count, bound);
        if (is_less) bound = reduced(less);
        return is_less;
    }

    Folded const& folded_;
    Giving const& giving_;
    std::uint32_t vertices_ = 0;
    std::uint64_t all_ = 0;
    std::vector<CapacityGraph::Edge> edges_;
    std::vector<std::uint32_t> own_;  ///< by group: the vertex that stands for one of it
    /// By group of several: its links, each with the capacity of one vertex.
    std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>> arcs_of_;
    std::vector<char> done_;  ///< by group: its vertices get everything
};

std::optional<CutBound> least_cut(Folded const& folded, Giving const& giving) {
    CutBound const bound = Cuts(folded, giving).least();
    return bound.bandwidth > 0 ? std::optional(bound) : std::nullopt;
}

/// Whether there is a bound, and it can be found in whole numbers.
bool can_be_bound(CapacityGraph const& graph, Folded const& folded) {
    std::uint64_t vertices = 0, endpoints = 0, bandwidth = 0;
    for (Folded::Group const& group : folded.groups)
        vertices += group.count, endpoints += group.count * group.endpoints;
    for (CapacityGraph::Edge const& edge : graph.edges)
        if (edge.capacity > INT64_MAX || (bandwidth += edge.capacity) > INT64_MAX) return false;
    return vertices >= 2 && Wide{bandwidth} * endpoints <= INT64_MAX;
}

Giving giving_of(Folded const& folded, bool everybody_gives, bool everybody_gets, std::uint32_t root) {
    std::size_t const groups = folded.groups.size();
    Giving giving{std::vector<std::uint64_t>(groups), std::vector<char>(groups)};
    for (std::uint32_t g = 0; g < groups; ++g) {
        bool const is_root = g == root;
        giving.gives[g] = everybody_gives ? folded.groups[g].endpoints : is_root ? 1 : 0;
        giving.gets[g] = everybody_gets ? everybody_gives || !is_root : is_root;
    }
    return giving;
}

std::optional<CutBound> bound_rooted(CapacityGraph const& graph, bool gathers, std::optional<std::uint32_t> root,
                                     std::uint64_t most_work) {
    Folded const folded = fold(graph, root);
    // A gather is one large flow, a broadcast many short ones.
    std::uint64_t const work = (gathers ? 100 : folded.groups.size()) * (graph.edges.size() + 1);
    if (!can_be_bound(graph, folded) || work > most_work) return std::nullopt;
    if (root) return least_cut(folded, giving_of(folded, gathers, !gathers, folded.number[*root]));
    std::uint64_t all = 0;
    for (Folded::Group const& group : folded.groups) all += group.count * group.endpoints;
    // Where links are the same both ways, a cut has one bandwidth, whichever of its sides a broadcast's root is on.
    bool const are_roots_alike = !gathers && is_same_both_ways(graph);
    std::optional<CutBound> best;
    for (std::uint32_t g = 0, tried = 0; g < (are_roots_alike ? 1 : folded.groups.size()); ++g) {  // a vertex of each
        Folded::Group const& group = folded.groups[g];
        CutBound const least = gathers ? CutBound{all - group.endpoints, sum_of(group.in)}
                                       : CutBound{1, sum_of(group.out)};  // by its own links
        if (least.bandwidth == 0 || (best && !allows_less(*best, least))) continue;
        if (++tried * work > most_work) return std::nullopt;
        std::uint32_t one = 0;
        while (graph.endpoints[one] == 0 || folded.number[one] != g) ++one;
        std::optional<CutBound> const bound = bound_rooted(graph, gathers, one, most_work);
        if (bound && (!best || allows_less(*best, *bound))) best = bound;
    }
    return best;
}

}  // namespace

std::optional<CutBound> bound_allgather(CapacityGraph const& graph, std::uint64_t most_work) {
    Folded const folded = fold(graph);
    if (!can_be_bound(graph, folded) || folded.groups.size() * (graph.edges.size() + 1) > most_work)
        return std::nullopt;
    return least_cut(folded, giving_of(folded, true, true, 0));
}

std::optional<CutBound> bound_broadcast(CapacityGraph const& graph, std::optional<std::uint32_t> root,
                                        std::uint64_t most_work) {
    return bound_rooted(graph, false, root, most_work);
}

std::optional<CutBound> bound_gather(CapacityGraph const& graph, std::optional<std::uint32_t> root,
                                     std::uint64_t most_work) {
    return bound_rooted(graph, true, root, most_work);
}

}  // namespace tailback::search
