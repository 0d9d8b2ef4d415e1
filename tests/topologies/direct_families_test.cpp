// Tori, meshes, hypercubes, HyperX: sizes, degrees, diameters and average distances by closed forms; loads of dimension
// order.
#include "host/audit/loads/edge_forwarding_index.hpp"
#include "tests/support/networks/network_facts.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace tailback::direct_families_test {
namespace {

std::uint64_t sum_of_distances(Network const& network) {
    std::uint64_t sum = 0;
    for (auto const& [hops, pairs] : switch_distances(network)) sum += hops * pairs;
    return sum;
}
std::size_t diameter(Network const& network) {
    auto const pairs = switch_distances(network);
    EXPECT_FALSE(pairs.contains(0));
    return pairs.empty() ? 0 : pairs.rbegin()->first;
}

std::vector<std::uint64_t> switch_loads(std::string const& spec, std::string const& routing) {
    Topology const topology = make_topology(spec);
    Fabric const fabric{topology.network, make_tables(topology, {routing, 1}), true};
    std::vector<std::uint64_t> loads;
    std::vector<std::uint64_t> const all = edge_forwarding_index(fabric);
    for (std::size_t l = 0; l < all.size(); ++l) {
        LinkRecord const& link = fabric.network[Link{l}];
        if (fabric.network[link.from].kind == NodeKind::switch_node &&
            fabric.network[link.to].kind == NodeKind::switch_node)
            loads.push_back(all[l]);
    }
    std::sort(loads.begin(), loads.end());
    return loads;
}

struct Grid {
    std::vector<std::size_t> sizes;
    std::string text() const {
        std::string words;
        for (std::size_t const n : sizes) words += (words.empty() ? "" : "x") + std::to_string(n);
        return words;
    }
    std::size_t switches() const {
        return std::accumulate(sizes.begin(), sizes.end(), std::size_t{1}, std::multiplies<>());
    }
};
std::vector<Grid> const grids = {{{4, 4}},    {{8, 8}},       {{5, 3}},  {{2, 2, 2}}, {{4, 3, 2}}, {{7}},
                                 {{6, 1, 4}}, {{3, 3, 3, 3}}, {{16, 8}}, {{4, 4, 4}}, {{2, 5}},    {{64}}};

/// Sum over ordered pairs of S switches of distances that are sums over dimensions: S^2 * sum_d (mean over one
/// dimension).
template <class DimensionSum>
std::uint64_t sum_over(Grid const& grid, DimensionSum&& of_dimension) {
    std::uint64_t sum = 0, s = grid.switches();
    for (std::size_t const n : grid.sizes) sum += s / n * (s / n) * of_dimension(n);
    return sum;
}

TEST(Torus, SizesDegreesDistances) {
    for (Grid const& grid : grids) {
        SCOPED_TRACE(grid.text());
        Network const net = make_topology("torus:" + grid.text() + ",hosts=2").network;
        NetworkFacts const facts = facts_of(net);
        std::size_t degree = 0,
                    longest = 0;  // two cables a dimension; one where it has two switches; none where it has one
        for (std::size_t const n : grid.sizes) {
            degree += n > 2 ? 2 : n - 1;
            longest += n / 2;
        }
        EXPECT_EQ(facts.switches, grid.switches());
        EXPECT_EQ(facts.hosts, 2 * grid.switches());
        EXPECT_EQ(facts.switch_cables, grid.switches() * degree / 2);
        EXPECT_EQ(facts.degree, (std::map<std::size_t, std::size_t>{{degree, grid.switches()}}));
        EXPECT_EQ(diameter(net), longest);
        // On a ring of n: n * floor(n^2 / 4) over ordered pairs.
        EXPECT_EQ(sum_of_distances(net), sum_over(grid, [](std::size_t n) { return n * (n * n / 4); }));
    }
}

TEST(Torus, OneWay) {  // to distance k there is one switch, k = 1 .. n-1: n * n(n-1)/2 over ordered pairs
    for (Grid const& grid : grids) {
        SCOPED_TRACE(grid.text());
        Network const net = make_topology("torus:" + grid.text() + ",links=one").network;
        EXPECT_EQ(sum_of_distances(net), sum_over(grid, [](std::size_t n) { return n * (n * (n - 1) / 2); }));
    }
}

TEST(Mesh, SizesDegreesDistances) {
    for (Grid const& grid : grids) {
        SCOPED_TRACE(grid.text());
        Network const net = make_topology("mesh:" + grid.text()).network;
        std::size_t cables = 0, longest = 0;
        for (std::size_t const n : grid.sizes) {
            cables += grid.switches() / n * (n - 1);
            longest += n - 1;
        }
        EXPECT_EQ(facts_of(net).switch_cables, cables);
        EXPECT_EQ(diameter(net), longest);
        // On a line of n: n(n^2-1)/3 over ordered pairs.
        EXPECT_EQ(sum_of_distances(net), sum_over(grid, [](std::size_t n) { return n * (n * n - 1) / 3; }));
    }
}

TEST(Torus, AverageDistancesOfTheInseeDissertation) {  // self excluded
    auto const average = [](std::string const& spec) {
        Network const net = make_topology(spec).network;
        return double(sum_of_distances(net)) / double(net.switches() * (net.switches() - 1));
    };
    EXPECT_NEAR(average("ring:64"), 16.254, 5e-4);
    EXPECT_NEAR(average("mesh:4x4"), 2.667, 5e-4);
    EXPECT_NEAR(average("torus:4x4"), 2.133, 5e-4);
    EXPECT_NEAR(average("torus:8x8"), 4.063, 5e-4);
    EXPECT_NEAR(average("mesh:8x8"), 5.333, 5e-4);
}

TEST(Torus, LoadsOfDimensionOrder) {
    // 8-ary 2-cube, one host a switch: ties to plus 80 and 48; ties shared evenly k^(n+1)/8 = 64 on every link.
    std::vector<std::uint64_t> const plus = switch_loads("torus:8x8", "dor");
    EXPECT_EQ(plus.front(), 48u);
    EXPECT_EQ(plus.back(), 80u);
    std::vector<std::uint64_t> const minus = switch_loads("torus:8x8", "dor:ties=minus");
    EXPECT_EQ(minus, plus);
    std::vector<std::uint64_t> const parity = switch_loads("torus:8x8", "dor:ties=parity");
    EXPECT_EQ(parity.front(), 64u);
    EXPECT_EQ(parity.back(), 64u);
    std::vector<std::uint64_t> const random = switch_loads("torus:8x8", "dor:ties=random");
    EXPECT_EQ(std::accumulate(random.begin(), random.end(), std::uint64_t{0}), 64u * 256u);
    EXPECT_NE(random, plus);
    EXPECT_NE(random, parity);
}

TEST(Torus, ManyDimensionsWaitInCircles) {  // 4x4x4 with DOR on one lane is cyclic; up*/down* is not
    Topology const topology = make_topology("torus:4x4x4");
    Fabric fabric{topology.network, make_tables(topology, {"dor", 1}), true};
    EXPECT_TRUE(walk_all_pairs(fabric, false).cyclic);
    EXPECT_FALSE(claims_of(topology, "dor").deadlock_free);
    fabric.tables = make_tables(topology, {"updn", 1});
    EXPECT_FALSE(walk_all_pairs(fabric, false).cyclic);
}

TEST(Hypercube,
     SizesDistancesLoads) {  // degree = diameter = n; distances n 2^(n-1) from each switch; load 2^(n-1) on every link
    for (std::size_t n = 1; n <= 7; ++n) {
        std::string const spec = "hypercube:" + std::to_string(n);
        Network const net = make_topology(spec).network;
        std::size_t const switches = std::size_t{1} << n;
        EXPECT_EQ(facts_of(net).degree, (std::map<std::size_t, std::size_t>{{n, switches}}));
        EXPECT_EQ(diameter(net), n);
        EXPECT_EQ(sum_of_distances(net), switches * n * (switches / 2));
        std::vector<std::uint64_t> const loads = switch_loads(spec, "dor");
        EXPECT_EQ(loads.front(), switches / 2);
        EXPECT_EQ(loads.back(), switches / 2);
    }
}

TEST(Hyperx, SizesDegreesDistances) {  // degree sum (n-1); distance = number of coordinates that differ
    for (Grid const& grid : grids) {
        if (grid.switches() > 100) continue;
        SCOPED_TRACE(grid.text());
        Network const net = make_topology("hyperx:" + grid.text() + ",hosts=2,cables=3").network;
        std::size_t degree = 0, longest = 0;
        for (std::size_t const n : grid.sizes) {
            degree += n - 1;
            longest += n > 1;
        }
        EXPECT_EQ(facts_of(net).degree, (std::map<std::size_t, std::size_t>{{3 * degree, grid.switches()}}));
        EXPECT_EQ(diameter(net), longest);
        EXPECT_EQ(sum_of_distances(net), sum_over(grid, [](std::size_t n) { return n * (n - 1); }));
    }
}

TEST(Hyperx, LoadsOfDimensionOrder) {  // n x n, p hosts: a link of either dimension carries p^2 n pairs
    std::vector<std::uint64_t> const loads = switch_loads("hyperx:5x5,hosts=3", "dor");
    EXPECT_EQ(loads.front(), 45u);
    EXPECT_EQ(loads.back(), 45u);
}

TEST(FullyConnected, OneHopAndPSquaredPairs) {
    Network const net = make_topology("fully-connected:n=7,hosts=3").network;
    EXPECT_EQ(facts_of(net).switch_cables, 21u);
    EXPECT_EQ(diameter(net), 1u);
    std::vector<std::uint64_t> const loads = switch_loads("fully-connected:n=7,hosts=3", "dor");
    EXPECT_EQ(loads.front(), 9u);
    EXPECT_EQ(loads.back(), 9u);
}

}  // namespace
}  // namespace tailback::direct_families_test
