// Deadlock: the verdict, the cyclic components and the shortest circle of each are those of a graph that is drawn by
// walking every pair; every circle's examples are routes that take its links; threads change nothing.
#include "host/audit/deadlock/deadlock.hpp"
#include "host/audit/audit.hpp"

#include "host/model/routes/trace.hpp"
#include "tests/support/networks/all_hosts.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>

#include <map>
#include <queue>
#include <set>

namespace tailback::deadlock_test {
namespace {

using Node2 = std::pair<std::uint32_t, unsigned>;  // link, lane
using Graph = std::map<Node2, std::set<Node2>>;

struct Lanes {
    LaneMaps const* maps = nullptr;
    ServiceLevels const* levels = nullptr;
    bool one = true;

    std::vector<unsigned> levels_of(Host source, Lid lid) const {
        std::vector<unsigned> found;
        if (levels != nullptr && !levels->to(lid).empty())
            for (unsigned level = 0; level < 16; ++level)
                if (levels->to(lid)[source.value] >> level & 1) found.push_back(level);
        if (found.empty()) found.push_back(0);
        return found;
    }
};

/// The channels of a route, as far as nothing drops the packet; links of hosts' own have lane 0, as nothing waits for
/// them.
std::vector<Node2> channels(Network const& net, Route const& route, Host source, unsigned level, Lanes const& lanes,
                            bool& dropped) {
    std::vector<Node2> found;
    dropped = false;
    if (!lanes.one && lanes.maps != nullptr && lanes.maps->find(source) != nullptr &&
        lanes.maps->find(source)->lane(level) == 15) {
        dropped = true;
        return found;
    }
    for (std::size_t i = 0; i < route.links.size(); ++i) {
        LinkRecord const& link = net[route.links[i]];
        unsigned lane = lanes.one || lanes.maps != nullptr ? 0 : level;
        if (!lanes.one && lanes.maps != nullptr && net[link.from].kind == NodeKind::switch_node) {
            LaneMap const* const map =
                lanes.maps->find(link.from, i == 0 ? 0 : net[route.links[i - 1]].to_port, link.from_port);
            lane = map == nullptr ? level : map->lane(level);
            if (map != nullptr && lane == 15) {
                dropped = true;
                return found;
            }
        }
        found.push_back({route.links[i].value, lane});
    }
    return found;
}

struct Drawn {
    Graph graph;
    std::uint64_t dropped = 0, without_level = 0;
};

Drawn draw(Fabric const& fabric, Lanes const& lanes) {
    Drawn drawn;
    Network const& net = fabric.network;
    for (Destination const to : destinations_of(net, all_hosts(net)))
        for (Host const source : all_hosts(net)) {
            if (source == to.host) continue;
            Route const route = trace_from_host(fabric, source, to.lid);
            if (route.fate != Fate::delivered) continue;
            if (lanes.levels != nullptr &&
                (lanes.levels->to(to.lid).empty() || lanes.levels->to(to.lid)[source.value] == 0))
                ++drawn.without_level;
            for (unsigned const level : lanes.levels_of(source, to.lid)) {
                bool dropped = false;
                std::vector<Node2> const walk = channels(net, route, source, level, lanes, dropped);
                drawn.dropped += dropped;
                for (std::size_t i = 0; i + 1 < walk.size(); ++i) drawn.graph[walk[i]].insert(walk[i + 1]);
            }
        }
    return drawn;
}

/// Channels that can be reached from `from`, with their distance (1 = waits for it directly).
std::map<Node2, std::size_t> reach(Graph const& graph, Node2 from) {
    std::map<Node2, std::size_t> distance;
    std::queue<Node2> waiting;
    auto const look = [&](Node2 at, std::size_t far) {
        if (auto const next = graph.find(at); next != graph.end())
            for (Node2 const& to : next->second)
                if (distance.try_emplace(to, far).second) waiting.push(to);
    };
    look(from, 1);
    while (!waiting.empty()) {
        Node2 const at = waiting.front();
        waiting.pop();
        look(at, distance[at] + 1);
    }
    return distance;
}

/// (channels, shortest circle) of every cyclic component.
std::multiset<std::pair<std::size_t, std::size_t>> cyclic_components(Graph const& graph) {
    std::map<Node2, std::map<Node2, std::size_t>> reached;
    for (auto const& [from, next] : graph) reached[from] = reach(graph, from);
    std::multiset<std::pair<std::size_t, std::size_t>> found;
    std::set<Node2> done;
    for (auto const& [from, there] : reached) {
        if (!there.contains(from) || done.contains(from)) continue;
        std::size_t members = 0, shortest = ~std::size_t{0};
        for (auto const& [to, far] : there)
            if (reached.contains(to) && reached[to].contains(from)) {
                ++members;
                done.insert(to);
                shortest = std::min(shortest, reached[to].at(to));
            }
        found.insert({members, shortest});
    }
    return found;
}

void expect_same(DeadlockReport const& a, DeadlockReport const& b) {
    EXPECT_EQ(a.free, b.free);
    EXPECT_EQ(a.lanes, b.lanes);
    EXPECT_EQ(a.pairs_without_level, b.pairs_without_level);
    EXPECT_EQ(a.first_without_level, b.first_without_level);
    EXPECT_EQ(a.turns_without_map, b.turns_without_map);
    ASSERT_EQ(a.cycles.size(), b.cycles.size());
    for (std::size_t c = 0; c < a.cycles.size(); ++c) {
        ASSERT_EQ(a.cycles[c].steps.size(), b.cycles[c].steps.size());
        EXPECT_EQ(a.cycles[c].component, b.cycles[c].component);
        EXPECT_EQ(a.cycles[c].pairs, b.cycles[c].pairs);
        for (std::size_t i = 0; i < a.cycles[c].steps.size(); ++i) {
            EXPECT_EQ(a.cycles[c].steps[i].channel, b.cycles[c].steps[i].channel);
            EXPECT_EQ(a.cycles[c].steps[i].source, b.cycles[c].steps[i].source);
            EXPECT_EQ(a.cycles[c].steps[i].destination, b.cycles[c].steps[i].destination);
        }
    }
    ASSERT_EQ(a.drops.size(), b.drops.size());
    for (std::size_t i = 0; i < a.drops.size(); ++i) EXPECT_EQ(a.drops[i].pairs, b.drops[i].pairs);
}

/// Definition: pairs whose routes take a link of the circle and then the next one.
std::uint64_t pairs_that_take(Fabric const& fabric, DeadlockCycle const& cycle) {
    std::uint64_t pairs = 0;
    Network const& net = fabric.network;
    for (Host const source : all_hosts(net))
        for (Host const to : all_hosts(net))
            for (std::uint32_t k = 0; k < 1u << net[to].lmc; ++k) {
                if (source == to) continue;
                Route const route = trace_from_host(fabric, source, net[to].lid + k);
                bool takes = false;
                for (std::size_t i = 0; route.fate == Fate::delivered && i + 1 < route.links.size(); ++i)
                    for (std::size_t s = 0; s < cycle.steps.size(); ++s)
                        takes |= route.links[i] == cycle.steps[s].channel.link &&
                                 route.links[i + 1] == cycle.steps[(s + 1) % cycle.steps.size()].channel.link;
                pairs += takes;
            }
    return pairs;
}

void expect_graph(Fabric const& fabric, Lanes const& lanes, std::string const& what) {
    SCOPED_TRACE(what);
    Network const& net = fabric.network;
    Forwarding const forwarding(fabric);
    std::vector<Host> const hosts = all_hosts(net);
    auto const ask = [&](unsigned threads) {
        return lanes.one ? find_deadlocks_on_one_lane(forwarding, hosts, hosts, threads)
                         : find_deadlocks(forwarding, LaneRequest{hosts, hosts, lanes.maps, lanes.levels, threads});
    };
    DeadlockReport const report = ask(1);
    expect_same(report, ask(3));
    if (lanes.one) {
        AllPairsRequest request{.sources = hosts, .destinations = hosts};
        ExecutionOptions const on_cpu{.device = DeviceChoice::cpu};
        expect_same(report,
                    find_deadlocks(forwarding, count_all_pairs(forwarding, request, on_cpu).turns, hosts, hosts));
    }
    Drawn const drawn = draw(fabric, lanes);
    std::multiset<std::pair<std::size_t, std::size_t>> found;
    for (DeadlockCycle const& cycle : report.cycles) {
        EXPECT_TRUE(cycle.shortest);
        found.insert({cycle.component, cycle.steps.size()});
        for (std::size_t i = 0; i < cycle.steps.size(); ++i) {
            DeadlockStep const& step = cycle.steps[i];
            Channel const next = cycle.steps[(i + 1) % cycle.steps.size()].channel;
            ASSERT_TRUE(step.source.exists());
            Route const route = trace_from_host(fabric, step.source, step.destination);
            ASSERT_EQ(route.fate, Fate::delivered);
            bool takes = false;
            for (unsigned const level : lanes.levels_of(step.source, step.destination)) {
                bool dropped = false;
                std::vector<Node2> const walk = channels(net, route, step.source, level, lanes, dropped);
                for (std::size_t k = 0; k + 1 < walk.size(); ++k)
                    takes |= walk[k] == Node2{step.channel.link.value, step.channel.lane} &&
                             walk[k + 1] == Node2{next.link.value, next.lane};
            }
            EXPECT_TRUE(takes);
        }
    }
    for (std::size_t c = 0; c < report.cycles.size(); ++c)
        EXPECT_EQ(report.cycles[c].pairs,
                  lanes.one && c < most_cycles_counted ? pairs_that_take(fabric, report.cycles[c]) : 0);
    EXPECT_EQ(found, cyclic_components(drawn.graph));
    EXPECT_EQ(report.free, found.empty());
    std::uint64_t dropped = 0;
    for (LaneDrop const& drop : report.drops) dropped += drop.pairs;
    EXPECT_EQ(dropped, drawn.dropped);
    EXPECT_EQ(report.pairs_without_level, drawn.without_level);
    EXPECT_GE(findings_of(fabric, report).size(), report.cycles.size());
}

/// A sound tree with `damages` entries overwritten by any port.
Fabric damaged_tree(Dice& dice, int damages) {
    Fabric fabric = make_xgft({{3, 2, 2}, {1, 2, 3}});
    Network const& net = fabric.network;
    for (int damage = 0; damage < damages; ++damage) {
        Node const node{net.hosts().size() + dice(static_cast<std::uint32_t>(net.switches()))};
        fabric.tables.set(node, 1 + dice(static_cast<std::uint32_t>(net.hosts().size())), dice(net[node].ports + 1));
    }
    return fabric;
}

TEST(Deadlock, OneLaneOnNastyNetworks) {
    for (NastyNetwork const& nasty : nasty_networks()) expect_graph(nasty.fabric, {}, nasty.name);
}

TEST(Deadlock, OneLaneOnDamagedTrees) {
    Dice dice;
    for (int trial = 0; trial < 30; ++trial)
        expect_graph(damaged_tree(dice, 3 * trial), {}, "trial " + std::to_string(trial));
}

/// Maps and levels at random: some missing, some that drop.
void expect_random_lanes(Fabric const& fabric, Dice& dice, std::string const& what) {
    Network const& net = fabric.network;
    LaneMaps maps(net);
    unsigned const lanes = 1 + dice(4);
    auto const any_map = [&] {
        LaneMap map;
        for (unsigned level = 0; level < 16; ++level) map.set(level, dice(40) == 0 ? dropping_lane : dice(lanes));
        return map;
    };
    for (std::size_t n = 0; n < net.nodes().size(); ++n) {
        if (net[Node{n}].kind != NodeKind::switch_node || net[Node{n}].ports > 254) continue;
        for (Port in = 0; in <= net[Node{n}].ports; ++in)
            for (Port out = 1; out <= net[Node{n}].ports; ++out)
                if (dice(10) != 0) maps.set(Node{n}, in, out, any_map(), {});
    }
    ServiceLevels levels(net);
    for (Host const host : all_hosts(net)) {
        if (dice(3) != 0) maps.set(host, any_map(), {});
        for (Lid lid = 1; lid <= net.max_lid(); ++lid)
            for (std::uint32_t times = dice(8); times > 5; --times) levels.add(host, lid, dice(6));
    }
    expect_graph(fabric, {&maps, &levels, false}, what + ", maps and levels");
    expect_graph(fabric, {nullptr, &levels, false}, what + ", levels");
    expect_graph(fabric, {&maps, nullptr, false}, what + ", maps");
}

TEST(Deadlock, LanesOnNastyNetworks) {
    Dice dice;
    for (NastyNetwork const& nasty : nasty_networks()) expect_random_lanes(nasty.fabric, dice, nasty.name);
}

TEST(Deadlock, LanesOnDamagedTrees) {
    Dice dice;
    for (int trial = 0; trial < 20; ++trial)
        expect_random_lanes(damaged_tree(dice, 4 * trial), dice, "trial " + std::to_string(trial));
}

/// A ring of switches, a host at each (Host i at switch i), the next switch behind port 1. All packets go that way when
/// `one_way`, else the shorter way.
struct Ring {
    Fabric fabric;
    ServiceLevels levels;  ///< 1 where a route passes the cable between the last switch and the first, the dateline
};
Ring ring_of(std::uint32_t size, bool one_way) {
    Sketch sketch;
    std::vector<Node> nodes;
    for (std::uint32_t i = 0; i < size; ++i) nodes.push_back(sketch.add_switch());
    for (std::uint32_t i = 0; i < size; ++i) sketch.cable(nodes[i], 1, nodes[(i + 1) % size], 2);
    for (Node const node : nodes) sketch.host_at(node);
    Fabric fabric = sketch.route();
    ServiceLevels levels(fabric.network);
    for (std::uint32_t at = 0; at < size; ++at)
        for (std::uint32_t to = 0; to < size; ++to) {
            if (to == at) continue;
            bool const forward = one_way || (to + size - at) % size <= size / 2;
            Lid const lid = fabric.network[Host{to}].lid;
            fabric.tables.set(nodes[at], lid, forward ? 1 : 2);
            levels.add(Host{at}, lid, forward == (to < at) ? 1 : 0);
        }
    return {std::move(fabric), std::move(levels)};
}

// Dally and Seitz 1987: a ring deadlocks on one lane, and does not when packets that pass the dateline have a lane of
// their own.
TEST(Deadlock, RingHasACircleEachWayAndDatelineLanesHaveNone) {
    Ring const ring = ring_of(6, false);
    Network const& net = ring.fabric.network;
    Forwarding const forwarding(ring.fabric);
    std::vector<Host> const hosts = all_hosts(net);
    DeadlockReport const report = find_deadlocks_on_one_lane(forwarding, hosts, hosts);
    EXPECT_FALSE(report.free);
    ASSERT_EQ(report.cycles.size(), 2u);
    for (DeadlockCycle const& cycle : report.cycles) {
        EXPECT_EQ(cycle.steps.size(), 6u);
        EXPECT_EQ(cycle.component, 6u);
    }
    EXPECT_EQ(report.lanes, 1u);

    DeadlockReport const by_level = find_deadlocks(forwarding, {hosts, hosts, nullptr, &ring.levels, 0});
    EXPECT_TRUE(by_level.free);
    EXPECT_EQ(by_level.lanes, 2u);

    LaneMap both_on_3, apart;  // level 1 on lane 3 or on lane 5
    both_on_3.set(0, 3);
    both_on_3.set(1, 3);
    apart.set(0, 3);
    apart.set(1, 5);
    for (LaneMap const& map : {both_on_3, apart}) {
        LaneMaps maps(net);
        for (std::uint32_t n = 0; n < 6; ++n)
            for (Port in = 0; in <= net[Node{n}].ports; ++in)
                for (Port out = 1; out <= net[Node{n}].ports; ++out) maps.set(Node{n}, in, out, map, {});
        DeadlockReport const mapped = find_deadlocks(forwarding, {hosts, hosts, &maps, &ring.levels, 0});
        EXPECT_EQ(mapped.free, map == apart);
        EXPECT_EQ(mapped.lanes, map == apart ? 2u : 1u);
        EXPECT_EQ(mapped.turns_without_map, 0u);
        for (DeadlockCycle const& cycle : mapped.cycles) EXPECT_EQ(cycle.steps.front().channel.lane, 3);
    }
}

/// A generated network with the tables of a routing.
Fabric routed(std::string const& spec, std::string const& routing, std::uint64_t seed) {
    Topology topology = make_topology(spec);
    Fabric fabric;
    fabric.tables = make_tables(topology, {routing, seed});
    fabric.network = std::move(topology.network);
    fabric.routed = true;
    return fabric;
}

// Dimension order on a torus: cyclic on one lane in every dimension longer than three, free of cycles when a route that
// passes a ring's dateline goes round that ring on a lane of its own: bit d of its service level chooses in dimension
// d.
TEST(Deadlock, TorusByDimensionsIsCyclicAndWithDatelineLanesIsFree) {
    constexpr std::uint32_t size[] = {5, 4, 6};
    Fabric const fabric = routed("torus:5x4x6", "dor", 1);
    Network const& net = fabric.network;
    Forwarding const forwarding(fabric);
    std::vector<Host> const hosts = all_hosts(net);
    EXPECT_FALSE(find_deadlocks_on_one_lane(forwarding, hosts, hosts).free);

    ServiceLevels levels(net);
    for (std::uint32_t s = 0; s < hosts.size(); ++s)
        for (std::uint32_t t = 0; t < hosts.size(); ++t) {
            if (s == t) continue;
            unsigned level = 0;
            for (std::uint32_t d = 0, stride = 1; d < 3; stride *= size[d++]) {
                std::uint32_t const n = size[d], a = s / stride % n, b = t / stride % n;
                bool const up = 2 * ((b + n - a) % n) <= n;  // ties go up
                if (a != b && up == (b < a)) level |= 1u << d;
            }
            levels.add(Host{s}, net[Host{t}].lid, level);
        }
    LaneMaps maps(net);
    for (std::size_t n = hosts.size(); n < net.nodes().size(); ++n)
        for (Port in = 0; in <= net[Node{n}].ports; ++in)
            for (Port out = 1; out <= net[Node{n}].ports; ++out) {
                LaneMap map;  // port 1 is the host's, then come two ports a dimension
                for (unsigned level = 0; level < 8; ++level)
                    map.set(level, out == 1 ? 0 : level >> ((out - 2) / 2) & 1);
                maps.set(Node{n}, in, out, map, {});
            }
    DeadlockReport const report = find_deadlocks(forwarding, {hosts, hosts, &maps, &levels, 0});
    EXPECT_TRUE(report.free);
    EXPECT_EQ(report.lanes, 2u);
    EXPECT_EQ(report.pairs_without_level, 0u);

    levels = ServiceLevels(net);  // the lanes are needed: with all packets on one of them it is cyclic again
    for (Host const s : hosts)
        for (Host const t : hosts)
            if (s != t) levels.add(s, net[t].lid, 0);
    EXPECT_FALSE(find_deadlocks(forwarding, {hosts, hosts, &maps, &levels, 0}).free);
}

// Up*/down* is free of cycles on any graph; shortest routes on the same graphs are not.
TEST(Deadlock, UpDownOnRandomGraphsIsFree) {
    int cyclic = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        std::string const spec = "jellyfish:switches=" + std::to_string(8 + 2 * (seed % 9)) +
                                 ",degree=3,hosts=2,seed=" + std::to_string(seed);
        Fabric const up_down = routed(spec, "updn", seed), shortest = routed(spec, "minhop", seed);
        std::vector<Host> const hosts = all_hosts(up_down.network);
        EXPECT_TRUE(find_deadlocks_on_one_lane(Forwarding(up_down), hosts, hosts).free) << spec;
        bool const is_free = find_deadlocks_on_one_lane(Forwarding(shortest), hosts, hosts).free;
        cyclic += !is_free;
        AllPairsRequest const request{.sources = hosts, .destinations = hosts};
        for (Fabric const* const fabric : {&up_down, &shortest}) {  // the verdict alone
            bool const expected = fabric == &up_down || is_free;
            Forwarding const forwarding(*fabric);
            EXPECT_EQ(is_free_on_one_lane(forwarding, hosts, hosts), expected) << spec;
            TurnSet const turns = count_all_pairs(forwarding, request, {.device = DeviceChoice::cpu}).turns;
            EXPECT_EQ(is_free_on_one_lane(forwarding, turns, hosts, hosts), expected) << spec;
        }
    }
    EXPECT_GT(cyclic, 20);
}

TEST(Deadlock, MissingServiceLevelsAndDropsAreTold) {
    Ring const ring = ring_of(4, true);
    Network const& net = ring.fabric.network;
    Forwarding const forwarding(ring.fabric);
    std::vector<Host> const hosts = all_hosts(net);
    ServiceLevels const none(net);
    LaneMaps maps(net);
    LaneMap drop;
    drop.set(0, dropping_lane);
    maps.set(Node{1}, 2, 1, drop, {});
    DeadlockReport const report = find_deadlocks(forwarding, {hosts, hosts, &maps, &none, 0});
    EXPECT_EQ(report.pairs_without_level, 12u);
    EXPECT_GT(report.turns_without_map, 0u);
    ASSERT_EQ(report.drops.size(), 1u);
    EXPECT_EQ(report.drops[0].node, Node{1});
    EXPECT_EQ(report.drops[0].pairs, 3u);  // 0 -> 2, 0 -> 3, 3 -> 2
    EXPECT_TRUE(report.free);              // nothing gets from 0 past 1, so the ring is cut
    std::vector<Finding> const findings = findings_of(ring.fabric, report);
    ASSERT_EQ(findings.size(), 3u);
    EXPECT_EQ(findings[0].kind, FindingKind::unreachable);
    EXPECT_NE(findings[0].message.find("drops service level 0 from port 2 to port 1"), std::string::npos);
    EXPECT_EQ(findings[1].pairs, 12u);
}

/// Hosts of one switch never wait in a circle, all of a ring do: what is kept apart is told beside the verdict, on one
/// lane and with service levels.
TEST(Deadlock, VerdictWithWhatIsKeptApartIsToldToo) {
    Ring const ring = ring_of(3, true);
    std::vector<Host> const hosts = all_hosts(ring.fabric.network);
    ServiceLevels const none(ring.fabric.network);
    for (ServiceLevels const* const levels : {static_cast<ServiceLevels const*>(nullptr), &none}) {
        Audit audit(ring.fabric);
        audit.request.hosts = {hosts[0]};
        audit.request.apart = {hosts.begin() + 1, hosts.end()};
        audit.request.execution = {.device = DeviceChoice::cpu, .threads = 1};
        audit_routes(audit);
        audit_apart(audit);
        find_faults(audit, Disagreements());
        audit_deadlock(audit, nullptr, levels);
        EXPECT_TRUE(audit.deadlock->free);
        EXPECT_EQ(audit.cyclic_components_with_apart, 1u);
        EXPECT_EQ(audit.deadlock->levels_given, levels != nullptr);
    }
}

TEST(Deadlock, FindingNamesLinksAndAnExample) {
    Ring const ring = ring_of(3, true);
    Forwarding const forwarding(ring.fabric);
    std::vector<Host> const hosts = all_hosts(ring.fabric.network);
    std::vector<Finding> const findings =
        findings_of(ring.fabric, find_deadlocks_on_one_lane(forwarding, hosts, hosts));
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].kind, FindingKind::deadlock);
    EXPECT_EQ(findings[0].where, "switch \"S0\" (0x0000000000000100) port 1");
    EXPECT_EQ(findings[0].message,
              "packets can wait for each other in a circle of 3 links (3 are tied up with it): "
              "switch \"S0\" (0x0000000000000100) port 1 -> switch \"S1\" (0x0000000000000101) port 1 -> "
              "switch \"S2\" (0x0000000000000102) port 1 -> back to the first; for example host \"H3\" "
              "(0x0000000000000103) to LID 6 "
              "takes the first two");
    std::vector<Finding> const unsure =
        findings_of(ring.fabric, find_deadlocks_on_one_lane(forwarding, hosts, hosts), true);
    EXPECT_EQ(unsure.at(0).message,
              findings[0].message + "; judged without service levels of paths (`tailback audit --path-sl`)");
}

/// What level 0 says holds for other levels only where lanes do not depend on the level, or where one lane for all is
/// free as well.
TEST(Deadlock, VerdictAtLevelZeroIsUndecidedWhereOthersMayDiffer) {
    Ring const ring = ring_of(3, true);
    Network const& net = ring.fabric.network;
    // Packets in transit: lane 1 at level 0, which makes routes of two links free, and `other` at level 1.
    auto const verdict = [&](unsigned transit, unsigned other, bool with_maps, bool unknown) {
        LaneMaps maps(net);
        LaneMap enter, pass;
        for (unsigned level = 0; level < 16; ++level) {
            enter.set(level, 0);
            pass.set(level, level == 1 ? other : transit);
        }
        for (std::uint32_t n = 0; n < 3; ++n)
            for (Port in = 0; in <= net[Node{n}].ports; ++in)
                for (Port out = 1; out <= net[Node{n}].ports; ++out)
                    maps.set(Node{n}, in, out, in == 2 ? pass : enter, {});
        Audit audit(ring.fabric);
        audit.request.hosts = all_hosts(net);
        audit.request.levels_are_unknown = unknown;
        audit.request.execution = {.device = DeviceChoice::cpu, .threads = 1};
        audit_routes(audit);
        audit_apart(audit);
        find_faults(audit, Disagreements());
        audit_deadlock(audit, with_maps ? &maps : nullptr, nullptr);
        return std::pair(audit.deadlock->free, audit.deadlock_is_undecided);
    };
    EXPECT_EQ(verdict(1, 0, true, true), std::pair(true, true));      // level 1 may be in use, and is cyclic
    EXPECT_EQ(verdict(0, 1, true, true), std::pair(false, true));     // level 1 may be in use alone, and is free
    EXPECT_EQ(verdict(0, 0, true, true), std::pair(false, false));    // whatever the level
    EXPECT_EQ(verdict(1, 1, true, true), std::pair(true, false));     // likewise
    EXPECT_EQ(verdict(0, 0, false, true), std::pair(false, true));    // the lanes are not known either
    EXPECT_EQ(verdict(0, 0, false, false), std::pair(false, false));  // told that there are no levels
    EXPECT_EQ(verdict(1, 0, true, false), std::pair(true, false));
}

TEST(Deadlock, TreesHaveNoCircle) {
    for (XgftSpec const& spec : {XgftSpec{{4, 4}, {1, 4}}, XgftSpec{{2, 4, 5}, {1, 2, 3}}}) {
        Fabric const fabric = make_xgft(spec);
        Forwarding const forwarding(fabric);
        std::vector<Host> const hosts = all_hosts(fabric.network);
        EXPECT_TRUE(find_deadlocks_on_one_lane(forwarding, hosts, hosts).free);
    }
}

}  // namespace
}  // namespace tailback::deadlock_test
