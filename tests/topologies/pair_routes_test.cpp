// Routes that depend on the source: the engine takes them as it takes tables, and each routing does what it says.
#include "host/audit/loads/edge_forwarding_index.hpp"
#include "host/base/error.hpp"
#include "host/evaluation/evaluation.hpp"
#include "host/model/routes/trace.hpp"
#include "tests/support/networks/network_facts.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/failures.hpp"
#include "topologies/forwarding_graph.hpp"
#include "topologies/routing.hpp"
#include "topologies/routings/k_shortest.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace tailback::pair_routes_test {
namespace {

/// The routes of tables, given pair by pair.
class TablesAsPairs : public PairRoutes {
public:
    explicit TablesAsPairs(ForwardingTables tables) : tables_(std::move(tables)) {}
    bool append(Network const& network, Host source, Host destination, std::vector<Link>& links) const override {
        Route const route = trace_from_host({network, tables_, true}, source, network[destination].lid);
        links.insert(links.end(), route.links.begin(), route.links.end());
        return route.fate == Fate::delivered;
    }
    std::string text() const override { return "tables"; }

private:
    ForwardingTables tables_;
};

Fabric routed(std::string const& spec, std::string const& routing, std::uint64_t seed = 1) {
    Topology const topology = make_topology(spec);
    Routes routes = make_routes(topology, {routing, seed});
    return {topology.network, std::move(routes.tables), true, std::move(routes.routing)};
}
bool is_switch(Network const& net, Node node) { return net[node].kind == NodeKind::switch_node; }

TEST(PairRoutes, TheEngineGivesWhatTablesGive) {
    struct Case {
        std::string spec, routing, failures;
    };
    for (Case const& c :
         {Case{"xgft:m=4x3,w=1x2", "dmodk", ""}, Case{"torus:4x3x2,hosts=2", "dor", ""}, Case{"ring:20", "dor", ""},
          Case{"bcube:n=3,k=2", "dimensional", ""}, Case{"torus:5x4", "dor", "switch:3"},
          Case{"mesh:1,hosts=4", "dor", ""}, Case{"xgft:m=3x4,w=2x2", "dmodk", ""}}) {
        SCOPED_TRACE(c.spec);
        Fabric by_tables = routed(c.spec, c.routing);
        if (!c.failures.empty()) {
            Failures failures;
            failures.cables = parse_failures("", c.failures, true);
            by_tables.network = degrade(by_tables.network, failures).network;
        }
        Fabric const by_pairs{by_tables.network, ForwardingTables(by_tables.network, 0), true,
                              std::make_shared<TablesAsPairs>(by_tables.tables)};
        for (std::string const pattern : {"bisect", "rand", "bruck"}) {
            Study study;
            study.traffic.pattern = pattern;
            study.sample.mappings = 20;
            study.measures.metrics.clear();
            study.measures.metrics = metrics_of_all();
            StudyPlan const plan = make_plan(by_tables, study), pair_plan = make_plan(by_pairs, study);
            Evaluation const wanted = evaluate(plan, {.device = DeviceChoice::cpu, .threads = 1});
            Evaluation const got = evaluate(pair_plan, {.device = DeviceChoice::cpu, .threads = 1});
            EXPECT_EQ(got.delivered, wanted.delivered);
            EXPECT_EQ(got.unreachable + got.loop + got.misdelivered,
                      wanted.unreachable + wanted.loop + wanted.misdelivered);
            for (auto const& [metric, values] : wanted.numbers)
                EXPECT_EQ(got.numbers.at(metric).values(), values.values()) << info_of(metric).name;
            for (auto const& [metric, sorted] : wanted.flows)
                EXPECT_EQ(got.flows.at(metric).counts, sorted.counts) << info_of(metric).name;
            ASSERT_EQ(got.links.size(), wanted.links.size());
            for (std::size_t l = 0; l < got.links.size(); ++l) EXPECT_EQ(got.links[l].sum, wanted.links[l].sum);
        }
        EXPECT_EQ(edge_forwarding_index(by_pairs), edge_forwarding_index(by_tables));
    }
}

TEST(PairRoutes,
     TreesByTheSource) {  // XGFT(2; d, L; 1, d): d(L-1) on every link between the levels, as by the destination
    for (std::string const routing : {"smodk", "round-robin-up"}) {
        Fabric const fabric = routed("xgft:m=4x6,w=1x4", routing);
        std::vector<std::uint64_t> const load = edge_forwarding_index(fabric);
        for (std::size_t l = 0; l < load.size(); ++l) {
            LinkRecord const& link = fabric.network[Link{l}];
            bool const between = is_switch(fabric.network, link.from) && is_switch(fabric.network, link.to);
            EXPECT_EQ(load[l], between ? 20u : 23u) << routing;
        }
    }
    // By the source: all that a host sends to other leaves takes one spine. Round robin: all spines alike.
    auto const spines_of_first_host = [](std::string const& routing) {
        Fabric const fabric = routed("xgft:m=4x6,w=1x4", routing);
        std::set<std::uint32_t> spines;
        for (std::size_t d = 4; d < 24; ++d)
            spines.insert(trace_from_host(fabric, Host{0}, fabric.network[Host{d}].lid).links[1].value);
        return spines.size();
    };
    EXPECT_EQ(spines_of_first_host("smodk"), 1u);
    EXPECT_EQ(spines_of_first_host("round-robin-up"), 4u);
    EXPECT_EQ(spines_of_first_host("random-up"), 4u);
}

TEST(PairRoutes, ValiantGoesTwiceAsFar) {  // 8-ary 2-cube: 4 hops on average to a random switch, 4 on from there
    Fabric const fabric = routed("torus:8x8", "valiant:by=dor:ties=parity");
    RoutedPairs const pairs = walk_all_pairs(fabric, false);
    EXPECT_EQ(pairs.failed, 0u);
    double hops = 0;
    for (auto const& [links, count] : pairs.by_links) hops += double(links - 2) * double(count);
    EXPECT_NEAR(hops / (64.0 * 63.0), 8.0, 0.15);
}

TEST(PairRoutes,
     ValiantSpreadsTheTornado) {  // expected load 2 on every link, where DOR has 3; drawn for one seed after another
    Topology const topology = make_topology("torus:8x8");
    std::vector<double> load(topology.network.links().size());
    int const seeds = 400;
    for (int seed = 0; seed < seeds; ++seed) {
        Fabric const fabric{topology.network, ForwardingTables(topology.network, 0), true,
                            make_routes(topology, {"valiant:by=dor:ties=parity", std::uint64_t(seed)}).routing};
        std::vector<Link> links;
        for (std::size_t s = 0; s < 64; ++s) {
            links.clear();
            ASSERT_TRUE(dynamic_cast<PairRoutes const&>(*fabric.routing)
                            .append(fabric.network, Host{s}, Host{s / 8 * 8 + (s + 3) % 8}, links));
            for (Link const link : links) load[link.value] += 1.0 / seeds;
        }
    }
    for (std::size_t l = 0; l < load.size(); ++l) {
        LinkRecord const& link = topology.network[Link{l}];
        bool const between = is_switch(topology.network, link.from) && is_switch(topology.network, link.to);
        EXPECT_NEAR(load[l], between ? 2.0 : 1.0, 0.35);
    }
}

// Kim et al. 2008: to the group by one global link and on by one more; pairs of one group stay in it.
TEST(PairRoutes, ValiantByGroupTakesTwoGlobalLinks) {
    Fabric const fabric = routed("dragonfly:a=4,p=2,h=2", "valiant:via=group");
    Network const& net = fabric.network;
    auto const group_of = [&](Node node) { return net[node].name.substr(0, net[node].name.find('_')); };
    std::map<std::size_t, std::size_t> pairs_by_global_links;
    for (std::size_t s = 0; s < 72; ++s)
        for (std::size_t d = 0; d < 72; ++d) {
            if (s == d) continue;
            std::vector<Link> links;
            ASSERT_TRUE(dynamic_cast<PairRoutes const&>(*fabric.routing).append(net, Host{s}, Host{d}, links));
            EXPECT_LE(links.size(), 2u + 5u);
            std::size_t global = 0;
            for (Link const link : links)
                global += is_switch(net, net[link].from) && is_switch(net, net[link].to) &&
                          group_of(net[link].from) != group_of(net[link].to);
            if (s / 8 == d / 8) {
                EXPECT_EQ(global, 0u);
                EXPECT_LE(links.size(), 3u);
            } else {
                ++pairs_by_global_links[global];
            }
        }
    // One in the source's and one in the destination's of nine groups.
    EXPECT_NEAR(double(pairs_by_global_links[1]) / (72 * 64), 2.0 / 9, 0.02);
    EXPECT_NEAR(double(pairs_by_global_links[2]) / (72 * 64), 7.0 / 9, 0.02);
    EXPECT_THROW(routed("torus:4x4", "valiant:via=group"), InputError);
}

// Dragonfly+: leaf, spine, spine, leaf between groups, over a spine inside one; the hosts of a leaf are reached by all
// spines alike.
TEST(PairRoutes, DragonflyPlusGoesUpAcrossDown) {
    Fabric const fabric = routed("dragonfly+:leaves=4,p=4,h=2", "minimal");
    Network const& net = fabric.network;
    std::size_t const hosts = net.hosts().size();
    for (std::size_t s = 0; s < hosts; ++s)
        for (std::size_t d = 0; d < hosts; ++d) {
            if (s == d) continue;
            std::size_t const links = trace_from_host(fabric, Host{s}, net[Host{d}].lid).links.size();
            EXPECT_EQ(links, s / 4 == d / 4 ? 2u : s / 16 == d / 16 ? 4u : 5u);
        }
    std::vector<std::uint64_t> const load = edge_forwarding_index(fabric);
    for (std::size_t l = 0; l < load.size(); ++l) {
        std::string const from = net[net[Link{l}].from].name, to = net[net[Link{l}].to].name;
        bool const global = from.find("_P") != std::string::npos && to.find("_P") != std::string::npos;
        if (global) {
            EXPECT_EQ(load[l], 256u);  // (leaves p)^2: all pairs of two groups share one cable
        }
    }
}

TEST(PairRoutes, EcmpIsBallsInBins) {  // 8 flows from one leaf on 8 spines: E[max] 2.59723, P(max = 1) 0.0024
    Topology const topology = make_topology("xgft:m=8x2,w=1x8");
    double sum = 0;
    int const seeds = 2000;
    for (int seed = 0; seed < seeds; ++seed) {
        auto const routes =
            std::dynamic_pointer_cast<PairRoutes const>(make_routes(topology, {"ecmp", std::uint64_t(seed)}).routing);
        std::map<std::uint32_t, int> load;
        std::vector<Link> links;
        int most = 0;
        for (std::size_t s = 0; s < 8; ++s) {
            links.clear();
            ASSERT_TRUE(routes->append(topology.network, Host{s}, Host{8 + s}, links));
            most = std::max(most, ++load[links[1].value]);
        }
        sum += most;
    }
    EXPECT_NEAR(sum / seeds, 2.59723, 0.06);  // standard error 0.016
}

TEST(PairRoutes, EcmpOfOneHashPolarises) {  // equal choices on both tiers leave most of the upper links empty
    auto const used = [](std::string const& routing) {
        Fabric const fabric = routed("kary-ntree:k=4,n=3", routing);
        std::vector<std::uint64_t> const load = edge_forwarding_index(fabric);
        std::size_t loaded = 0;
        for (std::size_t l = 0; l < load.size(); ++l) {
            LinkRecord const& link = fabric.network[Link{l}];
            loaded += load[l] > 0 && fabric.network[link.from].name.starts_with("S2_") &&
                      fabric.network[link.to].name.starts_with("S3_");
        }
        return loaded;
    };
    EXPECT_EQ(used("ecmp"), 64u);
    EXPECT_EQ(used("ecmp:hash=same"), 16u);
}

TEST(PairRoutes, EcmpByDestinationIsOnePortForAllSources) {
    Fabric const fabric = routed("kary-ntree:k=4,n=2", "ecmp:fields=destination");
    for (std::size_t d = 4; d < 16; ++d) {
        std::set<std::uint32_t> ports;
        for (std::size_t s = 0; s < 4; ++s)
            ports.insert(trace_from_host(fabric, Host{s}, fabric.network[Host{d}].lid).links[1].value);
        EXPECT_EQ(ports.size(), 1u);
    }
}

/// Lengths of all ways without a circle, sorted, by trying every one.
void every_way(ForwardingGraph const& graph, std::uint32_t at, std::uint32_t to, std::vector<std::uint8_t>& met,
               std::size_t length, std::vector<std::size_t>& found) {
    if (at == to) return found.push_back(length);
    met[at] = 1;
    for (std::uint32_t a = graph.first_arc[at]; a < graph.first_arc[at + 1]; ++a)
        if (!met[graph.arcs[a].to]) every_way(graph, graph.arcs[a].to, to, met, length + 1, found);
    met[at] = 0;
}

TEST(PairRoutes, KShortestWaysAreTheKShortest) {
    Topology const topology = make_topology("jellyfish:switches=9,degree=4,seed=3");
    ForwardingGraph const graph(topology.network, HostsDo::send);
    KShortestPaths find(graph);
    for (std::uint32_t from = 0; from < 9; ++from)
        for (std::uint32_t to = 0; to < 9; ++to) {
            if (from == to) continue;
            std::vector<std::size_t> lengths;
            std::vector<std::uint8_t> met(9);
            every_way(graph, from, to, met, 0, lengths);
            std::sort(lengths.begin(), lengths.end());
            auto const ways = find(from, to, 12);
            ASSERT_EQ(ways.size(), std::min<std::size_t>(12, lengths.size()));
            for (std::size_t i = 0; i < ways.size(); ++i) EXPECT_EQ(ways[i].size(), lengths[i]);
            EXPECT_EQ(std::set<KShortestPaths::Path>(ways.begin(), ways.end()).size(), ways.size());
        }
}

TEST(PairRoutes, AllPathStaysWithinItsDetour) {
    for (std::uint32_t const d : {0u, 1u, 2u}) {
        Fabric const fabric = routed("jellyfish:switches=12,degree=4,hosts=2", fmt::format("allpath:d={}", d));
        auto const distances = host_distances(fabric.network, false);
        std::set<std::size_t> detours;
        for (std::size_t s = 0; s < 24; ++s)
            for (std::size_t t = 0; t < 24; ++t) {
                if (s == t) continue;
                Route const route = trace_from_host(fabric, Host{s}, fabric.network[Host{t}].lid);
                ASSERT_EQ(route.fate, Fate::delivered);
                std::set<std::uint32_t> met;
                for (Link const link : route.links) EXPECT_TRUE(met.insert(fabric.network[link].to.value).second);
                detours.insert(route.links.size() - distances[s][t]);
            }
        EXPECT_EQ(*detours.rbegin(), d);
    }
}

TEST(PairRoutes, AreRefusedWhereOnlyTablesServe) {
    Finished const run =
        run_tailback({"convert", "--network", "kary-ntree:k=2,n=2", "--routing", "smodk", "--to", "lft-dump"});
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.err.find("lft-dump needs forwarding tables (routes by smodk also depend on the source)"),
              std::string::npos)
        << run.err;
    EXPECT_THROW(make_tables(make_topology("ring:5"), {"ecmp", 1}), InputError);
    Finished const traced =
        run_tailback({"trace", "--network", "kary-ntree:k=2,n=2", "--routing", "valiant", "H1", "H4"});
    EXPECT_EQ(traced.code, 0) << traced.err;
    Finished const evaluated =
        run_tailback({"evaluate", "--network", "kary-ntree:k=2,n=3", "--routing", "random-up", "--mappings", "5"});
    EXPECT_EQ(evaluated.code, 0) << evaluated.err;
}

}  // namespace
}  // namespace tailback::pair_routes_test
