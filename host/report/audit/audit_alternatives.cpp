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
    bool const divided = !found.routing.empty();
    auto const routes = [&](audit::RoutesMade const& made, double least) {
        return Json{{"bandwidth", or_null(made.bandwidth.has_value(), real(made.bandwidth.value_or(0)))},
                    {"collisions_per_permutation", or_null(!divided, real(made.collisions.value_or(0)))},
                    {"largest_load", real(made.largest)},
                    {"pairs_not_delivered", made.not_delivered},
                    {"bound", divided ? Json(real(least)) : Json(static_cast<std::uint64_t>(least))}};
    };
    Json cables = Json::array();
    for (audit::ReturnedCable const& one : found.cables) {
        model::Network const& network = report.network();
        auto const end = [&](model::Node node, model::Port port) {
            Json json = {{"node", network[node].name}};
            add_port(json, network, node, port);
            return json;
        };
        Json json = routes(one.routes, one.least);
        json["from"] = end(one.cable.from, one.cable.from_port);
        json["to"] = end(one.cable.to, one.cable.to_port);
        json["gain"] = or_null(one.gain.has_value(), real(one.gain.value_or(0)));
        json["stands_out"] = one.stands_out;
        cables.push_back(std::move(json));
    }
    static constexpr char const* draws[] = {"starts", "bisections", "orders"};
    return {{"routing", or_null(divided, found.routing)},
            {"mean_over", draws[static_cast<std::size_t>(found.drawn)]},
            {"draws", found.draws},
            {"as_it_is", routes(found.as_it_is, found.least)},
            {"error", real(found.error)},
            {"cables", cables}};
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

namespace {

/// Of cables that are returned where flows divide.
std::string how_divided(AuditReport const& report) {
    std::string const& routing = report.audit.returns->routing;
    return fmt::format(
        "Flows divide equally over {}{}.",
        routing == "ar:minimal" ? "all next hops of shortest routes" : "the next hops of " + routing,
        model::lags_of(report.audit.fabric) != nullptr ? "; a LAG is one, divided over its members" : "");
}

/// What the cables gain, all together.
std::string gain_text(audit::CableReturns const& found) {
    std::string const error = base::fixed_text(found.error, 4);
    std::size_t const stand_out = static_cast<std::size_t>(
        std::count_if(found.cables.begin(), found.cables.end(), [](auto const& one) { return one.stands_out; }));
    audit::ReturnedCable const& first = found.cables.front();
    bool const pays = first.gain && *first.gain > found.error,
               delivers = first.routes.not_delivered < found.as_it_is.not_delivered;
    if (found.cables.size() == 1) {
        std::string const gains =
            !first.gain ? "What it gains in bandwidth is not known"
                        : fmt::format("What it gains is {} its error (+-{})", pays ? "beyond" : "within", error);
        return gains + (delivers ? "; it delivers more pairs." : ".");
    }
    bool const is_known =
                   std::any_of(found.cables.begin(), found.cables.end(), [](auto const&one) { return one.gain; }),
               by_pairs = first.routes.not_delivered < found.cables.back().routes.not_delivered;
    if (stand_out == 0 && !is_known) return "All alike, as far as is known: gains in bandwidth are not.";
    if (stand_out > 0) {
        char const* const s = stand_out == 1 ? "s" : "";
        return base::counted(stand_out, "cable", "cables") +
               (by_pairs
                    ? fmt::format(" deliver{} more pairs than the last does{}.", s,
                                  is_known ? fmt::format(", or gain{} more, beyond the error (+-{})", s, error) : "")
                    : fmt::format(" gain{} more than the least does, beyond the error (+-{}).", s, error));
    }
    return fmt::format("All alike: gains differ among each other by no more than their error (+-{}); {}.", error,
                       pays ? "the largest is beyond it" : "none is beyond it");
}

/// What the numbers are means over.
std::string draws_text(audit::CableReturns const& found) {
    constexpr char const* of_division = "the bound is of shortest routes, however flows divide.";
    switch (found.drawn) {
        case audit::ReturnsDraw::starts:
            return "Means of tables made from four starts; the bound is of shortest routes.";
        case audit::ReturnsDraw::bisections:
            return fmt::format("Bandwidth is the mean of {}; {}",
                               base::counted(found.draws, "random bisection", "random bisections"), of_division);
        case audit::ReturnsDraw::orders: break;
    }
    if (found.draws == 0) return fmt::format("Loads are means over orders of ports and hosts; {}", of_division);
    return fmt::format("Means over {} of ports and hosts, by which {} breaks ties; {}",
                       base::counted(found.draws, "order", "orders"), found.routing, of_division);
}

}  // namespace

void add_returned_cables(Document& document, AuditReport const& report) {
    if (!report.audit.returns) return;
    audit::CableReturns const& found = *report.audit.returns;
    bool const divided = !found.routing.empty();
    document.heading(fmt::format("Missing cables between switches, each returned by itself, with {} made anew{}",
                                 divided ? "next hops" : "tables",
                                 model::traits_of(report.audit.fabric).lmc > 0 ? " for the hosts' base LIDs" : ""));
    if (found.cables.empty()) {
        document.sentence("None is missing.", 2);
        return;
    }
    if (divided) document.sentence(how_divided(report), 2);
    document.sentence(gain_text(found), 2);
    bool const lost =
        found.as_it_is.not_delivered > 0 || std::any_of(found.cables.begin(), found.cables.end(),
                                                        [](auto const& one) { return one.routes.not_delivered > 0; });
    Table table{.columns = {{"bandwidth"}, {"gain"}, {"largest"}, {"bound"}}};
    if (lost) table.columns.push_back({"not delivered"});
    table.columns.insert(table.columns.end(), {word_column(), name_column("cable")});
    auto const load = [&](double pairs) {
        return divided ? base::significant_text(pairs, 1)
                       : base::grouped(static_cast<std::uint64_t>(std::llround(pairs)));
    };
    auto const row = [&](audit::RoutesMade const& routes, std::string gain, double least) -> std::vector<Cell> {
        std::vector<Cell> cells = {routes.bandwidth ? base::fixed_text(*routes.bandwidth, 4) : "-", std::move(gain),
                                   load(routes.largest), load(least)};
        if (lost) cells.push_back(base::grouped(routes.not_delivered));
        return cells;
    };
    table.rows.push_back(row(found.as_it_is, "", found.least));
    table.rows.back().insert(table.rows.back().end(), {"", "none, as it is"});
    add_rows(table, found.cables, report.top, [&](audit::ReturnedCable const& one) {
        std::vector<Cell> cells = row(
            one.routes, one.gain ? fmt::format("{}{}", *one.gain < 0 ? "" : "+", base::fixed_text(*one.gain, 4)) : "-",
            one.least);
        model::Network const& network = report.network();
        cells.push_back(one.stands_out ? "*" : "");
        cells.push_back(ends_between(network, one.cable.from, one.cable.from_port, one.cable.to, one.cable.to_port));
        return cells;
    });
    document.table(std::move(table));
    document.sentence(draws_text(found), 2);
}

}  // namespace tailback::report
