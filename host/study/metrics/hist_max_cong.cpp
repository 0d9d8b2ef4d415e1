// hist_max_cong: the histogram of every delivered flow's congestion, and BW, the mean of 1/congestion.
#include "host/study/metrics.hpp"
#include "host/study/plan/study_plan.hpp"

namespace tailback::study::metrics {

MetricInfo hist_max_cong() {
    return {.name = "hist_max_cong",
            .per = "flow",
            .summary = "histogram of every flow's congestion, and BW = mean of 1/congestion",
            .example = "congestions 2, 2, 1: two flows at 2, one at 1, BW = (1/2 + 1/2 + 1) / 3 = 0.667",
            .title = [](Study const&) -> std::string { return "Congestion of the flows"; },
            .work = {.congestions = true},
            .flows = FlowHistogram{.counts = &kernels::Totals::histogram,
                                   .scale = [](StudyPlan const& plan) { return double(plan.denominator); },
                                   .key = "congestion",
                                   .list = "histogram",
                                   .mean_of_inverse = "bw",
                                   .inverse_title = "BW",
                                   .heading = "flows by congestion (largest load/capacity on their route)",
                                   .of_congestion = true}};
}

}  // namespace tailback::study::metrics
