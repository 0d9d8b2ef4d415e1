// Trees are free of deadlock on one lane where the audit of tables with their entries says so: the routes of everybody
// who sends, those to endpoints that the trees leave out among them.
#include "host/search/waits/free_trees.hpp"

#include "host/audit/deadlock/deadlock.hpp"
#include "host/search/tables/legal_ways.hpp"
#include "host/search/tables/rounds.hpp"
#include "tests/support/networks/all_hosts.hpp"
#include "tests/support/networks/routed_by_tables.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace tailback::free_trees_test {
namespace {

/// By the tables with the trees' entries.
bool audited(Fabric const& fabric, Trees const& trees, std::vector<Host> const& senders) {
    Fabric changed = fabric;
    trees.write(changed.tables);
    return audit::is_free_on_one_lane(Forwarding(changed), senders, senders);
}

/// Every second host, and all.
struct Half {
    explicit Half(Fabric const& fabric) : everybody(all_hosts(fabric.network)) {
        for (std::size_t h = 0; h < everybody.size(); h += 2) some.push_back(everybody[h]);
    }
    std::vector<Host> everybody, some;
};

TEST(FreeTrees, AreWhatTheAuditFindsFree) {
    int free = 0, circles = 0, differ = 0;  // of everybody: that of some alone
    for (auto const& [spec, routing] :
         std::vector<std::pair<std::string, std::string>>{{"xgft:m=3x3,w=1x2", "minhop"},
                                                          {"ring:5,hosts=2", "minhop"},
                                                          {"ring:5,hosts=2", "updn"},
                                                          {"torus:4x4,hosts=2", "minhop"},
                                                          {"torus:4x4,hosts=2", "dor"},
                                                          {"mesh:3x4,hosts=2", "dor"},
                                                          {"dragonfly:a=2,p=2,h=1", "minhop"},
                                                          {"jellyfish:switches=9,degree=4,hosts=2", "sssp"}}) {
        SCOPED_TRACE(spec + " " + routing);
        Fabric const fabric = routed_by_tables(spec, routing);
        Half const half(fabric);
        SwitchGraph const all(fabric.network, half.everybody, CapacityKind::unit),
            graph(fabric.network, half.some, CapacityKind::unit);
        Trees trees(graph, targets_of_plane(graph, 0));
        trees.take(fabric.tables);
        FreeTrees const of_some(graph, fabric.tables, trees), of_all(all, fabric.tables, trees);
        LegalWays const ways = LegalWays::shortest(graph);
        for (int round = 0; round < 3; ++round, run_round(trees, ways)) {
            bool const some_are_free = audited(fabric, trees, half.some),
                       all_are_free = audited(fabric, trees, half.everybody);
            EXPECT_EQ(of_some.are_free(trees), some_are_free);
            EXPECT_EQ(of_all.are_free(trees), all_are_free);
            ++(all_are_free ? free : circles);
            differ += some_are_free != all_are_free;
        }
    }
    EXPECT_GE(free, 3);
    EXPECT_GE(circles, 3);
    EXPECT_GE(differ, 1);
}

/// An entry of the tables that the trees do not have leads on by theirs.
TEST(FreeTrees, DoNotTellWhereSomebodyIsCut) {
    Fabric const fabric = routed_by_tables("ring:5,hosts=2", "minhop");
    std::vector<Host> const hosts = all_hosts(fabric.network);
    SwitchGraph const graph(fabric.network, hosts, CapacityKind::unit);
    Trees trees(graph, targets_of_plane(graph, 0));
    trees.take(fabric.tables);
    FreeTrees const judge(graph, fabric.tables, trees);
    EXPECT_TRUE(judge.are_free(trees).has_value());
    std::uint32_t const at = trees.targets()[0].at, far = (at + 2) % graph.switches();
    std::vector<std::uint32_t> arcs = trees.arcs_of_entries(0, fabric.tables);
    for (std::uint32_t v = 0; v < graph.switches(); ++v)
        if (v == far || (arcs[v] != SwitchGraph::none && graph[arcs[v]].to == far)) arcs[v] = SwitchGraph::none;
    trees.take(0, arcs);
    EXPECT_EQ(judge.are_free(trees), std::nullopt);
}

}  // namespace
}  // namespace tailback::free_trees_test
