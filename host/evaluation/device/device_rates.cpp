#include "host/evaluation/device/device_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tailback::evaluation {
namespace {

/// The table (docs/gpu.md has it as well, with the runs that it is from). Cores are those of the device's own
/// host, 16 of them at work at once: 16 x (its rate / theirs), the fewest that several runs came to. Rows of other
/// hosts may be added to any kind.
constexpr DeviceRate table[] = {
    {WorkKind::equal_flows, "flows without bytes", 128, 0.6, 856, Source::measured, "H200"},
    {WorkKind::equal_flows, "flows without bytes", 1142, 0.5, 652, Source::measured, "H200"},
    {WorkKind::equal_flows, "flows without bytes", 11664, 0.6, 297, Source::measured, "H200"},
    {WorkKind::equal_flows, "flows without bytes", 65536, 1.6, 245, Source::measured, "H200"},
    {WorkKind::equal_flows, "flows without bytes", 524288, 3.3, 326, Source::measured, "H200"},
    {WorkKind::flows_with_bytes, "flows with bytes", 1152, 0.6, 77, Source::measured, "H200"},
    {WorkKind::max_min_rates, "max-min rates", 1152, 5, 57, Source::measured, "H200", true},
    {WorkKind::completion_times, "completion times", 1142, 25, 80, Source::estimated, "H100", true},
    {WorkKind::all_to_all, "all-to-alls", 1152, 0.06, 556, Source::measured, "H200"},
    {WorkKind::all_to_all_histogram, "all-to-alls with a histogram", 1152, 0.06, 362, Source::measured, "H200"},
    {WorkKind::equal_division, "equal divisions", 1152, 16, 40, Source::estimated, "H100", true},
    {WorkKind::equal_division, "equal divisions", 11664, 50, 40, Source::estimated, "H100", true},
    {WorkKind::audit, "audits", 4341, 10, 36, Source::measured, "H200"},
    {WorkKind::packing, "routes", 4341, 10, 13, Source::measured, "H200"},
};

}  // namespace

std::span<DeviceRate const> device_rates() { return table; }

DeviceRate const& rate_of(WorkKind kind, std::uint32_t hosts) {
    auto const distance = [&](DeviceRate const& rate) {
        return rate.kind != kind ? HUGE_VAL : std::abs(std::log(double(rate.hosts) / std::max(hosts, 1u)));
    };
    return *std::min_element(std::begin(table), std::end(table),
                             [&](DeviceRate const& a, DeviceRate const& b) { return distance(a) < distance(b); });
}

WorkKind kind_of(study::StudyPlan const& plan) {
    kernels::MeasuresView const& measures = plan.problem.measures;
    if (plan.routes_from == study::RoutesFrom::loads) return WorkKind::equal_division;
    if (measures.sharing.times) return WorkKind::completion_times;
    if (measures.sharing.wanted) return WorkKind::max_min_rates;
    if (plan.problem.traffic.all_to_all)
        return measures.wants_histogram ? WorkKind::all_to_all_histogram : WorkKind::all_to_all;
    return plan.problem.traffic.weights != nullptr ? WorkKind::flows_with_bytes : WorkKind::equal_flows;
}

Work work_of(study::StudyPlan const& plan, unsigned processes) {
    constexpr std::uint64_t to_a_goal = 10'000;
    study::Sample const& sample = plan.study.sample;
    double const mappings = double(sample.until ? std::min(sample.mappings, to_a_goal) : sample.mappings),
                 links = double(plan.flows_per_mapping) * (1 + plan.mean_links);
    return {rate_of(kind_of(plan), plan.problem.placement.study_hosts),
            mappings / std::max(processes, 1u) * (double(plan.problem.placement.ranks) + links)};
}

Advice advise(DeviceRate const& rate, double core_seconds, unsigned threads) {
    double const cpu_s = core_seconds / std::max(threads, 1u);
    bool const is_long = cpu_s >= long_work_s;
    if (rate.cores == 0) return {.cuda = is_long};
    bool const waits = rate.waits && rate.source == Source::estimated;
    bool const sooner = device_start_s + core_seconds / rate.cores < cpu_s;
    if (sooner && !waits) return {.cuda = true};
    if (!is_long) return {};
    if (sooner) return {.against = fmt::format("how long {} take on a GPU is not measured yet", rate.name)};
    return {.against = fmt::format("{} {} as long on a GPU as on {}", rate.name,
                                   rate.source == Source::estimated ? "are estimated to take" : "take",
                                   rate.cores == 1 ? "one core" : fmt::format("{:.3g} cores", rate.cores))};
}

}  // namespace tailback::evaluation
