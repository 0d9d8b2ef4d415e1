// What equal division costs on a GPU, in operations that can be counted without one (docs/performance-notebook.md has
// the numbers): a mapping adds to the sums of ports once a row and class that its flows meet, and to nothing else but
// where flows enter; barriers are those between the stages of a level, for 32 mappings at once.
#include "bench/cuda_cases.hpp"
#include "kernels/executor.hpp"
#include "tests/emulated_gpu/emulated_gpu.hpp"
#include "tests/support/networks/divided_study.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace tailback::division_work_test {
namespace {

TEST(WorkOfDivision, IsOfTheRowsThatFlowsMeet) {
    constexpr std::uint32_t mappings = 32, hosts = 1152, rows = 96 + 96 + 144, classes = 96;
    for (bench::StudyCase const& one : bench::study_cases()) {
        if (one.name != "division/1152-sets/bisect") continue;
        bench::PlannedCase const planned(one, bench::BenchSize::whole);
        emulated_gpu::reset();
        std::unique_ptr<Executor> const executor = planned.on_cuda();
        std::vector<MappingTally> tallies(mappings);
        executor->evaluate(0, tallies);
        emulated_gpu::Counts const counts = emulated_gpu::counts();
        LaunchFacts const facts = executor->launch_facts().value();
        auto const a_mapping = [&](std::uint64_t all) { return double(all) / mappings; };
        std::printf(
            "%u blocks of %u threads, %zu bytes of shared memory; %.0f atomics, %.0f of 64 bits, %.1f barriers "
            "a mapping\n",
            facts.blocks, facts.threads, facts.shared_bytes, a_mapping(counts.atomics), a_mapping(counts.wide_atomics),
            a_mapping(counts.block_barriers));
        EXPECT_EQ(facts.kind, CudaTeamKind::block);
        // A row and class each, and a flow's two host links, cell and clearing.
        EXPECT_LE(a_mapping(counts.wide_atomics), double(rows * classes + 4 * hosts));
        EXPECT_GE(a_mapping(counts.wide_atomics), double(hosts));
        emulated_gpu::reset();
        return;
    }
    FAIL() << "no case has the name";
}

/// All lanes of a warp have the same link at once: its sum takes an atomic for 32 mappings.
TEST(WorkOfDivision, SumsOfLinksAreAddedForAWarp) {
    constexpr std::uint32_t mappings = 64;
    std::uint64_t wide[2] = {}, links = 0;
    for (bool const sums : {false, true}) {
        Study study;
        study.traffic.pattern = "rand";
        study.sample.mappings = 1000;
        study.measures.metrics = {Metric::hist_acc_band, Metric::sum_max_cong};
        if (sums) study.measures.metrics.push_back(Metric::get_cable_cong);
        DividedStudy const divided(bench::fabric_with_sets("xgft:m=8x8,w=1x8", "ar:minimal"), study);
        links = divided.fabric.network.links().size();
        DivisionView const view = divided.tables.view();
        emulated_gpu::reset();
        auto const executor = make_cuda_executor(divided.plan.problem, {}, {}, &view);
        std::vector<MappingTally> tallies(mappings);
        executor->evaluate(0, tallies);
        wide[sums] = emulated_gpu::counts().wide_atomics;
    }
    emulated_gpu::reset();
    EXPECT_GT(wide[1], wide[0]);
    EXPECT_LE(wide[1] - wide[0], links * mappings / 32);
}

}  // namespace
}  // namespace tailback::division_work_test
