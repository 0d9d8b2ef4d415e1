// Server-centric networks: sizes, cables and distances by the formulas of their papers.
#include "host/base/error.hpp"
#include "tests/support/networks/network_facts.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

namespace tailback::server_centric_families_test {
namespace {

struct Cables {
    std::size_t to_switches = 0, between_hosts = 0;
};
Cables cables_of(Network const& net) {
    Cables cables;
    for (LinkRecord const& link : net.links()) {
        bool const from_host = net[link.from].kind != NodeKind::switch_node,
                   to_host = net[link.to].kind != NodeKind::switch_node;
        if (from_host && to_host) cables.between_hosts += link.from < link.to;
        else cables.to_switches += from_host;
    }
    return cables;
}

void expect_sizes(std::string const& spec, std::size_t hosts, std::size_t switches, std::size_t to_switches,
                  std::size_t between_hosts) {
    SCOPED_TRACE(spec);
    Network const net = make_topology(spec).network;
    EXPECT_EQ(net.hosts().size(), hosts);
    EXPECT_EQ(net.switches(), switches);
    Cables const cables = cables_of(net);
    EXPECT_EQ(cables.to_switches, to_switches);
    EXPECT_EQ(cables.between_hosts, between_hosts);
}

std::size_t power(std::size_t base, std::size_t exponent) {
    std::size_t result = 1;
    for (; exponent > 0; --exponent) result *= base;
    return result;
}

TEST(Bcube, SizesAndDistances) {  // n^k hosts, k n^(k-1) switches; two links for each digit that differs
    for (auto const& [n, k] :
         std::vector<std::pair<std::size_t, std::size_t>>{{4, 1}, {4, 2}, {2, 4}, {3, 3}, {8, 2}, {5, 2}})
        expect_sizes(fmt::format("bcube:n={},k={}", n, k), power(n, k), k * power(n, k - 1), k * power(n, k), 0);
    auto const distances = host_distances(make_topology("bcube:n=3,k=3").network, true);
    for (std::size_t s = 0; s < 27; ++s)
        for (std::size_t d = 0; d < 27; ++d)
            EXPECT_EQ(distances[s][d], 2u * ((s % 3 != d % 3) + (s / 3 % 3 != d / 3 % 3) + (s / 9 != d / 9)));
}

TEST(Dcell, Sizes) {  // t_k = t_(k-1)(t_(k-1)+1); each host has one cable of each level
    for (auto const& [n, k] :
         std::vector<std::pair<std::size_t, std::size_t>>{{4, 0}, {4, 1}, {5, 1}, {2, 2}, {3, 2}, {4, 2}, {2, 3}}) {
        std::size_t hosts = n;
        for (std::size_t level = 1; level <= k; ++level) hosts *= hosts + 1;
        expect_sizes(fmt::format("dcell:n={},k={}", n, k), hosts, hosts / n, hosts, k * hosts / 2);
    }
    EXPECT_THROW(make_topology("dcell:n=6,k=4"), InputError);
}

TEST(Dcell, RoutesAreAtMostTwoToTheLevelMinusOneHostHops) {  // DCellRouting: fewer than 2^(k+1) host-to-host steps
    for (auto const& [n, k] : std::vector<std::pair<std::size_t, std::size_t>>{{4, 1}, {3, 2}, {2, 2}}) {
        Topology const topology = make_topology(fmt::format("dcell:n={},k={}", n, k));
        RoutedPairs const pairs =
            walk_all_pairs({topology.network, make_tables(topology, {"recursive", 1}), true}, true);
        EXPECT_EQ(pairs.failed, 0u);
        EXPECT_LE(pairs.by_links.rbegin()->first,
                  2 * power(2, k) + power(2, k) - 1);  // 2^k switch crossings, 2^k - 1 cables
    }
}

TEST(Ficonn, Sizes) {  // N_k = N_(k-1)(N_(k-1)/2^k + 1); one host in 2^l has a cable of level l
    for (auto const& [n, k] :
         std::vector<std::pair<std::size_t, std::size_t>>{{4, 0}, {4, 1}, {4, 2}, {6, 1}, {8, 1}, {8, 2}, {16, 1}}) {
        std::size_t hosts = n, between = 0;
        for (std::size_t level = 1; level <= k; ++level) hosts *= hosts / power(2, level) + 1;
        for (std::size_t level = 1; level <= k; ++level) between += hosts / power(2, level) / 2;
        expect_sizes(fmt::format("ficonn:n={},k={}", n, k), hosts, hosts / n, hosts, between);
    }
    EXPECT_THROW(make_topology("ficonn:n=5,k=1"), InputError);
}

TEST(Hcn, Sizes) {  // n^(h+1) hosts, n^h switches; all second ports but n are joined
    for (auto const& [n, h] :
         std::vector<std::pair<std::size_t, std::size_t>>{{4, 0}, {4, 1}, {4, 2}, {3, 3}, {2, 4}, {6, 2}})
        expect_sizes(fmt::format("hcn:n={},h={}", n, h), power(n, h + 1), power(n, h), power(n, h + 1),
                     (power(n, h + 1) - n) / 2);
}

TEST(Bcn, Sizes) {  // alpha^h beta + 1 copies, each two joined by one cable of slaves
    for (auto const& [alpha, beta, h] :
         std::vector<std::array<std::size_t, 3>>{{2, 2, 1}, {3, 1, 1}, {2, 1, 2}, {4, 4, 1}, {2, 3, 0}}) {
        std::size_t const leaves = power(alpha, h), copies = leaves * beta + 1;
        expect_sizes(fmt::format("bcn:alpha={},beta={},h={}", alpha, beta, h), leaves * (alpha + beta) * copies,
                     leaves * copies, leaves * (alpha + beta) * copies,
                     copies * (power(alpha, h + 1) - alpha) / 2 + copies * (copies - 1) / 2);
    }
}

TEST(Dpillar, Sizes) {  // k (n/2)^k hosts with two cables each, k (n/2)^(k-1) switches of n ports
    for (auto const& [n, k] :
         std::vector<std::pair<std::size_t, std::size_t>>{{4, 2}, {4, 3}, {6, 3}, {8, 2}, {4, 5}}) {
        std::size_t const hosts = k * power(n / 2, k);
        expect_sizes(fmt::format("dpillar:n={},k={}", n, k), hosts, hosts / (n / 2), 2 * hosts, 0);
    }
    EXPECT_THROW(make_topology("dpillar:n=5,k=3"), InputError);
}

TEST(ServerCentric, HostsForwardAndCanBeWritten) {
    Topology const topology = make_topology("bcube:n=3,k=2");
    EXPECT_EQ(topology.hosts_do, HostsDo::forward);
    ForwardingTables const tables = make_tables(topology, {"dimensional", 1});
    EXPECT_TRUE(tables.has_table(Node{0}));
    EXPECT_EQ(tables.tables(), 9u + 6u);
}

/// Kliegl et al. 2010: the rule beta joins host i of part a to host t - 1 - i of part (a + i + 1) mod (t + 1). Any two
/// parts have one cable, as with DCell's own rule, which is alpha.
TEST(Dcell, RuleBeta) {
    for (std::size_t const n : {2u, 3u, 4u, 5u}) {
        std::size_t const parts = n + 1;
        Network const net = make_topology(fmt::format("dcell:n={},k=1,rule=beta", n)).network;
        EXPECT_EQ(net.hosts().size(), n * parts);
        for (std::size_t a = 0; a < parts; ++a)
            for (std::size_t i = 0; i < n; ++i) {
                Link const link = net.link_at(net[Host{a * n + i}].node, 2);
                ASSERT_TRUE(link.exists());
                EXPECT_EQ(net[link].to.value, (a + i + 1) % parts * n + (n - 1 - i));
            }
    }
    expect_sizes("dcell:n=3,k=2,rule=beta", 156, 52, 156, 156);
}

/// The same rule among the hosts of FiConn that have a cable of level 1: every second one.
TEST(Ficonn, RuleBeta) {
    for (std::size_t const n : {4u, 6u, 8u}) {
        std::size_t const parts = n / 2 + 1;
        Network const net = make_topology(fmt::format("ficonn:n={},k=1,rule=beta", n)).network;
        EXPECT_EQ(net.hosts().size(), n * parts);
        for (std::size_t a = 0; a < parts; ++a)
            for (std::size_t i = 0; i < n / 2; ++i) {
                EXPECT_FALSE(net.link_at(net[Host{a * n + 2 * i + 1}].node, 2).exists());
                Link const link = net.link_at(net[Host{a * n + 2 * i}].node, 2);
                ASSERT_TRUE(link.exists());
                EXPECT_EQ(net[link].to.value, (a + i + 1) % parts * n + 2 * (n / 2 - 1 - i));
            }
    }
    expect_sizes("ficonn:n=4,k=2,rule=beta", 48, 12, 48, 18);
}

/// Li, Wu 2014: n^k switches, k (n-1) n^k / 2 hosts of two ports, one on each link of the hypercube; between hosts, two
/// links for each digit that the nearest ends differ in, and two.
TEST(SwCube, SizesAndDistances) {
    for (auto const& [n, k] :
         std::vector<std::pair<std::size_t, std::size_t>>{{2, 1}, {4, 1}, {3, 2}, {4, 2}, {2, 4}, {5, 2}, {3, 3}}) {
        std::size_t const hosts = power(n, k) * (n - 1) * k / 2;
        expect_sizes(fmt::format("swcube:n={},k={}", n, k), hosts, power(n, k), 2 * hosts, 0);
    }
    Network const net = make_topology("swcube:n=3,k=2").network;
    std::vector<std::vector<std::uint32_t>> ends(18);
    for (LinkRecord const& link : net.links())
        if (link.from.value < 18) ends[link.from.value].push_back(link.to.value - 18);
    auto const distances = host_distances(net, true);
    for (std::size_t s = 0; s < 18; ++s) {
        ASSERT_EQ(ends[s].size(), 2u);
        EXPECT_EQ((ends[s][0] % 3 != ends[s][1] % 3) + (ends[s][0] / 3 != ends[s][1] / 3), 1);  // one digit differs
        for (std::size_t d = 0; d < 18; ++d) {
            if (s == d) continue;
            std::uint32_t nearest = 9;
            for (std::uint32_t const a : ends[s])
                for (std::uint32_t const b : ends[d])
                    nearest = std::min(nearest, std::uint32_t{a % 3 != b % 3} + std::uint32_t{a / 3 != b / 3});
            EXPECT_EQ(distances[s][d], 2 * nearest + 2);
        }
    }
}

/// Erickson, Navaridas, Stewart 2016: every link of the hypercube is two hosts that are joined: n^k switches of k (n-1)
/// hosts each.
TEST(KnkStar, SizesAndCables) {
    for (auto const& [n, k] :
         std::vector<std::pair<std::size_t, std::size_t>>{{2, 1}, {4, 1}, {3, 2}, {4, 2}, {2, 4}, {5, 2}, {3, 3}}) {
        std::size_t const hosts = power(n, k) * (n - 1) * k;
        expect_sizes(fmt::format("knkstar:n={},k={}", n, k), hosts, power(n, k), hosts, hosts / 2);
    }
    // Two joined hosts sit on switches that differ in one digit, every two such switches once.
    Network const net = make_topology("knkstar:n=4,k=2").network;
    std::set<std::pair<std::uint32_t, std::uint32_t>> joined;
    for (LinkRecord const& link : net.links()) {
        if (net[link.to].kind == NodeKind::switch_node || net[link.from].kind == NodeKind::switch_node) continue;
        std::uint32_t const a = link.from.value / 6, b = link.to.value / 6;
        EXPECT_EQ((a % 4 != b % 4) + (a / 4 != b / 4), 1);
        EXPECT_TRUE(joined.emplace(a, b).second);
    }
    EXPECT_EQ(joined.size(), 16u * 6);
}

}  // namespace
}  // namespace tailback::server_centric_families_test
