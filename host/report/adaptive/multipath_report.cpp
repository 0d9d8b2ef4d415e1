#include "host/report/adaptive/multipath_report.hpp"

#include <fmt/format.h>

namespace tailback::report {
namespace {

using evaluation::LidSpread;
char const* what(LidSpread spread) {
    switch (spread) {
        case LidSpread::base: return "by the base LID alone";
        case LidSpread::connection: return "a LID for every pair, drawn once";
        case LidSpread::round_robin: return "a source's messages go round the LIDs";
        case LidSpread::random: return "a LID for every message, drawn";
        case LidSpread::all: return "every message in equal parts over all LIDs";
    }
    return "";
}

}  // namespace

std::vector<NamedColumn> MultipathReport::columns() const {
    std::vector<NamedColumn> named;
    for (std::size_t s = 0; s < result.columns.size(); ++s)
        named.push_back(
            {evaluation::spread_name(result.spreads[s]), result.columns[s], what(result.spreads[s]), result.mappings});
    return named;
}

std::string MultipathReport::verdict() const {
    double const base = result.columns[0].mean(study::Metric::hist_acc_band);
    if (!lose_alike(columns()))
        return "Which is best is not known: " + lost_flows(columns()) +
               "; look for the cause with `tailback audit` first.";
    std::size_t best = 0;
    for (std::size_t s = 1; s < result.columns.size(); ++s)
        if (result.columns[s].mean(study::Metric::hist_acc_band) >
            result.columns[best].mean(study::Metric::hist_acc_band))
            best = s;
    if (!(base > 0)) return "No flow is delivered.";
    if (best == 0) return fmt::format("Several LIDs are worth nothing here: the base LID alone gives {:.4f}.", base);
    double const found = result.columns[best].mean(study::Metric::hist_acc_band);
    return fmt::format("Best is {}: the mean bandwidth of a flow is {}, {:.4f} by the base LID ({:+.1f} %).",
                       evaluation::spread_name(result.spreads[best]), bandwidth_text(plan, found), base,
                       100 * (found / base - 1));
}

Document document_of(MultipathReport const& report) {
    Document document;
    add_head(document, report.plan, report.result.mappings, report.digest);
    document.sentence(fmt::format("up to {} LIDs a host (LMC {})", 1u << report.result.lmc, report.result.lmc));
    std::vector<NamedColumn> const columns = report.columns();
    add_goal(document, report.plan, columns);
    add_columns(document, report.plan, columns);
    add_hottest(document, report.plan, columns);
    return document.heading(report.verdict());
}

Json value_of(MultipathReport const& report) {
    evaluation::Multipath const& result = report.result;
    study::Study const& study = report.plan.study;
    Json json = head("tailback-multipath-1", study.files,
                     network_json(*report.plan.fabric, report.digest, study.placement.aggregation_nodes_are_hosts));
    json.update({{"lmc", result.lmc},
                 {"study", study_of_columns_json(report.plan, result.mappings)},
                 {"interrupted", result.interrupted},
                 {"until", until_of_columns_json(report.plan, report.columns())},
                 {"columns", columns_json(report.plan, report.columns())},
                 {"verdict", report.verdict()}});
    return json;
}

}  // namespace tailback::report
