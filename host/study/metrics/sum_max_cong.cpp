// sum_max_cong: sum over levels of the largest congestion of any flow.
#include "host/study/metrics.hpp"

namespace tailback::study::metrics {

MetricInfo sum_max_cong() {
    constexpr char const* summary = "sum over levels of the largest congestion of any flow";
    return {
        .name = "sum_max_cong",
        .aliases = {"congestion"},
        .per = "mapping",
        .summary = summary,
        .example = "one level with congestions 2, 2, 1: 2",
        .title = [](Study const&) -> std::string { return "Sum over levels of the largest congestion"; },
        .number = NumberOfMapping{
            .scale = [](StudyPlan const& plan) { return congestion_scale(plan, kernels::TallyPart::congestion_sum); },
            .largest = largest_congestion_sum,
            .sorted_by = "value",
            .axis = summary}};
}

}  // namespace tailback::study::metrics
