// Cables that are returned to LAGs and to networks in parts, and what reaches the routes that are made anew.
#include "host/audit/changes/returned_cables.hpp"
#include "tests/audit/naive_division.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tailback::returned_members_test {
namespace {

using namespace naive_division;

/// All cables between two switches are one LAG, which both switches tell.
Lags told_at_both_ends(Network const& whole) {
    std::map<std::pair<Node, Node>, std::vector<Port>> ports;
    for (std::size_t l = 0; l < whole.links().size(); ++l)
        if (LinkRecord const& link = whole[Link{l}]; whole.is_switch(link.from) && whole.is_switch(link.to))
            ports[{link.from, link.to}].push_back(link.from_port);
    Lags lags;
    for (auto const& [ends, members] : ports) lags.add(ends.first, members);
    return lags;
}

/// Those that routers tell which forget members without a cable.
Lags of_cabled_ports(Lags const& lags, Network const& now) {
    Lags left;
    for (auto const& [node, members] : lags.all()) {
        std::vector<Port> ports = members;
        std::erase_if(ports, [&](Port port) { return !now.link_at(node, port).exists(); });
        left.add(node, ports);
    }
    return left;
}

Node switch_number(Network const& network, std::uint32_t number) {
    for (std::size_t n = 0; n < network.nodes().size(); ++n)
        if (network.is_switch(Node{n}) && number_of(network, Node{n}) == number) return Node{n};
    return {};
}

/// Definition: a member that is back is one again in both directions, whichever ends tell the LAG today and whether
/// they told its port while it had no cable. All numbers are the naive ones.
TEST(ReturnedMembers, AreMembersAtBothEnds) {
    for (char const* const spec : {"xgft:m=4x2,w=1x1,p=1x3", "xgft:m=3x2,w=1x2,p=1x3"}) {
        SCOPED_TRACE(spec);
        Network const whole = make_topology(TopologySpec(spec)).network;
        Lags const lags = told_at_both_ends(whole);
        Network const now = without(whole, [](Cable const& one) { return one == Cable{0, 2, 1}; });
        Lags const today = of_cabled_ports(lags, now);
        ASSERT_EQ(today.all().size(), lags.all().size());
        expect_naive(whole, {{0, 2, 1}}, lags);
        CableReturns const found = expect_naive(whole, {{0, 2, 1}}, lags, &today);
        ASSERT_EQ(found.cables.size(), 1u);
        EXPECT_NEAR(found.as_it_is.largest, 1.5 * found.cables[0].routes.largest, 1e-9);  // 2 members had what 3 have
    }
}

/// Definition: a LAG of two beside LAGs of three lacks a member, also where nobody tells a port for it: it takes the
/// next port, which is in no LAG, and carries a third in both directions.
TEST(ReturnedMembers, OfAnUnevenBundleTakeAnyPort) {
    Network const whole = make_topology(TopologySpec("xgft:m=2x3,w=1x2,p=1x3")).network;
    Network const told = without(whole, [](Cable const& one) { return one == Cable{2, 4, 2}; });  // the last ports
    NetworkBuilder builder(true);
    for (NodeRecord node : told.nodes()) {
        node.ports = 0;
        builder.add_node(node);
    }
    for (std::size_t h = 0; h < told.hosts().size(); ++h) builder.add_host(told[Host{h}]);
    for (std::size_t l = 0; l < told.links().size(); ++l) {
        LinkRecord link = told[Link{l}];
        link.reverse = {};
        builder.add_link(link);
    }
    Disagreements disagreements;
    Network const now = builder.finish(disagreements, "");
    Lags const lags = told_at_both_ends(whole), today = of_cabled_ports(lags, now);
    std::vector<MissingCable> const missing = cables_of_uneven_bundles(now, &today);
    ASSERT_EQ(missing.size(), 1u);
    ASSERT_TRUE(missing[0].beside.exists());
    EXPECT_TRUE(today.of(missing[0].from, missing[0].from_port).empty());
    EXPECT_TRUE(today.of(missing[0].to, missing[0].to_port).empty());
    Link const is_there = whole.link_at(missing[0].from, missing[0].from_port);
    ASSERT_TRUE(is_there.exists());  // the same cable as in the whole network
    ASSERT_EQ(whole[is_there].to_port, missing[0].to_port);
    CableReturns const found = try_divided_cables(now, &today, every_host_of(now), missing, "ar:minimal", 1);
    Naive const before(told, lags), after(whole, lags);
    EXPECT_NEAR(found.as_it_is.largest, before.largest_of_all_pairs(), 1e-9);
    EXPECT_NEAR(found.cables.at(0).routes.largest, after.largest_of_all_pairs(), 1e-9);
    EXPECT_NEAR(found.cables.at(0).gain.value_or(2), after.bandwidth() - before.bandwidth(),
                std::max(found.error, 1e-9));
}

/// Definition: a routing of one next hop that leads into LAGs is judged over six orders of ports and hosts. Where there
/// is one way alone it has the numbers of equal division.
TEST(ReturnedMembers, OfOneNextHopAreMeansOverOrders) {
    Network const whole = make_topology(TopologySpec("xgft:m=4x2,w=1x1,p=1x2")).network;
    Lags const lags = told_at_both_ends(whole);
    Network const now = without(whole, [](Cable const& one) { return one == Cable{0, 2, 1}; });
    std::vector<MissingCable> const missing = cables_gone(whole, now, &lags);
    ASSERT_EQ(missing.size(), 1u);
    CableReturns const divided = try_divided_cables(now, &lags, every_host_of(now), missing, "ar:minimal", 1),
                       tables = try_divided_cables(now, &lags, every_host_of(now), missing, "minhop", 1);
    EXPECT_EQ(divided.drawn, ReturnsDraw::bisections);
    EXPECT_EQ(divided.draws, 1000u);
    EXPECT_EQ(tables.drawn, ReturnsDraw::orders);
    EXPECT_EQ(tables.draws, 6u);
    EXPECT_EQ(try_cables(now, every_host_of(now), missing).drawn, ReturnsDraw::starts);
    Naive const before(now, lags), after(whole, lags);
    EXPECT_NEAR(tables.as_it_is.largest, before.largest_of_all_pairs(), 1e-9);
    EXPECT_NEAR(tables.as_it_is.bandwidth.value_or(0), before.bandwidth(), 0.02);
    EXPECT_NEAR(tables.cables.at(0).routes.largest, after.largest_of_all_pairs(), 1e-9);
    EXPECT_NEAR(tables.cables.at(0).routes.bandwidth.value_or(0), after.bandwidth(), 0.02);
}

/// Definition: with one spine as the list of roots all routes of up*/down* go over it, as if the others were not there.
TEST(ReturnedMembers, RootsReachTheRoutes) {
    Network const whole = make_topology(TopologySpec("xgft:m=3x2,w=1x2,p=1x2")).network;
    Lags const lags = told_at_both_ends(whole);
    Network const now = without(whole, [](Cable const& one) { return one == Cable{0, 2, 1}; });
    std::vector<MissingCable> const missing = cables_gone(whole, now, &lags);
    ASSERT_EQ(missing.size(), 1u);
    for (std::uint32_t const root : {2u, 3u}) {
        SCOPED_TRACE(root);
        auto const is_of_another = [&](Cable const& one) { return std::get<1>(one) != root; };
        Network const alone_now = without(now, is_of_another), alone = without(whole, is_of_another);
        RoutingSpec const routing("updn", 1, {switch_number(now, root)});
        CableReturns const found = try_divided_cables(now, &lags, every_host_of(now), missing, routing, 1);
        EXPECT_EQ(found.routing, "updn");
        EXPECT_NEAR(found.as_it_is.largest, Naive(alone_now, lags).largest_of_all_pairs(), 1e-9);
        EXPECT_NEAR(found.cables.at(0).routes.largest, Naive(alone, lags).largest_of_all_pairs(), 1e-9);
    }
}

/// Definition: other seeds of a routing that draws make other routes, the same seed the same.
TEST(ReturnedMembers, SeedsReachTheRoutes) {
    Network const whole = make_topology(TopologySpec("xgft:m=4x4,w=1x4,p=1x2")).network;
    Lags const lags = told_at_both_ends(whole);
    Network const now = without(whole, [](Cable const& one) { return one == Cable{0, 4, 1}; });
    std::vector<MissingCable> const missing = cables_gone(whole, now, &lags);
    ASSERT_EQ(missing.size(), 1u);
    auto const bandwidth = [&](std::uint64_t seed) {
        return try_divided_cables(now, &lags, every_host_of(now), missing, RoutingSpec("random", seed), 1)
            .as_it_is.bandwidth.value_or(0);
    };
    std::set<double> different;
    for (std::uint64_t const seed : {1u, 2u, 3u, 4u}) different.insert(bandwidth(seed));
    EXPECT_GT(different.size(), 2u);
    EXPECT_EQ(bandwidth(3), bandwidth(3));
}

/// Definition: leaf 0 of two hosts has no cable, and a cable to leaf 1 is missing, too: 2 x 2 x 4 pairs are lost until
/// one of leaf 0 is back. Those that deliver them stand first, and out. Bandwidth by formula is not known while pairs
/// are lost; of drawn bisections it is, and lost pairs count 0.
TEST(ReturnedMembers, ThatDeliverPairsStandOut) {
    Network const whole = make_topology(TopologySpec("xgft:m=2x3,w=1x2")).network;
    Network const now = without(whole, [](Cable const& one) { return std::get<0>(one) == 0 || one == Cable{1, 3, 0}; });
    std::vector<MissingCable> const missing = cables_gone(whole, now);
    ASSERT_EQ(missing.size(), 3u);
    CableReturns const tables = try_cables(now, every_host_of(now), missing),
                       divided = try_divided_cables(now, nullptr, every_host_of(now), missing, "ar:minimal", 1);
    for (CableReturns const* const found : {&tables, &divided}) {
        SCOPED_TRACE(found->routing);
        EXPECT_EQ(found->as_it_is.not_delivered, 16u);
        ASSERT_EQ(found->cables.size(), 3u);
        for (std::size_t i = 0; i < 3; ++i) {
            ReturnedCable const& one = found->cables[i];
            bool const is_of_leaf_0 = number_of(now, std::min(one.cable.from, one.cable.to)) == 0;
            EXPECT_EQ(is_of_leaf_0, i < 2) << i;
            EXPECT_EQ(one.routes.not_delivered, is_of_leaf_0 ? 0u : 16u) << i;
            EXPECT_EQ(one.stands_out, is_of_leaf_0) << i;
        }
    }
    EXPECT_FALSE(tables.as_it_is.bandwidth.has_value());
    EXPECT_EQ(tables.draws, 0u);
    EXPECT_EQ(tables.error, 0);
    for (ReturnedCable const& one : tables.cables) {
        EXPECT_EQ(one.routes.bandwidth.has_value(), one.routes.not_delivered == 0);
        EXPECT_FALSE(one.gain.has_value());
    }
    ASSERT_TRUE(divided.as_it_is.bandwidth.has_value());
    for (ReturnedCable const& one : divided.cables) EXPECT_TRUE(one.gain.has_value());
}

}  // namespace
}  // namespace tailback::returned_members_test
