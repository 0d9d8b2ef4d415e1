// Other GPUs than the largest: those without clusters, with less shared memory, with little memory of any kind. The
// tallies are the CPU's on each, and what does not fit is told.
#include "host/base/error.hpp"
#include "host/evaluation/device/device_rates.hpp"
#include "host/evaluation/evaluation.hpp"
#include "kernels/device_error.hpp"
#include "kernels/executor.hpp"
#include "tests/emulated_gpu/emulated_gpu.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/against_cpu.hpp"
#include "tests/support/teams/team_scenarios.hpp"
#include "topologies/families/xgft.hpp"
#include "topologies/regular.hpp"

#include <gtest/gtest.h>

#include <cuda_runtime.h>

namespace tailback::devices_test {
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
    study.traffic.pattern = pattern;
    study.placement.ranks = ranks;
    study.measures.metrics = {Metric::hist_acc_band, Metric::sum_max_cong};
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
            expect_the_cpus(scenario.plan.problem,
                            scenario.plan.problem.placement.source == MappingSource::listed ? 0 : 12);
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

/// A team that draws one subset after the other finds its hosts in their order each time.
TEST_F(Devices, DrawSubsetsOneAfterTheOther) {
    emulated_gpu::reset(device(9, 227 << 10, 228 << 10, 1));
    Fabric const network = make_xgft({{6, 6, 4}, {1, 6, 6}, 0});
    Study study;
    study.traffic.pattern = "rand";
    study.placement.ranks = 17;
    study.placement.subset = SubsetKind::random;
    study.measures.metrics = {Metric::hist_acc_band, Metric::sum_max_cong};
    StudyPlan const plan = make_plan(network, study);
    Outcome const cpu = run(*make_cpu_executor(plan.problem, 0), 60, 0);
    for (CudaTeamKind const kind : {CudaTeamKind::warp, CudaTeamKind::block, CudaTeamKind::global}) {
        SCOPED_TRACE(int(kind));
        std::unique_ptr<Executor> const executor =
            make_cuda_executor(plan.problem, kind, {.turns = 1, .teams_a_block = 1});
        ASSERT_NE(executor, nullptr);
        EXPECT_EQ(run(*executor, 60, 0).tallies, cpu.tallies);
    }
}

/// A team that evaluates one mapping after the other leaves nothing of one to the next.
TEST_F(Devices, LeaveNothingOfAMappingToTheNext) {
    emulated_gpu::reset(device(9, 227 << 10, 228 << 10, 1));
    Fabric const network = make_xgft({{3, 3, 4}, {1, 3, 3}, 0});
    Study study;
    study.traffic.pattern = listed_pattern;
    FlowList& list = study.traffic.listed_flows;
    list.ranks = list.measured_ranks = 36;
    for (std::uint32_t r = 0; r < 36; ++r) {
        list.flows.push_back({r, (r + 7) % 36});
        list.weights.push_back(1000 + r);
    }
    list.levels.push_back({.first_flow = 0, .flow_count = 36});
    study.measures.metrics = {Metric::hist_acc_band, Metric::hist_max_cong, Metric::hop_bytes};
    StudyPlan const plan = make_plan(network, study);
    Outcome const cpu = run(*make_cpu_executor(plan.problem, 0), 100, 0);
    for (CudaTeamKind const kind : {CudaTeamKind::warp, CudaTeamKind::block, CudaTeamKind::global}) {
        SCOPED_TRACE(int(kind));
        std::unique_ptr<Executor> const executor =
            make_cuda_executor(plan.problem, kind, {.turns = 1, .teams_a_block = 1});
        ASSERT_NE(executor, nullptr);
        ASSERT_LT(executor->launch_facts()->teams, 100u);
        Outcome const cuda = run(*executor, 100, 0);
        EXPECT_EQ(cuda.tallies, cpu.tallies);
        EXPECT_EQ(cuda.totals, cpu.totals);
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

/// Blocks that need little shared memory each, and much side by side, ask for it.
TEST_F(Devices, ManySmallBlocksStandSideBySide) {
    Fabric const network = make_xgft({{6, 6, 4}, {1, 6, 6}, 0});
    StudyPlan const plan = plan_of(network, "bisect");
    std::unique_ptr<Executor> const executor = make_cuda_executor(plan.problem, CudaTeamKind::block);
    ASSERT_NE(executor, nullptr);
    EXPECT_GE(executor->threads(), emulated_gpu::Device().multiprocessors * 900);
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
    emulated_gpu::reset(std::vector<emulated_gpu::Device>{});
    CudaDevices const found = find_cuda_devices();
    EXPECT_TRUE(found.names.empty() && found.refused.empty());
    EXPECT_EQ(found.reason, "no CUDA-capable device is detected");
}

/// Where a study runs under `auto` or `cuda`, and what is noted. It is stopped after its first batch.
struct RanOn {
    std::string device, note;
    Evaluation found;
};
RanOn ran_on(DeviceChoice choice, std::uint64_t mappings, Metric metric = Metric::hist_acc_band) {
    Fabric const network = make_xgft({{6, 6, 4}, {1, 6, 6}, 0});
    Study study;
    study.traffic.pattern = "bisect";
    study.measures.metrics = {metric};
    study.sample.mappings = mappings;
    StudyPlan const plan = make_plan(network, study);
    RanOn ran;
    ExecutionOptions options{.device = choice, .threads = 2, .batch = 16};
    options.tell_device = [&](std::string const& device, std::string const& note) {
        ran.device = device;
        ran.note = note;
    };
    options.stop = [] { return true; };
    ran.found = evaluate(plan, options);
    EXPECT_EQ(ran.found.device, ran.device);
    EXPECT_EQ(ran.found.mappings, std::min<std::uint64_t>(mappings, 16));
    return ran;
}
constexpr std::uint64_t many = 1'000'000'000;

/// Automatic: a study that the CPU has done before a device is ready stays there.
TEST_F(Devices, StudiesThatPayAreTheirs) {
    emulated_gpu::reset();
    EXPECT_EQ(ran_on(DeviceChoice::automatic, many).device, "emulated GPU");
    EXPECT_EQ(ran_on(DeviceChoice::automatic, 1000).device, "cpu");
    EXPECT_EQ(ran_on(DeviceChoice::cpu, many).device, "cpu");
    EXPECT_EQ(ran_on(DeviceChoice::cuda, 100).device, "emulated GPU");
}

/// Automatic: completion times and max-min rates stay on the CPU however long they take, until a measured rate says
/// otherwise, and that is told where there is a device and they take long. `cuda` takes it all the same. What is found
/// is the same.
TEST_F(Devices, WhatSharesLinksIsTheCpus) {
    emulated_gpu::reset();
    for (auto const& [metric, kind] :
         {std::pair{Metric::makespan, WorkKind::completion_times}, {Metric::max_min_band, WorkKind::max_min_rates}}) {
        Advice const advice = advise(rate_of(kind, 144), 1000, 2);
        RanOn const ran = ran_on(DeviceChoice::automatic, many, metric);
        EXPECT_EQ(ran.device, advice.cuda ? "emulated GPU" : "cpu");
        EXPECT_EQ(ran.note, advice.cuda
                                ? ""
                                : "on the CPU: " + advice.against + " (--device cuda asks for the GPU all the same)");
        EXPECT_EQ(ran_on(DeviceChoice::automatic, 1000, metric).note, "");
        RanOn const asked = ran_on(DeviceChoice::cuda, many, metric);
        EXPECT_EQ(asked.device, "emulated GPU");
        EXPECT_EQ(asked.note, "");
        EXPECT_EQ(asked.found.numbers.at(metric).mean(), ran.found.numbers.at(metric).mean());
        emulated_gpu::reset(std::vector<emulated_gpu::Device>{});
        EXPECT_EQ(ran_on(DeviceChoice::automatic, many, metric).note, "");
        emulated_gpu::reset();
    }
    RanOn const taken = ran_on(DeviceChoice::automatic, many), not_asked = ran_on(DeviceChoice::cpu, many);
    EXPECT_EQ(taken.device, "emulated GPU");
    EXPECT_EQ(taken.note, "");
    EXPECT_EQ(taken.found.numbers.at(Metric::hist_acc_band).mean(),
              not_asked.found.numbers.at(Metric::hist_acc_band).mean());
}

/// A device without code for it, one that another process has to itself, one whose memory is full, an old driver:
/// `auto` notes the reason and takes the CPU, `cuda` tells it.
TEST_F(Devices, OnesThatCannotBeUsedAreLeftAlone) {
    struct Case {
        char const* what;
        unsigned compiled_for;
        int refuses_context;
        bool old_driver;
        char const* reason;
    };
    for (Case const& c : {Case{"no code", 0, 0, false, "no kernel image is available"},
                          Case{"exclusive", 90, cudaErrorDevicesUnavailable, false, "busy or unavailable"},
                          Case{"no memory for a context", 90, cudaErrorMemoryAllocation, false, "out of memory"},
                          Case{"old driver", 90, 0, true, "driver version is insufficient"}}) {
        SCOPED_TRACE(c.what);
        emulated_gpu::Device each;
        each.name = "old card";
        each.compiled_for = c.compiled_for;
        each.refuses_context = c.refuses_context;
        emulated_gpu::reset(each);
        if (c.old_driver) emulated_gpu::use_old_driver();
        CudaDevices const found = find_cuda_devices();
        EXPECT_TRUE(found.names.empty());
        ASSERT_EQ(found.refused.size(), 1u);
        EXPECT_NE(found.refused.front().find(c.reason), std::string::npos) << found.refused.front();
        RanOn const ran = ran_on(DeviceChoice::automatic, many);
        EXPECT_EQ(ran.device, "cpu");
        EXPECT_NE(ran.note.find(c.reason), std::string::npos) << ran.note;
        try {
            ran_on(DeviceChoice::cuda, many);
            ADD_FAILURE() << "cuda was asked for and is not there";
        } catch (InputError const& error) {
            EXPECT_NE(std::string(error.what()).find(c.reason), std::string::npos) << error.what();
        }
    }
}

TEST_F(Devices, TheNextIsTakenWhereTheFirstCannotBeUsed) {
    emulated_gpu::Device old, good;
    old.name = "old card";
    old.compiled_for = 0;
    good.name = "good card";
    emulated_gpu::reset({old, good});
    CudaDevices const found = find_cuda_devices();
    EXPECT_EQ(found.names, std::vector<std::string>{"good card"});
    EXPECT_EQ(found.refused.size(), 1u);
    EXPECT_EQ(ran_on(DeviceChoice::automatic, many).device, "good card");
    emulated_gpu::reset({good, old, good});
    for (unsigned const wanted : {0u, 1u, 2u, 3u, 4u}) {
        prefer_cuda_device(wanted);
        int current = -1;
        EXPECT_EQ(use_cuda_device().names, std::vector<std::string>{"good card"});
        cudaGetDevice(&current);
        EXPECT_EQ(current, wanted % 3 == 0 ? 0 : 2);
    }
    prefer_cuda_device(0);
}

/// A context is made on the device that is used, on those that were tried in vain before, and on no other; to be told
/// that there are devices makes none.
TEST_F(Devices, OthersThanTheOneInUseHaveNoContext) {
    emulated_gpu::Device good, without_code;
    without_code.compiled_for = 0;
    emulated_gpu::reset({good, good, good});
    EXPECT_TRUE(lists_cuda_device());
    EXPECT_EQ(emulated_gpu::contexts(), 0u);
    EXPECT_EQ(ran_on(DeviceChoice::automatic, 1000).device, "cpu");
    EXPECT_EQ(ran_on(DeviceChoice::cpu, many).device, "cpu");
    EXPECT_EQ(emulated_gpu::contexts(), 0u);
    EXPECT_EQ(ran_on(DeviceChoice::automatic, many).device, good.name);
    EXPECT_EQ(ran_on(DeviceChoice::cuda, 100).device, good.name);
    EXPECT_EQ(emulated_gpu::contexts(), 1u);
    emulated_gpu::reset({without_code, good, good});
    EXPECT_EQ(ran_on(DeviceChoice::cuda, 100).device, good.name);
    EXPECT_EQ(emulated_gpu::contexts(), 2u);
}

/// An executor asks its device what it is once.
TEST_F(Devices, IsAskedOnceByAnExecutor) {
    Fabric const fabric = make_xgft({{4, 4}, {1, 4}, 0});
    Study study;
    study.traffic.pattern = "rand";
    study.measures.metrics = {Metric::hist_acc_band};
    StudyPlan const plan = make_plan(fabric, study);
    for (CudaTeamKind const kind : {CudaTeamKind::warp, CudaTeamKind::global}) {
        emulated_gpu::reset();
        std::unique_ptr<Executor> const executor = make_cuda_executor(plan.problem, kind);
        ASSERT_NE(executor, nullptr);
        EXPECT_EQ(emulated_gpu::property_queries(), 1u);
    }
}

/// A device that works, and has no room for the study: `auto` takes the CPU, `cuda` tells why not.
TEST_F(Devices, AStudyThatDoesNotFitIsTheCpus) {
    emulated_gpu::Device each;
    each.memory = 4 << 10;
    emulated_gpu::reset(each);
    RanOn const ran = ran_on(DeviceChoice::automatic, many);
    EXPECT_EQ(ran.device, "cpu");
    EXPECT_NE(ran.note.find("does not fit"), std::string::npos) << ran.note;
    EXPECT_THROW(ran_on(DeviceChoice::cuda, many), DeviceError);
}

}  // namespace
}  // namespace tailback::devices_test
