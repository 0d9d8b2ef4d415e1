// hop_bytes: the bytes of a mapping's delivered flows, each flow's times the links between switches that it uses: the
// sum of these links' loads. What placements are compared by. (Bhatele, Kale, "An Evaluative Study on the Effect of
// Contention on Message Latencies in Large Supercomputers", 2009; with all bytes known, the cost of a quadratic
// assignment: Burkard, Karisch, Rendl, "QAPLIB", 1997)
#include "host/study/metrics.hpp"
#include "host/study/plan/study_plan.hpp"
#include "host/study/plan/weighted_flows.hpp"
#include "kernels/evaluate/weights.hpp"

namespace tailback::study::metrics {
namespace {

/// What a mapping can come to at most, in the unit of the kernels: every flow on the longest route.
std::uint64_t largest_sum(StudyPlan const& plan) {
    std::uint64_t const weight =
        plan.problem.traffic.weights != nullptr ? plan.bytes + plan.flows_per_mapping : plan.flows_per_mapping;
    return largest_hop_bytes(weight, kernels::hops_of(plan.problem.routes.longest_route));
}

NumberScale hop_bytes_scale(StudyPlan const& plan) {
    largest_sum(plan);
    return {.integer = {.part = kernels::TallyPart::hop_weight}, .unit = double(plan.common_weight)};
}

}  // namespace

MetricInfo hop_bytes() {
    return {.name = "hop_bytes",
            .per = "mapping",
            .summary = "bytes of each flow times the links between switches on its route, added up",
            .example = "10 bytes over 3 links between switches and 5 bytes over 1: 35",
            .title = [](Study const&) -> std::string { return "Hop-bytes"; },
            .work = {.route_links = true},
            .number = NumberOfMapping{
                .scale = hop_bytes_scale,
                .largest = [](StudyPlan const& plan) { return double(largest_sum(plan)) * double(plan.common_weight); },
                .in_bytes = true,
                .sorted_by = "hop-bytes",
                .axis = "bytes times links between switches, sum over a mapping's flows"}};
}

}  // namespace tailback::study::metrics
