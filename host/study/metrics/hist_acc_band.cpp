// hist_acc_band: the mean bandwidth of a mapping's delivered flows, of which each has 1/congestion.
#include "host/study/metrics.hpp"
#include "host/study/plan/study_plan.hpp"

#include <cmath>

namespace tailback::study::metrics {
namespace {

/// Effective bisection bandwidth is that of random pairs; ranks in an order that is chosen are no sample of them.
bool pairs_at_random(Study const& study) {
    Placement const& placement = study.placement;
    bool const at_random =
        placement.nodes ? placement.nodes->order == "random" : placement.mapping != MappingKind::identity;
    return at_random && study.traffic.pattern.starts_with("bisect");
}

std::string title(Study const& study) {
    if (study.measures.sharing == Sharing::max_min) return "Mean max-min rate of a mapping's flows";
    return pairs_at_random(study) ? "Effective bisection bandwidth (eBB)" : "Mean bandwidth of a mapping's flows";
}

/// Off by half a unit, and half a unit of the flows' shares.
NumberScale bandwidth_scale(StudyPlan const& plan) {
    if (plan.study.measures.sharing == Sharing::max_min) return rate_scale(plan);
    return {.integer = {.part = kernels::TallyPart::share_sum,
                        .is_mean = true,
                        .unit = plan.share_unit,
                        .bits = kernels::bandwidth_bits},
            .scale = std::ldexp(1.0, kernels::bandwidth_bits),
            .error = 0.5 + std::ldexp(0.5, kernels::bandwidth_bits) / double(plan.share_unit)};
}

}  // namespace

MetricInfo hist_acc_band() {
    return {.name = "hist_acc_band",
            .aliases = {"ebb", "bandwidth"},
            .per = "mapping",
            .summary = "mean bandwidth of a mapping's flows; with bisect: effective bisection bandwidth",
            .example = "congestions 2, 2, 1: the mapping counts with (1/2 + 1/2 + 1) / 3 = 0.667",
            .title = title,
            .number = NumberOfMapping{.scale = bandwidth_scale,
                                      .largest = largest_capacity,
                                      .higher_is_worse = false,
                                      .has_mean_of_all = true,
                                      .is_bandwidth = true,
                                      .bins = NumberBins{.coarse = 20, .end = 1.01, .fine_per_one = 200},  // ORCS's
                                      .sorted_by = "bandwidth (1 = a whole link)",
                                      .axis = "bandwidth as a fraction of a link, mean over a mapping's flows"},
            .comes_first = true};
}

}  // namespace tailback::study::metrics
