// What a mapping costs on a GPU, in operations that can be counted without one: increments of counters are the links of
// its routes that flows can share (in tables of three-level trees the half that leads up) and no more, barriers and
// warp operations are what drawing in windows needs. docs/performance-notebook.md has the numbers.
#include "host/study/plan/study_plan.hpp"
#include "kernels/executor.hpp"
#include "tests/emulated_gpu/emulated_gpu.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/against_cpu.hpp"
#include "topologies/families/xgft.hpp"
#include "topologies/regular.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace tailback::work_test {
namespace {

struct WorkCase {
    XgftSpec tree;
    bool arithmetic;
    bool only_up;  ///< half of the links are counted
    CudaTeamKind kind;
    std::uint32_t mappings;
    std::uint64_t most_warp_operations, most_block_barriers, most_cluster_barriers;  ///< a mapping
};

class WorkOfAMapping : public ::testing::TestWithParam<WorkCase> {
protected:
    void SetUp() override { emulated_gpu::reset(); }
    void TearDown() override { emulated_gpu::reset(); }
};

TEST_P(WorkOfAMapping, IsWhatItsDefinitionNeeds) {
    WorkCase const& c = GetParam();
    Fabric const fabric = c.arithmetic ? fabric_of(make_regular_xgft(c.tree, "dmodk", "tree")) : make_xgft(c.tree);
    auto const plan_for = [&](Metric metric) {
        Study study;
        study.traffic.pattern = "bisect";
        study.sample.mappings = 1'000'000'000;
        study.measures.metrics = {metric};
        return make_plan(fabric, study);
    };
    StudyPlan const plan = plan_for(Metric::hist_acc_band);
    std::unique_ptr<Executor> const executor = make_cuda_executor(plan.problem, c.kind);
    ASSERT_NE(executor, nullptr);
    std::vector<MappingTally> tallies(c.mappings);
    executor->evaluate(0, tallies);  // the first kernels since the reset
    emulated_gpu::Counts const counts = emulated_gpu::counts();
    std::uint64_t links = 0;  // of all mappings' flows, by the CPU
    {
        StudyPlan const with_links = plan_for(Metric::get_cable_cong);
        std::unique_ptr<Executor> const cpu = make_cpu_executor(with_links.problem, 0);
        std::vector<MappingTally> again(c.mappings);
        cpu->evaluate(0, again);
        std::vector<std::uint64_t> const sums = cpu->totals().link_sums;
        for (std::uint32_t slot = 0; slot < with_links.problem.routes.inner; ++slot) links += sums[slot];
        if (c.only_up) links /= 2;
    }
    auto const a_mapping = [&](std::uint64_t all) { return double(all) / c.mappings; };
    std::printf(
        "%u hosts, %u threads: %.0f links counted, %.0f atomics, %.0f warp operations, %.0f block barriers, %.0f "
        "cluster barriers a mapping\n",
        plan.problem.placement.ranks, executor->threads(), a_mapping(links), a_mapping(counts.atomics),
        a_mapping(counts.warp_operations), a_mapping(counts.block_barriers), a_mapping(counts.cluster_barriers));
    if (c.kind == CudaTeamKind::warp) {
        EXPECT_GE(counts.atomics, links);  // and each step of a permutation joins a cell
        EXPECT_LE(counts.atomics, links + std::uint64_t{c.mappings} * plan.problem.placement.ranks);
    } else {
        EXPECT_GE(counts.atomics, links);  // claims, too
    }
    EXPECT_LE(a_mapping(counts.warp_operations), double(c.most_warp_operations));
    EXPECT_LE(a_mapping(counts.block_barriers), double(c.most_block_barriers));
    EXPECT_LE(a_mapping(counts.cluster_barriers), double(c.most_cluster_barriers));
}

/// Sums of links are added up by block first, by one team or by many: atomics in global memory are a block's, not a
/// mapping's.
TEST(WorkOfLinkSums, IsABlocksAndNotAMappings) {
    Fabric const fabric = make_xgft({{6, 6, 4}, {1, 6, 6}, 0});
    Study study;
    study.traffic.pattern = "rand";
    study.sample.mappings = 1'000'000;
    study.measures.metrics = {Metric::get_cable_cong};
    StudyPlan const plan = make_plan(fabric, study);
    constexpr std::uint32_t mappings = 640;
    std::unique_ptr<Executor> const cpu = make_cpu_executor(plan.problem, 0);
    std::vector<MappingTally> tallies(mappings), again(mappings);
    cpu->evaluate(0, again);
    std::uint64_t links = 0;
    for (std::uint64_t const sum : cpu->totals().link_sums) links += sum != 0;
    for (CudaTeamKind const kind : {CudaTeamKind::block, CudaTeamKind::warp}) {
        emulated_gpu::Device small;
        small.multiprocessors = 2;
        emulated_gpu::reset(small);
        std::unique_ptr<Executor> const executor = make_cuda_executor(plan.problem, kind, {.turns = 8});
        ASSERT_NE(executor, nullptr);
        executor->evaluate(0, tallies);
        emulated_gpu::Counts const counts = emulated_gpu::counts();
        EXPECT_EQ(executor->totals(), cpu->totals());
        EXPECT_EQ(tallies, again);
        EXPECT_LE(counts.wide_atomics, links * 8 * executor->threads() / 32);
        EXPECT_LE(double(counts.wide_atomics) / mappings, double(links) / 2);
    }
    emulated_gpu::reset();
}

/// Links of hosts are summed up beside the counters of other links: drawn flows, flows of several levels, hosts with
/// many flows, and routes that hold the links of hosts themselves. With all metrics a warp still has its mapping to
/// itself.
TEST(WorkOfLinkSums, AreTheCpusWhateverFlowsThereAre) {
    Fabric const tree = make_xgft({{6, 6, 4}, {1, 6, 6}, 0}), line = nasty_network("long line");
    for (Fabric const* fabric : {&tree, &line})
        for (char const* pattern : {"bisect", "rand", "gather", "scatter", "bruck"})
            for (auto const& metrics : {metrics_of_all(), std::vector{Metric::get_cable_cong}}) {
                SCOPED_TRACE(pattern);
                Study study;
                study.traffic.pattern = pattern;
                study.sample.mappings = 1'000'000;
                study.measures.metrics = metrics;
                StudyPlan const plan = make_plan(*fabric, study);
                std::set<CudaTeamKind> const kinds = expect_the_cpus(plan.problem, 16);
                EXPECT_TRUE(kinds.count(CudaTeamKind::block));
                EXPECT_EQ(kinds.count(CudaTeamKind::warp), fabric == &tree);  // the line's routes are too long
            }
    Study study;
    study.traffic.pattern = "bisect";
    study.sample.mappings = 1'000'000'000;
    study.measures.metrics = metrics_of_all();
    Fabric const large = make_xgft({{12, 12, 8}, {1, 12, 12}, 1142});
    StudyPlan const plan = make_plan(large, study);
    LaunchFacts const facts = make_cuda_executor(plan.problem)->launch_facts().value();
    EXPECT_EQ(facts.kind, CudaTeamKind::warp);
    EXPECT_GE(facts.teams, 20 * facts.blocks);
}

/// Flows with weights are counted by additions of 32 bits where no sum passes them, and by two where one may: never by
/// additions of 64 bits, which are loops in shared memory.
TEST(WorkOfWeights, TakesNoAdditionsOf64Bits) {
    Fabric const fabric = make_xgft({{6, 6, 4}, {1, 6, 6}, 0});
    for (unsigned const bits : {20u, 40u})
        for (CudaTeamKind const kind : {CudaTeamKind::warp, CudaTeamKind::block}) {
            emulated_gpu::reset();
            Study study;
            study.traffic.pattern = listed_pattern;
            FlowList& list = study.traffic.listed_flows;
            list.ranks = list.measured_ranks = 144;
            for (std::uint32_t r = 0; r < 144; ++r) {
                list.flows.push_back({r, (r + 35) % 144});
                list.weights.push_back((std::uint64_t{1} << bits) + r);
            }
            list.levels.push_back({.first_flow = 0, .flow_count = 144});
            study.sample.mappings = 1'000'000;
            study.measures.metrics = {Metric::hist_acc_band};
            StudyPlan const plan = make_plan(fabric, study);
            std::unique_ptr<Executor> const executor = make_cuda_executor(plan.problem, kind);
            ASSERT_NE(executor, nullptr);
            std::vector<MappingTally> tallies(100), again(100);
            executor->evaluate(0, tallies);
            EXPECT_EQ(emulated_gpu::counts().wide_atomics, 0u);
            make_cpu_executor(plan.problem, 0)->evaluate(0, again);
            EXPECT_EQ(tallies, again);
        }
    emulated_gpu::reset();
}

/// Delays in shared memory are words of 32 bits: the larger of two of 64 is a loop there.
TEST(WorkOfDelays, TakesNoAtomicsOf64Bits) {
    Fabric const fabric = make_xgft({{6, 6, 4}, {1, 6, 6}, 0});
    for (CudaTeamKind const kind : {CudaTeamKind::warp, CudaTeamKind::block}) {
        emulated_gpu::reset();
        Study study;
        study.traffic.pattern = "bruck";
        study.measures.metrics = {Metric::dep_max_delay};
        StudyPlan const plan = make_plan(fabric, study);
        ASSERT_TRUE(passes_delays(plan.problem));
        std::unique_ptr<Executor> const executor = make_cuda_executor(plan.problem, kind);
        ASSERT_NE(executor, nullptr);
        std::vector<MappingTally> tallies(100), again(100);
        executor->evaluate(0, tallies);
        EXPECT_EQ(emulated_gpu::counts().wide_atomics, 0u);
        make_cpu_executor(plan.problem, 0)->evaluate(0, again);
        EXPECT_EQ(tallies, again);
    }
    emulated_gpu::reset();
}

/// In a full tree all flows of an all-to-all have one congestion. Each member of a team adds its own together: one
/// addition a mapping, and the team one to the histogram of all mappings.
TEST(WorkOfAnAllToAll, FlowsOfOneCongestionAreAddedTogether) {
    constexpr std::uint64_t mappings = 4;
    Fabric const fabric = make_xgft({{6, 6, 4}, {1, 6, 6}, 0});
    std::uint64_t atomics[2] = {}, threads = 0;
    for (bool const histogram : {false, true}) {
        Study study;
        study.traffic.pattern = "all-to-all";
        study.traffic.may_leave_flows_unlisted = true;
        study.measures.metrics = {Metric::hist_acc_band};
        if (histogram) study.measures.metrics.push_back(Metric::hist_max_cong);
        StudyPlan const plan = make_plan(fabric, study);
        emulated_gpu::reset();
        std::unique_ptr<Executor> const executor = make_cuda_executor(plan.problem);
        std::vector<MappingTally> tallies(mappings);
        executor->evaluate(0, tallies);
        atomics[histogram] = emulated_gpu::counts().atomics;
        threads = executor->launch_facts()->threads;
    }
    emulated_gpu::reset();
    EXPECT_GT(atomics[1], atomics[0]);
    EXPECT_LE(atomics[1] - atomics[0], mappings * (threads + 1));  // a flow each would be 20,592 a mapping
}

/// An all-to-all's loads and histograms lie in shared memory, on a device with little of it the histograms alone.
TEST(WorkOfAnAllToAll, IsInSharedMemoryAsFarAsItFits) {
    Fabric const fabric = make_xgft({{6, 6, 4}, {1, 6, 6}, 0});
    Study study;
    study.traffic.pattern = "all-to-all";
    study.traffic.may_leave_flows_unlisted = true;
    study.measures.metrics = {Metric::hist_acc_band, Metric::hist_max_cong};
    StudyPlan const plan = make_plan(fabric, study);
    ASSERT_TRUE(plan.problem.traffic.all_to_all);
    std::vector<MappingTally> tallies(4), again(4);
    std::unique_ptr<Executor> const cpu = make_cpu_executor(plan.problem, 0);
    cpu->evaluate(0, again);
    for (bool const little : {false, true}) {
        emulated_gpu::Device device;
        if (little) device.shared_a_block = 8 << 10;
        emulated_gpu::reset(device);
        std::unique_ptr<Executor> const executor = make_cuda_executor(plan.problem);
        executor->evaluate(0, tallies);
        EXPECT_EQ(tallies, again);
        EXPECT_EQ(executor->totals(), cpu->totals());
        std::size_t const shared = executor->launch_facts()->shared_bytes, loads = 4 * plan.problem.routes.slots;
        EXPECT_EQ(shared >= 4096 + loads, !little);
        EXPECT_GE(shared, 4096u);
        EXPECT_LE(emulated_gpu::counts().wide_atomics, 4 * 1024u);  // a flow each would be 20,592 a mapping
    }
    emulated_gpu::reset();
}

INSTANTIATE_TEST_SUITE_P(
    BySize, WorkOfAMapping,
    ::testing::Values(WorkCase{{{8, 16}, {1, 8}, 0}, false, false, CudaTeamKind::warp, 200, 100, 1, 0},
                      WorkCase{{{12, 12, 8}, {1, 12, 12}, 1142}, false, true, CudaTeamKind::warp, 100, 420, 1, 0},
                      WorkCase{{{18, 18, 36}, {1, 18, 18}, 0}, false, true, CudaTeamKind::block, 10, 230, 490, 0},
                      WorkCase{{{32, 32, 64}, {1, 32, 32}, 0}, true, false, CudaTeamKind::cluster, 4, 900, 590, 13}));

}  // namespace
}  // namespace tailback::work_test
