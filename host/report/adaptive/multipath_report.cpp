#include "host/report/adaptive/multipath_report.hpp"

#include "host/base/numbers.hpp"
#include "host/report/adaptive/columns.hpp"
#include "host/report/evaluate_report.hpp"
#include "host/report/json_values.hpp"
#include "host/report/link_label.hpp"
#include "host/report/origin_json.hpp"

#include "version.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>

namespace tailback::report {
namespace {

using evaluation::BracketColumn;
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

std::string MultipathReport::verdict() const {
    double const base = result.columns[0].mean_bandwidth();
    std::vector<NamedColumn> columns;
    for (std::size_t s = 0; s < result.columns.size(); ++s)
        columns.push_back({evaluation::spread_name(result.spreads[s]), result.columns[s]});
    if (!lose_alike(columns))
        return "Which is best is not known: " + lost_flows(columns) +
               "; look for the cause with `tailback audit` first.";
    std::size_t best = 0;
    for (std::size_t s = 1; s < result.columns.size(); ++s)
        if (result.columns[s].mean_bandwidth() > result.columns[best].mean_bandwidth()) best = s;
    if (!(base > 0)) return "No flow is delivered.";
    if (best == 0) return fmt::format("Several LIDs are worth nothing here: the base LID alone gives {:.4f}.", base);
    double const found = result.columns[best].mean_bandwidth();
    return fmt::format(
        "Best is {}: the mean bandwidth of a flow is {:.4f} of a link, {:.4f} by the base LID ({:+.1f} %).",
        evaluation::spread_name(result.spreads[best]), found, base, 100 * (found / base - 1));
}

void write_text_report(std::ostream& out, MultipathReport const& report) {
    evaluation::Multipath const& result = report.result;
    study::Study const& study = report.plan.study;
    model::Fabric const& fabric = *report.plan.fabric;
    fmt::print(out, "{} on {}, {}{}\n", base::printable(study.traffic.pattern),
               base::counted(study.placement.ranks, "rank", "ranks"),
               base::counted(result.mappings, "mapping", "mappings"),
               study::draws_mappings(report.plan) ? fmt::format(" (seed {})", study.sample.seed) : "");
    fmt::print(out, "network of {}, {}, {}, digest {}\n", base::counted(fabric.endpoints(), "host", "hosts"),
               base::counted(fabric.switches(), "switch", "switches"), base::counted(fabric.links(), "link", "links"),
               report.digest);
    if (std::string const origin = fabric.origin.text(); !origin.empty())
        fmt::print(out, "{}\n", base::printable(origin));
    fmt::print(out, "up to {} LIDs a host (LMC {})\n\n", 1u << result.lmc, result.lmc);
    fmt::print(out, "  {:<12} {:>13} {:>13} {:>13}  {:>10}\n", "", "hist_acc_band", "sum_max_cong", "dep_max_delay",
               "flows lost");
    for (std::size_t s = 0; s < result.columns.size(); ++s) {
        BracketColumn const& column = result.columns[s];
        fmt::print(out, "  {:<12} {:>13} {:>13} {:>13}  {:>10}  {}\n", evaluation::spread_name(result.spreads[s]),
                   digits(statistics_of(column.bandwidth).mean), digits(statistics_of(column.largest).mean),
                   digits(statistics_of(column.delay).mean), base::grouped(column.failed), what(result.spreads[s]));
    }
    fmt::print(out, "\nHottest link on average:\n");
    for (std::size_t s = 0; s < result.columns.size(); ++s)
        if (BracketColumn const& column = result.columns[s]; column.hottest.exists())
            fmt::print(out, "  {:<12} {:>10}  {}\n", evaluation::spread_name(result.spreads[s]),
                       digits(column.hottest_load), link_label(fabric.ends(column.hottest, report.plan.study_hosts)));
    fmt::print(out, "\n{}\n", report.verdict());
}

void write_json_report(std::ostream& out, MultipathReport const& report) {
    evaluation::Multipath const& result = report.result;
    study::Study const& study = report.plan.study;
    model::Fabric const& fabric = *report.plan.fabric;
    Json network = {{"hosts", fabric.endpoints()},
                    {"switches", fabric.switches()},
                    {"links", fabric.links()},
                    {"digest", report.digest}};
    add_origin(network, fabric.origin);
    Json columns = Json::object();
    for (std::size_t s = 0; s < result.columns.size(); ++s) {
        BracketColumn const& column = result.columns[s];
        Json one = column_json(column, result.mappings);
        if (column.hottest.exists()) {
            one["hottest_link"] = ends_json(fabric.ends(column.hottest, report.plan.study_hosts));
            one["hottest_link"]["load"] = column.hottest_load;
        }
        columns[evaluation::spread_name(result.spreads[s])] = std::move(one);
    }
    Json const json = {{"schema", "tailback-multipath-1"},
                       {"version", version},
                       {"files", files_json(study.files)},
                       {"network", std::move(network)},
                       {"lmc", result.lmc},
                       {"study",
                        {{"pattern", study.traffic.pattern},
                         {"ranks", study.placement.ranks},
                         {"subset", study::subset_name(study)},
                         {"mapping", study::mapping_name(study)},
                         {"mappings", result.mappings},
                         {"first_mapping", study.sample.first_mapping},
                         {"seed", study.sample.seed}}},
                       {"interrupted", result.interrupted},
                       {"columns", std::move(columns)},
                       {"verdict", report.verdict()}};
    out << json_text(json, 2) << '\n';
}

void write_csv_report(std::ostream& out, MultipathReport const& report) {
    out << "spread,metric,statistic,value\n";
    for (std::size_t s = 0; s < report.result.columns.size(); ++s)
        write_column_csv(out, evaluation::spread_name(report.result.spreads[s]), report.result.columns[s]);
}

}  // namespace tailback::report
