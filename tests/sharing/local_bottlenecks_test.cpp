// Levels of one size are shared by local bottlenecks: the bits of the kernels' body, on trees where most flows have
// their rate at once and on such where many wait for others, for rates and for times; and from every form of routes,
// with flows that have none, with shared links of hosts, with a few routes that are longer than the others, and on
// broken networks.
#include "host/study/plan/study_plan.hpp"
#include "kernels/cpu/fast/rows.hpp"
#include "kernels/executor.hpp"
#include "patterns/pattern.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/networks/regular.hpp"
#include "tests/support/programs/outcome.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>

namespace tailback::local_bottlenecks_test {
namespace {

Study study_of(std::string const& pattern, std::size_t mappings) {
    Study study;
    study.traffic.pattern = pattern;
    study.sample.mappings = mappings;
    study.measures.metrics = {Metric::makespan,     Metric::completion_time, Metric::slowdown,
                              Metric::max_min_band, Metric::max_min_least,   Metric::max_min_jain};
    return study;
}

void expect_bits_of_body(Fabric const& fabric, std::string const& pattern, std::size_t mappings = 3) {
    SCOPED_TRACE(pattern);
    StudyPlan const plan = make_plan(fabric, study_of(pattern, mappings));
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

/// Rows of every width, lists of long routes, steps, and arithmetic.
TEST(LocalBottlenecks, GiveTheBitsOfEveryFormOfRoutes) {
    std::pair<char const*, char const*> const networks[] = {
        {"xgft:m=4x3,w=1x2", "dmodk"},
        {"xgft:m=3x2x2x2x2,w=1x2x2x2x1", "dmodk"},
        {"torus:4x3x3", "dor"},
        {"torus:12x3", "dor"},
        {"dragonfly:a=4,p=2,h=2", "minimal"},
        {"dragonfly:a=4,p=2,h=2", "valiant"},
        {"hyperx:3x4,hosts=3", "dor"},
        {"mesh:20", "dor"},
    };
    for (auto const& [spec, routing] : networks) {
        SCOPED_TRACE(std::string(spec) + " " + routing);
        auto const regular = regular_network(spec, routing);
        ASSERT_TRUE(regular);
        Fabric const formula = fabric_of(regular);
        for (char const* const pattern : {"rand", "2neighbor", "hot-spot:flows=300", "gather"})
            expect_bits_of_body(formula, pattern);
    }
}

/// 500 leaves of two hosts under two spines, and a host behind two more switches.
Fabric with_one_far_host() {
    NetworkBuilder builder;
    std::uint32_t ids = 0;
    std::vector<Port> used;  // by node
    auto const add = [&](NodeKind kind) {
        ++ids, used.push_back(0);
        return builder.add_node({.kind = kind, .guid = ids, .lid = kind == NodeKind::adapter ? 0 : ids});
    };
    auto const join = [&](Node a, Node b) {
        Port const from = ++used[a.value], to = ++used[b.value];
        builder.add_link({.from = a, .from_port = from, .to = b, .to_port = to});
        builder.add_link({.from = b, .from_port = to, .to = a, .to_port = from});
    };
    auto const add_host = [&](Node at) {
        Node const host = add(NodeKind::adapter);
        builder.add_host({.node = host, .port = 1, .lid = ids});
        join(host, at);
    };
    Node const spines[] = {add(NodeKind::switch_node), add(NodeKind::switch_node)};
    Node leaf{};
    for (int l = 0; l < 500; ++l) {
        leaf = add(NodeKind::switch_node);
        for (int h = 0; h < 2; ++h) add_host(leaf);
        for (Node const spine : spines) join(leaf, spine);
    }
    Node const near = add(NodeKind::switch_node), far = add(NodeKind::switch_node);
    join(leaf, near), join(near, far);
    add_host(far);
    Disagreements disagreements(true);
    Topology topology;
    topology.network = builder.finish(disagreements, "test");
    Fabric fabric;
    fabric.tables = make_tables(topology, {"minhop", 1});
    fabric.network = std::move(topology.network);
    fabric.routed = true;
    return fabric;
}

TEST(LocalBottlenecks, GiveTheBitsWhereFewRoutesTakeTwoRows) {
    Fabric const fabric = with_one_far_host();
    StudyPlan const plan = make_plan(fabric, study_of("rand", 1));
    ASSERT_TRUE(stages::make_half_rows<std::uint16_t>(plan.problem).finder) << "of another kind than is meant";
    for (char const* const pattern : {"rand", "bisect", "2neighbor"}) expect_bits_of_body(fabric, pattern, 10);
}

TEST(LocalBottlenecks, GiveTheBitsOnBrokenNetworks) {
    for (NastyNetwork const& one : nasty_networks()) {
        if (breadth_first_hosts(one.fabric.network, false).size() < 2) continue;
        SCOPED_TRACE(one.name);
        for (char const* const pattern : {"rand", "bisect", "gather", "hot-spot:flows=100"})
            expect_bits_of_body(one.fabric, pattern);
    }
}

}  // namespace
}  // namespace tailback::local_bottlenecks_test
