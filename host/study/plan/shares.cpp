#include "host/study/plan/shares.hpp"

#include "host/study/plan/plan_storage.hpp"
#include "host/study/plan/weighted_flows.hpp"
#include "kernels/evaluate/reduction.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace tailback::study {
namespace {

/// The least common multiple of as many of 1, 2, 3, .. `most` (in units of 1/denominator) as fit one after the other,
/// times what is left of `limit`: what flows get at these congestions are whole numbers of 1/unit then, and their sums
/// exact.
std::uint64_t unit_of_shares(std::uint64_t limit, std::uint64_t most, std::uint64_t denominator) {
    std::uint64_t unit = 1;
    for (std::uint64_t c = 2; c <= most && unit <= limit / 2; ++c) {
        std::uint64_t const part = c / std::gcd(c, denominator), missing = part / std::gcd(part, unit);
        if (missing <= limit / unit) unit *= missing;
    }
    return unit * (limit / unit);
}

/// What kernels need of flows with weights. The unit of shares is a power of two: a weight divided by a load is a whole
/// number of no unit.
void describe_weights(StudyPlan& plan, std::uint32_t largest_cost, unsigned share_bits) {
    constexpr unsigned most_bits = 48;  // so that half a unit can be added to a double
    WeightBounds const bounds = bound_weights(plan.flow_list, largest_cost);
    if (plan.routes_from != RoutesFrom::loads) plan.bytes = bounds.bytes;  // else weights may be of flows without
    __extension__ using Wide = unsigned __int128;
    plan.largest_load = static_cast<std::uint64_t>(std::min(Wide{bounds.largest_load} * plan.parts, Wide{INT64_MAX}));
    plan.share_unit = std::uint64_t{1} << std::min(share_bits, most_bits);
    plan.problem.measures.weighted_share_unit = double(plan.denominator) * double(plan.share_unit);
}

}  // namespace

bool leaves_flows_unlisted(StudyPlan const& plan) {
    return plan.flow_list.levels.size() == 1 && plan.flow_list.levels.front().all_to_all;
}

void tabulate_shares(StudyPlan& plan, model::LinkCosts const& costs) {
    std::uint32_t largest_cost = 1, smallest_cost = costs.cost.empty() ? 1 : costs.cost.front();
    for (std::uint32_t const cost : costs.cost) {
        largest_cost = std::max(largest_cost, cost);
        smallest_cost = std::min(smallest_cost, cost);
    }
    std::uint64_t const best_share = costs.denominator / smallest_cost + 1;
    unsigned const bits =
        62u - static_cast<unsigned>(std::bit_width(std::max<std::uint64_t>(1, plan.flows_per_mapping) * best_share));
    if (plan.problem.traffic.weights != nullptr) return describe_weights(plan, largest_cost, bits);
    bool const all_to_all = leaves_flows_unlisted(plan);
    std::uint64_t const flows = all_to_all ? plan.flows_per_mapping : plan.problem.traffic.max_kept;
    std::uint64_t const most = flows * largest_cost * plan.parts;
    if (flows > 0 && plan.parts * largest_cost > 0x7FFFFFFF / flows)
        throw base::InputError(
            {}, "the largest possible congestion does not fit in 31 bits",
            plan.parts > 1     ? "very many flows in many parts"
            : largest_cost > 1 ? "very many flows on links of very different rates"
                               : "very many flows",
            plan.parts > 1     ? "study fewer ranks, or divide flows into fewer parts"
            : largest_cost > 1 ? "study fewer ranks, or count all links alike (`tailback evaluate --capacities unit`)"
                               : "study fewer ranks");
    plan.problem.measures.max_congestion = static_cast<std::uint32_t>(most);
    plan.problem.measures.congestion_bins = plan.problem.measures.max_congestion + 1;
    plan.share_unit =
        unit_of_shares(std::uint64_t{1} << std::min(bits, kernels::bandwidth_bits), most, plan.denominator);
    unsigned __int128 const one = static_cast<unsigned __int128>(plan.denominator) * plan.share_unit;
    if (all_to_all) {  // below 2^63 (has_to_list_flows)
        plan.problem.traffic.all_to_all.whole_share = static_cast<std::uint64_t>(one);
        return;
    }
    std::vector<std::uint64_t>& shares = plan.storage->shares;
    shares.assign(most + 1, 0);
    for (std::uint64_t c = 1; c <= most; ++c) shares[c] = static_cast<std::uint64_t>((one + c / 2) / c);
    plan.problem.measures.share = shares.data();
}

}  // namespace tailback::study
