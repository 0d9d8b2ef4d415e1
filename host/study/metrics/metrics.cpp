#include "host/study/metrics.hpp"

#include "host/base/nearest.hpp"
#include "host/study/plan/study_plan.hpp"

#include <algorithm>
#include <cmath>

namespace tailback::study {

std::span<MetricInfo const> all_metrics() {
    static std::vector<MetricInfo> const table = [] {
#define TAILBACK_METRIC(name) metrics::name(),
        std::vector<MetricInfo> list = {TAILBACK_METRICS(TAILBACK_METRIC)};
#undef TAILBACK_METRIC
        for (std::size_t m = 0; m < list.size(); ++m) list[m].metric = static_cast<Metric>(m);
        return list;
    }();
    return table;
}

std::span<MetricInfo const* const> metrics_for_people() {
    static std::vector<MetricInfo const*> const order = [] {
        std::vector<MetricInfo const*> list;
        for (MetricInfo const& info : all_metrics()) list.push_back(&info);
        std::stable_partition(list.begin(), list.end(), [](MetricInfo const* info) { return info->comes_first; });
        return list;
    }();
    return order;
}

MetricInfo const& info_of(Metric metric) { return all_metrics()[std::size_t(metric)]; }

Metric metric_named(std::string const& name) {
    std::vector<std::string> names;
    for (MetricInfo const& info : all_metrics()) {
        if (name == info.name) return info.metric;
        names.emplace_back(info.name);
        for (std::string const& alias : info.aliases) {
            if (name == alias) return info.metric;
            names.push_back(alias);
        }
    }
    throw base::InputError({}, "unknown metric \"" + name + "\"", base::nearest_hint(name, names),
                           "`tailback list metrics` shows all");
}

std::vector<Metric> metrics_of_all() {
    std::vector<Metric> metrics;
    for (MetricInfo const& info : all_metrics())
        if (info.is_for_all) metrics.push_back(info.metric);
    return metrics;
}

std::string names_of_numbers() {
    std::vector<std::string> names;
    for (MetricInfo const* const info : metrics_for_people())
        if (info->number) names.push_back(info->name);
    std::string text = names.front();
    for (std::size_t n = 1; n < names.size(); ++n) text += (n + 1 < names.size() ? ", " : " or ") + names[n];
    return text;
}

namespace metrics {
namespace {

/// Units of time that a step may have been rounded up by, over many steps.
constexpr double time_error = 4096;

}  // namespace

NumberScale congestion_scale(StudyPlan const& plan, kernels::TallyPart part) {
    return {.integer = {.part = part}, .scale = double(plan.denominator), .unit = plan.congestion_unit()};
}

double largest_congestion_sum(StudyPlan const& plan) {
    kernels::Problem const& p = plan.problem;
    double const most = p.traffic.weights != nullptr
                            ? double(plan.largest_load)
                            : double(p.traffic.level_count) * double(p.measures.max_congestion);
    return most * plan.congestion_unit() / double(plan.denominator);
}

NumberScale time_scale(StudyPlan const& plan, kernels::TallyPart part) {
    return {.integer = {.part = part},
            .scale = double(plan.problem.measures.sharing.time_unit),
            .error = time_error,
            .unit = plan.congestion_unit()};
}

double largest_time(StudyPlan const& plan) { return plan.longest_time * plan.congestion_unit(); }

double largest_capacity(StudyPlan const& plan) {
    kernels::Problem const& p = plan.problem;
    std::uint32_t smallest_cost = p.routes.cost == nullptr ? 1 : UINT32_MAX;
    for (std::uint32_t slot = 0; p.routes.cost != nullptr && slot < p.routes.slots; ++slot)
        if (p.routes.cost[slot] > 0) smallest_cost = std::min(smallest_cost, p.routes.cost[slot]);
    return double(plan.denominator) / double(smallest_cost);
}

NumberScale rate_scale(StudyPlan const& plan) {
    kernels::SharingView const& sharing = plan.problem.measures.sharing;
    return {.integer = {.part = kernels::TallyPart::rate_sum,
                        .is_mean = true,
                        .unit = sharing.unit / sharing.sum_divisor,
                        .bits = kernels::bandwidth_bits},
            .scale = std::ldexp(1.0, kernels::bandwidth_bits),
            .error = 2};
}

}  // namespace metrics
}  // namespace tailback::study
