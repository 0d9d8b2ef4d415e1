#include "host/audit/causes/rules.hpp"

#include "host/audit/causes/gone_switches.hpp"
#include "host/audit/causes/idle_nodes.hpp"
#include "host/audit/causes/parts.hpp"
#include "host/audit/choices/explained.hpp"
#include "host/audit/findings/folding.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace tailback::audit {
namespace {

/// Of a place, by what relates causes and symptoms.
using PlaceKey = std::pair<std::uint32_t, model::Port>;

std::optional<PlaceKey> cable_key(model::Network const& net, Finding const& one) {
    model::Link const link = one.node.exists() && one.port != 0 ? net.link_at(one.node, one.port) : model::Link{};
    if (!link.exists()) return std::nullopt;
    return PlaceKey{net[link].reverse.exists() ? std::min(link, net[link].reverse).value : link.value, 0};
}

class RuleRun {
public:
    RuleRun(Rule const& rule, model::Fabric const& fabric, std::vector<Finding>& findings)
        : rule_(rule), fabric_(fabric), net_(fabric.network), findings_(findings) {
        for (std::size_t f = 0; f < findings.size(); ++f) {
            Finding const& one = findings[f];
            if (!rule.causes.holds(one) || (rule.of_cause != nullptr && !rule.of_cause(fabric, one))) continue;
            for (PlaceKey const& key : keys_of_cause(one)) causes_.try_emplace(key, f);
        }
    }

    void fold() {
        if (causes_.empty()) return;
        std::vector<bool> is_taken(findings_.size());
        for (std::size_t f = 0; f < findings_.size(); ++f) {
            Finding& one = findings_[f];
            if (!rule_.symptoms.holds(one)) continue;
            std::optional<std::size_t> const cause = cause_of(one);
            if (!cause || *cause == f) continue;
            if (rule_.of_symptom != nullptr && !rule_.of_symptom(fabric_, one)) continue;
            is_taken[f] = true;
            take_in(findings_[*cause], std::move(one));
        }
        keep_rest(findings_, is_taken);
    }

private:
    std::vector<PlaceKey> keys_of_cause(Finding const& one) const {
        std::vector<PlaceKey> keys;
        switch (rule_.relation) {
            case Relation::same_node:
            case Relation::node_and_cables:
                if (one.node.exists()) keys.emplace_back(one.node.value, 0);
                break;
            case Relation::same_port:
                if (one.node.exists() && one.port != 0) keys.emplace_back(one.node.value, one.port);
                break;
            case Relation::same_cable:  // also of the others that it has taken in as the same
                if (auto const key = cable_key(net_, one)) keys.push_back(*key);
                for (Finding const& same : one.symptoms)
                    if (auto const key = same.code == one.code ? cable_key(net_, same) : std::nullopt)
                        keys.push_back(*key);
                break;
            case Relation::whole_fabric: keys.emplace_back(0, 0); break;
        }
        return keys;
    }

    std::optional<std::size_t> at(PlaceKey const& key) const {
        auto const found = causes_.find(key);
        return found == causes_.end() ? std::nullopt : std::optional(found->second);
    }

    std::optional<std::size_t> cause_of(Finding const& one) const {
        switch (rule_.relation) {
            case Relation::same_node: return one.node.exists() ? at({one.node.value, 0}) : std::nullopt;
            case Relation::same_port: return one.node.exists() ? at({one.node.value, one.port}) : std::nullopt;
            case Relation::same_cable: {
                auto const key = cable_key(net_, one);
                return key ? at(*key) : std::nullopt;
            }
            case Relation::whole_fabric: return at({0, 0});
            case Relation::node_and_cables: break;
        }
        if (is_of_unknown_switch(one))
            return causes_.size() == 1 && net_.is_switch(findings_[causes_.begin()->second].node)
                       ? std::optional(causes_.begin()->second)
                       : std::nullopt;
        if (!one.node.exists()) return std::nullopt;
        if (auto const here = at({one.node.value, 0})) return here;
        model::Link const link = one.port != 0 ? net_.link_at(one.node, one.port) : model::Link{};
        return link.exists() ? at({net_[link].to.value, 0}) : std::nullopt;
    }

    Rule const& rule_;
    model::Fabric const& fabric_;
    model::Network const& net_;
    std::vector<Finding>& findings_;
    std::map<PlaceKey, std::size_t> causes_;  // the first at each place
};

/// Has the switch no entry for any of the LIDs that it is about?
bool lacks_entries(model::Fabric const& fabric, Finding const& one) {
    if (!one.node.exists()) return false;
    for (auto const& [first, last] : one.lids.ranges())
        for (model::Lid lid = first; lid <= last; ++lid)
            if (fabric.tables.port(one.node, lid) != model::ForwardingTables::no_entry) return false;
    return one.lids.count() > 0;
}

/// About LIDs that a switch sends to a port with nothing plugged in.
bool sends_to_bare_port(model::Fabric const& fabric, Finding const& one) {
    return one.node.exists() && one.port != 0 && one.lids.count() > 0 && fabric.network.is_switch(one.node) &&
           !fabric.network.link_at(one.node, one.port).exists();
}

std::vector<FoldStep> all_steps() {
    Which const two_nodes = {{Code::two_nodes_one_guid, Code::node_listed_twice}};
    Which const inconsistencies = {{}, {FindingKind::inconsistent}};
    Which const failures = {{},  // what goes wrong where something is inconsistent
                            {FindingKind::unreachable, FindingKind::loop, FindingKind::misdelivered,
                             FindingKind::choices, FindingKind::aggregation, FindingKind::switch_lids}};
    return {
        {.name = "what is inconsistent at two nodes of one GUID, and at cables to them",
         .rule = {two_nodes, inconsistencies, Relation::node_and_cables}},
        {.name = "what two nodes of one GUID explain at their neighbours",
         .function = [](Audited const& of,
                        std::vector<Finding>& findings) { explain_duplicate_guids(of.fabric.network, findings); }},
        {.name = "a table of another GUID and the switch without a table in its place",
         .function = [](Audited const& of,
                        std::vector<Finding>& findings) { fold_tables_of_other_guids(of.fabric, findings); }},
        {.name = "cables that are not active and the switch or host that is not up",
         .function = [](Audited const& of, std::vector<Finding>& findings) { fold_idle_nodes(of.fabric, findings); }},
        {.name = "what is about LIDs or nodes that a finding explains",
         .function = [](Audited const&, std::vector<Finding>& findings) { fold_causes(findings); }},
        {.name = "packets that end for want of an entry at a switch whose table is not whole",
         .rule =
             {{{Code::table_cut_off, Code::table_incomplete}}, failures, Relation::same_node, nullptr, lacks_entries}},
        {.name = "packets that end at a port without a cable",
         .rule = {inconsistencies, failures, Relation::same_port, sends_to_bare_port}},
        {.name = "ports without a cable and the cable or switch that is gone",
         .function = [](Audited const& of,
                        std::vector<Finding>& findings) { fold_gone_switches(of.fabric, findings); }},
        {.name = "two hosts that get each other's packets",
         .function = [](Audited const& of,
                        std::vector<Finding>& findings) { fold_swapped_hosts(of.fabric, findings); }},
        {.name = "choices and groups that follow from others of the same switch",
         .function = [](Audited const&, std::vector<Finding>& findings) { fold_same_switch(findings); }},
        {.name = "choices and groups of a file of another run",
         .rule = {{{Code::groups_of_another_run, Code::groups_unreadable}},
                  {{}, {FindingKind::choices, FindingKind::groups}},
                  Relation::whole_fabric}},
        {.name = "the same of both ends of a cable",
         .function = [](Audited const& of, std::vector<Finding>& findings) { fold_same_cable(of.fabric, findings); }},
        {.name = "groups that lack a cable about which something is inconsistent",
         .rule = {inconsistencies, {{}, {FindingKind::groups}}, Relation::same_cable}},
        {.name = "what is unreachable from one part of the fabric to another",
         .function = [](Audited const& of,
                        std::vector<Finding>& findings) { fold_parts(of.fabric, of.hosts, findings); }},
    };
}

}  // namespace

bool Which::holds(Finding const& one) const {
    return std::ranges::find(codes, one.code) != codes.end() || std::ranges::find(kinds, one.kind) != kinds.end();
}

void fold(Rule const& rule, model::Fabric const& fabric, std::vector<Finding>& findings) {
    RuleRun(rule, fabric, findings).fold();
}

std::span<FoldStep const> fold_steps() {
    static std::vector<FoldStep> const steps = all_steps();
    return steps;
}

void fold_all(Audited const& audited, std::vector<Finding>& findings) {
    for (FoldStep const& step : fold_steps())
        if (step.function != nullptr) step.function(audited, findings);
        else fold(step.rule, audited.fabric, findings);
}

}  // namespace tailback::audit
