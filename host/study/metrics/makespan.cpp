// makespan: the time of the last completion, summed up over levels with barriers between them, rates being max-min fair
// at every moment.
#include "host/study/metrics.hpp"
#include "host/study/study.hpp"

namespace tailback::study::metrics {

MetricInfo makespan() {
    return {.name = "makespan",
            .aliases = {"time"},
            .per = "mapping",
            .summary = "sum over levels of the time of the last completion, at max-min rates",
            .example = "flows of 100 and 10 on a link of 10: they end at 11 and 2, so 11",
            .title = [](Study const& study) -> std::string {
                return study.measures.timing.dependencies == Dependencies::barrier
                           ? "Time of all levels, one after the other"
                           : "Time until everything has ended";
            },
            .work = {.rates = true, .times = true},
            .number =
                NumberOfMapping{
                    .scale = [](StudyPlan const& plan) { return time_scale(plan, kernels::TallyPart::makespan); },
                    .largest = largest_time,
                    .is_time = true,
                    .sorted_by = "makespan",
                    .axis = "time of the last completion, summed up over levels"},
            .is_for_all = false};
}

}  // namespace tailback::study::metrics
