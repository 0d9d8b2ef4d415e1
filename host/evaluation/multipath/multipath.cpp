#include "host/evaluation/multipath/multipath.hpp"

#include "host/base/error.hpp"
#include "host/evaluation/adaptive/level_flows.hpp"
#include "kernels/cpu/threads.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <memory>

namespace tailback::evaluation {
namespace {

__extension__ using Wide = unsigned __int128;

/// What all threads share.
struct MultipathData {
    explicit MultipathData(study::StudyPlan const& plan, std::uint32_t lmc)
        : forwarding(*plan.fabric),
          costs(model::link_costs(plan.fabric->network, plan.study.measures.capacities)),
          parts(std::uint64_t{1} << lmc) {}
    model::Forwarding forwarding;
    model::LinkCosts costs;
    std::uint64_t parts;
};

/// One thread's way through its mappings.
class MultipathWorker {
public:
    MultipathWorker(study::StudyPlan const& plan, MultipathData const& prepared, std::vector<LidSpread> const& spreads)
        : plan_(plan),
          prepared_(prepared),
          flows_(plan),
          numbers_(spreads.size(), MappingNumbers(plan.study.placement.ranks, plan.flow_list.measured_ranks)),
          link_sums(spreads.size(), std::vector<Wide>(plan.fabric->network.links().size())),
          delivered(spreads.size()),
          failed(spreads.size()) {
        for (LidSpread const spread : spreads)
            loads_.emplace_back(prepared.forwarding, prepared.costs, spread, plan.study.sample.seed, prepared.parts);
    }

    void evaluate(std::uint64_t at, Multipath& result) {
        std::uint64_t const mapping = plan_.study.sample.first_mapping + at;
        flows_.place(mapping);
        for (std::size_t s = 0; s < loads_.size(); ++s) numbers_[s].begin(), loads_[s].begin();
        LevelPlace place{mapping};
        for (patterns::Level const& level : plan_.flow_list.levels) {
            flows_.list(level);
            for (std::size_t s = 0; s < loads_.size(); ++s) take(s, loads_[s].carry(flows_.flows, place));
            ++place.level;
        }
        for (std::size_t s = 0; s < loads_.size(); ++s)
            numbers_[s].finish(at, double(plan_.common_weight), result.columns[s]);
    }

private:
    void take(std::size_t s, FlowLoads const& loads) {
        double const unit = double(prepared_.costs.denominator) * double(prepared_.parts);
        numbers_[s].add_level(flows_, [&](std::size_t f) { return double(loads.congestion[f]) / unit; });
        failed[s] += loads.failed;
        delivered[s] += loads.congestion.size() - loads.failed;
        for (std::size_t l = 0; l < loads.loads.size(); ++l) link_sums[s][l] += loads.loads[l];
    }

    study::StudyPlan const& plan_;
    MultipathData const& prepared_;
    LevelFlows flows_;
    std::vector<SpreadLoads> loads_;
    std::vector<MappingNumbers> numbers_;

public:
    std::vector<std::vector<Wide>> link_sums;  ///< [spread][link], in parts
    std::vector<std::uint64_t> delivered, failed;
};
using MultipathWorkers = std::vector<std::unique_ptr<MultipathWorker>>;

void size_columns(Multipath& result) {
    for (BracketColumn& column : result.columns)
        for (auto* values : {&column.bandwidth, &column.largest, &column.delay}) values->resize(result.mappings);
}

void run(study::StudyPlan const& plan, MultipathOptions const& options, MultipathWorkers& workers, Multipath& result) {
    kernels::FirstFailure failed;
    std::uint64_t const all = plan.study.sample.mappings, batch = std::uint64_t{result.threads} * 16;
    std::uint64_t done = 0;
    while (done < all && !result.interrupted) {
        auto const first = static_cast<std::int64_t>(done);
        auto const end = static_cast<std::int64_t>(std::min(all, done + batch));
#pragma omp parallel for schedule(dynamic, 1) num_threads(static_cast <int>(result.threads))
        for (std::int64_t m = first; m < end; ++m)
            failed.hold([&] { workers[kernels::this_thread()]->evaluate(static_cast<std::uint64_t>(m), result); });
        failed.rethrow();
        done = static_cast<std::uint64_t>(end);
        if (options.progress) options.progress(done);
        result.interrupted = options.stop && done < all && options.stop();
    }
    result.mappings = done;
}

void sum_up(study::StudyPlan const& plan, MultipathData const& prepared, MultipathWorkers const& workers,
            Multipath& result) {
    for (std::size_t s = 0; s < result.columns.size(); ++s) {
        BracketColumn& column = result.columns[s];
        std::vector<Wide> sums(plan.fabric->network.links().size());
        for (auto const& worker : workers) {
            column.delivered += worker->delivered[s];
            column.failed += worker->failed[s];
            for (std::size_t l = 0; l < sums.size(); ++l) sums[l] += worker->link_sums[s][l];
        }
        double const unit = double(prepared.parts) * double(std::max<std::uint64_t>(result.mappings, 1)) *
                            prepared.costs.denominator / double(plan.common_weight);
        for (std::size_t l = 0; l < sums.size(); ++l) {
            double const load = double(sums[l]) * (prepared.costs.cost.empty() ? 1 : prepared.costs.cost[l]) / unit;
            if (load > column.hottest_load) column.hottest_load = load, column.hottest = model::Link{l};
        }
    }
}

}  // namespace

void require_several_lids(study::StudyPlan const& plan, std::uint32_t lmc) {
    if (plan.fabric->routing->depends_on_source() || plan.fabric->formula)
        throw base::InputError({}, "flows are spread over LIDs by forwarding tables",
                               "the routes of this fabric are none",
                               "choose a routing that depends on the destination alone");
    if (lmc == 0)
        throw base::InputError({}, "there are no LIDs to spread flows over", "every host of the study has one (LMC 0)",
                               "take dumps of a subnet with LMC above 0, or give --lmc with a --routing");
    if (plan.problem.placement.nodes.aligned != nullptr)
        throw base::InputError({}, "--rail-aligned does not go with flows that are spread over LIDs", "",
                               "leave one of them out");
}

Multipath evaluate_multipath(study::StudyPlan const& plan, MultipathOptions const& options) {
    auto const started = std::chrono::steady_clock::now();
    Multipath result;
    if (!plan.fabric->formula) result.lmc = largest_lmc(plan.fabric->network, plan.study_hosts);
    require_several_lids(plan, result.lmc);
    MultipathData const prepared(plan, result.lmc);
    result.spreads.assign(1, LidSpread::base);
    for (LidSpread const spread : options.spreads)
        if (std::find(result.spreads.begin(), result.spreads.end(), spread) == result.spreads.end())
            result.spreads.push_back(spread);
    result.columns.resize(result.spreads.size());
    result.threads = kernels::threads_to_use(options.threads);
    result.mappings = plan.study.sample.mappings;
    size_columns(result);
    MultipathWorkers workers;
    for (unsigned t = 0; t < result.threads; ++t)
        workers.push_back(std::make_unique<MultipathWorker>(plan, prepared, result.spreads));
    run(plan, options, workers, result);
    size_columns(result);
    sum_up(plan, prepared, workers, result);
    result.evaluate_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    return result;
}

}  // namespace tailback::evaluation
