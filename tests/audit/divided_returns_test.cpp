// Missing cables of networks whose switches divide flows, tried by equal division. Definition: routes are all ways of
// fewest links; a switch sends what it has for a destination in equal parts by all its next hops, where a LAG is one,
// divided over its members. Held to a recomputation that walks each destination by itself, over every pairing of hosts.
#include "host/audit/changes/returned_cables.hpp"
#include "host/model/network.hpp"
#include "tests/audit/naive_division.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

namespace tailback::divided_returns_test {
namespace {

using namespace naive_division;

TEST(DividedReturns, OfATreeOfEqualCost) {
    Network const whole = make_topology(TopologySpec("xgft:m=2x3,w=1x2")).network;
    CableReturns const found = expect_naive(whole, {{0, 3, 0}, {1, 4, 0}}, {});
    EXPECT_EQ(found.cables.size(), 2u);
}

TEST(DividedReturns, OfARing) {
    Network const whole = make_topology(TopologySpec("ring:6")).network;
    expect_naive(whole, {{0, 1, 0}}, {});
}

/// A LAG of one member less carries what it did: the other has all of it, and its return halves that.
TEST(DividedReturns, OfAMemberOfALag) {
    Network const whole = make_topology(TopologySpec("xgft:m=3x2,w=1x2,p=1x2")).network;
    Lags const lags = lags_of_bundles(whole);
    CableReturns const found = expect_naive(whole, {{0, 2, 1}}, lags);
    ASSERT_EQ(found.cables.size(), 1u);
    EXPECT_TRUE(found.cables[0].stands_out);
    EXPECT_NEAR(found.as_it_is.largest, 2 * found.cables[0].routes.largest, 1e-9);
    // Where no LAG is told three cables share what goes up from that leaf: one carries less than half of it.
    CableReturns const apart = expect_naive(whole, {{0, 2, 1}}, {});
    EXPECT_GT(apart.as_it_is.bandwidth, found.as_it_is.bandwidth);
}

/// A member joins its LAG again where only the older dump tells the LAG, as one of one member alone is none.
TEST(DividedReturns, AMemberJoinsItsLag) {
    Network const whole = make_topology(TopologySpec("xgft:m=2x3,w=1x2,p=1x2")).network;
    Lags const lags = lags_of_bundles(whole);
    Network const now = without(whole, [](Cable const& one) { return one == Cable{0, 3, 1}; });
    std::vector<MissingCable> const missing = cables_gone(whole, now, &lags);
    ASSERT_EQ(missing.size(), 1u);
    ASSERT_TRUE(missing[0].beside.exists());
    Lags less;  // without the LAG that has one member left
    for (auto const& [node, ports] : lags.all())
        if (std::find(ports.begin(), ports.end(), now[missing[0].beside].from_port) == ports.end() ||
            !(node == now[missing[0].beside].from))
            less.add(node, ports);
    EXPECT_EQ(less.all().size(), lags.all().size() - 1);
    CableReturns const told = try_divided_cables(now, &lags, every_host_of(now), missing, "ar:minimal", 1),
                       joined = try_divided_cables(now, &less, every_host_of(now), missing, "ar:minimal", 1);
    EXPECT_EQ(joined.cables[0].routes.largest, told.cables[0].routes.largest);
    EXPECT_EQ(joined.cables[0].routes.bandwidth, told.cables[0].routes.bandwidth);
    EXPECT_EQ(joined.as_it_is.largest, told.as_it_is.largest);
}

/// Where most switches have more cables in their LAG it is the LAG's port without a cable that lacks one.
TEST(DividedReturns, UnevenBundlesLackMembers) {
    Network const whole = make_topology(TopologySpec("xgft:m=3x4,w=1x2,p=1x3")).network;
    Lags const lags = lags_of_bundles(whole);
    Network const now = without(whole, [](Cable const& one) { return one == Cable{2, 5, 1}; });
    std::vector<MissingCable> const missing = cables_of_uneven_bundles(now, &lags);
    ASSERT_EQ(missing.size(), 1u);
    std::vector<MissingCable> const gone = cables_gone(whole, now, &lags);
    ASSERT_EQ(gone.size(), 1u);
    EXPECT_TRUE(missing[0].beside.exists());
    EXPECT_EQ(missing[0].from, gone[0].from);
    EXPECT_EQ(missing[0].from_port, gone[0].from_port);
}

TEST(DividedReturns, StandOutWhereOneLeafHasLostMost) {
    Network const whole = make_topology(TopologySpec("xgft:m=8x8,w=1x8")).network;
    Network const now = without(whole, [&](Cable const& one) {
        auto const [leaf, spine, number] = one;
        return (leaf == 0 && spine >= 11) || (leaf == 5 && spine == 8) || (leaf == 6 && spine == 9);
    });
    std::vector<MissingCable> const gone = cables_gone(whole, now);
    ASSERT_EQ(gone.size(), 7u);
    CableReturns const found = try_divided_cables(now, nullptr, every_host_of(now), gone, "ar:minimal", 1);
    EXPECT_NEAR(found.least, 8 * 56 / 3.0, 0.2);  // 8 hosts send to 56 others over 3 cables
    for (std::size_t i = 0; i < found.cables.size(); ++i) {
        ReturnedCable const& one = found.cables[i];
        bool const of_leaf = number_of(now, std::min(one.cable.from, one.cable.to)) == 0;
        EXPECT_EQ(one.stands_out, of_leaf) << i << " " << one.gain.value_or(0) << " +- " << found.error;
        EXPECT_EQ(i < 5, of_leaf) << i;
    }
}

TEST(DividedReturns, AreAllAlikeWhereFailuresAre) {
    Network const whole = make_topology(TopologySpec("xgft:m=8x8,w=1x8")).network;
    Network const now = without(
        whole, [](Cable const& one) { return std::get<0>(one) < 4 && std::get<1>(one) == std::get<0>(one) + 8; });
    std::vector<MissingCable> const gone = cables_gone(whole, now);
    ASSERT_EQ(gone.size(), 4u);
    CableReturns const found = try_divided_cables(now, nullptr, every_host_of(now), gone, "ar:minimal", 1);
    EXPECT_EQ(found.cables.size(), 4u);
    for (ReturnedCable const& one : found.cables)
        EXPECT_FALSE(one.stands_out) << one.gain.value_or(0) << " +- " << found.error;
}

/// A folder of routers is judged by equal division, not by tables of one next hop, and hosts that are left out send
/// nothing.
TEST(DividedReturns, OfAFolderOfRouters) {
    Words const words = {"audit",
                         "--network",
                         "frr:" + fixture("../../examples/roce"),
                         "--fail-cables",
                         "leaf01:swp49,leaf02:swp50",
                         "--return-cables",
                         "failed"};
    Finished const text = run_tailback(words);
    EXPECT_NE(text.out.find("each returned by itself, with next hops made anew"), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("Flows divide equally over all next hops of shortest routes"), std::string::npos);
    nlohmann::json const found =
        nlohmann::json::parse(run_tailback(joined(words, {"--format", "json"})).out).at("returned_cables");
    EXPECT_EQ(found.at("routing"), "ar:minimal");
    EXPECT_EQ(found.at("cables").size(), 2u);
    for (nlohmann::json const& one : found.at("cables")) {
        EXPECT_TRUE(one.at("collisions_per_permutation").is_null());
        EXPECT_GE(one.at("largest_load").get<double>(), one.at("bound").get<double>() - 1e-9);
    }
    nlohmann::json const few =
        nlohmann::json::parse(run_tailback(joined(words, {"--format", "json", "--hosts", "node0[1-2]"})).out)
            .at("returned_cables");
    EXPECT_LT(few.at("as_it_is").at("largest_load").get<double>(),
              found.at("as_it_is").at("largest_load").get<double>());
}

}  // namespace
}  // namespace tailback::divided_returns_test
