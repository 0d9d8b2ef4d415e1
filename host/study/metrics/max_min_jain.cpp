// max_min_jain: Jain's fairness index of a mapping's max-min rates r: (sum of r)^2 / (n x sum of r^2), 1 where all are
// equal (Jain, Chiu, Hawe, "A Quantitative Measure of Fairness and Discrimination", DEC-TR-301, 1984).
#include "host/study/metrics.hpp"
#include "host/study/plan/study_plan.hpp"

#include <cmath>

namespace tailback::study::metrics {

MetricInfo max_min_jain() {
    return {.name = "max_min_jain",
            .per = "mapping",
            .summary = "Jain's fairness index of a mapping's max-min rates",
            .example = "rates 1, 1 and 1/2: (5/2)^2 / (3 x 9/4) = 0.926",
            .title = [](Study const&) -> std::string { return "Jain's index of a mapping's max-min rates"; },
            .work = {.rates = true},
            .number = NumberOfMapping{.scale =
                                          [](StudyPlan const&) {
                                              return NumberScale{.integer = {.part = kernels::TallyPart::jain},
                                                                 .scale = std::ldexp(1.0, kernels::jain_bits),
                                                                 .error = std::ldexp(1.0, kernels::jain_bits - 32)};
                                          },
                                      .largest = [](StudyPlan const&) { return 1.0; },
                                      .higher_is_worse = false,
                                      .is_pure = true,
                                      .bins = NumberBins{.fine_per_one = 200},
                                      .sorted_by = "Jain's index",
                                      .axis = "Jain's fairness index of a mapping's rates"},
            .is_for_all = false};
}

}  // namespace tailback::study::metrics
