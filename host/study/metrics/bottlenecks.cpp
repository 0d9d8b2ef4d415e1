// bottlenecks: how many flows each link freezes in progressive filling: it is full, and none of its flows is faster.
#include "host/study/metrics.hpp"

namespace tailback::study::metrics {

MetricInfo bottlenecks() {
    return {.name = "bottlenecks",
            .per = "link",
            .summary = "how many flows each link is the bottleneck of in max-min sharing, all levels and mappings",
            .example = "links of 20 and 60, flow A over both, B and C over one each: 2 and 1",
            .title = [](Study const&) -> std::string { return "Flows that a link is the bottleneck of"; },
            .work = {.rates = true, .bottlenecks = true},
            .sums_links = true,
            .sums_are_loads = false,
            .is_for_all = false};
}

}  // namespace tailback::study::metrics
