// Routes of a routing by destination that no table holds: made anew, some destinations at a time, for who asks.
#pragma once

#include "topologies/forwarding_graph.hpp"
#include "topologies/routings/trees.hpp"

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tailback {

struct RoutingAlgorithm;
class RoutingSpec;

/// The same routes that make_routes keeps in tables.
class TreeRoutes {
public:
    /// True for routings for any graph by destination alone, and for those of families that are a formula.
    static bool serve(Topology const& topology, RoutingSpec const& spec);
    /// @throws InputError when they do not serve, or as make_routes does.
    TreeRoutes(Topology const& topology, RoutingSpec const& spec);

    ForwardingGraph const& graph() const { return graph_; }
    RoutingRoots const& roots() const { return roots_; }
    /// The routing with its options and its seed.
    std::string const& text() const { return text_; }
    /// Routes to hosts, from the first on. @param network the topology's. Must not outlive this.
    std::unique_ptr<Trees> start(Network const& network, unsigned threads) const;
    /// Who has routes to whom: calls visit(targets, sources) for forwarders that hosts hang off, some at a time, each
    /// once. From the sources, and from nobody else, there is a way to every one of the targets, which are among them.
    /// Where there is none, there is no first link of one either.
    using Visit = std::function<void(std::span<std::uint32_t const> targets, std::span<std::uint32_t const> sources)>;
    void reach(Network const& network, Visit const& visit) const;

private:
    ForwardingGraph graph_;
    RoutingAlgorithm const& routing_;
    RoutingRoots roots_;
    std::function<Port(std::uint32_t, std::uint32_t)> next_port_;  // of a routing that is a formula
    std::uint64_t seed_;
    std::string text_;
};

}  // namespace tailback
