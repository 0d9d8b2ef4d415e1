#include "host/evaluation/rows/rows_pay.hpp"

#include "host/base/memory.hpp"
#include "host/model/pack/route_store.hpp"
#include "kernels/evaluate/dispatch.hpp"

#include <algorithm>
#include <cmath>

namespace tailback::evaluation {

bool rows_pay(study::StudyPlan const& plan, std::uint32_t lids) {
    constexpr double flows_a_pair = 2;  // a flow by its row takes little beside one that is walked
    constexpr std::uint64_t to_a_goal = 10'000, most_bytes = std::uint64_t{1} << 30;
    study::Sample const& sample = plan.study.sample;
    std::uint64_t const mappings = sample.until ? std::min(sample.mappings, to_a_goal * plan.repeats) : sample.mappings;
    double const hosts = double(plan.study_hosts.size()), pairs = hosts * hosts * double(plan.repeats) * lids;
    if (double(mappings) * double(plan.flows_per_mapping) < flows_a_pair * pairs) return false;
    model::RouteStore store;
    store.inner = plan.problem.routes.inner;
    store.longest = static_cast<std::uint32_t>(std::ceil(plan.mean_links * double(plan.parts)));
    double const bytes = pairs * double(store.choose_rows(kernels::pair_row_widths16, kernels::row_widths32));
    std::uint64_t const left = base::available_memory().value_or(UINT64_MAX) / 2;
    return bytes > 0 && bytes <= double(std::min(left, most_bytes));
}

}  // namespace tailback::evaluation
