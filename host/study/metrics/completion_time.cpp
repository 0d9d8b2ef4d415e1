// completion_time: the mean of the completion times of a mapping's delivered flows, each from the start of its level,
// and all flows by their completion time.
#include "host/study/metrics.hpp"
#include "host/study/plan/study_plan.hpp"

#include <algorithm>
#include <cmath>

namespace tailback::study::metrics {
namespace {

NumberScale time_scale(StudyPlan const& plan) {
    kernels::SharingView const& sharing = plan.problem.measures.sharing;
    if (unsigned const shift = sharing.ended_shift; shift > 0) {  // sums are below 2^61, means below 2^(61 - shift)
        unsigned const bits = std::min(shift, 50u);
        return {.integer = {.part = kernels::TallyPart::ended_sum, .is_mean = true, .unit = 1, .bits = bits},
                .scale = std::ldexp(1.0, int(bits)),
                .error = 1,
                .unit = plan.congestion_unit() * std::ldexp(1.0, int(shift)) / double(sharing.time_unit)};
    }
    unsigned const bits = static_cast<unsigned>(std::clamp(61 - std::ilogb(plan.longest_time), 0, 50));
    return {.integer = {.part = kernels::TallyPart::ended_sum,
                        .is_mean = true,
                        .unit = plan.problem.measures.sharing.time_unit,
                        .bits = bits},
            .scale = std::ldexp(1.0, int(bits)),
            .error = 1,
            .unit = plan.congestion_unit()};
}

}  // namespace

MetricInfo completion_time() {
    return {.name = "completion_time",
            .per = "mapping",
            .summary = "mean completion time of a mapping's flows, at max-min rates; and flows by that time",
            .example = "flows of 100 and 10 on a link of 10: they end at 11 and 2, mean 6.5",
            .title = [](Study const&) -> std::string { return "Mean completion time of a mapping's flows"; },
            .work = {.rates = true, .times = true},
            .number = NumberOfMapping{.scale = time_scale,
                                      .largest = largest_time,
                                      .is_time = true,
                                      .sorted_by = "mean completion time",
                                      .axis = "completion time, mean over a mapping's flows"},
            .flows =
                FlowHistogram{
                    .counts = &kernels::Totals::times,
                    .scale = [](StudyPlan const& plan) { return double(plan.problem.measures.sharing.time_unit); },
                    .key = "time",
                    .list = "flows",
                    .mean_of_inverse = nullptr,
                    .inverse_title = nullptr,
                    .heading = "flows by completion time",
                    .of_time = true},
            .is_for_all = false};
}

}  // namespace tailback::study::metrics
