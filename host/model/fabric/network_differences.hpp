// Where two descriptions of one fabric tell something else: evidence, which whoever compares words.
#pragma once

#include "host/model/fabric/network_match.hpp"

#include <utility>
#include <vector>

namespace tailback::model {

/// In the order of the nodes, hosts and links before. What only one description tells differs, too.
struct NetworkDifferences {
    std::vector<Node> nodes_gone, nodes_new;
    std::vector<std::pair<Node, Node>> renamed;
    struct PortChange {
        Node node_before, node_after;
        Port port = 0;              ///< of an endpoint; 0 = a switch
        Lid before = 0, after = 0;  ///< base LIDs
        std::uint8_t lmc_before = 0, lmc_after = 0;
        std::uint64_t guid_before = 0, guid_after = 0;  ///< of the port
        bool has_other_lids() const { return before != after || lmc_before != lmc_after; }
    };
    std::vector<PortChange> ports;              ///< with another LID, LMC or port GUID: switches first
    std::vector<Link> cables_gone, cables_new;  ///< one direction of each
    std::vector<std::pair<Link, Link>> rates;   ///< links, each direction for itself
};
NetworkDifferences differences(Network const& before, Network const& after, NetworkMatch const& match);

}  // namespace tailback::model
