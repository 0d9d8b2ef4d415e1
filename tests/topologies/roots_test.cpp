// Roots of up*/down*: however they are named they are the same; those that updn chooses are the top of the tree
// whatever aggregation nodes sit on it; and lanes by layers serve the hosts first.
#include "host/audit/deadlock/deadlock.hpp"
#include "host/base/error.hpp"
#include "host/commands/command.hpp"
#include "host/model/service_levels.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace tailback::roots_test {
namespace {

/// The network of a spec with GUIDs 0x1000 + number of the node, and an aggregation node on each switch but `without`
/// and those from the `first` switch on; if `tail`, a switch without hosts behind the last one.
Topology with_aggregation(std::string const& spec, std::vector<std::string> const& without = {}, bool tail = false) {
    Topology topology = make_topology(spec);
    Network const& plain = topology.network;
    NetworkBuilder builder(plain.named());
    std::vector<Node> switches;
    std::vector<Port> ports(plain.nodes().size() + 1);
    for (std::size_t n = 0; n < plain.nodes().size(); ++n) {
        NodeRecord node = plain[Node{n}];
        node.guid = 0x1000 + n;
        if (node.kind == NodeKind::switch_node) switches.emplace_back(n);
        ports[n] = node.ports;
        builder.add_node(std::move(node));
    }
    for (std::size_t h = 0; h < plain.hosts().size(); ++h) builder.add_host(plain[Host{h}]);
    for (LinkRecord link : plain.links()) {
        link.reverse = Link{};
        builder.add_link(link);
    }
    Lid lid = plain.max_lid();
    auto const cable = [&](Node a, Node b) {
        Port const from = ++ports[a.value], to = b.value < ports.size() ? ++ports[b.value] : 1;
        builder.add_link({.from = a, .from_port = from, .to = b, .to_port = to});
        builder.add_link({.from = b, .from_port = to, .to = a, .to_port = from});
    };
    if (tail) {
        NodeRecord node;
        node.name = "tail";
        node.lid = ++lid;
        node.guid = 0xFFFF;
        cable(switches.back(), builder.add_node(node));
    }
    for (Node const node : switches) {
        NodeRecord engine;
        engine.kind = NodeKind::adapter;
        engine.name = "Mellanox Technologies Aggregation Node";
        engine.guid = 0x9000 + node.value;
        ++lid;  // those without leave theirs free, so that the others keep theirs
        if (std::find(without.begin(), without.end(), plain[node].name) != without.end()) continue;
        Node const added = builder.add_node(engine);
        builder.add_host({.node = added, .port = 1, .lid = lid, .role = HostRole::aggregation});
        cable(node, added);
    }
    Disagreements none;
    topology.network = builder.finish(none, "");
    return topology;
}

std::vector<std::string> names(Topology const& topology, RoutingRoots const& roots) {
    std::vector<std::string> found;
    for (Node const node : roots.nodes) found.push_back(topology.network[node].name);
    std::sort(found.begin(), found.end());
    return found;
}

std::string const tree = "xgft:m=4x4,w=1x4";  // 16 hosts, leaves S1_*, tops S2_*

TEST(Roots, NamesGuidsAndFilesMeanTheSame) {
    Topology const topology = with_aggregation(tree);
    Network const& net = topology.network;
    Node const a = net.node_by_name("S2_0"), b = net.node_by_name("S2_2");
    ASSERT_TRUE(a.exists() && b.exists());
    auto const guid = [&](Node node) {
        char text[32];
        std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(net[node].guid));
        return std::string(text);
    };
    TemporaryFolder const folder;
    std::string const list = folder.write("roots", "# tops\n" + guid(a) + " # the first\n\nS2_2\n" + guid(b) + "\n");
    std::vector<Node> const meant = {a, b};
    for (std::string const& spec :
         std::vector<std::string>{"updn:roots=S2_0+S2_2", "updn:roots=" + guid(a) + "+" + guid(b),
                                  "updn:roots=S2_0+" + guid(b) + "+S2_0", "updn:roots=file:" + list}) {
        Routes const routes = make_routes(topology, {spec, 1, {Node{net.node_by_name("S2_3")}}});
        EXPECT_EQ(routes.roots.nodes, meant) << spec;
        EXPECT_EQ(routes.roots.from, RootsFrom::parameter) << spec;
        EXPECT_FALSE(RoutingSpec(spec).wants_roots());
    }
    EXPECT_TRUE(RoutingSpec("updn").wants_roots());
    EXPECT_FALSE(RoutingSpec("minhop").wants_roots());
    Routes const listed = make_routes(topology, {"updn", 1, meant}),
                 named = make_routes(topology, {"updn:roots=S2_0+S2_2", 1});
    EXPECT_EQ(listed.roots.nodes, meant);
    EXPECT_EQ(listed.roots.from, RootsFrom::list);
    for (std::size_t n = 0; n < net.nodes().size(); ++n)
        for (Lid lid = 1; lid <= net.max_lid(); ++lid)
            ASSERT_EQ(listed.tables.port(Node{n}, lid), named.tables.port(Node{n}, lid));
    EXPECT_THROW(make_routes(topology, {"updn:roots=0x77", 1}), InputError);
    EXPECT_THROW(make_routes(topology, {"updn:roots=file:" + (folder / "none"), 1}), InputError);
}

/// The roots are the same with all aggregation nodes and without some, whichever these are.
TEST(Roots, AggregationNodesAreNoHosts) {
    std::vector<std::string> const tops = {"S2_0", "S2_1", "S2_2", "S2_3"};
    Topology const all = with_aggregation(tree);
    Routes const expected = make_routes(all, {"updn", 1});
    EXPECT_EQ(expected.roots.from, RootsFrom::farthest);
    EXPECT_EQ(names(all, expected.roots), tops);
    for (std::vector<std::string> const& without : {std::vector<std::string>{"S2_1"}, {"S2_0", "S1_2"}, tops}) {
        Topology const some = with_aggregation(tree, without);
        Routes const routes = make_routes(some, {"updn", 1});
        EXPECT_EQ(names(some, routes.roots), tops);
    }
}

TEST(Roots, WhatHangsOffTheTopIsNoRoot) {
    Topology const topology = with_aggregation(tree, {}, true);
    Routes const routes = make_routes(topology, {"updn", 1});
    EXPECT_EQ(names(topology, routes.roots), (std::vector<std::string>{"S2_0", "S2_1", "S2_2", "S2_3"}));
    RoutingRoots const central = make_routes(make_topology("torus:4x4"), {"updn", 1}).roots;
    EXPECT_EQ(central.from, RootsFrom::central);
    EXPECT_EQ(central.nodes.size(), 1u);
    EXPECT_EQ(make_routes(topology, {"minhop", 1}).roots.from, RootsFrom::none);
}

DeadlockReport verdict(Fabric const& fabric, RoutingLanes const& lanes, bool with_aggregation_nodes) {
    std::vector<Host> hosts;
    for (std::size_t h = 0; h < fabric.network.hosts().size(); ++h)
        if (with_aggregation_nodes || fabric.network[Host{h}].role == HostRole::compute) hosts.emplace_back(h);
    return find_deadlocks(Forwarding(fabric), {hosts, hosts, nullptr, &lanes.levels, 0});
}

/// The lanes that dfsssp asks for are those of the verdict over the hosts; aggregation nodes take none beyond them, and
/// where nothing is said of them all routes are free.
TEST(Lanes, HostsComeBeforeAggregationNodes) {
    for (std::string const spec :
         {"torus:6x6", "torus:4x4x4", "dragonfly:a=4,p=2,h=2", "jellyfish:switches=20,degree=4,hosts=2"}) {
        SCOPED_TRACE(spec);
        Topology const topology = with_aggregation(spec);
        Fabric fabric;
        fabric.network = topology.network;
        unsigned needed = 0;
        for (unsigned lanes = 1; lanes <= 15 && needed == 0; ++lanes) {
            Routes routes = make_routes(topology, {"dfsssp:lanes=" + std::to_string(lanes), 1});
            fabric.tables = std::move(routes.tables);
            fabric.routed = true;
            try {
                std::shared_ptr<RoutingLanes const> const found = routes.find_lanes(fabric);
                needed = lanes;
                DeadlockReport const hosts = verdict(fabric, *found, false);
                EXPECT_TRUE(hosts.free);
                EXPECT_EQ(hosts.lanes, lanes);
                EXPECT_EQ(hosts.pairs_without_level, 0u);
                DeadlockReport const all = verdict(fabric, *found, true);
                EXPECT_LE(all.lanes, lanes);
                EXPECT_EQ(all.pairs_without_level, 0u);
                if (found->left_over.empty()) {
                    EXPECT_TRUE(all.free);
                }
            } catch (InputError const&) {
            }
        }
        EXPECT_GT(needed, 1u);
        Routes routes = make_routes(topology, {"dfsssp:lanes=15", 1});
        std::shared_ptr<RoutingLanes const> const found = routes.find_lanes(fabric);
        EXPECT_EQ(found->left_over, "");
        EXPECT_TRUE(verdict(fabric, *found, true).free);
        EXPECT_EQ(verdict(fabric, *found, false).lanes, needed);
    }
}

TEST(AuditCommand, RootsFeedTheRouting) {
    TemporaryFolder const folder;
    std::string const fabric = (fixtures() / "opensm/ft2-16/minhop/ibnetdiscover.out.xz").string();
    std::string const one = folder.write("one", "0x0002c90200400000\n");
    std::vector<std::string> const words = {"audit", "--network", fabric, "--routing", "updn", "--device", "cpu"};
    auto const run = [&](std::vector<std::string> const& more) {
        std::vector<std::string> all = words;
        all.insert(all.end(), more.begin(), more.end());
        return run_tailback(all);
    };
    Finished const given = run({"--roots", one});
    EXPECT_NE(
        given.out.find("routed from 1 root (as given): switch \"MF0;sw-spine1:IS5030/U1\" (0x0002c90200400000)\n"),
        std::string::npos)
        << given.out << given.err;
    EXPECT_NE(given.out.find("up*/down* from 1 root (as given): every route keeps to it"), std::string::npos)
        << given.out;
    auto const json = nlohmann::json::parse(run({"--roots", one, "--format", "json"}).out);
    EXPECT_EQ(json["network"]["routing_roots"]["chosen"], "given");
    EXPECT_EQ(json["network"]["routing_roots"]["switches"][0]["guid"], "0x0002c90200400000");
    auto const own = nlohmann::json::parse(run({"--format", "json"}).out);
    EXPECT_EQ(own["network"]["routing_roots"]["chosen"], "farthest");
    EXPECT_EQ(own["network"]["routing_roots"]["switches"].size(), 2u);
}

/// OpenSM's updn with these roots left 36 pairs of hosts of three destinations without a route.
TEST(AuditDataShared, RootsOfARealFabricGiveItsFates) {
    std::filesystem::path const folder = shared_data() / "public/real-selene-compute";
    if (!std::filesystem::exists(folder)) GTEST_SKIP() << "the developers' larger data is not here";
    Finished const ran =
        run_tailback({"audit", "--network", (folder / "minhop/ibnetdiscover.out.xz").string(), "--routing", "updn",
                      "--roots", (folder / "roots.txt.xz").string(), "--format", "json", "--device", "cpu"});
    EXPECT_EQ(ran.code, 1) << ran.err;
    auto const json = nlohmann::json::parse(ran.out);
    EXPECT_EQ(json["network"]["routing_roots"]["switches"].size(), 140u);
    EXPECT_EQ(json["pairs"]["unreachable"], 36);
    EXPECT_EQ(json["verdict"]["findings"]["unreachable"], 3);
    EXPECT_EQ(json["updown"]["pairs"], 0);
}

}  // namespace
}  // namespace tailback::roots_test
