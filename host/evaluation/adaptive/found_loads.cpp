#include "host/evaluation/adaptive/found_loads.hpp"

#include "host/base/error.hpp"
#include "host/evaluation/adaptive/division_tables.hpp"
#include "host/evaluation/adaptive/hash_law.hpp"
#include "host/evaluation/adaptive/level_flows.hpp"
#include "kernels/cpu/machine/workers.hpp"
#include "kernels/device_error.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace tailback::evaluation {
namespace {

constexpr std::uint64_t most_load = INT64_MAX;

/// What is added, where the sum is still a number.
std::uint64_t checked_sum(std::uint64_t sum, std::uint64_t more, char const* advice) {
    if (more > most_load - sum) throw base::InputError({}, "sums of divided flows could pass 2^63 units", "", advice);
    return sum + more;
}

/// One thread's mappings. Carrier: `begin(mapping)`, `FlowLoads const& carry(flows)` of a level after the other, then
/// `end(mapping, tally)`.
template <class Carrier>
class LoadsWorker {
public:
    template <class... Parts>
    LoadsWorker(study::StudyPlan const& plan, Parts const&... parts)
        : sums(plan.problem),
          plan_(plan),
          flows_(plan),
          carrier_(parts...),
          before_(plan.study.placement.ranks),
          after_(before_.size()) {}

    kernels::MappingTally evaluate(std::uint64_t m) {
        kernels::StopWish::held().heed();
        flows_.place(m);
        carrier_.begin(m);
        std::fill(after_.begin(), after_.end(), 0);
        kernels::MappingTally tally;
        for (patterns::Level const& level : plan_.flow_list.levels) {
            flows_.list(level);
            add_level(carrier_.carry(flows_.flows), tally);
        }
        tally.local = flows_.local;
        tally.within_nodes = flows_.within_nodes;
        for (std::uint32_t r = 0; r < plan_.flow_list.measured_ranks; ++r)
            tally.delay = std::max(tally.delay, after_[r]);
        for (std::uint32_t part = 0; part < sums.share_parts.size(); ++part)
            sums.share_parts[part] += kernels::share_part(tally.share_sum, part);
        carrier_.end(m, tally);
        return tally;
    }
    kernels::Totals sums;

private:
    void add_level(FlowLoads const& loads, kernels::MappingTally& tally) {
        std::uint32_t const measured = plan_.flow_list.measured_ranks;
        before_ = after_;
        for (std::size_t f = 0; f < flows_.flows.size(); ++f) {
            std::uint64_t const congestion = loads.congestion[f];
            if (congestion == 0) continue;
            tally.share_sum +=
                kernels::weighted_share(plan_.problem.measures.weighted_share_unit, flows_.flows[f].weight, congestion);
            if (!sums.histogram.empty()) ++sums.histogram[kernels::weighted_bin(congestion)];
            auto const [from, to] = flows_.ranks[f];
            if (plan_.problem.measures.wants_delay && from < measured && to < measured)
                after_[to] = std::max(after_[to], checked_sum(before_[from], congestion, "give smaller weights"));
        }
        tally.delivered += flows_.flows.size() - loads.failed;
        tally.unreachable += loads.failed;
        tally.congestion_sum = checked_sum(tally.congestion_sum, loads.largest(), "give smaller weights");
        if (sums.link_sums.empty()) return;
        for (std::size_t l = 0; l < loads.loads.size(); ++l)
            sums.link_sums[l] = checked_sum(sums.link_sums[l], loads.loads[l], "evaluate fewer mappings");
    }

    study::StudyPlan const& plan_;
    LevelFlows flows_;
    Carrier carrier_;
    std::vector<std::uint64_t> before_, after_;  // by rank: the longest chain of flows that end there
};

template <class Carrier, class... Parts>
std::unique_ptr<kernels::Executor> make_loads_executor(unsigned threads, study::StudyPlan const& plan,
                                                       Parts const&... parts) {
    return std::make_unique<kernels::CpuExecutor<LoadsWorker<Carrier>>>(kernels::threads_to_use(threads), plan,
                                                                        parts...);
}

class EqualCarrier {
public:
    EqualCarrier(SplitPlan const* split, model::LinkCosts const* costs) : equal_(*split, *costs) {}
    FlowLoads const& carry(std::span<HostFlow const> flows) { return equal_.carry(flows); }
    void begin(std::uint64_t) {}
    void end(std::uint64_t, kernels::MappingTally const&) {}

private:
    EqualSplit equal_;
};

/// The best division of a level's flows, and the bound.
class OptimumFinder {
public:
    explicit OptimumFinder(OptimumBeside const& beside)
        : beside_(beside),
          fixed_(beside.fixed, beside.costs, std::nullopt),
          equal_(beside.split, beside.costs),
          hashed_(beside.hash.graph, beside.costs, beside.hash.hash_of(0), beside.hash.queue_pairs) {}

    OptimalSplit find(std::uint64_t mapping, std::span<HostFlow const> flows) {
        OptimalSplit best = find_optimal_split(beside_.split, beside_.costs, flows, {.gap = beside_.gap});
        take_better_columns(mapping, flows, best);
        return best;
    }

private:
    /// The columns beside the optimum divide flows over the same groups: where one of them is better than what the
    /// search found, it is what was found. Of the flows that the optimum carries.
    void take_better_columns(std::uint64_t mapping, std::span<HostFlow const> flows, OptimalSplit& best) {
        carried_.clear(), numbers_of_carried_.clear();
        for (std::size_t f = 0; f < flows.size(); ++f)
            if (best.congestion[f] != 0) carried_.push_back(flows[f]), numbers_of_carried_.push_back(f);
        double const denominator = beside_.costs.denominator;
        auto const offer = [&](FlowLoads const& loads, double unit) {
            double const largest = double(loads.largest()) / unit;
            if (loads.failed > 0 || largest >= best.upper) return;
            best.upper = largest;
            for (std::size_t i = 0; i < carried_.size(); ++i)
                best.congestion[numbers_of_carried_[i]] = double(loads.congestion[i]) / unit;
        };
        offer(equal_.carry(carried_), denominator * double(beside_.split.unit()));
        FlowLoads const& by_tables = fixed_.carry(carried_);
        if (tables_stay_in_groups()) offer(by_tables, denominator);
        for (std::uint64_t draw = 0; draw < beside_.hash_draws; ++draw) {
            hashed_.set_hash(beside_.hash.hash_of(draw, mapping));
            offer(hashed_.carry(carried_), denominator * beside_.hash.queue_pairs);
        }
    }
    /// Whether the static entries of what was carried last are options of the groups: they need not be.
    bool tables_stay_in_groups() const {
        for (std::size_t f = 0; f < carried_.size(); ++f)
            if (!takes_options(beside_.hash.graph, carried_[f], fixed_.links_of(f))) return false;
        return true;
    }

    OptimumBeside const& beside_;
    OnePath fixed_;
    EqualSplit equal_;
    OnePath hashed_;
    std::vector<HostFlow> carried_;                // by the optimum
    std::vector<std::size_t> numbers_of_carried_;  // among the flows of the level
};

/// @param tells_bound in place of the division: as if every flow had as much
template <bool tells_bound>
class OptimumCarrier {
public:
    OptimumCarrier(study::StudyPlan const* plan, OptimumBeside const* beside, FoundBounds* bounds)
        : unit_(double(plan->denominator)), finder_(*beside), bounds_(*bounds) {}

    void begin(std::uint64_t m) { mapping_ = m; }
    FlowLoads const& carry(std::span<HostFlow const> flows) {
        OptimalSplit const best = finder_.find(mapping_, flows);
        bound_ += best.lower;
        loads_.congestion.assign(flows.size(), 0);
        loads_.failed = 0;
        for (std::size_t f = 0; f < flows.size(); ++f) {
            double const of_flow = tells_bound && best.congestion[f] != 0 ? best.lower : best.congestion[f];
            if (of_flow == 0) ++loads_.failed;
            else loads_.congestion[f] = static_cast<std::uint64_t>(std::llround(of_flow * unit_));
        }
        return loads_;
    }
    void end(std::uint64_t m, kernels::MappingTally of_bound) {
        of_bound.congestion_sum = static_cast<std::uint64_t>(std::llround(std::exchange(bound_, 0) * unit_));
        if (!tells_bound) bounds_.put(m, of_bound);
    }

private:
    double unit_;
    OptimumFinder finder_;
    FoundBounds& bounds_;
    FlowLoads loads_;
    std::uint64_t mapping_ = 0;
    double bound_ = 0;
};

/// Tells what the column of the optimum has found; finds it where that was another run.
class BoundWorker {
public:
    BoundWorker(study::StudyPlan const& plan, OptimumBeside const* beside, FoundBounds* bounds)
        : sums(plan.problem), bounds_(*bounds), finder_(plan, &plan, beside, bounds) {}

    kernels::MappingTally evaluate(std::uint64_t m) {
        std::optional<kernels::MappingTally> const found = bounds_.take(m);
        return found ? *found : finder_.evaluate(m);
    }
    kernels::Totals sums;

private:
    FoundBounds& bounds_;
    LoadsWorker<OptimumCarrier<true>> finder_;
};

class ExpectedWorker {
public:
    ExpectedWorker(study::StudyPlan const& plan, HashedWays const& ways, model::LinkCosts const* costs)
        : sums(plan.problem),
          plan_(plan),
          flows_(plan),
          ways_(ways),
          costs_(*costs),
          path_(ways.graph, *costs, ways.hash_of(0), ways.queue_pairs) {}

    kernels::MappingTally evaluate(std::uint64_t m) {
        kernels::StopWish::held().heed();
        flows_.place(m);
        kernels::MappingTally tally;
        std::optional<double> sum = 0;
        for (patterns::Level const& level : plan_.flow_list.levels) {
            flows_.list(level);
            std::uint64_t const failed = path_.carry(flows_.flows).failed;
            tally.unreachable += failed;
            tally.delivered += flows_.flows.size() - failed;
            std::optional<double> const more = sum ? expected() : std::nullopt;
            sum = more ? std::optional(*sum + *more) : std::nullopt;
        }
        tally.local = flows_.local;
        tally.within_nodes = flows_.within_nodes;
        if (!sum) tally.unreachable += std::exchange(tally.delivered, 0);
        else tally.share_sum = static_cast<std::uint64_t>(std::llround(*sum * double(plan_.share_unit)));
        return tally;
    }
    kernels::Totals sums;

private:
    /// Over all draws; none where the law is not known.
    std::optional<double> expected() const {
        if (ways_.queue_pairs > 1 || !ways_.options.by_source || !ways_.options.by_destination) return std::nullopt;
        std::optional<bool> const apart = ways_.hash_of(0).tells_connections_apart();
        std::vector<HostFlow> flows = flows_.flows;
        for (HostFlow& flow : flows) {
            if (!apart && flow.connection != 0) return std::nullopt;
            if (!apart.value_or(true)) flow.connection = 0;
        }
        return expected_bandwidth(ways_.graph, costs_, flows);
    }

    study::StudyPlan const& plan_;
    LevelFlows flows_;
    HashedWays ways_;
    model::LinkCosts const& costs_;
    OnePath path_;
};

}  // namespace

void FoundBounds::put(std::uint64_t mapping, kernels::MappingTally const& tally) {
    std::lock_guard const lock(adding_);
    tallies_[mapping] = tally;
}

std::optional<kernels::MappingTally> FoundBounds::take(std::uint64_t mapping) {
    std::lock_guard const lock(adding_);
    auto const at = tallies_.extract(mapping);
    return at ? std::optional(at.mapped()) : std::nullopt;
}

std::uint64_t parts_of_optimum(study::StudyPlan const& plan, model::LinkCosts const& costs) {
    double weight = 0;
    for (std::uint64_t const one : plan.flow_list.weights) weight += double(one);
    weight = std::max(weight, double(plan.flows_per_mapping));
    double const cost = costs.cost.empty() ? 1 : *std::max_element(costs.cost.begin(), costs.cost.end());
    double const bits = 62 - std::ceil(std::log2(std::max(1.0, weight * std::max(cost, double(costs.denominator)))));
    return std::uint64_t{1} << static_cast<unsigned>(std::clamp(bits, 0.0, 40.0));
}

std::unique_ptr<kernels::Executor> make_equal_executor(study::StudyPlan const& plan, SplitPlan const& split,
                                                       model::LinkCosts const& costs, unsigned threads) {
    return make_loads_executor<EqualCarrier>(threads, plan, &split, &costs);
}

namespace {

/// A device does not look whether a sum passes 2^63: whether one could, all flows on one link.
bool could_pass(study::StudyPlan const& plan, SplitPlan const& split, model::LinkCosts const& costs) {
    __extension__ using Wide = unsigned __int128;
    std::uint64_t const cost = costs.cost.empty() ? 1 : *std::max_element(costs.cost.begin(), costs.cost.end());
    bool const sums_links = plan.problem.measures.wants_link_sums;
    std::uint64_t const times = std::max(cost, sums_links ? plan.study.sample.mappings : 1);
    Wide most = most_load / split.unit() / times;
    auto const spend = [&](Wide weight) {
        bool const is_there = weight <= most;
        most = is_there ? most - weight : 0;
        return is_there;
    };
    for (std::uint64_t const weight : plan.flow_list.weights)
        if (!spend(weight)) return true;
    return !spend(plan.flows_per_mapping);  // drawn ones have the weight 1
}

}  // namespace

std::unique_ptr<kernels::Executor> make_cuda_equal_executor(study::StudyPlan const& plan, SplitPlan const& split,
                                                            model::LinkCosts const& costs) {
    if (could_pass(plan, split, costs))
        throw kernels::DeviceError("CUDA: sums of divided flows could pass 2^63 units; use --device cpu");
    DivisionTables const tables(split, costs, plan.study_hosts);
    if (std::uint64_t{tables.view().classes} * tables.view().entries > UINT32_MAX)
        throw kernels::DeviceError("CUDA: the network has too many switches for equal division; use --device cpu");
    return kernels::make_cuda_executor(plan.problem, {}, {}, &tables.view());
}

std::unique_ptr<kernels::Executor> make_optimum_executor(study::StudyPlan const& plan, OptimumBeside const& beside,
                                                         FoundBounds& bounds, unsigned threads) {
    return make_loads_executor<OptimumCarrier<false>>(threads, plan, &plan, &beside, &bounds);
}

std::unique_ptr<kernels::Executor> make_bound_executor(study::StudyPlan const& plan, OptimumBeside const& beside,
                                                       FoundBounds& bounds, unsigned threads) {
    return std::make_unique<kernels::CpuExecutor<BoundWorker>>(kernels::threads_to_use(threads), plan, &beside,
                                                               &bounds);
}

std::unique_ptr<kernels::Executor> make_expected_executor(study::StudyPlan const& plan, HashedWays const& hash,
                                                          model::LinkCosts const& costs, unsigned threads) {
    return std::make_unique<kernels::CpuExecutor<ExpectedWorker>>(kernels::threads_to_use(threads), plan, hash, &costs);
}

}  // namespace tailback::evaluation
