// What sharing the links of a mapping costs on a GPU, in operations that can be counted without one
// (docs/performance-notebook.md has the numbers): rounds are few and end at barriers, nothing is added in 64 bits but
// to sums over all mappings, and a completion costs what it reaches.
#include "bench/cuda_cases.hpp"
#include "kernels/executor.hpp"
#include "tests/emulated_gpu/emulated_gpu.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <cstdio>

namespace tailback::sharing_work_test {
namespace {

struct SharingWork {
    char const* name;  ///< a case of bench/cuda_cases.cpp
    std::uint32_t mappings;
    std::uint64_t most_atomics, most_wide_atomics, most_barriers;  ///< a mapping
};

class WorkOfSharing : public ::testing::TestWithParam<SharingWork> {};

TEST_P(WorkOfSharing, IsOfContendedLinksAlone) {
    SharingWork const& work = GetParam();
    emulated_gpu::reset();
    for (bench::StudyCase const& one : bench::study_cases()) {
        if (one.name != work.name) continue;
        StudyPlan const plan = plan_of(one, bench::BenchSize::whole);
        std::unique_ptr<Executor> const executor = make_cuda_executor(plan.problem);
        std::vector<MappingTally> tallies(work.mappings);
        executor->evaluate(0, tallies);
        emulated_gpu::Counts const counts = emulated_gpu::counts();
        LaunchFacts const facts = executor->launch_facts().value();
        auto const a_mapping = [&](std::uint64_t all) { return double(all) / work.mappings; };
        std::printf(
            "%s: %u threads, %zu bytes of shared memory; %.0f atomics, %.0f of 64 bits, %.0f barriers, %.0f warp "
            "operations a mapping\n",
            work.name, facts.threads, facts.shared_bytes, a_mapping(counts.atomics), a_mapping(counts.wide_atomics),
            a_mapping(counts.block_barriers), a_mapping(counts.warp_operations));
        EXPECT_EQ(facts.kind, CudaTeamKind::block);
        EXPECT_LE(a_mapping(counts.atomics), double(work.most_atomics));
        EXPECT_LE(a_mapping(counts.wide_atomics), double(work.most_wide_atomics));
        EXPECT_LE(a_mapping(counts.block_barriers), double(work.most_barriers));
        emulated_gpu::reset();
        return;
    }
    FAIL() << "no case has the name " << work.name;
}

INSTANTIATE_TEST_SUITE_P(ByCase, WorkOfSharing,
                         ::testing::Values(SharingWork{"sharing/1152/max-min", 20, 7000, 20, 90},
                                           SharingWork{"sharing/1142/makespan", 2, 40000, 1300, 12500}));

}  // namespace
}  // namespace tailback::sharing_work_test
