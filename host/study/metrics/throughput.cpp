// throughput: the bytes (flows, where they have none) that a mapping delivers, by the time of all its levels, one after
// the other: what the most loaded links leave of the links' rate, summed up over the flows. INRFlow calls it the
// aggregate throughput restricted by the bottleneck (Navaridas et al., "INRFlow", JPDC 130, 2019).
#include "host/study/metrics.hpp"
#include "host/study/plan/study_plan.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace tailback::study::metrics {
namespace {

/// A flow's weight is at most its level's congestion in units of 1/denominator, so a number is at most the flows of a
/// mapping times the denominator.
unsigned bits_of(StudyPlan const& plan) {
    double const most = double(plan.flows_per_mapping) * double(plan.denominator);
    return static_cast<unsigned>(std::clamp(62 - int(std::ceil(std::log2(most + 1))), 0, 40));
}

NumberScale throughput_scale(StudyPlan const& plan) {
    unsigned const bits = bits_of(plan);
    return {
        .integer = {.part = kernels::TallyPart::flow_weight, .is_mean = true, .over_congestion = true, .bits = bits},
        .scale = std::ldexp(1.0, int(bits)) / double(plan.denominator),
        .error = 0.5};
}

/// The most bytes that a level puts on the link of a rank's host, summed up over the levels.
double time_at_hosts(patterns::FlowList const& list) {
    std::vector<double> out(list.ranks), in(list.ranks);
    double sum = 0;
    for (patterns::Level const& level : list.levels) {
        double most = level.all_to_all ? list.ranks - 1 : 0;
        for (std::size_t f = level.first_flow; f < level.first_flow + level.flow_count; ++f) {
            double const weight = list.weights.empty() ? 1 : double(list.weights[f]);
            most = std::max({most, out[list.flows[f].source] += weight, in[list.flows[f].destination] += weight});
        }
        for (std::size_t f = level.first_flow; f < level.first_flow + level.flow_count; ++f)
            out[list.flows[f].source] = in[list.flows[f].destination] = 0;
        sum += most;
    }
    return sum;
}

/// Of the links of every host that ranks may be on, in links of the base rate; none where they differ.
std::optional<double> capacity_of_hosts(StudyPlan const& plan) {
    model::Network const& network = plan.fabric->network;
    model::LinkCosts const costs = model::link_costs(network, plan.study.measures.capacities);
    if (costs.cost.empty()) return 1;
    Placement const& placement = plan.study.placement;
    std::span<model::Host const> const hosts =
        placement.mapping == MappingKind::listed ? std::span(placement.mapping_hosts) : std::span(plan.study_hosts);
    std::optional<std::uint32_t> all;
    for (model::Host const host : hosts) {
        model::Link const up = network.up_link(host);
        if (!up.exists()) continue;
        std::uint32_t const cost = costs.cost[up.value];
        if (cost != all.value_or(cost)) return std::nullopt;
        all = cost;
    }
    return all ? std::optional(double(costs.denominator) / *all) : std::nullopt;
}

/// On a crossbar, where only the links of hosts have a limit. None where that depends on the mapping: where ranks share
/// nodes, or links of hosts have several capacities.
std::optional<double> on_a_crossbar(StudyPlan const& plan) {
    if (plan.problem.placement.nodes.node != nullptr) return std::nullopt;
    std::optional<double> const capacity = capacity_of_hosts(plan);
    if (!capacity) return std::nullopt;
    patterns::FlowList const& list = plan.flow_list;
    for (patterns::Level const& level : list.levels)
        if (!level.random.empty()) return std::nullopt;  // how many flows stay with their rank is drawn
    double weight = double(patterns::fixed_flows(list));
    if (!list.weights.empty()) weight = std::accumulate(list.weights.begin(), list.weights.end(), 0.0);
    double const time = time_at_hosts(list);
    return time == 0 ? std::nullopt : std::optional(weight / time * *capacity);
}

}  // namespace

MetricInfo throughput() {
    return {.name = "throughput",
            .per = "mapping",
            .summary = "bytes of a mapping's flows / time of all its levels, in links of the base rate",
            .example = "one level of 6 flows, at most 2 on a link: 3",
            .title = [](Study const&) -> std::string { return "Throughput restricted by the bottleneck"; },
            .work = {.route_links = true},
            .number = NumberOfMapping{
                .scale = throughput_scale,
                .largest = [](StudyPlan const& plan) { return double(plan.flows_per_mapping) * plan.denominator; },
                .higher_is_worse = false,
                .is_bandwidth = true,
                .bins = NumberBins{.fine_per_one = 1},
                .sorted_by = "throughput (1 = a whole link)",
                .axis = "bytes of all flows / time, in links of the base rate",
                .ideal = on_a_crossbar}};
}

}  // namespace tailback::study::metrics
