// Which node, endpoint, link and LID of one network is which of another: two descriptions of one fabric, in two files
// of a folder or of different days.
#pragma once

#include "host/model/network.hpp"

#include <vector>

namespace tailback::model {

/// A LID of the one and what it has become in the other.
struct MatchedLid {
    Lid before = 0, after = 0;
    Host host_before, host_after;  ///< none for a switch's LID
};

/// Nodes are the same by GUID (some files tell the port GUID of a host in its place); by name, the first to the first,
/// where either has none. Endpoints are the same by node and port, links by the ports at both ends,
/// LIDs by owner and place in its range.
struct NetworkMatch {
    NetworkMatch(Network const& before, Network const& after);

    kernels::IndexedVector<Node, Node> node_after,
        node_before;                                ///< by the other's node; none where it is in one alone
    kernels::IndexedVector<Host, Host> host_after;  ///< by the endpoint before
    kernels::IndexedVector<Link, Link> link_after, link_before;
    std::vector<MatchedLid> lids;  ///< by the LID before

    /// The number that a port of the later fabric had before. Ports are the same by number; where both fabrics' ports
    /// go by names, by name: such ports are numbered anew where one is gone. What had none is beyond all numbers.
    Port port_before(Node now, Port port) const;

private:
    Port port_after(Node was, Port port) const;

    Network const &before_, &after_;
    bool by_name_;
    std::vector<std::vector<Port>> ports_before_;  // by node after and its port; by_name_ only
};

}  // namespace tailback::model
