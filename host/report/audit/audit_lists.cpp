// The lists of an audit, a value a row: findings, switches, groups, cables, links.
#include "host/model/routes/fabric_words.hpp"
#include "host/report/audit/audit_report.hpp"
#include "host/report/audit/audit_sections.hpp"

namespace tailback::report {
namespace {

Json finding_json(model::Network const& network, audit::Finding const& finding) {
    Json lids = Json::array();
    for (auto const& [first, last] : finding.lids.ranges()) lids.push_back({first, last});
    bool const known = finding.node.exists();
    Json json = {{"kind", info_of(finding.kind).name},
                 {"code", diagnosis::info_of(finding.code).id},
                 {"where", finding.where},
                 {"pairs", finding.pairs},
                 {"message", finding.message},
                 {"node", known ? Json(network[finding.node].name) : Json(nullptr)},
                 {"guid", guid_json(known ? network[finding.node].guid : finding.guid)}};
    json["port"] = nullptr;
    if (finding.port != 0) add_port(json, network, finding.node, finding.port);
    json.update({{"lids", std::move(lids)}, {"lid_count", finding.lids.count()}});
    if (!finding.symptoms.empty()) {
        Json symptoms = Json::array();
        for (audit::Finding const& symptom : finding.symptoms) symptoms.push_back(finding_json(network, symptom));
        json["symptoms"] = std::move(symptoms);
    }
    return json;
}

Json switch_json(audit::Audit const& audit, audit::SwitchLoad const& load) {
    audit::Balance const& balance = audit.balance;
    Json json = node_json(audit.network(), load.node);
    json.update({{"level", load.level},
                 {"links", load.links},
                 {"unused", load.unused},
                 {"pairs", amount_json(balance.pairs(load.total))},
                 {"largest", amount_json(balance.pairs(double(load.most)))},
                 {"ideal", real(balance.pairs(load.ideal()))},
                 {"x_ideal", times_ideal(double(load.most), load.ideal())}});
    return json;
}

/// By link what it costs to use it, in the certificate of the bound; empty where there is no bound.
std::vector<std::uint64_t> prices_of(AuditReport const& report) {
    if (!report.audit.bound) return {};
    std::vector<std::uint64_t> prices(report.network().links().size());
    for (search::PricedLink const& one : report.audit.bound->prices) prices[one.link.value] = one.price;
    return prices;
}

Json group_json(model::Network const& network, audit::GroupSum const& sum) {
    Json json = {{"name", sum.name}};
    json.update(group_sum_json(sum));
    json.update({{"links", sum.links},
                 {"hottest", link_json(network, sum.hottest)},
                 {"critical", link_json(network, sum.critical)}});
    return json;
}

/// @param prices of prices_of
Json loaded_link_json(AuditReport const& report, model::Link link, std::vector<std::uint64_t> const& prices) {
    audit::Audit const& audit = report.audit;
    std::uint32_t const stage = audit.balance.stage_of[link.value];
    Json json = link_json(report.network(), link);
    json["efi"] = amount_json(audit.pairs_over(link));
    json["destinations"] = audit.all_pairs.destinations[link.value];
    json["worst_permutation"] =
        audit.worst_case.flows.empty() ? Json(nullptr) : Json(audit.worst_case.flows[link.value]);
    bool const apart = stage == audit::Balance::no_stage;
    json["stage"] = apart ? Json(nullptr) : Json(stage);
    json["x_ideal"] =
        apart ? Json(nullptr) : times_ideal(double(audit.load()[link.value]), audit.balance.stages[stage].ideal());
    json["bound_price"] = prices.empty() ? Json(nullptr) : Json(prices[link.value]);
    return json;
}

}  // namespace

Json times_ideal(double load, double ideal) { return load > 0 && ideal > 0 ? real(load / ideal) : Json(nullptr); }

Json group_sum_json(audit::GroupSum const& sum) {
    return {{"hosts", sum.hosts},
            {"switches", sum.switches},
            {"faults", sum.faults},
            {"fault_pairs", sum.fault_pairs},
            {"other_findings", sum.others},
            {"load_within", amount_json(sum.load_within)},
            {"load_out", amount_json(sum.load_out)},
            {"load_in", amount_json(sum.load_in)},
            {"largest_x_ideal", real(sum.largest)},
            {"critical_pairs", amount_json(sum.critical_pairs)}};
}

std::vector<LongList> long_lists_of(AuditReport const& report) {
    audit::Audit const& audit = report.audit;
    model::Network const& network = report.network();
    std::vector<LongList> lists = {
        {"findings", audit.findings.size(), [&](std::size_t i) { return finding_json(network, audit.findings[i]); }},
        {"switches", audit.balance.switches.size(),
         [&](std::size_t i) { return switch_json(audit, audit.balance.switches[i]); }}};
    if (!audit.groups.empty())
        lists.push_back(
            {"groups", audit.groups.size(), [&](std::size_t i) { return group_json(network, audit.groups[i]); }});
    if (!audit.cables.empty())
        lists.push_back({"cables", audit.cables.size(), [&](std::size_t i) {
                             Json json = link_json(network, audit.cables[i].link);
                             json["pairs"] = amount_json(audit.cables[i].pairs);
                             return json;
                         }});
    lists.push_back({"links", network.links().size(), [&report, prices = prices_of(report)](std::size_t i) {
                         return loaded_link_json(report, model::Link{i}, prices);
                     }});
    return lists;
}

void write_links_csv(std::ostream& out, AuditReport const& report) {
    audit::Audit const& audit = report.audit;
    model::Network const& network = report.network();
    CsvTable table(out, {"from", "from_guid", "from_port", "to", "to_guid", "to_port", "rate", "from_level", "to_level",
                         "efi", "ideal", "destinations", "worst_permutation", "bound_price"});
    std::vector<std::uint64_t> const prices = prices_of(report);
    for (std::size_t l = 0; l < network.links().size(); ++l) {
        Json row = loaded_link_json(report, model::Link{l}, prices);
        model::LinkRate const& rate = network[model::Link{l}].rate;
        row["rate"] = rate.stated() ? model::rate_text(audit.fabric, rate) : "";
        if (std::uint32_t const place = audit.balance.stage_of[l]; place != audit::Balance::no_stage) {
            audit::Stage const& stage = audit.balance.stages[place];
            row.update(
                {{"from_level", stage.from}, {"to_level", stage.to}, {"ideal", audit.balance.pairs(stage.ideal())}});
        }
        table.item(row);
    }
}

}  // namespace tailback::report
