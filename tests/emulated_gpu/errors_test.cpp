// An error of a device ends in an exception that says why, at whatever call it shows: nothing aborts, although every
// call fails from then on, those that give memory back among them.
#include "host/audit/loads/all_pairs.hpp"
#include "host/base/error.hpp"
#include "host/model/pack/route_store.hpp"
#include "kernels/device_error.hpp"
#include "kernels/executor.hpp"
#include "tests/emulated_gpu/emulated_gpu.hpp"
#include "tests/support/networks/table_fabrics.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/outcome.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <functional>
#include <set>

namespace tailback::errors_test {
namespace {

class DeviceErrors : public ::testing::Test {
protected:
    void SetUp() override { emulated_gpu::reset(); }
    void TearDown() override { emulated_gpu::reset(); }
};

/// What gives back is called by destructors, which throw nothing.
bool gives_back(std::string const& call) {
    return call == "cudaFree" || call == "cudaFreeHost" || call == "cudaStreamDestroy" || call == "cudaEventDestroy";
}

/// Does `work` with the device broken at its first call, its second, .., until it has no more. Returns the names of
/// the calls. Pinned memory is given back whatever happens.
std::set<std::string> broken_at_every_call(std::function<void()> const& work) {
    std::set<std::string> broken;
    for (std::uint64_t at = 1;; ++at) {
        emulated_gpu::reset();
        emulated_gpu::break_at(at);
        try {
            work();
            std::string const call = emulated_gpu::broken_call();
            if (call.empty()) return broken;
            EXPECT_TRUE(gives_back(call)) << call << " failed, and nobody was told";
            broken.insert(call);
        } catch (DeviceError const& error) {
            std::string const call = emulated_gpu::broken_call();
            EXPECT_NE(std::string(error.what()).find("broken on purpose at " + call), std::string::npos)
                << error.what();
            broken.insert(call);
        }
        EXPECT_EQ(emulated_gpu::pinned_arrays(), 0u) << emulated_gpu::broken_call();
    }
}

StudyPlan plan_of(Fabric const& fabric, bool all_metrics) {
    Study study;
    study.traffic.pattern = "rand";
    study.measures.metrics = all_metrics ? every_metric() : std::vector{Metric::hist_acc_band};
    return make_plan(fabric, study);
}

TEST_F(DeviceErrors, AreToldAtEveryKindOfCall) {
    std::set<std::string> broken;
    Fabric const small = make_xgft({{3, 3}, {1, 3}, 0});
    Fabric const larger = make_xgft({{6, 6, 4}, {1, 6, 6}, 0});  // warps need more shared memory than is given unasked
    for (CudaTeamKind const kind :
         {CudaTeamKind::warp, CudaTeamKind::block, CudaTeamKind::cluster, CudaTeamKind::global}) {
        StudyPlan const plan = plan_of(kind == CudaTeamKind::warp ? larger : small,
                                       kind == CudaTeamKind::block || kind == CudaTeamKind::global);
        broken.merge(broken_at_every_call([&] {
            std::unique_ptr<Executor> const executor = make_cuda_executor(plan.problem, kind);
            ASSERT_NE(executor, nullptr);
            std::vector<MappingTally> tallies(2);
            executor->evaluate(0, tallies);
            executor->evaluate_and_reduce(2, 2, wanted_numbers(plan));
            executor->take_reduction();
            executor->totals();
        }));
    }
    std::deque<NastyNetwork> const networks = table_fabrics();
    Fabric const& tables = networks.front().fabric;
    std::vector<Host> hosts;
    for (std::size_t h = 0; h < tables.network.hosts().size(); ++h) hosts.emplace_back(h);
    for (std::size_t const row_byte_limit : {std::size_t{0}, std::size_t{1} << 30})
        broken.merge(
            broken_at_every_call([&] { pack_routes(tables, hosts, {}, row_byte_limit, make_cuda_route_packer); }));
    for (char const* const call : {"cudaGetDevice",
                                   "cudaGetDeviceProperties",
                                   "cudaMalloc",
                                   "cudaFree",
                                   "cudaMemcpy",
                                   "cudaMemset",
                                   "cudaMallocHost",
                                   "cudaFreeHost",
                                   "cudaMemcpyAsync",
                                   "cudaMemsetAsync",
                                   "cudaStreamCreateWithPriority",
                                   "cudaDeviceGetStreamPriorityRange",
                                   "cudaStreamDestroy",
                                   "cudaStreamSynchronize",
                                   "cudaDeviceSynchronize",
                                   "cudaStreamWaitEvent",
                                   "cudaEventCreateWithFlags",
                                   "cudaEventDestroy",
                                   "cudaEventRecord",
                                   "cudaFuncGetAttributes",
                                   "cudaFuncSetAttribute",
                                   "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
                                   "cudaOccupancyMaxActiveClusters",
                                   "cudaLaunchKernelEx"})
        EXPECT_TRUE(broken.contains(call)) << call << " was never the first to fail";
}

TEST_F(DeviceErrors, OfAnAuditAreTold) {
    std::deque<NastyNetwork> const networks = table_fabrics();
    Fabric const& fabric = networks.front().fabric;
    Forwarding const forwarding(fabric);
    std::vector<Host> hosts;
    for (std::size_t h = 0; h < fabric.network.hosts().size(); ++h) hosts.emplace_back(h);
    AllPairsRequest const request{hosts, hosts};
    std::set<std::string> const broken = broken_at_every_call([&] {
        try {
            count_all_pairs(forwarding, request, {DeviceChoice::cuda, 1});
        } catch (InputError const& error) {  // while the device is tried: there is none that can be used
            throw DeviceError(error.what());
        }
    });
    EXPECT_TRUE(broken.contains("cudaLaunchKernelEx") && broken.contains("cudaMemcpy"));
}

/// The whole program: exit code 3, the reason on standard error, and no output that looks like a result.
TEST_F(DeviceErrors, EndTheProgramWithItsReason) {
    TemporaryFolder const folder;
    auto const run = [&](Words const& words, unsigned at) {
        Words const broken = {"TAILBACK_EMULATED_GPU_BREAKS_AT=" + std::to_string(at), emulated_gpu_program()};
        return run_program("/usr/bin/env", joined(joined(broken, words), {"--device", "cuda"}));
    };
    for (Words const& words :
         {on_tree16({"--metric", "all", "--mappings", "500", "--output", folder / "out"}),
          Words{"audit", "--network", "torus:4x4,hosts=2", "--routing", "minhop", "--output", folder / "out"}})
        for (unsigned const at : {30u, 40u, 55u, 65u}) {
            Finished const end = run(words, at);
            bool const while_trying = end.err.find("no CUDA device") != std::string::npos;
            EXPECT_EQ(end.code, while_trying ? 2 : 3) << at << end.err;
            EXPECT_NE(end.err.find("broken on purpose at cuda"), std::string::npos) << end.err;
            EXPECT_NE(end.err.find("--device cpu"), std::string::npos) << end.err;
            EXPECT_EQ(end.out, "");
            EXPECT_FALSE(std::filesystem::exists(folder / "out"));
        }
}

}  // namespace
}  // namespace tailback::errors_test
