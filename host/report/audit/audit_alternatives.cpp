// What other cables and other routings would give, in an audit: as values and as parts of its document.
#include "host/base/numbers.hpp"
#include "host/model/fabric/fabric_traits.hpp"
#include "host/model/routes/lags.hpp"
#include "host/report/audit/audit_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tailback::report {

Json returned_cables_json(AuditReport const& report) {
    if (!report.audit.returns) return nullptr;
    audit::CableReturns const& found = *report.audit.returns;
    auto const tables = [](audit::TablesMade const& made, std::uint64_t least) {
        return Json{{"bandwidth", real(made.bandwidth)},
                    {"collisions_per_permutation", real(made.collisions)},
                    {"largest_load", real(made.largest)},
                    {"bound", least}};
    };
    Json cables = Json::array();
    for (audit::ReturnedCable const& one : found.cables) {
        model::Network const& network = report.network();
        auto const end = [&](model::Node node, model::Port port) {
            Json json = {{"node", network[node].name}};
            add_port(json, network, node, port);
            return json;
        };
        Json json = tables(one.tables, one.least);
        json["from"] = end(one.cable.from, one.cable.from_port);
        json["to"] = end(one.cable.to, one.cable.to_port);
        json["gain"] = real(one.gain);
        json["stands_out"] = one.stands_out;
        cables.push_back(std::move(json));
    }
    return {{"as_it_is", tables(found.as_it_is, found.least)}, {"error", real(found.error)}, {"cables", cables}};
}

Json routings_json(AuditReport const& report) {
    if (report.audit.tried.empty()) return nullptr;
    Json json = Json::array();
    for (audit::TriedRouting const& one : report.audit.tried) {
        bool const fits = one.refused.empty();
        json.push_back({{"routing", one.name},
                        {"refused", or_null(!fits, one.refused)},
                        {"bandwidth", or_null(fits, real(one.bandwidth))},
                        {"largest_load", or_null(fits, one.largest)},
                        {"collisions_per_permutation", or_null(fits, real(one.collisions))},
                        {"pairs_not_delivered", or_null(fits, one.not_delivered)},
                        {"deadlock_free", or_null(fits, one.free)}});
    }
    return json;
}

void add_tried_routings(Document& document, AuditReport const& report) {
    if (report.audit.tried.empty()) return;
    document.heading(
        fmt::format("Routings that could be (bandwidth as above; links counted alike{}), the best first",
                    model::traits_of(report.audit.fabric).lmc > 0 ? "; of the hosts' base LIDs alone" : ""));
    Table table{.columns = {{"bandwidth"},
                            {"largest"},
                            {"collisions"},
                            {"not delivered"},
                            word_column("deadlock, one lane"),
                            name_column("routing")}};
    for (audit::TriedRouting const& one : report.audit.tried) {
        if (!one.refused.empty()) continue;
        table.rows.push_back({one.bandwidth ? base::fixed_text(*one.bandwidth, 4) : "-", base::grouped(one.largest),
                              base::significant_text(one.collisions, 1), base::grouped(one.not_delivered),
                              one.free ? "free" : "possible", one.name});
    }
    document.table(std::move(table));
    for (audit::TriedRouting const& one : report.audit.tried)
        if (!one.refused.empty()) document.sentence(fmt::format("{}: {}.", one.name, one.refused), 2);
    document.sentence("`tailback improve` searches for tables that are better than these.", 2);
}

void add_returned_cables(Document& document, AuditReport const& report) {
    if (!report.audit.returns) return;
    audit::CableReturns const& found = *report.audit.returns;
    document.heading(fmt::format("Missing cables between switches, each returned by itself, with tables made anew{}",
                                 model::traits_of(report.audit.fabric).lmc > 0 ? " for the hosts' base LIDs" : ""));
    if (found.cables.empty()) {
        document.sentence("None is missing.", 2);
        return;
    }
    std::size_t const stand_out = static_cast<std::size_t>(
        std::count_if(found.cables.begin(), found.cables.end(), [](auto const& one) { return one.stands_out; }));
    if (model::FabricTraits const traits = model::traits_of(report.audit.fabric); traits.by_load || traits.by_hash)
        document.sentence("Judged by tables of one next hop a host; these switches divide flows, which evens loads.",
                          2);
    if (model::lags_of(report.audit.fabric) != nullptr)
        document.sentence(fmt::format("Here {}.", model::lag_members_count_alone), 2);
    bool const pays = found.cables.front().gain > found.error;
    std::string const error = base::fixed_text(found.error, 4);
    document.sentence(
        found.cables.size() == 1
            ? fmt::format("What it gains is {} its error (+-{}).", pays ? "beyond" : "within", error)
        : stand_out == 0
            ? fmt::format("All alike: gains differ among each other by no more than their error (+-{}); {}.", error,
                          pays ? "the largest is beyond it" : "none is beyond it")
            : fmt::format("{} gain{} more than the least does, beyond the error (+-{}).",
                          base::counted(stand_out, "cable", "cables"), stand_out == 1 ? "s" : "", error),
        2);
    Table table{.columns = {{"bandwidth"}, {"gain"}, {"largest"}, {"bound"}, word_column(), name_column("cable")}};
    auto const row = [](audit::TablesMade const& tables, std::string gain, std::uint64_t least) -> std::vector<Cell> {
        return {base::fixed_text(tables.bandwidth, 4), std::move(gain),
                base::grouped(static_cast<std::uint64_t>(std::llround(tables.largest))), base::grouped(least)};
    };
    table.rows.push_back(row(found.as_it_is, "", found.least));
    table.rows.back().insert(table.rows.back().end(), {"", "none, as it is"});
    add_rows(table, found.cables, report.top, [&](audit::ReturnedCable const& one) {
        std::vector<Cell> cells =
            row(one.tables, fmt::format("{}{}", one.gain < 0 ? "" : "+", base::fixed_text(one.gain, 4)), one.least);
        model::Network const& network = report.network();
        cells.push_back(one.stands_out ? "*" : "");
        cells.push_back(ends_between(network, one.cable.from, one.cable.from_port, one.cable.to, one.cable.to_port));
        return cells;
    });
    document.table(std::move(table));
    document.sentence("Means of tables made from four starts; the bound is of shortest routes.", 2);
}

}  // namespace tailback::report
