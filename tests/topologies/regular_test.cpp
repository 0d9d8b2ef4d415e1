// Routes by arithmetic are the routes of the family's own tables: the same studies give the same tallies and the same
// load on every link, named alike. Sizes and the breadth-first order are those of the network with tables.
#include "topologies/regular.hpp"

#include "host/evaluation/evaluation.hpp"
#include "host/report/evaluate/evaluate_report.hpp"
#include "host/study/fabric_digest.hpp"
#include "tests/support/networks/regular.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>

#include <map>
#include <tuple>

namespace tailback::regular_test {
namespace {

struct Case {
    std::string spec, routing;
};
void PrintTo(Case const& c, std::ostream* out) { *out << c.spec << " " << c.routing; }

std::vector<Case> cases() {
    return {{"torus:5", ""},
            {"torus:4x3", ""},
            {"torus:4x4x2,hosts=3", "dor:ties=minus"},
            {"torus:6x4x5", "dor:ties=parity"},
            {"torus:2x2", ""},
            {"torus:1x7,hosts=2", ""},
            {"torus:5x4,links=one", ""},
            {"torus:8x8", "dor:ties=parity"},
            {"mesh:4x5x3,hosts=2", ""},
            {"ring:n=9,hosts=2", ""},
            {"ring:n=6,links=one", ""},
            {"xgft:m=4,w=1", ""},
            {"xgft:m=4x5,w=1x3", "dmodk"},
            {"xgft:m=3x4x5,w=1x2x3", ""},
            {"kary-ntree:k=3,n=4", ""},
            {"mport-ntree:m=6,n=3", ""},
            {"thintree:k=4,up=2,n=3", ""},
            {"clos:radix=12,levels=3,taper=2", ""},
            {"dragonfly:a=4,p=2,h=2", ""},
            {"dragonfly:a=4,p=2,h=2,arrangement=palmtree", "minimal"},
            {"dragonfly:a=4,p=1,h=3,groups=5", ""},
            {"dragonfly:a=6,p=2,h=2,groups=4,arrangement=relative", ""},
            {"dragonfly:a=1,p=2,h=4", ""},
            {"xgft:m=4x5,w=1x3", "smodk"},
            {"xgft:m=3x4x5,w=1x2x3", "smodk"},
            {"thintree:k=4,up=2,n=3", "smodk"},
            {"kary-ntree:k=3,n=4", "round-robin-up"},
            {"torus:3x4x5", "dor:order=zyx"},
            {"torus:6x4x5", "dor:order=2x3x1,ties=parity"},
            {"mesh:4x3x2,hosts=2", "dor:order=yxz"},
            {"torus:5x4,links=one", "dor:order=yx"},
            {"torus:6x4x5", "valiant"},
            {"torus:4x3x5", "valiant:by=dor:order=yzx"},
            {"torus:4x4x2,hosts=3", "valiant:by=dor:ties=parity"},
            {"mesh:4x5x3,hosts=2", "valiant:by=dor"},
            {"ring:n=9,hosts=2", "valiant"},
            {"dragonfly:a=4,p=2,h=2", "valiant"},
            {"dragonfly:a=4,p=2,h=2,arrangement=palmtree", "valiant:via=group"},
            {"dragonfly:a=4,p=1,h=3,groups=5", "valiant"},
            {"dragonfly:a=4,p=1,h=3,groups=5", "valiant:via=group"},
            {"dragonfly:a=6,p=2,h=2,groups=4,arrangement=relative", "valiant:by=minimal"},
            {"dragonfly:a=1,p=2,h=4", "valiant:via=group"},
            {"hyperx:4x3,hosts=3", ""},
            {"hyperx:3x3x2,cables=2", "dor"},
            {"hyperx:3x4x2,hosts=2,cables=3", "dor:order=yzx"},
            {"hyperx:1x5,hosts=2", ""},
            {"hyperx:2x3x2x2x3", "dor:order=5x3x1x2x4"},
            {"hypercube:n=1", ""},
            {"hypercube:n=4,hosts=3", ""},
            {"hypercube:n=9", ""},
            {"fully-connected:n=6,hosts=4", ""},
            {"fully-connected:n=5,hosts=2,cables=3", "dor"},
            {"fully-connected:n=1,hosts=4", ""}};
}

class Regular : public testing::TestWithParam<Case> {
protected:
    Regular() : regular(regular_network(GetParam().spec, GetParam().routing, 5)) {
        Topology topology = make_topology(GetParam().spec);
        std::string const routing = GetParam().routing.empty() ? topology.usual_routing : GetParam().routing;
        Routes routes = make_routes(topology, {routing, 5});
        fabric.tables = std::move(routes.tables);
        fabric.routing = std::move(routes.routing);
        fabric.network = std::move(topology.network);
        fabric.routed = true;
    }
    std::shared_ptr<RegularNetwork const> regular;
    Fabric fabric;
};

TEST_P(Regular, SizesAndOrderAreThoseOfTheNetwork) {
    ASSERT_TRUE(regular);
    Network const& net = fabric.network;
    EXPECT_EQ(regular->hosts, net.hosts().size());
    EXPECT_EQ(regular->switches, net.switches());
    EXPECT_EQ(regular->links, net.links().size());
    std::vector<Host> order;
    for (std::uint32_t const h : regular->breadth_first_hosts()) order.emplace_back(h);
    EXPECT_EQ(order, breadth_first_hosts(net, false));
    for (std::uint32_t h = 0; h < regular->hosts; ++h)
        EXPECT_EQ(RegularNetwork::host_name(h), net[net[Host{h}].node].name);
}

using Loads = std::map<std::tuple<std::string, Port, std::string, Port>, std::uint64_t>;

/// All numbers of a study, and the loads by the links' names. Links that no host of the study could use are left out.
struct Answer {
    std::vector<MappingTally> tallies;
    std::vector<std::vector<std::pair<double, std::uint64_t>>> flows;  ///< of each metric that sorts them
    Loads loads;
    std::vector<Host> hosts;
    bool operator==(Answer const&) const = default;
};

Answer answer(StudyPlan const& plan) {
    Answer given;
    ExecutionOptions options{.device = DeviceChoice::cpu, .threads = 1};
    options.per_mapping = [&](std::uint64_t, std::span<MappingTally const> row) {
        MappingTally const& tally = row.front();

        MappingTally scaled = tally;  // the fixed point may have other bits: compared as numbers below
        scaled.share_sum = 0;
        given.tallies.push_back(scaled);
    };
    Evaluation const result = evaluate(plan, options);
    for (auto const& [metric, sorted] : result.flows) given.flows.push_back(sorted.counts);
    Report const report = make_report(plan, result);
    for (LinkSum const& sum : result.links) {
        LinkEnds const ends = report.ends(sum.link);
        if (sum.sum > 0) given.loads[{ends.from, ends.from_port, ends.to, ends.to_port}] += sum.sum;
    }
    given.hosts = plan.hosts_of_mapping(1);
    return given;
}

TEST_P(Regular, StudiesGiveTheSameAnswers) {
    ASSERT_TRUE(regular);
    Fabric const formula = fabric_of(regular);
    for (std::string const pattern : {"rand", "bruck", "gather"})
        for (SubsetKind const subset : {SubsetKind::linear_bfs, SubsetKind::random})
            for (std::uint32_t const ranks : {0u, regular->hosts / 2 + 1}) {
                Study study;
                study.traffic.pattern = pattern;
                study.placement.subset = subset;
                study.placement.ranks = ranks;
                study.sample.mappings = 7;
                study.measures.metrics = {Metric::sum_max_cong, Metric::hist_max_cong, Metric::hist_acc_band,
                                          Metric::dep_max_delay, Metric::get_cable_cong};
                EXPECT_EQ(answer(make_plan(formula, study)), answer(make_plan(fabric, study)))
                    << pattern << " on " << ranks;
                study.measures.metrics = {Metric::hist_acc_band};  // the plain body
                StudyPlan const computed = make_plan(formula, study), looked_up = make_plan(fabric, study);
                EXPECT_EQ(evaluate(computed, {DeviceChoice::cpu, 1}).numbers.at(Metric::hist_acc_band).mean(),
                          evaluate(looked_up, {DeviceChoice::cpu, 1}).numbers.at(Metric::hist_acc_band).mean());
            }
}

TEST_P(Regular, EveryLinkHasItsNames) {
    ASSERT_TRUE(regular);
    Loads links;
    auto const note = [&](LinkEnds const& ends) {
        if (!ends.from.empty()) ++links[{ends.from, ends.from_port, ends.to, ends.to_port}];
    };
    for (std::uint32_t slot = 0; slot < regular->inner; ++slot) note(regular->ends(slot));
    for (std::uint32_t h = 0; h < regular->hosts; ++h) note(regular->up_link(h)), note(regular->down_link(h));
    Loads want;
    Network const& net = fabric.network;
    for (LinkRecord const& link : net.links())
        ++want[{net[link.from].name, link.from_port, net[link.to].name, link.to_port}];
    EXPECT_EQ(links, want);
}

INSTANTIATE_TEST_SUITE_P(Networks, Regular, testing::ValuesIn(cases()));

// A digest is of the spec and the routing: other routes, another digest.
TEST(RegularNetwork, DigestTellsRoutingsApart) {
    auto const of = [](char const* routing) { return digest(fabric_of(regular_network("torus:4x4", routing))); };
    EXPECT_NE(of("dor:ties=plus"), of("dor:ties=minus"));
    EXPECT_EQ(of("dor:ties=plus"), of("dor:ties=plus"));
    EXPECT_NE(digest(fabric_of(regular_network("torus:4x4", "valiant", 1))),
              digest(fabric_of(regular_network("torus:4x4", "valiant", 2))));
}

// The mean of links counts no padding: from leaf to leaf 0 or 2 links between switches, and those of the two hosts.
TEST(RegularNetwork, MeanLinksAreThoseOfTheTables) {
    for (char const* const spec : {"kary-ntree:k=4,n=3", "dragonfly:a=4,p=2,h=2", "torus:6x6", "hyperx:4x4,hosts=2"}) {
        Topology topology = make_topology(spec);
        Fabric const fabric{topology.network, make_tables(topology, {topology.usual_routing, 1}), true};
        Study study;
        study.traffic.pattern = "bisect";
        study.sample.mappings = 1;
        EXPECT_NEAR(make_plan(fabric_of(regular_network(spec, "")), study).mean_links,
                    make_plan(fabric, study).mean_links, 0.05)
            << spec;
    }
}

TEST(RegularNetwork, IsThereOnlyWhereAFormulaIs) {
    EXPECT_FALSE(regular_network("torus:4x4", "minhop"));
    EXPECT_FALSE(regular_network("torus:4x4", "dor:ties=random"));
    EXPECT_FALSE(regular_network("xgft:m=4x4,w=1x4,hosts=13", ""));
    EXPECT_FALSE(regular_network("xgft:m=4x4,w=1x2,p=1x2", ""));
    for (char const* const routing :
         {"dor:ties=random", "valiant:by=dor:ties=random", "valiant:by=minhop", "valiant:via=group"})
        EXPECT_FALSE(regular_network("torus:4x4", routing)) << routing;
    EXPECT_FALSE(regular_network("torus:4x4,links=one", "valiant"));
    EXPECT_FALSE(regular_network("kary-ntree:k=3,n=2", "random-up"));
    EXPECT_FALSE(regular_network("dragonfly:a=4,p=2,h=2", "valiant:by=sssp"));
    EXPECT_FALSE(regular_network("hyperx:4x4", "minhop"));
    EXPECT_FALSE(regular_network("hypercube:n=4", "valiant"));
    EXPECT_FALSE(regular_network("jellyfish:switches=10,degree=3", ""));
}

}  // namespace
}  // namespace tailback::regular_test
