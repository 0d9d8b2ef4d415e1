// ibnetdiscover output: what its lines mean, and that the damage real files have does not change the network.
#include "tests/support/programs/reading.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::ibnetdiscover_test {
namespace {

void expect_two_leaves(Network const& net) {
    ASSERT_EQ(net.nodes().size(), 4u);
    ASSERT_EQ(net.hosts().size(), 2u);
    ASSERT_EQ(net.links().size(), 8u);
    Node const leaf = net.node_by_guid(0xa1), node = net.node_by_guid(0xb1);
    EXPECT_EQ(net[leaf].name, "leaf one");
    EXPECT_EQ(net[leaf].lid, 1u);
    EXPECT_EQ(net[leaf].ports, 4u);
    EXPECT_EQ(net[node].name, "node 1");
    EXPECT_EQ(net[Host{0}].node, node);
    EXPECT_EQ(net[Host{0}].lid, 3u);
    EXPECT_EQ(net[Host{0}].port_guid, 0xc1u);
    LinkRecord const& up = net[net.up_link(Host{0})];
    EXPECT_EQ(up.to, leaf);
    EXPECT_EQ(up.to_port, 1u);
    EXPECT_EQ(up.rate, (LinkRate{4, Speed::hdr}));
    EXPECT_EQ(net[up.reverse].to, node);
    EXPECT_EQ(net[net.link_at(leaf, 4)].to_port, 4u);
    EXPECT_EQ(net[net.link_at(leaf, 4)].rate, (LinkRate{4, Speed::edr}));
    EXPECT_FALSE(net.link_at(leaf, 2).exists());
}

TEST(Ibnetdiscover, ReadsNodesPortsLidsAndRates) {
    Disagreements strict(true);
    Network const net = read_topology(two_leaves, strict);
    expect_two_leaves(net);
    NodeRecord const& first = net[Node{0}];
    EXPECT_EQ(first.vendor, 0x2c9u);
    EXPECT_EQ(first.device, 0xbd36u);
    EXPECT_EQ(first.system_guid, 0xa100u);
    EXPECT_FALSE(first.enhanced_port0);
    EXPECT_TRUE(net[Node{1}].enhanced_port0);
    EXPECT_EQ(net[Node{1}].system_guid, 0u);
}

TEST(Ibnetdiscover, LostTabsCrLfLostBlankLinesAndLogLinesChangeNothing) {
    Disagreements strict(true);
    std::string text = replaced(two_leaves, "\t", "");
    text = replaced(text, "\n\n",
                    "\nsrc/query_smp.c:195; umad (DR path slid 0; dlid 0; 0,1,5 Attr 0x11:0) bad status 110; "
                    "Connection timed out\n");
    text = replaced(text, "Switch4", "ibwarn: [7] mad_rpc: failed\nChassis 1 (guid 0x2c9)\nSwitch4");
    expect_two_leaves(read_topology(replaced(text, "\n", "\r\n"), strict));
}

TEST(Ibnetdiscover, NamesAreWhatStandsBetweenTheFirstAndTheLastQuote) {
    Disagreements strict(true);
    Network const net =
        read_topology(replaced(two_leaves, "\"leaf one\"", "\" Rack 4 \"leaf\", top (A/B) # 4; lid 9 \""), strict);
    EXPECT_EQ(net[net.node_by_guid(0xa1)].name, " Rack 4 \"leaf\", top (A/B) # 4; lid 9 ");
    EXPECT_EQ(net[net.node_by_guid(0xa1)].lid, 1u);
    EXPECT_EQ(net[Host{0}].lid, 3u);
    EXPECT_EQ(net[net.up_link(Host{0})].rate, (LinkRate{4, Speed::hdr}));
}

TEST(Ibnetdiscover, LmcGivesAPortARangeOfLids) {
    Disagreements strict(true);
    Network const net = read_topology(
        replaced(replaced(two_leaves, "lid 4 lmc 0", "lid 8 lmc 2"), "\"node 2\" lid 4", "\"node 2\" lid 8"), strict);
    for (Lid lid = 8; lid < 12; ++lid) EXPECT_EQ(net.owner(lid).host, Host{1});
    EXPECT_FALSE(net.owner(12).node.exists());
    EXPECT_FALSE(net.owner(4).node.exists());
}

TEST(Ibnetdiscover, ExtendedPortsRoutersAndSpeedRemarks) {
    std::string text = replaced(two_leaves, "[1](c2) ", "[1][ext 2](c2) ");
    text = replaced(text, "\"[3]\t", "\"[3][ext 1]\t");
    text = replaced(text, "4xEDR", "2xNDR s=4 w=2 v=4 e=1");
    text = replaced(replaced(text, "H-00000000000000b2", "R-00000000000000b2"), "caguid=0xb2\nCa", "rtguid=0xb2\nRt");
    Disagreements strict(true);
    Network const net = read_topology(text, strict);
    EXPECT_EQ(net.links().size(), 8u);
    EXPECT_EQ(net[Host{1}].role, HostRole::router);
    EXPECT_EQ(net[net.link_at(Node{0}, 3)].rate, (LinkRate{2, Speed::ndr}));
}

TEST(Ibnetdiscover, MultiRailHostsHaveAnEndpointAPort) {
    std::string text = replaced(two_leaves, "Ca\t1 \"H-00000000000000b1\"", "Ca\t2 \"H-00000000000000b1\"");
    text = replaced(text, "[1](c1) \t\"S-00000000000000a1\"[1]\t\t# lid 3 lmc 0 \"leaf one\" lid 1 4xHDR\n",
                    "[1](c1) \t\"S-00000000000000a1\"[1]\t\t# lid 3 lmc 0 \"leaf one\" lid 1 4xHDR\n"
                    "[2](c9) \t\"S-00000000000000a2\"[2]\t\t# lid 9 lmc 0 \"leaf-2\" lid 2 4xHDR\n");
    text = replaced(text, "[1]\t\"H-00000000000000b2\"",
                    "[2]\t\"H-00000000000000b1\"[2](c9) \t\t# \"node 1\" lid 9 4xHDR\n[1]\t\"H-00000000000000b2\"");
    Disagreements strict(true);
    Network const net = read_topology(text, strict);
    ASSERT_EQ(net.hosts().size(), 3u);
    EXPECT_EQ(net.hosts_of(net.node_by_guid(0xb1)).size(), 2u);
    EXPECT_EQ(net.owner(9).node, net.owner(3).node);
    EXPECT_EQ(net[net.owner(9).host].port, 2u);
}

TEST(Ibnetdiscover, LidZeroAnd65535MeanNoLid) {
    Disagreements disagreements;
    Network const net =
        read_topology(replaced(replaced(two_leaves, "lid 3", "lid 65535"), "lid 4", "lid 0"), disagreements);
    EXPECT_EQ(net[Host{0}].lid, 0u);
    EXPECT_EQ(disagreements.times(Disagreement::port_without_lid), 2u);
    EXPECT_EQ(net.max_lid(), 2u);
}

TEST(Ibnetdiscover, CableListedFromOneEndIsACable) {
    Disagreements disagreements;
    Network const net = read_topology(
        replaced(two_leaves, "[3]\t\"S-00000000000000a1\"[3]\t\t# \"leaf one\" lid 1 4xEDR\n", ""), disagreements);
    EXPECT_EQ(net.links().size(), 8u);
    EXPECT_EQ(disagreements.times(Disagreement::one_sided_cable), 1u);
    Disagreements strict(true);
    EXPECT_NE(error_of([&] {
                  read_topology(
                      replaced(two_leaves, "[3]\t\"S-00000000000000a1\"[3]\t\t# \"leaf one\" lid 1 4xEDR\n", ""),
                      strict);
              }).find("net:12: the cable to port 3 of \"leaf-2\" is not listed there"),
              std::string::npos);
}

TEST(Ibnetdiscover, EndsThatContradictEachOtherAreDisagreements) {
    Disagreements disagreements;
    read_topology(replaced(two_leaves, "[4]\t\"S-00000000000000a1\"[4]", "[4]\t\"S-00000000000000a1\"[3]"),
                  disagreements);
    EXPECT_GE(disagreements.times(Disagreement::one_sided_cable), 1u);
}

TEST(Ibnetdiscover, HostWithoutItsOwnRecordIsTakenFromItsSwitch) {
    std::string const text = two_leaves;
    Disagreements disagreements;
    Network const net = read_topology(text.substr(0, text.rfind("vendid=")), disagreements);
    ASSERT_EQ(net.hosts().size(), 2u);
    EXPECT_EQ(net[Host{1}].lid, 4u);
    EXPECT_EQ(net[Host{1}].port_guid, 0xc2u);
    EXPECT_EQ(net[net[Host{1}].node].name, "node 2");
    EXPECT_TRUE(net.up_link(Host{1}).exists());
    EXPECT_EQ(disagreements.times(Disagreement::missing_record), 1u);
    EXPECT_EQ(disagreements.times(Disagreement::one_sided_cable), 0u);
}

TEST(Ibnetdiscover, AdapterAndSwitchWithoutCables) {
    Disagreements disagreements;
    Network const net = read_topology(
        std::string(two_leaves) + "\ncaguid=0xb3\nCa\t2 \"H-00000000000000b3\"\t\t# \"spare\"\n" +
            "switchguid=0xa3(a3)\nSwitch\t8 \"S-00000000000000a3\"\t\t# \"lonely\" base port 0 lid 0 lmc 0\n",
        disagreements);
    EXPECT_EQ(net.hosts().size(), 3u);
    EXPECT_EQ(net.switches(), 3u);
    EXPECT_EQ(disagreements.times(Disagreement::host_without_cable), 1u);
}

TEST(Ibnetdiscover, WhatDisagreesIsCountedWithTheLineOfItsFirstExample) {
    struct Case {
        std::string from, to;
        Disagreement kind;
        std::uint64_t times;
        std::string message;
    };
    for (Case const& c : {
             Case{"lid 4 lmc 0", "lid 3 lmc 0", Disagreement::duplicate_lid, 1,
                  "(first: net:33: LID 3 is owned by \"node 1\" and by \"node 2\""},
             Case{"lid 3 lmc 0", "lid 65535 lmc 0", Disagreement::port_without_lid, 1,
                  "(first: net:27: port 1 of \"node 1\" has no LID)"},
             Case{"[1](c2) \t\"S-00000000000000a2\"[1]", "[1](c2) \t\"S-00000000000000a2\"[2]",
                  Disagreement::one_sided_cable, 2,
                  "(first: net:19: the cable to port 1 of \"node 2\" is another one by line 33)"},
             Case{"caguid=0xb2", "caguid=0xb3\nCa\t1 \"H-00000000000000b3\"\t\t# \"spare\"\ncaguid=0xb2",
                  Disagreement::host_without_cable, 1, "(first: net:32: port 1 of \"spare\" has no cable)"},
         }) {
        Disagreements disagreements, strict(true);
        read_topology(replaced(two_leaves, c.from, c.to), disagreements);
        EXPECT_EQ(disagreements.times(c.kind), c.times) << c.message;
        EXPECT_NE(testing::PrintToString(disagreements.warnings()).find(replaced(c.message, "\"", "\\\"")),
                  std::string::npos)
            << c.message << testing::PrintToString(disagreements.warnings());
        EXPECT_NE(error_of([&] { read_topology(replaced(two_leaves, c.from, c.to), strict); }).find("net:"),
                  std::string::npos);
    }
}

TEST(Ibnetdiscover, SwitchCabledToItself) {
    Disagreements strict(true);
    std::string const loop = "[2]\t\"S-00000000000000a1\"[2]\t\t# \"leaf one\" lid 1 4xEDR\n";
    Network const net = read_topology(
        replaced(two_leaves, "[3]\t\"S-00000000000000a2\"", loop + "[3]\t\"S-00000000000000a2\""), strict);
    Link const link = net.link_at(Node{0}, 2);
    ASSERT_TRUE(link.exists());
    EXPECT_EQ(net[link].to, Node{0});
}

TEST(Ibnetdiscover, UnknownSpeedsAndHalfPortLinesAreCounted) {
    Disagreements disagreements;
    Network const net = read_topology(
        replaced(replaced(two_leaves, "4xEDR", "4xZDR"), "[1](c2) \t\"S-00000000000000a2\"[1]", "[1](c2) \t\"S-000000"),
        disagreements);
    EXPECT_EQ(disagreements.times(Disagreement::unknown_speed), 4u);
    EXPECT_EQ(disagreements.times(Disagreement::unparsed_line), 1u);
    EXPECT_EQ(disagreements.times(Disagreement::one_sided_cable), 1u);
    EXPECT_EQ(net.links().size(), 8u);
}

TEST(Ibnetdiscover, IdsThatAreNoGuidsAreNamesForIbsim) {
    Disagreements disagreements;
    Network const net = read_topology(
        "Switch 8 \"sw\"\n[1] \"h1\"[1]\n[2] \"h2\"[1]\n\nCa 1 \"h1\"\n[1] \"sw\"[1]\n\nHca 1 \"h2\"\n[1] \"sw\"[2]",
        disagreements);
    EXPECT_EQ(net.hosts().size(), 2u);
    EXPECT_EQ(net.links().size(), 4u);
    EXPECT_EQ(net[Node{0}].name, "sw");
}

TEST(Ibnetdiscover, OneIdTwiceAndOneGuidTwiceAreDisagreements) {
    Disagreements twice(false, 9);
    expect_two_leaves(read_topology(std::string(two_leaves) + two_leaves, twice));
    EXPECT_EQ(twice.times(Disagreement::duplicate_guid), 4u);  // every node, and nothing else
    EXPECT_EQ(twice.noted().size(), 4u);
    EXPECT_EQ(twice.noted().front().place.line, 43u);
    Disagreements disagreements(false, 9);
    Network const net =
        read_topology(replaced(two_leaves, "switchguid=0xa2(a2)", "switchguid=0xa1(a1)"), disagreements);
    ASSERT_EQ(disagreements.noted().size(), 1u);
    EXPECT_EQ(disagreements.noted().front().kind(), Disagreement::duplicate_guid);
    EXPECT_EQ(disagreements.noted().front().place.line, 18u);
    EXPECT_EQ(disagreements.noted().front().where.text, "switch \"leaf one\" (0x00000000000000a1)");
    EXPECT_EQ(net[net.node_by_guid(0xa2)].name, "leaf-2");  // its id tells what the line should have said
}

/// Both ends list a cable: a digit of an id that is wrong at one of them is one disagreement, and the network the same.
/// The id that more lines have counts.
TEST(Ibnetdiscover, MistypedIds) {
    struct Case {
        std::string right, wrong;
        std::size_t line;
        std::string where, what;
    };
    for (Case const& one : {
             Case{"Switch\t4 \"S-00000000000000a2\"", "Switch\t4 \"S-00000000000000a7\"", 18,
                  "switch \"leaf-2\" (0x00000000000000a2)",
                  "its own record has the id \"S-00000000000000a7\", the 3 lines of its neighbours call it "
                  "\"S-00000000000000a2\", which counts"},
             Case{"Switch\t4 \"S-00000000000000a2\"", "Switch\t4 \"S-000000x0000000a2\"", 18,
                  "switch \"leaf-2\" (0x00000000000000a2)",
                  "its own record has the id \"S-000000x0000000a2\", the 3 lines of its neighbours call it "
                  "\"S-00000000000000a2\", which counts"},
             Case{"Ca\t1 \"H-00000000000000b1\"", "Ca\t1 \"H-00000000000000b7\"", 26,
                  "host \"node 1\" (0x00000000000000b1)",
                  "its own record has the id \"H-00000000000000b7\", the line of its neighbour calls it "
                  "\"H-00000000000000b1\", which counts"},
             Case{"[4]\t\"S-00000000000000a2\"", "[4]\t\"S-00000000000000a7\"", 13,
                  "switch \"leaf one\" (0x00000000000000a1) port 4",
                  "its cable leads to \"S-00000000000000a7\" by its line, and to switch \"leaf-2\" "
                  "(0x00000000000000a2) by the record of that one, which counts"},
             Case{"[1]\t\"H-00000000000000b1\"", "[1]\t\"H-00000000000000b7\"", 11,
                  "switch \"leaf one\" (0x00000000000000a1) port 1",
                  "its cable leads to \"H-00000000000000b7\" by its line, and to host \"node 1\" (0x00000000000000b1) "
                  "by the record of that one, which counts"},
             Case{"[1](c1) \t\"S-00000000000000a1\"", "[1](c1) \t\"S-00000000000000a7\"", 27,
                  "host \"node 1\" (0x00000000000000b1) port 1",
                  "its cable leads to \"S-00000000000000a7\" by its line, and to switch \"leaf one\" "
                  "(0x00000000000000a1) by the record of that one, which counts"},
         }) {
        SCOPED_TRACE(one.wrong);
        Disagreements disagreements(false, 9);
        expect_two_leaves(read_topology(replaced(two_leaves, one.right, one.wrong), disagreements));
        ASSERT_EQ(disagreements.noted().size(), 1u);
        EXPECT_EQ(disagreements.noted().front().kind(), Disagreement::told_twice);
        EXPECT_EQ(disagreements.noted().front().place.line, one.line);
        EXPECT_EQ(disagreements.noted().front().where.text, one.where);
        EXPECT_EQ(disagreements.noted().front().text, one.what);
    }
}

/// All switches of a director carry the GUID of the chassis, and their own behind it: the id is the node's.
TEST(Ibnetdiscover, SwitchesOfADirectorGoByTheirIds) {
    Disagreements strict(true);
    Network const net = read_topology(replaced(replaced(two_leaves, "switchguid=0xa1(a1)", "switchguid=0xcc(a1)"),
                                               "switchguid=0xa2", "switchguid=0xcc"),
                                      strict);
    expect_two_leaves(net);
    EXPECT_EQ(net[net.node_by_guid(0xa2)].name, "leaf-2");
    EXPECT_FALSE(net.node_by_guid(0xcc).exists());
}

/// ibdiagnet2's own form: a label behind every port, blanks for tabs, label and port GUID in a row on lines of
/// adapters.
std::string as_ibdiagnet2(std::string text) {
    text = replaced(replaced(text, " \t\t#", "      #"), "\t\t#", "      #");
    text = replaced(text, "[3]\t", "[3](1/2/1) ");
    text = replaced(text, "[4]\t", "[4](4) ");
    text = replaced(text, "[1]\t", "[1](1/1/1) ");
    text = replaced(replaced(text, "[1](c1) \t", "[1](1)(c1) "), "[1](c2) \t", "[1](1)(c2) ");
    return replaced(text, "\t", "  ");
}

TEST(Ibnetdiscover, Ibdiagnet2sForm) {
    Disagreements strict(true);
    Network const net = read_topology(as_ibdiagnet2(two_leaves), strict);
    expect_two_leaves(net);
    EXPECT_EQ(net[Host{1}].port_guid, 0xc2u);
    EXPECT_EQ(net[Host{1}].lid, 4u);
    Node const leaf = net.node_by_guid(0xa1);
    EXPECT_EQ(net.port_label(leaf, 3), "1/2/1");
    EXPECT_EQ(net.port_label(leaf, 4), "");  // the number itself
    EXPECT_EQ(net.place_of(leaf, 3).text, "switch \"leaf one\" (0x00000000000000a1) port 3 (1/2/1)");
}

/// `lid ` without a number, `lid -1`, `lid 65335`: told once a port; its neighbours may know the LID.
TEST(Ibnetdiscover, OddLids) {
    for (std::string const word : {"", "-1", "65335", "70000"}) {
        Disagreements one(false, 9), both(false, 9), of_switch(false, 9);
        Network const net = read_topology(replaced(two_leaves, "# lid 3 lmc 0", "# lid " + word + " lmc 0"), one);
        expect_two_leaves(net);  // LID 3 by its switch
        EXPECT_EQ(one.noted().size(), 1u);
        EXPECT_EQ(one.times(Disagreement::odd_lid), 1u);
        EXPECT_EQ(one.noted().front().place.line, 27u);
        EXPECT_EQ(one.noted().front().where.text, "host \"node 1\" (0x00000000000000b1) port 1");
        Network const none = read_topology(replaced(two_leaves, "lid 3", "lid " + word), both);
        EXPECT_EQ(none[Host{0}].lid, 0u);
        EXPECT_EQ(both.times(Disagreement::odd_lid), 1u);
        EXPECT_EQ(both.times(Disagreement::port_without_lid), 1u);
        EXPECT_EQ(both.times(Disagreement::told_twice), 0u);
        expect_two_leaves(
            read_topology(replaced(two_leaves, "base port 0 lid 1", "base port 0 lid " + word), of_switch));
        EXPECT_EQ(of_switch.times(Disagreement::odd_lid), 1u);
        EXPECT_EQ(of_switch.noted().size(), 1u);
    }
}

TEST(Ibnetdiscover, LidsThatBothEndsTellDifferently) {
    Disagreements host(false, 9), leaf(false, 9);
    read_topology(replaced(two_leaves, "# lid 3 lmc 0", "# lid 9 lmc 0"), host);
    ASSERT_EQ(host.noted().size(), 1u);
    EXPECT_EQ(host.noted()[0].kind(), Disagreement::told_twice);
    EXPECT_EQ(host.noted()[0].place.line, 11u);
    EXPECT_EQ(host.noted()[0].text, "its own record says LID 9, its neighbour's LID 3; its own counts");
    read_topology(replaced(two_leaves, "base port 0 lid 1", "base port 0 lid 9"), leaf);
    ASSERT_EQ(leaf.noted().size(), 1u);
    EXPECT_EQ(leaf.noted()[0].text, "its own record says LID 9, 3 neighbours' say LID 1; its own counts");
}

/// A damaged line is left out and told with its place; the rest of the file counts.
TEST(Ibnetdiscover, NumbersOutOfRangeAreLeftOutAndTold) {
    auto const told = [&](std::string const& from, std::string const& to) {
        Disagreements disagreements;
        read_topology(replaced(two_leaves, from, to), disagreements);
        EXPECT_EQ(disagreements.times(Disagreement::unparsed_line), 1u) << to;
        return testing::PrintToString(disagreements.warnings());
    };
    EXPECT_NE(told("Switch\t4 \"S-00000000000000a1\"", "Switch\t1099511627776 \"S-00000000000000a1\"")
                  .find("net:10: a node of 1099511627776 ports"),
              std::string::npos);
    EXPECT_NE(told("[3]\t\"S-00000000000000a2", "[99999999999999999999999]\t\"S-00000000000000a2").find("net:12: port"),
              std::string::npos);
    EXPECT_NE(
        told("[4]\t\"S-00000000000000a2\"[4]", "[4]\t\"S-00000000000000a2\"[256]").find("net:13: port number 256"),
        std::string::npos);
    EXPECT_NE(told("lid 3 lmc 0", "lid 3 lmc 8").find("net:27: LMC 8"), std::string::npos);
}

/// Its ports are not taken for those of the node before it.
TEST(Ibnetdiscover, DamagedNodeLine) {
    for (std::string const line : {"Switch\t4 \"S-0000", "Swi?ch\t4 \"S-00000000000000a2\"\t\t# \"leaf-2\""}) {
        Disagreements disagreements(false, 9);
        Network const net = read_topology(
            replaced(two_leaves, "Switch\t4 \"S-00000000000000a2\"\t\t# \"leaf-2\" enhanced port 0 lid 2 lmc 0", line),
            disagreements);
        EXPECT_EQ(net.links().size(), 8u);
        EXPECT_EQ(net[net.node_by_guid(0xa2)].lid, 2u);
        EXPECT_EQ(disagreements.times(Disagreement::unparsed_line), 1u);
        EXPECT_EQ(disagreements.times(Disagreement::missing_record), 1u);
        EXPECT_EQ(disagreements.noted().size(), 2u);
    }
}

TEST(Ibnetdiscover, CutFilesAreErrors) {
    std::string const text = two_leaves;
    Disagreements disagreements;
    auto const error = [&](std::size_t bytes) {
        return error_of([&] { read_topology(text.substr(0, bytes), disagreements); });
    };
    // Wherever it is cut within a line of the last record, but for the last characters that could be missing unseen.
    for (std::size_t cut = text.rfind("vendid=") + 1; cut < text.size() - 1; ++cut)
        EXPECT_TRUE(error(cut).find("cut off") != std::string::npos || text[cut] == '\n' || text[cut - 1] == '\n')
            << text.substr(0, cut).substr(text.rfind("vendid="));
    EXPECT_NE(error(text.find("caguid=0xb1")).find("net:23: the topology is cut off"), std::string::npos);
    EXPECT_EQ(error(text.size() - 1), "no error");
    // More nodes named than described.
    EXPECT_NE(
        error(text.find("vendid=", text.find("vendid=") + 1)).find("2 nodes are named that have no record, 1 have one"),
        std::string::npos);
}

TEST(Ibnetdiscover, NoHostsIsAnError) {
    Disagreements disagreements;
    EXPECT_NE(error_of([&] {
                  read_topology(
                      "switchguid=0xa3(a3)\nSwitch\t8 \"S-00000000000000a3\"\t\t# \"lonely\" base port 0 lid 0 lmc 0\n",
                      disagreements);
              }).find("the network has no hosts"),
              std::string::npos);
}

}  // namespace
}  // namespace tailback::ibnetdiscover_test
