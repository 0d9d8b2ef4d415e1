// Levels of one size are shared by local bottlenecks: the bits of the kernels' body, on trees where most flows have
// their rate at once and on such where many wait for others, for rates and for times.
#include "host/study/plan/study_plan.hpp"
#include "kernels/executor.hpp"
#include "patterns/pattern.hpp"
#include "tests/support/programs/outcome.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>

namespace tailback::local_bottlenecks_test {
namespace {

constexpr std::size_t mappings = 3;

void expect_bits_of_body(Fabric const& fabric, std::string const& pattern) {
    SCOPED_TRACE(pattern);
    Study study;
    study.traffic.pattern = pattern;
    study.sample.mappings = mappings;
    study.measures.metrics = {Metric::makespan,     Metric::completion_time, Metric::slowdown,
                              Metric::max_min_band, Metric::max_min_least,   Metric::max_min_jain};
    StudyPlan const plan = make_plan(fabric, study);
    Outcome const want = run(*make_cpu_executor(plan.problem, 1, CpuVariant::kernel_body), mappings, 0);
    for (unsigned const threads : {1u, 2u}) {
        Outcome const got = run(*make_cpu_executor(plan.problem, threads), mappings, 0);
        EXPECT_EQ(got.tallies, want.tallies);
        EXPECT_EQ(got.totals, want.totals);
    }
}

/// Many flows of few ranks, so that links have dozens of each other's flows, and more than 31: shares are rounded.
TEST(LocalBottlenecks, GiveTheBitsOfRoundsOverAllLinks) {
    for (std::uint32_t const parents : {1u, 2u, 3u, 5u}) {
        SCOPED_TRACE(parents);
        for (Fabric const& tree :
             {make_xgft({{7, 5, 3}, {1, parents, parents}, 0}), make_xgft({{12, 8}, {1, parents}, 0})})
            for (char const* const pattern :
                 {"rand", "bisect", "2neighbor", "uniform:flows=400", "hot-spot:flows=300", "gather", "stencil-2d",
                  "many-all-to-all:group=5,size=9", "reduce-scatter:algorithm=pairwise,size=1009",
                  "allreduce:algorithm=double-binary-tree,size=2400000", "alltoall:algorithm=pairwise,size=77"})
                expect_bits_of_body(tree, pattern);
    }
}

}  // namespace
}  // namespace tailback::local_bottlenecks_test
