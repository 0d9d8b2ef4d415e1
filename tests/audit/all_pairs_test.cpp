// All pairs counted against a walk of every pair (host/model/routes/trace): fates, lengths, loads, detours, turns,
// asymmetry. The oracle shares no code with kernels/. Sum of loads = sum of links of all delivered routes.
#include "host/audit/loads/all_pairs.hpp"

#include "host/model/routes/trace.hpp"
#include "kernels/executor.hpp"
#include "tests/support/networks/all_hosts.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <optional>
#include <queue>
#include <set>

namespace tailback::all_pairs_test {
namespace {

/// Links of the shortest way for packets from `source` to `destination`, by breadth-first search over cables: only
/// switches and adapters with tables pass packets on. 0 = there is none.
std::size_t shortest_from(Fabric const& fabric, std::optional<Link> first, Node start, Host destination) {
    Network const& net = fabric.network;
    HostRecord const& to = net[destination];
    std::map<Node, std::size_t> distance;
    std::queue<Node> queue;
    auto const step = [&](Link link, std::size_t links) -> std::size_t {
        LinkRecord const& record = net[link];
        if (record.to == to.node && (net.named() || record.to_port == 0 || record.to_port == to.port)) return links;
        bool const passes = net[record.to].kind == NodeKind::switch_node || fabric.tables.has_table(record.to);
        if (passes && distance.emplace(record.to, links).second) queue.push(record.to);
        return 0;
    };
    if (!first) {
        distance[start] = 0;
        queue.push(start);
    } else if (std::size_t const found = step(*first, 1); found > 0) {
        return found;
    }
    while (!queue.empty()) {
        Node const node = queue.front();
        queue.pop();
        for (std::uint32_t k = 0; k < net.link_count(node); ++k)
            if (std::size_t const found = step(Link{net.first_link(node).value + k}, distance[node] + 1); found > 0)
                return found;
    }
    return 0;
}

std::size_t shortest(Fabric const& fabric, Host source, Host destination) {
    Node const start = fabric.network[source].node;
    bool const forwards = fabric.tables.has_table(start);
    return shortest_from(fabric, forwards ? std::nullopt : std::optional(fabric.network.up_link(source)), start,
                         destination);
}

using Turn = std::tuple<std::uint32_t, Port, Port>;

struct Walked {
    PairCounts pairs;
    std::map<std::size_t, std::uint64_t> hops, excess;
    std::vector<std::uint64_t> load;
    std::map<Link, std::set<Lid>> destinations;
    std::set<Turn> turns;
    std::uint64_t longer = 0, down_then_up = 0;
    std::map<std::uint32_t, std::uint64_t> wrong_turns, detours;
    Asymmetry asymmetry;
};

std::uint8_t direction_of(Forwarding const& forwarding, AllPairsRequest const& request, Link link) {
    LinkRecord const& record = forwarding.fabric().network[link];
    std::uint32_t const row = forwarding.row_of(record.from);
    return row == no_row || request.directions.empty()
               ? 0
               : request.directions[std::size_t{row} * forwarding.ports() + record.from_port];
}

Walked walk(Forwarding const& forwarding, AllPairsRequest const& request) {
    Fabric const& fabric = forwarding.fabric();
    Network const& net = fabric.network;
    Walked w;
    w.load.resize(net.links().size());
    std::map<std::pair<Host, Host>, std::vector<Link>> routes;
    for (Destination const destination : destinations_of(net, request.destinations))
        for (Host const source : request.sources) {
            if (source == destination.host) continue;
            Route const route = trace_from_host(fabric, source, destination.lid);
            ++w.pairs.total;
            if (route.fate == Fate::unreachable) ++w.pairs.unreachable;
            if (route.fate == Fate::loop) ++w.pairs.loop;
            if (route.fate == Fate::misdelivered) ++w.pairs.misdelivered;
            if (route.fate != Fate::delivered) continue;
            ++w.pairs.delivered;
            ++w.hops[route.links.size()];
            if (destination.lid == net[destination.host].lid) routes[{source, destination.host}] = route.links;
            std::size_t const least = shortest(fabric, source, destination.host);
            if (route.links.size() > least) {
                ++w.longer;
                ++w.excess[route.links.size() - least];
            }
            bool went_down = false, wrong = false;
            for (std::size_t i = 0; i < route.links.size(); ++i) {
                Link const link = route.links[i];
                ++w.load[link.value];
                w.destinations[link].insert(destination.lid);
                std::uint32_t const row = forwarding.row_of(net[link].from);
                if (i > 0 && forwarding.row_of(net[route.links[i - 1]].from) != no_row)
                    w.turns.insert({row, net[route.links[i - 1]].to_port, net[link].from_port});
                if (row != no_row && i + 1 < route.links.size() &&
                    shortest_from(fabric, std::nullopt, net[link].to, destination.host) >=
                        shortest_from(fabric, std::nullopt, net[link].from, destination.host))
                    ++w.detours[row];
                std::uint8_t const direction = direction_of(forwarding, request, link);
                wrong |= went_down && direction == 1;
                if (direction == 1 && i > 0 && direction_of(forwarding, request, route.links[i - 1]) == 2)
                    ++w.wrong_turns[row];
                went_down |= direction == 2;
            }
            w.down_then_up += wrong;
        }
    for (auto const& [pair, links] : routes) {
        auto const back = routes.find({pair.second, pair.first});
        if (pair.second < pair.first || back == routes.end()) continue;
        ++w.asymmetry.pairs;
        std::vector<Link> turned;
        for (std::size_t i = back->second.size(); i-- > 0;) turned.push_back(net[back->second[i]].reverse);
        w.asymmetry.differing += turned != links;
    }
    return w;
}

AllPairsRequest everything(Forwarding const& forwarding, Dice& dice) {
    AllPairsRequest request{all_hosts(forwarding.fabric().network), all_hosts(forwarding.fabric().network)};
    request.directions.resize(std::size_t{forwarding.rows()} * forwarding.ports());
    for (auto& direction : request.directions) direction = static_cast<std::uint8_t>(dice(3));
    return request;
}

std::uint64_t at(std::vector<std::uint64_t> const& numbers, std::size_t i) {
    return i < numbers.size() ? numbers[i] : 0;
}

void compare(Fabric const& fabric, std::string const& what, Dice& dice) {
    Network const& net = fabric.network;
    Forwarding const forwarding(fabric);
    AllPairsRequest const request = everything(forwarding, dice);
    Walked const want = walk(forwarding, request);
    AllPairsResult const got = count_all_pairs(forwarding, request, {DeviceChoice::cpu, 1});
    EXPECT_EQ(got.pairs, want.pairs) << what;
    EXPECT_EQ(got.load, want.load) << what;
    EXPECT_EQ(got.longer, want.longer) << what;
    EXPECT_EQ(got.down_then_up, want.down_then_up) << what;
    for (std::size_t i = 0; i < net.links().size(); ++i) {
        bool const used = want.destinations.contains(Link{i});
        EXPECT_EQ(got.destinations[i], used ? want.destinations.at(Link{i}).size() : 0) << what << ", link " << i;
    }
    std::uint64_t links = 0, load = 0;
    for (std::size_t i = 0; i < fabric.network.nodes().size() + 3; ++i) {
        EXPECT_EQ(at(got.hops, i), want.hops.contains(i) ? want.hops.at(i) : 0)
            << what << ", routes of " << i << " links";
        EXPECT_EQ(at(got.excess, i), want.excess.contains(i) ? want.excess.at(i) : 0)
            << what << ", " << i << " too many";
        links += i * at(got.hops, i);
    }
    for (std::uint64_t const l : got.load) load += l;
    EXPECT_EQ(load, links) << what;
    for (std::uint32_t row = 0; row < forwarding.rows(); ++row) {
        EXPECT_EQ(got.wrong_turns[row], want.wrong_turns.contains(row) ? want.wrong_turns.at(row) : 0) << what;
        EXPECT_EQ(got.detours[row], want.detours.contains(row) ? want.detours.at(row) : 0) << what;
        for (Port in = 1; in < forwarding.ports(); ++in)
            for (Port out = 1; out < forwarding.ports(); ++out)
                EXPECT_EQ(got.turns.has(row, in, out), want.turns.contains({row, in, out}))
                    << what << ": " << net.describe(forwarding.node_of(row)) << " from " << in << " to " << out;
    }
    std::vector<Host> const hosts = all_hosts(net);
    EXPECT_EQ(find_asymmetry(forwarding, hosts, 1), want.asymmetry) << what;

    for (unsigned const threads : {2u, 3u})
        EXPECT_EQ(count_all_pairs(forwarding, request, {DeviceChoice::cpu, threads}), got) << what;
    EXPECT_EQ(find_asymmetry(forwarding, hosts, 3), want.asymmetry) << what;
    if (!find_cuda_devices().names.empty()) {
        EXPECT_EQ(count_all_pairs(forwarding, request, {DeviceChoice::cuda, 1}), got) << what;
    }
}

Fabric damaged_tree(Dice& dice, int damages) {
    Fabric fabric = make_xgft({{3, 2, 2}, {1, 2, 3}});
    Network const& net = fabric.network;
    for (int damage = 0; damage < damages; ++damage) {
        Node const node{net.hosts().size() + dice(static_cast<std::uint32_t>(net.switches()))};
        Port const port = dice(net[node].ports + 2);
        fabric.tables.set(node, 1 + dice(static_cast<std::uint32_t>(net.hosts().size())),
                          port == net[node].ports + 1 ? ForwardingTables::no_entry : port);
    }
    return fabric;
}

TEST(AuditSweep, NastyNetworks) {
    Dice dice;
    for (NastyNetwork const& nasty : nasty_networks())
        if (nasty.fabric.network.hosts().size() <= 300) compare(nasty.fabric, nasty.name, dice);
}

TEST(AuditSweep, SoundAndDamagedTrees) {
    Dice dice;
    for (int trial = 0; trial < 40; ++trial)
        compare(damaged_tree(dice, 2 * trial), "trial " + std::to_string(trial), dice);
}

/// D-mod-K on XGFT(2; d, L; 1, d): every link between the levels carries exactly d(L-1) pairs (facts: 120 and 630),
/// every up port has L-1 destinations beside the leaf's own, every down port 1... per host; nothing is longer than need
/// be.
TEST(AuditSweep, ExactLoadsOfTwoLevelTrees) {
    for (auto const& [d, leaves, load] : {std::tuple{8u, 16u, 120u}, std::tuple{18u, 36u, 630u}}) {
        Fabric const fabric = make_xgft({{d, leaves}, {1, d}});
        Network const& net = fabric.network;
        Forwarding const forwarding(fabric);
        AllPairsResult const result =
            count_all_pairs(forwarding, {all_hosts(net), all_hosts(net)}, {DeviceChoice::cpu, 1});
        for (std::size_t i = 0; i < net.links().size(); ++i) {
            LinkRecord const& link = net[Link{i}];
            bool const host_link =
                net[link.from].kind != NodeKind::switch_node || net[link.to].kind != NodeKind::switch_node;
            EXPECT_EQ(result.load[i], host_link ? net.hosts().size() - 1 : load);
        }
        std::uint64_t const hosts = net.hosts().size();
        EXPECT_EQ(result.hops, (std::vector<std::uint64_t>{0, 0, hosts * (d - 1), 0, hosts * (hosts - d)}));
        EXPECT_EQ(result.longer, 0u);
    }
}

/// Ways of more than 254 links: on a line of n switches 2 (n - k) pairs are k switch links apart, none by a longer way;
/// one entry that sends a packet back makes it loop, and the hosts behind it with it.
TEST(AuditSweep, LongWays) {
    constexpr std::uint32_t n = 300;
    Topology topology = make_topology("mesh:300");
    Fabric fabric;
    fabric.tables = make_tables(topology, {"dor", 1});
    fabric.network = std::move(topology.network);
    fabric.routed = true;
    Forwarding const forwarding(fabric);
    AllPairsRequest const request{all_hosts(fabric.network), all_hosts(fabric.network)};
    AllPairsResult const result = count_all_pairs(forwarding, request, {DeviceChoice::cpu, 2});
    EXPECT_EQ(result.longer, 0u);
    ASSERT_EQ(result.hops.size(), n + 2);
    for (std::uint32_t k = 1; k < n; ++k) EXPECT_EQ(result.hops[k + 2], 2 * (n - k));
    EXPECT_EQ(result.pairs.delivered, n * (n - 1));

    topology = make_topology("ring:n=600");  // 300 links half way round; one way round 599 at most
    fabric.tables = make_tables(topology, {"dor", 1});
    fabric.network = std::move(topology.network);
    for (std::uint32_t s = 1; s < 600;
         ++s)  // all towards host 0 in one direction: 600 - s links instead of min(s, 600 - s)
        fabric.tables.set(Node{600 + s}, 1, fabric.tables.port(Node{600 + 599}, 1));
    Forwarding const one_way(fabric);
    AllPairsRequest const to_first{all_hosts(fabric.network), {Host{0}}};
    AllPairsResult const detoured = count_all_pairs(one_way, to_first, {DeviceChoice::cpu, 2});
    EXPECT_EQ(detoured.longer, 299u);
    for (std::uint32_t s = 1; s < 300; ++s) EXPECT_EQ(detoured.excess[600 - 2 * s], 1u) << s;
}

TEST(Cuda, AuditSweepEqualsTheCpus) {
    CudaDevices const devices = find_cuda_devices();
    if (devices.names.empty()) {
        if (std::getenv("TAILBACK_REQUIRE_GPU")) FAIL() << devices.reason;
        GTEST_SKIP() << devices.reason;
    }
    Fabric const fabric = make_xgft({{18, 6, 6}, {1, 18, 6}});
    Forwarding const forwarding(fabric);
    AllPairsRequest const request{all_hosts(fabric.network), all_hosts(fabric.network)};
    EXPECT_EQ(count_all_pairs(forwarding, request, {DeviceChoice::cuda, 1}),
              count_all_pairs(forwarding, request, {DeviceChoice::cpu, 1}));
}

}  // namespace
}  // namespace tailback::all_pairs_test
