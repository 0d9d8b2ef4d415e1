// A network as OpenSM's ftree sees it: switches on levels, all cables between two of them as a bundle, and the order in
// which it goes through switches, hosts and bundles.
#pragma once

#include "host/model/routing_roots.hpp"
#include "topologies/forwarding_graph.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace tailback::topologies {

struct RankedTree {
    /// All cables from a switch to another one. Those of the other one to it are a bundle of their own.
    struct Bundle {
        std::uint32_t to = 0;
        std::uint32_t first = 0, last = 0;  ///< in `cables`, by port
        std::uint32_t routes = 0;           ///< what it was chosen for so far
    };
    struct Cable {
        std::uint16_t back = 0;  ///< the arc of `to` that leads back, counted from its first one
        std::uint32_t routes = 0;
    };

    std::vector<std::uint32_t> level;              ///< by forwarder, 0 = roots; none = no way leads to it from a root
    std::vector<std::vector<std::uint32_t>> up;    ///< bundles of a forwarder to the level above, by `place`
    std::vector<std::vector<std::uint32_t>> down;  ///< to the level below
    std::vector<Bundle> bundles;
    std::vector<Cable> cables;
    std::vector<std::uint32_t> place;     ///< of a forwarder where routes are equally many; none = behind all others
    std::vector<std::uint32_t> by_guid;   ///< all forwarders that have a level
    std::vector<std::uint32_t> leaves;    ///< in the order in which their hosts are routed
    std::vector<std::uint8_t> has_hosts;  ///< by forwarder: endpoints of any kind but routers
    /// Positions in ForwardingGraph::destinations: compute nodes of a forwarder by port, and with their forwarders
    /// those of endpoints that are none.
    std::vector<std::vector<std::uint32_t>> hosts;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> others;
    std::size_t most_hosts = 0;  ///< of a leaf

    /// @param aggregation_computes aggregation nodes are compute nodes, too.
    /// @throws InputError for what ftree does not take for a tree: it wants compute nodes on one level alone and, where
    /// roots are not given, switches of a level to be alike.
    RankedTree(ForwardingGraph const& graph, model::Network const& network, model::RoutingRoots const& roots,
               bool aggregation_computes);
};

/// The switches farthest from all endpoints: the roots where none are given.
model::RoutingRoots farthest_from_hosts(ForwardingGraph const& graph, model::Network const& network);

}  // namespace tailback::topologies
