#include "host/report/adaptive/bracket_report.hpp"

#include "host/base/numbers.hpp"
#include "host/model/routes/candidate_sets.hpp"
#include "host/model/routes/fabric_words.hpp"
#include "host/report/adaptive/columns.hpp"
#include "host/report/evaluate_report.hpp"
#include "host/report/json_values.hpp"
#include "host/report/link_label.hpp"
#include "host/report/origin_json.hpp"

#include "version.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace tailback::report {
namespace {

using evaluation::BracketColumn;
using evaluation::Division;
constexpr Division all_divisions[] = {Division::fixed, Division::equal, Division::hashed, Division::optimal};

char const* what(model::Fabric const& fabric, Division division) {
    switch (division) {
        case Division::fixed: return model::words_of(fabric).fixed;
        case Division::equal: return "every switch divides equally";
        case Division::hashed: return "a hash picks a port for every flow";
        case Division::optimal: return "the best division there is";
    }
    return "";
}

}  // namespace

std::string BracketReport::verdict() const {
    if (plan.fabric->candidates->chosen_by() == model::ChosenBy::hash) return verdict_of_hash();
    double const before = result.of(Division::fixed).mean_bandwidth(),
                 after = result.of(Division::equal).mean_bandwidth();
    NamedColumn const compared[] = {{evaluation::division_name(Division::equal), result.of(Division::equal)},
                                    {evaluation::division_name(Division::fixed), result.of(Division::fixed)}};
    if (!lose_alike(compared))
        return "What adaptive routing is worth here is not known: " + lost_flows(compared) +
               "; look for the cause with `tailback audit` first.";
    if (!(before > 0) || !(after > 0)) return "No flow is delivered, so adaptive routing is worth nothing here.";
    std::string text;
    double const gain = 100 * (after / before - 1);
    if (std::abs(gain) < 0.05)
        text = fmt::format(
            "Adaptive routing is worth nothing here: the mean bandwidth is {:.4f} of a link with it and "
            "by the static entries",
            after);
    else
        text = fmt::format(
            "Adaptive routing {} here: the mean bandwidth of a flow is {:.4f} of a link where switches "
            "divide equally, {:.4f} by the static entries ({:+.1f} %)",
            gain > 0 ? "pays" : "costs", after, before, gain);
    if (result.optimal_mappings == 0) return text + ".";
    double const equal = result.largest_where_optimal(Division::equal),
                 best = result.of(Division::optimal).mean_largest();
    if (!(best > 0)) return text + ".";
    double const left = 100 * (equal / best - 1);
    return text + (left < 0.5 ? "; no other division over the same ports would lower the largest load."
                              : fmt::format("; the best division over the same ports would lower the largest load by "
                                            "another {:.0f} %.",
                                            100 * (1 - best / equal)));
}

std::string BracketReport::verdict_of_hash() const {
    double const hashed = result.of(Division::hashed).mean_bandwidth(),
                 equal = result.of(Division::equal).mean_bandwidth();
    NamedColumn const compared[] = {{evaluation::division_name(Division::hashed), result.of(Division::hashed)},
                                    {evaluation::division_name(Division::equal), result.of(Division::equal)}};
    if (compared[0].column.delivered + compared[1].column.delivered == 0)
        return "No flow is delivered, so the hash costs nothing here.";
    if (compared[0].column.failed + compared[1].column.failed > 0)
        return "What the hash costs here is not known: " + lost_flows(compared) +
               "; look for the cause with `tailback audit` first.";
    return fmt::format(
        "The hash {} here: the mean bandwidth of a flow is {:.4f} of a link with it, {:.4f} where every switch "
        "divides equally ({:+.1f} %).",
        hashed < equal * 0.9995 ? "costs" : "costs nothing", hashed, equal, 100 * (hashed / equal - 1));
}

void write_text_report(std::ostream& out, BracketReport const& report) {
    evaluation::Bracket const& result = report.result;
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
    fmt::print(out, "candidate sets: {}\n\n", base::printable(fabric.candidates->words()));
    fmt::print(out, "  {:<8} {:>13} {:>13} {:>13}  {:>10}  {}\n", "", "hist_acc_band", "sum_max_cong", "dep_max_delay",
               "flows lost", "");
    for (Division const division : all_divisions) {
        BracketColumn const& column = result.of(division);
        if (division == Division::optimal && result.optimal_mappings == 0) continue;
        fmt::print(out, "  {:<8} {:>13} {:>13} {:>13}  {:>10}  {}{}\n", evaluation::division_name(division),
                   digits(statistics_of(column.bandwidth).mean), digits(statistics_of(column.largest).mean),
                   digits(statistics_of(column.delay).mean), base::grouped(column.failed),
                   what(*report.plan.fabric, division),
                   division == Division::optimal && result.optimal_mappings < result.mappings
                       ? fmt::format(" (the first {})", base::counted(result.optimal_mappings, "mapping", "mappings"))
                       : "");
    }
    if (result.optimal_mappings > 0)
        fmt::print(out,
                   "\nLargest congestion over the {} that the optimum was found of: {} static, {} equal, {} hash; "
                   "the optimum is between {} and {}\n",
                   base::counted(result.optimal_mappings, "mapping", "mappings"),
                   digits(result.largest_where_optimal(Division::fixed)),
                   digits(result.largest_where_optimal(Division::equal)),
                   digits(result.largest_where_optimal(Division::hashed)),
                   digits(statistics_of(result.of(Division::optimal).lower).mean),
                   digits(result.of(Division::optimal).mean_largest()));
    if (result.expected_bandwidth)
        fmt::print(out, "hist_acc_band over all draws of a perfect hash, exactly: {} (drawn {})\n",
                   digits(*result.expected_bandwidth), digits(result.bandwidth_where_optimal(Division::hashed)));
    if (result.hash_draws > 1) {
        Statistics const found = statistics_of(result.of(Division::hashed).bandwidth);
        fmt::print(out, "hist_acc_band of the hash over {} draws a mapping: {} to {}, median {}\n", result.hash_draws,
                   digits(found.min), digits(found.max), digits(found.median));
    }
    fmt::print(out, "\nHottest link on average:\n");
    for (Division const division : {Division::fixed, Division::equal, Division::hashed})
        if (BracketColumn const& column = result.of(division); column.hottest.exists())
            fmt::print(out, "  {:<8} {:>10}  {}\n", evaluation::division_name(division), digits(column.hottest_load),
                       link_label(fabric.ends(column.hottest, report.plan.study_hosts)));
    fmt::print(out, "\nLoads of equal division are {} (1/{} of a flow)\n",
               result.error == 0 ? "exact" : fmt::format("within {:.3g} flows a level", result.error), result.unit);
    fmt::print(out, "\n{}\n", report.verdict());
}

void write_json_report(std::ostream& out, BracketReport const& report) {
    evaluation::Bracket const& result = report.result;
    study::Study const& study = report.plan.study;
    model::Fabric const& fabric = *report.plan.fabric;
    Json network = {{"hosts", fabric.endpoints()},
                    {"switches", fabric.switches()},
                    {"links", fabric.links()},
                    {"digest", report.digest}};
    add_origin(network, fabric.origin);
    Json columns = Json::object();
    for (Division const division : all_divisions) {
        BracketColumn const& column = result.of(division);
        Json one = column_json(column, column.largest.size() / result.draws(division));
        if (division == Division::optimal) {
            one["sum_max_cong_lower"] = {{"mean", number(statistics_of(column.lower).mean)}};
        } else if (column.hottest.exists()) {
            one["hottest_link"] = ends_json(fabric.ends(column.hottest, report.plan.study_hosts));
            one["hottest_link"]["load"] = column.hottest_load;
        }
        columns[evaluation::division_name(division)] = std::move(one);
    }
    Json where = Json::object();
    if (result.optimal_mappings > 0)
        for (Division const division : all_divisions)
            where[evaluation::division_name(division)] = number(result.largest_where_optimal(division));
    Json const json = {
        {"schema", "tailback-bracket-1"},
        {"version", version},
        {"files", files_json(study.files)},
        {"network", std::move(network)},
        {"candidate_sets", base::printable(fabric.candidates->words())},
        {"study",
         {{"pattern", study.traffic.pattern},
          {"ranks", study.placement.ranks},
          {"subset", study::subset_name(study)},
          {"mapping", study::mapping_name(study)},
          {"mappings", result.mappings},
          {"first_mapping", study.sample.first_mapping},
          {"seed", study.sample.seed}}},
        {"interrupted", result.interrupted},
        {"hash",
         {{"seed", result.hash_seed},
          {"draws", result.hash_draws},
          {"queue_pairs", result.queue_pairs},
          {"expected_hist_acc_band", result.expected_bandwidth ? number(*result.expected_bandwidth) : Json(nullptr)}}},
        {"unit", result.unit},
        {"error", result.error},
        {"columns", std::move(columns)},
        {"largest_where_optimal", std::move(where)},
        {"verdict", report.verdict()}};
    out << json_text(json, 2) << '\n';
}

void write_csv_report(std::ostream& out, BracketReport const& report) {
    out << "division,metric,statistic,value\n";
    for (Division const division : all_divisions) {
        BracketColumn const& column = report.result.of(division);
        auto const row = [&](char const* metric, char const* statistic, double value) {
            if (std::isfinite(value))
                fmt::print(out, "{},{},{},{}\n", evaluation::division_name(division), metric, statistic,
                           base::exact_text(value));
        };
        write_column_csv(out, evaluation::division_name(division), column);
        if (division == Division::optimal) row("sum_max_cong_lower", "mean", statistics_of(column.lower).mean);
    }
}

}  // namespace tailback::report
