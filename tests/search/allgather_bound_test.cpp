// The bound of an allgather against published values and against all cuts of small random graphs.
#include "host/search/bounds/allgather_bound.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace tailback::allgather_bound_test {
namespace {

void both_ways(CapacityGraph& graph, std::uint32_t a, std::uint32_t b, std::uint64_t capacity) {
    graph.edges.push_back({a, b, capacity});
    graph.edges.push_back({b, a, capacity});
}
std::pair<std::uint64_t, std::uint64_t> bandwidth_each(CapacityGraph const& graph) {
    std::optional<AllgatherBound> const bound = bound_allgather(graph);
    return bound ? std::pair(bound->bandwidth, bound->endpoints) : std::pair<std::uint64_t, std::uint64_t>();
}

/// Boxes of 8 with 300 GB/s each to a switch of the box and 25 GB/s each to a switch of all. (Zhao et al. 2024)
TEST(AllgatherBound, IsThePublishedOneOfBoxesOfEight) {
    auto const boxes = [](std::uint32_t count) {
        CapacityGraph graph;
        graph.endpoints.assign(count * 9 + 1, 0);
        for (std::uint32_t b = 0; b < count; ++b)
            for (std::uint32_t i = 0; i < 8; ++i) {
                graph.endpoints[b * 8 + i] = 1;
                both_ways(graph, b * 8 + i, count * 8 + b, 300);
                both_ways(graph, b * 8 + i, count * 9, 25);
            }
        return graph;
    };
    EXPECT_EQ(bandwidth_each(boxes(2)), (std::pair<std::uint64_t, std::uint64_t>{65, 3}));  // 16 of it: 346.67 GB/s
    EXPECT_EQ(bandwidth_each(boxes(4)), (std::pair<std::uint64_t, std::uint64_t>{25, 3}));  // 32 of it: 266.67 GB/s
}

/// One link up costs an allgather nothing.
TEST(AllgatherBound, OfFourLeavesIsThatOfTheHostsLinks) {
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

TEST(AllgatherBound, OfOneSwitchAndOfABottleneck) {
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

/// Every set of vertices that lacks an endpoint.
TEST(AllgatherBound, IsTheLeastOfAllCutsOfRandomGraphs) {
    std::mt19937 random(7);
    for (int round = 0; round < 400; ++round) {
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
        }
        std::uint64_t best_out = 0, best_in = 0;
        for (std::uint32_t set = 1; set < 1u << n; ++set) {
            std::uint64_t out = 0, in = 0;
            bool lacks = false;
            for (std::uint32_t v = 0; v < n; ++v)
                if ((set >> v & 1) != 0) in += graph.endpoints[v];
                else lacks |= graph.endpoints[v] > 0;
            if (!lacks || in == 0) continue;
            for (auto const& [from, to, capacity] : graph.edges)
                if ((set >> from & 1) != 0 && (set >> to & 1) == 0) out += capacity;
            if (best_in == 0 || out * best_in < best_out * in) best_out = out, best_in = in;
        }
        std::uint64_t const common = std::gcd(best_out, best_in);
        if (best_out == 0) EXPECT_FALSE(bound_allgather(graph));
        else EXPECT_EQ(bandwidth_each(graph), std::pair(best_out / common, best_in / common));
    }
}

}  // namespace
}  // namespace tailback::allgather_bound_test
