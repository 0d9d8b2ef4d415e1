// Adding up tallies, and adding up sums of tallies.
#include "host/run/findings.hpp"

#include <cmath>

namespace tailback {
namespace {

void add_each(std::vector<std::uint64_t>& sums, std::vector<std::uint64_t> const& more) {
    for (std::size_t i = 0; i < sums.size() && i < more.size(); ++i) sums[i] += more[i];
}

}  // namespace

std::uint64_t mean_share(StudyPlan const& plan, MappingTally const& tally) {
    unsigned __int128 const sum = static_cast<unsigned __int128>(tally.share_sum) << (bandwidth_bits - plan.share_bits);
    return static_cast<std::uint64_t>((sum + tally.delivered / 2) / tally.delivered);
}

Findings::Findings(StudyPlan const& plan)
    : sum_max_cong(plan.denominator, true),
      hist_acc_band(std::ldexp(1.0, bandwidth_bits), false),
      dep_max_delay(plan.denominator, true),
      wants_sum_(plan.study.wants(Metric::sum_max_cong)),
      wants_band_(plan.study.wants(Metric::hist_acc_band)),
      wants_delay_(plan.study.wants(Metric::dep_max_delay)) {
    totals.histogram.resize(plan.problem.wants_histogram ? std::size_t(plan.problem.max_congestion) + 1 : 0);
    totals.link_sums.resize(plan.problem.wants_link_sums ? plan.problem.slots : 0);
    for (Level const& level : plan.flow_list.levels) local_per_mapping_ += level.local;
}

void Findings::add(StudyPlan const& plan, std::uint64_t m, MappingTally const& tally) {
    ++mappings;
    delivered += tally.delivered;
    unreachable += tally.unreachable;
    loop += tally.loop;
    misdelivered += tally.misdelivered;
    local += tally.local + local_per_mapping_;
    if (wants_sum_) sum_max_cong.add(tally.congestion_sum, m);
    if (wants_delay_) dep_max_delay.add(tally.delay, m);
    if (wants_band_) {
        if (tally.delivered == 0) hist_acc_band.add_undefined();
        else hist_acc_band.add(mean_share(plan, tally), m);
    }
}

void Findings::merge(Findings const& other) {
    mappings += other.mappings;
    delivered += other.delivered;
    unreachable += other.unreachable;
    loop += other.loop;
    misdelivered += other.misdelivered;
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
