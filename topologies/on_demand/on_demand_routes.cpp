#include "topologies/on_demand/on_demand_routes.hpp"

#include "host/base/error.hpp"
#include "topologies/lag_routes.hpp"
#include "topologies/routing.hpp"
#include "topologies/routings/any_graph.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::topologies {

namespace {

OwnRouting const* formula(Topology const& topology, RoutingSpec const& spec) {
    for (OwnRouting const& own : topology.routings)
        if (own.name == spec.name() && own.next_port && !depends_on_source(topology, spec)) return &own;
    return nullptr;
}

/// Every step computed when it is asked for.
class FormulaTrees final : public DestinationTrees {
public:
    FormulaTrees(ForwardingGraph const& graph, NextPort const& next_port)
        : DestinationTrees(graph, {DestinationTreesTo::route_flows, 1}), next_port_(next_port) {}
    std::uint32_t arc(std::uint32_t v, std::uint32_t t, std::uint32_t d) const override {
        auto const begin = graph().arcs.begin() + graph().first_arc[v],
                   end = graph().arcs.begin() + graph().first_arc[v + 1];
        model::Port const port = next_port_(v, t, graph().destinations[d].lid - 1);
        auto const found =
            std::lower_bound(begin, end, port, [](auto const& arc, model::Port p) { return arc.port < p; });
        return found == end || found->port != port ? ForwardingGraph::none
                                                   : static_cast<std::uint32_t>(found - graph().arcs.begin());
    }

private:
    std::uint32_t targets_at_once() override { return graph().size(); }
    bool has_rows() const override { return false; }
    void make() override {}

    NextPort const& next_port_;
};

}  // namespace

bool OnDemandRoutes::serve(Topology const& topology, RoutingSpec const& spec) {
    return !has_lags(topology) && (spec.algorithm().trees != nullptr || formula(topology, spec) != nullptr);
}

OnDemandRoutes::OnDemandRoutes(Topology const& topology, RoutingSpec const& spec)
    : graph_(topology.network, topology.hosts_do),
      routing_(spec.algorithm()),
      seed_(spec.seed()),
      text_(fmt::format("{}, seed {}", spec.arguments().text(), spec.seed())) {
    if (has_lags(topology))
        throw base::InputError({}, "--routes trees does not go with LAGs",
                               "what goes by one is divided over its members, and routes on demand take one",
                               "leave out --routes trees");
    if (OwnRouting const* const own = formula(topology, spec)) {
        next_port_ = own->next_port(spec.arguments(), spec.seed());
        return;
    }
    if (routing_.trees == nullptr) {
        std::string names;
        for (RoutingAlgorithm const& routing : all_routings())
            if (routing.trees != nullptr) names += (names.empty() ? "" : ", ") + routing.name;
        throw base::InputError({}, "routes by \"" + spec.text() + "\" cannot be computed on demand",
                               "only routings made destination by destination can",
                               "choose one of " + names + ", or leave out --routes trees");
    }
    if (routing_.roots != nullptr) roots_ = routing_.roots(topology, spec.arguments(), spec.roots());
}

std::unique_ptr<DestinationTrees> OnDemandRoutes::start(model::Network const& network, unsigned threads) const {
    if (next_port_) return std::make_unique<FormulaTrees>(graph_, next_port_);
    return routing_.trees(graph_, {DestinationTreesTo::route_flows, threads}, {network, seed_, roots_});
}

void OnDemandRoutes::reach(model::Network const& network, Visit const& visit) const {
    // Roots that were given may leave no way between two that are connected, any roots one between aggregation nodes.
    bool const aggregates =
        std::any_of(graph_.aggregation.begin(), graph_.aggregation.end(), [](auto n) { return n != 0; }) ||
        std::any_of(graph_.destinations.begin(), graph_.destinations.end(),
                    [](auto const& to) { return to.aggregation; });
    bool const ranks = roots_.are_given() || (!roots_.nodes.empty() && aggregates);
    auto const has_hosts = [&](std::uint32_t t) {
        std::uint32_t const first = graph_.first_destination[t];
        return first != graph_.first_destination[t + 1] && graph_.destinations[first].host;  // hosts come first
    };
    std::function<std::vector<std::uint32_t>(std::uint32_t)> ranked_sources;
    std::vector<std::uint32_t> hops, sources, queue, targets;
    std::vector<bool> done(graph_.size()), reached(graph_.size());

    // All that are reached from the same forwarders as `target`, by any way.
    auto const take = [&](std::uint32_t target) {
        graph_.distances(target, hops, sources);
        queue.assign(1, target);
        reached[target] = true;
        for (std::size_t i = 0; i < queue.size(); ++i) {
            if (!graph_.transit[queue[i]]) continue;
            for (std::uint32_t a = graph_.first_arc[queue[i]]; a < graph_.first_arc[queue[i] + 1]; ++a)
                if (std::uint32_t const to = graph_.arcs[a].to; !reached[to]) {
                    reached[to] = true;
                    queue.push_back(to);
                }
        }
        targets.clear();
        for (std::uint32_t const v : queue) {
            reached[v] = false;
            // Who reaches one that is reached from the target and reaches it, too, reaches both, when packets pass it;
            // else when its neighbours do.
            auto const near = [&](std::uint32_t u) { return hops[u] != ForwardingGraph::none; };
            bool const alike =
                v == target ||
                (near(v) && (graph_.transit[v] || std::all_of(graph_.in.begin() + graph_.first_in[v],
                                                              graph_.in.begin() + graph_.first_in[v + 1], near)));
            if (!alike || done[v]) continue;
            done[v] = true;
            if (has_hosts(v)) targets.push_back(v);
        }
        if (targets.empty()) return;
        if (!ranks) return visit(targets, sources);
        if (!ranked_sources) ranked_sources = updn_sources(graph_, network, roots_);
        for (std::uint32_t const t : targets) visit({&t, 1}, ranked_sources(t));
    };
    // Those that let packets through first: others are mostly alike to them.
    for (std::uint32_t const transit : {1u, 0u})
        for (std::uint32_t t = 0; t < graph_.size(); ++t)
            if (!done[t] && (graph_.transit[t] != 0) == (transit != 0)) take(t);
}

}  // namespace tailback::topologies
