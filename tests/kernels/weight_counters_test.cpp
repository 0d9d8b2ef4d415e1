// Counters of weights in shared memory count what counters of 64 bits count: narrow ones, for which no sum of weights
// is too large whatever the mapping, and those of two words that carry.
#include "host/study/plan/study_plan.hpp"
#include "kernels/evaluate/load_bound.hpp"
#include "kernels/executor.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/split_memory.hpp"
#include "tests/support/teams/team_of_threads.hpp"
#include "topologies/families/xgft.hpp"
#include "topologies/regular.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tailback::weight_counters_test {
namespace {

constexpr unsigned members = 4;
using Threads = ThreadTeam<false, true, ThreadDraws::by_lanes>;
using Narrow = WeightCounters<PackedCounters<WholeWords>>;
using NarrowAndSplit = WeightCounters<PackedCounters<SplitWords<ReachMemory>>>;

// ---- words that carry -----------------------------------------------------------------------------------------------

/// Four threads add to few counters what the sum of their amounts, modulo 2^64, tells.
TEST(CarryCounters, SumUpWhatThreadsAdd) {
    constexpr std::uint32_t count = 5, additions = 4000;
    TeamHub hub(members);
    TeamMemory memory(CarryCounters::bytes(count, 0));
    CarryCounters const counters = CarryCounters::at(memory.get(), 0);
    auto const amounts = [](unsigned member) {
        std::mt19937_64 random(member);
        std::vector<std::pair<std::uint32_t, std::uint64_t>> all;
        for (std::uint32_t i = 0; i < additions; ++i)
            all.emplace_back(random() % count, i % 3 == 0 ? 0xFFFFFFFF : random() >> random() % 64);
        return all;
    };
    run_members(members, [&](unsigned member) {
        Threads team(hub, member);
        for (auto const& [slot, amount] : amounts(member)) counters.add(team, slot, amount);
    });
    std::vector<std::uint64_t> want(count);
    for (unsigned member = 0; member < members; ++member)
        for (auto const& [slot, amount] : amounts(member)) want[slot] += amount;
    CpuTeam one;
    for (std::uint32_t slot = 0; slot < count; ++slot) EXPECT_EQ(counters.read(slot), want[slot]) << slot;
    counters.clear(one, 3);
    want[3] = 0;
    counters.drain(one, count, true, [&](std::uint32_t slot, std::uint64_t load) { EXPECT_EQ(load, want[slot]); });
    for (std::uint32_t slot = 0; slot < count; ++slot) EXPECT_EQ(counters.read(slot), 0u);
}

// ---- the bound ------------------------------------------------------------------------------------------------------

StudyPlan plan_of(Fabric const& fabric, std::vector<RankPair> const& flows, std::vector<std::uint64_t> const& weights,
                  std::vector<Metric> const& metrics = {Metric::hist_acc_band, Metric::sum_max_cong}) {
    Study study;
    study.traffic.pattern = listed_pattern;
    FlowList& list = study.traffic.listed_flows;
    list.ranks = list.measured_ranks = static_cast<std::uint32_t>(breadth_first_hosts(fabric, false).size());
    list.weights = weights;
    for (RankPair const& flow : flows) list.flows.push_back({flow.source, flow.destination});
    list.levels.push_back({.first_flow = 0, .flow_count = flows.size()});
    study.measures.metrics = metrics;
    study.sample.mappings = 2;
    return make_plan(fabric, study);
}

/// Two flows over the one spine: a link carries both where they start in one leaf, or end in one. Those of hosts carry
/// one each.
TEST(NarrowWeights, TheirBoundIsMetAroundEveryWidth) {
    Fabric const fabric = make_xgft({{4, 3}, {1, 1}, 0});
    for (std::uint64_t const sum : {std::uint64_t{0xFF}, std::uint64_t{0x100}, std::uint64_t{0xFFFF},
                                    std::uint64_t{0x10000}, std::uint64_t{0xFFFFFFFF}, std::uint64_t{0x100000000}}) {
        std::uint64_t const most = sum / 2 + 1;
        StudyPlan const plan = plan_of(fabric, {{1, 0}, {2, 3}}, {most, sum - most});
        ASSERT_NE(plan.problem.traffic.weights, nullptr);
        std::vector<MappingTally> tallies(60);
        make_cpu_executor(plan.problem, 1, CpuVariant::kernel_body)->evaluate(0, tallies);
        std::uint64_t largest = 0;
        for (MappingTally const& tally : tallies) largest = std::max(largest, tally.congestion_sum);
        EXPECT_EQ(largest, sum);
        std::optional<NarrowWeights> const narrow = narrow_weights(plan.problem);
        ASSERT_EQ(narrow.has_value(), sum <= 0xFFFFFFFF) << sum;
        if (!narrow) continue;
        EXPECT_EQ(narrow->bound, sum);
        EXPECT_EQ(packing_for(narrow->bound), sum <= 0xFF ? 2u : sum <= 0xFFFF ? 1u : 0u);
        std::vector<std::uint64_t> const wide(narrow->weight.begin(), narrow->weight.end());
        EXPECT_EQ(wide, std::vector(plan.problem.traffic.weights, plan.problem.traffic.weights + 2));
    }
}

/// A link has few users: the sum of all weights passes 32 bits, and no counter does.
TEST(NarrowWeights, AreThereWhereOnlyTheSumOfAllPasses32Bits) {
    Fabric const fabric = make_xgft({{4, 8}, {1, 4}, 0});
    std::vector<RankPair> flows;
    std::vector<std::uint64_t> weights;
    for (std::uint32_t r = 0; r < 32; ++r) {
        flows.push_back({r, (r + 5) % 32});
        weights.push_back(0x3FFFFFF0 + r % 2);
    }
    std::optional<NarrowWeights> const narrow = narrow_weights(plan_of(fabric, flows, weights).problem);
    ASSERT_TRUE(narrow);
    EXPECT_LE(narrow->bound, 4 * 0x3FFFFFF1u);
    weights[3] = std::uint64_t{1} << 32;  // one alone is too large
    EXPECT_FALSE(narrow_weights(plan_of(fabric, flows, weights).problem));
}

/// What a kernel brings along of each flow is what the problem has, where its least load fits 32 bits and all flows are
/// listed.
TEST(ListedFlows, AreTheProblemsOrNone) {
    Fabric const tree = make_xgft({{4, 3}, {1, 1}, 0});
    StudyPlan const plan = plan_of(tree, {{1, 0}, {1, 3}, {2, 3}}, {70000, 5, 9});
    std::vector<ListedFlow> const listed = listed_flows(plan.problem, narrow_weights(plan.problem).value());
    TrafficView const& traffic = plan.problem.traffic;
    ASSERT_EQ(listed.size(), traffic.flow_count);
    for (std::size_t f = 0; f < listed.size(); ++f) {
        EXPECT_EQ(listed[f].source, traffic.flows[f].source);
        EXPECT_EQ(listed[f].destination, traffic.flows[f].destination);
        EXPECT_EQ(listed[f].weight, traffic.weights[f]);
        EXPECT_EQ(listed[f].least, traffic.min_loads[f]);
    }
    Problem drawn = plan.problem;
    drawn.traffic.drawn_ranks[1] = 12;
    EXPECT_TRUE(listed_flows(drawn, narrow_weights(plan.problem).value()).empty());

    Fabric const one_switch = make_xgft({{8}, {1}, 0});  // no link between switches, so that no counter is too small
    for (std::uint64_t const sum : {std::uint64_t{0xFFFFFFFF}, std::uint64_t{0x100000000}}) {
        StudyPlan const busy = plan_of(one_switch, {{1, 0}, {1, 3}}, {sum / 2 + 1, sum - sum / 2 - 1});
        std::optional<NarrowWeights> const narrow = narrow_weights(busy.problem);
        ASSERT_TRUE(narrow);
        EXPECT_EQ(busy.problem.traffic.min_loads[0], sum);
        EXPECT_EQ(listed_flows(busy.problem, *narrow).size(), sum <= 0xFFFFFFFF ? 2u : 0u);
    }
}

// ---- whole mappings -------------------------------------------------------------------------------------------------

/// More of flows than shares and congestions.
bool wants_flows_apart(Problem const& p) {
    return p.measures.wants_histogram || p.measures.wants_route_links || p.measures.wants_link_sums || passes_delays(p);
}

template <bool plain>
void expect_the_same(StudyPlan const& plan) {
    Problem const& p = plan.problem;
    std::uint64_t const mappings = plan.study.sample.mappings;
    TeamRun const want = run_team<plain, std::uint64_t>(p, mappings, 1, [](unsigned) { return CpuTeam{}; });
    TeamHub hub(members);
    auto const thread = [&](unsigned member) { return Threads(hub, member); };
    EXPECT_EQ((run_team<plain, CarryCounters, std::uint16_t>(p, mappings, members, thread)), want);
    std::optional<NarrowWeights> const narrow = narrow_weights(p);
    if (!narrow) return;
    for (std::uint32_t packing = 0; packing <= packing_for(narrow->bound); ++packing) {
        auto const weigh = [&](Narrow& counters) { counters.weight = narrow->weight.data(); };
        EXPECT_EQ((run_team<plain, Narrow, std::uint16_t>(p, mappings, members, thread, packing, weigh)), want);
        if constexpr (plain) {
            std::vector<ListedFlow> const listed = listed_flows(p, *narrow);
            auto const list = [&](ListedFlowCounters& counters) { counters.flow = listed.data(); };
            if (!wants_flows_apart(p) && !listed.empty())
                EXPECT_EQ((run_team<true, ListedFlowCounters, std::uint16_t>(p, mappings, members, thread, 0, list)),
                          want);
        }
        std::vector<std::uint32_t> memory[2];
        for (auto& part : memory) part.resize(p.routes.slots + 2);
        std::uint32_t* const memories[] = {memory[0].data(), memory[1].data()};
        auto const split = [&](NarrowAndSplit& counters) {
            counters = {{{{memories}, memories[0], 1}, packing}, narrow->weight.data()};
        };
        EXPECT_EQ((run_team<plain, NarrowAndSplit>(p, mappings, members, thread, packing, split)), want);
    }
}

TEST(WeightCounters, CountWhatPlainOnesDoForEveryKindOfTeam) {
    std::mt19937_64 random(3);
    unsigned narrow = 0, wide = 0;
    auto const expect = [&](Fabric const& fabric, unsigned bits, std::vector<Metric> const& metrics) {
        auto const ranks = static_cast<std::uint32_t>(breadth_first_hosts(fabric, false).size());
        std::vector<RankPair> flows;
        std::vector<std::uint64_t> weights;
        for (std::uint32_t f = 0; f < 3 * ranks; ++f) {
            auto const from = std::uint32_t(random() % ranks), to = std::uint32_t(random() % ranks);
            if (from == to) continue;
            flows.push_back({from, to});
            weights.push_back(1 + (random() >> (64 - bits)));
        }
        StudyPlan const plan = plan_of(fabric, flows, weights, metrics);
        ++(narrow_weights(plan.problem) ? narrow : wide);
        expect_the_same<false>(plan);
        if (is_plain(plan.problem)) expect_the_same<true>(plan);
    };
    for (unsigned const bits : {3u, 10u, 24u, 40u})
        for (bool const all : {false, true}) {
            std::vector<Metric> const metrics = all ? metrics_of_all() : std::vector{Metric::hist_acc_band};
            expect(make_xgft({{3, 3, 4}, {1, 3, 3}, 0}), bits, metrics);
            expect(fabric_of(make_regular_xgft({{4, 4}, {1, 4}, 0}, "dmodk", "tree")), bits, metrics);
            for (char const* name : {"random rated graph", "chaos"}) expect(nasty_network(name), bits, metrics);
        }
    EXPECT_GE(narrow, 16u);
    EXPECT_GE(wide, 8u);
}

}  // namespace
}  // namespace tailback::weight_counters_test
