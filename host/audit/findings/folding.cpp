#include "host/audit/findings/folding.hpp"

#include "host/audit/findings/consistency.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
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

bool is_noted_as(Finding const& one, model::Disagreement kind) { return diagnosis::info_of(one.code).noted == kind; }

/// What a cause explains, which grows with what it takes in.
class Scope {
public:
    explicit Scope(Finding const& cause) : node_(cause.node) { add(cause); }

    void add(Finding const& cause) {
        lids_.insert(cause.explains_lids.begin(), cause.explains_lids.end());
        for (model::Node const node : cause.explains_nodes) nodes_.insert(node.value);
    }
    bool explains(Finding const& other) const {
        // A switch's odd groups follow from entries of the same switch, or from LIDs that are odd everywhere.
        bool const groups = other.kind == FindingKind::groups;
        if (!breaks_something(other.kind) && !groups) return false;
        bool const elsewhere = groups && !(node_.exists() && other.node == node_);
        if (other.node.exists() && nodes_.contains(other.node.value) && !elsewhere) return true;
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

/// Nodes by the switches and hosts that have a cable to them, also where only one end lists it.
std::map<std::uint32_t, std::vector<model::Node>> neighbours_of(model::Network const& net,
                                                                std::unordered_set<std::uint32_t> const& nodes) {
    std::map<std::uint32_t, std::vector<model::Node>> neighbours;
    for (model::LinkRecord const& link : net.links()) {
        if (nodes.contains(link.to.value)) neighbours[link.to.value].push_back(link.from);
        if (nodes.contains(link.from.value)) neighbours[link.from.value].push_back(link.to);
    }
    return neighbours;
}

/// The endpoint that gets all of a finding's packets, and the one that owns their LIDs; none for any other finding.
struct WrongHost {
    model::Host gets, owns;
};
WrongHost wrong_host(model::Network const& net, Finding const& finding) {
    if (finding.kind != FindingKind::misdelivered || !finding.node.exists() || finding.lids.count() == 0) return {};
    model::Link const link = net.link_at(finding.node, finding.port);
    WrongHost wrong{{}, net.owner(finding.lids.first()).host};
    if (!link.exists() || !wrong.owns.exists()) return {};
    for (model::Host const host : net.hosts_of(net[link].to))
        if (net[host].port == net[link].to_port) wrong.gets = host;
    for (auto const& [first, last] : finding.lids.ranges())
        for (model::Lid lid = first; lid <= last; ++lid)
            if (net.owner(lid).host != wrong.owns) return {};
    return wrong;
}

std::size_t differing_digits(std::uint64_t one, std::uint64_t other) {
    std::string const a = fmt::format("{:016x}", one), b = fmt::format("{:016x}", other);
    std::size_t digits = 0;
    for (std::size_t i = 0; i < a.size(); ++i) digits += a[i] != b[i];
    return digits;
}

/// Has the table of an unknown GUID the name or the LID of this switch, or do its neighbours send that LID to it?
bool is_of_its_place(model::Fabric const& fabric, model::Node node, Finding const& table) {
    model::NodeRecord const& record = fabric.network[node];
    if (!record.name.empty() && table.name == record.name) return true;
    model::Lid const kept = table.lids.first();
    return kept != 0 &&
           (kept == record.lid || (!fabric.network.owner(kept).node.exists() && is_sent_to(fabric, kept, node)));
}

/// Of one finding a host, the two of hosts that get each other's packets.
Finding swapped_hosts(model::Fabric const& fabric, WrongHost const& wrong, Finding&& one, Finding&& other) {
    model::Network const& net = fabric.network;
    model::HostRecord const& owns = net[wrong.owns];
    std::string const first = net.place_of(owns.node, owns.port).text,
                      second = net.place_of(net[wrong.gets].node, net[wrong.gets].port).text;
    Finding both{Code::swapped_hosts,
                 first,
                 0,
                 fmt::format("it and {} get each other's packets ({} and {}): their {} or their cables were swapped "
                             "between the topology and the tables",
                             second, one.lids.text(fabric), other.lids.text(fabric),
                             fabric.ip == nullptr ? "LIDs" : "addresses"),
                 owns.node,
                 owns.port};
    both.explains_lids = {owns.lid, net[wrong.gets].lid};
    take_in(both, std::move(one));
    take_in(both, std::move(other));
    return both;
}

/// The findings of two days in one: nearly every other follows from that.
void fold_two_days(std::vector<Finding>& findings) {
    auto const is_owner = [](Finding const& f) {
        return f.code == Code::lid_of_another_owner || f.code == Code::lid_changed;
    };
    std::set<std::vector<model::Lid>> lids;  // told by files, and by where tables lead: the same once
    for (Finding const& one : findings)
        if (is_owner(one)) lids.insert(one.explains_lids);
    std::size_t const apart = lids.size();
    if (apart <= most_owners_apart) return;
    Finding all{Code::files_of_two_days, "the files", 0,
                fmt::format("the tables and the topology are of two days: {} LIDs have other owners by the tables "
                            "than by the topology; collect both again, one right after the other",
                            apart)};
    for (Finding const& one : findings)
        if (is_owner(one))
            all.explains_lids.insert(all.explains_lids.end(), one.explains_lids.begin(), one.explains_lids.end());
    findings.insert(findings.begin(), std::move(all));
}

}  // namespace

bool tells_a_fate(FindingKind kind) {
    return kind == FindingKind::unreachable || kind == FindingKind::loop || kind == FindingKind::misdelivered;
}

bool is_of_unknown_switch(Finding const& one) {
    return one.code == Code::table_of_unknown_switch && !one.node.exists() && one.guid != 0;
}

void keep_rest(std::vector<Finding>& findings, std::vector<bool> const& is_taken) {
    std::vector<Finding> kept;
    for (std::size_t f = 0; f < findings.size(); ++f)
        if (!is_taken[f]) kept.push_back(std::move(findings[f]));
    findings = std::move(kept);
}

void take_in(Finding& cause, Finding&& symptom) {
    std::vector<Finding> of_symptom = std::move(symptom.symptoms);
    if (of_symptom.empty() || !tells_a_fate(symptom.kind)) {
        if (tells_a_fate(symptom.kind)) cause.pairs += symptom.pairs;
        symptom.symptoms.clear();
        cause.symptoms.push_back(std::move(symptom));
    }
    for (Finding& one : of_symptom) take_in(cause, std::move(one));
}

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
                    left.push_back(std::move(findings[i]));  // for its place
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

void explain_duplicate_guids(model::Network const& net, std::vector<Finding>& findings) {
    std::map<std::uint32_t, std::size_t> causes;  // of a node, in `findings`
    std::unordered_set<std::uint32_t> nodes;
    for (std::size_t f = 0; f < findings.size(); ++f)
        if (is_noted_as(findings[f], model::Disagreement::duplicate_guid) && findings[f].node.exists() &&
            nodes.insert(findings[f].node.value).second)
            causes.emplace(findings[f].node.value, f);
    if (causes.empty()) return;
    for (auto const& [node, near] : neighbours_of(net, nodes)) {
        std::vector<model::Node>& explains = findings[causes.at(node)].explains_nodes;
        explains.emplace_back(node);
        if (net.is_switch(model::Node{node})) explains.insert(explains.end(), near.begin(), near.end());
    }
}

void fold_tables_of_other_guids(model::Fabric const& fabric, std::vector<Finding>& findings) {
    model::Network const& net = fabric.network;
    std::vector<std::size_t> without;
    std::map<std::uint64_t, std::vector<std::size_t>> unknown;  // by GUID: in every file of tables
    for (std::size_t f = 0; f < findings.size(); ++f) {
        Finding const& one = findings[f];
        if (one.code == Code::switch_without_table) without.push_back(f);
        else if (is_of_unknown_switch(one)) unknown[one.guid].push_back(f);
    }
    std::vector<bool> is_taken(findings.size());
    std::vector<Finding> causes;
    for (std::size_t const w : without)
        for (auto const& [guid, tables] : unknown) {
            Finding& cause = findings[w];
            bool const mistyped =
                without.size() == 1 && unknown.size() == 1 && differing_digits(net[cause.node].guid, guid) <= 2;
            bool const replaced = std::ranges::any_of(tables, [&](std::size_t const f) {
                return !is_taken[f] && is_of_its_place(fabric, cause.node, findings[f]);
            });
            if (!mistyped && !replaced) continue;
            cause.message +=
                fmt::format("; there is one of {:#018x}, {}", guid,
                            mistyped ? "nearly its GUID"
                                     : "which was in its place: it has another GUID than in the tables, as "
                                       "a switch that was replaced");
            for (std::size_t const f : tables) {
                is_taken[f] = true;
                model::Lid const kept = findings[f].lids.first();
                model::Node const owner = net.owner(kept).node;
                if (kept != 0 && (!owner.exists() || owner == cause.node)) cause.explains_lids.push_back(kept);
                take_in(cause, std::move(findings[f]));
            }
            is_taken[w] = true;
            causes.push_back(std::move(cause));
            break;
        }
    keep_rest(findings, is_taken);
    findings.insert(findings.begin(), std::make_move_iterator(causes.begin()), std::make_move_iterator(causes.end()));
}

void fold_swapped_hosts(model::Fabric const& fabric, std::vector<Finding>& findings) {
    model::Network const& net = fabric.network;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> by_hosts;  // (owns, gets) to the finding
    std::vector<Finding> kept;
    for (Finding& finding : findings) {
        WrongHost const wrong = wrong_host(net, finding);
        if (!wrong.gets.exists()) {
            kept.push_back(std::move(finding));
        } else if (auto const other = by_hosts.find({wrong.gets.value, wrong.owns.value}); other == by_hosts.end()) {
            by_hosts[{wrong.owns.value, wrong.gets.value}] = kept.size();
            kept.push_back(std::move(finding));
        } else {
            Finding& first = kept[other->second];
            first = swapped_hosts(fabric, {wrong.owns, wrong.gets}, std::move(first), std::move(finding));
            by_hosts.erase(other);
        }
    }
    findings = std::move(kept);
}

void fold_same_cable(model::Fabric const& fabric, std::vector<Finding>& findings) {
    model::Network const& net = fabric.network;
    std::map<std::uint32_t, std::size_t> causes;       // by link
    std::map<std::string, std::size_t> of_two_cables;  // by message, where these name their places
    std::vector<bool> is_taken(findings.size());
    for (std::size_t f = 0; f < findings.size(); ++f) {
        Finding& one = findings[f];
        if (one.kind != FindingKind::inconsistent || !one.node.exists() || one.port == 0) continue;
        model::Link const link = net.link_at(one.node, one.port);
        if (!link.exists()) continue;
        std::size_t const alike = fabric.ip != nullptr ? of_two_cables.try_emplace(one.message, f).first->second : f;
        auto const [first, is_new] = causes.try_emplace(link.value, alike);
        if (net[link].reverse.exists()) causes.try_emplace(net[link].reverse.value, alike);
        if (is_new && alike == f) continue;
        Finding& known = findings[first->second];
        if (is_noted_as(known, model::Disagreement::told_twice) && is_noted_as(one, model::Disagreement::unlike_file)) {
            is_taken[first->second] = true;
            take_in(one, std::move(known));
            causes[link.value] = f;
            if (net[link].reverse.exists()) causes[net[link].reverse.value] = f;
        } else if (known.code == one.code && known.message == one.message) {
            is_taken[f] = true;  // the same of both ends, or of two cables
            take_in(known, std::move(one));
        }
    }
    keep_rest(findings, is_taken);
}

}  // namespace tailback::audit
