// max_min_least: the least max-min fair rate of a mapping's delivered flows, over all its levels.
#include "host/study/metrics.hpp"
#include "host/study/plan/study_plan.hpp"

namespace tailback::study::metrics {

MetricInfo max_min_least() {
    return {.name = "max_min_least",
            .per = "mapping",
            .summary = "least max-min fair rate of a mapping's flows",
            .example = "rates 10, 10 and 50: 10",
            .title = [](Study const&) -> std::string { return "Least max-min rate of a mapping's flows"; },
            .work = {.rates = true},
            .number = NumberOfMapping{.scale =
                                          [](StudyPlan const& plan) {
                                              return NumberScale{.integer = {.part = kernels::TallyPart::least_rate},
                                                                 .scale = double(plan.problem.measures.sharing.unit),
                                                                 .error = 4096};
                                          },
                                      .largest = largest_capacity,
                                      .higher_is_worse = false,
                                      .is_pure = true,
                                      .is_bandwidth = true,
                                      .bins = NumberBins{.coarse = 20, .end = 1.01, .fine_per_one = 200},
                                      .sorted_by = "least rate (1 = a whole link)",
                                      .axis = "least max-min rate of a mapping's flows, as a fraction of a link"},
            .is_for_all = false};
}

}  // namespace tailback::study::metrics
