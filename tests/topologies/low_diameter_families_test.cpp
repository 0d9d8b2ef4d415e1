// Dragonflies, Slim Fly, PolarFly, Jellyfish and the relatives of the torus: sizes, degrees, diameters, average
// distances by closed forms or published numbers; loads by the exact results.
#include "host/audit/loads/edge_forwarding_index.hpp"
#include "host/base/error.hpp"
#include "host/model/routes/trace.hpp"
#include "tests/support/networks/network_facts.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/galois_field.hpp"
#include "topologies/routing.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

namespace tailback::low_diameter_families_test {
namespace {

double average_distance(Network const& net) {
    std::uint64_t sum = 0;
    for (auto const& [hops, pairs] : switch_distances(net)) sum += hops * pairs;
    return double(sum) / double(net.switches() * (net.switches() - 1));
}
std::size_t diameter(Network const& net) {
    auto const pairs = switch_distances(net);
    EXPECT_FALSE(pairs.contains(0));
    return pairs.rbegin()->first;
}
Fabric routed(std::string const& spec, std::string const& routing) {
    Topology const topology = make_topology(spec);
    return {topology.network, make_tables(topology, {routing, 1}), true};
}
bool is_switch(Network const& net, Node node) { return net[node].kind == NodeKind::switch_node; }
/// `S3_1` and `S3_P1` are in group `S3`.
std::string group_of(Network const& net, Node node) { return net[node].name.substr(0, net[node].name.find('_')); }

std::vector<std::string> const arrangements = {"absolute", "relative", "palmtree", "circulant", "helix", "nautilus"};

TEST(Dragonfly,
     SizesAndOneCableForEachTwoGroups) {  // g = ah+1 groups, a g switches, a p g hosts, g(g-1)/2 global cables
    struct Shape {
        std::size_t a, p, h;
    };
    for (Shape const s : {Shape{4, 2, 2}, Shape{6, 3, 3}, Shape{3, 1, 3}, Shape{5, 2, 1}, Shape{2, 1, 5},
                          Shape{7, 1, 2}, Shape{1, 1, 3}})
        for (std::string const& arrangement : arrangements) {
            std::string const spec = fmt::format("dragonfly:a={},p={},h={},arrangement={}", s.a, s.p, s.h, arrangement);
            SCOPED_TRACE(spec);
            Network const net = make_topology(spec).network;
            std::size_t const g = s.a * s.h + 1;
            NetworkFacts const facts = facts_of(net);
            EXPECT_EQ(facts.hosts, s.a * s.p * g);
            EXPECT_EQ(facts.switches, s.a * g);
            EXPECT_EQ(facts.switch_cables, g * s.a * (s.a - 1) / 2 + g * (g - 1) / 2);
            EXPECT_EQ(facts.degree, (std::map<std::size_t, std::size_t>{{s.a - 1 + s.h, s.a * g}}));
            std::map<std::pair<std::string, std::string>, std::size_t> global;
            for (LinkRecord const& link : net.links())
                if (is_switch(net, link.from) && is_switch(net, link.to) &&
                    group_of(net, link.from) != group_of(net, link.to))
                    ++global[{group_of(net, link.from), group_of(net, link.to)}];
            EXPECT_EQ(global.size(), g * (g - 1));
            for (auto const& [groups, links] : global) EXPECT_EQ(links, 1u);
            EXPECT_LE(diameter(net), 3u);
        }
}

TEST(Dragonfly, ArrangementsDiffer) {
    std::set<std::vector<std::uint32_t>> wirings;
    for (std::string const& arrangement : arrangements) {
        std::vector<std::uint32_t> far;
        Network const net = make_topology("dragonfly:a=4,p=2,h=2,arrangement=" + arrangement).network;
        for (LinkRecord const& link : net.links()) far.push_back(link.to.value);
        EXPECT_TRUE(wirings.insert(far).second) << arrangement;
    }
}

TEST(Dragonfly, MinimalTakesOneGlobalLinkAndTwoLocalOnes) {
    for (std::string const spec : {"dragonfly:a=4,p=1,h=2,arrangement=circulant", "dragonfly:a=3,p=1,h=4,groups=4",
                                   "dragonfly:a=4,p=1,h=3,groups=2,arrangement=palmtree"}) {
        Fabric const fabric = routed(spec, "minimal");
        Network const& net = fabric.network;
        for (std::size_t s = 0; s < net.hosts().size(); ++s)
            for (std::size_t d = 0; d < net.hosts().size(); ++d) {
                std::size_t global = 0, local = 0;
                for (Link const l : trace_from_host(fabric, Host{s}, net[Host{d}].lid).links) {
                    if (!is_switch(net, net[l].from) || !is_switch(net, net[l].to)) continue;
                    (group_of(net, net[l].from) == group_of(net, net[l].to) ? local : global)++;
                }
                EXPECT_LE(global, 1u);
                EXPECT_LE(local, 2u);
            }
    }
}

TEST(Dragonfly, LoadsOfMinimalRouting) {  // p = h, a = 2h: global (ap)^2, local p^2 + 2 p^2 a h
    for (std::uint64_t const h : {2u, 3u})
        for (std::string const& arrangement : arrangements) {
            std::string const spec = fmt::format("dragonfly:a={},p={},h={},arrangement={}", 2 * h, h, h, arrangement);
            SCOPED_TRACE(spec);
            Fabric const fabric = routed(spec, "minimal");
            Network const& net = fabric.network;
            std::vector<std::uint64_t> const load = edge_forwarding_index(fabric);
            for (std::size_t l = 0; l < load.size(); ++l) {
                LinkRecord const& link = net[Link{l}];
                if (!is_switch(net, link.from) || !is_switch(net, link.to)) continue;
                bool const global = group_of(net, link.from) != group_of(net, link.to);
                ASSERT_EQ(load[l], global ? 2 * h * h * 2 * h * h : h * h + 2 * h * h * 2 * h * h);
            }
        }
}

TEST(Dragonfly, FewerGroupsHaveParallelCables) {  // floor(ah / (g-1)) between each two
    NetworkFacts const facts = facts_of(make_topology("dragonfly:a=4,p=2,h=3,groups=5").network);
    EXPECT_EQ(facts.switch_cables, 5u * 6u + 10u * 3u);
    EXPECT_THROW(make_topology("dragonfly:a=4,p=2,h=3,groups=14"), InputError);
    EXPECT_THROW(make_topology("dragonfly:a=4,p=2,h=3,groups=5,arrangement=helix"), InputError);
    EXPECT_THROW(make_topology("dragonfly:a=4,p=2,h=3,groups=5,arrangement=nautilus"), InputError);
}

TEST(DragonflyPlus, SizesAndDistances) {  // g = spines*h+1; hosts at 2, 4 (same group) and 5 links (other group)
    for (std::string const& arrangement : arrangements) {
        Network const net = make_topology("dragonfly+:leaves=3,p=2,h=2,spines=4,arrangement=" + arrangement).network;
        NetworkFacts const facts = facts_of(net);
        std::size_t const g = 9;
        EXPECT_EQ(facts.hosts, g * 3 * 2);
        EXPECT_EQ(facts.switches, g * 7);
        EXPECT_EQ(facts.switch_cables, g * 12 + g * (g - 1) / 2);
        auto const distances = host_distances(net, false);
        for (std::size_t s = 0; s < facts.hosts; ++s)
            for (std::size_t d = 0; d < facts.hosts; ++d)
                EXPECT_EQ(distances[s][d], s == d ? 0u : s / 2 == d / 2 ? 2u : s / 6 == d / 6 ? 4u : 5u);
    }
}

TEST(GaloisField, IsAField) {
    for (std::uint32_t const q : {2u, 3u, 4u, 5u, 7u, 8u, 9u, 16u, 25u, 27u}) {
        ASSERT_TRUE(GaloisField::exists(q));
        GaloisField const field(q);
        for (std::uint32_t a = 0; a < q; ++a) {
            std::set<std::uint32_t> sums, products;
            for (std::uint32_t b = 0; b < q; ++b) {
                sums.insert(field.add(a, b));
                products.insert(field.multiply(a, b));
                EXPECT_EQ(field.subtract(field.add(a, b), b), a);
                for (std::uint32_t c = 0; c < std::min(q, 9u); ++c)
                    EXPECT_EQ(field.multiply(c, field.add(a, b)),
                              field.add(field.multiply(c, a), field.multiply(c, b)));
            }
            EXPECT_EQ(sums.size(), q);
            EXPECT_EQ(products.size(), a == 0 ? 1u : q);
        }
    }
    for (std::uint32_t const q : {0u, 1u, 6u, 10u, 12u, 15u, 100u}) EXPECT_FALSE(GaloisField::exists(q)) << q;
}

TEST(SlimFly, EveryPrimePowerHasDiameterTwo) {  // 2q^2 switches of degree (3q - d)/2
    for (auto const& [q, degree] : std::vector<std::pair<std::size_t, std::size_t>>{
             {3, 5}, {4, 6}, {5, 7}, {7, 11}, {8, 12}, {9, 13}, {11, 17}, {13, 19}}) {
        SCOPED_TRACE(q);
        Network const net = make_topology(fmt::format("slimfly:q={},hosts=1", q)).network;
        NetworkFacts const facts = facts_of(net);
        EXPECT_EQ(facts.switches, 2 * q * q);
        EXPECT_EQ(facts.degree, (std::map<std::size_t, std::size_t>{{degree, 2 * q * q}}));
        EXPECT_EQ(diameter(net), 2u);
    }
    EXPECT_EQ(facts_of(make_topology("slimfly:5").network).hosts, 50u * 4u);
    for (std::string const wrong : {"slimfly:6", "slimfly:12", "slimfly:q=2047"})
        EXPECT_THROW(make_topology(wrong), InputError) << wrong;
}

TEST(SlimFly, ThirteenRouterPairsOnEachLinkOfQFive) {
    Fabric const fabric = routed("slimfly:q=5,hosts=1", "minhop");
    std::vector<std::uint64_t> const load = edge_forwarding_index(fabric);
    for (std::size_t l = 0; l < load.size(); ++l) {
        LinkRecord const& link = fabric.network[Link{l}];
        bool const between = is_switch(fabric.network, link.from) && is_switch(fabric.network, link.to);
        EXPECT_EQ(load[l], between ? 13u : 49u);
    }
}

TEST(PolarFly, EveryPrimePowerHasDiameterTwo) {  // q^2+q+1 switches; q+1 of degree q, the others q+1
    for (std::size_t const q : {2u, 3u, 4u, 5u, 7u, 8u, 9u, 11u, 13u}) {
        SCOPED_TRACE(q);
        Network const net = make_topology(fmt::format("polarfly:q={},hosts=1", q)).network;
        NetworkFacts const facts = facts_of(net);
        EXPECT_EQ(facts.switches, q * q + q + 1);
        EXPECT_EQ(facts.degree, (std::map<std::size_t, std::size_t>{{q, q + 1}, {q + 1, q * q}}));
        EXPECT_EQ(facts.switch_cables, q * (q + 1) * (q + 1) / 2);
        EXPECT_EQ(diameter(net), 2u);
    }
    EXPECT_THROW(make_topology("polarfly:q=6"), InputError);
}

TEST(Jellyfish, RegularSimpleConnectedAndSeeded) {
    struct Shape {
        std::size_t switches, degree;
    };
    for (Shape const s : {Shape{20, 4}, Shape{50, 3}, Shape{10, 9}, Shape{9, 8}, Shape{11, 10}, Shape{30, 2},
                          Shape{2, 1}, Shape{200, 12}})
        for (std::uint64_t const seed : {1u, 2u, 3u}) {
            std::string const spec = fmt::format("jellyfish:switches={},degree={},seed={}", s.switches, s.degree, seed);
            SCOPED_TRACE(spec);
            Network const net = make_topology(spec).network;
            EXPECT_EQ(facts_of(net).degree, (std::map<std::size_t, std::size_t>{{s.degree, s.switches}}));
            EXPECT_FALSE(switch_distances(net).contains(0));
            std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
            for (LinkRecord const& link : net.links())
                EXPECT_TRUE(pairs.emplace(link.from.value, link.to.value).second);
        }
    // An odd number of ports leaves one free.
    EXPECT_EQ(facts_of(make_topology("jellyfish:switches=15,degree=3").network).degree,
              (std::map<std::size_t, std::size_t>{{2, 1}, {3, 14}}));
    auto const wires = [](std::uint64_t seed) {
        std::vector<std::uint32_t> far;
        Network const net = make_topology(fmt::format("jellyfish:switches=20,degree=4,seed={}", seed)).network;
        for (LinkRecord const& link : net.links()) far.push_back(link.to.value);
        return far;
    };
    EXPECT_EQ(wires(5), wires(5));
    EXPECT_NE(wires(5), wires(6));
    EXPECT_THROW(make_topology("jellyfish:switches=5,degree=5"), InputError);
    EXPECT_THROW(make_topology("jellyfish:switches=6,degree=1"), InputError);  // never connected
}

TEST(Jellyfish, EveryPairIsEquallyLikelyToBeJoined) {  // degree / (switches - 1), over 3,000 graphs
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> times;
    for (int seed = 0; seed < 3000; ++seed) {
        Network const net = make_topology(fmt::format("jellyfish:switches=9,degree=4,seed={}", seed)).network;
        for (LinkRecord const& link : net.links())
            if (is_switch(net, link.from) && is_switch(net, link.to) && link.from < link.to)
                ++times[{link.from.value, link.to.value}];
    }
    EXPECT_EQ(times.size(), 36u);
    for (auto const& [pair, n] : times) EXPECT_NEAR(n, 1500.0, 150.0);  // standard deviation 27
}

TEST(TwistedTorus, DistancesOfTheInseeDissertation) {
    EXPECT_NEAR(average_distance(make_topology("twisted-torus:4x4,twist=2").network), 2.000, 5e-4);
    EXPECT_EQ(diameter(make_topology("twisted-torus:4x4,twist=2").network), 3u);
    Network const wide = make_topology("twisted-torus:16x8,twist=8").network;
    EXPECT_NEAR(average_distance(wide), 5.354, 5e-4);
    EXPECT_EQ(diameter(wide), 8u);
    // Without a twist it is the torus.
    EXPECT_NEAR(average_distance(make_topology("twisted-torus:16x8,twist=0").network),
                average_distance(make_topology("torus:16x8").network), 1e-12);
    EXPECT_THROW(make_topology("twisted-torus:8x2"), InputError);
    EXPECT_THROW(make_topology("twisted-torus:8"), InputError);
    EXPECT_THROW(make_topology("twisted-torus:8x4,twist=8"), InputError);
}

TEST(Midimew, DistancesOfTheInseeDissertation) {
    EXPECT_NEAR(average_distance(make_topology("midimew:13").network), 1.667, 5e-4);
    EXPECT_EQ(diameter(make_topology("midimew:13").network), 2u);
    EXPECT_NEAR(average_distance(make_topology("midimew:64").network), 3.778, 5e-4);
    EXPECT_EQ(diameter(make_topology("midimew:64").network), 6u);
}

TEST(Midimew, RoutesAreShortestForEverySize) {
    for (std::uint32_t n = 5; n <= 70; ++n) {
        RoutedPairs const pairs = walk_all_pairs(routed(fmt::format("midimew:{}", n), "dor"), false);
        EXPECT_EQ(pairs.failed, 0u) << n;
        EXPECT_EQ(pairs.longer, 0u) << n;
    }
}

TEST(TriangularTorus, DistancesOfTheInseeDissertation) {
    EXPECT_NEAR(average_distance(make_topology("triangular-torus:4x4").network), 1.600, 5e-4);
    EXPECT_EQ(diameter(make_topology("triangular-torus:4x4").network), 2u);
    EXPECT_EQ(facts_of(make_topology("triangular-torus:5x6").network).degree,
              (std::map<std::size_t, std::size_t>{{6, 30}}));
}

TEST(StarAndCrossbar, Sizes) {
    NetworkFacts const star = facts_of(make_topology("star:n=5,hosts=3").network);
    EXPECT_EQ(star.hosts, 15u);
    EXPECT_EQ(star.degree, (std::map<std::size_t, std::size_t>{{1, 5}, {5, 1}}));
    NetworkFacts const crossbar = facts_of(make_topology("crossbar:64").network);
    EXPECT_EQ(crossbar.hosts, 64u);
    EXPECT_EQ(crossbar.switches, 1u);
}

TEST(EdgeListFile, IsAnyGraph) {
    TemporaryFolder const folder;
    std::string const path = folder.write(
        "graph.txt",
        "# Petersen's graph without its outer edges\na1 b1\n\n a2\tb2 \nb1 b2 3 # three cables\n b2 a1\r\n");
    Network const net = make_topology("edge-list:" + path + ",hosts=2").network;
    NetworkFacts const facts = facts_of(net);
    EXPECT_EQ(facts.switches, 4u);
    EXPECT_EQ(facts.hosts, 8u);
    EXPECT_EQ(facts.switch_cables, 6u);
    expect_sound_ports(net);
    EXPECT_TRUE(net.node_by_name("Sa1").exists());
    RoutedPairs const pairs = walk_all_pairs(routed("edge-list:" + path + ",hosts=2", "updn"), false);
    EXPECT_EQ(pairs.failed, 0u);
    EXPECT_FALSE(pairs.cyclic);
    for (std::string const wrong :
         {"", "# nothing\n", "a\n", "a b c\n", "a b 0\n", "a b 3 4\n", "a a\n", "a b 99999999\n"})
        EXPECT_THROW(make_topology("edge-list:" + folder.write("wrong.txt", wrong)), InputError) << wrong;
    EXPECT_THROW(make_topology("edge-list:" + (folder / "none")), InputError);
}

}  // namespace
}  // namespace tailback::low_diameter_families_test
