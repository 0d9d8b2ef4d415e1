#include "host/evaluation/evaluation.hpp"

#include "host/evaluation/course.hpp"
#include "host/evaluation/run_sums.hpp"
#include "host/study/plan/weighted_flows.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace tailback::evaluation {
namespace {

std::vector<std::uint64_t> sums_by_link(study::StudyPlan const& plan, std::span<std::uint64_t const> sums) {
    if (plan.link_of_index.empty()) return {sums.begin(), sums.end()};
    std::vector<std::uint64_t> by_link(plan.fabric->network.links().size());
    for (std::size_t slot = 0; slot < sums.size(); ++slot)
        if (model::Link const link = plan.link_of_index[slot]; link.exists()) by_link[link.value] += sums[slot];
    return by_link;
}

/// False for slots that stand for no link.
bool is_link(study::StudyPlan const& plan, std::size_t link) {
    return !plan.link_of_index.empty() || !plan.fabric->ends(model::Link{link}, plan.study_hosts).from.empty();
}

/// Of flows with weights: bins, and the mean bandwidth from the sum of shares.
FlowsSorted binned_flows(study::StudyPlan const& plan, RunSums const& sums, FlowsSorted sorted) {
    std::vector<std::uint64_t> const& counts = sums.totals.histogram;
    double const one = plan.congestion_unit() / double(plan.denominator);
    for (std::uint32_t bin = 0; bin < counts.size(); ++bin) {
        if (counts[bin] == 0) continue;
        sorted.counts.emplace_back(double(kernels::first_of_weighted_bin(bin)) * one, counts[bin]);
        sorted.ends.push_back(double(kernels::first_of_weighted_bin(bin + 1)) * one);
    }
    double shares = 0;
    for (std::size_t part = sums.totals.share_parts.size(); part-- > 0;)
        shares = shares * (1u << kernels::share_part_bits) + double(sums.totals.share_parts[part]);
    if (sums.delivered > 0) sorted.mean_of_inverse = shares / double(plan.share_unit) / double(sums.delivered);
    return sorted;
}

/// Of rates and times: bins.
FlowsSorted binned_numbers(study::StudyPlan const& plan, RunSums const& sums, study::FlowHistogram const& info,
                           FlowsSorted sorted) {
    std::vector<std::uint64_t> const& counts = sums.totals.*info.counts;
    double const scale = info.scale(plan), unit = info.of_time ? plan.congestion_unit() : 1;
    auto const low = [&](std::uint32_t bin) {
        return info.of_rate ? (double(bin) - 1) / scale : double(kernels::first_of_weighted_bin(bin)) * unit / scale;
    };
    for (std::uint32_t bin = 0; bin < counts.size(); ++bin) {
        if (counts[bin] == 0) continue;
        sorted.counts.emplace_back(low(bin), counts[bin]);
        sorted.ends.push_back(low(bin + 1));
    }
    return sorted;
}

FlowsSorted sorted_flows(study::StudyPlan const& plan, RunSums const& sums, study::FlowHistogram const& info) {
    FlowsSorted sorted;
    sorted.mean_of_inverse = std::numeric_limits<double>::quiet_NaN();
    if (info.of_rate || info.of_time) return binned_numbers(plan, sums, info, std::move(sorted));
    if (info.of_congestion && plan.problem.traffic.weights != nullptr)
        return binned_flows(plan, sums, std::move(sorted));
    std::vector<std::uint64_t> const& counts = sums.totals.*info.counts;
    double const scale = info.scale(plan), unit = info.of_congestion ? plan.congestion_unit() : 1;
    double inverses = 0;
    std::uint64_t flows = 0;
    for (std::size_t c = 0; c < counts.size(); ++c) {
        if (counts[c] == 0) continue;
        sorted.counts.emplace_back(double(c) * unit / scale, counts[c]);
        inverses += double(counts[c]) * (scale / double(c));
        flows += counts[c];
    }
    if (flows > 0) sorted.mean_of_inverse = inverses / double(flows);
    return sorted;
}

/// Of a mean over delivered flows: over all, those not delivered as 0.
double mean_of_all(double of_delivered, RunSums const& sums) {
    std::uint64_t const failed = sums.unreachable + sums.loop + sums.misdelivered;
    if (failed == 0) return of_delivered;
    return sums.delivered == 0 ? 0 : of_delivered * double(sums.delivered) / double(sums.delivered + failed);
}

void conclude_links(study::StudyPlan const& plan, kernels::Totals const& totals, bool are_loads, Evaluation& result) {
    std::span<std::uint64_t const> const sums = totals.link_sums;
    std::vector<std::uint64_t> by_link = sums_by_link(plan, sums.first(plan.problem.routes.slots));
    std::vector<std::uint64_t> const flows =
        plan.problem.measures.wants_link_flows ? sums_by_link(plan, sums.last(plan.problem.routes.slots)) : by_link;
    if (are_loads)
        for (std::uint64_t& sum : by_link) sum *= plan.common_weight;
    for (std::uint64_t const sum : by_link) result.largest_link_sum = std::max(result.largest_link_sum, sum);
    for (std::size_t l = 0; l < by_link.size(); ++l)
        if (is_link(plan, l))
            result.links.push_back(
                {model::Link{l}, by_link[l],
                 result.largest_link_sum == 0 ? 0 : double(by_link[l]) / double(result.largest_link_sum), flows[l]});
}

/// Turns the integers into metrics. @param is_alone false: of columns, which nobody asks how uneven their loads are
void conclude(study::StudyPlan const& plan, RunSums sums, bool is_alone, unsigned threads, Evaluation& result) {
    result.mappings = sums.mappings;
    result.delivered = sums.delivered;
    result.unreachable = sums.unreachable;
    result.loop = sums.loop;
    result.misdelivered = sums.misdelivered;
    result.local = sums.local;
    std::uint64_t const flows = sums.delivered + sums.unreachable + sums.loop + sums.misdelivered;
    std::uint64_t const all = sums.mappings * plan.flows_per_mapping;
    if (flows + sums.local > all) throw std::logic_error("more flows were met than there are");
    result.within_nodes = all - flows - sums.local;
    if (result.within_nodes > 0 && plan.problem.placement.nodes.node == nullptr)
        throw std::logic_error("fewer flows were met than there are");
    if (plan.has_bytes()) result.bytes_within_nodes = sums.within_nodes * plan.common_weight;
    result.hops = static_cast<std::uint64_t>(std::llround(double(result.delivered) * plan.mean_links));
    for (RunSums::Number& number : sums.numbers)
        if (number.is_wanted)
            (number.over_all ? result.numbers_of_all : result.numbers).emplace(number.metric, std::move(number.values));
    for (study::MetricInfo const& info : study::all_metrics()) {
        if (!plan.study.wants(info.metric)) continue;
        if (info.flows) {
            FlowsSorted& sorted = result.flows[info.metric];
            sorted = sorted_flows(plan, sums, *info.flows);
            sorted.mean_of_inverse_of_all = mean_of_all(sorted.mean_of_inverse, sums);
        }
        if (info.sums_links) conclude_links(plan, sums.totals, info.sums_are_loads, result);
        if (info.sums_links && info.sums_are_loads && is_alone)
            result.in_mappings = loads_in_mappings(plan, result.mappings, result.links, threads);
    }
}

}  // namespace

double number_of(study::StudyPlan const& plan, study::Metric metric, kernels::MappingTally const& tally) {
    study::NumberScale const scale = study::info_of(metric).number->scale(plan);
    if (!kernels::is_defined(scale.integer, tally)) return std::numeric_limits<double>::quiet_NaN();
    return double(kernels::value_of(scale.integer, tally)) * scale.unit / scale.scale;
}

namespace {

/// What could pass 64 bits over all mappings.
void check_sums(study::StudyPlan const& plan) {
    if (plan.problem.placement.nodes.node != nullptr)
        study::check_sum_within_nodes(plan.bytes, plan.study.sample.mappings);
    // Of loads that are found the executor knows how large they are.
    if (!plan.has_bytes() || !plan.study.wants(study::Metric::get_cable_cong) ||
        plan.routes_from == study::RoutesFrom::loads)
        return;
    bool const draws =
        plan.problem.traffic.drawn_ranks[0] + plan.problem.traffic.drawn_ranks[1] > 0;  // flows of one byte more
    study::check_link_sums((plan.bytes + (draws ? plan.flows_per_mapping : 0)) * plan.parts,
                           plan.study.sample.mappings);
}

}  // namespace

std::vector<Evaluation> evaluate(std::span<Column const> columns, ExecutionOptions const& options) {
    for (Column const& column : columns) check_sums(*column.plan);
    auto const started = std::chrono::steady_clock::now();
    std::vector<Evaluation> results(columns.size());
    Course course(columns, options);
    for (std::size_t c = 0; c < columns.size(); ++c) {
        results[c].device = course.executor(c).device();
        results[c].threads = course.executor(c).threads();
    }
    course.run(results);
    if (!results.front().interrupted || course.done() > 0)
        for (std::size_t c = 0; c < columns.size(); ++c)
            conclude(*columns[c].plan, course.take_sums(c), columns.size() == 1, options.threads, results[c]);
    for (Evaluation& result : results)
        result.evaluate_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return results;
}

bool missed_goal(std::span<Evaluation const> columns) {
    return std::any_of(columns.begin(), columns.end(),
                       [](Evaluation const& one) { return one.until && !one.until->reached; });
}

Evaluation evaluate(study::StudyPlan const& plan, ExecutionOptions const& options) {
    Column const alone{.plan = &plan};
    return std::move(evaluate(std::span(&alone, 1), options).front());
}

}  // namespace tailback::evaluation
