// Expected loads of routes that depend on the source or on chance (docs/audit.md): against equal division where that is
// their law, against means over many draws, and Towles and Dally's worst permutation (SPAA 2002) against all
// permutations and the published 2.0 of Valiant's routing on the 8-ary 2-cube.
#include "host/audit/expected/expected_loads.hpp"

#include "host/search/assignment.hpp"

#include "host/evaluation/adaptive/equal_split.hpp"
#include "host/model/routes/expected_routes.hpp"
#include "host/model/routes/trace.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace tailback::expected_loads_test {
namespace {

Fabric routed(std::string const& spec, std::string const& routing, std::uint64_t seed = 1) {
    Topology const topology = make_topology(spec);
    RoutingSpec const chosen(routing, seed);
    Routes routes = make_routes(topology, chosen);
    Fabric fabric{topology.network, std::move(routes.tables), true, std::move(routes.routing), nullptr, {}};
    fabric.candidates = std::move(routes.candidates);
    fabric.origin.routing_draws = chosen.draws();
    return fabric;
}
std::vector<Host> hosts_of(Fabric const& fabric) {
    std::vector<Host> hosts;
    for (std::size_t h = 0; h < fabric.network.hosts().size(); ++h) hosts.emplace_back(h);
    return hosts;
}

TEST(LargestAssignment, IsTheBestOfAllPermutations) {
    Dice dice;
    for (std::size_t n = 1; n <= 6; ++n)
        for (int trial = 0; trial < 30; ++trial) {
            std::vector<double> weight(n * n);
            for (double& one : weight) one = dice(3) == 0 ? 0 : dice(20) / 8.0;
            std::vector<std::uint32_t> order(n), chosen;
            std::iota(order.begin(), order.end(), 0u);
            double best = 0;
            do {
                double sum = 0;
                for (std::size_t i = 0; i < n; ++i) sum += weight[i * n + order[i]];
                best = std::max(best, sum);
            } while (std::next_permutation(order.begin(), order.end()));
            EXPECT_DOUBLE_EQ(largest_assignment(weight, n, chosen), best);
            double sum = 0;
            for (std::size_t i = 0; i < n; ++i) sum += weight[i * n + chosen[i]];
            EXPECT_DOUBLE_EQ(sum, best);
            std::sort(chosen.begin(), chosen.end());
            for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(chosen[i], i);
        }
}

TEST(ExpectedLoads, EcmpAndRandomUpAreEqualDivision) {
    for (auto const& [spec, drawn, sets] : {std::tuple{"torus:4x3", "ecmp", "ar:minimal"},
                                            {"dragonfly:a=3,p=2,h=1", "ecmp", "ar:minimal"},
                                            {"xgft:2;4,4;1,2", "ecmp", "ar:minimal"},
                                            {"xgft:3;2,3,4;1,2,3", "random-up", "ar:ftree"},
                                            {"xgft:2;4,4;1,2", "random-up", "ar:minimal"}}) {
        SCOPED_TRACE(std::string(spec) + " " + drawn);
        Fabric const fabric = routed(spec, drawn), adaptive = routed(spec, sets);
        std::vector<Host> const hosts = hosts_of(fabric);
        Forwarding const forwarding(adaptive);
        ChoiceGraph const graph(forwarding, ChoicesOf::sets, hosts);
        SplitPlan const plan(graph, hosts, 1);
        LinkCosts const costs;
        std::vector<std::uint64_t> const equal = EqualSplit(plan, costs).all_pairs(hosts, 1);
        ExpectedLoads const found = expect_loads(fabric, hosts, 2);
        EXPECT_EQ(found.delivered, found.pairs);
        for (std::size_t l = 0; l < equal.size(); ++l)
            if (fabric.between_switches(Link{l})) {
                EXPECT_NEAR(found.load[l], double(equal[l]) / double(plan.unit()), 1e-6);
            }
        EXPECT_EQ(expect_loads(fabric, hosts, 1).load, found.load);
    }
}

TEST(ExpectedLoads, AreTheMeansOverManyDraws) {
    for (auto const& [spec, routing] : {std::pair{"torus:4x3", "romm"},
                                        {"torus:4x4", "dor:ties=random-pair"},
                                        {"torus:3x3", "valiant"},
                                        {"jellyfish:switches=8,degree=3,hosts=1", "valiant"},
                                        {"dragonfly:a=3,p=1,h=1", "valiant:via=group"},
                                        {"xgft:2;3,3;1,2", "random-up"},
                                        {"xgft:2;3,3;1,2", "smodk"},
                                        {"torus:4x3", "rlb"},
                                        {"torus:3x3x3", "rlb"},
                                        {"torus:5x4", "rlb:threshold=quarter"},
                                        {"ring:6", "rlb"},
                                        {"mesh:3x3", "rlb"},
                                        {"torus:3x3", "kshortest:k=3"},
                                        {"jellyfish:switches=8,degree=3,hosts=1", "kshortest:k=5"},
                                        {"ring:5", "allpath:d=1"},
                                        {"jellyfish:switches=8,degree=3,hosts=1", "allpath:d=2"},
                                        {"torus:3x3", "ecmp"}}) {
        SCOPED_TRACE(std::string(spec) + " " + routing);
        constexpr int draws = 1500;
        Fabric const first = routed(spec, routing);
        std::vector<Host> const hosts = hosts_of(first);
        std::vector<double> mean(first.network.links().size());
        for (int seed = 1; seed <= draws; ++seed) {
            Fabric const fabric = routed(spec, routing, std::uint64_t(seed));
            for (Host const s : hosts)
                for (Host const d : hosts)
                    if (s != d)
                        for (Link const link : trace_from_host(fabric, s, fabric.network[d].lid).links)
                            mean[link.value] += 1.0 / draws;
        }
        ExpectedLoads const found = expect_loads(first, hosts);
        for (std::size_t l = 0; l < mean.size(); ++l)  // six standard errors of a sum of independent pairs
            EXPECT_NEAR(found.load[l], mean[l], 6 * std::sqrt(std::max(found.load[l], 0.05) / draws)) << "link " << l;
    }
}

/// The largest expected load of a link between switches where switch i sends to `target(i)`.
double largest_of(Fabric const& fabric, std::function<std::uint32_t(std::uint32_t)> const& target) {
    auto const* const law = dynamic_cast<ExpectedRoutes const*>(fabric.routing.get());
    std::vector<double> load(fabric.network.links().size());
    for (std::uint32_t s = 0; s < fabric.network.hosts().size(); ++s) {
        std::vector<LinkShare> shares;
        if (target(s) != s) law->expect(fabric.network, Host{s}, Host{target(s)}, shares);
        for (LinkShare const& one : shares) load[one.link.value] += one.share;
    }
    double most = 0;
    for (std::size_t l = 0; l < load.size(); ++l)
        if (fabric.between_switches(Link{l})) most = std::max(most, load[l]);
    return most;
}

TEST(ExpectedLoads, RlbHasThePublishedThroughputOnThe8Ary2Cube) {
    // Singh, Dally, Towles, Gupta 2002, table of throughputs as fractions of capacity, which is 1 flow a node here.
    Fabric const rlb = routed("torus:8x8", "rlb"), threshold = routed("torus:8x8", "rlb:threshold=quarter");
    auto const tornado = [](std::uint32_t s) { return s / 8 * 8 + (s + 3) % 8; };
    auto const transpose = [](std::uint32_t s) { return s % 8 * 8 + s / 8; };
    auto const complement = [](std::uint32_t s) { return 63 - s; };
    EXPECT_NEAR(1 / largest_of(rlb, tornado), 0.533, 0.001);
    EXPECT_NEAR(1 / largest_of(threshold, tornado), 0.533, 0.001);
    EXPECT_NEAR(1 / largest_of(rlb, transpose), 0.7148, 0.0001);  // by a list of all routes, made elsewhere
    EXPECT_NEAR(1 / largest_of(rlb, complement), 0.421, 0.006);
    ExpectedLoads const found = expect_loads(rlb, hosts_of(rlb), 2);
    ASSERT_TRUE(found.worst.has_value());
    EXPECT_NEAR(1 / *found.worst, 0.313, 0.006);
    EXPECT_NEAR(64 / *std::max_element(found.load.begin(), found.load.end()), 0.76, 0.02);  // uniform traffic
}

TEST(ExpectedLoads, TheWorstPermutationIsTheWorstOfAll) {
    for (auto const& [spec, routing] : {std::pair{"xgft:2;2,3;1,2", "smodk"},
                                        {"ring:6", "valiant"},
                                        {"xgft:2;3,2;1,2", "random-up"},
                                        {"mesh:2x3", "ecmp"}}) {
        SCOPED_TRACE(std::string(spec) + " " + routing);
        Fabric const fabric = routed(spec, routing);
        std::vector<Host> const hosts = hosts_of(fabric);
        ASSERT_EQ(hosts.size(), 6u);
        // Expected loads of one pair: those of two hosts alone, half of which is the way back.
        ExpectedLoads const found = expect_loads(fabric, hosts);
        std::vector<std::vector<double>> of_pair(36);
        auto const* const law = dynamic_cast<ExpectedRoutes const*>(fabric.routing.get());
        ASSERT_NE(law, nullptr);
        for (std::size_t s = 0; s < 6; ++s)
            for (std::size_t d = 0; d < 6; ++d) {
                of_pair[s * 6 + d].resize(fabric.network.links().size());
                std::vector<LinkShare> shares;
                if (s != d) law->expect(fabric.network, hosts[s], hosts[d], shares);
                for (LinkShare const& one : shares) of_pair[s * 6 + d][one.link.value] += one.share;
            }
        std::vector<std::uint32_t> order(6);
        std::iota(order.begin(), order.end(), 0u);
        double worst = 0;
        do {
            for (std::size_t l = 0; l < fabric.network.links().size(); ++l) {
                if (!fabric.between_switches(Link{l})) continue;
                double sum = 0;
                for (std::size_t s = 0; s < 6; ++s) sum += of_pair[s * 6 + order[s]][l];
                worst = std::max(worst, sum);
            }
        } while (std::next_permutation(order.begin(), order.end()));
        ASSERT_TRUE(found.worst);
        EXPECT_NEAR(*found.worst, worst, 1e-9);
        double again = 0;
        for (HostPair const& pair : found.permutation)
            again += of_pair[pair.source.value * 6 + pair.destination.value][found.worst_link.value];
        EXPECT_NEAR(again, worst, 1e-9);
    }
}

TEST(ExpectedLoads, ValiantOnTheEightAryTwoCubeIsTwo) {
    Fabric const fabric = routed("torus:8x8", "valiant:by=dor:ties=parity");
    ExpectedLoads const found = expect_loads(fabric, hosts_of(fabric));
    ASSERT_TRUE(found.worst);
    EXPECT_NEAR(*found.worst, 2.0, 1e-9);
}

TEST(ExpectedLoads, TheCommandTellsThem) {
    Finished const run = run_tailback({"audit", "--network", "torus:4x4", "--routing", "valiant", "--format", "json"});
    ASSERT_EQ(run.code, 0) << run.err;
    auto const json = nlohmann::json::parse(run.out);
    EXPECT_EQ(json.at("pairs").at("delivered"), 240);
    EXPECT_GT(json.at("worst_permutation").at("load").get<double>(), 0.9);
    EXPECT_EQ(run_tailback({"audit", "--network", "torus:4x4", "--routing", "kshortest"}).code, 0);
    EXPECT_EQ(run_tailback({"audit", "--network", "torus:4x4", "--routing", "romm", "--criticality"}).code, 2);
    EXPECT_EQ(run_tailback({"audit", "--network", "torus:4x4", "--routing", "romm", "--format", "dot"}).code, 2);
    Finished const csv = run_tailback({"audit", "--network", "torus:4x4", "--routing", "valiant", "--format", "csv"});
    EXPECT_NE(csv.out.find("\npairs,delivered,,240,"), std::string::npos) << csv.out;
}

}  // namespace
}  // namespace tailback::expected_loads_test
