// What no tables can beat: bounds against optima that are known, against all tables of tiny fabrics, and the sums that
// prove them.
#include "host/api/obtain.hpp"
#include "host/search/bounds/fabric_bound.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "tests/support/networks/all_hosts.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>

namespace tailback::bound_test {
namespace {

FabricBound bound_of(Network const& network, BoundRoutes routes = BoundRoutes::shortest) {
    return find_fabric_bound(network, all_hosts(network), routes);
}

/// Proven by linear programs of HiGHS, or by hand.
TEST(LeastLoad, MeetsTheOptimaOfRegularNetworks) {
    for (auto const& [spec, optimum] : {std::pair{"xgft:m=18x36,w=1x18", 630.0},
                                        {"xgft:m=3x3,w=1x2", 9},
                                        {"torus:4x4x4,hosts=2", 128},
                                        {"torus:8x8", 64},
                                        {"torus:4x4", 8},
                                        {"mesh:3x3", 6},
                                        {"mesh:8x8", 128},
                                        {"ring:7", 6},
                                        {"hypercube:3", 4},
                                        {"dragonfly:a=2,p=2,h=1", 18}}) {
        Topology const topology = make_topology(spec);
        for (BoundRoutes const routes : {BoundRoutes::shortest, BoundRoutes::any}) {
            FabricBound const bound = bound_of(topology.network, routes);
            EXPECT_DOUBLE_EQ(bound.divided.value(), optimum) << spec;
            EXPECT_LE(bound.gap(), 1e-4) << spec;
            EXPECT_EQ(bound.divided, bound.sums.bound()) << spec;
        }
    }
}

TEST(LeastLoad, MeetsTheOptimaOfRealCablings) {
    auto const divided = [](std::string const& file) {
        NetworkChoice choice;
        choice.network = fixture(file);
        return bound_of(obtain({choice, Wanted::network}, {}).network);
    };
    FabricBound const tree = divided("sharing/ft3-324.ibnetdiscover.out.xz");
    EXPECT_EQ(tree.divided, (Fraction{306, 1}));
    EXPECT_EQ(tree.least, 306u);
    FabricBound const dragonfly = divided("opensm/dragonfly-a4p2h2/minhop/ibnetdiscover.out.xz");
    EXPECT_LE(dragonfly.divided.value(), 492.0 / 7);
    EXPECT_GE(dragonfly.divided.value(), 492.0 / 7 * (1 - 1e-4));
    EXPECT_EQ(dragonfly.least, 71u);
    EXPECT_EQ(divided("sharing/torus3d-444.ibnetdiscover.out.xz").divided, (Fraction{128, 1}));
}

/// Five hosts at the end of two cables to one switch: three of them share a cable, whatever the tables.
TEST(TableBound, OneDestinationTakesOneCableOfABundle) {
    Sketch net;
    Node const leaf = net.add_switch(8), spine = net.add_switch(32);
    for (int i = 0; i < 5; ++i) net.host_at(leaf);
    for (int i = 0; i < 12; ++i) net.host_at(spine);
    net.cable(leaf, spine), net.cable(leaf, spine);
    Fabric const fabric = net.route();
    for (BoundRoutes const routes : {BoundRoutes::shortest, BoundRoutes::any}) {
        FabricBound const bound = bound_of(fabric.network, routes);
        EXPECT_EQ(bound.divided, (Fraction{30, 1}));  // 5 x 12 over two cables
        EXPECT_TRUE(bound.is_by_whole());
        EXPECT_EQ(bound.least, 36u);  // 3 destinations of 12 sources
        EXPECT_EQ(bound.whole.destinations, 5u);
        EXPECT_EQ(bound.whole.sources, 12u);
        EXPECT_EQ(bound.at, spine);
        EXPECT_EQ(bound.next, leaf);
        ASSERT_EQ(bound.cables.size(), 1u);
        EXPECT_EQ(bound.cables[0].least, 24u);  // three cables: 2 destinations of 12, 4 of 5
    }
}

TEST(TableBound, CountsLidsAndRates) {
    Sketch lids;
    Node const a = lids.add_switch(8), b = lids.add_switch(8);
    lids.host_at(a, {}, 1), lids.host_at(b);
    lids.cable(a, b), lids.cable(a, b);
    FabricBound const two = bound_of(lids.route().network);
    EXPECT_EQ(two.least, 1u);  // two LIDs, a cable each

    Sketch rates;  // what 4 send to one goes over one cable, at best that of twice the rate
    Node const c = rates.add_switch(8), d = rates.add_switch(8);
    LinkRate const base = parse_link_rate("4xQDR"), twice = parse_link_rate("8xQDR");
    rates.host_at(c, base);
    for (int i = 0; i < 4; ++i) rates.host_at(d, base);
    rates.cable(c, d, base), rates.cable(c, d, twice);
    Fabric const fabric = rates.route();
    SwitchGraph const graph(fabric.network, all_hosts(fabric.network), CapacityKind::from_rates);
    Bundles const bundles(graph);
    EXPECT_EQ(find_table_bound(bundles, BoundRoutes::shortest).load, (Fraction{2, 1}));
    LoadBound const divided = find_load_bound(bundles, Demand::all_pairs(graph), BoundRoutes::shortest);
    EXPECT_EQ(divided.bound, (Fraction{4, 3}));
    EXPECT_NEAR(divided.upper, 4.0 / 3, 1e-9);
}

/// Every table of shortest routes: for every switch and LID each port that leads nearer. Gives the least largest load.
std::uint64_t least_of_all_tables(SwitchGraph const& graph) {
    struct Entry {
        std::uint32_t seat, at;
        std::vector<std::uint32_t> arcs;
    };
    std::vector<Entry> entries;
    std::vector<std::vector<std::uint32_t>> away;
    for (std::uint32_t i = 0; i < graph.seats().size(); ++i) {
        away.push_back(graph.distances_to(graph.seats()[i].at));
        for (std::uint32_t s = 0; s < graph.switches(); ++s) {
            if (s == graph.seats()[i].at || away[i][s] == SwitchGraph::none) continue;
            Entry entry{i, s, {}};
            for (std::uint32_t a = graph.first_arc(s); a < graph.first_arc(s + 1); ++a)
                if (away[i][graph[a].to] < away[i][s]) entry.arcs.push_back(a);
            entries.push_back(std::move(entry));
        }
    }
    double tables = 1;
    for (Entry const& entry : entries) tables *= double(entry.arcs.size());
    if (tables > 4000) return 0;  // too many
    std::uint64_t least = ~std::uint64_t{0};
    std::vector<std::size_t> chosen(entries.size());
    for (bool more = true; more;) {
        std::vector<std::uint64_t> load(graph.arcs().size());
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> port;
        for (std::size_t e = 0; e < entries.size(); ++e)
            port[{entries[e].seat, entries[e].at}] = entries[e].arcs[chosen[e]];
        for (std::uint32_t d = 0; d < graph.seats().size(); ++d)
            for (Seat const& source : graph.seats())
                for (std::uint32_t s = source.at; s != graph.seats()[d].at && away[d][s] != SwitchGraph::none;
                     s = graph[port[{d, s}]].to)
                    ++load[port[{d, s}]];
        least = std::min(least, *std::max_element(load.begin(), load.end()));
        more = false;
        for (std::size_t e = 0; e < entries.size() && !more; ++e) {
            more = ++chosen[e] < entries[e].arcs.size();
            if (!more) chosen[e] = 0;
        }
    }
    return least;
}

TEST(FabricBound, NoTableOfATinyFabricIsBelowIt) {
    Dice dice;
    int met = 0, tried = 0, whole = 0;
    for (int round = 0; round < 400; ++round) {
        Sketch net;
        std::vector<Node> switches;
        std::uint32_t const count = 2 + dice(4);
        for (std::uint32_t i = 0; i < count; ++i) {
            switches.push_back(net.add_switch(20));
            for (std::uint32_t hosts = dice(4); hosts > 0; --hosts) net.host_at(switches.back());
            if (i > 0) net.cable(switches[i], switches[dice(i)]);
        }
        for (std::uint32_t more = dice(5); more > 0; --more)
            if (std::uint32_t const a = dice(count), b = dice(count); a != b) net.cable(switches[a], switches[b]);
        if (net.hosts() < 2) continue;
        Fabric const fabric = net.route();
        SwitchGraph const graph(fabric.network, all_hosts(fabric.network), CapacityKind::unit);
        std::uint64_t const best = least_of_all_tables(graph);
        if (best == 0) continue;
        FabricBound const bound = bound_of(fabric.network);
        ASSERT_LE(bound.least, best) << round;
        EXPECT_LE(bound_of(fabric.network, BoundRoutes::any).least, bound.least) << round;
        ++tried;
        met += bound.least == best;
        whole += bound.is_by_whole();
    }
    EXPECT_GT(tried, 150);
    EXPECT_GT(whole, 20);
    EXPECT_GT(met * 100, tried * 85);  // it is near the truth as a rule
}

TEST(LeastLoad, OfDemandsOfItsOwn) {
    Topology const ring = make_topology("ring:6");
    SwitchGraph const graph(ring.network, all_hosts(ring.network), CapacityKind::unit);
    Bundles const bundles(graph);
    auto const at = [&](std::uint32_t s) { return graph.seats_at(s).front(); };
    std::vector<SeatFlow> const flows = {{at(0), at(1), 6}, {at(0), at(3), 4}, {at(2), at(2), 9}};
    Demand const demand = Demand::of_flows(graph, flows);
    EXPECT_EQ(demand.total(), 10u);
    // 6 go on to the neighbour; the 4 divide as 0 : 4 at best, so the link to the neighbour keeps 6.
    EXPECT_EQ(find_load_bound(bundles, demand, BoundRoutes::shortest).bound, (Fraction{6, 1}));
    // By any routes all 10 leave by two links.
    EXPECT_EQ(find_load_bound(bundles, demand, BoundRoutes::any).bound, (Fraction{5, 1}));
}

TEST(LeastLoad, IsSmallWhereItMayNotTakeMemory) {
    Topology const mesh = make_topology("mesh:8x8");
    SwitchGraph const graph(mesh.network, all_hosts(mesh.network), CapacityKind::unit);
    Bundles const bundles(graph);
    LoadBound const bound =
        find_load_bound(bundles, Demand::all_pairs(graph), BoundRoutes::shortest, {.most_ways = 1000});
    EXPECT_EQ(bound.upper, 0);
    EXPECT_EQ(bound.gap(), 0);
    EXPECT_GT(bound.bound.value(), 90);  // by one price for all links
    EXPECT_LE(bound.bound.value(), 128);
}

TEST(LeastLoad, HeedsAWishToStop) {
    Topology const torus = make_topology("torus:6x6");
    std::atomic<bool> const wish = true;
    StopWish::Scope const scope(wish);
    EXPECT_THROW(bound_of(torus.network), Stopped);
}

TEST(LeastLoad, NothingGoesBetweenSwitchesOfACrossbar) {
    Topology const star = make_topology("crossbar:4");
    FabricBound const bound = bound_of(star.network);
    EXPECT_EQ(bound.least, 0u);
    EXPECT_TRUE(bound.prices.empty());
}

TEST(Fraction, OrderedWithoutProducts) {
    Whole const large = Whole{1} << 126;
    EXPECT_TRUE((Fraction{1, 3} < Fraction{1, 2}));
    EXPECT_FALSE((Fraction{1, 2} < Fraction{1, 3}));
    EXPECT_FALSE((Fraction{2, 3} < Fraction{2, 3}));
    EXPECT_TRUE((Fraction{0, 1} < Fraction{1, 9}));
    EXPECT_FALSE((Fraction{1, 9} < Fraction{0, 1}));
    EXPECT_FALSE((Fraction{0, 1} < Fraction{0, 1}));
    EXPECT_TRUE((Fraction{2, 1} < Fraction{7, 3}));
    EXPECT_FALSE((Fraction{7, 3} < Fraction{2, 1}));
    EXPECT_TRUE((Fraction{large - 1, large} < Fraction{large, large - 1}));
    EXPECT_EQ(fraction(12, 8), (Fraction{3, 2}));
    EXPECT_EQ(fraction(0, 8), (Fraction{0, 1}));
    EXPECT_EQ((Fraction{7, 3}).rounded_up(), 3u);
    EXPECT_EQ(text_of(Whole{1} << 64), "18446744073709551616");
    for (int a = 0; a < 12; ++a)
        for (int b = 1; b < 12; ++b)
            for (int c = 0; c < 12; ++c)
                for (int d = 1; d < 12; ++d)
                    ASSERT_EQ((fraction(Whole(a), Whole(b)) < fraction(Whole(c), Whole(d))), a * d < c * b);
}

}  // namespace
}  // namespace tailback::bound_test
