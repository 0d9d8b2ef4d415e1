// Both forms are made from the reports' JSON alone, so that a point read back from the journal looks like one just
// computed.
#include "host/sweep/sweep_table.hpp"

#include "host/base/error.hpp"
#include "host/base/extensions.hpp"
#include "host/base/numbers.hpp"
#include "host/evaluation/adaptive/lid_paths.hpp"
#include "host/evaluation/adaptive/study_columns.hpp"
#include "host/evaluation/statistics.hpp"
#include "host/result/csv.hpp"
#include "host/result/head.hpp"
#include "host/study/study.hpp"
#include "host/sweep/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <set>
#include <utility>

namespace tailback::sweep {
namespace {

using result::Json;

Column const columns_of_study[] = {
    {"network", "network", ""},
    {"tables", "tables", ""},
    {"link_rate", "link-rate", ""},
    {"routing", "routing", "/network/routing"},
    {"routing_seed", "routing-seed", "/network/routing_seed"},
    {"lmc", "lmc", ""},
    {"fail_cables", "fail-cables", "", false, true},
    {"fail_switches", "fail-switches", "", false, true},
    {"fail_seed", "fail-seed", "/network/failed/seed"},
    {"routes", "routes", ""},
    {"capacities", "capacities", "/study/capacities"},
    {"aggregation_nodes", "aggregation-nodes", "/study/aggregation_nodes"},
    {"pattern", "pattern", "/study/pattern", true},
    {"traffic", "traffic", ""},
    {"first", "first", "/study/first"},
    {"first_ranks", "first-ranks", "/study/first_ranks"},
    {"second", "second", "/study/second"},
    {"level", "level", "/study/level"},
    {"ranks", "ranks", "/study/ranks"},
    {"subset", "subset", "/study/subset", true},
    {"nodes", "nodes", "/study/placement/nodes", true},
    {"adapters", "adapters", ""},
    {"ranks_per_node", "ranks-per-node", "/study/placement/ranks_per_node"},
    {"rail", "rail", "/study/placement/rail", true},
    {"rail_aligned", "rail-aligned", "/study/placement/rail_aligned"},
    {"mapping", "mapping", "/study/mapping", true},
    {"mappings", "mappings", "/study/mappings"},
    {"until", "until", ""},
    {"until_reached", "", "/until/reached"},
    {"first_mapping", "first-mapping", "/study/first_mapping"},
    {"seed", "seed", "/study/seed"},
    {"time", "time", ""},
    {"dependencies", "dependencies", "/study/timing/dependencies", true},
    {"compute", "compute", "/study/timing/compute", true},
    {"latency", "latency", ""},
    {"switching", "switching", "/study/timing/switching", true},
    {"priority", "priority", ""},
    {"sharing", "sharing", "/study/sharing"},
    {"shared_by", "shared-by", "/study/shared_by"},
    {"hosts", "", "/network/hosts"},
    {"switches", "", "/network/switches"},
    {"links", "", "/network/links"},
    {"endpoints", "", "/network/endpoints"},
    {"compute_nodes", "", "/network/compute_nodes"},
    {"base_rate_gbps", "", "/network/base_rate_gbps"},
    {"failed_cables", "", "/network/failed/cables", false, true},
    {"failed_switches", "", "/network/failed/switches", false, true},
    {"digest", "", "/network/digest"},
    {"levels", "", "/study/levels"},
    {"delivered", "", "/pairs/delivered"},
    {"unreachable", "", "/pairs/unreachable"},
    {"loop", "", "/pairs/loop"},
    {"misdelivered", "", "/pairs/misdelivered"},
    {"local", "", "/pairs/local"},
    {"all_pairs", "", "/undeliverable/of_pairs"},
    {"all_pairs_unreachable", "", "/undeliverable/unreachable"},
    {"all_pairs_loop", "", "/undeliverable/loop"},
    {"all_pairs_misdelivered", "", "/undeliverable/misdelivered"},
};

/// Those of columns side by side, where a point may have some.
Column const options_of_brackets[] = {
    {"bracket", "bracket", ""},
    {"optimal_mappings", "optimal-mappings", "/columns/optimal/mappings"},
    {"hash", "hash", ""},
    {"queue_pairs", "queue-pairs", "/hash/queue_pairs", true},
    {"hash_draws", "hash-draws", "/hash/draws"},
};
Column const options_of_multipath[] = {
    {"multipath", "multipath", ""},
    {"spread", "spread", ""},
};

/// With what extensions add.
Registry const& tables() {
    static Registry const all =
        base::with_extensions(Registry{{std::begin(columns_of_study), std::end(columns_of_study)}, {}});
    return all;
}

Json cell_of(Column const& column, SweepPoint const& point, Json const& report) {
    SweepSetting const* const set = column.option.empty() ? nullptr : find_setting(point, column.option);
    if (set != nullptr && (column.as_set || column.pointer.empty() || report.is_null())) return set->value;
    if (report.is_null()) return nullptr;
    Json::json_pointer const place(column.pointer);
    Json const told = column.pointer.empty() || !report.contains(place) ? Json(nullptr) : report.at(place);
    return column.count && told.is_null() ? Json(0) : told;
}

std::string place_of(study::MetricInfo const& info) { return std::string("/metrics/") + info.name; }

/// Where `tell_of_flows` puts its numbers.
constexpr char const* of_flows = "of all flows";

void add_columns(std::vector<Column>& columns, study::MetricInfo const& info) {
    auto const add = [&](std::string const& name, std::string const& pointer) {
        columns.push_back({std::string(info.name) + "_" + name, "", place_of(info) + "/" + pointer});
    };
    auto const add_quantiles = [&](std::string const& before, std::string const& pointer) {
        for (double const q : evaluation::reported_quantiles)
            add(before + "q" + base::exact_text(q), pointer + "/" + base::exact_text(q));
    };
    if (info.number) {
        for (char const* const name : {"mean", "stderr"}) add(name, name);
        add("ci99_low", "ci99/0"), add("ci99_high", "ci99/1");
        for (char const* const name : {"min", "max", "variance"}) add(name, name);
        if (info.number->has_mean_of_all) add("mean_all", "mean_all");
        add_quantiles("", "quantiles");
        for (char const* const name : {"undefined", "worst_mapping"}) add(name, name);
    }
    if (info.flows) {
        if (char const* const name = info.flows->mean_of_inverse)
            for (std::string const& one : {std::string(name), std::string(name) + "_all"}) add(one, one);
        std::string const before = info.number ? "flow_" : "";  // beside a number of every mapping
        for (std::string const name : {"mean", "min", "max"}) add(before + name, of_flows + ("/" + name));
        add_quantiles(before, of_flows);
    }
    if (info.sums_links) add("max", "max");
}

/// Adds what the exact histogram of a metric says of all flows.
void tell_of_flows(Json& report, study::MetricInfo const& info) {
    Json::json_pointer const place(place_of(info));
    if (!info.flows || !report.contains(place)) return;
    Json const& histogram = report.at(place).at(info.flows->list);
    auto const flows_in = [&](std::size_t bin) { return histogram.at(bin).at("flows").get<std::uint64_t>(); };
    auto const value_of = [&](std::size_t bin) { return histogram.at(bin).at(info.flows->key); };
    std::uint64_t flows = 0;
    double sum = 0;
    for (std::size_t bin = 0; bin < histogram.size(); ++bin)
        flows += flows_in(bin), sum += value_of(bin).get<double>() * double(flows_in(bin));
    if (flows == 0) return;
    Json told = {{"mean", sum / double(flows)}, {"min", value_of(0)}, {"max", value_of(histogram.size() - 1)}};
    for (double const q : evaluation::reported_quantiles) {
        std::uint64_t below = 0;
        std::size_t bin = 0;
        while (double(below += flows_in(bin)) < q * double(flows) && bin + 1 < histogram.size()) ++bin;
        told[base::exact_text(q)] = value_of(bin);
    }
    report[place][of_flows] = std::move(told);
}

bool has_schema(SweepRow const& row, std::string const& schema) {
    return row.report.starts_with("{\"schema\":\"" + schema);
}

bool is_bracket(SweepRow const& row) { return has_schema(row, "tailback-bracket"); }
/// Of a bracket, or of flows that are spread over LIDs.
bool has_columns(SweepRow const& row) { return is_bracket(row) || has_schema(row, "tailback-multipath"); }

/// Numbers of a column of a report. @param called in the table
void add_numbers_of(std::string const& column, std::string const& called, std::vector<Column>& columns) {
    std::string const at = "/columns/" + column;
    columns.push_back({called + "_lost", "", at + "/failed"});
    constexpr std::pair<char const*, char const*> statistics[] = {{"mean", "/mean"},
                                                                  {"stderr", "/stderr"},
                                                                  {"ci99_low", "/ci99/0"},
                                                                  {"ci99_high", "/ci99/1"},
                                                                  {"standard_deviation", "/standard_deviation"},
                                                                  {"min", "/min"},
                                                                  {"median", "/median"},
                                                                  {"max", "/max"}};
    for (study::Metric const metric : evaluation::metrics_of_columns)
        for (auto const& [statistic, place] : statistics) {
            std::string const name = study::info_of(metric).name;
            columns.push_back({called + "_" + name + "_" + statistic, "", at + "/" + name + place});
        }
}

void add_columns_of_brackets(std::vector<Column>& columns) {
    for (char const* const division : {"static", "equal", "hash", "optimal"})
        add_numbers_of(division, division, columns);
    columns.push_back({"optimal_sum_max_cong_lower_mean", "", "/columns/optimal/sum_max_cong_lower/mean"});
    columns.push_back({"hash_hist_acc_band_expected", "", "/hash/expected_hist_acc_band"});
}

/// Of points that spread flows over LIDs, and of those over queue pairs, by every number of these.
void add_columns_of_multipath(std::vector<SweepRow> const& rows, bool beside_brackets, std::vector<Column>& columns) {
    bool any_spread = false;
    std::set<std::uint64_t> counts;
    for (SweepRow const& row : rows) {
        if (find_setting(*row.point, "multipath") == nullptr) continue;
        SweepSetting const* const asked = find_setting(*row.point, "queue-pairs");
        any_spread |= asked == nullptr;
        if (asked == nullptr) continue;
        for (std::string const& word : options::divided(asked->value.c_str(), ','))
            counts.insert(std::strtoull(word.c_str(), nullptr, 10));
    }
    if (any_spread)
        for (auto const spread :
             {evaluation::LidSpread::base, evaluation::LidSpread::connection, evaluation::LidSpread::round_robin,
              evaluation::LidSpread::random, evaluation::LidSpread::all})
            add_numbers_of(evaluation::spread_name(spread), evaluation::spread_name(spread), columns);
    if (!counts.empty() && !beside_brackets) add_numbers_of("equal", "equal", columns);
    for (std::uint64_t const count : counts)
        add_numbers_of(std::to_string(count), fmt::format("queue_pairs_{}", count), columns);
}

char const* state_of(SweepRow const& row) {
    return !row.report.empty() ? "ok" : row.reason.empty() ? "open" : "failed";
}

bool any(std::vector<SweepRow> const& rows, auto const& is) { return std::any_of(rows.begin(), rows.end(), is); }

/// Those behind a point's state: of options, of the metrics of any point, of other reports and columns side by side
/// where there are some.
std::vector<Column> columns_of(std::vector<SweepRow> const& rows) {
    std::vector<Column> columns = tables().columns;
    auto const any_has = [&](char const* option) {
        return any(rows, [&](SweepRow const& row) { return find_setting(*row.point, option) != nullptr; });
    };
    bool const brackets = any_has("bracket"), multipath = any_has("multipath");
    if (brackets) columns.insert(columns.end(), std::begin(options_of_brackets), std::end(options_of_brackets));
    if (multipath) columns.insert(columns.end(), std::begin(options_of_multipath), std::end(options_of_multipath));
    if (multipath && !brackets && any_has("queue-pairs"))
        for (char const* const option : {"hash", "queue-pairs"})
            columns.push_back({option == std::string("hash") ? option : "queue_pairs", option, ""});
    if (any_has("one-hash")) columns.push_back({"one_hash", "one-hash", ""});
    if (any_has("ebb")) columns.push_back({"ebb_formula", "", "/bisection/expected"});
    for (study::MetricInfo const& info : study::all_metrics()) {
        std::string const key = fmt::format("\"{}\":{{", info.name);
        if (any(rows,
                [&](SweepRow const& row) { return !has_columns(row) && row.report.find(key) != row.report.npos; }))
            add_columns(columns, info);
    }
    for (OtherReport const& other : tables().reports)
        if (any(rows, [&](SweepRow const& row) { return has_schema(row, other.schema); }))
            for (Column& column : other.columns()) columns.push_back(std::move(column));
    if (brackets) add_columns_of_brackets(columns);
    if (multipath) add_columns_of_multipath(rows, brackets, columns);
    return columns;
}

template <class Work>
void with_reports(Work&& work) {
    try {
        work();
    } catch (nlohmann::json::exception const& error) {
        throw base::InputError({}, "a report in the journal is not understood", error.what(),
                               "start over with --fresh");
    }
}

}  // namespace

void write_sweep_csv(std::ostream& out, std::vector<SweepRow> const& rows) {
    with_reports([&] {
        std::vector<Column> const columns = columns_of(rows);
        std::vector<std::string> names = {"point", "status", "reason"};
        for (Column const& column : columns) names.push_back(column.name);
        result::CsvTable table(out, std::move(names));
        for (std::size_t p = 0; p < rows.size(); ++p) {
            SweepRow const& row = rows[p];
            Json report = row.report.empty() ? Json(nullptr) : Json::parse(row.report);
            for (study::MetricInfo const& info : study::all_metrics()) tell_of_flows(report, info);
            std::vector<Json> cells = {p, state_of(row), row.reason};
            for (Column const& column : columns) cells.push_back(cell_of(column, *row.point, report));
            table.row(cells);
        }
    });
}

SweepFailures failures_of(std::vector<SweepRow> const& rows) {
    SweepFailures failures;
    with_reports([&] {
        for (SweepRow const& row : rows) {
            if (row.report.empty()) continue;
            Json const report = Json::parse(row.report);
            if (has_columns(row)) {
                Json const& columns = report.at("columns");
                char const* const spread = columns.contains("base") ? "base" : "equal";
                Json const& fixed = columns.at(is_bracket(row) ? "static" : spread);
                bool any = false;
                for (Json const& column : columns) any = any || column.at("failed") > 0;
                failures.some += any;
                failures.all += any && fixed.at("delivered") == 0;
                continue;
            }
            std::vector<OtherReport> const& others = tables().reports;
            auto const other = std::find_if(others.begin(), others.end(),
                                            [&](OtherReport const& one) { return has_schema(row, one.schema); });
            if (other != others.end()) {
                failures.some += other->loses_flows(report);
                continue;
            }
            Json const& pairs = report.at("pairs");
            auto const flows = [&](char const* fate) { return pairs.at(fate).get<std::uint64_t>(); };
            bool const any = flows("unreachable") + flows("loop") + flows("misdelivered") > 0;
            failures.some += any;
            failures.all += any && flows("delivered") == 0;
        }
    });
    return failures;
}

namespace {

Json point_json(SweepRow const& row, std::size_t number) {
    Json set = Json::object();
    for (SweepSetting const& setting : *row.point) set[setting.name()] = setting.value;
    Json json = {{"point", number}, {"options", std::move(set)}, {"status", state_of(row)}};
    if (row.report.empty()) json["reason"] = row.reason;
    else json["report"] = Json::parse(row.report);
    return json;
}

Json sweep_head(model::NamedFiles const& files) { return result::head("tailback-sweep-1", files, nullptr); }

result::LongList points_of(std::vector<SweepRow> const& rows) {
    return {"points", rows.size(), [&](std::size_t p) { return point_json(rows[p], p); }};
}

}  // namespace

void write_sweep_json(std::ostream& out, std::vector<SweepRow> const& rows, model::NamedFiles const& files) {
    with_reports([&] { result::write_json(out, sweep_head(files), {points_of(rows)}); });
}

Json whole_sweep(std::vector<SweepRow> const& rows, model::NamedFiles const& files) {
    Json json = sweep_head(files);
    with_reports([&] { json["points"] = points_of(rows).whole(); });
    return json;
}

}  // namespace tailback::sweep
