// Where failures cut a network into parts. Definition: a pair of hosts is connected when a way leads from one to the
// other by links that are left, through switches (server-centric: hosts, too) alone, sending by the first cable left
// where hosts have one port in use; a routing for any graph delivers every connected pair, and no route passes a node
// that lets no packets through.
#include "host/model/routes/trace.hpp"
#include "tests/support/networks/network_facts.hpp"
#include "tests/support/networks/tree_entries.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/some_traffic.hpp"
#include "topologies/failures.hpp"
#include "topologies/on_demand/on_demand_routes.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <deque>
#include <map>
#include <set>

namespace tailback::cut_off_test {
namespace {

Topology broken(std::string const& spec, std::string const& cables, std::string const& switches, std::uint64_t seed) {
    Topology topology = make_topology(spec);
    Failures failures;
    if (!cables.empty()) failures.cables = parse_failures("", cables, true);
    if (!switches.empty()) failures.switches = parse_failures("", switches, false);
    failures.seed = seed;
    topology.network = degrade(topology.network, failures).network;
    return topology;
}

bool lets_through(Topology const& topology, Node node) {
    return topology.network[node].kind == NodeKind::switch_node || topology.hosts_do == HostsDo::forward;
}

/// [source][destination]: is there a way? By a search from every host.
std::vector<std::vector<bool>> connected_pairs(Topology const& topology) {
    Network const& net = topology.network;
    std::vector<std::vector<bool>> connected;
    for (std::size_t s = 0; s < net.hosts().size(); ++s) {
        std::vector<bool> met(net.nodes().size());
        std::deque<Node> queue;
        auto const meet = [&](Node node) {
            if (!met[node.value]) queue.push_back(node);
            met[node.value] = true;
        };
        Node const own = net[Host{s}].node;
        met[own.value] = true;
        if (topology.hosts_do != HostsDo::send) queue.push_back(own);
        else if (Link const up = net.up_link(Host{s}); up.exists()) meet(net[up].to);
        for (bool first = topology.hosts_do != HostsDo::send; !queue.empty(); first = false) {
            Node const node = queue.front();
            queue.pop_front();
            if (!first && !lets_through(topology, node)) continue;
            for (std::uint32_t i = 0; i < net.link_count(node); ++i) meet(net[Link{net.first_link(node).value + i}].to);
        }
        std::vector<bool> row;
        for (HostRecord const& host : net.hosts()) row.push_back(met[host.node.value]);
        connected.push_back(std::move(row));
    }
    return connected;
}

struct Fates {
    std::size_t connected = 0, lost = 0, through_hosts = 0;
};
Fates fates(Topology const& topology, std::vector<std::vector<bool>> const& connected, std::string const& routing,
            std::uint64_t seed) {
    Routes routes = make_routes(topology, with_some_traffic({routing, seed}, topology.network));
    Fabric const fabric{topology.network, std::move(routes.tables), true, std::move(routes.routing)};
    Network const& net = topology.network;
    Fates found;
    for (std::size_t s = 0; s < net.hosts().size(); ++s)
        for (std::size_t d = 0; d < net.hosts().size(); ++d) {
            if (s == d) continue;
            Route const route = trace_from_host(fabric, Host{s}, net[Host{d}].lid);
            bool const delivered = route.fate == Fate::delivered && route.end == net[Host{d}].node;
            found.connected += connected[s][d];
            found.lost += connected[s][d] && !delivered;
            EXPECT_TRUE(connected[s][d] || !delivered);
            for (std::size_t i = 1; delivered && i < route.links.size(); ++i)
                found.through_hosts += !lets_through(topology, net[route.links[i]].from);
        }
    return found;
}

struct Damage {
    std::string cables, switches;
};
std::vector<Damage> const damages = {{"", ""}, {"", "1"}, {"", "2"}, {"20%", ""}, {"switch:40%", ""}, {"30%", "2"}};
std::vector<std::string> const networks = {"jellyfish:switches=20,degree=4,hosts=2",
                                           "jellyfish:switches=30,degree=3",
                                           "torus:6x6",
                                           "torus:4x3,links=one",
                                           "mesh:5x3,hosts=2",
                                           "ring:n=30",
                                           "hypercube:n=4",
                                           "dragonfly:a=4,p=2,h=2",
                                           "dragonfly+:leaves=2,p=2,h=2",
                                           "slimfly:q=3",
                                           "hyperx:4x3,hosts=2",
                                           "star:n=8,hosts=2",
                                           "crossbar:12",
                                           "xgft:m=4x4,w=1x4",
                                           "xgft:3;2,3,4;1,3,2",
                                           "xgft:m=3x4,w=2x2",
                                           "rail:gpus=2,nodes=4,groups=2,spines=3",
                                           "kary-ntree:k=2,n=4",
                                           "bcube:n=4,k=1",
                                           "bcube:n=3,k=2",
                                           "dcell:n=4,k=1",
                                           "ficonn:n=4,k=1",
                                           "hcn:n=4,h=1",
                                           "bcn:alpha=2,beta=2,h=1",
                                           "dpillar:n=4,k=2"};

class CutOff : public testing::TestWithParam<std::string> {};

TEST_P(CutOff, RoutingsForAnyGraphConnectWhatIsConnected) {
    std::size_t cut = 0;
    for (Damage const& damage : damages)
        for (std::uint64_t seed = 1; seed <= 4; ++seed) {
            Topology topology;
            try {
                topology = broken(GetParam(), damage.cables, damage.switches, seed);
            } catch (InputError const&) {
                continue;  // more switches than there are
            }
            std::vector<std::vector<bool>> const connected = connected_pairs(topology);
            std::vector<std::string> routings = {"valiant:by=bfs", "valiant:by=minhop", "valiant:by=updn"};
            if (!topology.groups.empty()) routings.push_back("valiant:by=bfs,via=group");
            for (RoutingAlgorithm const& routing : all_routings())
                if (routing.for_any_graph() && routing.name != "valiant" && routing.name != "ftree")
                    routings.push_back(routing.name);  // ftree wants even trees: ftree_test.cpp
            for (std::string const& routing : routings) {
                if (routing.find("updn") != std::string::npos && GetParam().ends_with("links=one")) continue;
                SCOPED_TRACE(GetParam() + " " + routing + " cables " + damage.cables + " switches " + damage.switches +
                             " seed " + std::to_string(seed));
                Fates const found = fates(topology, connected, routing, seed);
                EXPECT_EQ(found.lost, 0u);
                EXPECT_EQ(found.through_hosts, 0u);
                if (claims_of(topology, routing).deadlock_free) {
                    Fabric const fabric{topology.network, make_tables(topology, {routing, seed}), true};
                    EXPECT_FALSE(walk_all_pairs(fabric, topology.hosts_do == HostsDo::forward).cyclic);
                }
                cut += found.connected < topology.network.hosts().size() * (topology.network.hosts().size() - 1);
            }
        }
    EXPECT_GT(cut, 0u);  // else nothing was tested
}

// The same by tables and made destination by destination.
TEST_P(CutOff, TreesAreTables) {
    if (GetParam().ends_with("links=one")) return;
    for (Damage const& damage : damages) {
        if (damage.switches == "2" && make_topology(GetParam()).network.switches() == 1) continue;
        Topology const topology = broken(GetParam(), damage.cables, damage.switches, 3);
        SCOPED_TRACE(GetParam() + " cables " + damage.cables + " switches " + damage.switches);
        ForwardingTables const tables = make_tables(topology, {"updn", 1});
        OnDemandRoutes const routes(topology, {"updn", 1});
        EXPECT_EQ(compare_entries(routes, topology.network, 1, tables).wrong, 0u);
    }
}

INSTANTIATE_TEST_SUITE_P(Small, CutOff, testing::ValuesIn(networks), [](auto const& tested) {
    std::string name;
    for (char const c : tested.param) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
    return name;
});

/// How far the farthest switch is that `root` reaches by links between switches.
std::size_t reach(Network const& net, Node root, std::set<std::uint32_t>& part) {
    std::map<std::uint32_t, std::size_t> hops = {{root.value, 0}};
    std::deque<Node> queue = {root};
    std::size_t farthest = 0;
    for (; !queue.empty(); queue.pop_front())
        for (std::uint32_t i = 0; i < net.link_count(queue.front()); ++i) {
            Node const to = net[Link{net.first_link(queue.front()).value + i}].to;
            if (net[to].kind != NodeKind::switch_node || hops.count(to.value)) continue;
            farthest = hops[to.value] = hops[queue.front().value] + 1;
            queue.push_back(to);
        }
    for (auto const& [node, count] : hops) part.insert(node);
    return farthest;
}

// Every part of more than one switch where there are hosts has one root, the first of those whose farthest switch is
// nearest.
TEST(CutOffRoots, AreTheMostCentralOfTheirParts) {
    std::size_t most_parts = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed)
        for (Damage const& damage : std::vector<Damage>{{"", "1"}, {"switch:40%", ""}, {"switch:60%", "3"}}) {
            Topology const topology =
                broken("jellyfish:switches=50,degree=3,hosts=2", damage.cables, damage.switches, seed);
            Network const& net = topology.network;
            std::vector<Node> expected;
            std::set<std::uint32_t> seen;
            for (std::size_t n = 0; n < net.nodes().size(); ++n) {
                if (net[Node{n}].kind != NodeKind::switch_node || seen.count(std::uint32_t(n))) continue;
                std::set<std::uint32_t> part, again;
                reach(net, Node{n}, part);
                seen.insert(part.begin(), part.end());
                if (part.size() == 1) continue;
                Node best{n};
                for (std::uint32_t const v : part)
                    if (reach(net, Node{v}, again) < reach(net, best, again)) best = Node{v};
                expected.push_back(best);
            }
            RoutingRoots const roots = make_routes(topology, {"updn", 1}).roots;
            EXPECT_EQ(roots.nodes, expected);
            EXPECT_EQ(roots.from, RootsFrom::central);
            most_parts = std::max(most_parts, expected.size());
        }
    EXPECT_GT(most_parts, 2u);
}

// A fat tree keeps its tops when a leaf fails.
TEST(CutOffRoots, TopsStayTopsWhereTheyConnectWhatIsConnected) {
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        Topology const topology = broken("xgft:m=4x4,w=1x4", "", "1", seed);
        RoutingRoots const roots = make_routes(topology, {"updn", 1}).roots;
        EXPECT_EQ(roots.from, RootsFrom::farthest);
        EXPECT_GE(roots.nodes.size(), 3u);
        for (Node const root : roots.nodes) EXPECT_TRUE(topology.network[root].name.starts_with("S2_"));
    }
}

TEST(CutOffRoots, ReportsNameThemAll) {
    std::vector<std::string> const words = {"audit",      "--network", "jellyfish:switches=50,degree=3,hosts=2",
                                            "--routing",  "updn",      "--fail-cables",
                                            "switch:40%", "--device",  "cpu"};
    RoutingRoots const roots =
        make_routes(broken("jellyfish:switches=50,degree=3,hosts=2", "switch:40%", "", 1), {"updn", 1}).roots;
    ASSERT_GT(roots.nodes.size(), 1u);
    Finished const told = run_tailback(words);
    EXPECT_NE(told.out.find("routed from " + std::to_string(roots.nodes.size()) +
                            " roots (the most central switch of each part, or its tops where those connect it):"),
              std::string::npos)
        << told.out;
    std::vector<std::string> as_json = words;
    as_json.insert(as_json.end(), {"--format", "json"});
    nlohmann::json const json = nlohmann::json::parse(run_tailback(as_json).out);
    EXPECT_EQ(json["network"]["routing_roots"]["chosen"], "central");
    EXPECT_EQ(json["network"]["routing_roots"]["switches"].size(), roots.nodes.size());
}

/// Share of the pairs' middles, where the first part of a route is seen to end: of a ring cut in two, Valiant's routes
/// stay in their half, and go everywhere there.
TEST(CutOffValiant, DrawsAmongTheSwitchesBetweenBothEnds) {
    Topology const whole = make_topology("ring:n=12,hosts=4");
    NetworkBuilder builder(whole.network.named());
    for (NodeRecord const& node : whole.network.nodes()) builder.add_node(node);
    for (HostRecord const& host : whole.network.hosts()) builder.add_host(host);
    auto const number = [&](Node node) { return std::stoi(whole.network[node].name.substr(1)); };
    for (LinkRecord link : whole.network.links()) {
        bool const between = whole.network[link.from].kind == NodeKind::switch_node &&
                             whole.network[link.to].kind == NodeKind::switch_node;
        if (between && (number(link.from) < 4) != (number(link.to) < 4))
            continue;  // 4 switches in a line, 8 in another
        link.reverse = Link{};
        builder.add_link(link);
    }
    Topology topology = whole;
    Disagreements none;
    topology.network = builder.finish(none, "");
    Network const& net = topology.network;
    std::map<int, std::size_t> ends;  // 0 -> 1 in the line of 4: the route to a middle m goes up to max(1, m)
    std::size_t pairs = 0;
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        Routes const routes = make_routes(topology, {"valiant:by=bfs", seed});
        for (std::size_t s = 0; s < net.hosts().size(); ++s)
            for (std::size_t d = 0; d < net.hosts().size(); ++d) {
                std::vector<Link> links;
                Link const up = net.up_link(Host{s}), down = net.up_link(Host{d});
                if (number(net[up].to) != 0 || number(net[down].to) != 1) continue;
                ASSERT_TRUE(dynamic_cast<PairRoutes const&>(*routes.routing).append(net, Host{s}, Host{d}, links));
                int farthest = 0;
                for (Link const link : links)
                    if (net[net[link].to].kind == NodeKind::switch_node)
                        farthest = std::max(farthest, number(net[link].to));
                ++ends[farthest];
                ++pairs;
            }
    }
    ASSERT_EQ(pairs, 1600u);
    EXPECT_EQ(ends.size(), 3u);
    EXPECT_NEAR(double(ends[1]), 800, 100);  // middles 0 and 1
    EXPECT_NEAR(double(ends[2]), 400, 85);
    EXPECT_NEAR(double(ends[3]), 400, 85);
}

}  // namespace
}  // namespace tailback::cut_off_test
