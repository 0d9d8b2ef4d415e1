#include "host/audit/findings/causes.hpp"

#include "host/audit/findings/consistency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_set>

namespace tailback::audit {
namespace {

bool breaks_something(FindingKind kind) {
    switch (kind) {
        case FindingKind::inconsistent:
        case FindingKind::unreachable:
        case FindingKind::loop:
        case FindingKind::misdelivered:
        case FindingKind::choices:
        case FindingKind::aggregation:
        case FindingKind::switch_lids: return true;
        default: return false;
    }
}

bool is_fate(FindingKind kind) {
    return kind == FindingKind::unreachable || kind == FindingKind::loop || kind == FindingKind::misdelivered;
}

/// What a cause explains, which grows with what it takes in.
class Scope {
public:
    explicit Scope(Finding const& cause) : node_(cause.node) { add(cause); }

    void add(Finding const& cause) {
        lids_.insert(cause.explains_lids.begin(), cause.explains_lids.end());
        for (model::Node const node : cause.explains_nodes) nodes_.insert(node.value);
    }
    bool explains(Finding const& other) const {
        // A switch's odd groups follow from entries of the same switch alone.
        bool const own_groups = other.kind == FindingKind::groups && node_.exists() && other.node == node_;
        if (!breaks_something(other.kind) && !own_groups) return false;
        if (other.node.exists() && nodes_.contains(other.node.value)) return true;
        if (other.lids.count() == 0) return false;
        std::uint64_t known = 0;
        for (auto const& [first, last] : other.lids.ranges())
            for (model::Lid lid = first; lid <= last; ++lid, ++known)
                if (!lids_.contains(lid)) return false;
        return known == other.lids.count();  // of very many the list keeps the first alone
    }

private:
    model::Node node_;
    std::unordered_set<model::Lid> lids_;
    std::unordered_set<std::uint32_t> nodes_;
};

void take_in(Finding& cause, Finding&& symptom) {
    std::vector<Finding> of_symptom = std::move(symptom.symptoms);
    if (of_symptom.empty() || !is_fate(symptom.kind)) {
        if (is_fate(symptom.kind)) cause.pairs += symptom.pairs;
        symptom.symptoms.clear();
        cause.symptoms.push_back(std::move(symptom));
    }
    for (Finding& one : of_symptom) take_in(cause, std::move(one));
}

/// The findings of two days in one: nearly every other follows from that.
void fold_two_days(std::vector<Finding>& findings) {
    auto const is_owner = [](Finding const& f) { return f.owner_differs; };
    auto const apart = static_cast<std::size_t>(std::count_if(findings.begin(), findings.end(), is_owner));
    if (apart <= most_owners_apart) return;
    Finding all{FindingKind::inconsistent, "the files", 0,
                fmt::format("the tables and the topology are of two days: {} LIDs have other owners by the tables "
                            "than by the topology; collect both again, one right after the other",
                            apart)};
    for (Finding const& one : findings)
        if (is_owner(one))
            all.explains_lids.insert(all.explains_lids.end(), one.explains_lids.begin(), one.explains_lids.end());
    findings.insert(findings.begin(), std::move(all));
}

}  // namespace

void fold_causes(std::vector<Finding>& findings) {
    fold_two_days(findings);
    for (std::size_t c = 0; c < findings.size(); ++c) {
        if (findings[c].explains_lids.empty() && findings[c].explains_nodes.empty()) continue;
        Scope scope(findings[c]);
        for (bool more = true; more;) {
            more = false;
            std::vector<Finding> left;
            Finding cause = std::move(findings[c]);
            std::size_t place = 0;
            for (std::size_t i = 0; i < findings.size(); ++i) {
                if (i == c) {
                    place = left.size();
                    left.emplace_back();
                } else if (i > c && scope.explains(findings[i])) {
                    scope.add(findings[i]);
                    more = true;
                    take_in(cause, std::move(findings[i]));
                } else {
                    left.push_back(std::move(findings[i]));
                }
            }
            left[place] = std::move(cause);
            findings = std::move(left);
            c = place;
        }
    }
}

std::vector<Finding> find_wrong_tables(model::Fabric const& fabric) {
    model::Network const& net = fabric.network;
    std::vector<Finding> found;
    for (std::size_t n = 0; n < net.nodes().size() && fabric.routed; ++n) {
        model::Node const node{n};
        model::Lid const own = net[node].lid;
        if (net[node].kind != model::NodeKind::switch_node || own == 0 || !fabric.tables.has_table(node)) continue;
        model::Port const to_own = fabric.tables.port(node, own);
        if (to_own == 0) continue;
        for (std::size_t m = 0; m < net.nodes().size(); ++m) {
            model::Node const other{m};
            if (net[other].kind != model::NodeKind::switch_node || other == node || net[other].lid == 0 ||
                fabric.tables.port(node, net[other].lid) != 0)
                continue;
            Finding one{
                FindingKind::inconsistent, net.describe(node), 0,
                fmt::format("its table keeps LID {} for itself, which {} owns, and {} its own LID {}: it is the "
                            "table of that switch, or the LIDs of the two are swapped",
                            net[other].lid, net.describe(other),
                            to_own == model::ForwardingTables::no_entry ? std::string("has no entry for")
                                                                        : fmt::format("sends out by port {}", to_own),
                            own),
                node};
            one.explains_nodes = {node};
            one.explains_lids = {std::min(own, net[other].lid), std::max(own, net[other].lid)};
            for (model::Lid const lid : one.explains_lids) one.lids.add(lid);
            found.push_back(std::move(one));
            break;
        }
    }
    return found;
}

}  // namespace tailback::audit
