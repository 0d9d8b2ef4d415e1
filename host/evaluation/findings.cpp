// Adding up tallies, and adding up sums of tallies.
#include "host/evaluation/findings.hpp"

#include <cmath>

namespace tailback {
namespace {

void add_each(std::vector<std::uint64_t>& sums, std::vector<std::uint64_t> const& more) {
    for (std::size_t i = 0; i < sums.size() && i < more.size(); ++i) sums[i] += more[i];
}

/// Mappings, and flows by their fate.
template <class More>
void add_counts(Findings& all, More const& more) {
    all.mappings += more.mappings;
    all.delivered += more.delivered;
    all.unreachable += more.unreachable;
    all.loop += more.loop;
    all.misdelivered += more.misdelivered;
}

/// How far a mapping's mean bandwidth may be off: half a unit, and half a unit of the flows' shares.
double bandwidth_error(StudyPlan const& plan) {
    return 0.5 + std::ldexp(0.5, bandwidth_bits) / double(plan.share_unit);
}

}  // namespace

WantedNumbers wanted_numbers(StudyPlan const& plan) {
    Study const& study = plan.study;
    return {study.wants(Metric::sum_max_cong), study.wants(Metric::hist_acc_band), study.wants(Metric::dep_max_delay),
            plan.share_unit};
}

Findings::Findings(StudyPlan const& plan)
    : sum_max_cong(plan.denominator, true),
      hist_acc_band(std::ldexp(1.0, bandwidth_bits), false, bandwidth_error(plan)),
      dep_max_delay(plan.denominator, true) {
    totals.histogram.resize(plan.problem.wants_histogram ? std::size_t(plan.problem.max_congestion) + 1 : 0);
    totals.link_sums.resize(plan.problem.wants_link_sums ? plan.problem.slots : 0);
    for (Level const& level : plan.flow_list.levels) local_per_mapping_ += level.local;
}

void Findings::add(Reduction const& more) {
    add_counts(*this, more);
    local += more.local + more.mappings * local_per_mapping_;
    sum_max_cong.add(more.congestion_sum);
    hist_acc_band.add(more.bandwidth, more.without_bandwidth);
    dep_max_delay.add(more.delay);
}

void Findings::merge(Findings const& other) {
    add_counts(*this, other);
    local += other.local;
    sum_max_cong.merge(other.sum_max_cong);
    hist_acc_band.merge(other.hist_acc_band);
    dep_max_delay.merge(other.dep_max_delay);
    add_totals(other.totals);
}

void Findings::add_totals(Totals const& more) {
    add_each(totals.histogram, more.histogram);
    add_each(totals.link_sums, more.link_sums);
}

Distribution& Findings::of(Metric metric) {
    return metric == Metric::sum_max_cong    ? sum_max_cong
           : metric == Metric::dep_max_delay ? dep_max_delay
                                             : hist_acc_band;
}

}  // namespace tailback
