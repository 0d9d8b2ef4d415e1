// Worst permutation: for every link the size of the maximum matching of {(s, d) : the route s -> d uses the link, s !=
// d}, found here by walking all pairs and Kuhn's algorithm on hosts, and the permutation that reaches it.
#include "host/audit/worst_case/worst_permutation.hpp"

#include "host/audit/worst_case/replay.hpp"
#include "host/evaluation/evaluation.hpp"
#include "host/model/routes/trace.hpp"
#include "patterns/families.hpp"
#include "tests/support/networks/all_hosts.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/networks/torus.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tailback::worst_permutation_test {
namespace {

/// Kuhn's algorithm: `to[s]` are the destinations that source s may take.
std::uint32_t largest_matching(std::vector<std::vector<std::uint32_t>> const& to, std::size_t hosts) {
    std::vector<std::uint32_t> source_of(hosts, UINT32_MAX);
    std::vector<bool> met(hosts);
    std::function<bool(std::uint32_t)> const place = [&](std::uint32_t s) {
        for (std::uint32_t const d : to[s]) {
            if (met[d]) continue;
            met[d] = true;
            if (source_of[d] == UINT32_MAX || place(source_of[d])) {
                source_of[d] = s;
                return true;
            }
        }
        return false;
    };
    std::uint32_t size = 0;
    for (std::uint32_t s = 0; s < hosts; ++s) {
        met.assign(hosts, false);
        size += place(s);
    }
    return size;
}

struct Walked {
    std::vector<std::uint32_t> exact, bound;  // by link
};
Walked walk_all(Fabric const& fabric, std::vector<Host> const& sources, std::vector<Host> const& destinations) {
    Network const& net = fabric.network;
    std::size_t const hosts = net.hosts().size();
    std::vector<std::vector<std::vector<std::uint32_t>>> to(net.links().size(),
                                                            std::vector<std::vector<std::uint32_t>>(hosts));
    for (Host const s : sources)
        for (Host const d : destinations) {
            if (s == d || net[d].lid == 0 || net.owner(net[d].lid).host != d) continue;
            Route const route = trace_from_host(fabric, s, net[d].lid);
            if (route.fate != Fate::delivered) continue;
            for (Link const link : route.links) to[link.value][s.value].push_back(d.value);
        }
    Walked walked;
    for (auto const& pairs : to) {
        walked.exact.push_back(largest_matching(pairs, hosts));
        std::set<std::uint32_t> met;
        std::uint32_t senders = 0;
        for (auto const& list : pairs) {
            senders += !list.empty();
            met.insert(list.begin(), list.end());
        }
        walked.bound.push_back(std::min(senders, static_cast<std::uint32_t>(met.size())));
    }
    return walked;
}

/// Each source once, each destination once, none to itself, all over the link.
void expect_permutation(Fabric const& fabric, std::vector<HostPair> const& pairs, Link link, std::size_t size,
                        std::string const& what) {
    ASSERT_EQ(pairs.size(), size) << what;
    std::set<Host> sources, destinations;
    for (HostPair const& pair : pairs) {
        EXPECT_TRUE(sources.insert(pair.source).second) << what;
        EXPECT_TRUE(destinations.insert(pair.destination).second) << what;
        EXPECT_NE(pair.source, pair.destination) << what;
        Route const route = trace_from_host(fabric, pair.source, fabric.network[pair.destination].lid);
        EXPECT_EQ(route.fate, Fate::delivered) << what;
        EXPECT_NE(std::find(route.links.begin(), route.links.end(), link), route.links.end()) << what;
    }
}

void expect_walked(Fabric const& fabric, WorstCaseRequest request, std::string const& what) {
    Walked const walked = walk_all(fabric, request.sources, request.destinations);
    Forwarding const forwarding(fabric);
    request.kind = WorstCaseKind::exact;
    std::vector<std::uint32_t> const exact = worst_permutation_loads(forwarding, request);
    EXPECT_EQ(exact, walked.exact) << what;
    // One in so many of large networks: each is a run of its own.
    for (std::size_t l = 0; l < exact.size(); l += 1 + exact.size() / 40)
        expect_permutation(fabric, worst_permutation(forwarding, request, Link{l}), Link{l}, exact[l],
                           what + ", link " + std::to_string(l));
    request.kind = WorstCaseKind::bound;
    std::vector<std::uint32_t> const bound = worst_permutation_loads(forwarding, request);
    for (std::size_t l = 0; l < exact.size(); ++l) {
        EXPECT_GE(bound[l], walked.exact[l]) << what;
        EXPECT_EQ(bound[l], walked.bound[l]) << what << ", link " << l;
    }
}

TEST(WorstPermutation, NastyNetworks) {
    for (NastyNetwork const& nasty : nasty_networks()) {
        std::vector<Host> const hosts = all_hosts(nasty.fabric.network);
        expect_walked(nasty.fabric, {.sources = hosts, .destinations = hosts, .threads = 2, .words_at_once = 40},
                      nasty.name);
    }
}

/// Damaged tables make links that unlike hosts share; some hosts only send, some only receive.
TEST(WorstPermutation, SoundAndDamagedTrees) {
    Dice dice;
    for (int trial = 0; trial < 60; ++trial) {
        Fabric fabric = trial % 2 == 0 ? make_xgft({{3, 2, 2}, {1, 2, 3}}) : make_xgft({{1, 4, 3}, {1, 2, 2}});
        Network const& net = fabric.network;
        for (int damage = 0; damage < 4 * trial; ++damage) {
            Node const node{net.hosts().size() + dice(static_cast<std::uint32_t>(net.switches()))};
            Port const port = dice(net[node].ports + 2);
            fabric.tables.set(node, 1 + dice(static_cast<std::uint32_t>(net.hosts().size())),
                              port == net[node].ports + 1 ? ForwardingTables::no_entry : port);
        }
        WorstCaseRequest request{.threads = 1 + unsigned(trial) % 3};
        for (Host const host : all_hosts(net)) {
            if (trial < 30 || dice(4) > 0) request.sources.push_back(host);
            if (trial < 30 || dice(4) > 0) request.destinations.push_back(host);
        }
        expect_walked(fabric, request, "trial " + std::to_string(trial));
    }
}

/// Routes at random over a torus: augmenting is needed.
TEST(WorstPermutation, RandomShortestRoutes) {
    Dice dice;
    for (int trial = 0; trial < 12; ++trial) {
        Fabric fabric = make_test_torus(5, 2);
        for (std::size_t n = 0; n < fabric.network.nodes().size(); ++n) {
            Node const node{n};
            if (!fabric.tables.has_table(node)) continue;
            for (Lid lid = 1; lid <= fabric.network.hosts().size(); ++lid)
                if (fabric.network.owner(lid).node != node && dice(2) == 0) fabric.tables.set(node, lid, 1 + dice(6));
        }
        std::vector<Host> const hosts = all_hosts(fabric.network);
        expect_walked(fabric, {.sources = hosts, .destinations = hosts}, "trial " + std::to_string(trial));
    }
}

/// XGFT(2; d, L; 1, d) with D-mod-K: d on every link up from a leaf, 1 on every link down and on those of hosts.
TEST(WorstPermutation, TwoLevelTrees) {
    for (auto const& [d, leaves] : {std::pair{8u, 16u}, std::pair{18u, 36u}}) {
        Fabric const fabric = make_xgft({{d, leaves}, {1, d}});
        Network const& net = fabric.network;
        std::vector<Host> const hosts = all_hosts(net);
        std::vector<std::uint32_t> const loads =
            worst_permutation_loads(Forwarding(fabric), {.sources = hosts, .destinations = hosts});
        std::size_t up = 0;
        for (std::size_t l = 0; l < loads.size(); ++l) {
            LinkRecord const& link = net[Link{l}];
            bool const is_up = net[link.from].kind == NodeKind::switch_node && link.to > link.from &&
                               net[link.to].kind == NodeKind::switch_node;
            up += is_up;
            ASSERT_EQ(loads[l], is_up ? d : 1u);
        }
        EXPECT_EQ(up, d * leaves);
    }
}

/// 8-ary 2-cube, dimension order, ties to +: worst channel load 4.0 in units of its mean under uniform traffic, which
/// is 1 flow (Towles and Dally: throughput 0.25 of capacity).
TEST(WorstPermutation, Torus) {
    Fabric const fabric = make_test_torus(8, 1);
    std::vector<Host> const hosts = all_hosts(fabric.network);
    std::vector<std::uint32_t> const loads =
        worst_permutation_loads(Forwarding(fabric), {.sources = hosts, .destinations = hosts});
    EXPECT_EQ(*std::max_element(loads.begin(), loads.end()), 4u);
}

/// Largest load between switches of one level of flows on the 8-ary 2-cube, by a study of listed flows.
std::uint64_t load_on_torus(std::function<std::uint32_t(std::uint32_t x, std::uint32_t y)> const& destination) {
    static Fabric const fabric = make_test_torus(8, 1);
    Study study;
    study.traffic.pattern = listed_pattern;
    FlowListWriter flows(64);
    flows.begin_level();
    for (std::uint32_t s = 0; s < 64; ++s) flows.flow(s, destination(s % 8, s / 8));
    study.traffic.listed_flows = flows.take();
    study.placement.subset = SubsetKind::listed;
    study.placement.subset_hosts = all_hosts(fabric.network);
    study.placement.mapping = MappingKind::identity;
    study.sample.mappings = 1;
    study.measures.metrics = {Metric::get_cable_cong};
    return evaluate(make_plan(fabric, study), {.device = DeviceChoice::cpu, .threads = 1}).largest_link_sum;
}

/// 8-ary 2-cube, dimension order: tornado 3, bit complement 2, neighbour 1 (Towles and Dally's table).
TEST(WorstPermutation, KnownPatternsOnTheTorus) {
    EXPECT_EQ(load_on_torus([](auto x, auto y) { return (x + 3) % 8 + 8 * y; }), 3u);
    EXPECT_EQ(load_on_torus([](auto x, auto y) { return (x + 3) % 8 + 8 * ((y + 3) % 8); }), 3u);
    EXPECT_EQ(load_on_torus([](auto x, auto y) { return 7 - x + 8 * (7 - y); }), 2u);
    EXPECT_EQ(load_on_torus([](auto x, auto y) { return (x + 1) % 8 + 8 * y; }), 1u);
}

/// What `evaluate` is given to replay a worst permutation has the load that was claimed, for every link.
TEST(WorstPermutation, ReplayReachesTheLoad) {
    Dice dice;
    for (int trial = 0; trial < 6; ++trial) {
        Fabric fabric = trial % 2 == 0 ? make_test_torus(4, 1) : make_xgft({{3, 2, 2}, {1, 2, 3}});
        for (int damage = 0; damage < 10 * trial; ++damage) {
            Node const node{fabric.network.hosts().size() +
                            dice(static_cast<std::uint32_t>(fabric.network.switches()))};
            fabric.tables.set(node, 1 + dice(static_cast<std::uint32_t>(fabric.network.hosts().size())),
                              dice(fabric.network[node].ports + 1));
        }
        std::vector<Host> const hosts = all_hosts(fabric.network);
        Forwarding const forwarding(fabric);
        WorstCaseRequest const request{.sources = hosts, .destinations = hosts};
        std::vector<std::uint32_t> const loads = worst_permutation_loads(forwarding, request);
        for (std::size_t l = 0; l < loads.size(); ++l) {
            if (loads[l] == 0) continue;
            Replay const replay = replay_of(worst_permutation(forwarding, request, Link{l}));
            Study study;
            study.placement.mapping = MappingKind::listed;
            study.placement.mapping_hosts = replay.hosts;
            study.placement.ranks = static_cast<std::uint32_t>(replay.hosts.size());
            study.sample.mappings = 1;
            study.measures.metrics = {Metric::get_cable_cong};
            if (replay.flows) {
                study.traffic.pattern = listed_pattern;
                study.traffic.listed_flows = *replay.flows;
            }
            Evaluation const result = evaluate(make_plan(fabric, study), {.device = DeviceChoice::cpu, .threads = 1});
            EXPECT_EQ(result.delivered, loads[l]);
            EXPECT_EQ(result.links[l].sum, loads[l]);
        }
    }
}

TEST(WorstPermutation, ThreadsAndBatchesChangeNothing) {
    Fabric const fabric = make_xgft({{6, 6, 5}, {1, 3, 4}});
    Forwarding const forwarding(fabric);
    std::vector<Host> const hosts = all_hosts(fabric.network);
    WorstCaseRequest request{.sources = hosts, .destinations = hosts, .threads = 1};
    std::vector<std::uint32_t> const loads = worst_permutation_loads(forwarding, request);
    Link const worst = worst_link(loads);
    std::vector<HostPair> const pairs = worst_permutation(forwarding, request, worst);
    for (unsigned const threads : {2u, 3u, 7u})
        for (std::size_t const words : {std::size_t{1}, std::size_t{5000}}) {
            request.threads = threads;
            request.words_at_once = words;
            EXPECT_EQ(worst_permutation_loads(forwarding, request), loads);
            EXPECT_EQ(worst_permutation(forwarding, request, worst), pairs);
        }
}

TEST(WorstPermutation, TellsBeforehandAndInBetween) {
    Fabric const fabric = make_xgft({{4, 4}, {1, 4}});
    std::vector<Host> const hosts = all_hosts(fabric.network);
    std::uint64_t all = 0, last = 0;
    WorstCaseRequest request{.sources = hosts, .destinations = hosts, .words_at_once = 30};
    request.on_start = [&](std::uint64_t entries) { all = entries; };
    request.progress = [&](std::uint64_t done) {
        EXPECT_GT(done, last);
        last = done;
    };
    worst_permutation_loads(Forwarding(fabric), request);
    EXPECT_EQ(all, last);
    EXPECT_EQ(all, 16u * 3 * 2);  // 16 links up, each for 3 destinations from one row, a word for either
}

TEST(WorstPermutation, WorstLink) {
    EXPECT_EQ(worst_link(std::vector<std::uint32_t>{1, 3, 3, 2}), Link{1});
    EXPECT_FALSE(worst_link(std::vector<std::uint32_t>{0, 0}).exists());
    EXPECT_FALSE(worst_link({}).exists());
}

}  // namespace
}  // namespace tailback::worst_permutation_test
