// The bound of an all-to-all against closed forms, and against the cuts of trees, where it is one of these.
#include "host/search/bounds/exchange_bound.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace tailback::exchange_bound_test {
namespace {

struct Cabled {
    CapacityGraph graph;
    std::uint32_t add(std::uint64_t endpoints) {
        graph.endpoints.push_back(endpoints);
        return static_cast<std::uint32_t>(graph.endpoints.size() - 1);
    }
    void both_ways(std::uint32_t a, std::uint32_t b, std::uint64_t capacity) {
        graph.edges.push_back({a, b, capacity});
        graph.edges.push_back({b, a, capacity});
    }
};

void expect_time(Cabled const& cabled, std::uint64_t p, std::uint64_t q) {
    std::optional<ExchangeBound> const bound = bound_exchange(cabled.graph);
    ASSERT_TRUE(bound);
    EXPECT_NEAR(bound->time.value(), double(p) / double(q), 1e-9 * double(p) / double(q));
    EXPECT_LE(bound->gap, 0.0005 + 1e-9);
}

TEST(ExchangeBound, OfAStarIsThatOfItsLinks) {
    for (std::uint32_t const n : {2u, 3u, 17u})
        for (std::uint64_t const ranks : {1u, 3u}) {
            Cabled star;
            std::uint32_t const hub = star.add(0);
            for (std::uint32_t h = 0; h < n; ++h) star.both_ways(star.add(ranks), hub, 5);
            expect_time(star, ranks * ranks * (n - 1), 5);
        }
}

/// Four leaves of four hosts: what goes up a leaf, 4 x 12 flows by its links, or a host's 15.
TEST(ExchangeBound, OfLeavesIsThatOfTheirLinksUp) {
    for (std::uint32_t const up : {1u, 2u, 3u, 4u, 7u}) {
        Cabled tree;
        std::vector<std::uint32_t> spines;
        for (std::uint32_t s = 0; s < up; ++s) spines.push_back(tree.add(0));
        for (std::uint32_t l = 0; l < 4; ++l) {
            std::uint32_t const leaf = tree.add(0);
            for (std::uint32_t const spine : spines) tree.both_ways(leaf, spine, 1);
            for (std::uint32_t h = 0; h < 4; ++h) tree.both_ways(tree.add(1), leaf, 1);
        }
        if (48 / up >= 15) expect_time(tree, 48, up);
        else expect_time(tree, 15, 1);
    }
}

/// All distances of all pairs over all links: n^2 / 8 of a ring of n, k^3 / 8 of a torus of k x k (even ones).
TEST(ExchangeBound, OfRingsAndToriIsThatOfDistances) {
    for (std::uint32_t const n : {9u, 12u, 16u}) {
        Cabled ring;
        for (std::uint32_t s = 0; s < n; ++s) ring.add(0);
        for (std::uint32_t s = 0; s < n; ++s) {
            ring.both_ways(s, (s + 1) % n, 1);
            ring.both_ways(ring.add(1), s, 1000);
        }
        expect_time(ring, n * n - n % 2, 8);
    }
    std::uint32_t const k = 6;
    Cabled torus;
    for (std::uint32_t s = 0; s < k * k; ++s) torus.add(0);
    for (std::uint32_t s = 0; s < k * k; ++s) {
        torus.both_ways(s, s / k * k + (s + 1) % k, 1);
        torus.both_ways(s, (s + k) % (k * k), 1);
        torus.both_ways(torus.add(1), s, 1000);
    }
    expect_time(torus, k * k * k, 8);
}

/// Nodes of two adapters, one on each of two switches that are not cabled to each other: both carry half. With a third
/// node on the first switch alone, the others take no way for it but that.
TEST(ExchangeBound, NodesHaveAllTheirAdapters) {
    Cabled rails;
    std::uint32_t const one = rails.add(0), other = rails.add(0);
    for (std::uint32_t n = 0; n < 4; ++n) {
        std::uint32_t const node = rails.add(2);
        rails.both_ways(node, one, 1);
        rails.both_ways(node, other, 1);
    }
    expect_time(rails, 2 * 6, 2);
    rails.both_ways(rails.add(2), one, 1);
    expect_time(rails, 2 * 8, 1);
    // One that can be reached by way of another node alone: that passes it on.
    std::uint32_t const far = rails.add(0);
    rails.both_ways(4, far, 1);
    rails.both_ways(rails.add(1), far, 1);
    expect_time(rails, 2 * 9, 1);
}

/// Ways are one: the cut of a cable decides. Every cut is looked at here.
TEST(ExchangeBound, OfTreesIsTheWorstCable) {
    std::mt19937 random(11);
    for (int round = 0; round < 200; ++round) {
        SCOPED_TRACE(round);
        std::uint32_t const n = 3 + random() % 9;
        Cabled tree;
        std::vector<std::uint32_t> parent(n), capacity(n);
        for (std::uint32_t v = 0; v < n; ++v) {
            tree.add(random() % 3);
            if (v == 0) continue;
            parent[v] = random() % v, capacity[v] = 1 + random() % 7;
            tree.both_ways(v, parent[v], capacity[v]);
        }
        std::uint64_t all = 0;
        for (std::uint64_t const endpoints : tree.graph.endpoints) all += endpoints;
        double worst = 0;
        for (std::uint32_t cut = 1; cut < n; ++cut) {
            std::uint64_t below = 0;
            for (std::uint32_t v = 0; v < n; ++v) {
                std::uint32_t at = v;
                while (at != 0 && at != cut) at = parent[at];
                if (at == cut) below += tree.graph.endpoints[v];
            }
            worst = std::max(worst, double(below * (all - below)) / capacity[cut]);
        }
        std::optional<ExchangeBound> const bound = bound_exchange(tree.graph);
        if (worst == 0) {
            EXPECT_FALSE(bound);
        } else {
            ASSERT_TRUE(bound);
            EXPECT_LE(bound->time.value(), worst * (1 + 1e-9));
            EXPECT_GE(bound->time.value(), worst * (1 - 0.0006));
        }
    }
}

TEST(ExchangeBound, NothingOfWhatIsTooMuch) {
    EXPECT_FALSE(bound_exchange({{}, {}}));
    EXPECT_FALSE(bound_exchange({{}, {4}}));
    Cabled pair;
    pair.add(1), pair.add(1);
    pair.both_ways(0, 1, std::uint64_t{1} << 63);
    EXPECT_FALSE(bound_exchange(pair.graph));
    pair.graph.edges.front().capacity = pair.graph.edges.back().capacity = 2;
    EXPECT_TRUE(bound_exchange(pair.graph));
    EXPECT_FALSE(bound_exchange(pair.graph, 1));
}

}  // namespace
}  // namespace tailback::exchange_bound_test
