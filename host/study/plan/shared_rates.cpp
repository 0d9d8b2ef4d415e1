#include "host/study/plan/shared_rates.hpp"

#include "host/base/error.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>

namespace tailback::study {
namespace {

/// Rates, and sums of them, are below 2^62.
constexpr std::uint64_t most_rate = std::uint64_t{1} << 62;
/// Rates are told in bins of 1/200 of the base rate.
constexpr std::uint64_t bins_per_one = 200;

/// The parts that `study`'s metrics ask for. @return whether there are any.
bool note_wishes(Study const& study, kernels::SharingView& sharing) {
    bool const max_min = study.measures.sharing == Sharing::max_min;
    sharing.alone = true;
    for (Metric const metric : study.measures.metrics) {
        KernelWork const& work = info_of(metric).work;
        bool const is_linear = !work.rates && !(max_min && metric == Metric::hist_acc_band);
        sharing.wanted |= !is_linear;
        sharing.alone &= !is_linear;
        sharing.bottlenecks |= work.bottlenecks;
        sharing.times |= work.times;
    }
    return sharing.wanted;
}

/// Of times that are simulated.
void check_simulated(Study const& study) {
    for (Metric const metric : study.measures.metrics)
        if (MetricInfo const& info = info_of(metric); !info.work.times)
            throw base::InputError({}, std::string(info.name) + " does not go with simulated times",
                                   "dependencies, computing, latency and switching say when flows run, not what they "
                                   "have at one time",
                                   "ask for makespan, completion_time, slowdown, and for the others without these "
                                   "options");
}

void check(Study const& study) {
    if (study.measures.timing.is_simulated()) check_simulated(study);
    if (study.wants(Metric::bottlenecks) && study.wants(Metric::get_cable_cong))
        throw base::InputError({}, "bottlenecks and get_cable_cong cannot be measured together",
                               "both are sums over links, of which a study has one", "ask for one after the other");
    if (study.measures.sharing == Sharing::linear) return;
    for (auto const& [metric, instead] :
         {std::pair{Metric::hist_max_cong, "max_min_band, which has the flows by their rate"},
          std::pair{Metric::throughput, "makespan"}})
        if (study.wants(metric))
            throw base::InputError({}, std::string("--sharing max-min has no meaning for ") + info_of(metric).name,
                                   "it is made of the linear model's congestions", std::string("ask for ") + instead);
}

/// The weights of a mapping's flows, rounded up to a double.
double weight_of_flows(StudyPlan const& plan) {
    if (plan.problem.traffic.weights == nullptr) return double(plan.flows_per_mapping);
    double const listed = std::accumulate(plan.flow_list.weights.begin(), plan.flow_list.weights.end(), 0.0,
                                          [](double sum, std::uint64_t weight) { return sum + double(weight); });
    return listed + double(plan.flows_per_mapping - plan.flow_list.flows.size());
}

/// In what a link of the base rate takes for weight 1.
double in_units(StudyPlan const& plan, Duration const& duration) { return duration.value / plan.congestion_unit(); }

/// What simulated times have besides the flows' bytes: no chain of nodes that wait for each other is longer.
double other_time(StudyPlan const& plan) {
    Timing const& timing = plan.study.measures.timing;
    double const route = double(plan.problem.routes.longest_route);
    double const latency = route * (in_units(plan, timing.link_latency) + in_units(plan, timing.switch_latency));
    double computing = 0;
    if (timing.schedule == nullptr) {
        for (patterns::Level const& level : plan.flow_list.levels) computing += level.computing;
        return double(plan.flow_list.levels.size()) * latency + computing * in_units(plan, timing.compute);
    }
    for (traffic::GoalOperation const& operation : timing.schedule->operations)
        if (operation.kind == traffic::GoalOperation::Kind::calculation) computing += double(operation.amount);
    double const each = (plan.in_seconds() ? 1e-9 : 1.0) / plan.congestion_unit();
    return double(plan.flows_per_mapping) * latency + computing * each;
}

/// Times are whole units of so much of what a link of the base rate takes for weight 1, at most: so that they, and
/// where it is asked for the sum of all flows' times, stay below 2^61. None: the least flow would be too few units to
/// be told well, 1,024.
struct TimeUnit {
    double limit = 0;
    std::uint32_t ended_shift = 0;
};
std::optional<TimeUnit> time_unit_for(StudyPlan const& plan, double longest_time) {
    std::vector<std::uint64_t> const& weights = plan.flow_list.weights;
    bool const has_drawn = plan.flows_per_mapping > plan.flow_list.flows.size();
    double const least = plan.problem.traffic.weights == nullptr || has_drawn || weights.empty()
                             ? 1
                             : double(std::max<std::uint64_t>(1, *std::min_element(weights.begin(), weights.end())));
    bool const simulated = plan.study.measures.timing.is_simulated();
    bool const sums = plan.study.wants(Metric::completion_time) || plan.study.wants(Metric::slowdown);
    double const flows = sums ? double(std::max<std::uint64_t>(plan.flows_per_mapping, 1)) : 1;
    TimeUnit unit{double(most_rate) / 2 / (longest_time * flows), 0};
    if (unit.limit < 1024 && simulated && sums)
        unit = {unit.limit * flows, static_cast<std::uint32_t>(std::bit_width(plan.flows_per_mapping))};
    if (unit.limit < 1 || unit.limit * least < 1024) return std::nullopt;
    return unit;
}
[[noreturn]] void refuse_times(StudyPlan const& plan) {
    bool const sums = plan.study.wants(Metric::completion_time) || plan.study.wants(Metric::slowdown);
    throw base::InputError({}, "the flows are too large for times",
                           plan.study.measures.timing.is_simulated() || !sums
                               ? "the time that all of them take, in parts of that of the smallest, could pass 2^52"
                               : "the sum of the flows' completion times, in parts of that of the smallest, could pass "
                                 "2^52",
                           std::string("write the traffic in a larger unit, or use fewer ranks") +
                               (sums ? ", or ask for makespan alone" : ""));
}

/// A number without a unit is one of bytes of a link, and has no meaning where times are in seconds, nor the other way.
void check_unit(StudyPlan const& plan, Duration const& duration, std::string const& option) {
    if (duration.is_zero() || duration.in_seconds == plan.in_seconds()) return;
    if (duration.in_seconds)
        throw base::InputError({}, option + duration.text + " has no meaning here",
                               plan.has_bytes() ? "the rates of the links are not known, so no time is known in seconds"
                                                : "the flows have no bytes, so that they take no time in seconds",
                               "give a number without a unit: times what a link of the base rate takes for 1");
    throw base::InputError({}, option + duration.text + " has no unit", "times are in seconds here",
                           "write 5us, 250ns, ..");
}

/// The unit of times. At every moment some link is full, so that a level takes no longer than its flows would one after
/// the other over the slowest link.
void choose_time_unit(StudyPlan& plan, double slowest_capacity) {
    Timing const& timing = plan.study.measures.timing;
    if (timing.is_simulated()) {
        check_unit(plan, timing.link_latency, "--latency link=");
        check_unit(plan, timing.switch_latency, "--latency switch=");
        check_unit(plan, timing.compute, "--compute ");
    }
    plan.longest_time = weight_of_flows(plan) / slowest_capacity + 1;
    if (timing.switching == Switching::store_and_forward)
        plan.longest_time *= double(plan.problem.routes.longest_route);
    if (timing.is_simulated()) plan.longest_time += other_time(plan);
    std::optional<TimeUnit> const unit = time_unit_for(plan, plan.longest_time);
    if (!unit) refuse_times(plan);
    plan.problem.measures.sharing.ended_shift = unit->ended_shift;
    plan.problem.measures.sharing.time_unit = unit_of_fractions(static_cast<std::uint64_t>(unit->limit));
}

}  // namespace

void refuse_times_beforehand(StudyPlan const& plan) {
    bool const wants_times = std::any_of(plan.study.measures.metrics.begin(), plan.study.measures.metrics.end(),
                                         [](Metric metric) { return info_of(metric).work.times; });
    if (wants_times && !time_unit_for(plan, weight_of_flows(plan) + 1)) refuse_times(plan);
}

std::uint64_t unit_of_fractions(std::uint64_t limit) {
    std::uint64_t unit = 1;
    for (std::uint64_t k = 2; k <= 31; ++k) {
        std::uint64_t const missing = k / std::gcd(k, unit);
        if (missing > (limit >> 16) / unit) break;
        unit *= missing;
    }
    constexpr std::uint64_t factors[] = {3, 2, 5, 7};
    for (std::size_t f = 0; factors[f % std::size(factors)] <= limit / unit; ++f)
        unit *= factors[f % std::size(factors)];
    return unit * (limit / unit);
}

std::vector<std::uint64_t> describe_sharing(StudyPlan& plan) {
    kernels::Problem& p = plan.problem;
    kernels::SharingView& sharing = p.measures.sharing;
    std::vector<std::uint64_t> capacities;
    check(plan.study);
    if (!note_wishes(plan.study, sharing)) return capacities;
    sharing.by_weight = plan.study.measures.shared_by_bytes && p.traffic.weights != nullptr;
    if (sharing.by_weight && !plan.study.measures.timing.priorities.empty() &&
        weight_of_flows(plan) * Priority::most_weight > double(most_rate))
        throw base::InputError({}, "the flows are too large for priorities by bytes",
                               "the sum of their bytes, times the weight of a class, could pass 2^62",
                               "write the traffic in a larger unit, or leave out --shared-by bytes");
    std::uint32_t smallest = p.routes.cost == nullptr ? 1 : UINT32_MAX, largest = 1;
    for (std::uint32_t slot = 0; p.routes.cost != nullptr && slot < p.routes.slots; ++slot)
        if (p.routes.cost[slot] > 0)
            smallest = std::min(smallest, p.routes.cost[slot]), largest = std::max(largest, p.routes.cost[slot]);
    if (smallest == UINT32_MAX) smallest = 1;
    std::uint64_t const fastest = (plan.denominator + smallest - 1) / smallest;
    sharing.unit = unit_of_fractions((most_rate - 1) / fastest);
    for (std::uint32_t slot = 0; p.routes.cost != nullptr && slot < p.routes.slots; ++slot)
        capacities.push_back(
            p.routes.cost[slot] == 0
                ? 0
                : static_cast<std::uint64_t>(kernels::WideWord{sharing.unit} * plan.denominator / p.routes.cost[slot]));
    sharing.capacity = capacities.empty() ? nullptr : capacities.data();
    std::uint64_t const flows = std::max<std::uint64_t>(plan.flows_per_mapping, 1);
    sharing.sum_divisor = 1;
    while (kernels::WideWord{flows} * fastest * sharing.unit / sharing.sum_divisor >= most_rate) {
        std::uint64_t const left = sharing.unit / sharing.sum_divisor;
        std::uint64_t factor = 2;
        while (left % factor != 0) ++factor;
        sharing.sum_divisor *= factor;
    }
    sharing.bin_width = (sharing.unit + bins_per_one - 1) / bins_per_one;
    sharing.bins = static_cast<std::uint32_t>(std::min<std::uint64_t>(fastest, 10'000) * bins_per_one + 3);
    sharing.square_shift = static_cast<std::uint32_t>(std::max(0, int(std::bit_width(sharing.unit * fastest)) - 36));
    if (sharing.times) choose_time_unit(plan, double(plan.denominator) / double(largest));
    return capacities;
}

}  // namespace tailback::study
