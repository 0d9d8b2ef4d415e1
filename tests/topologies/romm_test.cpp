// Two-phase ROMM (Nesson, Johnsson, SPAA 1995): in dimension order to a switch drawn uniformly among those of the
// minimal quadrant of source and destination, then in dimension order on.
#include "tests/support/networks/network_facts.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace tailback::romm_test {
namespace {

constexpr int k = 8;

/// Steps in one dimension of the 8-ary 2-cube: direction, how many, how likely.
struct Path {
    int direction, steps;
    double likely;
};
std::vector<Path> ways(int from, int to) {
    int const ahead = (to - from + k) % k;
    if (2 * ahead < k) return {{1, ahead, 1}};
    if (2 * ahead > k) return {{-1, k - ahead, 1}};
    return {{1, ahead, 0.5}, {-1, ahead, 0.5}};
}

/// A link between switches: where it begins, its dimension, its direction.
struct Step {
    int x, y, dimension, direction;
    auto operator<=>(Step const&) const = default;
};

/// How likely the route of a pair uses each link, straight from the definition.
std::map<Step, double> law(int s, int d) {
    std::map<Step, double> likely;
    for (Path const& in_x : ways(s % k, d % k))
        for (Path const& in_y : ways(s / k, d / k))
            for (int mx = 0; mx <= in_x.steps; ++mx)
                for (int my = 0; my <= in_y.steps; ++my) {
                    int x = s % k, y = s / k;
                    double const weight = in_x.likely * in_y.likely / ((in_x.steps + 1) * (in_y.steps + 1));
                    for (auto const& [steps_x, steps_y] :
                         {std::pair(mx, my), std::pair(in_x.steps - mx, in_y.steps - my)}) {
                        for (int i = 0; i < steps_x; ++i, x = (x + in_x.direction + k) % k)
                            likely[{x, y, 0, in_x.direction}] += weight;
                        for (int i = 0; i < steps_y; ++i, y = (y + in_y.direction + k) % k)
                            likely[{x, y, 1, in_y.direction}] += weight;
                    }
                }
    return likely;
}

/// The links between switches that a route takes.
std::vector<Step> steps_of(Network const& net, std::vector<Link> const& links) {
    std::vector<Step> steps;
    std::size_t const hosts = net.hosts().size();
    for (Link const link : links) {
        LinkRecord const& l = net[link];
        if (net[l.from].kind != NodeKind::switch_node || net[l.to].kind != NodeKind::switch_node) continue;
        int const v = int(l.from.value - hosts);
        steps.push_back({v % k, v / k, int(l.from_port - 2) / 2, l.from_port % 2 == 0 ? 1 : -1});
    }
    return steps;
}

TEST(Romm, IsMinimalAndDelivers) {
    for (std::string const spec : {"torus:8x8", "torus:5x4x3,hosts=2", "mesh:4x5,hosts=3", "torus:2x6", "torus:1x7",
                                   "ring:n=9", "ring:n=6,links=one", "torus:4x3,links=one"})
        for (std::string const routing :
             {"romm",
              spec.find('x') == std::string::npos || spec == "torus:5x4x3,hosts=2" ? "romm" : "romm:order=yx"}) {
            SCOPED_TRACE(spec + " " + routing);
            Topology const topology = make_topology(spec);
            Fabric const fabric{topology.network, ForwardingTables(topology.network, 0), true,
                                make_routes(topology, {routing, 5}).routing};
            RoutedPairs const pairs = walk_all_pairs(fabric, false);
            EXPECT_EQ(pairs.failed, 0u) << pairs.first_failure;
            EXPECT_EQ(pairs.longer, 0u);
        }
}

// Over many seeds the links of a pair are as likely as the law says: middles are uniform, and so are ties.
TEST(Romm, DrawsMiddlesUniformly) {
    Topology const topology = make_topology("torus:8x8");
    Network const& net = topology.network;
    int const seeds = 4000;
    for (auto const& [s, d] : std::vector<std::pair<int, int>>{{0, 27}, {5, 9}, {63, 34}, {10, 14}, {8, 40}}) {
        std::map<Step, double> share;
        for (int seed = 1; seed <= seeds; ++seed) {
            std::vector<Link> links;
            Routes const routes = make_routes(topology, {"romm", std::uint64_t(seed)});
            ASSERT_TRUE(dynamic_cast<PairRoutes const&>(*routes.routing)
                            .append(net, Host{std::size_t(s)}, Host{std::size_t(d)}, links));
            for (Step const& step : steps_of(net, links)) share[step] += 1.0 / seeds;
        }
        std::map<Step, double> const wanted = law(s, d);
        EXPECT_EQ(share.size(), wanted.size()) << s << " " << d;  // all within the quadrant, and all of it
        for (auto const& [step, likely] : wanted)
            EXPECT_NEAR(share[step], likely, 5 * std::sqrt(likely * (1 - likely) / seeds) + 1e-9) << s << " " << d;
    }
}

/// The largest sum of weights of a permutation: Kuhn's Hungarian method.
double heaviest_permutation(std::vector<std::vector<double>> const& weight) {
    std::size_t const n = weight.size();
    std::vector<double> row(n + 1), column(n + 1);
    std::vector<std::size_t> match(n + 1), way(n + 1);
    for (std::size_t i = 1; i <= n; ++i) {
        match[0] = i;
        std::size_t at = 0;
        std::vector<double> least(n + 1, std::numeric_limits<double>::infinity());
        std::vector<bool> used(n + 1);
        do {
            used[at] = true;
            std::size_t next = 0;
            double delta = std::numeric_limits<double>::infinity();
            for (std::size_t j = 1; j <= n; ++j) {
                if (used[j]) continue;
                double const cost = -weight[match[at] - 1][j - 1] - row[match[at]] - column[j];
                if (cost < least[j]) least[j] = cost, way[j] = at;
                if (least[j] < delta) delta = least[j], next = j;
            }
            for (std::size_t j = 0; j <= n; ++j) {
                if (used[j]) row[match[j]] += delta, column[j] -= delta;
                else least[j] -= delta;
            }
            at = next;
        } while (match[at] != 0);
        for (; at != 0; at = way[at]) match[at] = match[way[at]];
    }
    double sum = 0;
    for (std::size_t j = 1; j <= n; ++j) sum += weight[match[j] - 1][j - 1];
    return sum;
}

// Expected loads on the 8-ary 2-cube. Uniform traffic: 1 on every link. The heaviest permutation of a link (Towles,
// Dally 2002): 4.8, so that the throughput is 0.2083 of capacity. Published (Singh, Dally, Gupta, Towles, SPAA 2002):
// RLB has 25 % more than DOR's 0.25 in the worst case and 50 % more than two-phase ROMM: 0.25 * 1.25 / 1.5 = 0.2083.
TEST(Romm, LoadsOfTheLaw) {
    Step const in_x{0, 0, 0, 1}, in_y{0, 0, 1, 1};
    std::vector<std::vector<double>> weight_x(64, std::vector<double>(64)), weight_y = weight_x;
    std::map<Step, double> uniform, tornado, complement;
    for (int s = 0; s < 64; ++s)
        for (int d = 0; d < 64; ++d)
            for (auto const& [step, likely] : law(s, d)) {
                uniform[step] += likely / 64;
                if (step == in_x) weight_x[std::size_t(s)][std::size_t(d)] = likely;
                if (step == in_y) weight_y[std::size_t(s)][std::size_t(d)] = likely;
                if (d == s / 8 * 8 + (s + 3) % 8) tornado[step] += likely;
                if (d == 63 - s) complement[step] += likely;
            }
    auto const largest = [](std::map<Step, double> const& loads) {
        double most = 0;
        for (auto const& [step, load] : loads) most = std::max(most, load);
        return most;
    };
    for (auto const& [step, load] : uniform) EXPECT_NEAR(load, 1, 1e-9);
    EXPECT_NEAR(largest(tornado), 3, 1e-9);
    EXPECT_NEAR(largest(complement), 2.5, 1e-9);
    EXPECT_NEAR(heaviest_permutation(weight_x), 4.8, 1e-9);
    EXPECT_NEAR(heaviest_permutation(weight_y), 4.8, 1e-9);
}

}  // namespace
}  // namespace tailback::romm_test
