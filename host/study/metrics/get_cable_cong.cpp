// get_cable_cong: the sum of each link's loads over all levels and mappings.
#include "host/study/metrics.hpp"

namespace tailback::study::metrics {

MetricInfo get_cable_cong() {
    return {.name = "get_cable_cong",
            .aliases = {"link_loads"},
            .per = "link",
            .summary = "sum of each link's loads over all levels and mappings",
            .example = "a link with 2 flows in one mapping and 3 in the next: 5",
            .title = [](Study const&) -> std::string { return "Load of the links"; },
            .work = {.link_sums = true},
            .sums_links = true};
}

}  // namespace tailback::study::metrics
