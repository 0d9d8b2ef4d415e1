// The first thing to run on a GPU: a small study by each kind of team, in a second or two. Without a GPU these skip
// with the reason, and fail where TAILBACK_REQUIRE_GPU=1.
#include "host/study/plan/study_plan.hpp"
#include "tests/support/programs/required.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/against_cpu.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>

namespace tailback::cuda_smoke_test {
namespace {

class CudaSmoke : public ::testing::TestWithParam<CudaTeamKind> {};

TEST_P(CudaSmoke, TalliesAreTheCpus) {
    CudaDevices const devices = find_cuda_devices();
    skip_where_missing(devices.names.empty() ? "no CUDA device: " + devices.reason : "", "TAILBACK_REQUIRE_GPU");
    if (devices.names.empty()) return;
    Fabric const fabric = make_xgft({{6, 6, 4}, {1, 6, 6}, 0});
    Study study;
    study.traffic.pattern = "rand";
    study.measures.metrics = {Metric::hist_acc_band, Metric::sum_max_cong};
    StudyPlan const plan = make_plan(fabric, study);
    std::unique_ptr<Executor> const executor = make_cuda_executor(plan.problem, GetParam());
    if (executor == nullptr) GTEST_SKIP() << "the device has no such teams";
    Outcome const got = run(*executor, 64), want = run(*make_cpu_executor(plan.problem, 0), 64);
    EXPECT_EQ(got.tallies, want.tallies);
    EXPECT_EQ(got.totals, want.totals);
}

char const* name_of(CudaTeamKind kind) {
    switch (kind) {
        case CudaTeamKind::warp: return "Warp";
        case CudaTeamKind::block: return "Block";
        case CudaTeamKind::cluster: return "Cluster";
        case CudaTeamKind::global: return "Global";
    }
    return "";
}

INSTANTIATE_TEST_SUITE_P(EachKind, CudaSmoke, ::testing::ValuesIn(cuda_team_kinds),
                         [](auto const& kind) { return name_of(kind.param); });

}  // namespace
}  // namespace tailback::cuda_smoke_test
