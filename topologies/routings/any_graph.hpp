// Routings for any graph. Each says in routing.cpp what it does; all give routes to hosts and to switches.
#pragma once

#include "topologies/routings/trees.hpp"
#include "topologies/topology.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace tailback::topologies {

/// What choices may depend on beside the graph.
struct RoutingInput {
    model::Network const& network;
    std::uint64_t seed = 1;
    model::RoutingRoots const& roots;  ///< of a routing that takes some
};

/// `graph` must outlive what is made of it.
std::unique_ptr<DestinationTrees> bfs_trees(ForwardingGraph const& graph, DestinationTreesFor const& what,
                                            RoutingInput const& input);
std::unique_ptr<DestinationTrees> random_trees(ForwardingGraph const& graph, DestinationTreesFor const& what,
                                               RoutingInput const& input);
std::unique_ptr<DestinationTrees> minhop_trees(ForwardingGraph const& graph, DestinationTreesFor const& what,
                                               RoutingInput const& input);
std::unique_ptr<DestinationTrees> sssp_trees(ForwardingGraph const& graph, DestinationTreesFor const& what,
                                             RoutingInput const& input);
/// @throws InputError for a network of one-way links.
std::unique_ptr<DestinationTrees> updn_trees(ForwardingGraph const& graph, DestinationTreesFor const& what,
                                             RoutingInput const& input);

/// The roots of up*/down*: those of the option, else of the list, else its own choice. @throws InputError
/// Its own choice connects all hosts that are connected at all, but for aggregation nodes.
model::RoutingRoots updn_roots(Topology const& topology, Arguments const& options,
                               std::vector<model::Node> const& listed);
/// Finds, for a target, the first links of all shortest up*/down* ways by these roots: down where a way down is there,
/// else up. @param neighbours_only cables between switches of one level, counted from the roots, are not used.
/// @throws InputError for a network of one-way links.
std::function<void(std::uint32_t target, Candidates& found)> updn_candidates(ForwardingGraph const& graph,
                                                                             model::Network const& network,
                                                                             model::RoutingRoots const& roots,
                                                                             bool neighbours_only);
/// Gives the forwarders with a way to a target by these roots, the target among them.
std::function<std::vector<std::uint32_t>(std::uint32_t target)> updn_sources(ForwardingGraph const& graph,
                                                                             model::Network const& network,
                                                                             model::RoutingRoots const& roots);

}  // namespace tailback::topologies
