// Both forms are made from the reports' JSON alone, so that a point read back from the journal looks like one just
// computed.
#include "host/sweep/sweep_table.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/evaluation/statistics.hpp"
#include "host/report/schedule/schedule_report.hpp"
#include "host/result/head.hpp"
#include "host/study/study.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <ostream>

namespace tailback::sweep {
namespace {

using Json = nlohmann::ordered_json;

/// A column that is an option (as the sweep sets it), a part of the report, or both.
struct Column {
    char const* name;
    char const* option;   ///< null = none
    char const* pointer;  ///< into the report; null = none
    bool as_set = false;  ///< what the sweep sets comes before what the report tells: names of files
    bool count = false;   ///< of points that ran, nothing is 0
};

constexpr Column columns_of_study[] = {
    {"network", "network", nullptr},
    {"tables", "tables", nullptr},
    {"routing", "routing", "/network/routing"},
    {"routing_seed", "routing-seed", "/network/routing_seed"},
    {"lmc", "lmc", nullptr},
    {"fail_cables", "fail-cables", nullptr, false, true},
    {"fail_switches", "fail-switches", nullptr, false, true},
    {"fail_seed", "fail-seed", "/network/failed/seed"},
    {"routes", "routes", nullptr},
    {"capacities", "capacities", "/study/capacities"},
    {"aggregation_nodes", "aggregation-nodes", "/study/aggregation_nodes"},
    {"workload", "workload", nullptr},
    {"queue", "queue", "/study/queue"},
    {"select", "select", "/study/select"},
    {"pattern", "pattern", "/study/pattern", true},
    {"traffic", "traffic", nullptr},
    {"first", "first", "/study/first"},
    {"first_ranks", "first-ranks", "/study/first_ranks"},
    {"second", "second", "/study/second"},
    {"level", "level", "/study/level"},
    {"ranks", "ranks", "/study/ranks"},
    {"subset", "subset", "/study/subset", true},
    {"nodes", "nodes", "/study/placement/nodes", true},
    {"adapters", "adapters", nullptr},
    {"ranks_per_node", "ranks-per-node", "/study/placement/ranks_per_node"},
    {"rail", "rail", "/study/placement/rail", true},
    {"rail_aligned", "rail-aligned", "/study/placement/rail_aligned"},
    {"mapping", "mapping", "/study/mapping", true},
    {"mappings", "mappings", "/study/mappings"},
    {"until", "until", nullptr},
    {"until_reached", nullptr, "/until/reached"},
    {"first_mapping", "first-mapping", "/study/first_mapping"},
    {"seed", "seed", "/study/seed"},
    {"seeds", "seeds", "/study/seeds"},
    {"time", "time", nullptr},
    {"dependencies", "dependencies", "/study/timing/dependencies", true},
    {"compute", "compute", "/study/timing/compute", true},
    {"latency", "latency", nullptr},
    {"switching", "switching", "/study/timing/switching", true},
    {"priority", "priority", nullptr},
    {"sharing", "sharing", "/study/sharing"},
    {"shared_by", "shared-by", "/study/shared_by"},
    {"hosts", nullptr, "/network/hosts"},
    {"switches", nullptr, "/network/switches"},
    {"links", nullptr, "/network/links"},
    {"endpoints", nullptr, "/network/endpoints"},
    {"compute_nodes", nullptr, "/network/compute_nodes"},
    {"base_rate_gbps", nullptr, "/network/base_rate_gbps"},
    {"failed_cables", nullptr, "/network/failed/cables", false, true},
    {"failed_switches", nullptr, "/network/failed/switches", false, true},
    {"digest", nullptr, "/network/digest"},
    {"levels", nullptr, "/study/levels"},
    {"delivered", nullptr, "/pairs/delivered"},
    {"unreachable", nullptr, "/pairs/unreachable"},
    {"loop", nullptr, "/pairs/loop"},
    {"misdelivered", nullptr, "/pairs/misdelivered"},
    {"local", nullptr, "/pairs/local"},
    {"all_pairs", nullptr, "/undeliverable/of_pairs"},
    {"all_pairs_unreachable", nullptr, "/undeliverable/unreachable"},
    {"all_pairs_loop", nullptr, "/undeliverable/loop"},
    {"all_pairs_misdelivered", nullptr, "/undeliverable/misdelivered"},
};

/// Those of columns side by side, where a point may have some.
constexpr Column options_of_brackets[] = {
    {"bracket", "bracket", nullptr},
    {"optimal_mappings", "optimal-mappings", "/columns/optimal/mappings"},
    {"hash", "hash", nullptr},
    {"queue_pairs", "queue-pairs", "/hash/queue_pairs"},
    {"hash_draws", "hash-draws", "/hash/draws"},
};
constexpr Column options_of_multipath[] = {
    {"multipath", "multipath", nullptr},
    {"spread", "spread", nullptr},
};

constexpr char const* statistics[] = {"mean", "stderr", "ci99_low", "ci99_high", "min", "max", "variance"};
constexpr char const* statistic_pointers[] = {"/mean", "/stderr", "/ci99/0", "/ci99/1", "/min", "/max", "/variance"};

std::string text_of(Json const& value) {
    if (value.is_null()) return "";
    if (value.is_string()) return base::csv_field(value.get<std::string>());
    if (value.is_number_float()) return base::exact_text(value.get<double>());
    return result::json_text(value);
}

std::string text_at(Json const& json, std::string const& pointer) {
    Json::json_pointer const at(pointer);
    return json.contains(at) ? text_of(json.at(at)) : "";
}

/// Of a histogram over flows that stands beside a number of every mapping.
std::string flows_prefix(study::MetricInfo const& info) { return info.number ? "flow_" : ""; }

std::vector<std::string> metric_columns(study::MetricInfo const& info) {
    std::vector<std::string> names;
    auto const add = [&](std::string const& statistic) { names.push_back(std::string(info.name) + "_" + statistic); };
    auto const add_quantiles = [&](std::string const& prefix) {
        for (double const q : evaluation::reported_quantiles) add(prefix + "q" + base::exact_text(q));
    };
    if (info.number) {
        for (char const* const statistic : statistics) add(statistic);
        if (info.number->has_mean_of_all) add("mean_all");
        add_quantiles("");
        add("undefined"), add("worst_mapping");
    }
    if (info.flows) {
        if (char const* const name = info.flows->mean_of_inverse) add(name), add(std::string(name) + "_all");
        for (char const* const statistic : {"mean", "min", "max"}) add(flows_prefix(info) + statistic);
        add_quantiles(flows_prefix(info));
    }
    if (info.sums_links) add("max");
    return names;
}

void add_number(std::vector<std::string>& fields, study::NumberOfMapping const& info, Json const& json) {
    for (char const* const pointer : statistic_pointers) fields.push_back(text_at(json, pointer));
    if (info.has_mean_of_all) fields.push_back(text_at(json, "/mean_all"));
    for (double const q : evaluation::reported_quantiles)
        fields.push_back(text_of(json.at("quantiles").at(base::exact_text(q))));
    fields.push_back(text_of(json.at("undefined")));
    fields.push_back(text_of(json.at("worst_mapping")));
}

/// What the exact histogram says of all flows.
void add_flows(std::vector<std::string>& fields, study::FlowHistogram const& info, Json const& json) {
    Json const& histogram = json.at(info.list);
    std::uint64_t flows = 0;
    double sum = 0;
    for (Json const& bin : histogram) {
        flows += bin.at("flows").get<std::uint64_t>();
        sum += bin.at(info.key).get<double>() * bin.at("flows").get<double>();
    }
    if (info.mean_of_inverse != nullptr) {
        fields.push_back(text_of(json.at(info.mean_of_inverse)));
        fields.push_back(text_at(json, "/" + std::string(info.mean_of_inverse) + "_all"));
    }
    if (flows == 0) return fields.resize(fields.size() + 3 + std::size(evaluation::reported_quantiles));
    fields.push_back(base::exact_text(sum / double(flows)));
    fields.push_back(text_of(histogram.front().at(info.key)));
    fields.push_back(text_of(histogram.back().at(info.key)));
    for (double const q : evaluation::reported_quantiles) {
        std::uint64_t below = 0;
        std::size_t bin = 0;
        while (double(below += histogram.at(bin).at("flows").get<std::uint64_t>()) < q * double(flows) &&
               bin + 1 < histogram.size())
            ++bin;
        fields.push_back(text_of(histogram.at(bin).at(info.key)));
    }
}

void add_metric(std::vector<std::string>& fields, study::MetricInfo const& info, Json const& json) {
    if (info.number) add_number(fields, *info.number, json);
    if (info.flows) add_flows(fields, *info.flows, json);
    if (info.sums_links) fields.push_back(text_of(json.at("max")));
}

std::string study_field(Column const& column, SweepPoint const& point, Json const& report) {
    SweepSetting const* const set = column.option != nullptr ? find_setting(point, column.option) : nullptr;
    if (set != nullptr && (column.as_set || column.pointer == nullptr || report.is_null()))
        return base::csv_field(set->value);
    if (report.is_null()) return "";
    std::string text = column.pointer == nullptr ? "" : text_at(report, column.pointer);
    return column.count && text.empty() ? "0" : text;
}

constexpr char const* schedule_statistics[] = {"mean", "stderr", "min", "max"};  // over the seeds

bool is_schedule(SweepRow const& row) { return row.report.starts_with("{\"schema\":\"tailback-schedule"); }

bool is_bracket(SweepRow const& row) { return row.report.starts_with("{\"schema\":\"tailback-bracket"); }

/// Of a bracket, or of flows that are spread over LIDs.
bool has_columns(SweepRow const& row) {
    return is_bracket(row) || row.report.starts_with("{\"schema\":\"tailback-multipath");
}

using NamedPlace = std::pair<std::string, std::string>;

/// Numbers of a report's columns: name, and where the report has it.
void add_numbers_of(std::string const& column, std::vector<NamedPlace>& numbers) {
    std::string const at = "/columns/" + column;
    numbers.emplace_back(column + "_lost", at + "/failed");
    constexpr std::pair<char const*, char const*> statistics_of_columns[] = {
        {"mean", "/mean"},
        {"stderr", "/stderr"},
        {"ci99_low", "/ci99/0"},
        {"ci99_high", "/ci99/1"},
        {"standard_deviation", "/standard_deviation"},
        {"min", "/min"},
        {"median", "/median"},
        {"max", "/max"}};
    for (study::Metric const metric : evaluation::metrics_of_columns)
        for (auto const& [statistic, place] : statistics_of_columns) {
            std::string const name = study::info_of(metric).name;
            numbers.emplace_back(column + "_" + name + "_" + statistic, at + "/" + name + place);
        }
}

/// Options and numbers of columns side by side that some point may have.
void add_columns(std::vector<SweepRow> const& rows, std::vector<Column>& options, std::vector<NamedPlace>& numbers) {
    auto const any_has = [&](char const* option) {
        return std::any_of(rows.begin(), rows.end(),
                           [&](SweepRow const& row) { return find_setting(*row.point, option) != nullptr; });
    };
    if (any_has("bracket")) {
        options.insert(options.end(), std::begin(options_of_brackets), std::end(options_of_brackets));
        for (char const* const division : {"static", "equal", "hash", "optimal"}) add_numbers_of(division, numbers);
        numbers.emplace_back("optimal_sum_max_cong_lower_mean", "/columns/optimal/sum_max_cong_lower/mean");
        numbers.emplace_back("hash_hist_acc_band_expected", "/hash/expected_hist_acc_band");
    }
    if (any_has("multipath")) {
        options.insert(options.end(), std::begin(options_of_multipath), std::end(options_of_multipath));
        for (auto const spread :
             {evaluation::LidSpread::base, evaluation::LidSpread::connection, evaluation::LidSpread::round_robin,
              evaluation::LidSpread::random, evaluation::LidSpread::all})
            add_numbers_of(evaluation::spread_name(spread), numbers);
    }
}

char const* state_of(SweepRow const& row) {
    return !row.report.empty() ? "ok" : row.reason.empty() ? "open" : "failed";
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
        std::vector<study::MetricInfo const*> metrics;  // those of any point
        for (study::MetricInfo const& info : study::all_metrics()) {
            std::string const key = fmt::format("\"{}\":{{", info.name);
            for (SweepRow const& row : rows)
                if (!has_columns(row) && row.report.find(key) != std::string::npos) {
                    metrics.push_back(&info);
                    break;
                }
        }
        std::vector<std::string> numbers;  // of schedules, where there are some
        for (SweepRow const& row : rows)
            if (numbers.empty() && is_schedule(row)) numbers = report::schedule_numbers();
        std::vector<Column> options(std::begin(columns_of_study), std::end(columns_of_study));
        std::vector<NamedPlace> columns;
        add_columns(rows, options, columns);
        out << "point,status,reason";
        for (Column const& column : options) out << ',' << column.name;
        for (study::MetricInfo const* const info : metrics)
            for (std::string const& name : metric_columns(*info)) out << ',' << name;
        for (std::string const& name : numbers)
            for (char const* const statistic : schedule_statistics) out << ',' << name << '_' << statistic;
        for (auto const& [name, at] : columns) out << ',' << name;
        out << '\n';
        for (std::size_t p = 0; p < rows.size(); ++p) {
            SweepRow const& row = rows[p];
            Json const report = row.report.empty() ? Json(nullptr) : Json::parse(row.report);
            std::vector<std::string> fields = {std::to_string(p), state_of(row), base::csv_field(row.reason)};
            for (Column const& column : options) fields.push_back(study_field(column, *row.point, report));
            for (study::MetricInfo const* const info : metrics) {
                bool const has = !report.is_null() && !has_columns(row) && report.at("metrics").contains(info->name);
                if (has) add_metric(fields, *info, report.at("metrics").at(info->name));
                else fields.resize(fields.size() + metric_columns(*info).size());
            }
            for (std::string const& name : numbers)
                for (std::string const statistic : schedule_statistics)
                    fields.push_back(is_schedule(row) ? text_at(report, "/metrics/" + name + "/" + statistic) : "");
            for (auto const& [name, at] : columns) fields.push_back(has_columns(row) ? text_at(report, at) : "");
            for (std::size_t f = 0; f < fields.size(); ++f) out << (f == 0 ? "" : ",") << fields[f];
            out << '\n';
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
                Json const& fixed = report.at("columns").at(is_bracket(row) ? "static" : "base");
                bool any = false;
                for (Json const& column : report.at("columns")) any = any || column.at("failed") > 0;
                failures.some += any;
                failures.all += any && fixed.at("delivered") == 0;
                continue;
            }
            Json const& pairs = report.at("pairs");
            if (is_schedule(row)) {
                failures.some += pairs.at("undelivered").get<std::uint64_t>() > 0;
                continue;
            }
            auto const flows = [&](char const* fate) { return pairs.at(fate).get<std::uint64_t>(); };
            bool const any = flows("unreachable") + flows("loop") + flows("misdelivered") > 0;
            failures.some += any;
            failures.all += any && flows("delivered") == 0;
        }
    });
    return failures;
}

void write_sweep_json(std::ostream& out, std::vector<SweepRow> const& rows, model::NamedFiles const& files) {
    with_reports([&] {
        std::string const head = result::json_text(result::head("tailback-sweep-1", files, nullptr));
        out << head.substr(0, head.size() - 1) << ",\"points\":[";
        for (std::size_t p = 0; p < rows.size(); ++p) {
            SweepRow const& row = rows[p];
            Json set = Json::object();
            for (SweepSetting const& setting : *row.point) set[setting.name()] = setting.value;
            out << (p == 0 ? "\n" : ",\n") << "{\"point\":" << p << ",\"options\":" << result::json_text(set);
            if (row.report.empty())
                out << ",\"status\":\"" << state_of(row) << "\",\"reason\":" << result::json_text(Json(row.reason))
                    << '}';
            else out << ",\"status\":\"ok\",\"report\":" << result::json_text(Json::parse(row.report)) << '}';
        }
        out << "\n]}\n";
    });
}

}  // namespace tailback::sweep
