// Bounds of an allgather, a broadcast and a gather against published values, closed forms and all cuts of small random
// graphs.
#include "host/search/bounds/cut_bound.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace tailback::cut_bound_test {
namespace {

void both_ways(CapacityGraph& graph, std::uint32_t a, std::uint32_t b, std::uint64_t capacity) {
    graph.edges.push_back({a, b, capacity});
    graph.edges.push_back({b, a, capacity});
}
std::pair<std::uint64_t, std::uint64_t> bandwidth_each(CapacityGraph const& graph) {
    std::optional<CutBound> const bound = bound_allgather(graph);
    return bound ? std::pair(bound->bandwidth, bound->parts) : std::pair<std::uint64_t, std::uint64_t>();
}

/// Boxes of 8 with 300 GB/s each to a switch of the box and 25 GB/s each to a switch of all. (Zhao et al. 2024)
CapacityGraph boxes(std::uint32_t count) {
    CapacityGraph graph;
    graph.endpoints.assign(count * 9 + 1, 0);
    for (std::uint32_t b = 0; b < count; ++b)
        for (std::uint32_t i = 0; i < 8; ++i) {
            graph.endpoints[b * 8 + i] = 1;
            both_ways(graph, b * 8 + i, count * 8 + b, 300);
            both_ways(graph, b * 8 + i, count * 9, 25);
        }
    return graph;
}

TEST(CutBound, IsThePublishedOneOfBoxesOfEight) {
    EXPECT_EQ(bandwidth_each(boxes(2)), (std::pair<std::uint64_t, std::uint64_t>{65, 3}));  // 16 of it: 346.67 GB/s
    EXPECT_EQ(bandwidth_each(boxes(4)), (std::pair<std::uint64_t, std::uint64_t>{25, 3}));  // 32 of it: 266.67 GB/s
}

/// One link up costs an allgather nothing.
TEST(CutBound, OfFourLeavesIsThatOfTheHostsLinks) {
    for (std::uint32_t const up : {4u, 2u, 1u}) {
        CapacityGraph graph;
        graph.endpoints.assign(16 + 4 + up, 0);
        for (std::uint32_t h = 0; h < 16; ++h) {
            graph.endpoints[h] = 1;
            both_ways(graph, h, 16 + h / 4, 1);
        }
        for (std::uint32_t leaf = 0; leaf < 4; ++leaf)
            for (std::uint32_t spine = 0; spine < up; ++spine) both_ways(graph, 16 + leaf, 20 + spine, 1);
        EXPECT_EQ(bandwidth_each(graph), (std::pair<std::uint64_t, std::uint64_t>{1, 15}));
    }
}

TEST(CutBound, OfOneSwitchAndOfABottleneck) {
    CapacityGraph graph;
    graph.endpoints = {3, 2, 0, 0};  // ranks of two nodes, on a switch each
    both_ways(graph, 0, 2, 100);
    both_ways(graph, 1, 3, 100);
    both_ways(graph, 2, 3, 7);
    EXPECT_EQ(bandwidth_each(graph), (std::pair<std::uint64_t, std::uint64_t>{7, 3}));
    graph.edges.pop_back();  // nothing comes back
    EXPECT_FALSE(bound_allgather(graph));
    EXPECT_FALSE(bound_allgather({{}, {5}}));
    EXPECT_FALSE(bound_allgather({{}, {}}));
    graph.endpoints = {3, 2, 0, 0};
    both_ways(graph, 2, 3, std::uint64_t{1} << 62);
    EXPECT_FALSE(bound_allgather(graph));  // too large for whole numbers
}

std::pair<std::uint64_t, std::uint64_t> ratio(std::optional<CutBound> const& bound) {
    return bound ? std::pair(bound->bandwidth, bound->parts) : std::pair<std::uint64_t, std::uint64_t>();
}
using Ratio = std::pair<std::uint64_t, std::uint64_t>;

TEST(CutBound, OfBroadcastsAndGathersByClosedForms) {
    EXPECT_EQ(ratio(bound_broadcast(boxes(2), 3)), Ratio(200, 1));         // out of a box go 8 x 25
    EXPECT_EQ(ratio(bound_gather(boxes(2), 3)), Ratio(65, 3));             // 15 parts by 325
    EXPECT_EQ(ratio(bound_gather(boxes(4), std::nullopt)), Ratio(25, 3));  // 24 parts of other boxes by 200
    for (std::uint32_t const n : {2u, 5u, 40u}) {
        CapacityGraph star, ring;
        star.endpoints.assign(n + 1, 1), star.endpoints[n] = 0;
        ring.endpoints.assign(n, 1);
        for (std::uint32_t h = 0; h < n; ++h) {
            both_ways(star, h, n, 7);
            both_ways(ring, h, (h + 1) % n, 3);
        }
        for (std::optional<std::uint32_t> const root : {std::optional<std::uint32_t>{}, {n - 1}}) {
            EXPECT_EQ(ratio(bound_broadcast(star, root)), Ratio(7, 1));
            EXPECT_EQ(ratio(bound_gather(star, root)), Ratio(7 / std::gcd(7u, n - 1), (n - 1) / std::gcd(7u, n - 1)));
            EXPECT_EQ(ratio(bound_broadcast(ring, root)), Ratio(6, 1));  // two ways into each
            EXPECT_EQ(ratio(bound_gather(ring, root)), Ratio(6 / std::gcd(6u, n - 1), (n - 1) / std::gcd(6u, n - 1)));
        }
    }
    CapacityGraph cube;  // of 6 dimensions
    cube.endpoints.assign(64, 1);
    for (std::uint32_t v = 0; v < 64; ++v)
        for (std::uint32_t d = 0; d < 6; ++d) cube.edges.push_back({v, v ^ 1u << d, 1});
    EXPECT_EQ(ratio(bound_broadcast(cube, 5)), Ratio(6, 1));
    EXPECT_EQ(ratio(bound_gather(cube, 5)), Ratio(2, 21));  // 63 by 6
    EXPECT_EQ(ratio(bound_allgather(cube)), Ratio(2, 21));
    EXPECT_FALSE(bound_broadcast(cube, 5, 64 * 384));  // too much work
    cube.edges.resize(6);
    EXPECT_FALSE(bound_broadcast(cube, 0));
    EXPECT_FALSE(bound_gather(cube, std::nullopt));
    EXPECT_FALSE(bound_broadcast({{}, {4}}, 0));
}

/// By all sets of vertices. They have what `gives` says of each, and lack somebody who gets it.
Ratio least_of_all_cuts(CapacityGraph const& graph, std::vector<std::uint64_t> const& gives,
                        std::vector<char> const& gets) {
    auto const n = static_cast<std::uint32_t>(graph.endpoints.size());
    std::uint64_t best_out = 0, best_in = 0;
    for (std::uint32_t set = 1; set < 1u << n; ++set) {
        std::uint64_t out = 0, in = 0;
        bool lacks = false;
        for (std::uint32_t v = 0; v < n; ++v)
            if ((set >> v & 1) != 0) in += gives[v];
            else lacks |= gets[v] != 0;
        if (!lacks || in == 0) continue;
        for (auto const& [from, to, capacity] : graph.edges)
            if ((set >> from & 1) != 0 && (set >> to & 1) == 0) out += capacity;
        if (best_in == 0 || out * best_in < best_out * in) best_out = out, best_in = in;
    }
    if (best_out == 0) return {};
    std::uint64_t const common = std::gcd(best_out, best_in);
    return {best_out / common, best_in / common};
}

TEST(CutBound, IsTheLeastOfAllCutsOfRandomGraphs) {
    std::mt19937 random(7);
    for (int round = 0; round < 600; ++round) {
        SCOPED_TRACE(round);
        std::uint32_t const hosts = 2 + random() % 5, switches = random() % 5, n = hosts + switches;
        CapacityGraph graph;
        graph.endpoints.assign(n, 0);
        for (std::uint32_t h = 0; h < hosts; ++h) graph.endpoints[h] = round % 3 == 0 ? 1 + random() % 3 : 1;
        std::uint32_t const edges = n + random() % (3 * n);
        for (std::uint32_t e = 0; e < edges; ++e) {
            std::uint32_t const a = random() % n, b = random() % n, capacity = 1 + random() % 9;
            if (round % 2 == 0) both_ways(graph, a, b, capacity);
            else graph.edges.push_back({a, b, capacity});
        }
        if (switches > 0 && round % 4 == 0) {  // hosts that are alike
            graph.edges.clear();
            for (std::uint32_t h = 0; h < hosts; ++h) both_ways(graph, h, hosts + h % 2 % switches, 3);
            for (std::uint32_t s = 1; s < switches; ++s)
                both_ways(graph, hosts + s, hosts + random() % s, 1 + random() % 5);
            if (round % 8 == 0) graph.edges.push_back({hosts, hosts + switches - 1, 1});  // one way alone
        }
        EXPECT_EQ(is_same_both_ways(graph), round % 2 == 0 && (round % 8 != 0 || switches < 2));
        std::vector<std::uint64_t> parts(n);
        std::vector<char> is_host(n);
        for (std::uint32_t v = 0; v < n; ++v) parts[v] = graph.endpoints[v], is_host[v] = parts[v] > 0;
        EXPECT_EQ(bandwidth_each(graph), least_of_all_cuts(graph, parts, is_host));
        Ratio broadcast{}, gather{};
        auto const take_better = [](Ratio& best, Ratio const& one) {
            if (one.first > 0 && (best.first == 0 || one.first * best.second > best.first * one.second)) best = one;
        };
        for (std::uint32_t root = 0; root < hosts; ++root) {
            std::vector<std::uint64_t> of_root(n);
            std::vector<char> others = is_host, alone(n);
            of_root[root] = 1, others[root] = 0, alone[root] = 1;
            Ratio const from = least_of_all_cuts(graph, of_root, others);
            Ratio const to = least_of_all_cuts(graph, parts, alone);
            EXPECT_EQ(ratio(bound_broadcast(graph, root)), from);
            EXPECT_EQ(ratio(bound_gather(graph, root)), to);
            take_better(broadcast, from);
            take_better(gather, to);
        }
        EXPECT_EQ(ratio(bound_broadcast(graph, std::nullopt)), broadcast);
        EXPECT_EQ(ratio(bound_gather(graph, std::nullopt)), gather);
    }
}

}  // namespace
}  // namespace tailback::cut_bound_test
