#include "host/api/ranks/order_scores.hpp"

#include "host/search/orders/load_search.hpp"
#include "kernels/cpu/machine/threads.hpp"

#include <algorithm>
#include <cmath>

namespace tailback::api {
namespace {

using search::OrderGoal;

study::Metric metric_of(OrderGoal goal) {
    switch (goal) {
        case OrderGoal::rate: return study::Metric::max_min_least;
        case OrderGoal::makespan: return study::Metric::makespan;
        case OrderGoal::completion_time: return study::Metric::completion_time;
        default: return study::Metric::sum_max_cong;
    }
}

/// At least so many mappings, which together have all places, and every two that follow each other in one of them.
study::Study study_of_windows(study::Study study, study::Metric metric, std::span<model::Host const> places,
                              std::uint64_t mappings) {
    std::size_t const ranks = study.placement.ranks;
    mappings = std::max<std::uint64_t>(mappings, places.size() / (ranks - 1) + 1);
    study.placement.mapping = study::MappingKind::listed;
    study.placement.mapping_hosts.clear();
    for (std::uint64_t m = 0; m < mappings; ++m)
        for (std::size_t r = 0; r < ranks; ++r)
            study.placement.mapping_hosts.push_back(places[(m * (ranks - 1) + r) % places.size()]);
    study.placement.first_listed = study.sample.first_mapping = 0;
    study.sample.mappings = mappings;
    study.measures.metrics = {metric};
    return study;
}

std::vector<search::PlacedLevel> alike_levels(StudyPlaces const& places) {
    return levels_of(places.start->flow_list, places.start->study.traffic.pattern, WeightsOfFlows::alike);
}

/// Whatever the routes, a flow leaves its host by one link and comes in by one.
bool has_one_link_a_host(model::Network const& network, std::span<model::Host const> hosts) {
    return std::all_of(hosts.begin(), hosts.end(), [&](model::Host const host) {
        model::Node const node = network[host].node;
        return network.link_count(node) <= network.hosts_of(node).size();
    });
}

}  // namespace

OrderScores::OrderScores(StudyPlaces const& places, OrderGoal goal, evaluation::BracketOptions const& hash,
                         unsigned threads)
    : places_(places), goal_(goal), effort_(search::effort_of(goal, hash.hash_draws)) {
    study::StudyPlan const& start = *places.start;
    study::Metric const metric = metric_of(goal);
    plan_ = std::make_unique<study::StudyPlan const>(study::make_plan(
        *start.fabric, study_of_windows(start.study, metric, places.hosts(), 2 * kernels::threads_to_use(threads))));
    evaluation::Column column{.plan = plan_.get()};
    if (search::goes_by_choices(goal)) {
        bracket_ = std::make_unique<evaluation::BracketStudy const>(*plan_, hash, threads);
        evaluation::Division const by =
            goal == OrderGoal::hash ? evaluation::Division::hashed : evaluation::Division::equal;
        column = bracket_->columns().columns()[std::size_t(by)];
    }
    scores_ = std::make_unique<evaluation::MappingScores>(column, metric);
    if (search::more_is_better(goal))  // more than any has: a bound of 0 would say that none is known
        most_ = static_cast<std::uint64_t>(std::ceil(study::metrics::largest_capacity(*plan_) / scores_->unit())) + 1;
}

std::uint64_t OrderScores::score_of(std::span<std::uint32_t const> order) const {
    std::vector<model::Host> hosts;
    for (std::uint32_t const place : order) hosts.push_back(places_.hosts()[place]);
    std::optional<std::uint64_t> const number = scores_->of(hosts);
    if (!number) return 0;
    return most_ > 0 ? most_ - std::min(most_, *number) : *number;
}

/// What the links of hosts alone come to. Scores are whole units, times rounded up and rates down: so the next whole
/// unit is a bound as well, once the error of the floating-point numbers here is taken off.
std::uint64_t OrderScores::bound() const {
    if (goal_ == OrderGoal::completion_time) return 0;
    constexpr double error = 0x1p-49;
    search::PlaceProblem one = places_.problem;
    if (goal_ == OrderGoal::rate) {
        double rate = study::metrics::largest_capacity(*plan_);
        for (search::PlacedLevel& level : alike_levels(places_)) {
            one.levels = {std::move(level)};
            one.levels.front().times = 1;
            if (std::uint64_t const time = search::least_time(one); time > 0)
                rate = std::min(rate, double(plan_->denominator) / double(time));
        }
        double const units = std::floor(rate / scores_->unit() * (1 + error));
        return most_ - std::min(most_ - 1, static_cast<std::uint64_t>(units));
    }
    if (bracket_ && !has_one_link_a_host(plan_->fabric->network, places_.hosts())) return 0;
    double const time =
        double(search::least_time(one, bracket_ ? search::BoundBy::links_of_places : search::BoundBy::all_links)) *
        plan_->congestion_unit() / double(plan_->denominator);
    return static_cast<std::uint64_t>(std::ceil(time / scores_->unit() * (1 - error)));
}

std::uint64_t OrderScores::enough(std::uint64_t bound) const {
    constexpr int bits = 40;
    return bound == 0 ? 0 : bound + ((most_ > 0 ? most_ - bound : bound) >> bits);
}

search::OrderScore OrderScores::score() const {
    search::OrderScore score{
        [this](std::span<std::uint32_t const> order) { return score_of(order); }, bound(), effort_, {}};
    if (goal_ == OrderGoal::rate) score.levels = alike_levels(places_);
    return score;
}

}  // namespace tailback::api
