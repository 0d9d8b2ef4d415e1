// Every switch is a source, and the tree of a LID ends at the row of its owner.
#include "host/audit/failures/switch_lids.hpp"

#include "host/audit/failures/failure_groups.hpp"

#include <algorithm>

namespace tailback::audit {
namespace {

struct OwnedLid {
    model::Lid lid;
    std::uint32_t row;
};

std::vector<OwnedLid> lids_of_switches(model::Forwarding const& forwarding) {
    model::Network const& net = forwarding.fabric().network;
    std::vector<OwnedLid> found;
    for (std::size_t n = 0; n < net.nodes().size(); ++n) {
        model::NodeRecord const& node = net[model::Node{n}];
        if (node.kind != model::NodeKind::switch_node || node.lid == 0) continue;
        for (std::uint32_t k = 0; k < (1u << node.lmc); ++k)
            if (net.owner(node.lid + k).node == model::Node{n})
                found.push_back({node.lid + k, forwarding.row_of(model::Node{n})});
    }
    std::sort(found.begin(), found.end(), [](OwnedLid const& a, OwnedLid const& b) { return a.lid < b.lid; });
    return found;
}

/// [row] 1 for switches.
std::vector<std::uint32_t> switch_rows(model::Forwarding const& forwarding) {
    model::Network const& net = forwarding.fabric().network;
    std::vector<std::uint32_t> found(forwarding.rows());
    for (std::uint32_t row = 0; row < forwarding.rows(); ++row)
        found[row] = !forwarding.is_pseudo(row) && net.is_switch(forwarding.node_of(row));
    return found;
}

/// Has any switch an entry for another one's LID?
bool any_is_routed(model::Forwarding const& forwarding, std::vector<OwnedLid> const& owned,
                   model::Senders const& switches) {
    kernels::StartsView const rows = switches.rows();
    for (std::uint32_t const row : std::span(rows.rows, rows.count))
        for (OwnedLid const& one : owned)
            if (one.row != row && forwarding.port(row, one.lid) != model::ForwardingTables::no_entry) return true;
    return false;
}

void count_fates(model::DestinationTree const& tree, model::Senders const& switches, std::uint32_t owner,
                 PairCounts& pairs) {
    kernels::StartsView const rows = switches.rows();
    for (std::uint32_t const row : std::span(rows.rows, rows.count)) {
        if (row == owner) continue;
        ++pairs.total;
        switch (tree.fate(row)) {
            case model::Fate::delivered: ++pairs.delivered; break;
            case model::Fate::unreachable: ++pairs.unreachable; break;
            case model::Fate::loop: ++pairs.loop; break;
            case model::Fate::misdelivered: ++pairs.misdelivered; break;
        }
    }
}

}  // namespace

SwitchLids find_switch_lids(model::Forwarding const& forwarding) {
    std::vector<OwnedLid> const owned = lids_of_switches(forwarding);
    model::Senders const switches(forwarding, switch_rows(forwarding));
    SwitchLids found;
    found.lids = owned.size();
    found.routed = any_is_routed(forwarding, owned, switches);
    if (!found.routed) return found;
    model::DestinationTree tree(forwarding, switches, model::TreeRows::met);
    FailureGroups groups(forwarding);
    for (OwnedLid const& one : owned) {
        tree.grow_towards_row(one.lid, one.row);
        count_fates(tree, switches, one.row, found.pairs);
        groups.add(tree);
    }
    found.explanation = groups.take();
    return found;
}

}  // namespace tailback::audit
