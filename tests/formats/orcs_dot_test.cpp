// ORCS dot: what the reader makes of names, order, comments and broken files; what is written is read back the same.
#include "host/formats/read/orcs_dot.hpp"
#include "host/formats/formats.hpp"
#include "host/model/routes/trace.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace tailback::orcs_dot_test {
namespace {

Fabric parse(std::string const& text, bool strict = false) {
    Disagreements disagreements(strict);
    return parse_orcs_dot(text, "net.dot", disagreements);
}

std::string orcs_file(std::string const& name) {
    std::ifstream in(fixture("orcs/" + name));
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::string written(Fabric const& fabric) {
    std::ostringstream out;
    write_orcs_dot(out, fabric);
    return out.str();
}

std::string error_of(std::string const& text) {
    try {
        parse(text);
    } catch (InputError const& error) {
        return error.what();
    }
    return "no error";
}

/// `A>B>C`, and the fate where it is not delivered.
std::string route(Fabric const& fabric, std::string const& from, std::string const& to) {
    Network const& net = fabric.network;
    Host const source = net.hosts_of(net.node_by_name(from)).front();
    Host const destination = net.hosts_of(net.node_by_name(to)).front();
    Route const r = trace_from_host(fabric, source, net[destination].lid);
    std::string text = from;
    for (Link const link : r.links) text += ">" + net[net[link].to].name;
    if (r.fate != Fate::delivered) text += std::string(" ") + fate_names[std::size_t(r.fate)];
    return text;
}

void expect_same(Fabric const& a, Fabric const& b) {
    ASSERT_EQ(a.network.nodes().size(), b.network.nodes().size());
    ASSERT_EQ(a.network.hosts().size(), b.network.hosts().size());
    ASSERT_EQ(a.network.links().size(), b.network.links().size());
    for (std::size_t n = 0; n < a.network.nodes().size(); ++n) {
        EXPECT_EQ(a.network[Node{n}].name, b.network[Node{n}].name);
        EXPECT_EQ(a.network[Node{n}].kind, b.network[Node{n}].kind);
        ASSERT_EQ(a.tables.has_table(Node{n}), b.tables.has_table(Node{n})) << a.network[Node{n}].name;
        for (HostRecord const& host : a.network.hosts())
            EXPECT_EQ(a.tables.port(Node{n}, host.lid), b.tables.port(Node{n}, host.lid))
                << a.network[Node{n}].name << host.lid;
    }
    for (std::size_t h = 0; h < a.network.hosts().size(); ++h) {
        EXPECT_EQ(a.network[Host{h}].node, b.network[Host{h}].node);
        EXPECT_EQ(a.network[Host{h}].lid, b.network[Host{h}].lid);
    }
    for (std::size_t l = 0; l < a.network.links().size(); ++l) {
        EXPECT_EQ(a.network[Link{l}].from, b.network[Link{l}].from);
        EXPECT_EQ(a.network[Link{l}].from_port, b.network[Link{l}].from_port);
        EXPECT_EQ(a.network[Link{l}].to, b.network[Link{l}].to);
        EXPECT_EQ(a.network[Link{l}].to_port, b.network[Link{l}].to_port);
    }
}

#define NEEDS_CGRAPH() \
    if (error_of("digraph { H1 -> H2 [comment=\"*\"] }") != "no error") GTEST_SKIP() << "built without Graphviz"

TEST(OrcsDot, HostsAreNamesThatBeginWithCapitalHInOrderOfAppearance) {
    NEEDS_CGRAPH();
    Fabric const f = parse(
        "digraph { S1 -> H2 [comment=H2]; H1 -> S1 [comment=\"*\"]; h3 -> S1 [comment=H1]; H2 -> S1 [comment=\"*\"]; "
        "S1 -> H1 [comment=H1] }");
    ASSERT_EQ(f.network.hosts().size(), 2u);
    EXPECT_EQ(f.network[f.network[Host{0}].node].name, "H2");
    EXPECT_EQ(f.network[f.network[Host{1}].node].name, "H1");
    EXPECT_EQ(f.network[Host{0}].lid, 1u);
    EXPECT_EQ(f.network[Host{1}].lid, 2u);
    EXPECT_EQ(f.network.switches(), 2u);  // S1 and h3
    EXPECT_EQ(f.network[f.network.node_by_name("S1")].lid, 3u);
    EXPECT_EQ(f.network[f.network.node_by_name("h3")].lid, 4u);
    EXPECT_TRUE(f.network.named());
    EXPECT_TRUE(f.routed);
}

TEST(OrcsDot, PortsFollowFirstAppearanceOfTheHeadThenTheOrderOfEdges) {
    NEEDS_CGRAPH();
    // B appears before C; the edges leave A for C first.
    Fabric const f = parse(
        "digraph { A -> B [comment=H1]; B; C; A -> C [comment=H2]; A -> B [comment=H2]; B -> A [comment=H1]; B -> A "
        "[comment=H2]; H1; H2; H1 -> A [comment=\"*\"]; A -> H1 [comment=H1] }");
    Network const& net = f.network;
    Node const a = net.node_by_name("A"), b = net.node_by_name("B"), c = net.node_by_name("C");
    EXPECT_EQ(net[net.link_at(a, 1)].to, b);
    EXPECT_EQ(net[net.link_at(a, 2)].to, b);
    EXPECT_EQ(net[net.link_at(a, 3)].to, c);
    EXPECT_EQ(net[net.link_at(a, 4)].to, net.node_by_name("H1"));
    EXPECT_EQ(f.tables.port(a, 1), 1u);  // H1: both port 1 and port 4 name it, the first wins
    EXPECT_EQ(f.tables.port(a, 2), 2u);  // H2: the second edge to B comes before the edge to C
    // Parallel edges are paired in their order; A -> C has no other half.
    EXPECT_EQ(net[net.link_at(a, 1)].to_port, 1u);
    EXPECT_EQ(net[net.link_at(a, 2)].to_port, 2u);
    EXPECT_EQ(net[net.link_at(a, 3)].to_port, 0u);
    EXPECT_EQ(net[net.link_at(a, 1)].reverse, net.link_at(b, 1));
    EXPECT_EQ(net[net.link_at(a, 2)].reverse, net.link_at(b, 2));
    EXPECT_FALSE(net[net.link_at(a, 3)].reverse.exists());
    EXPECT_EQ(net[net.link_at(net.node_by_name("H1"), 1)].to_port, 4u);
}

TEST(OrcsDot, CommentsAreWholeTokensAndAStarOnlyCountsAlone) {
    NEEDS_CGRAPH();
    Disagreements disagreements;
    Fabric const f = parse_orcs_dot(
        "digraph { H1; H11; H2; H3;\n S -> H11 [comment=\"H11, H2\tH3\nH9\"]; S -> H1 [comment=\"*,H1\"]; T -> S "
        "[comment=\"*\"]; T -> H1 [comment=H1]; U -> S [comment=\"\"]; }",
        "x", disagreements);
    Network const& net = f.network;
    Node const s = net.node_by_name("S"), t = net.node_by_name("T"), u = net.node_by_name("U");
    Lid const h1 = 1, h11 = 2, h2 = 3, h3 = 4;
    EXPECT_EQ(f.tables.port(s, h1), 1u);  // H1 appears first, so its edge has port 1
    EXPECT_EQ(f.tables.port(s, h11), 2u);
    EXPECT_EQ(f.tables.port(s, h2), 2u);
    EXPECT_EQ(f.tables.port(s, h3), 2u);
    EXPECT_EQ(f.tables.port(t, h1), 1u);  // the edge to H1 comes before the one to S
    EXPECT_EQ(f.tables.port(t, h2), 2u);
    EXPECT_EQ(f.tables.port(u, h1), ForwardingTables::no_entry);
    EXPECT_EQ(disagreements.times(Disagreement::unrouted_comment), 2u);  // H9, and the * in a list
    EXPECT_THROW(parse("digraph { H1 -> S [comment=H7] }", true), InputError);
}

TEST(OrcsDot, OnlyHostsThatChooseHaveTables) {
    NEEDS_CGRAPH();
    Fabric const f = parse(
        "digraph { H1 -> S [comment=\"*\"]; H2 -> S [comment=\"H1\"]; H3 -> S [comment=\"*\"]; H3 -> H1 [comment=H1]; "
        "H4; S -> H1 [comment=H1]; S -> H2 [comment=\"H2,H3\"]; H2 -> H3 [comment=\"H3\"] }");
    auto has = [&](char const* name) { return f.tables.has_table(f.network.node_by_name(name)); };
    EXPECT_TRUE(has("S"));
    EXPECT_FALSE(has("H1"));
    EXPECT_TRUE(has("H2"));
    EXPECT_TRUE(has("H3"));
    EXPECT_FALSE(has("H4"));
    EXPECT_EQ(route(f, "H1", "H3"), "H1>S>H2>H3");  // H2 forwards
    EXPECT_EQ(route(f, "H3", "H1"), "H3>H1");
    EXPECT_EQ(route(f, "H4", "H1"), "H4 unreachable");
}

TEST(OrcsDot, GuidsAreTakenFromNamesThatEndInOne) {
    NEEDS_CGRAPH();
    Fabric const f =
        parse("digraph { \"H0002c90200400028\" -> \"S0002c90200400028\" [comment=\"*\"]; H2 -> S2 [comment=\"*\"] }");
    EXPECT_EQ(f.network[Node{0}].guid, 0x0002c90200400028u);
    EXPECT_EQ(f.network[Node{1}].guid, 0u);  // one GUID names one node: the first keeps it
    EXPECT_EQ(f.network[Node{2}].guid, 0u);
}

TEST(OrcsDot, RoutesOfTheExampleListing) {
    NEEDS_CGRAPH();
    Disagreements disagreements;
    Fabric const f = parse_orcs_dot(orcs_file("listing1.dot"), "listing1.dot", disagreements);
    EXPECT_EQ(f.network.hosts().size(), 4u);
    EXPECT_EQ(f.network.switches(), 3u);
    EXPECT_EQ(route(f, "H1", "H4"), "H1>S1>H4");
    EXPECT_EQ(route(f, "H2", "H2"), "H2");
    EXPECT_EQ(disagreements.times(Disagreement::unrouted_comment), 4u);  // H5 .. H8 are not in the listing
    EXPECT_EQ(f.network.link_count(f.network.node_by_name("S1")), 8u);
}

TEST(OrcsDot, IsReadBackAsItWasWritten) {
    NEEDS_CGRAPH();
    for (char const* name : {"listing1.dot", "ft16_4ary2.dot", "ft16_2ary4.dot", "ft16_2leaf.dot"}) {
        Fabric const f = parse(orcs_file(name));
        std::string const text = written(f);
        Fabric const again = parse(text);
        expect_same(f, again);
        EXPECT_EQ(written(again), text) << name;
    }
}

TEST(OrcsDot, OddGraphsAreReadBackToo) {
    NEEDS_CGRAPH();
    for (char const* text : {
             "digraph { H1 -> S [comment=\"H1,H2\"]; H2 -> S [comment=\"\"]; S -> S [comment=\"\"]; S -> H1 "
             "[comment=H1]; S -> H2 [comment=\"*\"] }",
             "digraph { S -> H1 [comment=\"*\"]; S -> T [comment=\"*\"]; H1 -> S [comment=\"*\"]; H1 -> T "
             "[comment=\"H2\"]; H2 }",
             "digraph { \"H \\\"1\\\"\" -> \"S\\\\\" [comment=\"*\"]; \"S\\\\\" -> \"H \\\"1\\\"\" [comment=\"*\"]; "
             "\"\" -> \"H2\" [comment=\"*\"] }",
         }) {
        Fabric const f = parse(text);
        expect_same(f, parse(written(f)));
    }
}

TEST(OrcsDot, WritesInfiniBandNetworksWithUniqueIdsAndOneHostAnEndpoint) {
    NEEDS_CGRAPH();
    NetworkBuilder builder;
    Node const leaf = builder.add_node({.name = "leaf \"1\"\\", .guid = 0x10, .ports = 4, .lid = 9});
    Node const two = builder.add_node({.kind = NodeKind::adapter, .name = "node HCA", .guid = 0x20});
    Node const one = builder.add_node({.kind = NodeKind::adapter, .name = "node HCA", .guid = 0x30});
    Node const sharp =
        builder.add_node({.kind = NodeKind::adapter, .name = "Mellanox Technologies Aggregation Node", .guid = 0x40});
    builder.add_host({.node = two, .port = 1, .lid = 1});
    builder.add_host({.node = two, .port = 2, .lid = 2});
    builder.add_host({.node = one, .port = 1, .lid = 4, .lmc = 2});
    builder.add_host({.node = sharp, .port = 1, .lid = 3});
    auto cable = [&](Node n, Port p, Port leaf_port) {
        builder.add_link({.from = n, .from_port = p, .to = leaf, .to_port = leaf_port});
        builder.add_link({.from = leaf, .from_port = leaf_port, .to = n, .to_port = p});
    };
    cable(two, 1, 1);
    cable(two, 2, 2);
    cable(one, 1, 3);
    cable(sharp, 1, 4);
    Disagreements disagreements;
    Fabric fabric{.network = builder.finish(disagreements, "ib"), .routed = true};
    fabric.tables = ForwardingTables(fabric.network);
    fabric.tables.add_table(leaf);
    fabric.tables.set(leaf, 1, 1);
    fabric.tables.set(leaf, 2, 2);
    fabric.tables.set(leaf, 4, 3);
    fabric.tables.set(leaf, 3, 4);
    fabric.tables.set(leaf, 9, 0);

    Fabric const f = parse(written(fabric));
    EXPECT_EQ(f.network.hosts().size(), 3u);
    EXPECT_EQ(f.network.switches(), 2u);
    std::string const a = "H0000000000000020_1", b = "H0000000000000020_2", c = "H0000000000000030",
                      s = "S0000000000000010";
    EXPECT_EQ(route(f, a, b), a + ">" + s + ">" + b);
    EXPECT_EQ(route(f, b, c), b + ">" + s + ">" + c);
    EXPECT_EQ(route(f, c, a), c + ">" + s + ">" + a);
    EXPECT_TRUE(f.network.node_by_name("A0000000000000040").exists());
    EXPECT_EQ(written(f), written(parse(written(f))));
}

TEST(OrcsDot, BrokenFilesAreErrorsThatNameTheLine) {
    NEEDS_CGRAPH();
    auto says = [](std::string const& text, std::string const& part) {
        std::string const message = error_of(text);
        EXPECT_NE(message.find(part), std::string::npos) << message;
        EXPECT_EQ(message.substr(0, 7), "net.dot") << message;
    };
    says("", "not a graph in dot");
    says("\n\n", "not a graph in dot");
    says("digraph {\n H1 -> H2 [comment=\"*\"];\n ] }", "net.dot:3: not a graph in dot (syntax error");
    says("digraph {\n H1 -> H2 [comment=\"*\"];\n", "not a graph in dot");
    says("digraph {\n H1 -> H2 [comment=\"*];\n", "net.dot:2: a string without end");
    says("digraph {\n /* H1 -> H2 [comment=\"*\"];\n", "net.dot:2: a comment without end");
    says("graph { H1 -- H2 [comment=\"*\"] }", "undirected");
    says("digraph { H1 -> H2 }", "without routes");
    says("digraph { }", "without routes");
    says("digraph { S -> T [comment=\"*\"] }", "no hosts");
    says(std::string("digraph { \0 }", 13), "NUL");
    says(std::string("\x7f"
                     "ELF\x02\x01\x01\0\0\0",
                     10),
         "NUL");
    says("digraph { {H1 H2} -> {S T} [comment=\"*\"] }", "group of nodes");
    says("digraph { H1 -> {S T} [comment=\"*\"] }", "group of nodes");
    says("digraph { subgraph X {a b}; subgraph X -> H1 [comment=\"*\"] }", "group of nodes");
    says("digraph { H1 -> SubGraph X [comment=\"*\"] }", "group of nodes");
    says("digraph { H1, H2 -> S, T [comment=\"*\"] }", "list of nodes");
    says("digraph { H1 [label=<<b>x</b>>] }", "HTML");
    std::string deep = "digraph ";
    for (int i = 0; i < 1'000'000; ++i) deep += '{';
    says(deep, "nested");
    std::string attributes = "digraph { H1 -> H2 [";
    for (int i = 0; i < 1000; ++i) attributes += " a" + std::to_string(i) + "=1";
    says(attributes + "] }", "attributes");
}

TEST(OrcsDot, CommentsSubgraphsAndPreprocessorLinesAreDot) {
    NEEDS_CGRAPH();
    Fabric const f = parse(
        "strict digraph \"n\" {\r\n# a line { { {\n// another \"\n/* and { more */ node [shape=box, color=red];\n"
        "subgraph cluster_1 { S; { H1 } }\nH1 -> S -> H2 [comment=\"*\", key=\"k\"]\n}\n");
    EXPECT_EQ(f.network.hosts().size(), 2u);
    EXPECT_EQ(route(f, "H1", "H2"), "H1>S>H2");
}

TEST(OrcsDot, MorePortsThanAByteHolds) {
    NEEDS_CGRAPH();
    std::string text = "digraph {\n";
    for (int i = 0; i < 300; ++i) {
        std::string const h = "H" + std::to_string(i);
        text += h + " -> S [comment=\"*\"]; S -> " + h + " [comment=" + h + "];\n";
    }
    Fabric const f = parse(text + "}\n");
    EXPECT_EQ(route(f, "H0", "H299"), "H0>S>H299");
    EXPECT_EQ(route(f, "H299", "H254"), "H299>S>H254");
    expect_same(f, parse(written(f)));
}

}  // namespace
}  // namespace tailback::orcs_dot_test
