#include "host/evaluation/adaptive/bracket.hpp"

#include "host/base/error.hpp"
#include "host/evaluation/adaptive/hash_law.hpp"
#include "host/evaluation/adaptive/level_flows.hpp"
#include "host/evaluation/adaptive/one_path.hpp"
#include "host/model/ip_plan.hpp"
#include "kernels/cpu/threads.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>

namespace tailback::evaluation {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

/// What all threads share.
struct BracketData {
    BracketData(study::StudyPlan const& plan, unsigned threads)
        : forwarding(*plan.fabric),
          costs(model::link_costs(plan.fabric->network, plan.study.measures.capacities)),
          fixed(forwarding, model::ChoicesOf::static_entries, plan.study_hosts),
          sets(forwarding, model::ChoicesOf::sets, plan.study_hosts),
          split(sets, plan.study_hosts, threads) {}
    model::Forwarding forwarding;
    model::LinkCosts costs;
    model::ChoiceGraph fixed, sets;
    SplitPlan split;
};

/// One thread's way through its mappings.
class BracketWorker {
public:
    BracketWorker(study::StudyPlan const& plan, BracketData const& prepared, BracketOptions const& options)
        : plan_(plan),
          prepared_(prepared),
          options_(options),
          flows_(plan),
          fixed_(prepared.fixed, prepared.costs, std::nullopt),
          equal_(prepared.split, prepared.costs),
          hashed_(prepared.sets, prepared.costs, hash_of(0), options.queue_pairs),
          numbers_(divisions, MappingNumbers(plan.study.placement.ranks, plan.flow_list.measured_ranks)) {
        for (auto& sums : link_sums) sums.resize(plan.fabric->network.links().size());
    }

    void evaluate(std::uint64_t at, Bracket& bracket) {
        flows_.place(plan_.study.sample.first_mapping + at);
        for (std::uint32_t draw = 1; draw < bracket.hash_draws; ++draw) draw_again(at, draw, bracket);
        for (MappingNumbers& one : numbers_) one.begin();
        hashed_.set_hash(hash_of(0));
        double expected = 0;
        bool law = true;
        bool const with_optimum = at < bracket.optimal_mappings;
        double const denominator = prepared_.costs.denominator;
        for (patterns::Level const& level : plan_.flow_list.levels) {
            flows_.list(level);
            take(Division::fixed, fixed_.carry(flows_.flows), denominator);
            take(Division::equal, equal_.carry(flows_.flows), denominator * double(prepared_.split.unit()));
            take(Division::hashed, hashed_.carry(flows_.flows), denominator * options_.queue_pairs);
            if (!with_optimum) continue;
            law = law && add_expected(expected);
            OptimalSplit best =
                find_optimal_split(prepared_.split, prepared_.costs, flows_.flows, {.gap = options_.gap});
            take_better_columns(best);
            numbers_[std::size_t(Division::optimal)].add_level(flows_,
                                                               [&](std::size_t f) { return best.congestion[f]; });
            numbers_[std::size_t(Division::optimal)].add_lower(best.lower);
            for (double const of_flow : best.congestion) count(Division::optimal, of_flow != 0);
        }
        for (std::size_t d = 0; d < divisions; ++d)
            if (d != std::size_t(Division::optimal) || with_optimum)
                numbers_[d].finish(at * bracket.draws(Division(d)), double(plan_.common_weight), bracket.columns[d]);
        std::uint64_t const flows = numbers_[std::size_t(Division::hashed)].delivered();
        if (with_optimum) expected_bandwidth[at] = law && flows > 0 ? expected / double(flows) : undefined;
    }

    std::map<std::uint64_t, double> expected_bandwidth;  ///< by mapping that the optimum was found of

    std::array<std::uint64_t, divisions> delivered{}, failed{};
    /// By link: loads over all mappings, in units of the column.
    std::array<std::vector<Wide>, divisions - 1> link_sums;

private:
    /// The mapping placed last, with another seed of the hash.
    void draw_again(std::uint64_t at, std::uint32_t draw, Bracket& bracket) {
        MappingNumbers& numbers = numbers_[std::size_t(Division::hashed)];
        numbers.begin();
        hashed_.set_hash(hash_of(draw));
        for (patterns::Level const& level : plan_.flow_list.levels) {
            flows_.list(level);
            take(Division::hashed, hashed_.carry(flows_.flows),
                 double(prepared_.costs.denominator) * options_.queue_pairs);
        }
        numbers.finish(at * bracket.hash_draws + draw, double(plan_.common_weight), bracket.of(Division::hashed));
    }
    /// The columns beside the optimum divide flows over the same groups: where one of them is better than what the
    /// search found, it is what was found. Of the flows that the optimum carries.
    void take_better_columns(OptimalSplit& best) {
        carried_.clear(), numbers_of_carried_.clear();
        for (std::size_t f = 0; f < flows_.flows.size(); ++f)
            if (best.congestion[f] != 0) carried_.push_back(flows_.flows[f]), numbers_of_carried_.push_back(f);
        double const denominator = prepared_.costs.denominator;
        auto const offer = [&](FlowLoads const& loads, double unit) {
            double const largest = double(loads.largest()) / unit;
            if (loads.failed > 0 || largest >= best.upper) return;
            best.upper = largest;
            for (std::size_t i = 0; i < carried_.size(); ++i)
                best.congestion[numbers_of_carried_[i]] = double(loads.congestion[i]) / unit;
        };
        offer(equal_.carry(carried_), denominator * double(prepared_.split.unit()));
        FlowLoads const& by_tables = fixed_.carry(carried_);
        if (tables_stay_in_groups()) offer(by_tables, denominator);
        for (std::uint32_t draw = 0; draw < options_.hash_draws; ++draw) {
            hashed_.set_hash(hash_of(draw));
            offer(hashed_.carry(carried_), denominator * options_.queue_pairs);
        }
        hashed_.set_hash(hash_of(0));
    }
    /// Whether the static entries of what was carried last are options of the groups: they need not be.
    bool tables_stay_in_groups() const {
        for (std::size_t f = 0; f < carried_.size(); ++f)
            if (!takes_options(prepared_.sets, carried_[f], fixed_.links_of(f))) return false;
        return true;
    }
    topologies::FlowHash hash_of(std::uint32_t draw) const {
        topologies::FlowHashOptions hash = options_.hash;
        hash.seed = plan_.study.sample.seed + draw;
        return topologies::FlowHash(hash, plan_.fabric->ip.get());
    }
    /// Over all draws; false where the law is not known.
    bool add_expected(double& sum) const {
        if (options_.queue_pairs > 1 || !options_.hash.by_source || !options_.hash.by_destination) return false;
        std::optional<bool> const apart = hash_of(0).tells_connections_apart();
        std::vector<HostFlow> flows = flows_.flows;
        for (HostFlow& flow : flows) {
            if (!apart && flow.connection != 0) return false;
            if (!apart.value_or(true)) flow.connection = 0;
        }
        std::optional<double> const more = evaluation::expected_bandwidth(prepared_.sets, prepared_.costs, flows);
        if (more) sum += *more;
        return more.has_value();
    }
    void count(Division division, bool is_delivered) { ++(is_delivered ? delivered : failed)[std::size_t(division)]; }
    void take(Division division, FlowLoads const& loads, double unit) {
        auto const d = std::size_t(division);
        numbers_[d].add_level(flows_, [&](std::size_t f) { return double(loads.congestion[f]) / unit; });
        failed[d] += loads.failed;
        delivered[d] += loads.congestion.size() - loads.failed;
        for (std::size_t l = 0; l < loads.loads.size(); ++l) link_sums[d][l] += loads.loads[l];
    }

    study::StudyPlan const& plan_;
    BracketData const& prepared_;
    BracketOptions const& options_;
    LevelFlows flows_;
    OnePath fixed_;
    EqualSplit equal_;
    OnePath hashed_;
    std::vector<HostFlow> carried_;                // by the optimum
    std::vector<std::size_t> numbers_of_carried_;  // among the flows of the level
    std::vector<MappingNumbers> numbers_;
};

void check_fits(study::StudyPlan const& plan) {
    if (plan.fabric->candidates == nullptr)
        throw base::InputError(
            {}, "a bracket needs candidate sets", "the routes of this fabric leave no choice",
            "choose --routing ar:minimal, ar:updn or ar:ftree, a folder of ibdiagnet2 with a .far file, or frr:DIR");
    if (plan.problem.placement.nodes.aligned != nullptr)
        throw base::InputError({}, "--rail-aligned does not go with a bracket", "", "leave one of them out");
}

/// The link with the most, and what it carries on average.
void find_hottest(std::vector<Wide> const& sums, BracketData const& prepared, double unit, BracketColumn& column) {
    for (std::size_t l = 0; l < sums.size(); ++l) {
        double const cost = prepared.costs.cost.empty() ? 1 : prepared.costs.cost[l];
        double const load = double(sums[l]) * cost / (unit * prepared.costs.denominator);
        if (load > column.hottest_load) column.hottest_load = load, column.hottest = model::Link{l};
    }
}

double mean_of(std::vector<double> const& values, std::size_t first = SIZE_MAX) {
    double sum = 0;
    std::size_t count = 0;
    for (std::size_t i = 0; i < std::min(first, values.size()); ++i)
        if (!std::isnan(values[i])) sum += values[i], ++count;
    return count > 0 ? sum / double(count) : undefined;
}

/// A place for every mapping.
void size_columns(Bracket& bracket) {
    bracket.optimal_mappings = std::min(bracket.optimal_mappings, bracket.mappings);
    for (std::size_t d = 0; d < divisions; ++d) {
        std::size_t const count = d == std::size_t(Division::optimal) ? bracket.optimal_mappings
                                                                      : bracket.mappings * bracket.draws(Division(d));
        BracketColumn& column = bracket.columns[d];
        for (auto* values : {&column.bandwidth, &column.largest, &column.delay}) values->resize(count);
        if (!column.lower.empty()) column.lower.resize(count);
    }
}

using Workers = std::vector<std::unique_ptr<BracketWorker>>;

/// In batches, so that somebody who wants to stop is heard, and what is done is the first so many.
void run(study::StudyPlan const& plan, BracketOptions const& options, Workers& workers, Bracket& bracket) {
    kernels::FirstFailure failed;
    std::uint64_t const all = plan.study.sample.mappings, batch = std::uint64_t{bracket.threads} * 4;
    std::uint64_t done = 0;
    while (done < all && !bracket.interrupted) {
        auto const first = static_cast<std::int64_t>(done);
        auto const end = static_cast<std::int64_t>(std::min(all, done + batch));
#pragma omp parallel for schedule(dynamic, 1) num_threads(static_cast <int>(bracket.threads))
        for (std::int64_t m = first; m < end; ++m)
            failed.hold([&] { workers[kernels::this_thread()]->evaluate(static_cast<std::uint64_t>(m), bracket); });
        failed.rethrow();
        done = static_cast<std::uint64_t>(end);
        if (options.progress) options.progress(done);
        bracket.interrupted = options.stop && done < all && options.stop();
    }
    bracket.mappings = done;
}

/// What the threads have counted.
void sum_up(study::StudyPlan const& plan, BracketData const& prepared, Workers& workers, Bracket& bracket) {
    for (std::size_t d = 0; d < divisions; ++d) {
        for (auto const& worker : workers) {
            bracket.columns[d].delivered += worker->delivered[d];
            bracket.columns[d].failed += worker->failed[d];
        }
        if (d == std::size_t(Division::optimal) || bracket.mappings == 0) continue;
        std::vector<Wide>& sums = workers[0]->link_sums[d];
        for (std::size_t t = 1; t < workers.size(); ++t)
            for (std::size_t l = 0; l < sums.size(); ++l) sums[l] += workers[t]->link_sums[d][l];
        double const unit = d == std::size_t(Division::equal)    ? double(bracket.unit)
                            : d == std::size_t(Division::hashed) ? double(bracket.queue_pairs) * bracket.hash_draws
                                                                 : 1;
        find_hottest(sums, prepared, unit * double(bracket.mappings) / double(plan.common_weight), bracket.columns[d]);
    }
    double expected = 0;
    std::uint64_t known = 0;
    std::map<std::uint64_t, double> by_mapping;  // in their order, whoever found them
    for (auto const& worker : workers)
        by_mapping.insert(worker->expected_bandwidth.begin(), worker->expected_bandwidth.end());
    for (auto const& [mapping, value] : by_mapping)
        if (!std::isnan(value)) expected += value, ++known;
    if (known > 0 && known == bracket.optimal_mappings) bracket.expected_bandwidth = expected / double(known);
}

}  // namespace

char const* division_name(Division division) {
    static constexpr char const* names[] = {"static", "equal", "hash", "optimal"};
    return names[std::size_t(division)];
}

double BracketColumn::mean_bandwidth() const { return mean_of(bandwidth); }
double BracketColumn::mean_largest() const { return mean_of(largest); }
double Bracket::largest_where_optimal(Division division) const {
    return mean_of(of(division).largest, optimal_mappings * draws(division));
}
double Bracket::bandwidth_where_optimal(Division division) const {
    return mean_of(of(division).bandwidth, optimal_mappings * draws(division));
}

Bracket evaluate_bracket(study::StudyPlan const& plan, BracketOptions const& options) {
    check_fits(plan);
    auto const started = std::chrono::steady_clock::now();
    BracketData const prepared(plan, options.threads);
    Bracket bracket;
    bracket.unit = prepared.split.unit();
    bracket.error = prepared.split.error();
    bracket.hash_seed = plan.study.sample.seed;
    bracket.queue_pairs = options.queue_pairs;
    bracket.hash_draws = options.hash_draws;
    bracket.threads = kernels::threads_to_use(options.threads);
    bracket.mappings = plan.study.sample.mappings;
    bracket.optimal_mappings = options.optimal_mappings;
    bracket.of(Division::optimal).lower.resize(std::min(options.optimal_mappings, plan.study.sample.mappings));
    size_columns(bracket);
    std::vector<std::unique_ptr<BracketWorker>> workers;
    for (unsigned t = 0; t < bracket.threads; ++t)
        workers.push_back(std::make_unique<BracketWorker>(plan, prepared, options));
    run(plan, options, workers, bracket);
    size_columns(bracket);
    sum_up(plan, prepared, workers, bracket);
    bracket.evaluate_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return bracket;
}

}  // namespace tailback::evaluation
