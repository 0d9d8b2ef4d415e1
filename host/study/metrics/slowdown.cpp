// slowdown: a flow's completion time over the time it would take alone; the mean over a mapping's delivered flows.
#include "host/study/metrics.hpp"
#include "host/study/plan/study_plan.hpp"

#include <cmath>

namespace tailback::study::metrics {
namespace {

constexpr unsigned slowdown_mean_bits = 30;

NumberScale slowdown_scale(StudyPlan const&) {
    return {.integer = {.part = kernels::TallyPart::slowdown_sum,
                        .is_mean = true,
                        .unit = std::uint64_t{1} << kernels::slowdown_bits,
                        .bits = slowdown_mean_bits},
            .scale = std::ldexp(1.0, slowdown_mean_bits),
            .error = std::ldexp(1.0, slowdown_mean_bits - kernels::slowdown_bits)};
}

}  // namespace

MetricInfo slowdown() {
    return {
        .name = "slowdown",
        .per = "mapping",
        .summary = "mean over a mapping's flows of completion time / time alone, at max-min rates",
        .example = "flows of 100 and 10 on a link of 10: 11/10 and 2/1, mean 1.55",
        .title = [](Study const&) -> std::string { return "Mean slowdown of a mapping's flows"; },
        .work = {.rates = true, .times = true},
        .number =
            NumberOfMapping{.scale = slowdown_scale,
                            .largest = [](StudyPlan const& plan) { return plan.longest_time * largest_capacity(plan); },
                            .bins = NumberBins{.fine_per_one = 100},
                            .sorted_by = "mean slowdown (1 = as if alone)",
                            .axis = "completion time / time alone, mean over a mapping's flows"},
        .is_for_all = false};
}

}  // namespace tailback::study::metrics
