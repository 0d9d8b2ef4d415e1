// max_min_band: the mean of the max-min fair rates of a mapping's delivered flows, and all flows by their rate.
#include "host/study/metrics.hpp"
#include "host/study/plan/study_plan.hpp"

namespace tailback::study::metrics {

MetricInfo max_min_band() {
    return {.name = "max_min_band",
            .per = "mapping",
            .summary = "mean max-min fair rate of a mapping's flows; and flows by their rate",
            .example = "links of 20 and 60, flow A over both, B and C over one each: rates 10, 10 and 50, mean 23.3",
            .title = [](Study const&) -> std::string { return "Mean max-min rate of a mapping's flows"; },
            .work = {.rates = true},
            .number = NumberOfMapping{.scale = rate_scale,
                                      .largest = largest_capacity,
                                      .higher_is_worse = false,
                                      .has_mean_of_all = true,
                                      .is_bandwidth = true,
                                      .bins = NumberBins{.coarse = 20, .end = 1.01, .fine_per_one = 200},
                                      .sorted_by = "mean rate (1 = a whole link)",
                                      .axis = "max-min rate as a fraction of a link, mean over a mapping's flows"},
            .flows = FlowHistogram{.counts = &kernels::Totals::rates,
                                   .scale = [](StudyPlan const&) { return 200.0; },
                                   .key = "rate",
                                   .list = "flows",
                                   .mean_of_inverse = nullptr,
                                   .inverse_title = nullptr,
                                   .heading = "flows by their rate",
                                   .of_rate = true},
            .is_for_all = false};
}

}  // namespace tailback::study::metrics
