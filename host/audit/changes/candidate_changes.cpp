#include "host/audit/changes/candidate_changes.hpp"

#include "host/model/routes/candidate_sets.hpp"

#include <algorithm>
#include <unordered_map>

namespace tailback::audit {
namespace {

using model::CandidateSets;

CandidateSets::Group group_of(model::Fabric const& fabric, model::Node node, model::Lid lid) {
    return fabric.candidates == nullptr ? CandidateSets::no_group : fabric.candidates->group(node, lid);
}

std::vector<model::Port> ports_of(model::Fabric const& fabric, model::Node node, CandidateSets::Group group) {
    if (group == CandidateSets::no_group) return {};
    std::span<model::Port const> const ports = fabric.candidates->ports(node, group);
    std::vector<model::Port> sorted(ports.begin(), ports.end());
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

/// Do two groups of a switch differ? Each pair of them is compared once.
class GroupComparison {
public:
    GroupComparison(model::Fabric const& before, model::Fabric const& after, FabricMatch const& match, model::Node was)
        : before_(before), after_(after), match_(match), was_(was), now_(match.node_after[was]) {}

    bool differ(CandidateSets::Group old_group, CandidateSets::Group new_group) {
        auto const [at, fresh] = known_.try_emplace(std::uint32_t{old_group} << 16 | new_group, false);
        if (fresh) {
            std::vector<model::Port> ports = ports_of(after_, now_, new_group);
            for (model::Port& port : ports) port = match_.port_before(now_, port);
            std::sort(ports.begin(), ports.end());
            at->second = ports_of(before_, was_, old_group) != ports;
        }
        return at->second;
    }

private:
    model::Fabric const &before_, &after_;
    FabricMatch const& match_;
    model::Node was_, now_;
    std::unordered_map<std::uint32_t, bool> known_;
};

}  // namespace

std::vector<CandidateChange> candidate_changes(model::Fabric const& before, model::Fabric const& after,
                                               FabricMatch const& match) {
    std::vector<CandidateChange> changes;
    if (before.candidates == nullptr && after.candidates == nullptr) return changes;
    for (std::size_t n = 0; n < before.network.nodes().size(); ++n) {
        model::Node const was{n}, now = match.node_after[was];
        if (!now.exists()) continue;
        GroupComparison groups(before, after, match, was);
        CandidateChange change{was, now, 0, {}, {}, {}};
        for (MatchedLid const& lid : match.lids) {
            CandidateSets::Group const old_group = group_of(before, was, lid.before),
                                       new_group = group_of(after, now, lid.after);
            if (!groups.differ(old_group, new_group) || change.entries++ > 0) continue;
            change.first = lid;
            change.ports_before = ports_of(before, was, old_group);
            change.ports_after = ports_of(after, now, new_group);
        }
        if (change.entries > 0) changes.push_back(std::move(change));
    }
    std::stable_sort(changes.begin(), changes.end(),
                     [](auto const& a, auto const& b) { return a.entries > b.entries; });
    return changes;
}

}  // namespace tailback::audit
