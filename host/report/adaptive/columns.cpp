#include "host/report/adaptive/columns.hpp"

#include "host/base/numbers.hpp"
#include "host/result/undelivered.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::report {
namespace {

/// Numbers of mappings that columns may have, those first that they are told by.
std::vector<study::MetricInfo const*> metrics_of(study::StudyPlan const& plan) {
    std::vector<study::MetricInfo const*> found;
    for (study::Metric const metric : evaluation::metrics_of_columns) found.push_back(&study::info_of(metric));
    for (study::MetricInfo const& info : study::all_metrics())
        if (info.number && std::find(found.begin(), found.end(), &info) == found.end()) found.push_back(&info);
    std::erase_if(found, [&](study::MetricInfo const* info) { return !plan.study.wants(info->metric); });
    return found;
}

/// That all columns tell a metric in: of times the one that fits the largest mean; else 1, without a name.
Unit unit_of(study::StudyPlan const& plan, study::MetricInfo const& info, std::span<NamedColumn const> columns) {
    if (!plan.in_seconds() || info.number->scale(plan).unit == 1) return {};
    double most = 0;
    for (NamedColumn const& named : columns)
        if (named.column.result.delivered > 0 && named.column.number(info.metric) != nullptr)
            most = std::max(most, named.column.mean(info.metric));
    return unit_of_times(most);
}

Json statistics_json(evaluation::Distribution const& values) {
    auto const [low, high] = values.ci99();
    return {{"mean", finite(values.mean())},       {"stderr", finite(values.standard_error())},
            {"ci99", {finite(low), finite(high)}}, {"standard_deviation", finite(std::sqrt(values.variance()))},
            {"min", finite(values.min())},         {"median", finite(values.quantile(0.5))},
            {"max", finite(values.max())}};
}

/// `0.5695 +- 0.0005`: the mean and its 99 % confidence interval.
std::string mean_text(evaluation::Distribution const& values, Unit const& unit) {
    auto const [low, high] = values.ci99();
    std::string const mean = digits(values.mean() / unit.size);
    return std::isfinite(low) ? fmt::format("{} +- {:.4f}", mean, (high - low) / 2 / unit.size) : mean;
}

}  // namespace

Json finite(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

bool are_told_apart(evaluation::StudyColumn const& a, evaluation::StudyColumn const& b, study::Metric metric) {
    evaluation::Distribution const *const one = a.number(metric), *const other = b.number(metric);
    if (one == nullptr || other == nullptr) return true;
    double reach = 0;
    for (evaluation::Distribution const* values : {one, other}) {
        auto const [low, high] = values->ci99();
        if (!std::isfinite(low)) return true;
        reach += (high - low) / 2;
    }
    return std::abs(one->mean() - other->mean()) > reach;
}

bool lose_alike(std::span<NamedColumn const> columns) {
    auto const share = [](evaluation::StudyColumn const& column) {
        std::uint64_t const flows = column.result.delivered + column.failed();
        return flows == 0 ? 0 : double(column.failed()) / double(flows);
    };
    return std::all_of(columns.begin(), columns.end(),
                       [&](NamedColumn const& one) { return share(one.column) == share(columns.front().column); });
}

bool nothing_delivered(std::span<NamedColumn const> columns) {
    return std::none_of(columns.begin(), columns.end(),
                        [](NamedColumn const& one) { return one.column.result.delivered > 0; });
}

std::string not_known(char const* what, std::span<NamedColumn const> columns) {
    std::string text;
    for (NamedColumn const& one : columns)
        if (std::uint64_t const lost = one.column.failed(), all = one.column.result.delivered + lost; text.empty())
            text = fmt::format("{} under {}", result::not_delivered({.count = lost, .all = all}), one.name);
        else text += fmt::format(", {} of {} under {}", base::grouped(lost), base::grouped(all), one.name);
    return fmt::format("{} is not known: {}.", what, text);
}

std::optional<result::NextStep> cause_of_losses(std::span<NamedColumn const> columns,
                                                result::OtherCommands const& others) {
    if (lose_alike(columns) && !(nothing_delivered(columns) && columns.front().column.failed() > 0))
        return std::nullopt;
    return result::find_out_why(others);
}

std::string digits(double value) { return std::isfinite(value) ? fmt::format("{:.4f}", value) : "-"; }

std::string congestion_text(study::StudyPlan const& plan, double congestion) {
    return plan.in_seconds() ? time_text(congestion) : digits(congestion);
}

std::string bandwidth_text(study::StudyPlan const& plan, double bandwidth) {
    double const base = base_gigabytes_per_s(*plan.fabric);
    bool const known = base > 0 && plan.study.measures.capacities == model::CapacityKind::from_rates;
    return fmt::format("{:.4f} of a link{}", bandwidth, known ? " (" + rate_text(bandwidth * base) + ")" : "");
}

Json columns_json(study::StudyPlan const& plan, std::span<NamedColumn const> columns) {
    Json json = Json::object();
    for (NamedColumn const& named : columns) {
        evaluation::StudyColumn const& column = named.column;
        Json one = {{"delivered", column.result.delivered}, {"failed", column.failed()}, {"mappings", named.mappings}};
        for (study::MetricInfo const* const info : metrics_of(plan))
            if (auto const* const values = column.number(info->metric)) one[info->name] = statistics_json(*values);
            else if (named.mappings == 0) one[info->name] = statistics_json(evaluation::Distribution(1, true));
        if (named.at_least) one["sum_max_cong_lower"] = {{"mean", finite(*named.at_least)}};
        if (column.hottest.exists()) {
            one["hottest_link"] = ends_json(plan.fabric->ends(column.hottest, plan.study_hosts));
            one["hottest_link"]["load"] = column.hottest_load;
        }
        json[named.name] = std::move(one);
    }
    return json;
}

Json study_of_columns_json(study::StudyPlan const& plan, std::uint64_t mappings) {
    study::Study const& study = plan.study;
    Json json = {{"pattern", study.traffic.pattern}};
    if (plan.has_bytes()) json["congestion_unit"] = plan.in_seconds() ? "seconds" : "bytes";
    json.update({{"ranks", study.placement.ranks},
                 {"subset", study::subset_name(study)},
                 {"mapping", study::mapping_name(study)},
                 {"mappings", mappings},
                 {"first_mapping", study.sample.first_mapping},
                 {"seed", study.sample.seed}});
    return json;
}

Json until_of_columns_json(study::StudyPlan const& plan, std::span<NamedColumn const> columns) {
    if (!plan.study.sample.until) return nullptr;
    study::Goal const& goal = *plan.study.sample.until;
    Json json = {{"metric", study::info_of(goal.metric).name},
                 {goal.relative ? "relative" : "ci", goal.value},
                 {"most_mappings", plan.study.sample.mappings},
                 {"columns", Json::object()}};
    json["reached"] = std::all_of(columns.begin(), columns.end(), [](NamedColumn const& named) {
        auto const& until = named.column.result.until;
        return !until || until->reached;
    });
    for (NamedColumn const& named : columns)
        if (auto const& until = named.column.result.until)
            json["columns"][named.name] = {{"reached", until->reached}, {"half_width", finite(until->half_width)}};
    return json;
}

void add_goal(Document& document, study::StudyPlan const& plan, std::span<NamedColumn const> columns) {
    if (!columns.empty() && columns.front().column.result.interrupted)
        document.sentence(fmt::format("INTERRUPTED after {} of {} mappings",
                                      base::grouped(columns.front().column.result.mappings),
                                      base::grouped(plan.study.sample.mappings)));
    if (!plan.study.sample.until) return;
    std::string missing;
    for (NamedColumn const& named : columns)
        if (auto const& until = named.column.result.until; until && !until->reached)
            missing += fmt::format("{}{}", missing.empty() ? "" : ", ", named.name);
    document.sentence(fmt::format("goal {} of {}: {}", evaluation::goal_text(*plan.study.sample.until),
                                  study::info_of(plan.study.sample.until->metric).name,
                                  missing.empty() ? "reached by every column" : "not reached by " + missing));
}

void add_head(Document& document, study::StudyPlan const& plan, std::uint64_t mappings, std::string const& digest) {
    study::Study const& study = plan.study;
    document.sentence(fmt::format("{} on {}, {}{}", study.traffic.pattern,
                                  base::counted(study.placement.ranks, "rank", "ranks"),
                                  base::counted(mappings, "mapping", "mappings"),
                                  study::draws_mappings(plan) ? fmt::format(" (seed {})", study.sample.seed) : ""));
    add_network(document, *plan.fabric, digest, study.placement.aggregation_nodes_are_hosts);
}

void add_columns(Document& document, study::StudyPlan const& plan, std::span<NamedColumn const> columns) {
    Table table{.columns = {word_column()}};
    std::vector<study::MetricInfo const*> metrics = metrics_of(plan);
    std::erase_if(metrics, [&](study::MetricInfo const* info) {
        return std::none_of(columns.begin(), columns.end(),
                            [&](NamedColumn const& named) { return named.column.number(info->metric) != nullptr; });
    });
    std::vector<Unit> units;
    for (study::MetricInfo const* const info : metrics) {
        Unit const& unit = units.emplace_back(unit_of(plan, *info, columns));
        table.columns.push_back({info->name + (unit.name.empty() ? "" : ", " + unit.name)});
    }
    table.columns.push_back({"flows lost"});
    for (NamedColumn const& named : columns) {
        table.rows.push_back({named.name});
        for (std::size_t m = 0; m < metrics.size(); ++m) {
            auto const* const values = named.column.number(metrics[m]->metric);
            bool const is_known = values != nullptr && named.column.result.delivered > 0;  // else nothing is measured
            table.rows.back().emplace_back(is_known ? mean_text(*values, units[m]) : "-");
        }
        table.rows.back().emplace_back(base::grouped(named.column.failed()));
    }
    document.blank().table(std::move(table));
}

void add_meanings(Document& document, std::span<NamedColumn const> columns) {
    document.blank();
    for (NamedColumn const& named : columns) document.fact(named.name, named.what);
}

void add_hottest(Document& document, study::StudyPlan const& plan, std::span<NamedColumn const> columns) {
    if (nothing_delivered(columns)) return;
    document.heading(fmt::format("Hottest link on average{}:", plan.has_bytes() ? ", in bytes" : ""));
    Table table{.columns = {word_column(), {}, name_column()}};
    for (NamedColumn const& named : columns)
        if (named.column.hottest.exists())
            table.rows.push_back({named.name, digits(named.column.hottest_load),
                                  plan.fabric->ends(named.column.hottest, plan.study_hosts)});
    document.table(std::move(table));
}

}  // namespace tailback::report
