#include "host/report/adaptive/columns.hpp"

#include "host/base/numbers.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>

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

nlohmann::ordered_json number(double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}
std::string digits(double value) { return std::isfinite(value) ? fmt::format("{:.4f}", value) : "-"; }

nlohmann::ordered_json column_json(evaluation::BracketColumn const& column, std::uint64_t mappings) {
    nlohmann::ordered_json one = {{"delivered", column.delivered}, {"failed", column.failed}, {"mappings", mappings}};
    for (BracketMetric const& metric : metrics) {
        Statistics const found = statistics_of(column.*metric.values);
        one[metric.name] = {{"mean", number(found.mean)},
                            {"standard_deviation", number(found.deviation)},
                            {"min", number(found.min)},
                            {"median", number(found.median)},
                            {"max", number(found.max)}};
    }
    return one;
}

void write_column_csv(std::ostream& out, char const* name, evaluation::BracketColumn const& column) {
    auto const row = [&](char const* metric, char const* statistic, double value) {
        if (std::isfinite(value)) fmt::print(out, "{},{},{},{}\n", name, metric, statistic, base::exact_text(value));
    };
    row("flows", "delivered", double(column.delivered));
    row("flows", "failed", double(column.failed));
    for (BracketMetric const& metric : metrics) {
        Statistics const found = statistics_of(column.*metric.values);
        row(metric.name, "mean", found.mean);
        row(metric.name, "standard_deviation", found.deviation);
        row(metric.name, "min", found.min);
        row(metric.name, "median", found.median);
        row(metric.name, "max", found.max);
    }
}

}  // namespace tailback::report
