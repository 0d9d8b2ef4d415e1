// Missing cables: which are missing, and what each would bring. A leaf that has lost most of its cables to the spines
// gains by each of them, other leaves gain nothing; where failures are spread alike, all are alike.
#include "host/audit/changes/returned_cables.hpp"

#include "host/model/network.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace tailback {
namespace {

/// The network without the cables between switches of which `fails` says so, by the names of their ends and their
/// number among those between the two.
Network without(Network const& whole, std::function<bool(std::string const&, std::string const&, int)> const& fails,
                bool are_ports_told = true) {
    NetworkBuilder builder(true);
    for (std::size_t n = 0; n < whole.nodes().size(); ++n) {
        NodeRecord record = whole[Node{n}];
        if (!are_ports_told) record.ports = 0;
        builder.add_node(record);
    }
    for (std::size_t h = 0; h < whole.hosts().size(); ++h) builder.add_host(whole[Host{h}]);
    std::vector<std::uint8_t> gone(whole.links().size());
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> number;
    for (std::size_t l = 0; l < whole.links().size(); ++l) {
        LinkRecord const& link = whole[Link{l}];
        if (!whole.is_switch(link.from) || !whole.is_switch(link.to) || link.reverse.value < l) continue;
        int const which = number[{link.from.value, link.to.value}]++;
        if (fails(whole[link.from].name, whole[link.to].name, which) ||
            fails(whole[link.to].name, whole[link.from].name, which))
            gone[l] = gone[link.reverse.value] = 1;
    }
    for (std::size_t l = 0; l < whole.links().size(); ++l)
        if (gone[l] == 0) builder.add_link(whole[Link{l}]);
    Disagreements disagreements;
    return builder.finish(disagreements, "");
}

std::vector<Host> hosts_of_network(Network const& network) {
    std::vector<Host> hosts;
    for (std::size_t h = 0; h < network.hosts().size(); ++h) hosts.emplace_back(h);
    return hosts;
}

TEST(ReturnedCables, AreThoseThatAnOlderDumpHas) {
    Network const whole = make_topology(TopologySpec("xgft:m=4x4,w=1x4")).network;
    Network const now = without(whole, [](std::string const& a, std::string const& b, int) {
        return a == "S1_0" && (b == "S2_1" || b == "S2_2");
    });
    std::vector<MissingCable> const gone = cables_gone(whole, now);
    ASSERT_EQ(gone.size(), 2u);
    for (MissingCable const& cable : gone) {
        EXPECT_EQ(now[cable.from].name, "S1_0");
        EXPECT_FALSE(now.link_at(cable.from, cable.from_port).exists());
        EXPECT_TRUE(whole.link_at(cable.from, cable.from_port).exists());
        EXPECT_EQ(whole[whole.link_at(cable.from, cable.from_port)].to_port, cable.to_port);
    }
    EXPECT_TRUE(cables_gone(now, whole).empty());
    EXPECT_TRUE(cables_gone(whole, whole).empty());
}

TEST(ReturnedCables, AreMissingInUnevenBundles) {
    Network const whole = make_topology(TopologySpec("xgft:m=6x4,w=1x2,p=1x3")).network;
    EXPECT_TRUE(cables_of_uneven_bundles(whole).empty());
    Network const now = without(whole, [](std::string const& a, std::string const& b, int number) {
        return a == "S1_2" && b == "S2_1" && number < 2;
    });
    std::vector<MissingCable> const missing = cables_of_uneven_bundles(now);
    ASSERT_EQ(missing.size(), 2u);
    for (MissingCable const& cable : missing) {
        EXPECT_EQ(now[cable.from].name, "S1_2");
        EXPECT_EQ(now[cable.to].name, "S2_1");
        EXPECT_FALSE(now.link_at(cable.from, cable.from_port).exists());
        EXPECT_FALSE(now.link_at(cable.to, cable.to_port).exists());
    }
}

/// The last ports of both switches, where no file tells that they are there; where one does, no other is made up.
TEST(ReturnedCables, AreMissingAtLastPortsThatAreNotTold) {
    Network const whole = make_topology(TopologySpec("xgft:m=6x4,w=1x2,p=1x3")).network;
    auto const last = [](std::string const& a, std::string const& b, int number) {
        return a == "S1_3" && b == "S2_1" && number == 2;
    };
    Network const now = without(whole, last, false);
    std::vector<MissingCable> const missing = cables_of_uneven_bundles(now);
    ASSERT_EQ(missing.size(), 1u);
    EXPECT_EQ(now[missing[0].from].name, "S1_3");
    EXPECT_EQ(now[missing[0].to].name, "S2_1");
    EXPECT_EQ(missing[0].from_port, now[missing[0].from].ports + 1);
    EXPECT_EQ(missing[0].to_port, now[missing[0].to].ports + 1);
    EXPECT_EQ(cables_of_uneven_bundles(without(whole, last)).size(), 1u);
    EXPECT_TRUE(cables_of_uneven_bundles(without(
                                             whole, [](auto&&...) { return false; }, false))
                    .empty());
}

/// A leaf that has no cable at all to one spine, and no network that is whole.
TEST(ReturnedCables, AreMissingWhereMostSwitchesAlikeHaveThem) {
    Network const whole = make_topology(TopologySpec("xgft:m=4x6,w=1x4")).network;
    Network const now =
        without(whole, [](std::string const& a, std::string const& b, int) { return a == "S1_3" && b == "S2_2"; });
    std::vector<MissingCable> const missing = cables_of_uneven_bundles(now);
    ASSERT_EQ(missing.size(), 1u);
    EXPECT_EQ(now[missing[0].from].name, "S1_3");
    EXPECT_EQ(now[missing[0].to].name, "S2_2");
    for (char const* const spec : {"torus:4x4", "torus:4x4x4", "torus:3x5", "mesh:4x4", "hypercube:4",
                                   "dragonfly:a=4,p=2,h=2", "ring:7", "hyperx:sizes=4x4,hosts=2",
                                   "xgft:m=4x4x3,w=1x2x2", "slimfly:q=5,hosts=2", "jellyfish:switches=30,degree=5"}) {
        Network const one = make_topology(TopologySpec(spec)).network;
        EXPECT_TRUE(cables_of_uneven_bundles(one).empty()) << spec;
    }
}

TEST(ReturnedCables, StandOutWhereOneLeafHasLostMost) {
    Network const whole = make_topology(TopologySpec("xgft:m=8x8,w=1x8")).network;
    Network const now = without(whole, [](std::string const& a, std::string const& b, int) {
        return (a == "S1_0" && b >= "S2_3") || (a == "S1_5" && b == "S2_0") || (a == "S1_6" && b == "S2_1");
    });
    std::vector<MissingCable> const gone = cables_gone(whole, now);
    ASSERT_EQ(gone.size(), 7u);
    CableReturns const found = try_cables(now, hosts_of_network(now), gone);
    EXPECT_EQ(found.least, 152u);  // 8 hosts send to 56 others over 3 cables, each of these by one: 19 x 8
    ASSERT_EQ(found.cables.size(), 7u);
    for (std::size_t i = 0; i < 7; ++i) {
        ReturnedCable const& one = found.cables[i];
        bool const of_leaf = now[one.cable.from].name == "S1_0";
        EXPECT_EQ(one.stands_out, of_leaf) << i << " " << one.gain.value_or(0) << " +- " << found.error;
        EXPECT_EQ(i < 5, of_leaf) << i;
        EXPECT_EQ(one.least, of_leaf ? 112u : 152u) << i;
        EXPECT_GT(of_leaf ? one.gain.value_or(0) : 1.0, 0.0);
    }
}

TEST(ReturnedCables, AreAllAlikeWhereFailuresAre) {
    Network const whole = make_topology(TopologySpec("xgft:m=8x8,w=1x8")).network;
    Network const now = without(whole, [](std::string const& a, std::string const& b, int) {
        return a.size() == 4 && a[1] == '1' && b.size() == 4 && b[1] == '2' && a[3] == b[3] && a[3] < '4';
    });
    std::vector<MissingCable> const gone = cables_gone(whole, now);
    ASSERT_EQ(gone.size(), 4u);
    CableReturns const found = try_cables(now, hosts_of_network(now), gone);
    for (ReturnedCable const& one : found.cables)
        EXPECT_FALSE(one.stands_out) << one.gain.value_or(0) << " +- " << found.error;
}

/// Other LIDs of hosts change nothing: loads and the bound are of base LIDs, and no load is below it.
TEST(ReturnedCables, AreJudgedByBaseLids) {
    std::vector<nlohmann::json> reports;
    for (Words const& lmc : {Words{}, Words{"--lmc", "1"}}) {
        Finished const run = run_tailback(joined({"audit", "xgft:m=4x4,w=1x3", "--routing", "minhop", "--fail-cables",
                                                  "switch:2", "--return-cables", "failed", "--format", "json"},
                                                 lmc));
        ASSERT_EQ(run.err.find("tailback: --"), std::string::npos) << run.err;
        reports.push_back(nlohmann::json::parse(run.out).at("returned_cables"));
        for (nlohmann::json const& one : reports.back().at("cables"))
            EXPECT_GE(one.at("largest_load"), one.at("bound"));
    }
    EXPECT_EQ(reports[0], reports[1]);
}

TEST(ReturnedCables, NoneIsNoTrouble) {
    Network const whole = make_topology(TopologySpec("xgft:m=4x4,w=1x4")).network;
    CableReturns const found = try_cables(whole, hosts_of_network(whole), {});
    EXPECT_TRUE(found.cables.empty());
    EXPECT_EQ(found.error, 0);
    EXPECT_EQ(found.least, 12u);
}

}  // namespace
}  // namespace tailback
