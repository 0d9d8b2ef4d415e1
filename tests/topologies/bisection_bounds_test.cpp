// The means that find the bisection, against the plainest one; and published bounds of it.
#include "tests/support/networks/halves.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tailback::bisection_bounds_test {
namespace {

/// The bisection by its definition: all sets of hosts and switches where hosts are parted one by one, elsewhere all
/// sets of switches, with half of the hosts (or of the switches that have any) inside.
std::size_t over_all_sets(std::string const& spec) {
    Topology const topology = make_topology(spec);
    Network const& network = topology.network;
    bool const of_hosts = topology.hosts_do == HostsDo::forward || network.switches() == 1;
    auto const bit = [](Node node) { return std::uint64_t{1} << node.value; };
    std::uint64_t study_hosts = 0;
    for (std::size_t h = 0; h < network.hosts().size(); ++h)
        study_hosts |= bit(of_hosts ? network[Host{h}].node : network[network.up_link(Host{h})].to);
    std::uint64_t counted = study_hosts;
    std::vector<std::uint64_t> cables;
    for (LinkRecord const& link : network.links())
        if (link.from.value < link.to.value && (of_hosts || (network[link.from].kind == NodeKind::switch_node &&
                                                             network[link.to].kind == NodeKind::switch_node)))
            cables.push_back(bit(link.from) | bit(link.to)), counted |= cables.back();
    std::size_t least = std::numeric_limits<std::size_t>::max();
    for (std::uint64_t set = counted; set != 0; set = (set - 1) & counted) {
        if (std::popcount(set & study_hosts) != std::popcount(study_hosts) / 2) continue;
        least = std::min(least, std::size_t(std::count_if(cables.begin(), cables.end(), [&](std::uint64_t ends) {
                             return std::popcount(ends & set) == 1;
                         })));
    }
    return least;
}

TEST(BisectionBounds, AreAroundTheLeastOverAllSets) {
    for (std::string const spec : {"crossbar:9",
                                   "star:n=7",
                                   "ring:9",
                                   "mesh:4x3",
                                   "torus:3x3",
                                   "hyperx:3x4",
                                   "hypercube:n=3,hosts=2",
                                   "fully-connected:n=6,cables=2",
                                   "twisted-torus:6x3",
                                   "midimew:10",
                                   "triangular-torus:3x3",
                                   "slimfly:q=3,hosts=1",
                                   "polarfly:q=2",
                                   "dragonfly:a=2,p=1,h=1",
                                   "dragonfly+:leaves=2,p=1,h=1",
                                   "kary-ntree:k=2,n=3",
                                   "kary-ntree:k=4,n=2",
                                   "mport-ntree:m=4,n=2",
                                   "thintree:k=2,up=1,n=3",
                                   "xgft:m=3x5,w=1x2",
                                   "xgft:m=2x2x3,w=1x2x1",
                                   "xgft:m=2x4,w=1x2,p=1x3",
                                   "clos:radix=6,levels=2,taper=2",
                                   "rail:gpus=2,nodes=2,groups=2",
                                   "bcube:n=2,k=3",
                                   "bcube:n=3,k=2",
                                   "dcell:n=3,k=1",
                                   "ficonn:n=4,k=1",
                                   "hcn:n=3,h=1",
                                   "bcn:alpha=2,beta=1,h=0",
                                   "dpillar:n=4,k=2",
                                   "midimew:20",
                                   "jellyfish:switches=20,degree=5",
                                   "polarfly:q=4,hosts=1",
                                   "hyperx:5x3",
                                   "dcell:n=4,k=1",
                                   "bcube:n=4,k=2"}) {
        SCOPED_TRACE(spec);
        Topology const topology = make_topology(spec);
        ASSERT_LE(topology.network.nodes().size(), 64u);
        Halves const halves(topology);
        std::size_t const least = over_all_sets(spec);
        EXPECT_EQ(halves.least(), least);
        EXPECT_EQ(halves.least(20'000'000, false), least);
        EXPECT_LE(least, halves.found());
        EXPECT_LE(halves.bound_by_common_switches(), least);
        EXPECT_LE(halves.bound_by_even_routes(), least);
        EXPECT_LE(halves.bound_by_routing(topology, topology.usual_routing), least);
        EXPECT_LE(halves.bound_by_routing(topology, "sssp"), least);
    }
    for (std::string const spec :
         {"bcube:n=3,k=2", "dcell:n=3,k=1", "hcn:n=3,h=1", "dpillar:n=4,k=2", "jellyfish:switches=12,degree=3",
          "torus:4x3", "polarfly:q=3", "crossbar:9", "xgft:m=3x5,w=1x2"}) {
        Halves const halves(make_topology(spec));
        EXPECT_LE(halves.bound_by_eigenvalue(halves.second_eigenvalue()), halves.least()) << spec;
    }
}

/// The second eigenvalue of 2a x a with twist a is min(4 - 4 cos(pi/a), 2 - 2 cos(2 pi/a)); that of n hosts on one
/// switch n/(n-1).
TEST(BisectionBounds, EigenvaluesInClosedForm) {
    for (int const a : {3, 4, 6}) {
        double const angle = std::acos(-1.0) / a;
        EXPECT_NEAR(Halves(make_topology("twisted-torus:" + std::to_string(2 * a) + "x" + std::to_string(a)))
                        .second_eigenvalue(),
                    std::min(4 - 4 * std::cos(angle), 2 - 2 * std::cos(2 * angle)), 1e-3);
    }
    EXPECT_NEAR(Halves(make_topology("crossbar:9")).second_eigenvalue(), 9.0 / 8, 1e-3);
    EXPECT_NEAR(Halves(make_topology("bcube:n=4,k=3")).second_eigenvalue(), 4.0 / 3, 1e-3);
    EXPECT_NEAR(Halves(make_topology("hypercube:n=5")).second_eigenvalue(), 2, 1e-3);
}

/// Published lower bounds: DCell (SIGCOMM 2008) more than t/(4 log_n t), FiConn (INFOCOM 2009) N/(4 * 2^k). The best
/// found half is above them; of small ones it is the least.
TEST(BisectionBounds, OfDCellAndFiConnArePublished) {
    auto const dcell = [](double t, double n) { return t / (4 * std::log(t) / std::log(n)); };
    for (auto const& [spec, published] : std::vector<std::pair<std::string, double>>{{"dcell:n=2,k=1", dcell(6, 2)},
                                                                                     {"dcell:n=3,k=1", dcell(12, 3)},
                                                                                     {"dcell:n=4,k=1", dcell(20, 4)},
                                                                                     {"dcell:n=5,k=1", dcell(30, 5)},
                                                                                     {"dcell:n=6,k=1", dcell(42, 6)},
                                                                                     {"dcell:n=2,k=2", dcell(42, 2)},
                                                                                     {"dcell:n=8,k=1", dcell(72, 8)},
                                                                                     {"ficonn:n=4,k=1", 12 / 8.0},
                                                                                     {"ficonn:n=6,k=1", 24 / 8.0},
                                                                                     {"ficonn:n=8,k=1", 40 / 8.0},
                                                                                     {"ficonn:n=10,k=1", 60 / 8.0},
                                                                                     {"ficonn:n=4,k=2", 48 / 16.0},
                                                                                     {"ficonn:n=12,k=1", 84 / 8.0}}) {
        Halves const halves(make_topology(spec));
        EXPECT_GE(double(halves.study_hosts() <= 42 ? halves.least() : halves.found()), published) << spec;
    }
}

/// Bollobas, "The isoperimetric number of random regular graphs" (1988): of almost every r-regular graph a set of up to
/// half of the n vertices has at least r/2 - sqrt(r ln 2) cables a vertex to the others; a half has n/2 of them.
double bollobas(double n, double r) { return n * (r / 4 - std::sqrt(r * std::log(2)) / 2); }

/// The same question exactly, in the pairing model of random regular graphs: the least cut of which at least one half
/// is expected. With m = rn/2 ports on each side, k of them cross in C(m,k)^2 k! ways, and 2j ports pair among
/// themselves in (2j)!/(2^j j!).
double expected_least(double n, double r) {
    auto const choose = [](double a, double b) {
        return std::lgamma(a + 1) - std::lgamma(b + 1) - std::lgamma(a - b + 1);
    };
    auto const pairings = [](double ports) {
        return std::lgamma(ports + 1) - ports / 2 * std::log(2) - std::lgamma(ports / 2 + 1);
    };
    double const m = r * n / 2, halves = choose(n, n / 2) - std::log(2);
    double expected = 0;
    for (double k = std::fmod(m, 2); k <= m; k += 2) {
        expected += std::exp(halves + 2 * choose(m, k) + std::lgamma(k + 1) + 2 * pairings(m - k) - pairings(2 * m));
        if (expected >= 1) return k;
    }
    return m;
}

TEST(BisectionBounds, OfRandomGraphsArePublished) {
    for (auto const& [n, r] : std::vector<std::pair<int, int>>{{10, 3},
                                                               {16, 4},
                                                               {20, 5},
                                                               {24, 6},
                                                               {30, 7},
                                                               {40, 6},
                                                               {50, 8},
                                                               {64, 10},
                                                               {80, 12},
                                                               {100, 6},
                                                               {100, 16},
                                                               {125, 24}})
        for (int const seed : {1, 2}) {
            Halves const halves(make_topology("jellyfish:switches=" + std::to_string(n) +
                                              ",degree=" + std::to_string(r) + ",seed=" + std::to_string(seed)));
            std::size_t const found = n <= 30 ? halves.least() : halves.found();
            EXPECT_GE(double(found), bollobas(n, r)) << n << " " << r;
            EXPECT_LE(double(found), halves.mean()) << n << " " << r;
        }
    for (auto const& [n, r] : std::vector<std::pair<int, int>>{
             {100, 3}, {100, 8}, {1000, 3}, {1000, 4}, {1000, 8}, {1000, 16}, {2000, 24}, {4000, 36}}) {
        EXPECT_LE(bollobas(n, r), expected_least(n, r)) << n << " " << r;
        EXPECT_LE(expected_least(n, r), n * r / 4.0) << n << " " << r;
    }
}

}  // namespace
}  // namespace tailback::bisection_bounds_test
