// Links that no two flows of a level can share are not counted in long studies: what stays follows from the routes of
// all pairs, and every number that is asked for is the same as with all links.
#include "host/study/plan/shared_links.hpp"
#include "host/study/plan/study_plan.hpp"
#include "kernels/evaluate/dispatch.hpp"
#include "kernels/executor.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/programs/outcome.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

namespace tailback::shared_links_test {
namespace {

constexpr std::uint64_t many = 1'000'000'000;

std::vector<Metric> const flow_metrics = {Metric::hist_acc_band, Metric::sum_max_cong, Metric::hist_max_cong,
                                          Metric::dep_max_delay};

Fabric make_routed(std::string const& spec, std::string const& routing) {
    Topology topology = make_topology(spec);
    Routes routes = make_routes(topology, {routing.empty() ? topology.usual_routing : routing, 7});
    Fabric fabric;
    fabric.tables = std::move(routes.tables);
    fabric.routing = std::move(routes.routing);
    fabric.network = std::move(topology.network);
    fabric.routed = true;
    return fabric;
}

Study study_of(std::string const& pattern, std::uint64_t mappings, std::vector<Metric> const& metrics = flow_metrics) {
    Study study;
    study.traffic.pattern = pattern;
    study.sample.mappings = mappings;
    study.measures.metrics = metrics;
    return study;
}

/// The links between switches of every pair's route, as the plan's rows have them.
std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::uint32_t>> links_of_pairs(StudyPlan const& plan) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::set<std::uint32_t>> pairs;
    Problem const& p = plan.problem;
    with_routes(p, [&](auto const& routes) {
        for (std::uint32_t s = 0; s < p.placement.study_hosts; ++s)
            for (std::uint32_t d = 0; d < p.placement.study_hosts; ++d) {
                if (s == d) continue;
                auto& links = pairs[{s, d}];
                routes.each(routes.find(p.routes.group[s], d), [&](std::uint32_t slot) {
                    if (slot != p.routes.inner) links.insert(plan.link_of_index[slot].value);
                });
            }
    });
    return pairs;
}

// Definition: of every route those links stay that packets to two hosts use and packets from two hosts.
TEST(SharedLinks, AreThoseOfTwoSourcesAndTwoDestinations) {
    int narrower = 0;
    for (auto const& [spec, routing] :
         std::vector<std::pair<std::string, std::string>>{{"xgft:m=3x3x4,w=1x3x3", ""},
                                                          {"xgft:m=3x3x4,w=1x3x3", "smodk"},
                                                          {"xgft:m=4x4x4,w=1x2x3", ""},
                                                          {"xgft:m=2x2x2x3,w=1x2x2x2", ""},
                                                          {"xgft:m=3x3x4,w=1x3x3", "minhop"},
                                                          {"jellyfish:switches=14,degree=4,hosts=3", "minhop"},
                                                          {"torus:3x4x5", "dor"},
                                                          {"ring:n=24", "updn"}}) {
        SCOPED_TRACE(spec + ", " + routing);
        Fabric const fabric = make_routed(spec, routing);
        StudyPlan const all = make_plan(fabric, study_of("rand", 1)), kept = make_plan(fabric, study_of("rand", many));
        auto const all_links = links_of_pairs(all), kept_links = links_of_pairs(kept);
        std::map<std::uint32_t, std::set<std::uint32_t>> sources, destinations;
        for (auto const& [pair, links] : all_links)
            for (std::uint32_t const link : links) {
                sources[link].insert(pair.first);
                destinations[link].insert(pair.second);
            }
        if (kept.problem.routes.row_width == all.problem.routes.row_width) {
            EXPECT_EQ(kept_links, all_links);
            continue;
        }
        ++narrower;
        for (auto const& [pair, links] : all_links) {
            std::set<std::uint32_t> shared;
            for (std::uint32_t const link : links)
                if (sources[link].size() > 1 && destinations[link].size() > 1) shared.insert(link);
            ASSERT_EQ(kept_links.at(pair), shared) << pair.first << " -> " << pair.second;
        }
        EXPECT_LT(kept.problem.routes.inner, all.problem.routes.inner);
        EXPECT_LT(kept.mean_counted_links, all.mean_counted_links);
        EXPECT_EQ(kept.mean_links, all.mean_links);
    }
    EXPECT_GE(narrower, 4);
}

// Full trees, D-mod-K: a top switch has a link down to each of its hosts' subtrees, so every link down leads to one
// host.
TEST(SharedLinks, AreTheLinksUpOfFullTrees) {
    StudyPlan const plan = make_plan(make_routed("xgft:m=4x4x4,w=1x4x4", ""), study_of("bisect", many));
    EXPECT_EQ(plan.problem.routes.inner, 2u * 64u);
    EXPECT_EQ(plan.problem.routes.row_width, 2u);
    EXPECT_DOUBLE_EQ(plan.mean_links, 2 + 2 * plan.mean_counted_links);
}

// The tallies and the histogram of flows with all links and without: CPU stages, the kernel's body, three threads.
TEST(SharedLinks, ChangeNoNumberOfAnyFlow) {
    for (auto const& [spec, routing] :
         std::vector<std::pair<std::string, std::string>>{{"xgft:m=3x3x4,w=1x3x3", ""},
                                                          {"xgft:m=3x3x4,w=1x3x3", "smodk"},
                                                          {"xgft:m=4x4x4,w=1x2x3", ""},
                                                          {"xgft:m=2x2x2x3,w=1x2x2x2", ""},
                                                          {"xgft:m=3x3x4,w=1x3x3", "minhop"},
                                                          {"jellyfish:switches=14,degree=4,hosts=3", "minhop"},
                                                          {"torus:3x4x5", "dor"},
                                                          {"ring:n=24", "updn"}}) {
        Fabric const fabric = make_routed(spec, routing);
        for (char const* pattern :
             {"bisect", "bisect_fb_sym", "rand", "bruck", "tree", "ring", "gather", "scatter", "4neighbor", "null"})
            for (SubsetKind const subset : {SubsetKind::linear_bfs, SubsetKind::random}) {
                SCOPED_TRACE(spec + ", " + routing + ", " + pattern);
                Study study = study_of(pattern, 1);
                study.placement.subset = subset;
                if (subset == SubsetKind::random) study.placement.ranks = 13;
                StudyPlan const all = make_plan(fabric, study);
                study.sample.mappings = many;
                StudyPlan const kept = make_plan(fabric, study);
                Outcome const want = run(*make_cpu_executor(all.problem, 1, CpuVariant::kernel_body), 60, 5);
                for (CpuVariant const way : {CpuVariant::kernel_body, CpuVariant::fastest}) {
                    Outcome const got = run(*make_cpu_executor(kept.problem, 3, way), 60, 5);
                    EXPECT_EQ(got.tallies, want.tallies);
                    EXPECT_EQ(got.totals.histogram, want.totals.histogram);
                }
            }
    }
}

// All links are counted where loads of links are asked for, where a load can count more than once, where ranks may meet
// on a host, where a rank has two flows each way, where rates differ, and in studies too short to gain.
TEST(SharedLinks, AllLinksAreCountedWhereItMatters) {
    Fabric const fabric = make_routed("xgft:m=4x4x4,w=1x4x4", "");
    auto const width = [&](Study const& study) { return make_plan(fabric, study).problem.routes.row_width; };
    EXPECT_EQ(width(study_of("rand", many)), 2u);
    EXPECT_EQ(width(study_of("rand", 10)), 4u);
    EXPECT_EQ(width(study_of("rand", many, {Metric::hist_acc_band, Metric::get_cable_cong})), 4u);
    EXPECT_EQ(width(study_of("2neighbor", many)), 4u);
    EXPECT_EQ(width(study_of("gather", many)), 4u) << "what is sent to one rank meets on its way";
    Study listed = study_of("rand", many);  // all on all hosts, so often that it would pay
    listed.placement.mapping = MappingKind::listed;
    listed.placement.ranks = 64;
    for (std::uint32_t i = 0; i < 64 * 1000; ++i) listed.placement.mapping_hosts.push_back(Host{i % 64});
    EXPECT_EQ(width(listed), 4u);

    for (NastyNetwork const& network : nasty_networks()) {
        StudyPlan const all = make_plan(network.fabric, study_of("rand", 1)),
                        kept = make_plan(network.fabric, study_of("rand", many));
        if (all.problem.routes.cost == nullptr) continue;
        EXPECT_EQ(kept.problem.routes.rows == nullptr, all.problem.routes.rows == nullptr) << network.name;
        EXPECT_EQ(kept.problem.routes.inner, all.problem.routes.inner) << network.name;
    }
}

}  // namespace
}  // namespace tailback::shared_links_test
