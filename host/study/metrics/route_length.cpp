// route_length: how many links the routes of delivered flows have, host links included: their mean over a mapping's
// flows, and all flows by that number.
#include "host/base/error.hpp"
#include "host/study/metrics.hpp"
#include "host/study/plan/study_plan.hpp"

namespace tailback::study::metrics {
namespace {

/// A mapping's mean is kept in units of 2^-mean_bits, so that it fits 64 bits while routes are shorter than 2^24.
constexpr unsigned mean_bits = 40;

NumberScale length_scale(StudyPlan const& plan) {
    if (plan.problem.routes.longest_route >= 1u << (64 - mean_bits))
        throw base::InputError({}, "route_length cannot be measured here", "routes may have 2^24 links and more",
                               "leave it out of --metric");
    return {.integer = {.part = kernels::TallyPart::route_links, .is_mean = true, .unit = 1, .bits = mean_bits},
            .scale = double(std::uint64_t{1} << mean_bits),
            .error = 0.5};
}

}  // namespace

MetricInfo route_length() {
    return {
        .name = "route_length",
        .per = "mapping",
        .summary = "mean number of links of a mapping's routes, host links included; and flows by that number",
        .example = "routes of 2, 4 and 6 links: 4, and one flow at each",
        .title = [](Study const&) -> std::string { return "Links of the routes"; },
        .work = {.route_links = true},
        .number =
            NumberOfMapping{.scale = length_scale,
                            .largest = [](StudyPlan const& plan) { return double(plan.problem.routes.longest_route); },
                            .bins = NumberBins{.fine_per_one = 100},
                            .sorted_by = "mean number of links",
                            .axis = "links of a route, mean over a mapping's flows"},
        .flows = FlowHistogram{.counts = &kernels::Totals::lengths,
                               .scale = [](StudyPlan const&) { return 1.0; },
                               .key = "links",
                               .list = "flows",
                               .mean_of_inverse = nullptr,
                               .inverse_title = nullptr,
                               .heading = "flows by links of their route"}};
}

}  // namespace tailback::study::metrics
