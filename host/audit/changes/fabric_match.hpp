// Which node, endpoint, link and LID of one fabric is which of another: two dumps of one fabric, taken on different
// days.
#pragma once

#include "host/model/network.hpp"

#include <vector>

namespace tailback::audit {

/// A LID of the one and what it has become in the other.
struct MatchedLid {
    model::Lid before = 0, after = 0;
    model::Host host_before, host_after;  ///< none for a switch's LID
};

/// Nodes are the same by GUID; by name, the first to the first, where either has none. Endpoints are the same by node
/// and port, links by the ports at both ends, LIDs by owner and place in its range.
struct FabricMatch {
    FabricMatch(model::Network const& before, model::Network const& after);

    kernels::IndexedVector<model::Node, model::Node> node_after,
        node_before;  ///< by the other's node; none where it is in one alone
    kernels::IndexedVector<model::Host, model::Host> host_after;  ///< by the endpoint before
    kernels::IndexedVector<model::Link, model::Link> link_after, link_before;
    std::vector<MatchedLid> lids;  ///< by the LID before

    /// The number that a port of the later fabric had before. Ports are the same by number; where both fabrics' ports
    /// go by names, by name: such ports are numbered anew where one is gone. What had none is beyond all numbers.
    model::Port port_before(model::Node now, model::Port port) const;

private:
    model::Port port_after(model::Node was, model::Port port) const;

    model::Network const &before_, &after_;
    bool by_name_;
    std::vector<std::vector<model::Port>> ports_before_;  // by node after and its port; by_name_ only
};

}  // namespace tailback::audit
