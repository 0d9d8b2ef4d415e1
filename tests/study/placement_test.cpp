// Ranks on compute nodes (docs/semantics.md, Compute nodes and placement): which adapters are one node, which nodes a
// list names, in which order ranks take their slots, what is drawn, and that a study of it is the naive oracle's.
#include "host/api/placement.hpp"
#include "host/evaluation/evaluation.hpp"
#include "host/study/placement/compute_nodes.hpp"
#include "host/study/placement/hostlist.hpp"
#include "host/study/placement/node_mappings.hpp"
#include "host/study/traffic_flows.hpp"
#include "host/traffic/formats.hpp"
#include "patterns/families.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/oracle/oracle.hpp"
#include "tests/support/programs/outcome.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <random>
#include <set>
#include <tuple>

namespace tailback::placement_test {
namespace {

using Names = std::vector<std::string>;
using Hosts = std::vector<Host>;

TEST(Hostlist, IsWhatSlurmWrites) {
    EXPECT_EQ(expand_hostlist("node[001-003,010],login"), (Names{"node001", "node002", "node003", "node010", "login"}));
    EXPECT_EQ(expand_hostlist("r[0-1]n[8-9]-ib"), (Names{"r0n8-ib", "r0n9-ib", "r1n8-ib", "r1n9-ib"}));
    EXPECT_EQ(expand_hostlist("n[9-11]"), (Names{"n9", "n10", "n11"}));
    EXPECT_EQ(expand_hostlist("n[08-10]"), (Names{"n08", "n09", "n10"}));
    for (char const* const wrong : {"n[1-", "n]1[", "n[3-1]", "n[a]", "n[]", "n[1-2000000]", "n[[1]]"})
        EXPECT_NE(error_of([&] { expand_hostlist(wrong); }).find("is not a list of hosts"), std::string::npos) << wrong;
}

TEST(Hostlist, GlobsMatchTheWholeName) {
    EXPECT_TRUE(matches_glob("luna-0063", "luna-*"));
    EXPECT_TRUE(matches_glob("luna-0063", "*-??63"));
    EXPECT_TRUE(matches_glob("a", "*a*"));
    EXPECT_FALSE(matches_glob("luna-0063", "luna"));
    EXPECT_FALSE(matches_glob("luna", "?luna"));
}

TEST(ComputeNodes, DescriptionsThatEndInAnAdapterAreOneNode) {
    EXPECT_EQ(split_adapter_name("node0001 mlx5_0").node, "node0001");
    EXPECT_EQ(split_adapter_name("luna-0163 mlx5_11 ").adapter, "mlx5_11");
    EXPECT_EQ(split_adapter_name("a06-p1 HCA-2").adapter, "HCA-2");
    EXPECT_EQ(split_adapter_name("H12").node, "H12");
    EXPECT_EQ(split_adapter_name("MT25408 ConnectX Mellanox Technologies").node,
              "MT25408 ConnectX Mellanox Technologies");
    EXPECT_TRUE(natural_less("node2", "node10"));
    EXPECT_TRUE(natural_less("node02b", "node3"));
    EXPECT_FALSE(natural_less("b1", "a2"));
}

/// Nodes n0 .. of two adapters each, one at either of two leaves (as rails are), and a host without an adapter's name.
Fabric two_rails(std::uint32_t nodes, bool uplinks = true) {
    Sketch sketch;
    Node const leaves[] = {sketch.add_switch(40), sketch.add_switch(40)};
    if (uplinks) sketch.cable(leaves[0], leaves[1]);
    for (std::uint32_t n = 0; n < nodes; ++n)
        for (std::uint32_t rail : {1u, 0u})
            sketch.node(sketch.host_at(leaves[rail])).name =
                "n" + std::to_string(n) + " mlx5_" + std::to_string(rail == 0 ? 2 : 10);
    return sketch.route();
}

TEST(ComputeNodes, AdaptersAreOnTheRailOfTheirName) {
    Fabric const fabric = two_rails(11);
    ComputeNodes const nodes = find_compute_nodes(fabric, {}, false);
    ASSERT_EQ(nodes.nodes.size(), 11u);
    EXPECT_EQ(nodes.nodes[2].name, "n2");
    EXPECT_EQ(nodes.nodes[10].name, "n10");
    EXPECT_EQ(nodes.rails, 2u);
    for (ComputeNodes::Node const& node : nodes.nodes) {
        ASSERT_EQ(node.adapters.size(), 2u);
        EXPECT_EQ(fabric.network[fabric.network[node.adapters[0]].node].name, node.name + " mlx5_2");
        EXPECT_EQ(nodes.rail_of_host[node.adapters[1].value], 1u);
    }
    ComputeNodes const pairs = find_compute_nodes(fabric, {.kind = NodeGrouping::number, .number = 2}, false);
    EXPECT_EQ(pairs.nodes.size(), 11u);
    EXPECT_NE(error_of([&] {
                  find_compute_nodes(fabric, {.kind = NodeGrouping::number, .number = 4}, false);
              }).find("22 hosts do not make nodes of 4"),
              std::string::npos);
    TemporaryFolder const folder;
    std::string const file = folder.write("nodes", "# two\nfirst, n3 mlx5_2, n4 mlx5_2\nsecond\tn0 mlx5_10\n");
    ComputeNodes const listed = find_compute_nodes(fabric, {.kind = NodeGrouping::file, .file = file}, false);
    ASSERT_EQ(listed.nodes.size(), 2u);
    EXPECT_EQ(listed.nodes[0].adapters.size(), 2u);
    EXPECT_EQ(listed.nodes[1].name, "second");
    std::string const twice = folder.write("twice", "a, n3 mlx5_2\nb, n3 mlx5_2\n");
    EXPECT_NE(error_of([&] {
                  find_compute_nodes(fabric, {.kind = NodeGrouping::file, .file = twice}, false);
              }).find("twice:2: host \"n3 mlx5_2\" belongs to two nodes"),
              std::string::npos);
}

/// One CA is one adapter, however many ports it has: where its description names no adapter, its ports are one node.
/// Two CAs of one description are two nodes.
TEST(ComputeNodes, PortsOfOneAdapterAreOneNode) {
    Disagreements disagreements;
    Fabric fabric;
    fabric.network = read_topology(
        "switchguid=0xa\nSwitch\t8 \"S-a\"\t# \"leaf a\" base port 0 lid 9 lmc 0\n"
        "[1]\t\"H-1\"[1](c11)\t# \"c\" lid 1 4xSDR\n[2]\t\"H-2\"[1](c21)\t# \"c\" lid 3 4xSDR\n\n"
        "switchguid=0xb\nSwitch\t8 \"S-b\"\t# \"leaf b\" base port 0 lid 10 lmc 0\n"
        "[1]\t\"H-1\"[2](c12)\t# \"c\" lid 2 4xSDR\n[2]\t\"H-2\"[2](c22)\t# \"c\" lid 4 4xSDR\n\n"
        "caguid=0x1\nCa\t2 \"H-1\"\t# \"c\"\n[1](c11)\t\"S-a\"[1]\t# lid 1 lmc 0 \"leaf a\" lid 9 4xSDR\n"
        "[2](c12)\t\"S-b\"[1]\t# lid 2 lmc 0 \"leaf b\" lid 10 4xSDR\n\n"
        "caguid=0x2\nCa\t2 \"H-2\"\t# \"c\"\n[1](c21)\t\"S-a\"[2]\t# lid 3 lmc 0 \"leaf a\" lid 9 4xSDR\n"
        "[2](c22)\t\"S-b\"[2]\t# lid 4 lmc 0 \"leaf b\" lid 10 4xSDR\n",
        disagreements);
    ASSERT_EQ(fabric.network.hosts().size(), 4u);
    ComputeNodes const nodes = find_compute_nodes(fabric, {}, false);
    ASSERT_EQ(nodes.nodes.size(), 2u);
    EXPECT_EQ(nodes.rails, 2u);
    for (ComputeNodes::Node const& node : nodes.nodes) {
        ASSERT_EQ(node.adapters.size(), 2u);
        EXPECT_EQ(fabric.network[node.adapters[0]].node.value, fabric.network[node.adapters[1]].node.value);
    }
}

class Selection : public ::testing::Test {
protected:
    NodeSelection read(std::string const& words) const { return read_node_selection(words, nodes_, fabric_.network); }
    NodeSelection read_file(std::string const& text) const { return read(folder_.write("hosts", text)); }

    TemporaryFolder const folder_;
    Fabric const fabric_ = two_rails(12);
    ComputeNodes const nodes_ = find_compute_nodes(fabric_, {}, false);
};

using Numbers = std::vector<std::uint32_t>;

TEST_F(Selection, TakesListsGlobsLeavesAndAdapters) {
    EXPECT_EQ(read("n[3-5],n0,n4").nodes, (Numbers{3, 4, 5, 0}));
    EXPECT_EQ(read("n1*").nodes, (Numbers{1, 10, 11}));
    EXPECT_EQ(read("n7 mlx5_10,n2").nodes, (Numbers{7, 2}));
    std::string const leaf = fabric_.network[fabric_.network[fabric_.network.up_link(Host{0})].to].name;
    EXPECT_EQ(read("leaf:" + leaf).nodes.size(), 12u);
    EXPECT_EQ(read("any:5").draw->count, 5u);
    EXPECT_EQ(read("any:4,contiguous of n[0-5]").nodes.size(), 6u);
    EXPECT_EQ(read("any:4,piece=2").draw->piece, 2u);
    EXPECT_NE(error_of([&] { read("4"); }).find("\"4\" is not a name of a node"), std::string::npos);
    EXPECT_NE(error_of([&] { read("any:13"); }).find("13 of 12 nodes cannot be drawn"), std::string::npos);
}

TEST_F(Selection, NamesAllThatIsMissing) {
    std::string const error = error_of([&] { read("n[11-14],x*,leaf:y,n1"); });
    for (char const* const name : {"none of 5 compute nodes", "n12", "n13", "n14", "x*", "leaf:y"})
        EXPECT_NE(error.find(name), std::string::npos) << error;
}

TEST_F(Selection, EndsAtOnceAtNumbersTooLargeAndAtMillionsOfNames) {
    for (char const* const list :
         {"n[99999999999999999999999]", "n[18446744073709551615]", "n[1-99999999999999999999]"})
        EXPECT_NE(error_of([&] { read(list); }).find("a number is too large"), std::string::npos) << list;
    // 678,960 names, none of which is there: the search ends after the first of them.
    EXPECT_NE(error_of([&] { read("0xee[8-48][9-48]lde[00-412,7]"); }).find("at least 10,000 compute nodes"),
              std::string::npos);
}

TEST_F(Selection, ReadsHostfilesAndRankfiles) {
    NodeSelection const slots = read_file("# of Open MPI\nn1 slots=4 max_slots=8\nn0:2\nn5\n");
    EXPECT_EQ(slots.nodes, (Numbers{1, 0, 5}));
    EXPECT_EQ(slots.slots, (Numbers{4, 2, 0}));
    EXPECT_TRUE(slots.given.empty());
    // A line without a number is one slot where another line of the node says more.
    EXPECT_EQ(read_file("n1\nn1 slots=2\n").slots, (Numbers{3}));
    NodeSelection const arbitrary = read_file("n3\nn1\nn3\n");
    EXPECT_EQ(arbitrary.nodes, (Numbers{3, 1}));
    EXPECT_EQ(arbitrary.given, (std::vector<GivenSlot>{{0, 0}, {1, 0}, {0, 1}}));
    NodeSelection const ranks = read_file("rank 1=n2 slot=0\nrank 0=n2 slot=3-4\nrank 2 = n9 slots=1\n");
    EXPECT_EQ(ranks.nodes, (Numbers{2, 9}));
    EXPECT_EQ(ranks.given, (std::vector<GivenSlot>{{0, 1}, {0, 0}, {1, 0}}));
    ComputeNodes named = nodes_;  // names with the word that begins a slot
    named.nodes[3].name = "slot3", named.nodes[4].name = "myslot=4";
    EXPECT_EQ(read_node_selection(folder_.write("hosts", "rank 0=slot3 slot=0\nrank 1=myslot=4 slots = 1\n"), named,
                                  fabric_.network)
                  .nodes,
              (Numbers{3, 4}));
    EXPECT_NE(error_of([&] { read_file("rank 0=n1 slot=0\nrank 2=n1 slot=1\n"); }).find("has no rank 1"),
              std::string::npos);
    EXPECT_NE(error_of([&] { read_file(",,# none\n"); }).find("names no host"), std::string::npos);
    EXPECT_NE(error_of([&] { read_file("n1\nrank 2=n1 slot=1\n"); }).find("hosts:2: a hostfile and a rankfile"),
              std::string::npos);
    EXPECT_EQ(read_file("n1 max_slots=4 slots = 2\n").slots, (Numbers{2}));
    for (auto const& [text, why] :
         {std::pair("n1 slots=2 slots=3\n", "hosts:1: \"slots=3\" stands behind the host (it is there twice)"),
          {"n1\nn2 slots=2 x\n", "hosts:2: \"x\" stands behind the host"},
          {"n1 slots=2 max_slots=1\n", "2 slots, and 1 at most"},
          {"rank 0=n1 slot=0 slot=7\n", "something stands behind the slot"},
          {"rank 0=n1 slot=0:1,2-3 x\n", "something stands behind the slot"}})
        EXPECT_NE(error_of([&, text = text] { read_file(text); }).find(why), std::string::npos) << text;
    EXPECT_NE(error_of([&] { read_file("n1 slots=0\n"); }).find("not a number of slots"), std::string::npos);
    EXPECT_NE(error_of([&] { read_file("n1\nn[1-\n"); }).find("hosts:2: \"n[1-\" is not a list"), std::string::npos);
    EXPECT_NE(error_of([&] { read_file("n1\nn99\nn98\n"); }).find("n99, n98"), std::string::npos);
}

// Host files of launchers. The number of slots of a host is what `slots`, `cpu`, `cpus` or `count` says, the number
// behind its colon, or the number behind its name in a list of pairs; other keys are left out and told.
TEST_F(Selection, ReadsHostfilesOfLaunchers) {
    for (char const* const text :
         {"n1 slots=2\nn0 slots=3\n", "n1 cpu=2\nn0 count=3\n", "n1 cpus=2 max-slots=4\nn0 count = 3 count_max=3\n",
          "n1:2\r\nn0:3\r\n", "n1 2 n0 3\n", "n1 2\nn0 3\n", "  n1\t2\t n0 3 \n", "n1 1 n0 3 n1 1\n"}) {
        NodeSelection const read = read_file(text);
        EXPECT_EQ(read.nodes, (Numbers{1, 0})) << text;
        EXPECT_EQ(read.slots, (Numbers{2, 3})) << text;
        EXPECT_TRUE(read.given.empty()) << text;
        EXPECT_TRUE(read.notes.empty()) << text;
    }
    for (auto const& [text, ignored] :
         {std::pair("n1 sockets=2 cores=4 slots=2\nn0 slots=3 cores=8\n", "the hosts sockets, cores is left out"),
          {"n1:2 binding=user:0-3 \nn0:3\n", "the hosts binding is left out"},
          {"n1 slots=2 username=\"a b\"\nn0 user-name = 'x y' cpus=3\n", "the hosts username, user-name is left out"},
          {"n1 slots=2 boards=1\nn0 slots=3 boards=1\n", "the hosts boards is left out"}}) {
        NodeSelection const read = read_file(text);
        EXPECT_EQ(read.slots, (Numbers{2, 3})) << text;
        ASSERT_EQ(read.notes.size(), 1u) << text;
        EXPECT_NE(read.notes[0].find(ignored), std::string::npos) << read.notes[0];
    }
    NodeSelection const one_line = read_file("n3 n1 n3\n");
    EXPECT_EQ(one_line.nodes, (Numbers{3, 1}));
    EXPECT_EQ(one_line.given, (std::vector<GivenSlot>{{0, 0}, {1, 0}, {0, 1}}));
    for (char const* const text : {"1: n1\n0: n4\n2: n1\n", " 0: n4\n01:\tn1\n2:  n1\n"}) {
        NodeSelection const labelled = read_file(text);
        EXPECT_EQ(labelled.given.size(), 3u) << text;
        EXPECT_EQ(labelled.nodes[labelled.given[0].node], 4u) << text;
        EXPECT_EQ(labelled.nodes[labelled.given[2].node], 1u) << text;
        EXPECT_EQ(labelled.given[2].slot, 1u) << text;
    }
    for (auto const& [text, why] : {std::pair("n1 cpu=2 slots=2\n", "it is there twice"),
                                    {"n1 count=x\n", "\"x\" is not a number of slots"},
                                    {"n1 slots=3 max_cpus=2\n", "3 slots, and 2 at most"},
                                    {"n1 2 n99 2 n98 2\n", "none of 2 compute nodes: n99, n98"},
                                    {"n1 2 n0 0\n", "\"0\" is not a number of slots"},
                                    {"n1 1,024\n", "n1 1"},
                                    {"n1 slots=1,024\n", "\"1,024\" is not a number of slots"},
                                    {"0: n1\n2: n1\n", "has no rank 1"},
                                    {"0: n1\nn1\n", "a hostfile and a rankfile in one"}})
        EXPECT_NE(error_of([&, text = text] { read_file(text); }).find(why), std::string::npos)
            << text << error_of([&, text = text] { read_file(text); });
}

// A name with a domain is the node without it, and the other way round, where that is one node.
TEST_F(Selection, DomainsOfNames) {
    EXPECT_EQ(read_file("n1.cluster.example\nn1.cluster.example\nn0.cluster.example\n").nodes, (Numbers{1, 0}));
    EXPECT_EQ(read_file("n1.a.example:2\nn0 slots=3\n").slots, (Numbers{2, 3}));
    EXPECT_EQ(read_file("n1.a.example 2 n0.a.example 3\n").slots, (Numbers{2, 3}));
    EXPECT_EQ(read("n[1-3].example,n0").nodes, (Numbers{1, 2, 3, 0}));
    EXPECT_NE(error_of([&] { read("n1.a.example,n1.b.example"); }).find("would be one node"), std::string::npos);
    for (char const* const missing : {"n99.a", "10.0.0.1", ".n1", "n1."})
        EXPECT_NE(error_of([&] { read(missing); }).find("no compute node"), std::string::npos) << missing;

    ComputeNodes named = nodes_;
    for (auto& node : named.nodes) node.name += ".cluster.example";
    named.nodes[5].name = "n4.other.example";
    auto const read_named = [&](std::string const& words) {
        return read_node_selection(words, named, fabric_.network).nodes;
    };
    EXPECT_EQ(read_named("n1,n0.cluster.example"), (Numbers{1, 0}));
    EXPECT_EQ(read_named("n4.other.example,n4.cluster.example"), (Numbers{5, 4}));
    EXPECT_NE(error_of([&] { read_named("n4"); }).find("several nodes \"n4\" (they differ in their domains)"),
              std::string::npos);
    EXPECT_NE(error_of([&] { read_named("n1.elsewhere"); }).find("no compute node"), std::string::npos);
}

/// Hosts of a rankfile by their number in a list of hosts: +n0 is the first, whatever the list is; without a list, and
/// beyond it, they are refused, and so are hosts that the list does not have.
TEST_F(Selection, HostsByNumberInAList) {
    std::string const ranks = folder_.write("ranks", "rank 0=+n1 slot=0\nrank 1=+n0 slot=0\nrank 2=n3 slot=1\n");
    std::string const list = folder_.write("list", "n3 slots=2\nn7.cluster slots=4\nn3 slots=1\nn5\n");
    for (std::string const& of : {list, std::string("n3,n[7-8]"), std::string("n3,n7 mlx5_2")}) {
        NodeSelection const read_back = read(ranks + " of " + of);
        EXPECT_EQ(read_back.nodes, (Numbers{7, 3})) << of;
        EXPECT_EQ(read_back.given, (std::vector<GivenSlot>{{0, 0}, {1, 0}, {1, 1}})) << of;
    }
    auto const refused = [&](std::string const& text, std::string const& of) {
        std::string const file = folder_.write("hosts", text);
        return error_of([&] { read(of.empty() ? file : file + " of " + of); });
    };
    EXPECT_NE(refused("rank 0=n1 slot=0\nrank 1=+n0 slot=0\n", "")
                  .find("hosts:2: \"+n0\" is a host by its number in a list of hosts (there is no such list); give "
                        "--nodes 'FILE of LIST'"),
              std::string::npos);
    EXPECT_NE(refused("+n0 slots=2\n", "").find("give --nodes 'FILE of LIST'"), std::string::npos);
    EXPECT_NE(refused("rank 0=+n2 slot=0\n", "n[4-5]").find("\"+n2\" is beyond the list of hosts (it has 2 hosts"),
              std::string::npos);
    EXPECT_NE(refused("rank 0=+e0 slot=0\n", "n4").find("which hosts are empty is not known"), std::string::npos);
    EXPECT_NE(refused("rank 0=+nx slot=0\n", "n4").find("write +n0 for the first"), std::string::npos);
    EXPECT_NE(refused("rank 0=n5 slot=0\n", "n4").find("hosts:1: \"n5\" is not in the list of hosts"),
              std::string::npos);
    EXPECT_NE(refused("rank 0=n99 slot=0\n", "n4").find("no compute node \"n99\""), std::string::npos);
    EXPECT_NE(error_of([&] { read(ranks + " of n99"); }).find("no compute node \"n99\""), std::string::npos);
}

// `n1-ib0` is the name of an interface of n1 where nothing else is called so: it is told once, with how many there are.
// Two interfaces of one node are two names for it, and refused.
TEST_F(Selection, InterfacesOfNodes) {
    NodeSelection const one = read_file("n1-ib0 slots=2\nn2\nn1-ib0\n");
    EXPECT_EQ(one.nodes, (Numbers{1, 2}));
    EXPECT_EQ(one.slots, (Numbers{3, 0}));
    EXPECT_EQ(one.notes, std::vector<std::string>{"1 name is that of an interface, and is taken as its node "
                                                  "(\"n1-ib0\" as \"n1\")"});
    NodeSelection const three = read_file("n3-ib\nn4-hsn0.cluster.example\nn10-opa1\n");
    EXPECT_EQ(three.nodes, (Numbers{3, 4, 10}));
    EXPECT_EQ(three.notes, std::vector<std::string>{"3 names are those of interfaces, and are taken as their nodes "
                                                    "(the first: \"n3-ib\" as \"n3\")"});
    EXPECT_EQ(read("n[1-2]-ib0,n5").nodes, (Numbers{1, 2, 5}));
    EXPECT_EQ(read_file("rank 0=n2-ib0 slot=0\n").nodes, (Numbers{2}));
    EXPECT_TRUE(read_file("n1.cluster.example\nn2\n").notes.empty());
    EXPECT_NE(error_of([&] {
                  read("n1-ib0,n1-ib1");
              }).find("\"n1-ib0\" and \"n1-ib1\" would be one node (the network has \"n1\" alone)"),
              std::string::npos);
    for (char const* const missing : {"n99-ib0", "n1-", "n1-x0", "n1-0", "n1-ibx", "-ib0", "n1-ib0-ib0"})
        EXPECT_NE(error_of([&] { read(missing); }).find("no compute node"), std::string::npos) << missing;

    ComputeNodes named = nodes_;  // a node that is called so comes first
    named.nodes[5].name = "n1-ib0";
    named.nodes[6].name = "n2.cluster.example";
    auto const read_named = [&](std::string const& words) {
        return read_node_selection(words, named, fabric_.network);
    };
    EXPECT_EQ(read_named("n1-ib0,n1").nodes, (Numbers{5, 1}));
    EXPECT_TRUE(read_named("n1-ib0,n1").notes.empty());
    named.nodes[2].name = "m2";
    EXPECT_EQ(read_named("n2-ib0").nodes, (Numbers{6}));
}

/// Node of every rank, and its slot there.
std::vector<Slot> order(std::string const& words, Numbers const& slots, std::uint32_t ranks, Numbers const& leaf = {},
                        Numbers const& dims = {}) {
    return slots_in_order(read_rank_order(words), {slots, leaf, dims, ranks});
}
Numbers nodes_of(std::vector<Slot> const& slots) {
    Numbers nodes;
    for (Slot const slot : slots) nodes.push_back(slot.node);
    return nodes;
}

TEST(RankOrders, AreAsDefined) {
    EXPECT_EQ(order("block", {2, 1, 3}, 5), (std::vector<Slot>{{0, 0}, {0, 1}, {1, 0}, {2, 0}, {2, 1}}));
    EXPECT_EQ(order("cyclic", {2, 1, 3}, 6), (std::vector<Slot>{{0, 0}, {1, 0}, {2, 0}, {0, 1}, {2, 1}, {2, 2}}));
    EXPECT_EQ(nodes_of(order("shift:by=2", {1, 1, 1, 1}, 3)), (Numbers{2, 3, 0}));
    EXPECT_EQ(nodes_of(order("shuffle", {1, 1, 1, 1, 1}, 5, {7, 7, 7, 4, 4})), (Numbers{0, 3, 1, 4, 2}));
    EXPECT_EQ(nodes_of(order("spread", Numbers(10, 1), 4)), (Numbers{0, 2, 5, 7}));
    EXPECT_EQ(nodes_of(order("spread", Numbers(10, 2), 7)), (Numbers{0, 0, 2, 2, 5, 5, 7}));
    EXPECT_EQ(nodes_of(order("row:dims=3x2", Numbers(6, 1), 6)), (Numbers{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(nodes_of(order("column:dims=3x2", Numbers(6, 1), 6)), (Numbers{0, 3, 1, 4, 2, 5}));
    EXPECT_EQ(nodes_of(order("column", Numbers(6, 1), 6, {}, {3, 2})), (Numbers{0, 3, 1, 4, 2, 5}));
    EXPECT_EQ(nodes_of(order("column:dims=2", Numbers(6, 1), 6)), (Numbers{0, 1, 2, 3, 4, 5}));
    EXPECT_EQ(nodes_of(order("quadrant:dims=4x2", Numbers(8, 1), 8)), (Numbers{0, 1, 2, 3, 4, 5, 6, 7}));
    EXPECT_EQ(nodes_of(order("quadrant:dims=4x4", Numbers(16, 1), 16)),
              (Numbers{0, 1, 4, 5, 2, 3, 6, 7, 8, 9, 12, 13, 10, 11, 14, 15}));
    EXPECT_EQ(nodes_of(order("diagonal:dims=3x3", Numbers(9, 1), 9)), (Numbers{0, 4, 8, 3, 7, 2, 6, 1, 5}));
}

TEST(RankOrders, OfAllNodesAreBijections) {
    for (Numbers const& dims : {Numbers{4, 6}, Numbers{2, 8}, Numbers{10, 4}})
        for (char const* const name : {"row", "column", "quadrant", "diagonal", "spread", "shift:by=5", "cyclic"}) {
            std::uint32_t const n = dims[0] * dims[1] * 2;  // two nodes to a place
            Numbers nodes = nodes_of(order(name, Numbers(n, 1), n, {}, dims));
            std::sort(nodes.begin(), nodes.end());
            for (std::uint32_t i = 0; i < n; ++i) EXPECT_EQ(nodes[i], i) << name;
        }
}

TEST(RankOrders, RefuseWhatDoesNotFit) {
    EXPECT_NE(error_of([] {
                  order("block", {2, 2}, 5);
              }).find("5 ranks do not fit on 2 nodes (they have 4 slots"),
              std::string::npos);
    EXPECT_NE(error_of([] { order("column", {1, 1}, 2); }).find("dimensions are not known"), std::string::npos);
    EXPECT_NE(error_of([] { order("column:dims=3", {1, 1}, 2); }).find("does not fit the nodes"), std::string::npos);
    EXPECT_NE(error_of([] { order("quadrant:dims=3x2", Numbers(6, 1), 2); }).find("odd"), std::string::npos);
    EXPECT_NE(error_of([] { read_rank_order("bloc"); }).find("\"block\""), std::string::npos);
}

/// Mappings of one job.
std::vector<Numbers> mappings_of(Fabric const& fabric, ComputeNodes const& nodes, JobPlacement job, std::uint64_t count,
                                 std::uint64_t seed = 5) {
    Placer placer(nodes, fabric.network, {std::move(job)}, {}, seed);
    std::vector<Numbers> all;
    for (std::uint64_t m = 0; m < count; ++m) {
        std::vector<Host> hosts(placer.ranks());
        placer.place(m, hosts);
        all.emplace_back();
        for (Host const host : hosts) all.back().push_back(nodes.node_of_host[host.value]);
    }
    return all;
}

TEST_F(Selection, DrawsAreOfTheirFormAndReachEverything) {
    for (std::string const form : {"any:4", "any:4,contiguous", "any:4,piece=2"}) {
        JobPlacement job{.nodes = read(form), .ranks = 4};
        std::set<Numbers> met;
        std::map<std::uint32_t, int> times;
        for (Numbers const& nodes : mappings_of(fabric_, nodes_, job, 6000)) {
            EXPECT_TRUE(std::is_sorted(nodes.begin(), nodes.end()));
            EXPECT_EQ(std::set<std::uint32_t>(nodes.begin(), nodes.end()).size(), 4u);
            if (form == "any:4,contiguous") {
                EXPECT_EQ(nodes.back(), nodes.front() + 3);
            }
            if (form == "any:4,piece=2") {
                EXPECT_TRUE(nodes[0] % 2 == 0 && nodes[1] == nodes[0] + 1 && nodes[3] == nodes[2] + 1);
            }
            met.insert(nodes);
            for (std::uint32_t const node : nodes) ++times[node];
        }
        EXPECT_EQ(met.size(), form == "any:4" ? 495u : form == "any:4,contiguous" ? 9u : 15u);
        if (form == "any:4,contiguous") continue;
        for (auto const& [node, count] : times)  // a third of 6,000 mappings each, standard deviation 37
            EXPECT_NEAR(count, 2000, 185) << form << " " << node;
    }
    JobPlacement shuffled{.nodes = read("n[0-3]"), .order = read_rank_order("random"), .ranks = 8, .ranks_per_node = 2};
    std::set<Numbers> met;
    for (Numbers nodes : mappings_of(fabric_, nodes_, shuffled, 500)) {
        met.insert(nodes);
        std::sort(nodes.begin(), nodes.end());
        EXPECT_EQ(nodes, (Numbers{0, 0, 1, 1, 2, 2, 3, 3}));
    }
    EXPECT_GT(met.size(), 400u);
}

TEST_F(Selection, JobsTakeNodesOfTheirOwn) {
    std::vector<JobPlacement> jobs(3);
    jobs[0] = {.name = "a", .nodes = read("any:3"), .ranks = 3};
    jobs[1] = {.name = "b", .nodes = every_node(nodes_), .ranks = 4};
    jobs[2] = {.name = "c", .nodes = read("n[0-1]"), .ranks = 2};
    Placer placer(nodes_, fabric_.network, jobs, {}, 1);
    for (std::uint64_t m = 0; m < 200; ++m) {
        std::vector<Host> hosts(placer.ranks());
        placer.place(m, hosts);
        std::set<std::uint32_t> nodes;
        for (Host const host : hosts) nodes.insert(nodes_.node_of_host[host.value]);
        EXPECT_EQ(nodes.size(), 9u);
        EXPECT_EQ(nodes_.node_of_host[hosts[3].value], 2u);  // the first free
    }
    jobs[1].nodes = read("n1");
    jobs[1].ranks = 1;
    EXPECT_NE(error_of([&] { Placer(nodes_, fabric_.network, jobs, {}, 1); }).find("belongs to two jobs"),
              std::string::npos);
}

TEST_F(Selection, AJobAloneTakesTheNodesThatItTakesBesideOthers) {
    auto const nodes_of = [&](JobPlacement const& job) {
        Placer placer(nodes_, fabric_.network, {job}, {}, 1);
        std::vector<Host> hosts(placer.ranks());
        placer.place(0, hosts);
        Numbers nodes;
        for (Host const host : hosts) nodes.push_back(nodes_.node_of_host[host.value]);
        return nodes;
    };
    JobPlacement job{.name = "a", .nodes = every_node(nodes_), .order = read_rank_order("cyclic"), .ranks = 5};
    job.ranks_per_node = 2;
    EXPECT_EQ(nodes_of(job), (Numbers{0, 1, 2, 0, 1}));  // the first three are enough
    job.name.clear();
    EXPECT_EQ(nodes_of(job), (Numbers{0, 1, 2, 3, 4}));  // a study without jobs goes round all
}

TEST_F(Selection, RailsFollowTheirRule) {
    auto const rails = [&](std::string const& rule, std::uint32_t per_node) {
        JobPlacement job{
            .nodes = read("n[4-5]"), .rail = read_rail_rule(rule), .ranks = 2 * per_node, .ranks_per_node = per_node};
        Placer placer(nodes_, fabric_.network, {job}, {}, 1);
        std::vector<Host> hosts(placer.ranks());
        placer.place(0, hosts);
        Numbers found;
        for (Host const host : hosts) found.push_back(nodes_.rail_of_host[host.value]);
        return found;
    };
    EXPECT_EQ(rails("local-rank", 3), (Numbers{0, 1, 0, 0, 1, 0}));
    EXPECT_EQ(rails("round-robin", 3), (Numbers{0, 1, 0, 1, 0, 1}));
    EXPECT_EQ(rails("nearest", 4), (Numbers{0, 0, 1, 1, 0, 0, 1, 1}));
    EXPECT_EQ(rails("file:" + folder_.write("rails", "1\n0 # second\n1\n"), 3), (Numbers{1, 0, 1, 1, 0, 1}));
    EXPECT_EQ(rails("file:" + folder_.write("rails", "1\n0\n"), 3), (Numbers{1, 0, 1, 1, 0, 1}));
    try {
        rails("file:" + folder_.write("rails", "0\n2\n"), 2);
        ADD_FAILURE() << "an adapter that no node has";
    } catch (InputError const& error) {
        EXPECT_NE(std::string(error.what()).find("slot 1 has adapter 2 by the rail file"), std::string::npos)
            << error.what();
    }
}

// ---- studies ------------------------------------------------------------------------------------------------------

/// Compute nodes of `each` hosts in the order of the file, the last one maybe of fewer.
std::shared_ptr<ComputeNodes> nodes_by_number(Network const& network, std::uint32_t each) {
    auto nodes = std::make_shared<ComputeNodes>();
    nodes->node_of_host.resize(network.hosts().size());
    nodes->rail_of_host.resize(network.hosts().size());
    for (std::uint32_t h = 0; h < network.hosts().size(); ++h) {
        if (h % each == 0) nodes->nodes.push_back({"N" + std::to_string(h / each), {}});
        nodes->nodes.back().adapters.push_back(Host{h});
        nodes->node_of_host[h] = h / each;
        nodes->rail_of_host[h] = h % each;
    }
    nodes->rails = each;
    return nodes;
}

/// Random flows on ranks that share hosts, adapters of one node, or neither.
oracle::Question random_question(std::uint32_t hosts, std::uint32_t seed) {
    std::mt19937 random(seed);
    oracle::Question q;
    q.pattern = "file";
    q.ranks = 2 + random() % (2 * hosts);
    q.mappings = 2;
    q.mapping = oracle::Mapping::listed;
    for (std::size_t i = 0; i < q.ranks * q.mappings; ++i) q.mapping_hosts.push_back(random() % hosts);
    for (std::size_t level = 0; level < 1 + seed % 3; ++level) {
        q.listed.emplace_back();
        q.weights.emplace_back();
        for (std::uint32_t f = 0; f < 1 + random() % (3 * q.ranks); ++f) {
            q.listed.back().emplace_back(random() % q.ranks, random() % q.ranks);
            q.weights.back().push_back(seed % 2 == 0 ? 1 : 1 + random() % 1000);
        }
    }
    return q;
}

Study study_of(oracle::Question const& q, std::shared_ptr<ComputeNodes> nodes) {
    Study study;
    study.traffic.pattern = listed_pattern;
    FlowListWriter out(q.ranks);
    for (std::size_t l = 0; l < q.listed.size(); ++l) {
        out.begin_level();
        for (std::size_t f = 0; f < q.listed[l].size(); ++f)
            out.flow(q.listed[l][f].first, q.listed[l][f].second, std::uint64_t(q.weights[l][f]));
    }
    study.traffic.listed_flows = out.take();
    study.placement.ranks = q.ranks;
    study.measures.metrics = every_metric();
    study.placement.mapping = MappingKind::listed;
    study.sample.mappings = q.mappings;
    for (std::uint32_t const host : q.mapping_hosts) study.placement.mapping_hosts.emplace_back(host);
    study.placement.nodes.emplace();
    study.placement.nodes->nodes = std::move(nodes);
    study.placement.nodes->rail_aligned = !q.rail_of_host.empty();
    return study;
}

void compare(Fabric const& fabric, std::uint32_t seed) {
    auto const hosts = static_cast<std::uint32_t>(fabric.network.hosts().size());
    oracle::Question q = random_question(hosts, seed);
    auto const nodes = nodes_by_number(fabric.network, 1 + seed % 3);
    q.node_of_host = nodes->node_of_host;
    if (seed % 4 == 3) q.rail_of_host = nodes->rail_of_host;
    oracle::Oracle oracle(fabric.network, fabric.tables);
    oracle::Answer const want = oracle.answer(q);
    StudyPlan const plan = make_plan(fabric, study_of(q, nodes));
    std::vector<MappingTally> tallies;
    ExecutionOptions options{.device = DeviceChoice::cpu, .threads = 1};
    options.per_mapping = [&](std::uint64_t, std::span<MappingTally const> row) {
        MappingTally const& tally = row.front();
        tallies.push_back(tally);
    };
    Evaluation const got = evaluate(plan, options);
    ASSERT_EQ(tallies.size(), want.mappings.size());
    std::uint64_t within = 0;
    for (std::size_t m = 0; m < tallies.size(); ++m) {
        oracle::MappingAnswer const& one = want.mappings[m];
        double const unit = double(plan.common_weight) / plan.denominator;
        EXPECT_DOUBLE_EQ(double(tallies[m].congestion_sum) * unit, one.sum_max_cong.value());
        EXPECT_DOUBLE_EQ(double(tallies[m].delay) * unit, one.dep_max_delay.value());
        EXPECT_EQ(tallies[m].delivered, one.delivered);
        EXPECT_EQ(tallies[m].unreachable, one.unreachable);
        EXPECT_EQ(tallies[m].within_nodes * plan.common_weight, one.within_nodes);
        double const band = number_of(plan, Metric::hist_acc_band, tallies[m]);
        ASSERT_EQ(std::isnan(band), !one.hist_acc_band);
        if (one.hist_acc_band) {
            EXPECT_NEAR(band, *one.hist_acc_band, 1e-9);
        }
        within += one.within_nodes;
    }
    EXPECT_EQ(plan.has_bytes() ? got.bytes_within_nodes : got.within_nodes, within);
    for (LinkSum const& link : got.links) {
        auto const at = want.get_cable_cong.find(link.link.value);
        EXPECT_EQ(link.sum, at == want.get_cable_cong.end() ? 0 : at->second);
    }
}

TEST(StudiesOnNodes, AreTheOracles) {
    for (NastyNetwork const& one : nasty_networks()) {
        if (one.fabric.network.hosts().size() < 2 || !one.fabric.routed) continue;
        SCOPED_TRACE(one.name);
        for (std::uint32_t seed = 1; seed <= 12; ++seed) compare(one.fabric, seed);
    }
    for (char const* const spec : {"xgft:m=4x4,w=1x2", "torus:3x4", "dragonfly:a=4,p=2,h=2"}) {
        SCOPED_TRACE(spec);
        Topology const topology = make_topology(spec);
        Routes routes = make_routes(topology, {"minhop", 1});
        Fabric const fabric{topology.network, std::move(routes.tables), true, std::move(routes.routing)};
        for (std::uint32_t seed = 1; seed <= 12; ++seed) compare(fabric, seed);
    }
}

/// Sum over links between switches.
std::uint64_t between_leaves(Fabric const& fabric, Evaluation const& result, std::uint64_t* most = nullptr) {
    std::uint64_t sum = 0;
    for (LinkSum const& link : result.links) {
        if (!fabric.between_switches(link.link)) continue;
        sum += link.sum;
        if (most != nullptr) *most = std::max(*most, link.sum);
    }
    return sum;
}

/// A study of the ranks of nodes of 8 adapters, rail i of every node on leaf i.
Evaluation on_rails(Fabric const& fabric, std::string const& pattern, PlacementRequest request) {
    Study study;
    study.traffic.pattern = pattern;
    study.measures.metrics = {Metric::get_cable_cong, Metric::sum_max_cong};
    bool const is_apart = request.adapters && request.adapters->number == 1;
    request.ranks_per_node = is_apart ? 1 : 8;
    place_study(study, request, fabric, {TopologySpec("rail:gpus=8,nodes=2"), false, false});
    ExecutionOptions options{.device = DeviceChoice::cpu, .threads = 1};
    return evaluate(make_plan(fabric, study), options);
}

TEST(Rails, CarryWhatTheirFormulasSay) {
    // Pod of n nodes, rail i of every node on leaf i: of an all-to-all each leaf sends n x 7n pairs up, of which n x 7
    // stay in their nodes; rail-aligned none. Flat ring in the order of nodes: one flow leaves each node. A ring on
    // each rail: none between leaves, load 1.
    for (std::uint32_t const n : {2u, 5u, 8u, 16u, 32u}) {
        SCOPED_TRACE(n);
        Topology const topology = make_topology("rail:gpus=8,nodes=" + std::to_string(n));
        Routes routes = make_routes(topology, {topology.usual_routing, 1});
        Fabric const fabric{topology.network, std::move(routes.tables), true, std::move(routes.routing)};
        Evaluation const apart = on_rails(fabric, "all-to-all", {.adapters = read_node_grouping("1")});
        EXPECT_EQ(between_leaves(fabric, apart), 2u * 8 * n * 7 * n);  // up, and down again
        EXPECT_EQ(apart.within_nodes, 0u);
        Evaluation const together = on_rails(fabric, "all-to-all", {});
        EXPECT_EQ(between_leaves(fabric, together), 2u * 8 * n * 7 * (n - 1));
        EXPECT_EQ(together.within_nodes, 8u * 7 * n);
        Evaluation const aligned = on_rails(fabric, "all-to-all", {.rail_aligned = true});
        EXPECT_EQ(between_leaves(fabric, aligned), 0u);
        EXPECT_EQ(aligned.delivered, together.delivered);
        Evaluation const flat = on_rails(fabric, "shift:by=1", {});
        EXPECT_EQ(flat.delivered, n);
        EXPECT_EQ(flat.within_nodes, 7u * n);
        Evaluation const rings = on_rails(fabric, "shift:by=8", {});
        EXPECT_EQ(between_leaves(fabric, rings), 0u);
        EXPECT_EQ(rings.largest_link_sum, 1u);
    }
}

TEST(ComputeNodes, OfRealDumpsAreThoseTheirTextNames) {
    // Counted in the text: Ca lines `Ca 1 "H-.." # "luna-0063 mlx5_3"`, but for aggregation nodes. Those without a name
    // of their own (`MT4129 ConnectX7   Mellanox Technologies`) are a node each.
    for (char const* const name : {"real-selene-compute", "real-topograph-ndr582", "real-loginoff-fdr144"}) {
        std::filesystem::path const file = shared_data() / "public" / name / "minhop/ibnetdiscover.out.xz";
        if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not there";
        SCOPED_TRACE(name);
        std::map<std::string, std::size_t> adapters;
        std::size_t unnamed = 0;
        LineReader text(open_source(file.string()), name);
        for (std::string_view line; text.next(line);) {
            if (!line.starts_with("Ca") || line.find("Aggregation") != line.npos) continue;
            std::string_view description = line.substr(line.find("# \"") + 3);
            description = description.substr(0, description.find_last_of('"'));
            while (description.ends_with(' ')) description.remove_suffix(1);
            if (description.find("Mellanox") != description.npos) ++unnamed;
            else ++adapters[std::string(description.substr(0, description.rfind(' ')))];
        }
        Disagreements disagreements;
        LineReader lines(open_source(file.string()), name);
        Fabric fabric;
        fabric.network = read_ibnetdiscover(lines, disagreements);
        ComputeNodes const nodes = find_compute_nodes(fabric, {}, false);
        ASSERT_EQ(nodes.nodes.size(), adapters.size() + unnamed);
        for (ComputeNodes::Node const& node : nodes.nodes) {
            std::set<std::uint32_t> owners;  // an adapter may have two ports
            for (Host const host : node.adapters) owners.insert(fabric.network[host].node.value);
            EXPECT_EQ(owners.size(), adapters.contains(node.name) ? adapters[node.name] : 1);
        }
    }
}

TEST(Pfsim, BytesOnTheMostLoadedLink) {
    // Its cluster: 20 hosts of 8 cores, 4 edge and 2 core switches; a route by number of the destination; the job on
    // the first free hosts. Its published largest loads, and their standard deviation (of a sample) over the 16 links.
    std::filesystem::path const file = shared_data() / "traffic/pfprof/cg-c-128.tar.gz";
    if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not there";
    Topology const topology = make_topology("xgft:m=5x4,w=1x2");
    Routes routes = make_routes(topology, {"dmodk", 1});
    Fabric const fabric{topology.network, std::move(routes.tables), true, std::move(routes.routing)};
    Names notes;
    FlowList const flows = flows_of(traffic::read_traffic(file.string()), "cg", notes);
    for (auto const& [order, most, deviation] :
         {std::tuple{"block", 5'928'262'656u, 1'683'737'318.08}, {"cyclic", 11'708'587'972u, 0.0}}) {
        Study study;
        study.traffic.pattern = listed_pattern;
        study.traffic.listed_flows = flows;
        study.measures.metrics = {Metric::get_cable_cong};
        place_study(study, {.nodes = "H[1-16]", .order = study::read_rank_order(order), .ranks_per_node = 8}, fabric,
                    {{}, false, false});
        ExecutionOptions options{.device = DeviceChoice::cpu, .threads = 1};
        Evaluation const result = evaluate(make_plan(fabric, study), options);
        std::uint64_t largest = 0;
        double const mean = double(between_leaves(fabric, result, &largest)) / 16;
        EXPECT_EQ(largest, most);
        double squares = 0;
        for (LinkSum const& link : result.links)
            if (fabric.between_switches(link.link)) squares += (double(link.sum) - mean) * (double(link.sum) - mean);
        if (deviation > 0) {
            EXPECT_NEAR(std::sqrt(squares / 15), deviation, 0.005);
        }
    }
}

TEST(StudiesOnNodes, OfOneRankEachAreTheDefaultOnes) {
    // `random` of one rank a node on hosts in the same order draws the mappings that a study without nodes draws.
    Fabric const fabric = two_rails(6);
    Study plain;
    plain.traffic.pattern = "bruck";
    plain.sample.mappings = 50;
    plain.placement.subset = SubsetKind::listed;
    Study placed = plain;
    PlacementRequest const request{
        .nodes = "any:12", .order = read_rank_order("random"), .adapters = read_node_grouping("1")};
    place_study(placed, request, fabric, {{}, true, false});
    for (std::uint32_t h = 0; h < 12; ++h) plain.placement.subset_hosts.emplace_back(h);
    StudyPlan const a = make_plan(fabric, plain), b = make_plan(fabric, placed);
    for (std::uint64_t m = 0; m < 50; ++m) EXPECT_EQ(a.hosts_of_mapping(m), b.hosts_of_mapping(m));
    EXPECT_EQ(b.problem.placement.nodes.node, nullptr);  // so that all stages take it
}

TEST(NodeMappings, NameNodesAndAdapters) {
    Fabric const fabric = two_rails(4);
    ComputeNodes const nodes = find_compute_nodes(fabric, {}, false);
    JobPlacement rules{.nodes = {}, .ranks_per_node = 2};
    auto const read = [&](std::string const& text) {
        LineReader lines = lines_of_text(text, "m");
        return read_node_mappings(lines, nodes, fabric.network, rules);
    };
    MappingList const list = read("# two\nn0 n0 n3\nn1 \"n0 mlx5_10\" n1\n");
    ASSERT_EQ(list.mappings, 2u);
    Hosts const want = {nodes.nodes[0].adapters[0], nodes.nodes[0].adapters[1], nodes.nodes[3].adapters[0],
                        nodes.nodes[1].adapters[0], nodes.nodes[0].adapters[1], nodes.nodes[1].adapters[1]};
    EXPECT_EQ(list.hosts, want);
    EXPECT_NE(error_of([&] { read("n0 n0 n0\n"); }).find("m:1: node \"n0\" gets more than 2 ranks"), std::string::npos);
    EXPECT_NE(error_of([&] { read("n0 x y\n"); }).find("x, y"), std::string::npos);
    EXPECT_NE(error_of([&] { read("n0 n1\nn0\n"); }).find("m:2: a mapping of 1 hosts"), std::string::npos);
}

}  // namespace
}  // namespace tailback::placement_test
