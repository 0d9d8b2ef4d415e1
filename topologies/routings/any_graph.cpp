#include "topologies/routings/any_graph.hpp"

#include "kernels/cpu/machine/threads.hpp"
#include "topologies/draws.hpp"
#include "topologies/routings/candidates.hpp"
#include "topologies/routings/trees.hpp"
#include "topologies/routings/wide_distances.hpp"
#include "topologies/routings/wide_minhop.hpp"

#include <algorithm>
#include <bit>

namespace tailback::topologies {

void ShortestCandidates::find(std::uint32_t target, Candidates& found) {
    graph_.distances(target, hops_, order_);
    for (std::size_t i = 1; i < order_.size(); ++i) {
        std::uint32_t const v = order_[i];
        for (std::uint32_t a = graph_.first_arc[v]; a < graph_.first_arc[v + 1]; ++a) {
            std::uint32_t const to = graph_.arcs[a].to;
            if (hops_[to] + 1 == hops_[v] && (to == target || graph_.transit[to])) found.arcs.push_back(a);
        }
        found.order.push_back(v);
        found.first.push_back(static_cast<std::uint32_t>(found.arcs.size()));
    }
}

namespace {

class FirstArc final : public ArcChoice {
public:
    using ArcChoice::ArcChoice;
    void operator()(std::uint32_t v, std::span<std::uint32_t const> arcs,
                    std::span<ForwardingGraph::Destination const> to, std::uint16_t* chosen) const {
        std::fill_n(chosen, to.size(), from_first(v, arcs[0]));
    }
};

class DrawnArc final : public ArcChoice {
public:
    DrawnArc(ForwardingGraph const& graph, std::uint64_t seed) : ArcChoice(graph), seed_(seed) {}
    void operator()(std::uint32_t v, std::span<std::uint32_t const> arcs,
                    std::span<ForwardingGraph::Destination const> to, std::uint16_t* chosen) const {
        for (ForwardingGraph::Destination const& destination : to) {
            std::uint64_t const word = drawn_word(seed_, BuildStream::random_ports, v, destination.lid, 0);
            *chosen++ = from_first(v, arcs[word * arcs.size() >> 32]);
        }
    }

private:
    std::uint64_t seed_;
};

/// Along shortest ways, for 64 targets at once.
template <class Choose>
class WideTrees final : public DestinationTrees {
public:
    WideTrees(ForwardingGraph const& graph, DestinationTreesFor const& what, Choose choose)
        : DestinationTrees(graph, what), choose_(std::move(choose)), distances_(graph) {
        for (std::uint32_t v = 0; v < graph.size(); ++v)
            most_arcs_ = std::max(most_arcs_, graph.first_arc[v + 1] - graph.first_arc[v]);
    }

private:
    std::uint32_t targets_at_once() override { return most_targets; }
    bool has_rows() const override { return Choose::remembers || to() == DestinationTreesTo::fill_tables; }
    std::uint32_t arc(std::uint32_t v, std::uint32_t t, std::uint32_t d) const override {
        if constexpr (!Choose::remembers)
            if (!has_rows()) {
                std::vector<std::uint32_t> arcs;
                distances_.candidates(v, [&](std::uint32_t arc, std::uint64_t bits) {
                    if (bits >> (t - first_target()) & 1) arcs.push_back(arc);
                });
                if (arcs.empty()) return ForwardingGraph::none;
                std::uint16_t chosen = 0;
                choose_(v, arcs, {&graph().destinations[d], 1}, &chosen);
                return graph().first_arc[v] + chosen;
            }
        return DestinationTrees::arc(v, t, d);
    }
    void make() override {
        distances_.find(first_target(), last_target());
        if (has_rows()) fill_rows();
    }
    void fill_rows() {
        std::uint32_t const targets = last_target() - first_target();
        constexpr std::size_t at_once = 8;
        kernels::NextOf next(graph().size(), at_once);
        kernels::in_threads(threads(), [&] {
            std::vector<std::uint32_t> arcs(std::size_t{most_arcs_} * most_targets);  // [target][place]
            std::uint32_t found[most_targets];
            auto const choose_at = [&](std::uint32_t v) {
                std::fill_n(found, targets, 0u);
                distances_.candidates(v, [&](std::uint32_t arc, std::uint64_t bits) {
                    for (; bits != 0; bits &= bits - 1) {
                        auto const t = static_cast<std::uint32_t>(std::countr_zero(bits));
                        arcs[std::size_t{t} * most_arcs_ + found[t]++] = arc;
                    }
                });
                for (std::uint32_t t = 0; t < targets; ++t) {
                    std::uint32_t const begin = graph().first_destination[first_target() + t],
                                        end = graph().first_destination[first_target() + t + 1];
                    std::uint16_t* const chosen = row(v).data() + (begin - first());
                    if (found[t] == 0) std::fill_n(chosen, end - begin, no_path);
                    else
                        choose_(v, {arcs.data() + std::size_t{t} * most_arcs_, found[t]},
                                {graph().destinations.data() + begin, graph().destinations.data() + end}, chosen);
                }
            };
            for (std::size_t first; next.take(first);)
                for (std::size_t v = first; v < std::min<std::size_t>(first + at_once, graph().size()); ++v)
                    choose_at(static_cast<std::uint32_t>(v));
        });
    }

    Choose choose_;
    WideDistances distances_;
    std::uint32_t most_arcs_ = 0;
};

/// Where most targets are so far that looking at all forwarders for every hop would cost more than a search of each.
constexpr std::uint32_t most_wide_hops = 24;

bool is_wide(ForwardingGraph const& graph) {
    std::vector<std::uint32_t> hops, order;
    if (graph.size() == 0) return true;
    graph.distances(0, hops, order);
    return hops[order.back()] <= most_wide_hops;
}

template <class Choose>
std::unique_ptr<DestinationTrees> shortest(ForwardingGraph const& graph, DestinationTreesFor const& what,
                                           Choose choose) {
    if (is_wide(graph)) return std::make_unique<WideTrees<Choose>>(graph, what, std::move(choose));
    auto find = [candidates = ShortestCandidates(graph)](std::uint32_t target, Candidates& found) mutable {
        candidates.find(target, found);
    };
    return std::make_unique<DestinationTreesByTarget<decltype(find), Choose>>(graph, what, std::move(find),
                                                                              std::move(choose));
}

// Hoefler, Schneider, Lumsdaine ("Optimized Routing for Large-Scale InfiniBand Networks", HotI 2009): destinations one
// after the other; each takes the tree of shortest routes that is lightest in the routes its links carry already.
class SsspTrees final : public DestinationTrees {
public:
    SsspTrees(ForwardingGraph const& graph, DestinationTreesFor const& what)
        : DestinationTrees(graph, what),
          shortest_paths_(graph),
          weight_(graph.arcs.size()),
          cost_(graph.size()),
          routes_(graph.size()) {}

private:
    std::uint32_t targets_at_once() override { return 1; }
    void make() override {
        clear_rows();
        candidates_.clear();
        shortest_paths_.find(first_target(), candidates_);
        chosen_.resize(candidates_.order.size());
        for (std::uint32_t d = first(); d < last(); ++d) {
            cost_[first_target()] = 0;
            for (std::size_t i = 0; i < candidates_.order.size(); ++i) {
                std::uint32_t const v = candidates_.order[i];
                std::uint64_t least = ~std::uint64_t{0};
                for (std::uint32_t const a : candidates_.of(i))
                    if (std::uint64_t const sum = cost_[graph().arcs[a].to] + weight_[a]; sum < least) {
                        least = sum;
                        chosen_[i] = a;
                    }
                cost_[v] = least;
                routes_[v] = graph().sources[v];
                row(v)[d - first()] = static_cast<std::uint16_t>(chosen_[i] - graph().first_arc[v]);
            }
            if (graph().destinations[d].host) add_weights();
        }
    }
    void add_weights() {
        for (std::size_t i = candidates_.order.size(); i-- > 0;) {
            std::uint32_t const v = candidates_.order[i];
            weight_[chosen_[i]] += routes_[v];
            routes_[graph().arcs[chosen_[i]].to] += routes_[v];
        }
    }

    ShortestCandidates shortest_paths_;
    Candidates candidates_;
    std::vector<std::uint64_t> weight_, cost_, routes_;
    std::vector<std::uint32_t> chosen_;
};

}  // namespace

std::unique_ptr<DestinationTrees> bfs_trees(ForwardingGraph const& graph, DestinationTreesFor const& what,
                                            RoutingInput const&) {
    return shortest(graph, what, FirstArc(graph));
}

std::unique_ptr<DestinationTrees> random_trees(ForwardingGraph const& graph, DestinationTreesFor const& what,
                                               RoutingInput const& input) {
    return shortest(graph, what, DrawnArc(graph, input.seed));
}

std::unique_ptr<DestinationTrees> minhop_trees(ForwardingGraph const& graph, DestinationTreesFor const& what,
                                               RoutingInput const&) {
    if (is_wide(graph))
        if (auto wide = make_wide_minhop(graph, what)) return wide;
    return shortest(graph, what, LeastLoaded(graph));
}

std::unique_ptr<DestinationTrees> sssp_trees(ForwardingGraph const& graph, DestinationTreesFor const& what,
                                             RoutingInput const&) {
    return std::make_unique<SsspTrees>(graph, what);
}

}  // namespace tailback::topologies
