// Levels with the same flows are shared once, and told as often as they come: the bits of the kernels' body, for rings,
// pipelines and trees, of sizes that ranks divide or not, and where several ranks share an adapter or a compute node.
#include "host/study/placement/compute_nodes.hpp"
#include "host/study/plan/study_plan.hpp"
#include "kernels/executor.hpp"
#include "patterns/pattern.hpp"
#include "tests/support/programs/outcome.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace tailback::equal_levels_test {
namespace {

void expect_same(Fabric const& fabric, Study const& study) {
    StudyPlan const plan = make_plan(fabric, study);
    Outcome const want = run(*make_cpu_executor(plan.problem, 1, CpuVariant::kernel_body), 4, 0);
    for (unsigned const threads : {1u, 3u}) {
        Outcome const got = run(*make_cpu_executor(plan.problem, threads), 4, 0);
        EXPECT_EQ(got.tallies, want.tallies);
        EXPECT_EQ(got.totals, want.totals);
    }
}

TEST(EqualLevels, GiveTheBitsOfLevelsOneByOne) {
    Fabric const tree = make_xgft({{4, 3, 2}, {1, 2, 3}, 0});
    for (std::string const spec :
         {"allreduce:size=24000", "allreduce:size=1001",
          "allreduce:algorithm=double-binary-tree,size=24000,segment=500",
          "allreduce:algorithm=hierarchical,per-node=4,size=999", "allgather:size=5", "allgather:size=1009",
          "reduce-scatter:size=24007", "alltoall:algorithm=bruck,size=7", "alltoall:algorithm=pxn,per-node=4",
          "broadcast:algorithm=chain,size=10000,segment=900", "ring", "bruck", "recdbl", "barrier"}) {
        SCOPED_TRACE(spec);
        Study study;
        study.traffic.pattern = spec;
        study.measures.metrics = {Metric::makespan, Metric::completion_time, Metric::slowdown, Metric::max_min_band};
        study.placement.mapping = MappingKind::identity;
        study.sample.mappings = 4;
        expect_same(tree, study);
        if (spec.find("per-node") == spec.npos) {
            study.placement.mapping = MappingKind::random;
            expect_same(tree, study);
        }
        // Two ranks on each adapter, two adapters on a compute node.
        auto nodes = std::make_shared<ComputeNodes>();
        study.placement.mapping = MappingKind::listed;
        study.placement.mapping_hosts.clear();
        nodes->rails = 2;
        for (std::uint32_t h = 0; h < 24; ++h) {
            if (h % 2 == 0) nodes->nodes.push_back({"node" + std::to_string(h / 2), {Host{h}, Host{h + 1}}});
            nodes->node_of_host.push_back(h / 2);
            nodes->rail_of_host.push_back(h % 2);
        }
        study.placement.ranks = 48;
        for (std::uint32_t r = 0; r < 48; ++r) study.placement.mapping_hosts.push_back(Host{r / 4 * 2 + r % 2});
        study.placement.nodes = NodePlacement{.nodes = nodes, .ranks_per_node = 4};
        study.sample.mappings = 1;
        StudyPlan const plan = make_plan(tree, study);
        EXPECT_NE(plan.problem.placement.nodes.node, nullptr);
        Outcome const want = run(*make_cpu_executor(plan.problem, 1, CpuVariant::kernel_body), 1, 0);
        Outcome const got = run(*make_cpu_executor(plan.problem, 1), 1, 0);
        EXPECT_EQ(got.tallies, want.tallies);
        EXPECT_EQ(got.totals, want.totals);
    }
}

}  // namespace
}  // namespace tailback::equal_levels_test
