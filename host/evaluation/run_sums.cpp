// Adding up tallies, and adding up sums of tallies.
#include "host/evaluation/run_sums.hpp"

#include <stdexcept>

namespace tailback::evaluation {
namespace {

/// Mappings, and flows by their fate.
template <class More>
void add_counts(RunSums& all, More const& more) {
    all.mappings += more.mappings;
    all.delivered += more.delivered;
    all.unreachable += more.unreachable;
    all.loop += more.loop;
    all.misdelivered += more.misdelivered;
    all.within_nodes += more.within_nodes;
}

/// Whether the mean over all flows can differ from that over delivered ones, and is told.
bool counts_all(study::StudyPlan const& plan, study::MetricInfo const& info) {
    return info.number && info.number->has_mean_of_all && plan.study.wants(info.metric) &&
           !plan.problem.routes.all_delivered;
}

}  // namespace

kernels::WantedNumbers wanted_numbers(study::StudyPlan const& plan) {
    kernels::WantedNumbers wanted;
    auto const want = [&](kernels::MappingNumber number) {
        if (wanted.count == kernels::WantedNumbers::most)
            throw std::logic_error("more numbers a mapping than kernels reduce");
        wanted.number[wanted.count++] = number;
    };
    for (study::MetricInfo const& info : study::all_metrics())
        if (info.number && plan.study.wants(info.metric)) want(info.number->scale(plan).integer);
    for (study::MetricInfo const& info : study::all_metrics()) {
        if (!counts_all(plan, info)) continue;
        kernels::MappingNumber number = info.number->scale(plan).integer;
        number.over_all = true;
        want(number);
    }
    return wanted;
}

RunSums::RunSums(study::StudyPlan const& plan) : totals(plan.problem) {
    for (study::MetricInfo const& info : study::all_metrics()) {
        if (!info.number) continue;
        bool const is_wanted = plan.study.wants(info.metric);
        study::NumberScale const scale = is_wanted ? info.number->scale(plan) : study::NumberScale{};
        numbers.push_back({info.metric,
                           is_wanted,
                           {scale.scale, info.number->higher_is_worse, scale.error, scale.unit, plan.repeats}});
    }
    for (study::MetricInfo const& info : study::all_metrics())
        if (counts_all(plan, info)) {
            study::NumberScale const scale = info.number->scale(plan);
            numbers.push_back({info.metric,
                               true,
                               {scale.scale, info.number->higher_is_worse, scale.error, scale.unit, plan.repeats},
                               true});
        }
    for (patterns::Level const& level : plan.flow_list.levels) local_per_mapping_ += level.local;
}

void RunSums::add(kernels::Reduction more) {
    add_counts(*this, more);
    local += more.local + more.mappings * local_per_mapping_;
    kernels::NumberSeen* seen = more.number;
    for (Number& number : numbers) {
        if (!number.is_wanted) continue;
        number.values.add(std::move(seen->values), seen->undefined);
        ++seen;
    }
}

void RunSums::merge(RunSums const& other) {
    add_counts(*this, other);
    local += other.local;
    for (std::size_t n = 0; n < numbers.size(); ++n) numbers[n].values.merge(other.numbers[n].values);
    add_totals(other.totals);
}

void RunSums::add_totals(kernels::Totals const& more) { totals.add(more); }

Distribution const& RunSums::of(study::Metric metric) const {
    for (Number const& number : numbers)
        if (number.metric == metric) return number.values;
    throw std::logic_error("this metric is not a number of a mapping");
}

}  // namespace tailback::evaluation
