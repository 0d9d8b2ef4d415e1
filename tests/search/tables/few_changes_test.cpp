// Few changes. Definitions: of single entries, one after the other, the first is the one of all legal ones by which the
// objective falls most (found here by trying each in the tables and counting anew), and so is each further one; never
// more entries differ than may; more of them never end higher.
#include "host/search/tables/few_changes.hpp"

#include "tests/support/networks/all_hosts.hpp"
#include "tests/support/networks/routed_by_tables.hpp"

#include <gtest/gtest.h>

namespace tailback::few_changes_test {
namespace {

/// A network with its tables, and trees of all pairs, or of traffic that is uneven.
struct Case {
    Case(std::string const& spec, std::string const& routing, bool by_traffic)
        : fabric(routed_by_tables(spec, routing)),
          graph(fabric.network, all_hosts(fabric.network), CapacityKind::unit),
          ways(LegalWays::shortest(graph)),
          is_by_traffic(by_traffic) {}
    Trees trees(ForwardingTables const& tables) const {
        std::vector<search::Target> targets = targets_of_plane(graph, 0);
        std::vector<std::vector<Sender>> senders(is_by_traffic ? targets.size() : 0);
        for (std::uint32_t d = 0; d < senders.size(); ++d)
            for (std::uint32_t s = 0; s < graph.switches(); ++s)
                if (graph.hosts_at(s) > 0 && s != targets[d].at) senders[d].push_back({s, 1 + (7 * s + 3 * d) % 5});
        Trees made = is_by_traffic ? Trees(graph, targets, senders) : Trees(graph, targets);
        made.take(tables);
        return made;
    }
    std::uint64_t differing(Trees const& trees) const {
        std::uint64_t sum = 0;
        for (std::uint32_t d = 0; d < trees.targets().size(); ++d) sum += trees.count_differing(d, fabric.tables);
        return sum;
    }
    /// The lowest objective that one other entry comes to; that of the tables where none lowers it.
    WideCount lowest_by_one(ForwardingTables const& tables) const {
        Trees const now = trees(tables);
        WideCount least = now.objective();
        for (std::uint32_t d = 0; d < now.targets().size(); ++d)
            for (std::uint32_t v = 0; v < graph.switches(); ++v)
                for (std::uint32_t a = graph.first_arc(v); a < graph.first_arc(v + 1); ++a) {
                    if (v == now.targets()[d].at || !ways.allows(now.targets()[d].at, a)) continue;
                    std::vector<std::uint32_t> arcs = now.arcs_of_entries(d, tables);
                    arcs[v] = a;
                    Trees changed = now;
                    changed.take(d, arcs);
                    if (changed.lost() == now.lost()) least = std::min(least, changed.objective());
                }
        return least;
    }
    Fabric fabric;
    SwitchGraph graph;
    LegalWays ways;
    bool is_by_traffic;
};

TEST(FewChanges, EachEntryIsTheBestOfAll) {
    int lowered = 0;
    for (bool const by_traffic : {false, true})
        for (auto const& [spec, routing] :
             {std::pair("xgft:m=4x4,w=1x4", "random"), std::pair("xgft:m=3x3,w=1x2", "random"),
              std::pair("torus:3x3,hosts=1", "random"), std::pair("jellyfish:switches=8,degree=3,hosts=2", "minhop")}) {
            Case const one(spec, routing, by_traffic);
            ForwardingTables tables = one.fabric.tables;
            WideCount before = one.trees(tables).objective();
            for (std::uint64_t most = 1; most <= 6; ++most) {
                Trees const found = lower_by_entries(one.trees(one.fabric.tables), one.fabric.tables, one.ways, most);
                EXPECT_LE(one.differing(found), most) << spec;
                EXPECT_EQ(found.lost(), one.trees(tables).lost()) << spec;
                EXPECT_LE(found.objective(), before) << spec << " " << most;
                // What one more entry than before can do; of traffic those found last may be looked at later.
                if (most == 1 || !by_traffic) {
                    EXPECT_EQ(found.objective(), one.lowest_by_one(tables)) << spec << most;
                }
                lowered += found.objective() < before;
                before = found.objective();
                found.write(tables);
            }
        }
    EXPECT_GT(lowered, 30);
}

}  // namespace
}  // namespace tailback::few_changes_test
