// The effective bisection bandwidth by formula and its bound, against all pairings of few hosts and drawn ones of many.
#include "host/api/obtain.hpp"
#include "host/search/bisection/bisection_bound.hpp"
#include "host/search/bisection/expected_bisection.hpp"
#include "host/search/bisection/shared_routes.hpp"
#include "tests/support/networks/all_hosts.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>

namespace tailback::bisection_test {
namespace {

/// Routes of tables between seats, walked here, and what a mapping makes of them.
class Walked {
public:
    explicit Walked(Fabric const& fabric) : graph(fabric.network, all_hosts(fabric.network), CapacityKind::unit) {
        std::size_t const hosts = graph.seats().size();
        load.resize(graph.arcs().size());
        for (std::size_t s = 0; s < hosts; ++s)
            for (std::size_t d = 0; d < hosts; ++d) {
                std::vector<std::uint32_t>& route = routes.emplace_back();
                Lid const lid = fabric.network[graph.seats()[d].host].lid;
                for (std::uint32_t at = graph.seats()[s].at; at != graph.seats()[d].at; at = graph[route.back()].to) {
                    Link const link = fabric.network.link_at(graph.node(at), fabric.tables.port(graph.node(at), lid));
                    route.push_back(graph.arc_of(link));
                    if (route.size() > 64) throw std::runtime_error("a loop");
                }
            }
    }
    /// `order`: hosts; each of the odd places sends to the one before.
    double bandwidth(std::vector<std::uint32_t> const& order) {
        std::fill(load.begin(), load.end(), 0);
        std::size_t const flows = order.size() / 2;
        for (std::size_t i = 0; i < flows; ++i)
            for (std::uint32_t const arc : route(order, i)) ++load[arc];
        double sum = 0;
        for (std::size_t i = 0; i < flows; ++i) {
            std::uint32_t most = 1;
            for (std::uint32_t const arc : route(order, i)) most = std::max(most, load[arc]);
            sum += 1.0 / most;
        }
        return sum / double(flows);
    }
    std::vector<std::uint32_t> const& route(std::vector<std::uint32_t> const& order, std::size_t flow) const {
        return routes[order[2 * flow + 1] * graph.seats().size() + order[2 * flow]];
    }
    std::vector<std::uint32_t> first_order() const {
        std::vector<std::uint32_t> order(graph.seats().size());
        for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
        return order;
    }
    double exact() {
        std::vector<std::uint32_t> order = first_order();
        double sum = 0, count = 0;
        do sum += bandwidth(order), ++count;
        while (std::next_permutation(order.begin(), order.end()));
        return sum / count;
    }
    double drawn(int mappings, Dice& dice) {
        std::vector<std::uint32_t> order = first_order();
        double sum = 0;
        for (int m = 0; m < mappings; ++m) {
            for (std::uint32_t i = static_cast<std::uint32_t>(order.size()); i > 1; --i)
                std::swap(order[i - 1], order[dice(i)]);
            sum += bandwidth(order);
        }
        return sum / mappings;
    }

    SwitchGraph graph;
    std::vector<std::vector<std::uint32_t>> routes;
    std::vector<std::uint32_t> load;
};

Fabric routed(std::string const& spec, std::string const& routing) {
    NetworkChoice choice(spec);
    choice.routing = RoutingSpec(routing);
    return obtain({choice}, {});
}

/// Two leaves of so many hosts, and two spines.
Fabric small_tree(int hosts) {
    Sketch net;
    Node const leaves[] = {net.add_switch(), net.add_switch()}, spines[] = {net.add_switch(), net.add_switch()};
    for (int i = 0; i < hosts; ++i) net.host_at(leaves[i % 2]);
    for (Node const leaf : leaves)
        for (Node const spine : spines) net.cable(leaf, spine);
    return net.route();
}

TEST(ExpectedBisection, MomentsAreThoseOfAllPairings) {
    for (int const hosts : {6, 7, 8}) {
        Fabric const fabric = small_tree(hosts);
        Walked walked(fabric);
        SharedRoutes const routes(walked.graph, fabric.tables);
        ASSERT_TRUE(routes.all_delivered());
        std::vector<double> mean(walked.load.size()), pairs(walked.load.size());
        std::vector<std::uint32_t> order = walked.first_order();
        double count = 0;
        do {
            walked.bandwidth(order), ++count;
            for (std::size_t a = 0; a < mean.size(); ++a) {
                double const n = walked.load[a];
                mean[a] += n, pairs[a] += n * (n - 1);
            }
        } while (std::next_permutation(order.begin(), order.end()));
        for (std::uint32_t a = 0; a < mean.size(); ++a) {
            EXPECT_NEAR(routes.moments(a).mean, mean[a] / count, 1e-12) << hosts;
            EXPECT_NEAR(routes.moments(a).pairs, pairs[a] / count, 1e-12) << hosts;
        }
        ExpectedBisection const expected = expect_bisection(walked.graph, fabric.tables);
        EXPECT_NEAR(expected.mean, walked.exact(), 0.03) << hosts;
        double sum = 0;
        for (double const one : expected.congestion) sum += one;
        EXPECT_NEAR(sum, 1, 1e-9);
    }
}

TEST(ExpectedBisection, IsThatOfDrawnMappings) {
    struct Case {
        char const *spec, *routing;
        double within;
    };
    Dice dice;
    for (Case const& one : {Case{"xgft:m=8x8,w=1x4", "minhop", 0.004},
                            {"xgft:m=8x8,w=1x8", "dmodk", 0.004},
                            {"xgft:m=4x4x4,w=1x2x4", "updn", 0.005},
                            {"torus:4x4,hosts=4", "dor", 0.006},
                            {"torus:4x4x4,hosts=1", "minhop", 0.006},
                            {"dragonfly:a=4,p=2,h=2", "minimal", 0.006},
                            {"hypercube:6", "dor", 0.006},
                            {"jellyfish:switches=16,degree=4,hosts=4,seed=2", "sssp", 0.006}}) {
        Fabric const fabric = routed(one.spec, one.routing);
        Walked walked(fabric);
        ExpectedBisection const expected = expect_bisection(walked.graph, fabric.tables);
        ASSERT_EQ(expected.missing, "");
        EXPECT_EQ(expected.pairs, expected.all);
        EXPECT_NEAR(expected.mean, walked.drawn(6000, dice), one.within) << one.spec << " " << one.routing;
        EXPECT_LE(expected.mean, bisection_bound(walked.graph) + 0.006) << one.spec;
        // A part of the pairs gives nearly the same.
        ExpectedBisection const part = expect_bisection(walked.graph, fabric.tables, {.most_pairs = expected.all / 3});
        EXPECT_LT(part.pairs, expected.all / 2);
        EXPECT_NEAR(part.mean, expected.mean, 0.02) << one.spec;
    }
}

TEST(ExpectedBisection, OneFlowHasAllForItself) {
    Fabric const fabric = small_tree(3);
    Walked walked(fabric);
    ExpectedBisection const expected = expect_bisection(walked.graph, fabric.tables);
    EXPECT_DOUBLE_EQ(expected.mean, 1);
    EXPECT_DOUBLE_EQ(expected.congestion[1], 1);
}

TEST(ExpectedBisection, SaysWhyThereIsNone) {
    Fabric fabric = small_tree(6);
    SwitchGraph const graph(fabric.network, all_hosts(fabric.network), CapacityKind::unit);
    EXPECT_EQ(expect_bisection(graph, fabric.tables, {.most_bytes = 10}).missing,
              "counting what routes share would take too much memory");
    Seat const& seat = graph.seats()[0];
    fabric.tables.set(graph.node(1 - seat.at), fabric.network[seat.host].lid, ForwardingTables::no_entry);
    EXPECT_EQ(expect_bisection(graph, fabric.tables).missing, "some pairs are not delivered");
}

/// Every destination by a port of its own choice among those that lead nearer.
void draw_tables(Fabric& fabric, SwitchGraph const& graph, Dice& dice) {
    for (Seat const& seat : graph.seats()) {
        std::vector<std::uint32_t> const away = graph.distances_to(seat.at);
        for (std::uint32_t s = 0; s < graph.switches(); ++s) {
            std::vector<Port> ports;
            for (Arc const& arc : graph.arcs_of(s))
                if (away[arc.to] < away[s]) ports.push_back(fabric.network[arc.link].from_port);
            if (!ports.empty())
                fabric.tables.set(graph.node(s), fabric.network[seat.host].lid,
                                  ports[dice(static_cast<std::uint32_t>(ports.size()))]);
        }
    }
}

TEST(BisectionBound, NoTablesOfSixHostsAreAboveIt) {
    Fabric fabric = small_tree(6);
    SwitchGraph const graph(fabric.network, all_hosts(fabric.network), CapacityKind::unit);
    double const bound = bisection_bound(graph);
    double best = 0;
    for (std::uint32_t table = 0; table < 64; ++table) {  // a port for each leaf and each host of the other
        std::uint32_t bit = 0;
        for (Seat const& seat : graph.seats()) {
            std::uint32_t const leaf = 1 - seat.at;
            Arc const& arc = graph.arcs_of(leaf)[table >> bit++ & 1];
            fabric.tables.set(graph.node(leaf), fabric.network[seat.host].lid, fabric.network[arc.link].from_port);
        }
        best = std::max(best, Walked(fabric).exact());
    }
    EXPECT_LE(best, bound + 1e-12);
    EXPECT_GT(best, bound - 0.03);
}

TEST(BisectionBound, IsThatOfTheTrials) {
    NetworkChoice choice;
    for (auto const& [file, bound] : {std::pair{"opensm/ft2-16/minhop/ibnetdiscover.out.xz", 0.910490},
                                      {"sharing/ft3-324.ibnetdiscover.out.xz", 0.8225}}) {
        choice.network = fixture(file);
        Network const network = obtain({choice, Wanted::network}, {}).network;
        SwitchGraph const graph(network, all_hosts(network), CapacityKind::unit);
        EXPECT_NEAR(bisection_bound(graph), bound, bound == 0.910490 ? 1e-6 : 5e-5) << file;
    }
}

TEST(BisectionBound, DrawnTablesAreBelowIt) {
    Dice dice;
    for (char const* const spec : {"xgft:m=4x4,w=1x4", "xgft:m=4x4,w=1x2", "torus:3x3,hosts=2"}) {
        Fabric fabric = routed(spec, "minhop");
        SwitchGraph const graph(fabric.network, all_hosts(fabric.network), CapacityKind::unit);
        double const bound = bisection_bound(graph);
        for (int i = 0; i < 300; ++i) {
            draw_tables(fabric, graph, dice);
            ASSERT_LE(expect_bisection(graph, fabric.tables).mean, bound + 0.004) << spec;
        }
    }
}

}  // namespace
}  // namespace tailback::bisection_test
