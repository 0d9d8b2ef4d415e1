#include "host/audit/changes/candidate_changes.hpp"

#include "host/model/fabric/fabric_traits.hpp"
#include "host/model/routes/group_comparison.hpp"

#include <algorithm>

namespace tailback::audit {
namespace {

/// Routers have no static entry beside a set: one next hop is a set of one.
std::vector<model::Port> ports_of(model::Fabric const& fabric, model::GroupsOfSwitch const& groups, model::Node node,
                                  model::Lid lid) {
    std::vector<model::Port> ports = groups.ports(groups.group(lid));
    bool const of_routers = model::traits_of(fabric).by_hash;
    if (!ports.empty() || !of_routers || !fabric.tables.has_table(node)) return ports;
    if (model::Port const only = fabric.tables.port(node, lid); only != model::ForwardingTables::no_entry)
        ports.push_back(only);
    return ports;
}

}  // namespace

std::vector<CandidateChange> candidate_changes(model::Fabric const& before, model::Fabric const& after,
                                               model::NetworkMatch const& match) {
    std::vector<CandidateChange> changes;
    if (before.candidates == nullptr && after.candidates == nullptr) return changes;
    for (std::size_t n = 0; n < before.network.nodes().size(); ++n) {
        model::Node const was{n}, now = match.node_after[was];
        if (!now.exists()) continue;
        model::GroupsOfSwitch const old_groups{before.candidates.get(), was}, new_groups{after.candidates.get(), now};
        model::GroupComparison groups(old_groups, new_groups,
                                      [&](model::Port port) { return match.port_before(now, port); });
        CandidateChange change{was, now, 0, {}, {}, {}};
        for (model::MatchedLid const& lid : match.lids) {
            model::CandidateSets::Group const old_group = old_groups.group(lid.before),
                                              new_group = new_groups.group(lid.after);
            if (!groups.differ(old_group, new_group) || change.entries++ > 0) continue;
            change.first = lid;
            change.ports_before = ports_of(before, old_groups, was, lid.before);
            change.ports_after = ports_of(after, new_groups, now, lid.after);
        }
        if (change.entries > 0) changes.push_back(std::move(change));
    }
    std::stable_sort(changes.begin(), changes.end(),
                     [](auto const& a, auto const& b) { return a.entries > b.entries; });
    return changes;
}

}  // namespace tailback::audit
