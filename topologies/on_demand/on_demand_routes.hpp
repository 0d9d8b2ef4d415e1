// Routes of a routing by destination that no table holds: made anew, some destinations at a time, for who asks.
#pragma once

#include "topologies/forwarding_graph.hpp"
#include "topologies/routings/trees.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tailback::topologies {

struct RoutingAlgorithm;
class RoutingSpec;

/// The same routes that make_routes keeps in tables.
class OnDemandRoutes final : public model::Routing {
public:
    /// True for routings for any graph by destination alone, and for those of families that are a formula.
    static bool serve(Topology const& topology, RoutingSpec const& spec);
    /// @throws InputError when they do not serve, or as make_routes does.
    OnDemandRoutes(Topology const& topology, RoutingSpec const& spec);

    ForwardingGraph const& graph() const { return graph_; }
    model::RoutingRoots const& roots() const { return roots_; }
    std::string text() const override { return text_; }
    bool is_made_on_demand() const override { return true; }
    /// Makes routes up to those of the destination: one pass for one route.
    model::Route trace(model::Fabric const& fabric, model::Host source, model::Lid destination) const override;
    /// What there is to know without routes. Slots are the arcs of the graph.
    /// @throws InputError when some hosts have several links, or one to another host.
    model::RouteStore pack(model::Fabric const& fabric, std::vector<model::Host> const& hosts,
                           model::LinkCosts const& costs, std::size_t row_byte_limit,
                           kernels::MakeRoutePacker) const override;
    std::optional<model::UnreachablePairs> find_unreachable(model::Fabric const& fabric,
                                                            std::vector<model::Host> const& hosts,
                                                            std::size_t named) const override;
    /// Routes to hosts, from the first on. @param network the topology's. Must not outlive this.
    std::unique_ptr<DestinationTrees> start(model::Network const& network, unsigned threads) const;
    /// Who has routes to whom: calls visit(targets, sources) for forwarders that hosts hang off, some at a time, each
    /// once. From the sources, and from nobody else, there is a way to every one of the targets, which are among them.
    /// Where there is none, there is no first link of one either.
    using Visit = std::function<void(std::span<std::uint32_t const> targets, std::span<std::uint32_t const> sources)>;
    void reach(model::Network const& network, Visit const& visit) const;

private:
    /// How one from this host fails: where packets enter.
    model::Route unreachable_route(model::Network const& network, model::Host source) const;

    ForwardingGraph graph_;
    RoutingAlgorithm const& routing_;
    model::RoutingRoots roots_;
    NextPort next_port_;  // of a routing that is a formula
    std::uint64_t seed_;
    std::string text_;
};

}  // namespace tailback::topologies
