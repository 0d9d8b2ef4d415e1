#include "host/model/fabric/network_differences.hpp"

namespace tailback::model {
namespace {

/// One direction of every cable that has no partner on the other side.
std::vector<Link> alone(Network const& net, kernels::IndexedVector<Link, Link> const& partner) {
    std::vector<Link> found;
    for (std::size_t l = 0; l < net.links().size(); ++l) {
        Link const back = net[Link{l}].reverse;
        bool const told_already = back.exists() && back.value < l && !partner[back].exists();
        if (!partner[Link{l}].exists() && !told_already) found.emplace_back(l);
    }
    return found;
}

/// @param was, is records of a switch or of an endpoint
template <class Record>
void compare_port(Record const& was, Record const& is, NetworkDifferences::PortChange change,
                  std::vector<NetworkDifferences::PortChange>& found) {
    change.before = was.lid, change.after = is.lid;
    change.lmc_before = was.lmc, change.lmc_after = is.lmc;
    change.guid_before = was.port_guid, change.guid_after = is.port_guid;
    if (change.has_other_lids() || change.guid_before != change.guid_after) found.push_back(change);
}

}  // namespace

NetworkDifferences differences(Network const& before, Network const& after, NetworkMatch const& match) {
    NetworkDifferences found;
    for (std::size_t n = 0; n < before.nodes().size(); ++n) {
        Node const was{n}, now = match.node_after[was];
        if (!now.exists()) {
            found.nodes_gone.push_back(was);
            continue;
        }
        if (before[was].name != after[now].name) found.renamed.push_back({was, now});
        if (before[was].kind == NodeKind::switch_node)
            compare_port(before[was], after[now], {.node_before = was, .node_after = now}, found.ports);
    }
    for (std::size_t n = 0; n < after.nodes().size(); ++n)
        if (!match.node_before[Node{n}].exists()) found.nodes_new.emplace_back(n);
    for (std::size_t h = 0; h < before.hosts().size(); ++h) {
        HostRecord const& was = before[Host{h}];
        if (Host const now = match.host_after[Host{h}]; now.exists())
            compare_port(was, after[now], {.node_before = was.node, .node_after = after[now].node, .port = was.port},
                         found.ports);
    }
    found.cables_gone = alone(before, match.link_after);
    found.cables_new = alone(after, match.link_before);
    for (std::size_t l = 0; l < before.links().size(); ++l)
        if (Link const now = match.link_after[Link{l}]; now.exists() && !(before[Link{l}].rate == after[now].rate))
            found.rates.push_back({Link{l}, now});
    return found;
}

}  // namespace tailback::model
