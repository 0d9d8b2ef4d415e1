// Flows that every switch divides equally among its candidate ports: a random permutation of all hosts, and all pairs,
// on a full tree with full minimal sets. Checked: a permutation loads no link of a full tree with more than one flow.
#include "bench/rooms.hpp"
#include "host/api/obtain.hpp"
#include "host/evaluation/adaptive/equal_split.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <random>
#include <stdexcept>

namespace tailback::bench {
namespace {

struct Sets {
    explicit Sets(char const* spec) : fabric(routed(spec)), forwarding(fabric) {
        for (std::size_t h = 0; h < fabric.network.hosts().size(); ++h) hosts.emplace_back(h);
        costs = model::link_costs(fabric.network, model::CapacityKind::from_rates);
    }
    static Fabric routed(char const* spec) {
        api::NetworkChoice choice{std::string(spec)};
        choice.routing = topologies::RoutingSpec("ar:minimal", 1);
        return api::obtain({choice}, {});
    }
    Fabric fabric;
    Forwarding forwarding;
    std::vector<Host> hosts;
    model::LinkCosts costs;
};
Sets const& sets_of_tree() {
    static Sets const sets("xgft:m=18x18x36,w=1x18x18");
    return sets;
}

void permutation(benchmark::State& state) {
    Sets const& sets = sets_of_tree();
    model::ChoiceGraph const graph(sets.forwarding, model::ChoicesOf::sets, sets.hosts);
    evaluation::SplitPlan const plan(graph, sets.hosts, 1);
    evaluation::EqualSplit equal(plan, sets.costs);
    std::mt19937 random(1);
    std::vector<Host> to = sets.hosts;
    std::vector<evaluation::HostFlow> flows;
    for (auto _ : state) {
        state.PauseTiming();
        std::shuffle(to.begin(), to.end(), random);
        flows.clear();
        for (std::size_t h = 0; h < to.size(); ++h)
            if (to[h] != sets.hosts[h]) flows.push_back({sets.hosts[h], to[h], 1});
        state.ResumeTiming();
        if (equal.carry(flows).largest() != plan.unit()) throw std::logic_error("a link of a full tree has too much");
    }
    state.SetItemsProcessed(state.iterations());  // permutations
}

/// @param prepares the plan, too
void all_pairs(benchmark::State& state, bool prepares) {
    Sets const& sets = sets_of_tree();
    auto const threads = static_cast<unsigned>(state.range(0));
    model::ChoiceGraph const graph(sets.forwarding, model::ChoicesOf::sets, sets.hosts);
    evaluation::SplitPlan const kept(graph, sets.hosts, threads);
    for (auto _ : state) {
        std::vector<std::uint64_t> const loads =
            prepares ? evaluation::EqualSplit(evaluation::SplitPlan(graph, sets.hosts, threads), sets.costs)
                           .all_pairs(sets.hosts, threads)
                     : evaluation::EqualSplit(kept, sets.costs).all_pairs(sets.hosts, threads);
        benchmark::DoNotOptimize(loads.data());
    }
}

BENCHMARK(permutation)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(all_pairs, planned, false)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(all_pairs, from_sets, true)->Arg(1)->Arg(2)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace tailback::bench

BENCHMARK_MAIN();
