// The search for tables: small networks whose optimum is proven, never worse than the start, the same for any number
// of threads.
#include "host/search/tables/search_tables.hpp"

#include "host/audit/deadlock/deadlock.hpp"
#include "host/audit/worst_case/worst_permutation.hpp"
#include "host/search/tables/permutation_trim.hpp"
#include "host/search/tables/switch_order.hpp"
#include "host/search/tables/valleys.hpp"
#include "kernels/cpu/machine/stop.hpp"
#include "tests/support/networks/all_hosts.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/failures.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <string>

namespace tailback::search_tables_test {
namespace {

struct Start {
    Network network;
    ForwardingTables tables;
};
Start start_of(std::string const& spec, std::uint64_t failed_cables = 0, std::uint64_t seed = 1) {
    Topology topology = make_topology(spec);
    if (failed_cables > 0)
        topology.network =
            degrade(topology.network,
                    {.cables = parse_failures("fail-cables", "switch:" + std::to_string(failed_cables), true),
                     .seed = seed})
                .network;
    ForwardingTables tables = make_tables(topology, "minhop");
    return {std::move(topology.network), std::move(tables)};
}

SearchBudget small_budget(std::uint64_t seed = 1) {
    return {.moves = 20'000,
            .descents = 4,
            .load_descents = 4,
            .heat = 0.3,
            .most_collisions = 0.2,
            .trims_at_any_price = true,
            .seed = seed};
}

Trees searched(SwitchGraph const& graph, ForwardingTables const& tables, SearchBudget const& budget,
               SearchReport& report) {
    Trees start(graph, targets_of_plane(graph, 0));
    start.take(tables);
    return search_tables({start}, LegalWays::shortest(graph), budget, report);
}

/// Whatever the seed: within 8 descents of 20,000 moves.
TEST(SearchTables, FindsTheProvenOptimumOfSmallNetworks) {
    struct Case {
        char const* spec;
        std::uint64_t failed, seed, minhop, optimum;
    };
    for (Case const& one : {Case{"xgft:m=4x4,w=1x4", 1, 1, 24, 16}, Case{"xgft:m=4x4,w=1x4", 3, 2, 32, 24},
                            Case{"xgft:m=3x3,w=1x2", 0, 0, 12, 9}, Case{"mesh:3x3", 0, 0, 8, 6},
                            Case{"ring:7", 0, 0, 6, 6}, Case{"torus:4x4", 0, 0, 14, 8}, Case{"hypercube:3", 0, 0, 6, 4},
                            Case{"dragonfly:a=2,p=2,h=1", 0, 0, 22, 18}}) {
        Start const start = start_of(one.spec, one.failed, one.seed);
        SwitchGraph const graph(start.network, all_hosts(start.network), CapacityKind::unit);
        Trees before(graph, targets_of_plane(graph, 0));
        before.take(start.tables);
        EXPECT_EQ(before.largest_load(), one.minhop) << one.spec;
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            SearchReport report;
            Trees const after = searched(graph, start.tables, small_budget(seed), report);
            EXPECT_EQ(after.largest_load(), one.optimum) << one.spec << " " << one.failed << ", seed " << seed;
            EXPECT_EQ(after.lost(), 0u);
        }
    }
}

/// What a search came to, entry by entry.
std::vector<std::uint32_t> entries_of(Trees const& trees) {
    std::vector<std::uint32_t> arcs;
    for (std::uint32_t d = 0; d < trees.targets().size(); ++d)
        for (std::uint32_t v = 0; v < trees.graph().switches(); ++v) arcs.push_back(trees.arc(d, v));
    return arcs;
}

TEST(SearchTables, IsTheSameWithAnyNumberOfThreads) {
    for (char const* const spec : {"torus:4x4", "xgft:m=4x4x2,w=1x2x3"}) {
        Start const start = start_of(spec, 3);
        SwitchGraph const graph(start.network, all_hosts(start.network), CapacityKind::unit);
        std::vector<std::uint32_t> one;
        for (unsigned const threads : {1u, 2u, 7u}) {
            SearchBudget budget = small_budget();
            budget.heat = 1;
            budget.threads = threads;
            SearchReport report;
            std::vector<std::uint32_t> const entries = entries_of(searched(graph, start.tables, budget, report));
            if (threads == 1) one = entries;
            EXPECT_EQ(entries, one) << spec << " " << threads;
        }
    }
}

TEST(SearchTables, WishedToStopItGivesWhatItHas) {
    Start const start = start_of("torus:4x4");
    SwitchGraph const graph(start.network, all_hosts(start.network), CapacityKind::unit);
    std::atomic<bool> const wish = true;
    StopWish::Scope const scope(wish);
    SearchReport report;
    Trees const trees = searched(graph, start.tables, small_budget(), report);
    EXPECT_TRUE(report.stopped);
    EXPECT_EQ(report.moves, 0u);
    EXPECT_EQ(trees.lost(), 0u);
}

/// Moves are prepared some ahead: in whatever portions they are asked for, they are the same, and those that the trees
/// of the moment give.
TEST(Moves, AreTheSameInAnyPortions) {
    for (auto const& [spec, heat, slack] :
         {std::tuple{"torus:3x3", 3.0, 0u}, {"dragonfly:a=2,p=2,h=1", 0.0, 1u}, {"xgft:m=3x3x2,w=1x2x3", 1.0, 0u}}) {
        Start const start = start_of(spec);
        SwitchGraph const graph(start.network, all_hosts(start.network), CapacityKind::unit);
        LegalWays const ways = LegalWays::shortest(graph, slack);
        auto const moved = [&](std::uint64_t portion, WideCount& objective) {
            Trees trees(graph, targets_of_plane(graph, 0));
            trees.take(start.tables);
            MovableTrees movable(trees);
            Annealer annealer(movable, ways, {.hot = heat * 20, .cold = heat, .seed = 5});
            for (std::uint64_t left = 3'000; left > 0; left -= std::min(left, portion))
                annealer.run(std::min(left, portion));
            objective = movable.objective();
            EXPECT_EQ(objective, trees.collisions_by_link()) << spec;
            StateWords words;
            trees.write_arcs(words);
            return words;
        };
        WideCount one = 0, other = 0;
        StateWords const begun = moved(3'000, one);
        for (std::uint64_t const portion : {1u, 7u, 16u, 100u}) {
            EXPECT_EQ(moved(portion, other), begun) << spec << " " << portion;
            EXPECT_EQ(other, one) << spec << " " << portion;
        }
    }
}

/// Largest link loads that trims lower, at a bounded price.
TEST(Trim, LowersTheLargestLoadForFewCollisions) {
    Start const start = start_of("xgft:m=6x6,w=1x5", 4, 3);
    SwitchGraph const graph(start.network, all_hosts(start.network), CapacityKind::unit);
    LegalWays const ways = LegalWays::shortest(graph);
    Trees trees(graph, targets_of_plane(graph, 0));
    trees.take(start.tables);
    for (int round = 0; round < 6; ++round) run_round(trees, ways, Meetings::by_link);
    std::uint64_t const largest = trees.largest_load();
    WideCount const collisions = trees.collisions();
    MovableTrees movable(trees);
    EXPECT_GT(trim(movable, ways, {.at_any_price = true, .most_collisions = 0.05}), 0u);
    EXPECT_LT(trees.largest_load(), largest);
    EXPECT_LE(double(trees.collisions()), 1.05 * double(collisions));
    EXPECT_EQ(trees.lost(), 0u);
    EXPECT_EQ(movable.objective(), trees.collisions_by_link());

    Trees few(graph, targets_of_plane(graph, 0));
    few.take(start.tables);
    MovableTrees movable_few(few);
    EXPECT_LE(trim(movable_few, ways, {.most_entries = 3, .at_any_price = true, .most_collisions = 0.05}), 3u);
}

/// What cannot be lowered sets the end for the others, where entries are few: none are spent below it.
TEST(Trim, SpendsNoEntriesBelowALinkThatStays) {
    std::uint64_t of_few = 0, of_all = 0;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        Start const start = start_of("xgft:m=6x6x2,w=1x4x3", 9, seed);
        SwitchGraph const graph(start.network, all_hosts(start.network), CapacityKind::unit);
        LegalWays const ways = LegalWays::shortest(graph);
        auto const trimmed = [&](std::uint64_t most_entries, std::uint64_t& entries) {
            Trees trees(graph, targets_of_plane(graph, 0));
            trees.take(start.tables);
            MovableTrees movable(trees);
            entries += trim(movable, ways,
                            {.target = least_possible_load(trees),
                             .most_entries = most_entries,
                             .at_any_price = true,
                             .by_relief = true,
                             .most_collisions = 10});
            return trees.largest_load();
        };
        std::uint64_t const few = trimmed(1'000'000, of_few), all = trimmed(UINT64_MAX, of_all);
        EXPECT_LE(few, all) << seed;
    }
    EXPECT_LT(of_few, of_all);
}

/// Five hosts behind two cables to one switch: three of them share a cable, by which all others send to each, whatever
/// the tables. Where that is the most there is, nothing is to be trimmed, and a trim that looks for it finds nothing.
TEST(Trim, LeavesWhatNoTablesLower) {
    Start const start = start_of("xgft:m=5x3,w=1x1,p=1x2");
    SwitchGraph const graph(start.network, all_hosts(start.network), CapacityKind::unit);
    LegalWays const ways = LegalWays::shortest(graph);
    Trees trees(graph, targets_of_plane(graph, 0));
    trees.take(start.tables);
    std::uint64_t const least = 3 * (15 - 5);
    EXPECT_GE(trees.largest_load(), least);
    for (int round = 0; round < 6; ++round) run_round(trees, ways, Meetings::by_link);
    {
        MovableTrees movable(trees);
        trim(movable, ways, {.at_any_price = true, .most_collisions = 10});
    }
    ASSERT_EQ(trees.largest_load(), least);
    EXPECT_LT(least_possible_load(trees), least);
    Trees const before = trees;
    SearchBudget const budget{.most_collisions = 10, .trims_at_any_price = true};
    EXPECT_EQ(trim_load(trees, ways, budget), 0u);
    EXPECT_TRUE(trees.has_same_arcs(before));
    MovableTrees movable(trees);
    EXPECT_EQ(trim(movable, ways, {.at_any_price = true, .most_collisions = 10}), 0u);
}

/// The fabric of a start with the trees in its tables.
Fabric with_trees(Network const& network, Trees const& trees) {
    Fabric fabric;
    fabric.network = network;
    fabric.tables = ForwardingTables(network);
    trees.write(fabric.tables);
    fabric.routed = true;
    return fabric;
}
bool is_free(Fabric const& fabric) {
    std::vector<Host> const hosts = all_hosts(fabric.network);
    return find_deadlocks_on_one_lane(Forwarding(fabric), hosts, hosts).free;
}

/// By all permutations of the hosts, walked one by one.
std::uint32_t brute_force_permutation(Trees const& trees) {
    SwitchGraph const& graph = trees.graph();
    std::vector<std::uint32_t> to(graph.seats().size()), load(graph.arcs().size());
    std::iota(to.begin(), to.end(), 0u);
    std::uint32_t most = 0;
    do {
        std::fill(load.begin(), load.end(), 0);
        for (std::uint32_t s = 0; s < to.size(); ++s)
            for (std::uint32_t v = graph.seats()[s].at, d = to[s]; v != trees.targets()[d].at;
                 v = trees.head(trees.arc(d, v)))
                most = std::max(most, ++load[trees.arc(d, v)]);
    } while (std::next_permutation(to.begin(), to.end()));
    return most;
}

TEST(PermutationTrim, CountsWhatAllPermutationsShow) {
    for (char const* const spec : {"ring:7", "mesh:2x4", "xgft:m=2x3,w=1x2", "xgft:m=4x2,w=1x3",
                                   "dragonfly:a=2,p=1,h=1", "jellyfish:switches=7,degree=4,hosts=1"})
        for (char const* const routing : {"minhop", "random", "updn"}) {
            Topology const topology = make_topology(spec);
            SwitchGraph const graph(topology.network, all_hosts(topology.network), CapacityKind::unit);
            Trees trees(graph, targets_of_plane(graph, 0));
            trees.take(make_tables(topology, RoutingSpec(routing, 5)));
            std::uint32_t const before = brute_force_permutation(trees);
            EXPECT_EQ(worst_permutation_of(trees), before) << spec << " " << routing;
            MovableTrees movable(trees);
            std::uint64_t const entries = trim_permutation(movable, LegalWays::shortest(graph));
            std::uint32_t const after = brute_force_permutation(trees);
            EXPECT_EQ(worst_permutation_of(trees), after) << spec << " " << routing;
            EXPECT_EQ(entries > 0, after < before) << spec << " " << routing;
            EXPECT_LE(after, before) << spec << " " << routing;
            EXPECT_EQ(trees.lost(), 0u);
            EXPECT_EQ(movable.objective(), trees.collisions_by_link());
        }
}

/// Link by link what an audit finds, and lower than what few collisions come to.
TEST(PermutationTrim, LowersWhatAuditsFind) {
    Topology const topology = make_topology("xgft:m=6x6,w=1x6");
    SwitchGraph const graph(topology.network, all_hosts(topology.network), CapacityKind::unit);
    Trees trees(graph, targets_of_plane(graph, 0));
    trees.take(make_tables(topology, RoutingSpec("random", 3)));
    auto const expect_audited = [&] {
        Trees copy = trees;
        MovableTrees const movable(copy);
        PermutationLoads const loads(movable);
        Fabric const fabric = with_trees(topology.network, trees);
        std::vector<Host> const hosts = all_hosts(fabric.network);
        std::vector<std::uint32_t> const audited =
            worst_permutation_loads(Forwarding(fabric), {.sources = hosts, .destinations = hosts});
        for (std::uint32_t a = 0; a < graph.arcs().size(); ++a) EXPECT_EQ(loads[a], audited[graph[a].link.value]) << a;
        return loads.largest();
    };
    std::uint32_t const before = expect_audited();
    MovableTrees movable(trees);
    EXPECT_GT(trim_permutation(movable, LegalWays::shortest(graph)), 0u);
    EXPECT_LT(expect_audited(), before);
    Trees few(graph, targets_of_plane(graph, 0));
    few.take(make_tables(topology, RoutingSpec("random", 3)));
    MovableTrees movable_few(few);
    EXPECT_LE(trim_permutation(movable_few, LegalWays::shortest(graph), 2), 2u);
}

/// Two switches of four hosts, one cable between them, and a third switch with one host beside both: by ways of fewest
/// links 16 pairs take the cable. With one link more k hosts of each side are sent to by the third one: 16 - 4 k stay,
/// and 4 + 4 k go round.
TEST(Slack, LetsPairsGoRoundAFullLink) {
    NetworkBuilder builder(true);
    Disagreements disagreements;
    std::vector<Node> at;
    for (int i = 0; i < 3; ++i)
        at.push_back(builder.add_node({.kind = NodeKind::switch_node, .name = "S" + std::to_string(i), .ports = 8}));
    auto const cable = [&](Node a, Port pa, Node b, Port pb) {
        builder.add_link({.from = a, .from_port = pa, .to = b, .to_port = pb});
        builder.add_link({.from = b, .from_port = pb, .to = a, .to_port = pa});
    };
    Lid lid = 1;
    for (auto const& [s, hosts] : {std::pair<std::size_t, Port>{0, 4}, {1, 4}, {2, 1}})
        for (Port h = 1; h <= hosts; ++h) {
            Node const host =
                builder.add_node({.kind = NodeKind::adapter, .name = "H" + std::to_string(lid), .ports = 1});
            builder.add_host({.node = host, .lid = lid++});
            cable(at[s], h, host, 1);
        }
    cable(at[0], 5, at[1], 5);
    cable(at[0], 6, at[2], 6);
    cable(at[1], 6, at[2], 7);
    Network const network = builder.finish(disagreements, "a triangle");
    SwitchGraph const graph(network, all_hosts(network), CapacityKind::unit);
    Trees start(graph, targets_of_plane(graph, 0));
    run_round(start, LegalWays::shortest(graph));
    EXPECT_EQ(start.largest_load(), 16u);
    for (auto const& [slack, largest] : {std::pair{0u, 16u}, {1u, 12u}, {2u, 12u}}) {
        SearchBudget budget = small_budget();
        budget.most_collisions = 10;
        SearchReport report;
        Trees const found = search_tables({start}, LegalWays::shortest(graph, slack), budget, report);
        EXPECT_EQ(found.largest_load(), largest) << slack;
        EXPECT_EQ(found.lost(), 0u);
    }
}

/// No loop, and no way longer than is allowed, on ways of fewest links as on those of an order.
TEST(Slack, KeepsWaysWithinIt) {
    for (char const* const spec :
         {"torus:4x4", "ring:7", "dragonfly:a=4,p=2,h=2", "xgft:m=4x4,w=1x3", "jellyfish:switches=12,degree=4,hosts=2"})
        for (std::uint32_t const slack : {1u, 2u, 4u})
            for (bool const by_order : {false, true}) {
                Start const start = start_of(spec);
                SwitchGraph const graph(start.network, all_hosts(start.network), CapacityKind::unit);
                std::vector<std::uint32_t> const roots = {graph.switches() - 1};
                std::vector<std::uint32_t> const place = order_from_roots(graph, roots);
                auto const ways_of = [&](std::uint32_t more) {
                    return by_order ? LegalWays::by_order(graph, place, {}, more) : LegalWays::shortest(graph, more);
                };
                Trees trees(graph, targets_of_plane(graph, 0));
                run_round(trees, ways_of(0));
                auto const hops_of = [&](std::uint32_t d, std::uint32_t v) {
                    std::uint32_t hops = 0;
                    for (; v != trees.targets()[d].at && hops <= graph.switches(); ++hops)
                        v = trees.head(trees.arc(d, v));
                    return hops;
                };
                std::vector<std::uint32_t> fewest;
                for (std::uint32_t d = 0; d < trees.targets().size(); ++d)
                    for (std::uint32_t v = 0; v < graph.switches(); ++v)
                        fewest.push_back(trees.weight(d, v) > 0 ? hops_of(d, v) : 0);
                SearchBudget budget = small_budget();
                budget.heat = 5;  // ways are long while it is hot
                SearchReport report;
                LegalWays const ways = ways_of(slack);
                Trees const before = trees;
                trees = search_tables({trees}, ways, budget, report);
                keep_unused(trees, ways, before);
                std::string const what =
                    std::string(spec) + " " + std::to_string(slack) + (by_order ? " by order" : "");
                EXPECT_EQ(trees.lost(), 0u) << what;
                for (std::uint32_t d = 0; d < trees.targets().size(); ++d)
                    for (std::uint32_t v = 0; v < graph.switches(); ++v)
                        if (graph.hosts_at(v) > 0 && v != trees.targets()[d].at) {
                            ASSERT_LE(hops_of(d, v), fewest[d * graph.switches() + v] + slack) << what;
                        }
                EXPECT_TRUE(!by_order || is_free(with_trees(start.network, trees))) << what;
            }
}

TEST(SwitchOrder, GivesTablesThatAreFreeOnOneLane) {
    for (char const* const spec :
         {"torus:4x4", "ring:7", "dragonfly:a=4,p=2,h=2", "jellyfish:switches=12,degree=4,hosts=2"}) {
        Start const start = start_of(spec);
        SwitchGraph const graph(start.network, all_hosts(start.network), CapacityKind::unit);
        std::vector<std::uint32_t> const roots = {3};
        std::vector<std::uint32_t> place = order_from_roots(graph, roots);
        EXPECT_EQ(place[3], 0u);
        Trees trees(graph, targets_of_plane(graph, 0));
        trees.take(start.tables);
        run_round(trees, LegalWays::by_order(graph, place));
        EXPECT_EQ(trees.lost(), 0u) << spec;
        EXPECT_TRUE(is_free(with_trees(start.network, trees))) << spec;
        std::uint64_t const first = trees.largest_load();
        std::vector<std::uint32_t> const place_before = place;
        std::uint64_t tried = 0;
        place = search_order(trees, place, {.trials = 200, .descents = 2, .threads = 1}, tried);
        EXPECT_EQ(tried, 200u);
        tried = 0;
        EXPECT_LE(trees.largest_load(), first) << spec;
        if (std::string_view(spec) == "torus:4x4") {
            EXPECT_LT(trees.largest_load(), first);
        }
        EXPECT_EQ(trees.lost(), 0u) << spec;
        EXPECT_TRUE(is_free(with_trees(start.network, trees))) << spec;

        Trees again(graph, targets_of_plane(graph, 0));
        again.take(start.tables);
        run_round(again, LegalWays::by_order(graph, place_before));
        EXPECT_EQ(search_order(again, place_before, {.trials = 200, .descents = 2, .threads = 2}, tried), place)
            << spec;
        EXPECT_EQ(entries_of(again), entries_of(trees)) << spec;
    }
}

/// A tree whose tops A and B have only the leaf L3 in common: between L1 and L2 no way goes up and then down.
TEST(SwitchOrder, PairsWithoutAWayGetAValley) {
    NetworkBuilder builder(true);
    Disagreements disagreements;
    std::vector<Node> leaf, top;
    Lid lid = 1;
    for (int i = 0; i < 4; ++i)
        leaf.push_back(builder.add_node({.kind = NodeKind::switch_node, .name = "L" + std::to_string(i), .ports = 8}));
    for (int i = 0; i < 2; ++i)
        top.push_back(builder.add_node({.kind = NodeKind::switch_node, .name = "T" + std::to_string(i), .ports = 8}));
    auto const cable = [&](Node a, Port pa, Node b, Port pb) {
        builder.add_link({.from = a, .from_port = pa, .to = b, .to_port = pb});
        builder.add_link({.from = b, .from_port = pb, .to = a, .to_port = pa});
    };
    for (std::size_t i = 0; i < leaf.size(); ++i)
        for (Port h = 1; h <= 2; ++h) {
            Node const host =
                builder.add_node({.kind = NodeKind::adapter, .name = "H" + std::to_string(lid), .ports = 1});
            builder.add_host({.node = host, .lid = lid++});
            cable(leaf[i], h, host, 1);
        }
    cable(leaf[0], 3, top[0], 1);
    cable(leaf[1], 3, top[1], 1);
    cable(leaf[2], 3, top[0], 2);
    cable(leaf[2], 4, top[1], 2);
    cable(leaf[3], 3, top[0], 3);
    Network const network = builder.finish(disagreements, "two trees");
    SwitchGraph const graph(network, all_hosts(network), CapacityKind::unit);

    std::vector<std::uint32_t> const place = order_from_hosts(graph);
    Trees trees(graph, targets_of_plane(graph, 0));
    run_round(trees, LegalWays::by_order(graph, place));
    EXPECT_EQ(trees.lost(), 2u * 4 * 2);  // L0 and L3 to and from L1, two hosts each
    std::vector<Valley> const valleys = find_valleys(graph, place);
    ASSERT_EQ(valleys.size(), 1u);
    EXPECT_EQ(graph.node(valleys[0].bottom), leaf[2]);
    run_round(trees, LegalWays::by_order(graph, place, valleys));
    EXPECT_EQ(trees.lost(), 0u);
    EXPECT_TRUE(is_free(with_trees(network, trees)));
}

}  // namespace
}  // namespace tailback::search_tables_test
