#include "topologies/routings/adaptive.hpp"

#include "host/base/memory.hpp"
#include "host/model/routes/candidate_sets.hpp"
#include "topologies/routings/any_graph.hpp"
#include "topologies/routings/trees.hpp"

#include <algorithm>
#include <functional>

namespace tailback::topologies {
namespace {

using Find = std::function<void(std::uint32_t target, Candidates& found)>;

Find find_sets(ForwardingGraph const& graph, model::Network const& network, std::string const& sets,
               model::RoutingRoots const& roots) {
    if (sets != "minimal") return updn_candidates(graph, network, roots, sets == "ftree");
    return [ways = ShortestCandidates(graph)](std::uint32_t target, Candidates& found) mutable {
        ways.find(target, found);
    };
}

/// Takes candidates of target after target into sets, and chooses static entries.
class Collect {
public:
    Collect(ForwardingGraph const& graph, model::Network const& network, std::string words)
        : graph_(graph), choose_(graph) {
        std::size_t const lids = std::size_t{network.max_lid()} + 1;
        base::require_memory("candidate sets", std::uint64_t{graph.size()} * lids * 2, "choose a smaller network");
        sets_ = std::make_shared<model::CandidateSets>(network.nodes().size(), lids, std::move(words));
        for (model::Node const node : graph.nodes) sets_->add_row(node);
        tables_ = tables_of(graph, network);
    }

    void take(std::uint32_t target, Candidates const& found) {
        std::span const to(graph_.destinations.data() + graph_.first_destination[target],
                           graph_.destinations.data() + graph_.first_destination[target + 1]);
        if (to.empty()) return;
        for (ForwardingGraph::Destination const& own : to) tables_.set(graph_.nodes[target], own.lid, own.port);
        std::vector<std::uint16_t> chosen(to.size());
        for (std::size_t i = 0; i < found.order.size(); ++i) {
            std::uint32_t const v = found.order[i];
            ports_.clear();
            for (std::uint32_t const arc : found.of(i)) ports_.push_back(graph_.arcs[arc].port);
            std::sort(ports_.begin(), ports_.end());
            model::CandidateSets::Group const group = sets_->group_of(graph_.nodes[v], ports_);
            choose_(v, found.of(i), to, chosen.data());
            for (std::size_t d = 0; d < to.size(); ++d) {
                sets_->set(graph_.nodes[v], to[d].lid, model::LidState::free, group);
                tables_.set(graph_.nodes[v], to[d].lid, graph_.arcs[graph_.first_arc[v] + chosen[d]].port);
            }
        }
    }

    Routes routes(model::RoutingRoots roots) {
        Routes routes{std::move(tables_)};
        routes.roots = std::move(roots);
        routes.candidates = std::move(sets_);
        return routes;
    }

private:
    ForwardingGraph const& graph_;
    LeastLoaded choose_;
    std::shared_ptr<model::CandidateSets> sets_;
    model::ForwardingTables tables_;
    std::vector<model::Port> ports_;
};

}  // namespace

Routes adaptive_routes(Topology const& topology, RoutingSpec const& spec) {
    ForwardingGraph const graph(topology.network, topology.hosts_do);
    std::string const& sets = spec.arguments().word("sets");
    model::RoutingRoots roots;
    if (sets != "minimal") roots = updn_roots(topology, spec.arguments(), spec.roots());
    Find const find = find_sets(graph, topology.network, sets, roots);
    Collect collect(graph, topology.network, spec.text());
    Candidates found;
    for (std::uint32_t target = 0; target < graph.size(); ++target) {
        found.clear();
        find(target, found);
        collect.take(target, found);
    }
    return collect.routes(std::move(roots));
}

}  // namespace tailback::topologies
