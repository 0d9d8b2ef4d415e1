// dep_max_delay: the longest path through the graph of flows that wait for each other, level by level.
#include "host/study/metrics.hpp"

namespace tailback::study::metrics {

MetricInfo dep_max_delay() {
    constexpr char const* summary = "longest path through the level-by-level dependency graph";
    return {.name = "dep_max_delay",
            .per = "mapping",
            .summary = summary,
            .example = "0->1 with congestion 2, then 1->2 with congestion 1: 3",
            .title = [](Study const&) -> std::string { return "Longest chain of dependent flows"; },
            .work = {.delays = true},
            .number = NumberOfMapping{
                .scale = [](StudyPlan const& plan) { return congestion_scale(plan, kernels::TallyPart::delay); },
                .largest = largest_congestion_sum,
                .sorted_by = "value",
                .axis = summary}};
}

}  // namespace tailback::study::metrics
