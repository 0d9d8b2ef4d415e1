// GraphML: what networkx writes, PFSim's cluster files, and what this program writes itself. Nodes, cables, ports and
// capacities are those that a reader of the file would expect; everything wrong is refused with its line.
#include "host/model/capacities.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>

#include <map>
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
    for (auto const& [first, second, says] : {std::tuple("fast", "10", "\"fast\" is no number"),
                                              std::tuple("10", "100 furlongs", "\"100 furlongs\" is no number"),
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

}  // namespace
}  // namespace tailback::graphml_test
