// Trees and moves: collisions are what their definition says, and a move changes them as a new count would.
#include "host/search/tables/trees.hpp"

#include "host/audit/loads/edge_forwarding_index.hpp"
#include "host/base/error.hpp"
#include "host/base/memory.hpp"
#include "host/model/routes/trace.hpp"
#include "host/search/bisection/expected_bisection.hpp"
#include "host/search/tables/moves.hpp"
#include "host/search/tables/rounds.hpp"
#include "host/search/tables/search_tables.hpp"
#include "host/search/tables/turns.hpp"
#include "tests/support/networks/all_hosts.hpp"
#include "tests/support/networks/routed_by_tables.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/failures.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace tailback::trees_test {
namespace {

Trees trees_of(SwitchGraph const& graph, Fabric const& fabric) {
    Trees trees(graph, targets_of_plane(graph, 0));
    trees.take(fabric.tables);
    return trees;
}

std::vector<Link> links_between(Fabric const& fabric, Host source, Host destination) {
    std::vector<Link> links;
    for (Link const link : trace_by_tables(fabric, source, fabric.network[destination].lid).links)
        if (fabric.network.is_switch(fabric.network[link].from) && fabric.network.is_switch(fabric.network[link].to))
            links.push_back(link);
    return links;
}

/// Stretches of links that two ways share one behind the other.
std::uint64_t shared_stretches(std::vector<Link> const& one, std::vector<Link> const& other) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < one.size(); ++i)
        for (std::size_t j = 0; j < other.size(); ++j)
            count += one[i] == other[j] && (i == 0 || j == 0 || one[i - 1] != other[j - 1]);
    return count;
}

TEST(Trees, CollisionsAreTheMeanOverAllPermutations) {
    int differ = 0;  // networks where some flows meet on several links in a row
    for (char const* const spec : {"ring:7", "xgft:m=3x3,w=1x2", "jellyfish:switches=6,degree=3,hosts=1"}) {
        Fabric const fabric = routed_by_tables(spec, "minhop");
        std::vector<Host> hosts = all_hosts(fabric.network);
        if (hosts.size() > 7) hosts.erase(hosts.begin() + 4, hosts.begin() + 4 + std::ptrdiff_t(hosts.size() - 7));
        SwitchGraph const graph(fabric.network, hosts, CapacityKind::unit);
        Trees const trees = trees_of(graph, fabric);

        std::vector<std::vector<std::vector<Link>>> ways(hosts.size());
        for (std::size_t i = 0; i < hosts.size(); ++i)
            for (std::size_t j = 0; j < hosts.size(); ++j) {
                ways[i].emplace_back();
                if (i != j) ways[i][j] = links_between(fabric, hosts[i], hosts[j]);
            }
        std::vector<std::size_t> to(hosts.size());
        std::iota(to.begin(), to.end(), std::size_t{0});
        // A pair of flows is together in N! / (N (N - 1)) permutations, those with fixed points among them.
        std::uint64_t meetings = 0, stretches = 0, permutations = 0;
        do {
            std::vector<std::uint64_t> flows(fabric.network.links().size());
            for (std::size_t s = 0; s < to.size(); ++s)
                for (Link const link : ways[s][to[s]]) ++flows[link.value];
            for (std::uint64_t const n : flows) meetings += n * (n - 1) / 2;
            for (std::size_t s = 0; s < to.size(); ++s)
                for (std::size_t t = 0; t < s; ++t) stretches += shared_stretches(ways[s][to[s]], ways[t][to[t]]);
            ++permutations;
        } while (std::next_permutation(to.begin(), to.end()));
        EXPECT_DOUBLE_EQ(trees.per_permutation(trees.collisions_by_link()), double(meetings) / double(permutations))
            << spec;
        EXPECT_DOUBLE_EQ(trees.per_permutation(trees.collisions()), double(stretches) / double(permutations)) << spec;
        EXPECT_GE(meetings, stretches) << spec;
        EXPECT_GT(stretches, 0u) << spec;
        differ += meetings > stretches;
    }
    EXPECT_GT(differ, 0);
}

TEST(Trees, LoadsAreThoseOfTheAudit) {
    for (char const* const spec :
         {"torus:4x4", "xgft:m=4x4x2,w=1x2x2", "dragonfly:a=4,p=2,h=2", "hyperx:sizes=2x3,hosts=2,cables=2"}) {
        Fabric const fabric = routed_by_tables(spec, "minhop");
        SwitchGraph const graph(fabric.network, all_hosts(fabric.network), CapacityKind::unit);
        Trees const trees = trees_of(graph, fabric);
        std::vector<std::uint64_t> const index = edge_forwarding_index(fabric);
        std::uint64_t largest = 0;
        for (std::uint32_t a = 0; a < graph.arcs().size(); ++a) {
            EXPECT_EQ(trees.load(a), index[graph[a].link.value]) << spec;
            largest = std::max(largest, trees.load(a));
        }
        EXPECT_EQ(trees.largest_load(), largest);
        EXPECT_EQ(trees.lost(), 0u);
    }
}

TEST(Trees, BrokenTreesAreCutWhereTheyLeadNowhere) {
    Fabric fabric = routed_by_tables("ring:7", "minhop");
    Network const& net = fabric.network;
    SwitchGraph const graph(net, all_hosts(net), CapacityKind::unit);
    Lid const lid = net[Host{0}].lid;
    std::uint32_t const home = graph.seats()[0].at;
    std::uint32_t const next = graph[graph.first_arc(home)].to;  // a neighbour sends away from the target: a loop
    for (Arc const& arc : graph.arcs_of(next))
        if (arc.to != home) fabric.tables.set(graph.node(next), lid, net[arc.link].from_port);
    Trees const trees = trees_of(graph, fabric);
    EXPECT_EQ(trees.lost(), 3u);  // it, and the two that send by it
    Trees mended = trees;
    run_round(mended, LegalWays::shortest(graph));
    EXPECT_EQ(mended.lost(), 0u);
    ForwardingTables tables = fabric.tables;
    EXPECT_GE(mended.write(tables), 1u);
    fabric.tables = tables;
    EXPECT_EQ(trace_by_tables(fabric, graph.seats()[graph.seats_at(next)[0]].host, lid).fate, Fate::delivered);
}

/// The same by all pairs of pairs of different targets, link by link and turn by turn.
WideCount squares_by_pairs(Trees const& trees) {
    auto const count = static_cast<std::uint32_t>(trees.targets().size());
    WideCount sum = 0;
    for (std::uint32_t d = 0; d < count; ++d)
        for (std::uint32_t e = 0; e < count; ++e)
            for (std::uint32_t v = 0; v < trees.graph().switches() && d != e; ++v) {
                if (trees.weight(d, v) == 0 || trees.weight(e, v) == 0 || trees.arc(d, v) != trees.arc(e, v)) continue;
                std::uint32_t const arc = trees.arc(d, v), head = trees.head(arc);
                WideCount const pairs = WideCount(trees.weight(d, v)) * trees.weight(e, v);
                sum += pairs * trees.cost(arc);
                if (head == trees.targets()[d].at || head == trees.targets()[e].at) continue;
                if (std::uint32_t const then = trees.arc(d, head); then == trees.arc(e, head))
                    sum -= pairs * std::min(trees.cost(arc), trees.cost(then));
            }
    return sum;
}

/// By target: what some switches send to it, more or less.
std::vector<std::vector<Sender>> some_traffic(SwitchGraph const& graph) {
    std::vector<std::vector<Sender>> senders(graph.seats().size());
    for (std::uint32_t d = 0; d < senders.size(); ++d)
        for (std::uint32_t s = 0; s < graph.switches(); ++s)
            if (graph.hosts_at(s) > 0 && (d + s) % 3 != 0) senders[d].push_back({s, 1000 * (1 + (d * 7 + s) % 5)});
    return senders;
}

/// Links between switches of two rates.
void give_rates(Fabric& fabric) {
    Network const& plain = fabric.network;
    NetworkBuilder builder(true);
    for (std::size_t n = 0; n < plain.nodes().size(); ++n) builder.add_node(plain[Node{n}]);
    for (std::size_t h = 0; h < plain.hosts().size(); ++h) builder.add_host(plain[Host{h}]);
    for (std::size_t l = 0; l < plain.links().size(); ++l) {
        LinkRecord link = plain[Link{l}];
        bool const between = plain.is_switch(link.from) && plain.is_switch(link.to);
        link.rate = parse_link_rate(!between ? "4xHDR" : (link.from.value + link.to.value) % 2 ? "4xEDR" : "4xNDR");
        builder.add_link(link);
    }
    Disagreements disagreements;
    fabric.network = builder.finish(disagreements, "rates");
}

/// Random moves that lead on, legal or not: the count after each is that of the definition, which of traffic is half
/// the sum over links of cost x squared load.
TEST(Moves, AreWhatANewCountSays) {
    for (auto const& [spec, by_traffic] :
         std::vector<std::pair<char const*, bool>>{{"torus:3x4", false},
                                                   {"torus:3x4", true},
                                                   {"xgft:m=3x3x2,w=1x2x2", false},
                                                   {"xgft:m=3x3x2,w=1x2x2", true},
                                                   {"jellyfish:switches=9,degree=4,hosts=2", false},
                                                   {"rates", false},
                                                   {"rates", true}}) {
        bool const has_rates = std::string_view(spec) == "rates";
        Fabric fabric = routed_by_tables(has_rates ? "xgft:m=4x4,w=1x3" : spec, "minhop");
        if (has_rates) give_rates(fabric);
        SwitchGraph const graph(fabric.network, all_hosts(fabric.network),
                                has_rates ? CapacityKind::from_rates : CapacityKind::unit);
        EXPECT_EQ(graph.denominator() > 1, has_rates) << spec;
        Trees trees = trees_of(graph, fabric);
        if (by_traffic) {
            trees = Trees(graph, targets_of_plane(graph, 0), some_traffic(graph));
            trees.take(fabric.tables);
            WideCount squares = 0;
            for (std::uint32_t a = 0; a < trees.loads().size(); ++a)
                squares += WideCount(trees.load(a)) * trees.load(a) * trees.cost(a);
            EXPECT_EQ(trees.objective(), squares / 2);
        }
        WideCount const begun = trees.objective_by_link();
        MovableTrees movable(trees);
        EXPECT_EQ(movable.objective(), trees.objective_by_link());
        std::uint32_t word = 12345;
        auto const draw = [&](std::size_t below) {
            word = word * 1664525u + 1013904223u;
            return std::uint32_t((std::uint64_t{word} * below) >> 32);
        };
        std::vector<Move> made;
        std::vector<WideCount> counts;
        int sure = 0;
        for (int tries = 0; tries < 3000; ++tries) {
            std::uint32_t const d = draw(trees.targets().size()), v = draw(graph.switches());
            if (v == trees.targets()[d].at || graph.arcs_of(v).empty()) continue;
            Move const move{d, v, graph.first_arc(v) + draw(graph.arcs_of(v).size())};
            std::uint32_t const old = trees.arc(d, v);
            if (move.arc == old || !movable.leads_on(move)) continue;
            MovableTrees::Plan plan;
            movable.prepare(move, plan);
            movable.take(plan);
            double const most = double(word % 1000);
            bool const costs_more = movable.costs_more(most);  // for certain
            movable.price();
            sure += costs_more;
            ASSERT_FALSE(costs_more && (movable.change() <= 0 || double(movable.change()) < most)) << spec;
            WideCount const expected = movable.objective() + movable.change();
            movable.make();
            ASSERT_EQ(movable.objective(), expected);
            made.push_back({d, v, old});
            counts.push_back(expected - movable.change());
            if (tries % 20 == 0) {
                Trees fresh = trees;
                for (std::uint32_t t = 0; t < fresh.targets().size(); ++t) fresh.replace(t, trees);
                ASSERT_EQ(fresh.objective_by_link(), expected) << spec;
                ASSERT_TRUE(std::equal(fresh.loads().begin(), fresh.loads().end(), trees.loads().begin())) << spec;
                for (std::uint32_t t = 0; t < fresh.targets().size(); ++t)
                    for (std::uint32_t u = 0; u < graph.switches(); ++u)
                        ASSERT_EQ(fresh.weight(t, u), trees.weight(t, u)) << spec;
            }
        }
        EXPECT_GT(made.size(), 200u) << spec;
        EXPECT_EQ(sure > 0, !by_traffic) << spec;
        for (; !made.empty(); made.pop_back(), counts.pop_back()) {
            movable.consider(made.back());
            movable.make();
            ASSERT_EQ(movable.objective(), counts.back()) << spec;
        }
        EXPECT_EQ(trees.objective_by_link(), begun) << spec;
    }
}

/// What rounds lower is what its definition says, never rises in a round, and trims add no more to it than they may.
TEST(Turns, RoundsAndTrimsKeepWhatTheyPromise) {
    for (char const* const spec : {"torus:3x4", "xgft:m=6x6,w=1x5", "jellyfish:switches=9,degree=4,hosts=2", "rates"}) {
        bool const has_rates = std::string_view(spec) == "rates";
        Fabric fabric = routed_by_tables(has_rates ? "xgft:m=4x4x2,w=1x3x2" : spec, "minhop");
        if (has_rates) give_rates(fabric);
        SwitchGraph const graph(fabric.network, all_hosts(fabric.network),
                                has_rates ? CapacityKind::from_rates : CapacityKind::unit);
        Trees trees = trees_of(graph, fabric);
        LegalWays const ways = LegalWays::shortest(graph);
        WideCount before = shared_squares(trees);
        EXPECT_EQ(before, squares_by_pairs(trees)) << spec;
        for (int round = 0; round < 8; ++round) {
            WideCount fall = 0;
            std::uint64_t const changed = run_round(trees, ways, Meetings::once, &fall);
            WideCount const now = shared_squares(trees);
            EXPECT_EQ(now, before - fall) << spec;
            EXPECT_LE(now, before) << spec;
            EXPECT_TRUE(changed > 0 || now == before) << spec;
            before = now;
            Trees fresh = trees;
            for (std::uint32_t d = 0; d < fresh.targets().size(); ++d) fresh.replace(d, trees);
            ASSERT_TRUE(std::equal(fresh.loads().begin(), fresh.loads().end(), trees.loads().begin())) << spec;
            for (std::uint32_t d = 0; d < fresh.targets().size(); ++d)
                for (std::uint32_t v = 0; v < graph.switches(); ++v)
                    ASSERT_EQ(fresh.weight(d, v), trees.weight(d, v)) << spec;
        }
        for (double const most : {0.001, 0.01, 0.1, 1.0}) {
            Trees trimmed = trees;
            MovableTrees movable(trimmed);
            trim(movable, ways, {.at_any_price = true, .most_collisions = most});
            EXPECT_LE(double(shared_squares(trimmed)), double(before) * (1 + most) + 2) << spec << " " << most;
            EXPECT_EQ(movable.objective(), trimmed.collisions_by_link()) << spec;
        }
    }
}

/// A trim may add more collisions only where that brings the largest load to its target.
TEST(Trim, SpendsMoreOnlyToReachItsTarget) {
    int reached = 0, left = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        Topology topology = make_topology("xgft:m=6x6x2,w=1x4x3");
        topology.network =
            degrade(topology.network, {.cables = parse_failures("fail-cables", "switch:9", true), .seed = seed})
                .network;
        Fabric fabric;
        fabric.tables = make_tables(topology, "minhop");
        fabric.network = topology.network;
        SwitchGraph const graph(fabric.network, all_hosts(fabric.network), CapacityKind::unit);
        LegalWays const ways = LegalWays::shortest(graph);
        Trees trees = trees_of(graph, fabric);
        for (int round = 0; round < 4; ++round) run_round(trees, ways);
        double const before = double(shared_squares(trees));
        std::uint64_t const target = trees.largest_load() * 85 / 100;
        auto const trimmed = [&](double cheap, double to_target, std::uint64_t& entries) {
            Trees lower = trees;
            MovableTrees movable(lower);
            entries = trim(movable, ways, {.target = target, .most_collisions = cheap, .most_to_target = to_target});
            return lower;
        };
        std::uint64_t of_cheap = 0, of_both = 0;
        Trees const cheap = trimmed(0.001, 0, of_cheap), both = trimmed(0.001, 0.1, of_both);
        bool const is_reached = both.largest_load() <= target;
        EXPECT_LE(double(shared_squares(both)), before * (is_reached ? 1.1 : 1.001) + 2) << seed;
        if (!is_reached) {
            EXPECT_TRUE(both.has_same_arcs(cheap)) << seed;
            EXPECT_EQ(of_both, of_cheap) << seed;
        }
        reached += is_reached && cheap.largest_load() > target;
        left += !is_reached;
    }
    EXPECT_GT(reached, 0);
    EXPECT_GT(left, 0);
}

/// Every turn has a number of its own below their count, whichever of its links its neighbours share.
TEST(Turns, NumbersAreTheirOwn) {
    Topology const topology = make_topology("dragonfly:a=4,p=2,h=2");
    SwitchGraph const graph(topology.network, all_hosts(topology.network), CapacityKind::unit);
    for (auto const rows : {TurnNumbers::Rows::of_first, TurnNumbers::Rows::of_second}) {
        TurnNumbers const numbers(graph, rows);
        std::vector<std::uint32_t> met(numbers.count());
        for (std::uint32_t a = 0; a < graph.arcs().size(); ++a)
            for (std::uint32_t then = graph.first_arc(graph[a].to); then < graph.first_arc(graph[a].to + 1); ++then)
                ++met.at(numbers.of(a, then));
        EXPECT_EQ(met, std::vector<std::uint32_t>(numbers.count(), 1));
    }
}

/// Two flows that share all of their way lose once: counted so, tables give more bandwidth than counted by link.
TEST(Turns, OnceGivesMoreBandwidthThanByLink) {
    Topology topology = make_topology("xgft:m=12x6,w=1x4");
    topology.network =
        degrade(topology.network, {.cables = parse_failures("fail-cables", "switch:2", true), .seed = 3}).network;
    Fabric fabric;
    fabric.tables = make_tables(topology, "sssp");
    fabric.network = topology.network;
    fabric.routed = true;
    SwitchGraph const graph(fabric.network, all_hosts(fabric.network), CapacityKind::unit);
    LegalWays const ways = LegalWays::shortest(graph);
    double bandwidth[2];
    for (Meetings const meetings : {Meetings::by_link, Meetings::once}) {
        Trees trees = trees_of(graph, fabric);
        for (int round = 0; round < 8; ++round) run_round(trees, ways, meetings);
        ForwardingTables tables = fabric.tables;
        trees.write(tables);
        bandwidth[meetings == Meetings::once] = expect_bisection(graph, tables).mean;
    }
    EXPECT_GT(bandwidth[1], bandwidth[0] + 0.005);
}

TEST(Trees, TooMuchMemoryIsRefused) {
    Fabric const fabric = routed_by_tables("torus:8x8x4", "minhop");
    SwitchGraph const graph(fabric.network, all_hosts(fabric.network), CapacityKind::unit);
    MemoryLimit const limit(100'000);
    EXPECT_THROW(Trees(graph, targets_of_plane(graph, 0)), InputError);
}

}  // namespace
}  // namespace tailback::trees_test
