// Adding up tallies, and adding up sums of tallies.
#include "host/evaluation/findings.hpp"

#include <stdexcept>

namespace tailback::evaluation {
namespace {

/// Mappings, and flows by their fate.
template <class More>
void add_counts(Findings& all, More const& more) {
    all.mappings += more.mappings;
    all.delivered += more.delivered;
    all.unreachable += more.unreachable;
    all.loop += more.loop;
    all.misdelivered += more.misdelivered;
}

}  // namespace

kernels::WantedNumbers wanted_numbers(study::StudyPlan const& plan) {
    kernels::WantedNumbers wanted;
    for (study::MetricInfo const& info : study::all_metrics()) {
        if (!info.number || !plan.study.wants(info.metric)) continue;
        if (wanted.count == kernels::WantedNumbers::most)
            throw std::logic_error("more numbers a mapping than kernels reduce");
        wanted.number[wanted.count++] = info.number->scale(plan).integer;
    }
    return wanted;
}

Findings::Findings(study::StudyPlan const& plan) : totals(plan.problem) {
    for (study::MetricInfo const& info : study::all_metrics()) {
        if (!info.number) continue;
        bool const is_wanted = plan.study.wants(info.metric);
        study::NumberScale const scale = is_wanted ? info.number->scale(plan) : study::NumberScale{};
        numbers.push_back(
            {info.metric, is_wanted, {scale.scale, info.number->higher_is_worse, scale.error, scale.unit}});
    }
    for (patterns::Level const& level : plan.flow_list.levels) local_per_mapping_ += level.local;
}

void Findings::add(kernels::Reduction const& more) {
    add_counts(*this, more);
    local += more.local + more.mappings * local_per_mapping_;
    kernels::NumberSeen const* seen = more.number;
    for (Number& number : numbers) {
        if (!number.is_wanted) continue;
        number.values.add(seen->values, seen->undefined);
        ++seen;
    }
}

void Findings::merge(Findings const& other) {
    add_counts(*this, other);
    local += other.local;
    for (std::size_t n = 0; n < numbers.size(); ++n) numbers[n].values.merge(other.numbers[n].values);
    add_totals(other.totals);
}

void Findings::add_totals(kernels::Totals const& more) { totals.add(more); }

Distribution const& Findings::of(study::Metric metric) const {
    for (Number const& number : numbers)
        if (number.metric == metric) return number.values;
    throw std::logic_error("this metric is no number of a mapping");
}

}  // namespace tailback::evaluation
