// The audit as a value; docs/report.md lists the keys.
#include "host/report/audit/audit_report.hpp"
#include "host/report/audit/audit_sections.hpp"
#include "host/report/audit/choices.hpp"
#include "host/report/bound_report.hpp"

#include <algorithm>

namespace tailback::report {
namespace {

Json counts(audit::PairCounts const& pairs) {
    return {{"total", pairs.total},
            {"delivered", pairs.delivered},
            {"unreachable", pairs.unreachable},
            {"loop", pairs.loop},
            {"misdelivered", pairs.misdelivered}};
}

/// {links: pairs}, without what is 0.
Json histogram(std::vector<std::uint64_t> const& values) {
    Json json = Json::object();
    for (std::size_t k = 0; k < values.size(); ++k)
        if (values[k] > 0) json[std::to_string(k)] = values[k];
    return json;
}

/// Those that the routing took; null when it takes none.
Json routing_roots_json(AuditReport const& report) {
    model::RoutingRoots const& roots = report.audit.fabric.roots;
    if (roots.from == model::RootsFrom::none) return nullptr;
    Json switches = Json::array();
    for (model::Node const root : roots.nodes) switches.push_back(node_json(report.network(), root));
    bool const given = roots.are_given();
    return {{"chosen", given                                      ? "given"
                       : roots.from == model::RootsFrom::farthest ? "farthest"
                                                                  : "central"},
            {"switches", std::move(switches)}};
}

Json audited_network_json(AuditReport const& report) {
    audit::Audit const& audit = report.audit;
    Json json = network_json(audit.fabric, report.digest);
    json["hosts"] = audit.request.hosts.size();
    json["aggregation_nodes"] = audit.request.apart.size();
    json["tables"] = audit.fabric.tables.tables();
    json["levels"] = audit.levels.top;
    json["routing_roots"] = routing_roots_json(report);
    return json;
}

Json updown_json(AuditReport const& report) {
    audit::UpDown const& updown = report.audit.updown;
    Json json = {{"asked", updown.asked}};
    if (!updown.asked) {
        json["reason"] = updown.reason;
        return json;
    }
    json["roots_inferred"] = updown.inferred;
    json["roots"] = Json::array();
    for (model::Node const root : updown.roots) json["roots"].push_back(node_json(report.network(), root));
    json["pairs"] = report.audit.all_pairs.down_then_up;
    return json;
}

Json deadlock_json(AuditReport const& report) {
    if (!report.audit.deadlock) return nullptr;
    audit::DeadlockReport const& verdict = *report.audit.deadlock;
    model::Network const& network = report.network();
    Json cycles = Json::array();
    for (audit::DeadlockCycle const& cycle : verdict.cycles) {
        Json steps = Json::array();
        for (audit::DeadlockStep const& one : cycle.steps) {
            model::LinkRecord const& link = network[one.channel.link];
            Json step = node_json(network, link.from);
            add_port(step, network, link.from, link.from_port);
            step["lane"] = one.channel.lane;
            step["example"] = nullptr;
            if (one.source.exists()) {
                step["example"] = node_json(network, network[one.source].node);
                step["example"]["destination_lid"] = one.destination;
            }
            steps.push_back(std::move(step));
        }
        cycles.push_back({{"links", cycle.steps.size()},
                          {"tied_up", cycle.component},
                          {"shortest", cycle.shortest},
                          {"pairs", cycle.pairs},
                          {"steps", std::move(steps)}});
    }
    Json drops = Json::array();
    for (audit::LaneDrop const& drop : verdict.drops) {
        Json json = node_json(network, drop.node);
        json.update({{"in", drop.in}, {"out", drop.out}, {"service_level", drop.level}, {"pairs", drop.pairs}});
        drops.push_back(std::move(json));
    }
    return {{"free", report.audit.deadlock_is_undecided ? Json(nullptr) : Json(verdict.free)},
            {"lanes", verdict.lanes},
            {"service_levels_given", verdict.levels_given},
            {"cycles_with_aggregation_nodes", or_null(report.audit.cyclic_components_with_apart)},
            {"cycles", std::move(cycles)},
            {"pairs_without_service_level", verdict.pairs_without_level},
            {"turns_without_sl2vl", verdict.turns_without_map},
            {"drops", std::move(drops)}};
}

/// Null where it was left out.
Json worst_permutation_json(AuditReport const& report) {
    audit::WorstCase const& worst = report.audit.worst_case;
    if (!worst.kind) return nullptr;
    Json json = {
        {"how", *worst.kind == audit::WorstCaseKind::exact ? "exact" : "bound"},
        {"flows", worst.worst.exists() ? worst.flows[worst.worst.value] : 0},
        {"links",
         worst.worst.exists() ? std::count(worst.flows.begin(), worst.flows.end(), worst.flows[worst.worst.value]) : 0},
        {"link", link_json(report.network(), worst.worst)}};
    if (worst.divided)
        json["divided"] = {{"how", worst.divided->exact ? "exact" : "bound"},
                           {"flows", real(worst.divided->flows)},
                           {"at_least", real(worst.divided->at_least)},
                           {"links", worst.divided->links},
                           {"link", link_json(report.network(), worst.divided->link)}};
    return json;
}

Json shifts_json(AuditReport const& report) {
    if (!report.audit.worst_case.shifts) return nullptr;
    audit::ShiftLoads const& shifts = *report.audit.worst_case.shifts;
    return {{"order", report.audit.worst_case.order == audit::ShiftOrder::file ? "file" : "bfs"},
            {"shifts", shifts.largest.size() - 1},
            {"without_contention", shifts.without_contention()},
            {"largest", shifts.worst_load},
            {"shift", shifts.worst_shift == 0 ? Json(nullptr) : Json(shifts.worst_shift)},
            {"link", link_json(report.network(), shifts.worst_link)}};
}

/// Null where nothing was taken away.
Json what_if_json(AuditReport const& report) {
    if (!report.audit.removal) return nullptr;
    audit::WhatIf const& answer = *report.audit.removal;
    model::Network const& network = report.network();
    Json removed = Json::array(), destinations = Json::array(), sources = Json::array();
    for (audit::Removal const& removal : answer.removals) {
        Json json = {{"what", removal.text}, {"pairs", amount_json(removal.pairs)}};
        if (removal.other_members > 0) json["other_members_of_lag"] = removal.other_members;
        json["cable"] = link_json(network, removal.cable);
        json["switch"] = removal.switch_node.exists() ? node_json(network, removal.switch_node) : Json(nullptr);
        removed.push_back(std::move(json));
    }
    for (audit::WhatIf::Destination const& loss : answer.destinations) {
        model::HostRecord const& host = network[loss.host];
        Json json = {{"lid", loss.lid}, {"host", node_json(network, host.node)}};
        add_port(json, network, host.node, host.port);
        json.update({{"broken", amount_json(loss.broken)}, {"delivered_before", loss.delivered}});
        destinations.push_back(std::move(json));
    }
    for (audit::WhatIf::Source const& loss : answer.sources) {
        Json json = node_json(network, loss.node);
        json["broken"] = amount_json(loss.broken);
        sources.push_back(std::move(json));
    }
    Json json = Json::object();
    if (answer.divided)
        json = {{"judged_by", "equal division"}, {"some_routes_break", answer.met}, {"all_routes_break", answer.cut}};
    json.update({{"delivered_before", answer.delivered},
                 {"broken", amount_json(answer.broken)},
                 {"removed", std::move(removed)},
                 {"destinations", std::move(destinations)},
                 {"sources", std::move(sources)}});
    return json;
}

Json balance_json(AuditReport const& report) {
    audit::Balance const& balance = report.audit.balance;
    auto const pairs = [&](double load) { return amount_json(balance.pairs(load)); };
    Json stages = Json::array();
    for (audit::Stage const& stage : balance.stages)
        stages.push_back({{"from_level", stage.from},
                          {"to_level", stage.to},
                          {"links", stage.links},
                          {"unused", stage.unused},
                          {"pairs", pairs(stage.total)},
                          {"least", pairs(double(stage.least))},
                          {"largest", pairs(double(stage.most))},
                          {"ideal", real(balance.pairs(stage.ideal()))},
                          {"x_ideal", times_ideal(stage.total > 0 ? double(stage.most) : 0, stage.ideal())}});
    Json json = Json::object();
    if (report.audit.choices) json["judged_by"] = "equal division";
    json.update({{"hops", pairs(balance.hops)},
                 {"largest", pairs(double(balance.largest))},
                 {"lower_bound", real(balance.lower_bound)},
                 {"largest_between_switches", pairs(double(balance.largest_between_switches))},
                 {"unused_between_switches", balance.unused.size()},
                 {"stages", std::move(stages)}});
    return json;
}

Json bound_of(AuditReport const& report) {
    std::optional<search::FabricBound> const& bound = report.audit.bound;
    if (!bound || bound->least == 0) return nullptr;
    Json json = bound_json(report.network(), *bound);
    json["words"] = report.bound_words();
    return json;
}

Json bisection_of(AuditReport const& report) {
    if (std::optional<audit::SampledBisection> const& found = report.audit.sampled) {
        auto const column = [](audit::SampledBisection::Mean const& one) {
            return Json{{"expected", real(one.mean)}, {"half_width", real(one.half_width)}};
        };
        Json json = column(found->equal);
        json.update({{"judged_by", "equal division"}, {"mappings", found->mappings}, {"hash", column(found->hashed)}});
        return json;
    }
    return report.audit.bisection ? bisection_json(*report.audit.bisection, report.audit.most_bisection)
                                  : Json(nullptr);
}

Json verdict_json(AuditReport const& report) {
    static constexpr char const* results[] = {"sound",     "unbalanced", "undecided",
                                              "not_sound", "faults",     "nothing_examined"};
    Json fail_on = Json::array();
    for (audit::FindingKind const kind : report.fail_on) fail_on.push_back(info_of(kind).name);
    for (audit::Code const code : report.fail_on_codes) fail_on.push_back(diagnosis::info_of(code).id);
    Json kinds = Json::object(), pairs = Json::object();
    for (audit::FindingKindInfo const& info : audit::finding_kinds()) {
        kinds[info.name] = report.audit.count(info.kind);
        pairs[info.name] = report.pairs(info.kind);
    }
    return {{"result", results[std::size_t(report.verdict())]},
            {"sentence", report.sentence()},
            {"faults", report.faults},
            {"undecided", report.audit.deadlock_is_undecided},
            {"unbalanced", report.audit.balance.is_bad()},
            {"fail_on", std::move(fail_on)},
            {"findings", std::move(kinds)},
            {"finding_pairs", std::move(pairs)}};
}

}  // namespace

Json value_of(AuditReport const& report) {
    audit::Audit const& audit = report.audit;
    audit::AllPairsResult const& all_pairs = audit.all_pairs;
    Json json = head("tailback-audit-1", audit.request.files, audited_network_json(report));
    json.update({
        {"verdict", verdict_json(report)},
        {"next", result::next_steps_json(report.next_steps())},
        {"pairs", counts(audit.fates())},
        {"aggregation", {{"nodes", audit.request.apart.size()}, {"pairs", counts(audit.apart_pairs)}}},
        {"switch_lids",
         {{"lids", audit.switch_lids.lids},
          {"routed", audit.switch_lids.routed},
          {"pairs", counts(audit.switch_lids.pairs)}}},
        {"hops", histogram(all_pairs.hops)},
        {"minimal",
         {{"pairs", all_pairs.pairs.delivered - all_pairs.longer},
          {"longer", all_pairs.longer},
          {"excess", histogram(all_pairs.excess)}}},
        {"updown", updown_json(report)},
        {"asymmetry", {{"pairs", audit.asymmetry.pairs}, {"differing", audit.asymmetry.differing}}},
        {"deadlock", deadlock_json(report)},
        {"choices", choices_json(report)},
        {"balance", balance_json(report)},
        {"bound", bound_of(report)},
        {"bisection", bisection_of(report)},
        {"worst_permutation", worst_permutation_json(report)},
        {"shifts", shifts_json(report)},
        {"what_if", what_if_json(report)},
        {"routings", routings_json(report)},
        {"returned_cables", returned_cables_json(report)},
    });
    return json;
}

}  // namespace tailback::report
