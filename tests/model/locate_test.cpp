// What a person types: LIDs, GUIDs, names; and the answers to words that mean nothing or too much.
#include "host/model/locate.hpp"

#include "host/audit/findings/consistency.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::locate_test {
namespace {

Network leaves() {
    Disagreements strict(true);
    return read_topology(
        replaced(replaced(replaced(two_leaves, "lid 4 lmc 0", "lid 8 lmc 2"), "\"node 2\" lid 4", "\"node 2\" lid 8"),
                 "\"node 2\"", "\"node 2 \""),
        strict);
}

TEST(Locate, ByLidInDecimalAndHexAndOverTheRangeOfAnLmc) {
    Network const net = leaves();
    EXPECT_EQ(locate(net, "3").host, Host{0});
    EXPECT_EQ(locate(net, "0x3").host, Host{0});
    EXPECT_EQ(locate(net, "0x0b").host, Host{1});
    EXPECT_EQ(locate(net, "11").lid, 11u);
    EXPECT_EQ(locate(net, "2").node, Node{1});
    EXPECT_FALSE(locate(net, "2").host.exists());
    EXPECT_FALSE(locate(net, "99").node.exists());
    EXPECT_EQ(locate(net, "99").lid, 99u);
}

TEST(Locate, ByGuidOfNodeOrPortAndById) {
    Network const net = leaves();
    EXPECT_EQ(locate(net, "0x00000000000000b1").host, Host{0});
    EXPECT_EQ(locate(net, "0x00000000000000c2").host, Host{1});
    EXPECT_EQ(locate(net, "0x00000000000000c2").lid, 8u);
    EXPECT_EQ(locate(net, "0x00000000000000A2").node, Node{1});
    EXPECT_EQ(locate(net, "S-00000000000000a1").lid, 1u);
    EXPECT_NE(error_of([&] { locate(net, "0x00000000000000ff"); }).find("has the GUID"), std::string::npos);
}

TEST(Locate, ByNameWithOrWithoutTheBlanksAtItsEnds) {
    Network const net = leaves();
    EXPECT_EQ(locate(net, "leaf one").node, Node{0});
    EXPECT_EQ(locate(net, "node 2 ").host, Host{1});
    EXPECT_EQ(locate(net, "node 2").host, Host{1});
    std::string const unknown = error_of([&] { locate(net, "leaff", {"subset", 7}); });
    EXPECT_NE(unknown.find("subset:7: nothing in the network is called \"leaff\" (the nearest: \"leaf"),
              std::string::npos)
        << unknown;
}

TEST(Locate, APartOrAGlobThatOneNameHasAlone) {
    Network const net = leaves();
    for (std::string const word : {"af o", "LEAF ONE", "leaf*e", "?eaf one", "*[o]n[e]", "eaf o?e", "f*on", "Leaf O"})
        EXPECT_EQ(locate(net, word).node, Node{0}) << word;
    EXPECT_EQ(locate(net, "f-2").node, Node{1});
    for (std::string const word : {"leaf", "LEAF", "leaf*", "**"}) {
        std::string const error = error_of([&] { locate(net, word, {"subset", 7}); });
        EXPECT_NE(error.find("subset:7: \"" + word + "\" has "), std::string::npos) << error;
        EXPECT_NE(error.find("switch \"leaf one\""), std::string::npos) << error;
        EXPECT_NE(error.find("switch \"leaf-2\""), std::string::npos) << error;
    }
    EXPECT_EQ(locate(net, "2").lid, 2u);  // numbers are LIDs, never parts of names
}

TEST(Locate, ACableByOneOfItsEnds) {
    Network const net = leaves();
    Link const cable = net.link_at(Node{0}, 3);
    ASSERT_TRUE(cable.exists());
    for (std::string const word : {"leaf one:3", "leaf one [3]", "leaf one/P3", "one:3", "ONE/P3", "*one [3]",
                                   "switch \"leaf one\" (0x00000000000000a1) port 3", "0x00000000000000a1:3"})
        EXPECT_EQ(locate_cable(net, word, "--fail-cables"), cable) << word;
    LinkRecord const& record = net[cable];  // and by both, as reports print links
    std::string const there = net[record.to].name + " [" + std::to_string(record.to_port) + "]";
    for (std::string const arrow : {" -> ", " <-> "}) {
        EXPECT_EQ(locate_cable(net, "leaf one [3]" + arrow + there, "--fail-cables"), cable);
        EXPECT_EQ(locate_cable(net, there + arrow + "one [3]", "--fail-cables"), record.reverse);
        std::string const other = error_of([&] { locate_cable(net, "one [1]" + arrow + there, "--fail-cables"); });
        EXPECT_NE(other.find("names no cable (that of one [1] goes to host \"node 1\""), std::string::npos) << other;
    }
    for (auto const& [word, message] : {std::pair{"leaf:3", "\"leaf\" has 2 meanings"},
                                        {"leaf one", "--fail-cables \"leaf one\" names no port"},
                                        {"leaf one:9", "names no port"},
                                        {"leaf one:2", "names no cable"},
                                        {"nobody/P3", "nothing in the network is called \"nobody\""}})
        EXPECT_NE(error_of([&] { locate_cable(net, word, "--fail-cables"); }).find(message), std::string::npos) << word;
}

TEST(Locate, WhatReportsPrintCanBePasted) {
    Network const net = leaves();
    for (std::size_t n = 0; n < net.nodes().size(); ++n) {
        Node const node{n};
        std::string const printed = net.describe(node), with_port = port_location(net, node, 1);
        for (std::string word : {printed, with_port, " " + printed, "\"" + net[node].name + "\""}) {
            EXPECT_EQ(locate(net, word).node, node) << word;
            std::erase(word, '"');  // a shell takes the quotes inside of others away
            EXPECT_EQ(locate(net, word).node, node) << word;
        }
    }
    EXPECT_EQ(locate(net, "node 2 [1]").host, Host{1});  // the host at that port of it
    EXPECT_EQ(locate(net, "E 2 [1]").host, Host{1});
    EXPECT_EQ(locate(net, "leaf one [3]").node, Node{0});
    EXPECT_EQ(locate(net, "leaf one:3").node, Node{0});
    EXPECT_EQ(locate(net, "node 2:1").host, Host{1});
    EXPECT_NE(error_of([&] {
                  locate(net, "leaf one [3] -> node 1 [1]");
              }).find("is a link (one node or port is wanted here); give one of its ends: \"leaf one\" or \"node 1\""),
              std::string::npos);
    EXPECT_NE(error_of([&] { locate(net, "node 2 [7]"); }).find("nothing in the network is called"), std::string::npos);
    EXPECT_EQ(locate(net, "LID 3").host, Host{0});
    EXPECT_EQ(locate(net, "LID 0x0b").host, Host{1});
    for (std::string const word :
         {"switch \"nobody\"", "switch \"leaf one\" and more", "\"", "\"\"", "LID x", "host \""})
        EXPECT_NE(error_of([&] { locate(net, word); }).find("nothing in the network is called"), std::string::npos)
            << word;
}

TEST(Locate, AmbiguousNamesListWhatTheyCanMean) {
    Disagreements strict(true);
    Network const net = read_topology(replaced(two_leaves, "node 2", "node 1"), strict);
    std::string const error = error_of([&] { locate(net, "node 1"); });
    EXPECT_NE(error.find("has 2 meanings"), std::string::npos) << error;
    EXPECT_NE(error.find("host \"node 1\" (0x00000000000000b2) port 1 LID 4"), std::string::npos) << error;
}

TEST(Locate, NamesComeFirstInNetworksOfNames) {
    NetworkBuilder builder(true);
    Node const s = builder.add_node({.name = "S"});
    for (char const* const name : {"7", "1"}) {
        Node const h = builder.add_node({.kind = NodeKind::adapter, .name = name});
        Host const host = builder.add_host({.node = h});
        builder.hosts()[host].lid = static_cast<Lid>(host.value + 1);
        builder.add_link({.from = h, .from_port = 1, .to = s, .to_port = host.value + 1});
        builder.add_link({.from = s, .from_port = host.value + 1, .to = h, .to_port = 1});
    }
    Disagreements strict(true);
    Network const net = builder.finish(strict, "test");
    EXPECT_EQ(locate(net, "7").host, Host{0});
    EXPECT_EQ(locate(net, "1").host, Host{1});
    EXPECT_EQ(locate(net, "2").host, Host{1});  // no such name: an LID
}

/// Ports that go by names are interfaces of routers: there are no GUIDs, and no LIDs that people know.
TEST(Locate, FabricsOfRoutersAreToldOfNamesAlone) {
    NetworkBuilder builder(true);
    Node const router = builder.add_node({.name = "leaf01"});
    Node const node = builder.add_node({.kind = NodeKind::adapter, .name = "node01"});
    builder.add_host({.node = node, .port = 1, .lid = 1});
    builder.add_link({.from = node, .from_port = 1, .to = router, .to_port = 1});
    builder.add_link({.from = router, .from_port = 1, .to = node, .to_port = 1});
    builder.set_port_label(router, 1, "swp1");
    builder.set_port_label(node, 1, "eth0");
    Disagreements strict(true);
    Network const net = builder.finish(strict, "test");
    EXPECT_TRUE(error_of([&] { locate(net, "spine01"); }).ends_with("; give a name"));
    EXPECT_TRUE(error_of([&] { locate_host(net, "leaf01"); }).ends_with("; give a name of a host"));
}

TEST(Locate, TheNodeInFrontOfAnAdapterWinsOverParts) {
    NetworkBuilder builder(true);
    Node const s = builder.add_node({.name = "S"});
    Port port = 0;
    for (char const* const name : {"n1 ib0", "n10 ib0", "n11 ib0", "n11 ib1", "x-n1"}) {
        Node const h = builder.add_node({.kind = NodeKind::adapter, .name = name});
        builder.add_host({.node = h, .port = 1, .lid = static_cast<Lid>(++port)});
        builder.add_link({.from = h, .from_port = 1, .to = s, .to_port = port});
        builder.add_link({.from = s, .from_port = port, .to = h, .to_port = 1});
    }
    Disagreements strict(true);
    Network const net = builder.finish(strict, "test");
    EXPECT_EQ(locate(net, "n1").host, Host{0});
    EXPECT_EQ(locate(net, "N10").host, Host{1});
    EXPECT_EQ(locate(net, "x-").host, Host{4});  // a part
    std::string const error = error_of([&] { locate(net, "n11"); });
    EXPECT_NE(error.find("has 2 meanings"), std::string::npos) << error;
    EXPECT_NE(error.find("give more of the name"), std::string::npos) << error;
    EXPECT_EQ(error.find("LID"), std::string::npos) << error;
}

TEST(LocateHost, SwitchesAndUnownedLidsAreNoHosts) {
    Network const net = leaves();
    EXPECT_EQ(locate_host(net, "node 1"), Host{0});
    EXPECT_NE(error_of([&] { locate_host(net, "leaf one"); }).find("\"leaf one\" is not a host"), std::string::npos);
    EXPECT_NE(error_of([&] { locate_host(net, "99"); }).find("nobody owns LID 99"), std::string::npos);
    EXPECT_NE(error_of([&] { locate_host(net, "0"); }).find("LID 0 is not a unicast LID"), std::string::npos);
    EXPECT_NE(error_of([&] { locate_host(net, "1099511627776"); }).find("is not a unicast LID"), std::string::npos);
}

}  // namespace
}  // namespace tailback::locate_test
