// GraphML: what networkx writes, PFSim's cluster files, and what this program writes itself. Nodes, cables, ports and
// capacities are those that a reader of the file would expect; everything wrong is refused with its line.
#include "host/model/capacities.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <sstream>
#include <tuple>

namespace tailback::graphml_test {
namespace {

Network read(std::string const& text) {
    Disagreements strict(true);
    LineReader lines = lines_of_text(text, "net");
    return read_graphml(lines, strict);
}

bool expat_is_there() {
    return error_of([] { read("<graphml/>"); }).find("without expat") == std::string::npos;
}
#define TAILBACK_NEEDS_EXPAT \
    if (!expat_is_there()) GTEST_SKIP() << "built without expat"

/// `graph` inside the frame that every file has, one node or edge a line from line 3 on.
std::string framed(std::string const& graph, std::string const& keys = "") {
    return "<?xml version='1.0' encoding='utf-8'?>\n<graphml>" + keys + "<graph edgedefault=\"undirected\">\n" + graph +
           "</graph></graphml>\n";
}

std::string cables_of(Network const& network) {
    std::string text;
    for (LinkRecord const& link : network.links())
        text += network[link.from].name + ":" + std::to_string(link.from_port) + ">" + network[link.to].name + " ";
    return text;
}

/// networkx 3.1, write_graphml of a MultiGraph: numbers are ids of keys, values have the types of Python.
constexpr char const* by_networkx = R"(<?xml version='1.0' encoding='utf-8'?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
  <key id="d1" for="edge" attr.name="capacity" attr.type="double" />
  <key id="d0" for="node" attr.name="type" attr.type="string"><default>switch</default></key>
  <graph edgedefault="undirected">
    <node id="a &amp; b">
      <data key="d0">host</data>
    </node>
    <node id="2"/>
    <node id="s1" />
    <node id="s2"><data key="d9">unknown</data></node>
    <edge source="a &amp; b" target="s1" id="0"><data key="d1">2.5</data></edge>
    <edge source="s1" target="s2" id="0"><data key="d1">10.0</data></edge>
    <edge source="s1" target="s2" id="1"/>
    <edge source="2" target="s2" id="0"><data key="d1">2.5</data></edge>
  </graph>
</graphml>
)";

/// Definition: a directed edge without one that goes back is a link of one direction, and is told: alone among edges
/// that have both, too.
TEST(GraphMl, OneDirectedEdgeIsTold) {
    TAILBACK_NEEDS_EXPAT;
    std::string const both =
        "<node id='h1'><data key='type'>host</data></node><node id='s1'/><node id='s2'/>"
        "<edge source='h1' target='s1'/>";
    auto const told = [&](std::string const& edges) {
        Disagreements disagreements;
        LineReader lines = lines_of_text(framed(both + edges), "net");
        read_graphml(lines, disagreements);
        return fmt::format("{}", fmt::join(disagreements.warnings(), "\n"));
    };
    EXPECT_NE(told("<edge source='s1' target='s2' directed='true'/>")
                  .find("1 directed edge has no edge that goes back (the first: \"s1\" to \"s2\")"),
              std::string::npos)
        << told("<edge source='s1' target='s2' directed='true'/>");
    EXPECT_EQ(told("<edge source='s1' target='s2' directed='true'/><edge source='s2' target='s1' directed='true'/>")
                  .find("goes back"),
              std::string::npos);
}

TEST(GraphMl, OfNetworkx) {
    TAILBACK_NEEDS_EXPAT;
    EXPECT_EQ(recognise(by_networkx), Format::graphml);
    Network const network = read(by_networkx);
    EXPECT_EQ(network.hosts().size(), 1u);  // the other three are switches by the key's default
    EXPECT_EQ(network.switches(), 3u);
    EXPECT_EQ(cables_of(network), "a & b:1>s1 2:1>s2 s1:1>a & b s1:2>s2 s1:3>s2 s2:1>s1 s2:2>s1 s2:3>2 ");
    for (LinkRecord const& link : network.links()) EXPECT_TRUE(link.reverse.exists());
    LinkCosts const costs = link_costs(network, CapacityKind::from_rates);
    EXPECT_EQ(costs.base_rate_elevenths, 0u);  // no rate in Gb/s is known
    ASSERT_FALSE(costs.cost.empty());
    EXPECT_EQ(costs.denominator, 4u);
    EXPECT_EQ(costs.cost[0], 4u);                                  // capacity 2.5, the hosts'
    EXPECT_EQ(costs.cost[network.link_at(Node{2}, 2).value], 1u);  // 10 = 4 x 2.5
    EXPECT_EQ(costs.cost[network.link_at(Node{2}, 3).value], 4u);  // not stated: 1
    EXPECT_TRUE(link_costs(network, CapacityKind::unit).cost.empty());
}

TEST(GraphMl, HostsAreNodesWithOneNeighbourWhereNothingSaysSo) {
    TAILBACK_NEEDS_EXPAT;
    Network const network =
        read(framed("<node id=\"x\"/><node id=\"y\"/><node id=\"m\"/>\n"
                    "<edge source=\"x\" target=\"m\"/><edge source=\"x\" target=\"m\"/>\n"
                    "<edge source=\"m\" target=\"y\"/>\n"));
    EXPECT_EQ(network.switches(), 1u);
    EXPECT_EQ(network.hosts().size(), 3u);  // x has two cables: two endpoints
    EXPECT_EQ(network[Host{1}].node, network[Host{0}].node);
    EXPECT_EQ(network[Host{1}].port, 2u);
}

TEST(GraphMl, OfPfsim) {
    TAILBACK_NEEDS_EXPAT;
    if (!shared_data_is_there()) GTEST_SKIP() << "no ../shared/data";
    Disagreements strict(true);
    Fabric const fabric = read_fabric((shared_data() / "traffic/pfprof/milk.graphml").string(), std::nullopt, strict);
    Network const& network = fabric.network;
    EXPECT_FALSE(fabric.routed);
    EXPECT_EQ(network.hosts().size(), 20u);
    EXPECT_EQ(network.switches(), 6u);
    EXPECT_EQ(network.links().size(), 56u);
    std::map<std::string, int> cables;
    for (LinkRecord const& link : network.links()) ++cables[network[link.from].name];
    EXPECT_EQ(cables["edge1"], 7);
    EXPECT_EQ(cables["core1"], 4);
    // <edge source="edge1" target="milk05"> has the port 15.
    Link const link = network.link_at(network.node_by_name("edge1"), 15);
    ASSERT_TRUE(link.exists());
    EXPECT_EQ(network[network[link].to].name, "milk05");
    EXPECT_TRUE(link_costs(network, CapacityKind::from_rates).cost.empty());
}

/// Whatever is written is read back: nodes, kinds, cables with their ports and rates.
TEST(GraphMl, OfThisProgram) {
    TAILBACK_NEEDS_EXPAT;
    std::vector<Network> networks;
    for (char const* const spec : {"torus:3x3,hosts=2", "xgft:m=4x4,w=1x2", "dragonfly:a=4,p=2,h=2"})
        networks.push_back(make_topology(TopologySpec(spec)).network);
    Disagreements disagreements;
    networks.push_back(read_topology(two_leaves, disagreements));
    for (Network const& network : networks) {
        std::ostringstream out;
        write_graphml(out, network, {});
        EXPECT_EQ(recognise(out.str()), Format::graphml);
        Network const again = read(out.str());
        Disagreements told;
        LineReader lines = lines_of_text(out.str(), "net");
        read_graphml(lines, told);
        EXPECT_FALSE(told.any());  // all that is written is read
        EXPECT_EQ(again.named(), network.named());
        ASSERT_EQ(again.nodes().size(), network.nodes().size());
        for (std::size_t n = 0; n < network.nodes().size(); ++n) {
            EXPECT_EQ(again[Node{n}].name, network[Node{n}].name);
            EXPECT_EQ(again[Node{n}].kind, network[Node{n}].kind);
            EXPECT_EQ(again[Node{n}].guid, network[Node{n}].guid);
        }
        ASSERT_EQ(again.links().size(), network.links().size());
        for (std::size_t l = 0; l < network.links().size(); ++l) {
            LinkRecord const &a = again[Link{l}], &b = network[Link{l}];
            EXPECT_EQ(std::tie(a.from, a.from_port, a.to, a.to_port, a.reverse, a.rate),
                      std::tie(b.from, b.from_port, b.to, b.to_port, b.reverse, b.rate));
        }
        for (std::size_t h = 0; h < network.hosts().size(); ++h) EXPECT_EQ(again[Host{h}].lid, network[Host{h}].lid);
    }
}

/// Links without rates keep the capacities that their file gave.
TEST(GraphMl, CapacitiesAreWrittenAndReadBack) {
    TAILBACK_NEEDS_EXPAT;
    Network const network =
        read(framed("<node id=\"s\"/><node id=\"t\"/><node id=\"u\"/>\n"
                    "<edge source=\"s\" target=\"t\"><data key=\"c\">10</data></edge>\n"
                    "<edge source=\"t\" target=\"u\"><data key=\"c\">4</data></edge>\n",
                    "<key id=\"c\" for=\"edge\" attr.name=\"capacity\"/>"));
    std::ostringstream out;
    write_graphml(out, network, {});
    Network const again = read(out.str());
    ASSERT_EQ(again.links().size(), 4u);
    std::multiset<std::uint32_t> capacities;
    for (std::size_t l = 0; l < 4; ++l) {
        EXPECT_EQ(again[Link{l}].capacity, network[Link{l}].capacity);
        capacities.insert(again[Link{l}].capacity);
    }
    EXPECT_EQ(capacities, (std::multiset<std::uint32_t>{2, 2, 5, 5}));  // as small as their ratios allow
}

TEST(GraphMl, WhatIsWrongIsRefusedWithItsLine) {
    TAILBACK_NEEDS_EXPAT;
    std::string const two = "<node id=\"x\"/><node id=\"y\"/>\n";
    std::string const keys =
        "<key id=\"c\" for=\"edge\" attr.name=\"capacity\"/><key id=\"p\" attr.name=\"from_port\"/>";
    auto const refusal = [&](std::string const& graph) { return error_of([&] { read(framed(graph, keys)); }); };
    auto const edge = [](std::string const& data) { return "<edge source=\"x\" target=\"y\">" + data + "</edge>\n"; };
    for (auto const& [text, part] : std::vector<std::pair<std::string, std::string>>{
             {refusal(two + "<edge source=\"x\" target=\"z\"/>\n"), "net:4: an edge ends at \"z\""},
             {refusal(two + "<node id=\"x\"/>\n"), "net:4: two nodes have the id \"x\""},
             {refusal(two + "<edge source=\"x\"/>\n"), "net:4: <edge> has no `target`"},
             {refusal(two + edge("<data key=\"c\">-3</data>")), "net:4: the capacity is \"-3\""},
             {refusal(two + edge("<data key=\"c\">nan</data>")), "net:4: the capacity is \"nan\""},
             {refusal(two + edge("<data key=\"c\">1</data>") + edge("<data key=\"c\">70000</data>")),
              "net:5: the capacities of the edges differ too much"},
             {refusal(two + edge("<data key=\"p\">99999</data>")), "net:4: the port is \"99999\""},
             {refusal(two + edge("<data key=\"p\">7</data>") + edge("<data key=\"p\">7</data>")),
              "net:5: two links leave port 7 of \"x\""},
             {refusal(two + "<hyperedge/>\n"), "hyperedges"},
             {refusal("<node id=\"x\"><graph/></node>\n"), "several graphs"},
             {refusal(""), "no hosts"},
             {refusal(two + "<edge source=\"x\" target="), "the XML is damaged"},
             {error_of([] { read("<svg/>"); }), "there is no <graphml>"},
             {error_of([] { read("<!DOCTYPE g [<!ENTITY a \"b\">]><graphml>&a;</graphml>"); }), "the entity \"a\""}})
        EXPECT_NE(text.find(part), std::string::npos) << text;
}

/// Definition: a node with one neighbour whose kind is a word that nobody knows is an end, a host; with several it is a
/// switch. Nodes without a word are switches where others have one, as before.
TEST(Graphml, EndsOfUnknownKindAreHosts) {
    TAILBACK_NEEDS_EXPAT;
    std::string const key = "<key id='t' for='node' attr.name='type'/>";
    std::string const edges =
        "<edge source='h' target='s'/><edge source='d' target='s'/><edge source='x' target='s'/>\n"
        "<edge source='m' target='s'/><edge source='m' target='h2'/><edge source='h2' target='s'/>";
    for (char const* const word : {"storage", "gpu", "DPU", "nas-filer"}) {
        Network const net =
            read(framed("<node id='h'><data key='t'>host</data></node><node id='s'><data "
                        "key='t'>switch</data></node><node id='d'><data key='t'>" +
                            std::string(word) + "</data></node><node id='m'><data key='t'>" + word +
                            "</data></node><node id='h2'><data key='t'>host</data></node><node id='x'/>" + edges,
                        key));
        EXPECT_FALSE(net.is_switch(net.node_by_name("d"))) << word;
        EXPECT_TRUE(net.is_switch(net.node_by_name("m"))) << word;
        EXPECT_TRUE(net.is_switch(net.node_by_name("x"))) << word;
    }
}

/// Definition: an attribute of edges that looks like a speed is the capacity of links, by its ratios, with or without a
/// unit; `capacity`, `bandwidth` and rates (`4xHDR`) go before it.
TEST(Graphml, SpeedsAreCapacities) {
    TAILBACK_NEEDS_EXPAT;
    struct Case {
        char const *attribute, *slow, *fast;
        int ratio;
    };
    for (Case const& one : {Case{"speed", "10", "100", 10}, Case{"LinkSpeedRaw", "10000000000.0", "1e11", 10},
                            Case{"rate", "100 Gbps", "0.4Tb/s", 4}, Case{"linkspeed", "25G", "100G", 4},
                            Case{"speed", "2.5 Gbit/s", "40Gbit/s", 16}}) {
        std::string const key = std::string("<key id='v' for='edge' attr.name='") + one.attribute + "'/>";
        Network const net = read(
            framed("<node id='a'/><node id='s'/><node id='r'/><node id='b'/>\n"
                   "<edge source='a' target='s'><data key='v'>" +
                       std::string(one.fast) + "</data></edge><edge source='s' target='r'><data key='v'>" + one.slow +
                       "</data></edge><edge source='r' target='b'><data key='v'>" + one.fast + "</data></edge>",
                   key));
        std::map<std::string, int> capacities;
        for (LinkRecord const& link : net.links()) capacities[net[link.from].name + net[link.to].name] = link.capacity;
        EXPECT_EQ(capacities.at("sr"), 1) << one.attribute;
        EXPECT_EQ(capacities.at("as"), one.ratio) << one.attribute;
        EXPECT_EQ(capacities.at("br"), one.ratio) << one.attribute;
    }
}

/// What is no speed, or cannot be taken for one, is told once and not used; with a capacity beside it it says nothing.
TEST(Graphml, SpeedsOfNoUse) {
    TAILBACK_NEEDS_EXPAT;
    auto const graph = [](std::string const& first, std::string const& second, std::string const& more = "") {
        return framed("<node id='a'/><node id='s'/><node id='b'/>\n<edge source='a' target='s'><data key='v'>" + first +
                          "</data>" + more + "</edge><edge source='s' target='b'><data key='v'>" + second + "</data>" +
                          more + "</edge>",
                      "<key id='v' for='edge' attr.name='speed'/><key id='c' for='edge' attr.name='capacity'/>");
    };
    for (auto const& [first, second, says] : {std::tuple("fast", "10", "\"fast\" is not a number"),
                                              std::tuple("10", "100 furlongs", "\"100 furlongs\" is not a number"),
                                              std::tuple("10", "10G", "some of its values have a unit"),
                                              std::tuple("0.001", "1000003", "differ too much")}) {
        Disagreements told;
        LineReader lines = lines_of_text(graph(first, second), "net");
        Network const net = read_graphml(lines, told);
        for (LinkRecord const& link : net.links()) EXPECT_EQ(link.capacity, 0);
        ASSERT_EQ(told.warnings().size(), 1u);
        EXPECT_NE(told.warnings()[0].find("attribute `speed` of the edges is not used"), std::string::npos);
        EXPECT_NE(told.warnings()[0].find(says), std::string::npos) << told.warnings()[0];
    }
    Network const net = read(graph("fast", "slow", "<data key='c'>3</data>"));
    for (LinkRecord const& link : net.links()) EXPECT_EQ(link.capacity, 1);
}

/// What a reading of `text` tells. Nothing of it is an error with --strict.
std::vector<std::string> told_of(std::string const& text) {
    Disagreements told;
    LineReader lines = lines_of_text(text, "net");
    read_graphml(lines, told);
    read(text);
    return told.warnings();
}

/// Definition: words for kinds that nobody knows are told once, each with how many nodes have it and what these were
/// taken as; so are ends without a word where others have one.
TEST(Graphml, UnknownKindsAreTold) {
    TAILBACK_NEEDS_EXPAT;
    auto const graph = [](std::string const& kind_of_d, std::string const& kind_of_m, std::string const& kind_of_x) {
        auto const node = [](char const* id, std::string const& kind) {
            return "<node id='" + std::string(id) + "'>" + (kind.empty() ? "" : "<data key='t'>" + kind + "</data>") +
                   "</node>\n";
        };
        return framed(node("h", "host") + node("s", "Switch") + node("d", kind_of_d) + node("m", kind_of_m) +
                          node("x", kind_of_x) +
                          "<edge source='h' target='s'/><edge source='d' target='s'/><edge source='x' target='s'/>"
                          "<edge source='m' target='s'/><edge source='m' target='h'/>",
                      "<key id='t' for='node' attr.name='type'/>");
    };
    EXPECT_EQ(told_of(graph("host", "switch", "host")), std::vector<std::string>{});
    EXPECT_EQ(told_of(graph("Gateway", "Gateway", "gpu")),
              std::vector<std::string>{"3 nodes are of kinds that are not known: net:5: kind \"Gateway\" of 2 nodes, "
                                       "taken: 1 as hosts, 1 as switches; kind \"gpu\" of 1 node, taken as hosts"});
    EXPECT_EQ(told_of(graph("host", "", "")),
              std::vector<std::string>{"1 node is of a kind that is not known: net:7: no kind of 1 node, taken as "
                                       "switches"});
}

/// Definition: attributes that nothing reads are told once each, with how many elements have them and, where another
/// of the same meaning counts, which; also those in the tags themselves.
TEST(Graphml, UnreadAttributesAreTold) {
    TAILBACK_NEEDS_EXPAT;
    std::string const keys =
        "<key id='k' for='node' attr.name='kind'/><key id='r' for='node' attr.name='Rack'/>"
        "<key id='o' for='node' attr.name='role'/><key id='s' for='edge' attr.name='Speed'/>"
        "<key id='c' for='edge' attr.name='capacity'/><key id='b' for='edge' attr.name='bandwidth'/>"
        "<key id='g' for='edge' attr.name='rate'/><key id='z' for='node' attr.name='zone'><default>a</default></key>";
    auto const graph = [&](std::string const& of_node, std::string const& of_edge, std::string const& in_tag = "") {
        return framed("<node id='h'" + in_tag + "><data key='k'>host</data><data key='z'/>" + of_node +
                          "</node>\n<node id='i'><data key='k'>host</data><data key='z'/></node>\n"
                          "<edge source='h' target='i'>" +
                          of_edge + "</edge>\n",
                      keys);
    };
    auto const says = [](std::string const& what, int times = 1) {
        return std::vector<std::string>{(times == 1
                                             ? "1 attribute of the file is not read: net: "
                                             : std::to_string(times) + " attributes of the file are not read: net: ") +
                                        what};
    };
    EXPECT_EQ(told_of(graph("", "")), std::vector<std::string>{});
    EXPECT_EQ(told_of(graph("<data key='r'>7</data>", "")), says("`Rack` of 1 node"));
    EXPECT_EQ(told_of(graph("<data key='o'>server</data>", "")), says("`role` of 1 node (`kind` goes before it)"));
    EXPECT_EQ(told_of(graph("", "<data key='c'>2</data>")), std::vector<std::string>{});
    EXPECT_EQ(told_of(graph("", "<data key='s'>2</data>")), std::vector<std::string>{});
    EXPECT_EQ(
        told_of(graph("", "<data key='c'>2</data><data key='s'>5</data><data key='b'>3</data>")),
        says("`bandwidth` of 1 edge (`capacity` goes before it), `Speed` of 1 edge (`capacity` goes before it)", 2));
    EXPECT_EQ(told_of(graph("", "<data key='c'>2</data><data key='g'>4xHDR</data>")),
              says("`capacity` of 1 edge (`rate` goes before it)"));
    EXPECT_EQ(told_of(graph("", "", " type='switch' id2='x'")),
              says("<node id2=..>, 1 time (attributes are read from <data> alone), <node type=..>, 1 time (attributes "
                   "are read from <data> alone)",
                   2));
    std::string const with_default = framed("<node id='h'/><node id='i'/><edge source='h' target='i'/>",
                                            "<key id='z' for='node' attr.name='zone'><default>a</default></key>");
    EXPECT_EQ(told_of(with_default), says("`zone` of 2 nodes"));
    std::string many;
    for (int i = 0; i < 25; ++i) many += "<data key='x" + std::to_string(i + 10) + "'>1</data>";
    std::vector<std::string> const told = told_of(graph(many, ""));
    ASSERT_EQ(told.size(), 1u);
    EXPECT_NE(told[0].find("`x29` of 1 node, and 5 more"), std::string::npos) << told[0];
}

}  // namespace
}  // namespace tailback::graphml_test
