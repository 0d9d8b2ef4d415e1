// What lets kernels, reductions and the host work at once: enough work in line, and an order that reductions get
// through.
#include "host/evaluation/run_sums.hpp"
#include "host/study/plan/study_plan.hpp"
#include "kernels/executor.hpp"
#include "tests/emulated_gpu/emulated_gpu.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace tailback::overlap_test {
namespace {

using emulated_gpu::Step;

/// Steps of a reduction of so many batches by warps on a small device.
std::vector<Step> steps_of_batches(std::uint64_t batches) {
    emulated_gpu::Device small;
    small.multiprocessors = 1;
    emulated_gpu::reset(small);
    Fabric const fabric = make_xgft({{2, 2}, {1, 2}, 0});
    Study study;
    study.traffic.pattern = "bisect";
    study.measures.metrics = {Metric::hist_acc_band};
    StudyPlan const plan = make_plan(fabric, study);
    std::unique_ptr<Executor> const executor = make_cuda_executor(plan.problem, CudaTeamKind::warp);
    std::size_t const before = emulated_gpu::steps().size();
    executor->evaluate_and_reduce(0, batches * executor->good_batch() / 8, wanted_numbers(plan));
    std::vector<Step> steps = emulated_gpu::steps();
    steps.erase(steps.begin(), steps.begin() + std::ptrdiff_t(before));
    executor->take_reduction();
    return steps;
}

class OverlapOnEmulatedGpu : public ::testing::Test {
protected:
    void TearDown() override { emulated_gpu::reset(); }
};

/// Before a batch's reduction is waited for, two more batches are in line behind it: while the host takes up the first
/// batch's results the second runs, and the third follows without the host.
TEST_F(OverlapOnEmulatedGpu, TwoBatchesAreInLineBehindTheOneWaitedFor) {
    std::vector<Step> const steps = steps_of_batches(4);
    void const* const evaluation = steps.front().kernel;
    auto const wait =
        std::find_if(steps.begin(), steps.end(), [](Step const& s) { return s.what == Step::What::wait; });
    ASSERT_NE(wait, steps.end());
    EXPECT_EQ(std::count_if(steps.begin(), wait, [&](Step const& s) { return s.kernel == evaluation; }), 3);
}

TEST_F(OverlapOnEmulatedGpu, ReductionsGoBeforeEvaluations) {
    std::vector<Step> const steps = steps_of_batches(2);
    void const* const evaluation = steps.front().kernel;
    for (Step const& step : steps)
        if (step.what == Step::What::start && step.kernel != evaluation) {
            EXPECT_LT(step.priority, steps.front().priority);
        }
}

}  // namespace
}  // namespace tailback::overlap_test
