#include "host/report/adaptive/columns.hpp"

#include "host/base/numbers.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::report {
namespace {

/// A metric of the columns, as `evaluate` names it.
struct BracketMetric {
    char const* name;
    std::vector<double> evaluation::BracketColumn::*values;
};
constexpr BracketMetric metrics[] = {{"hist_acc_band", &evaluation::BracketColumn::bandwidth},
                                     {"sum_max_cong", &evaluation::BracketColumn::largest},
                                     {"dep_max_delay", &evaluation::BracketColumn::delay}};

}  // namespace

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Statistics statistics_of(std::vector<double> values) {
    std::erase_if(values, [](double value) { return std::isnan(value); });
    Statistics found;
    found.count = values.size();
    if (values.empty()) return found;
    double sum = 0, squares = 0;
    for (double const value : values) sum += value;
    found.mean = sum / double(values.size());
    for (double const value : values) squares += (value - found.mean) * (value - found.mean);
    if (values.size() > 1) found.deviation = std::sqrt(squares / double(values.size() - 1));
    std::sort(values.begin(), values.end());
    found.min = values.front(), found.max = values.back();
    found.median = values[(values.size() - 1) / 2];
    return found;
}

bool lose_alike(std::span<NamedColumn const> columns) {
    auto const share = [](evaluation::BracketColumn const& column) {
        std::uint64_t const flows = column.delivered + column.failed;
        return flows == 0 ? 0 : double(column.failed) / double(flows);
    };
    return std::all_of(columns.begin(), columns.end(),
                       [&](NamedColumn const& one) { return share(one.column) == share(columns.front().column); });
}

std::string lost_flows(std::span<NamedColumn const> columns) {
    std::string text;
    for (NamedColumn const& one : columns)
        text += fmt::format("{}{} of {}{} under {}", text.empty() ? "" : ", ", base::grouped(one.column.failed),
                            base::grouped(one.column.delivered + one.column.failed),
                            text.empty() ? " flows are lost" : "", one.name);
    return text;
}

std::string digits(double value) { return std::isfinite(value) ? fmt::format("{:.4f}", value) : "-"; }

std::string bandwidth_text(study::StudyPlan const& plan, double bandwidth) {
    double const base = base_gigabytes_per_s(*plan.fabric);
    bool const known = base > 0 && plan.study.measures.capacities == model::CapacityKind::from_rates;
    return fmt::format("{:.4f} of a link{}", bandwidth, known ? " (" + rate_text(bandwidth * base) + ")" : "");
}

Json columns_json(study::StudyPlan const& plan, std::span<NamedColumn const> columns) {
    Json json = Json::object();
    for (NamedColumn const& named : columns) {
        evaluation::BracketColumn const& column = named.column;
        Json one = {{"delivered", column.delivered}, {"failed", column.failed}, {"mappings", named.mappings}};
        for (BracketMetric const& metric : metrics) {
            Statistics const found = statistics_of(column.*metric.values);
            one[metric.name] = {{"mean", finite(found.mean)},
                                {"standard_deviation", finite(found.deviation)},
                                {"min", finite(found.min)},
                                {"median", finite(found.median)},
                                {"max", finite(found.max)}};
        }
        if (named.has_lower) one["sum_max_cong_lower"] = {{"mean", finite(statistics_of(column.lower).mean)}};
        if (!named.has_lower && column.hottest.exists()) {
            one["hottest_link"] = ends_json(plan.fabric->ends(column.hottest, plan.study_hosts));
            one["hottest_link"]["load"] = column.hottest_load;
        }
        json[named.name] = std::move(one);
    }
    return json;
}

Json study_of_columns_json(study::StudyPlan const& plan, std::uint64_t mappings) {
    study::Study const& study = plan.study;
    return {{"pattern", study.traffic.pattern},
            {"ranks", study.placement.ranks},
            {"subset", study::subset_name(study)},
            {"mapping", study::mapping_name(study)},
            {"mappings", mappings},
            {"first_mapping", study.sample.first_mapping},
            {"seed", study.sample.seed}};
}

void add_head(Document& document, study::StudyPlan const& plan, std::uint64_t mappings, std::string const& digest) {
    study::Study const& study = plan.study;
    document.sentence(fmt::format("{} on {}, {}{}", study.traffic.pattern,
                                  base::counted(study.placement.ranks, "rank", "ranks"),
                                  base::counted(mappings, "mapping", "mappings"),
                                  study::draws_mappings(plan) ? fmt::format(" (seed {})", study.sample.seed) : ""));
    add_network(document, *plan.fabric, digest, study.placement.aggregation_nodes_are_hosts);
}

void add_columns(Document& document, std::span<NamedColumn const> columns) {
    Table table{.columns = {word_column()}};
    for (BracketMetric const& metric : metrics) table.columns.push_back({metric.name});
    table.columns.push_back({"flows lost"});
    for (NamedColumn const& named : columns) {
        table.rows.push_back({named.name});
        for (BracketMetric const& metric : metrics)
            table.rows.back().emplace_back(digits(statistics_of(named.column.*metric.values).mean));
        table.rows.back().emplace_back(base::grouped(named.column.failed));
    }
    document.blank().table(std::move(table)).blank();
    for (NamedColumn const& named : columns) document.fact(named.name, named.what);
}

void add_hottest(Document& document, study::StudyPlan const& plan, std::span<NamedColumn const> columns) {
    document.heading("Hottest link on average:");
    Table table{.columns = {word_column(), {}, name_column()}};
    for (NamedColumn const& named : columns)
        if (named.column.hottest.exists())
            table.rows.push_back({named.name, digits(named.column.hottest_load),
                                  plan.fabric->ends(named.column.hottest, plan.study_hosts)});
    document.table(std::move(table));
}

}  // namespace tailback::report
