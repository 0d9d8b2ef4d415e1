// Trees by name: sizes and distances by the formulas of the literature, loads by the exact results.
#include "host/audit/loads/edge_forwarding_index.hpp"
#include "host/base/error.hpp"
#include "tests/support/networks/network_facts.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace tailback::tree_families_test {
namespace {

std::size_t power(std::size_t base, std::size_t exponent) {
    std::size_t result = 1;
    for (; exponent > 0; --exponent) result *= base;
    return result;
}

std::map<std::size_t, std::size_t> pairs_by_distance(Network const& network) {
    std::map<std::size_t, std::size_t> pairs;
    auto const distances = host_distances(network, false);
    for (std::size_t s = 0; s < distances.size(); ++s)
        for (std::size_t d = 0; d < distances.size(); ++d)
            if (s != d) ++pairs[distances[s][d]];
    return pairs;
}

Fabric routed(std::string const& spec, std::string const& routing) {
    Topology const topology = make_topology(spec);
    return {topology.network, make_tables(topology, {routing, 1}), true};
}

/// Largest and smallest edge forwarding index over links between switches.
std::pair<std::uint64_t, std::uint64_t> switch_link_loads(Fabric const& fabric) {
    std::uint64_t least = ~std::uint64_t{0}, most = 0;
    std::vector<std::uint64_t> const load = edge_forwarding_index(fabric);
    for (std::size_t l = 0; l < load.size(); ++l) {
        LinkRecord const& link = fabric.network[Link{l}];
        if (fabric.network[link.from].kind != NodeKind::switch_node ||
            fabric.network[link.to].kind != NodeKind::switch_node)
            continue;
        least = std::min(least, load[l]);
        most = std::max(most, load[l]);
    }
    return {least, most};
}

TEST(TreeFamilies,
     KAryNTree) {  // k^n hosts, n k^(n-1) switches, k^n cables between any two levels; k^h - k^(h-1) hosts at 2h links
    for (auto const& [k, n] :
         std::vector<std::pair<std::size_t, std::size_t>>{{2, 3}, {4, 3}, {3, 2}, {2, 6}, {8, 2}, {5, 1}, {8, 3}}) {
        std::string const spec = "kary-ntree:k=" + std::to_string(k) + ",n=" + std::to_string(n);
        SCOPED_TRACE(spec);
        Network const net = make_topology(spec).network;
        NetworkFacts const facts = facts_of(net);
        EXPECT_EQ(facts.hosts, power(k, n));
        EXPECT_EQ(facts.switches, n * power(k, n - 1));
        EXPECT_EQ(facts.host_cables, power(k, n));
        EXPECT_EQ(facts.switch_cables, (n - 1) * power(k, n));
        auto const pairs = pairs_by_distance(net);
        for (std::size_t h = 1; h <= n; ++h) EXPECT_EQ(pairs.at(2 * h), power(k, n) * (power(k, h) - power(k, h - 1)));
    }
}

TEST(TreeFamilies, MPortNTree) {  // m(m/2)^(n-1) hosts, (2n-1)(m/2)^(n-1) switches, all m ports of each used
    for (auto const& [m, n] :
         std::vector<std::pair<std::size_t, std::size_t>>{{4, 3}, {8, 3}, {4, 2}, {6, 2}, {4, 4}, {6, 1}, {10, 2}}) {
        std::string const spec = "mport-ntree:m=" + std::to_string(m) + ",n=" + std::to_string(n);
        SCOPED_TRACE(spec);
        Network const net = make_topology(spec).network;
        std::size_t const hosts = m * power(m / 2, n - 1);
        EXPECT_EQ(net.hosts().size(), hosts);
        EXPECT_EQ(net.switches(), (2 * n - 1) * power(m / 2, n - 1));
        for (std::size_t i = 0; i < net.nodes().size(); ++i) EXPECT_EQ(net.link_count(Node{i}), i < hosts ? 1u : m);
    }
    // Average links over distinct pairs of the 8-port 3-tree: ((h-1)*2 + (h^2-h)*4 + (N-h^2)*6)/(N-1), h = m/2.
    std::size_t sum = 0;
    for (auto const& [links, pairs] : pairs_by_distance(make_topology("mport-ntree:8,3").network)) sum += links * pairs;
    EXPECT_EQ(sum, 128u * ((4 - 1) * 2 + (16 - 4) * 4 + (128 - 16) * 6));
}

TEST(TreeFamilies, ThinTreeTablesOfTheInseeDissertation) {  // switches; links = switches * k
    struct Row {
        std::size_t k, up, n, nodes, switches, links;
    };
    std::vector<Row> const rows = {
        // Table 2: 8 children everywhere
        {8, 1, 2, 64, 9, 72},
        {8, 2, 2, 64, 10, 80},
        {8, 3, 2, 64, 11, 88},
        {8, 4, 2, 64, 12, 96},
        {8, 5, 2, 64, 13, 104},
        {8, 6, 2, 64, 14, 112},
        {8, 7, 2, 64, 15, 120},
        {8, 8, 2, 64, 16, 128},
        {8, 1, 3, 512, 73, 584},
        {8, 2, 3, 512, 84, 672},
        {8, 3, 3, 512, 97, 776},
        {8, 4, 3, 512, 112, 896},
        {8, 5, 3, 512, 129, 1032},
        {8, 6, 3, 512, 148, 1184},
        {8, 7, 3, 512, 169, 1352},
        {8, 8, 3, 512, 192, 1536},
        {8, 1, 4, 4096, 585, 4680},
        {8, 2, 4, 4096, 680, 5440},
        {8, 3, 4, 4096, 803, 6424},
        {8, 4, 4, 4096, 960, 7680},
        {8, 5, 4, 4096, 1157, 9256},
        {8, 6, 4, 4096, 1400, 11200},
        {8, 7, 4, 4096, 1695, 13560},
        {8, 8, 4, 4096, 2048, 16384},
        // Table 3: radix 12; of 7:5,5 and 6:6,5 the dissertation leaves out level 0, its own formula gives these
        {11, 1, 2, 121, 12, 132},
        {10, 2, 2, 100, 12, 120},
        {9, 3, 2, 81, 12, 108},
        {7, 5, 3, 343, 109, 763},
        {6, 6, 3, 216, 108, 648},
        {11, 1, 3, 1331, 133, 1463},
        {10, 2, 3, 1000, 124, 1240},
        {9, 3, 3, 729, 117, 1053},
        {7, 5, 4, 2401, 888, 6216},
        {6, 6, 4, 1296, 864, 5184},
        {11, 1, 4, 14641, 1464, 16104},
        {10, 2, 4, 10000, 1248, 12480},
        {9, 3, 4, 6561, 1080, 9720},
        {7, 5, 5, 16807, 6841, 47887},
        {6, 6, 5, 7776, 6480, 38880},
    };
    for (Row const& row : rows) {
        std::string const spec =
            "thintree:k=" + std::to_string(row.k) + ",up=" + std::to_string(row.up) + ",n=" + std::to_string(row.n);
        SCOPED_TRACE(spec);
        NetworkFacts const facts = facts_of(make_topology(spec).network);
        EXPECT_EQ(facts.hosts, row.nodes);
        EXPECT_EQ(facts.switches, row.switches);
        EXPECT_EQ(facts.host_cables + facts.switch_cables, row.links);
    }
}

TEST(TreeFamilies, ClosTakesPortsByTaper) {
    // radix 36, 2:1: 24 down, 12 up; 36 leaves
    NetworkFacts const two = facts_of(make_topology("clos:radix=36,levels=2,taper=2").network);
    EXPECT_EQ(two.hosts, 24u * 36u);
    EXPECT_EQ(two.switches, 36u + 12u);
    // radix 9, 2:1 then 1:1: leaves 6+3, middle 5+4, top 9
    NetworkFacts const three = facts_of(make_topology("clos:radix=9,levels=3,taper=2x1").network);
    EXPECT_EQ(three.hosts, 6u * 5u * 9u);
    EXPECT_EQ(three.switches, 5u * 9u + 3u * 9u + 3u * 4u);
    EXPECT_THROW(make_topology("clos:radix=8,levels=3,taper=1x1x1"), InputError);
    EXPECT_THROW(make_topology("clos:radix=8,taper=8"), InputError);
}

TEST(TreeFamilies, RailsShareLeaves) {
    Network const net = make_topology("rail:gpus=4,nodes=3,groups=2").network;
    EXPECT_EQ(net.hosts().size(), 24u);
    EXPECT_EQ(net.switches(), 4u * 2u + 3u);
    auto const distances = host_distances(net, false);
    for (std::size_t s = 0; s < 24; ++s)
        for (std::size_t d = 0; d < 24; ++d) {
            if (s == d) continue;
            bool const same_rail = s % 4 == d % 4, same_group = s / 12 == d / 12;
            EXPECT_EQ(distances[s][d], same_rail && same_group ? 2u : 4u);
        }
}

TEST(TreeFamilies, TwoPlanesAreTwoTrees) {  // w_1 = 2: a port on each plane, used by the destination's number
    Fabric const fabric = routed("xgft:m=4x4,w=2x4", "dmodk");
    NetworkFacts const facts = facts_of(fabric.network);
    EXPECT_EQ(facts.hosts, 16u);
    EXPECT_EQ(facts.host_cables, 32u);
    EXPECT_EQ(facts.switches, 2u * (4u + 4u));
    EXPECT_EQ(fabric.tables.port(Node{0}, 2), 2u);
    EXPECT_EQ(fabric.tables.port(Node{0}, 3), 1u);
}

TEST(TreeFamilies,
     ParallelCablesShareTheLoad) {  // PGFT(2; 4,6; 1,2; 1,2): 4 up ports for 4 hosts: as the full tree, d(L-1)
    auto const [least, most] = switch_link_loads(routed("xgft:2;4,6;1,2;1,2", "dmodk"));
    EXPECT_EQ(most, 4u * 5u);
    EXPECT_EQ(least, 4u * 5u);
}

TEST(TreeFamilies,
     BalancedRoutingsReachTheExactLoads) {  // XGFT(2; d, L; 1, d): d(L-1) on every link between the levels
    struct Case {
        std::string spec;
        std::uint64_t index;
    };
    for (Case const& c : {Case{"xgft:m=8x16,w=1x8", 120}, Case{"xgft:m=18x36,w=1x18", 630}})
        for (std::string const routing : {"dmodk", "minhop"}) {
            auto const [least, most] = switch_link_loads(routed(c.spec, routing));
            EXPECT_EQ(least, c.index) << c.spec << " " << routing;
            EXPECT_EQ(most, c.index) << c.spec << " " << routing;
        }
    // Shortest routes alone are not balanced: the lowest port takes all.
    EXPECT_GT(switch_link_loads(routed("xgft:m=8x16,w=1x8", "bfs")).second, 120u);
}

TEST(TreeFamilies, OtherNotationsMeanTheSame) {
    for (std::string const spec :
         {"xgft:3;2,3,4;1,2,3", "xgft:2,3,4;1,2,3", "xgft:m=2x3x4,w=1x2x3", "xgft:2x3x4,1x2x3"}) {
        NetworkFacts const facts = facts_of(make_topology(spec).network);
        EXPECT_EQ(facts.hosts, 24u) << spec;
        EXPECT_EQ(facts.switches, 12u + 8u + 6u) << spec;
    }
    for (std::string const spec : {"xgft:3;2,3;1,2", "xgft:2;2,3", "xgft:2;2,3;1,x", "xgft:2,3;1;1"})
        EXPECT_THROW(make_topology(spec), InputError) << spec;
}

}  // namespace
}  // namespace tailback::tree_families_test
