// Other GPUs than the largest: those without clusters, with less shared memory, with little memory of any kind. The
// tallies are the CPU's on each, and what does not fit is told.
#include "kernels/executor.hpp"
#include "tests/emulated_gpu/emulated_gpu.hpp"
#include "tests/support/against_cpu.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/team_scenarios.hpp"
#include "topologies/regular.hpp"
#include "topologies/xgft.hpp"

#include <gtest/gtest.h>

namespace tailback {
namespace {

class Devices : public ::testing::Test {
protected:
    void TearDown() override { emulated_gpu::reset(); }
};

emulated_gpu::Device device(unsigned generation, std::size_t shared_a_block, std::size_t shared_a_multiprocessor,
                            unsigned multiprocessors) {
    emulated_gpu::Device found;
    found.generation = generation;
    found.shared_a_block = shared_a_block;
    found.shared_a_multiprocessor = shared_a_multiprocessor;
    found.multiprocessors = multiprocessors;
    return found;
}

StudyPlan plan_of(Fabric const& network, std::string const& pattern, std::uint32_t ranks = 0) {
    Study study;
    study.pattern = pattern;
    study.ranks = ranks;
    study.metrics = {Metric::hist_acc_band, Metric::sum_max_cong};
    return make_plan(network, study);
}

TEST_F(Devices, TalliesAreTheCpusOnEach) {
    Fabric const network = fabric_of(make_regular_xgft({{32, 32, 80}, {1, 32, 32}, 0}, "dmodk", "tree"));
    emulated_gpu::Device small = device(7, 48 << 10, 64 << 10, 1);
    small.l2_bytes = 1 << 20;
    for (emulated_gpu::Device const& each : {device(8, 163 << 10, 164 << 10, 5), device(8, 99 << 10, 100 << 10, 3),
                                             small, device(9, 227 << 10, 228 << 10, 5)}) {
        emulated_gpu::reset(each);
        SCOPED_TRACE(each.generation * 1000 + (each.shared_a_block >> 10));
        for (TeamScenario const& scenario : team_scenarios()) {
            SCOPED_TRACE(scenario.name);
            expect_the_cpus(scenario.plan.problem, scenario.plan.problem.placement == Placement::listed ? 0 : 12);
        }
        for (std::uint32_t const ranks : {100u, 1142u, 5000u, 30000u}) {
            SCOPED_TRACE(ranks);
            for (char const* pattern : {"bisect", "rand"}) {
                std::set<CudaTeamKind> const tried =
                    expect_the_cpus(plan_of(network, pattern, ranks).problem, ranks > 2000 ? 2 : 12);
                EXPECT_EQ(tried.contains(CudaTeamKind::cluster), each.generation >= 9);
            }
        }
    }
}

/// Clusters of 16 blocks are not on every device that has clusters: the largest that there is, or counters in L2.
TEST_F(Devices, ClustersAsLargeAsTheDeviceMakesThem) {
    Fabric const network = fabric_of(make_regular_xgft({{32, 32, 80}, {1, 32, 32}, 0}, "dmodk", "tree"));
    StudyPlan const plan = plan_of(network, "bisect", 65536);
    for (unsigned const largest : {16u, 8u, 4u, 1u}) {
        SCOPED_TRACE(largest);
        emulated_gpu::Device each;
        each.largest_cluster = largest;
        emulated_gpu::reset(each);
        expect_the_cpus(plan.problem, 2);
    }
}

/// A device with clusters whose driver translated code for sm_80: there the body of those kernels is empty.
TEST_F(Devices, NoClustersWhereTheCodeIsOfAnOlderDevice) {
    Fabric const network = fabric_of(make_regular_xgft({{32, 32, 80}, {1, 32, 32}, 0}, "dmodk", "tree"));
    StudyPlan const plan = plan_of(network, "bisect", 65536);
    for (unsigned const compiled_for : {80u, 90u, 100u}) {
        SCOPED_TRACE(compiled_for);
        emulated_gpu::Device each;
        each.compiled_for = compiled_for;
        emulated_gpu::reset(each);
        EXPECT_EQ(expect_the_cpus(plan.problem, 2).contains(CudaTeamKind::cluster), compiled_for >= 90);
    }
}

/// An attribute is a kernel's, not a launch's: a later executor that needs less shared memory takes none from an
/// earlier one.
TEST_F(Devices, ExecutorsOfTheSameKernelSideBySide) {
    Fabric const large = fabric_of(make_regular_xgft({{18, 18, 36}, {1, 18, 18}, 0}, "dmodk", "tree")),
                 small = fabric_of(make_regular_xgft({{6, 6, 4}, {1, 6, 6}, 0}, "dmodk", "tree"));
    std::vector<StudyPlan> plans;
    std::vector<std::unique_ptr<Executor>> executors;
    for (Fabric const* const network : {&large, &small}) plans.push_back(plan_of(*network, "bisect"));
    for (StudyPlan const& plan : plans) {
        executors.push_back(make_cuda_executor(plan.problem, CudaTeamKind::block));
        ASSERT_NE(executors.back(), nullptr);
    }
    for (std::size_t k = 0; k < plans.size(); ++k) {
        std::vector<MappingTally> tallies(2), want(2);
        executors[k]->evaluate(0, tallies);
        make_cpu_executor(plans[k].problem, 0)->evaluate(0, want);
        EXPECT_EQ(tallies, want);
    }
}

TEST_F(Devices, NothingStaysInItsMemory) {
    std::size_t const before = emulated_gpu::memory_in_use();
    for (TeamScenario const& scenario : team_scenarios()) {
        std::unique_ptr<Executor> const executor = make_cuda_executor(scenario.plan.problem);
        EXPECT_GT(emulated_gpu::memory_in_use(), before);
    }
    EXPECT_EQ(emulated_gpu::memory_in_use(), before);
}

TEST_F(Devices, AStudyThatDoesNotFitIsToldSo) {
    Fabric const network = fabric_of(make_regular_xgft({{32, 32, 80}, {1, 32, 32}, 0}, "dmodk", "tree"));
    StudyPlan const plan = plan_of(network, "bisect", 65536);
    std::size_t fits = 0;
    for (std::size_t memory = 4 << 10; memory <= 256 << 20; memory *= 4) {
        emulated_gpu::Device each;
        each.memory = memory;
        emulated_gpu::reset(each);
        std::size_t const before = emulated_gpu::memory_in_use();
        try {
            std::unique_ptr<Executor> const executor = make_cuda_executor(plan.problem);
            std::vector<MappingTally> tallies(2), want(2);
            executor->evaluate(0, tallies);
            make_cpu_executor(plan.problem, 0)->evaluate(0, want);
            EXPECT_EQ(tallies, want);
            ++fits;
        } catch (std::exception const& error) {
            EXPECT_NE(std::string(error.what()).find("does not fit into the device's memory"), std::string::npos)
                << memory << ": " << error.what();
            EXPECT_EQ(fits, 0u);
        }
        EXPECT_EQ(emulated_gpu::memory_in_use(), before);
    }
    EXPECT_GT(fits, 0u);
}

TEST_F(Devices, NoneIsToldWithItsReason) {
    emulated_gpu::reset(device(9, 227 << 10, 228 << 10, 0));
    CudaDevices const found = find_cuda_devices();
    EXPECT_TRUE(found.names.empty());
    EXPECT_EQ(found.reason, "no CUDA-capable device is detected");
}

}  // namespace
}  // namespace tailback
