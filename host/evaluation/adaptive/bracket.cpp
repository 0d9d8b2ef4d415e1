#include "host/evaluation/adaptive/bracket.hpp"

#include "host/base/error.hpp"
#include "host/evaluation/adaptive/walked_executors.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::evaluation {
namespace {

study::StudyPlan const& checked(study::StudyPlan const& plan) {
    if (plan.fabric->candidates == nullptr)
        throw base::InputError(
            {}, "the routes of this fabric leave no choice", "adaptive and hashed routes are made of candidate sets",
            "choose --routing ar:minimal, ar:updn or ar:ftree, a folder of ibdiagnet2 with a .far file, or frr:DIR");
    if (plan.problem.placement.nodes.aligned != nullptr)
        throw base::InputError({}, "--rail-aligned does not go with adaptive and hashed routes", "",
                               "leave one of them out");
    return plan;
}

topologies::FlowHashOptions with_seed(topologies::FlowHashOptions hash, std::uint64_t seed) {
    hash.seed = seed;
    return hash;
}

std::string words_of(BracketOptions const& options) {
    return fmt::format("{}, {} queue pairs, {} draws", hash_identity(options.hash), options.queue_pairs,
                       options.hash_draws);
}

}  // namespace

char const* division_name(Division division) {
    static constexpr char const* names[] = {"static", "equal", "hash", "optimal"};
    return names[std::size_t(division)];
}

double Bracket::largest_where_optimal(Division division) const {
    return where_optimal[std::size_t(division)].mean(study::Metric::sum_max_cong);
}
double Bracket::bandwidth_where_optimal(Division division) const {
    return where_optimal[std::size_t(division)].mean(study::Metric::hist_acc_band);
}

BracketStudy::BracketStudy(study::StudyPlan const& plan, BracketOptions const& options, unsigned threads)
    : plan_(checked(plan)),
      options_(options),
      forwarding_(*plan.fabric),
      costs_(model::link_costs(plan.fabric->network, plan.study.measures.capacities)),
      fixed_(forwarding_, model::ChoicesOf::static_entries, plan.study_hosts),
      sets_(forwarding_, model::ChoicesOf::sets, plan.study_hosts),
      split_(sets_, plan.study_hosts, threads),
      hash_{sets_, with_seed(options.hash, plan.study.sample.seed), plan.fabric->ip.get(), options.queue_pairs},
      beside_{split_, costs_, fixed_, hash_, options.hash_draws, options.gap},
      optimal_mappings_(std::min(options.optimal_mappings, plan.study.sample.mappings)),
      columns_(plan) {
    if (options.hash_draws > 1 && !topologies::FlowHash(hash_.options, hash_.ip).draws(*plan.fabric))
        throw base::InputError({}, "--hash-draws has no effect",
                               "the seeds of all switches are told, and source ports are not hashed", "leave it out",
                               "hash-draws");
    columns_.add_plain(division_name(Division::fixed));
    add_divisions("", {});
    if (optimal_mappings_ > 0) add_optimum();
}

void BracketStudy::add_divisions(std::string const& suffix, study::FlowDivision division) {
    division.routes_from = study::RoutesFrom::loads;
    division.parts = split_.unit();
    columns_.add(
        division_name(Division::equal) + suffix, division, std::to_string(split_.unit()),
        [this](study::StudyPlan const& plan, unsigned threads) {
            return make_equal_executor(plan, split_, costs_, threads);
        },
        [this](study::StudyPlan const& plan) { return make_cuda_equal_executor(plan, split_, costs_); });
    division.routes_from = study::RoutesFrom::finder;
    division.parts = options_.queue_pairs;
    division.repeats = options_.hash_draws;
    add_walked(
        columns_, division_name(Division::hashed) + suffix, division, words_of(options_),
        [this](study::StudyPlan const& plan, unsigned threads) { return make_hashed_executor(plan, hash_, threads); },
        hashed_on_cuda(plan_, hash_));
}

void BracketStudy::add_optimum() {
    using study::Metric;
    std::uint64_t const mappings = optimal_mappings_, parts = parts_of_optimum(plan_, costs_);
    std::string const identity = fmt::format("of {}", options_.optimal_mappings);
    auto const add = [&](std::string name, std::uint64_t in_parts, std::vector<Metric> metrics, auto const& make) {
        columns_.add(std::move(name), {study::RoutesFrom::loads, in_parts, 1, mappings, std::move(metrics)}, identity,
                     make);
    };
    study::FlowDivision const beside{.mappings = mappings, .metrics = {Metric::hist_acc_band, Metric::sum_max_cong}};
    if (mappings < plan_.study.sample.mappings)
        columns_.add("static beside", beside, identity,
                     [this](study::StudyPlan const& plan, unsigned threads) {  // they leave the hash no choice
                         topologies::FlowHashOptions hash = hash_.options;
                         hash.by_mapping = false;
                         return make_hashed_executor(plan, {fixed_, hash, hash_.ip}, threads);
                     });
    if (mappings < plan_.study.sample.mappings) add_divisions(" beside", beside);
    add(division_name(Division::optimal), parts, {std::begin(metrics_of_columns), std::end(metrics_of_columns)},
        [this](study::StudyPlan const& plan, unsigned threads) {
            return make_optimum_executor(plan, beside_, bounds_, threads);
        });
    add("bound", parts, {Metric::sum_max_cong}, [this](study::StudyPlan const& plan, unsigned threads) {
        return make_bound_executor(plan, beside_, bounds_, threads);
    });
    add("expected", 1, {Metric::hist_acc_band}, [this](study::StudyPlan const& plan, unsigned threads) {
        return make_expected_executor(plan, hash_, costs_, threads);
    });
}

Bracket BracketStudy::conclude(std::vector<Evaluation>&& results) const {
    Bracket bracket;
    bracket.unit = split_.unit();
    bracket.error = split_.error();
    bracket.hash_seed = hash_.options.seed;
    bracket.queue_pairs = options_.queue_pairs;
    bracket.hash_draws = options_.hash_draws;
    bracket.one_hash = !hash_.options.by_mapping;
    bracket.hash_is_drawn = topologies::FlowHash(hash_.options, hash_.ip).draws(*plan_.fabric);
    bracket.mappings = results.front().mappings;
    bracket.interrupted = results.front().interrupted;
    bracket.threads = results.front().threads;
    bracket.evaluate_s = results.front().evaluate_s;
    std::vector<StudyColumn> found = columns_.conclude(std::move(results));
    constexpr std::size_t whole = divisions - 1;  // columns of all mappings
    std::move(found.begin(), found.begin() + whole, bracket.columns.begin());
    bracket.columns.back().name = division_name(Division::optimal);
    if (found.size() == whole) return bracket;
    std::copy(bracket.columns.begin(), bracket.columns.end(), bracket.where_optimal.begin());
    if (found.size() > whole + 3)  // the optimum, the bound, the expectation; else they have all mappings
        std::move(found.begin() + whole, found.begin() + 2 * whole, bracket.where_optimal.begin());
    auto const of_optimum = found.end() - 3;
    bracket.where_optimal.back() = std::move(of_optimum[0]);
    bracket.columns.back() = bracket.where_optimal.back();
    bracket.optimal_mappings = bracket.columns.back().result.mappings;
    bracket.optimum_at_least = of_optimum[1].mean(study::Metric::sum_max_cong);
    Distribution const* const expected = of_optimum[2].number(study::Metric::hist_acc_band);
    if (expected != nullptr && expected->count() > 0 && expected->undefined() == 0)
        bracket.expected_bandwidth = expected->mean();
    return bracket;
}

Bracket evaluate_bracket(study::StudyPlan const& plan, BracketOptions const& options,
                         ExecutionOptions const& execution) {
    BracketStudy const bracket(plan, options, execution.threads);
    return bracket.conclude(evaluate(bracket.columns().columns(), execution));
}

}  // namespace tailback::evaluation
