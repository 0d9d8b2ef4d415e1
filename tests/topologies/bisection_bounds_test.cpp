// The bisection of server-centric, circulant, twisted, diameter-two and random networks: by trying all halves of small
// ones; of larger ones between a bound from the second eigenvalue of the Laplacian, or a published one, and the best
// half that a search finds.
#include "host/routes/edge_forwarding_index.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>
#include <tuple>

namespace tailback {
namespace {

/// Halves of the vertices of a network, and how many cables part them. Where hosts forward (or there is one switch) the
/// vertices are hosts, every cable counts, and a switch stands on the side that costs fewer of its cables. Elsewhere
/// the vertices are switches, with all their hosts on their side, and cables between switches count.
class Halves {
public:
    explicit Halves(std::string const& spec) {
        Topology const topology = make_topology(spec);
        Network const& network = topology.network;
        bool const of_hosts = topology.hosts_do == HostsDo::forward || network.switches() == 1;
        NodeKind const kind = of_hosts ? NodeKind::adapter : NodeKind::switch_node;
        std::vector<std::uint32_t> vertex(network.nodes().size());
        for (std::size_t n = 0; n < network.nodes().size(); ++n)
            if (network[Node{n}].kind == kind) vertex[n] = vertices_++;
        std::vector<std::vector<std::uint32_t>> of_switch(network.nodes().size());
        for (LinkRecord const& link : network.links()) {
            if (network[link.from].kind != kind) continue;
            if (network[link.to].kind != kind) {
                if (of_hosts) of_switch[link.to.value].push_back(vertex[link.from.value]);
            } else if (link.from.value < link.to.value) {
                groups_.push_back({vertex[link.from.value], vertex[link.to.value]});
            }
        }
        for (std::vector<std::uint32_t>& group : of_switch)
            if (!group.empty()) groups_.push_back(std::move(group));
        groups_of_.resize(vertices_);
        for (std::uint32_t g = 0; g < groups_.size(); ++g)
            for (std::uint32_t const v : groups_[g]) groups_of_[v].push_back(g);
    }

    std::size_t vertices() const { return vertices_; }
    std::size_t cables() const { return groups_.size(); }

    /// The least over all halves; of an odd number of vertices one side has one more.
    std::size_t least() const {
        EXPECT_LE(vertices_, 24u);
        std::vector<std::pair<std::uint32_t, int>> masks;
        for (std::vector<std::uint32_t> const& group : groups_) {
            std::uint32_t mask = 0;
            for (std::uint32_t const v : group) mask |= 1u << v;
            masks.emplace_back(mask, std::popcount(mask));
        }
        int best = std::numeric_limits<int>::max();
        // All numbers with so many bits, each the next larger one.
        for (std::uint32_t set = (1u << vertices_ / 2) - 1; set < 1u << vertices_;) {
            int cut = 0;
            for (auto const& [mask, size] : masks) {
                int const inside = std::popcount(mask & set);
                cut += std::min(inside, size - inside);
            }
            best = std::min(best, cut);
            std::uint32_t const low = set & (0 - set), up = set + low;
            set = (((up ^ set) >> 2) / low) | up;
        }
        return std::size_t(best);
    }

    /// Of the half that is the first vertices.
    std::size_t of_first_half() {
        return of_half([&](std::uint32_t v) { return v < vertices_ / 2; });
    }

    /// @param inside says of a vertex whether it is in the half; so many as half of them are.
    template <class Inside>
    std::size_t of_half(Inside&& inside) {
        inside_.assign(vertices_, false);
        count_.assign(groups_.size(), 0);
        cut_ = 0;
        std::size_t many = 0;
        for (std::uint32_t v = 0; v < vertices_; ++v)
            if (inside(v)) toggle(v), ++many;
        EXPECT_EQ(many, vertices_ / 2);
        return std::size_t(cut_);
    }

    /// The least found by exchanging two vertices as long as that helps, from the first half and from shuffled ones: no
    /// less than the bisection.
    std::size_t found() {
        std::mt19937 random(1);
        std::vector<std::uint32_t> rank(vertices_);
        for (std::uint32_t v = 0; v < vertices_; ++v) rank[v] = v;
        int best = std::numeric_limits<int>::max();
        for (int start = 0; start < 6; ++start) {
            of_half([&](std::uint32_t v) { return rank[v] < vertices_ / 2; });
            while (improve()) {
            }
            best = std::min(best, cut_);
            for (std::size_t i = vertices_; i > 1; --i) std::swap(rank[i - 1], rank[random() % i]);
        }
        return std::size_t(best);
    }

    /// The mean over all halves of a network whose every group is a cable: the bisection is no more.
    double mean() const {
        double const a = double(vertices_ / 2), n = double(vertices_);
        return double(groups_.size()) * 2 * a * (n - a) / (n * (n - 1));
    }

    /// Second smallest eigenvalue of the Laplacian of a network whose every group is a cable, by power iteration.
    double second_eigenvalue() const {
        std::size_t degree = 0;
        for (std::vector<std::uint32_t> const& groups : groups_of_) degree = std::max(degree, groups.size());
        std::mt19937 random(1);
        std::vector<double> x(vertices_), y(vertices_);
        for (double& value : x) value = double(random() % 1000);
        double eigenvalue = 0;
        for (int step = 0; step < 3000; ++step) {
            double mean = 0, norm = 0;
            for (double const value : x) mean += value / double(vertices_);
            for (double& value : x) value -= mean, norm += value * value;
            for (double& value : x) value /= std::sqrt(norm);
            for (std::size_t v = 0; v < vertices_; ++v) y[v] = 2.0 * double(degree) * x[v];
            for (std::vector<std::uint32_t> const& cable : groups_) {
                double const slope = x[cable[0]] - x[cable[1]];
                y[cable[0]] -= slope, y[cable[1]] += slope;
            }
            double quotient = 0;
            for (std::size_t v = 0; v < vertices_; ++v) quotient += x[v] * y[v];
            eigenvalue = 2.0 * double(degree) - quotient;
            x.swap(y);
        }
        return eigenvalue;
    }

    /// Fiedler: a set S of N vertices is parted from the rest by at least eigenvalue * |S| (N - |S|) / N cables.
    std::size_t bound(double eigenvalue) const {
        double const a = double(vertices_ / 2), n = double(vertices_);
        return std::size_t(std::ceil(eigenvalue * a * (n - a) / n - 1e-6));
    }

private:
    int cost(std::uint32_t g) const { return std::min(count_[g], int(groups_[g].size()) - count_[g]); }
    void toggle(std::uint32_t v) {
        inside_[v] = !inside_[v];
        for (std::uint32_t const g : groups_of_[v]) {
            cut_ -= cost(g);
            count_[g] += inside_[v] ? 1 : -1;
            cut_ += cost(g);
        }
    }
    bool improve() {
        bool improved = false;
        for (std::uint32_t a = 0; a < vertices_; ++a)
            for (std::uint32_t b = a + 1; b < vertices_; ++b) {
                if (inside_[a] == inside_[b]) continue;
                int const before = cut_;
                toggle(a), toggle(b);
                if (cut_ < before) improved = true;
                else toggle(a), toggle(b);
            }
        return improved;
    }

    std::uint32_t vertices_ = 0;
    std::vector<std::vector<std::uint32_t>> groups_;  // the vertices of a cable or of a switch
    std::vector<std::vector<std::uint32_t>> groups_of_;
    std::vector<bool> inside_;
    std::vector<int> count_;  // of each group, inside
    int cut_ = 0;
};

/// One switch: half of its cables.
TEST(BisectionBounds, OfACrossbar) {
    EXPECT_EQ(Halves("crossbar:8").least(), 4u);
    EXPECT_EQ(Halves("crossbar:13").least(), 6u);
}

/// A bound and a found cut around the least over all halves: 2a x a with twist a has the second eigenvalue
/// min(4 - 4 cos(pi/a), 2 - 2 cos(2 pi/a)), and both straight cuts cost 4a.
TEST(BisectionBounds, OfTwistedTori) {
    for (int const a : {3, 4, 6}) {
        Halves halves("twisted-torus:" + std::to_string(2 * a) + "x" + std::to_string(a));
        double const angle = std::numbers::pi / a;
        double const second = std::min(4 - 4 * std::cos(angle), 2 - 2 * std::cos(2 * angle));
        EXPECT_NEAR(halves.second_eigenvalue(), second, 1e-3) << a;
        std::size_t const found = halves.found();
        EXPECT_GE(found, halves.bound(second)) << a;
        EXPECT_LE(found, 4u * std::size_t(a)) << a;
        if (a == 3) {
            EXPECT_GE(halves.least(), halves.bound(second));
            EXPECT_LE(halves.least(), found);
        }
    }
}

/// Five midimew switches are a complete graph, six an octahedron; of more, an arc of half of them costs 2b + 2(b - 1).
TEST(BisectionBounds, OfMidimews) {
    EXPECT_EQ(Halves("midimew:5").least(), 6u);
    EXPECT_EQ(Halves("midimew:6").least(), 6u);
    for (auto const& [n, b] : std::vector<std::pair<int, std::size_t>>{{8, 2}, {13, 3}, {16, 3}}) {
        Halves halves("midimew:" + std::to_string(n));
        EXPECT_LE(halves.least(), 4 * b - 2) << n;
        EXPECT_GE(halves.least(), halves.bound(halves.second_eigenvalue())) << n;
    }
}

/// Slim Fly: the second eigenvalue of the Laplacian is q (of the McKay-Miller-Siran graphs), so that a half costs at
/// least q^3/2; q columns, as equally many of both kinds as can be, cost q^3/2, and q/2 more where q is odd.
TEST(BisectionBounds, OfSlimFlies) {
    for (std::uint32_t const q : {4u, 5u, 8u}) {
        Halves halves("slimfly:q=" + std::to_string(q));
        EXPECT_NEAR(halves.second_eigenvalue(), q, 1e-3) << q;
        EXPECT_EQ(halves.of_half([&](std::uint32_t v) { return v < q * q ? v / q < (q + 1) / 2 : v / q - q < q / 2; }),
                  (q * q * q + (q % 2 == 1 ? q : 0)) / 2)
            << q;
    }
}

/// PolarFly: with loops at its quadrics A^2 = J + q I, so that the second eigenvalue of the Laplacian is q + 1 -
/// sqrt(q). Bounds alone: that one below, the mean over all halves above.
TEST(BisectionBounds, OfPolarFlies) {
    for (std::uint32_t const q : {3u, 4u, 5u, 7u}) {
        Halves halves("polarfly:q=" + std::to_string(q));
        double const second = q + 1 - std::sqrt(q);
        EXPECT_NEAR(halves.second_eigenvalue(), second, 1e-3) << q;
        EXPECT_GE(halves.found(), halves.bound(second)) << q;
        EXPECT_LE(double(halves.found()), halves.mean()) << q;
    }
}

/// HCN: n parts joined two by two, n^2/4 cables (n even) between the first half and the second. BCube: n^k/2 there;
/// for n = 2 a hypercube, so the least. DPillar: (n/2)^k when rows are parted by their highest digit (n/2 even). DCell
/// of two hosts a switch and one level is a ring. All but the two over all halves are cuts of one half: upper bounds.
TEST(BisectionBounds, OfServerCentricNetworks) {
    EXPECT_EQ(Halves("hcn:n=4,h=2").of_first_half(), 4u);
    EXPECT_EQ(Halves("bcube:n=4,k=2").of_first_half(), 8u);
    EXPECT_EQ(Halves("bcube:n=4,k=3").of_first_half(), 32u);
    EXPECT_EQ(Halves("bcube:n=2,k=4").least(), 8u);
    EXPECT_EQ(Halves("dcell:n=2,k=1").least(), 2u);
    EXPECT_EQ(Halves("dpillar:n=4,k=3").of_half([](std::uint32_t v) { return v % 8 < 4; }), 8u);
    EXPECT_EQ(Halves("dpillar:n=8,k=2").of_half([](std::uint32_t v) { return v % 16 < 8; }), 16u);
}

/// From any routing: the N^2/4 ordered pairs from one half to the other cross its cables, each of which carries at most as
/// many pairs one way as the busiest link does. @return that bound, by the balanced shortest routes of `sssp`.
std::size_t bound_by_routing(std::string const& spec) {
    Topology const topology = make_topology(spec);
    Fabric const fabric{topology.network, make_tables(topology, "sssp", 1), true};
    std::uint64_t busiest = 0;
    for (std::uint64_t const pairs : edge_forwarding_index(fabric)) busiest = std::max(busiest, pairs);
    std::uint64_t const hosts = topology.network.hosts().size(), pairs = hosts / 2 * (hosts - hosts / 2);
    return std::size_t((pairs + busiest - 1) / busiest);
}

/// Published lower bounds of the bisection: DCell (SIGCOMM 2008) more than t/(4 log_n t), FiConn (INFOCOM 2009) N/(4 * 2^k).
/// The least over all halves of small ones is above them, and above the bound by routing; of larger ones the best found half.
TEST(BisectionBounds, OfDCellAndFiConn) {
    auto const dcell = [](double t, double n) { return t / (4 * std::log(t) / std::log(n)); };
    for (auto const& [spec, published, least] : std::vector<std::tuple<std::string, double, bool>>{{"dcell:n=2,k=1", dcell(6, 2), true},
                                                                                                   {"dcell:n=3,k=1", dcell(12, 3), true},
                                                                                                   {"dcell:n=4,k=1", dcell(20, 4), true},
                                                                                                   {"dcell:n=5,k=1", dcell(30, 5), false},
                                                                                                   {"dcell:n=6,k=1", dcell(42, 6), false},
                                                                                                   {"dcell:n=2,k=2", dcell(42, 2), false},
                                                                                                   {"dcell:n=8,k=1", dcell(72, 8), false},
                                                                                                   {"ficonn:n=4,k=1", 12 / 8.0, true},
                                                                                                   {"ficonn:n=6,k=1", 24 / 8.0, true},
                                                                                                   {"ficonn:n=8,k=1", 40 / 8.0, false},
                                                                                                   {"ficonn:n=10,k=1", 60 / 8.0, false},
                                                                                                   {"ficonn:n=4,k=2", 48 / 16.0, false},
                                                                                                   {"ficonn:n=12,k=1", 84 / 8.0, false}}) {
        SCOPED_TRACE(spec);
        Halves halves(spec);
        std::size_t const found = halves.found();
        EXPECT_GE(double(found), published);
        EXPECT_GE(found, bound_by_routing(spec));
        if (!least) continue;
        EXPECT_EQ(halves.least(), found);
        EXPECT_GE(halves.least(), bound_by_routing(spec));
    }
}

/// BCN of gamma = h is copies of an HCN, each two joined by one cable. An even number C of copies parts into halves at C^2/4
/// cables. Exact over all halves where there are few; otherwise between the bound by routing and that.
TEST(BisectionBounds, OfBcns) {
    for (auto const& [alpha, beta, h] : std::vector<std::array<std::size_t, 3>>{
             {2, 1, 0}, {3, 1, 0}, {5, 1, 0}, {2, 3, 0}, {3, 3, 0}, {2, 5, 0}, {4, 5, 0}, {2, 7, 0}, {3, 1, 1}, {3, 3, 1}, {5, 1, 1}, {3, 1, 2}}) {
        std::size_t leaves = 1;
        for (std::size_t i = 0; i < h; ++i) leaves *= alpha;
        std::size_t const copies = leaves * beta + 1, hosts = leaves * (alpha + beta) * copies;
        std::string const spec = "bcn:alpha=" + std::to_string(alpha) + ",beta=" + std::to_string(beta) + ",h=" + std::to_string(h);
        SCOPED_TRACE(spec);
        ASSERT_EQ(copies % 2, 0u);
        Halves halves(spec);
        ASSERT_EQ(halves.vertices(), hosts);
        std::size_t const parted = halves.of_first_half();
        EXPECT_EQ(parted, copies * copies / 4);
        EXPECT_LE(bound_by_routing(spec), parted);
        if (hosts <= 20) { EXPECT_EQ(halves.least(), parted); }
    }
}

/// What is said of all server-centric networks on small ones: the least over all halves is at least the bound by routing.
TEST(BisectionBounds, OfSmallServerCentricNetworksByRouting) {
    for (std::string const spec : {"bcube:n=2,k=3", "bcube:n=3,k=2", "bcube:n=4,k=2", "bcube:n=2,k=4", "hcn:n=2,h=2", "hcn:n=3,h=1", "hcn:n=4,h=1", "hcn:n=2,h=3", "dpillar:n=4,k=2", "dpillar:n=6,k=2",
                                   "bcn:alpha=2,beta=2,h=0", "bcn:alpha=2,beta=1,h=1"}) {
        Halves halves(spec);
        std::size_t const least = halves.least();
        EXPECT_GE(least, bound_by_routing(spec)) << spec;
        EXPECT_LE(least, halves.found()) << spec;
    }
}

/// Bollobas, "The isoperimetric number of random regular graphs" (1988): of almost every r-regular graph a set of up to half of the n
/// vertices has at least r/2 - sqrt(r ln 2) cables a vertex to the others; a half has n/2 of them.
double bollobas(double n, double r) { return n * (r / 4 - std::sqrt(r * std::log(2)) / 2); }

/// The same question exactly, in the pairing model of random regular graphs: the least cut of which at least one half is expected. With
/// m = rn/2 ports on each side, k of them cross in C(m,k)^2 k! ways, and 2j ports pair among themselves in (2j)!/(2^j j!).
double expected_least(double n, double r) {
    auto const choose = [](double a, double b) { return std::lgamma(a + 1) - std::lgamma(b + 1) - std::lgamma(a - b + 1); };
    auto const pairings = [](double ports) { return std::lgamma(ports + 1) - ports / 2 * std::log(2) - std::lgamma(ports / 2 + 1); };
    double const m = r * n / 2, halves = choose(n, n / 2) - std::log(2);
    double expected = 0;
    for (double k = std::fmod(m, 2); k <= m; k += 2) {
        expected += std::exp(halves + 2 * choose(m, k) + std::lgamma(k + 1) + 2 * pairings(m - k) - pairings(2 * m));
        if (expected >= 1) return k;
    }
    return m;
}

/// Random graphs have no closed form: the found cut lies between the bound by the second eigenvalue, that by routing and the published
/// one, and the mean over all halves. The published one is no more than the least cut that is expected to be there at all.
TEST(BisectionBounds, OfJellyfish) {
    for (auto const& [n, r] : std::vector<std::pair<int, int>>{{10, 3}, {16, 4}, {20, 5}, {24, 6}, {30, 7}, {40, 6}, {50, 8}, {64, 10}, {80, 12}, {100, 6}, {100, 16}, {125, 24}})
        for (int const seed : {1, 2}) {
            std::string const spec = "jellyfish:switches=" + std::to_string(n) + ",degree=" + std::to_string(r) + ",seed=" + std::to_string(seed);
            SCOPED_TRACE(spec);
            Halves halves(spec);
            std::size_t const found = n <= 20 ? halves.least() : halves.found();
            EXPECT_GE(found, halves.bound(halves.second_eigenvalue()));
            EXPECT_GE(found, bound_by_routing(spec));
            EXPECT_GE(double(found), bollobas(n, r));
            EXPECT_LE(double(found), halves.mean());
        }
    for (auto const& [n, r] : std::vector<std::pair<int, int>>{{100, 3}, {100, 8}, {1000, 3}, {1000, 4}, {1000, 8}, {1000, 16}, {2000, 24}, {4000, 36}}) {
        EXPECT_LE(bollobas(n, r), expected_least(n, r)) << n << " " << r;
        EXPECT_LE(expected_least(n, r), n * r / 4.0) << n << " " << r;
    }
}

}  // namespace
}  // namespace tailback
