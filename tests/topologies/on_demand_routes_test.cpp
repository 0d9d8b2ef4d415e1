// Routes made destination by destination. Definition: minhop takes, of the ports that begin a shortest route, the one
// chosen for the fewest hosts so far, destinations forwarder by forwarder; a study gives the same numbers whether
// routes are kept or not. A pair is unreachable when the routing has no way from where its packets enter to where its
// destination hangs, or when either has lost its cable. Such a flow is counted as unreachable, loads no link and is in
// no other number.
#include "topologies/on_demand/on_demand_routes.hpp"

#include "host/base/error.hpp"
#include "host/evaluation/evaluation.hpp"
#include "tests/support/networks/tree_entries.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/isas.hpp"
#include "topologies/failures.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <map>

namespace tailback::on_demand_routes_test {
namespace {

TAILBACK_IN_EACH_ISA(TreeRoutesInEachIsa);

/// Networks of every kind: far ones, ones of many ports, of one-way links, of hosts that forward or choose.
std::vector<std::string> const networks = {"torus:5x4",
                                           "torus:4x3,links=one",
                                           "ring:n=90",
                                           "mesh:9x3,hosts=3",
                                           "xgft:m=6x6,w=1x3",
                                           "xgft:m=3x4,w=2x2",
                                           "thintree:k=4,up=2,n=3",
                                           "dragonfly:a=4,p=2,h=2",
                                           "dragonfly+:leaves=3,p=3,h=3",
                                           "jellyfish:switches=70,degree=7,hosts=3",
                                           "jellyfish:switches=200,degree=3",
                                           "slimfly:q=5",
                                           "bcube:n=4,k=2",
                                           "dcell:n=3,k=1",
                                           "hcn:n=4,h=1",
                                           "bcn:alpha=2,beta=2,h=1",
                                           "ficonn:n=4,k=2",
                                           "dpillar:n=4,k=3",
                                           "star:n=8,hosts=4",
                                           "crossbar:40",
                                           "hyperx:4x4,hosts=2,cables=2",
                                           "fully-connected:n=80,hosts=2",
                                           "fully-connected:n=260"};

/// Hops of every node to a target by plain relaxation; packets pass nodes of `passes` alone.
std::vector<std::uint32_t> plain_hops(Network const& network, Node target, std::vector<bool> const& passes) {
    constexpr std::uint32_t far = 1u << 30;
    std::vector<std::uint32_t> hops(network.nodes().size(), far);
    hops[target.value] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (LinkRecord const& link : network.links()) {
            if (link.to != target && !passes[link.to.value]) continue;
            if (hops[link.to.value] + 1 >= hops[link.from.value]) continue;
            hops[link.from.value] = hops[link.to.value] + 1;
            changed = true;
        }
    }
    return hops;
}

TEST(Minhop, TakesTheLeastLoadedOfTheShortest) {
    for (std::string const& spec : networks) {
        SCOPED_TRACE(spec);
        Topology const topology = make_topology(spec);
        Network const& net = topology.network;
        ForwardingTables const tables = make_tables(topology, {"minhop", 1});
        auto const forwards = [&](Node n) { return tables.has_table(n); };
        std::vector<bool> passes(net.nodes().size());
        for (std::size_t n = 0; n < passes.size(); ++n)
            passes[n] = net[Node{n}].kind == NodeKind::switch_node || topology.hosts_do == HostsDo::forward;
        std::map<std::pair<std::uint32_t, Port>, std::uint32_t> chosen;  // for hosts
        std::size_t wrong = 0;
        for (std::size_t t = 0; t < net.nodes().size(); ++t) {
            Node const target{t};
            if (!forwards(target)) continue;
            std::vector<std::uint32_t> const hops = plain_hops(net, target, passes);
            std::vector<std::pair<Lid, bool>> lids;  // hosts on it in their order, then its own
            for (std::size_t h = 0; h < net.hosts().size(); ++h) {
                Node const own = net[Host{h}].node;
                if (own == target || (!forwards(own) && net[net.up_link(Host{h})].to == target))
                    lids.emplace_back(net[Host{h}].lid, true);
            }
            if (net[target].kind == NodeKind::switch_node) lids.emplace_back(net[target].lid, false);
            for (std::size_t v = 0; v < net.nodes().size(); ++v)
                for (auto const& [lid, host] : lids) {
                    if (v == t || !forwards(Node{v})) continue;
                    Port best = 0;
                    for (Port port = 1; port <= net[Node{v}].ports; ++port) {
                        Link const link = net.link_at(Node{v}, port);
                        if (!link.exists() || !forwards(net[link].to)) continue;
                        Node const to = net[link].to;
                        if (hops[to.value] + 1 != hops[v] || (to != target && !passes[to.value])) continue;
                        if (best == 0 || chosen[{std::uint32_t(v), port}] < chosen[{std::uint32_t(v), best}])
                            best = port;
                    }
                    wrong += tables.port(Node{v}, lid) != (best == 0 ? ForwardingTables::no_entry : best);  // 0: no way
                    chosen[{std::uint32_t(v), best}] += host;
                }
        }
        EXPECT_EQ(wrong, 0u);
    }
}

Fabric fabric_of(Topology const& topology, std::string const& routing, bool kept) {
    Fabric fabric{topology.network, ForwardingTables(topology.network, 0), true};
    if (kept) fabric.tables = make_tables(topology, {routing, 3});
    else fabric.routing = std::make_shared<OnDemandRoutes const>(topology, RoutingSpec(routing, 3));
    return fabric;
}

Evaluation answer(Topology const& topology, std::string const& routing, Study const& study, bool kept,
                  ExecutionOptions const& options) {
    Fabric const fabric = fabric_of(topology, routing, kept);
    return evaluate(make_plan(fabric, study), options);
}

void expect_same(Evaluation const& got, Evaluation const& wanted) {
    EXPECT_EQ(got.mappings, wanted.mappings);
    EXPECT_EQ(got.delivered, wanted.delivered);
    EXPECT_EQ(got.unreachable, wanted.unreachable);
    EXPECT_EQ(got.loop + got.misdelivered, 0u);
    EXPECT_EQ(got.local, wanted.local);
    for (auto const& [metric, values] : wanted.numbers)
        EXPECT_EQ(got.numbers.at(metric).values(), values.values()) << info_of(metric).name;
    for (auto const& [metric, sorted] : wanted.flows)
        EXPECT_EQ(got.flows.at(metric).counts, sorted.counts) << info_of(metric).name;
    ASSERT_EQ(got.links.size(), wanted.links.size());
    for (std::size_t l = 0; l < got.links.size(); ++l) EXPECT_EQ(got.links[l].sum, wanted.links[l].sum) << l;
}

// Definition: somebody who wants to stop is heard after a batch of some million flows, not after all mappings that fit
// into memory; what was done is a whole study of its own.
TEST(OnDemandRoutes, AStudyCanBeStopped) {
    Topology const topology = make_topology("jellyfish:switches=40,degree=4,hosts=5");
    Study study;
    study.traffic.pattern = "rand";
    study.sample.mappings = 10'000'000;
    ExecutionOptions options;
    options.threads = 1;
    options.stop = [] { return true; };
    Evaluation const stopped = answer(topology, "bfs", study, false, options);
    EXPECT_TRUE(stopped.interrupted);
    ASSERT_GT(stopped.mappings, 0u);
    EXPECT_LE(stopped.mappings * 200, std::uint64_t{1} << 20);
    study.sample.mappings = stopped.mappings;
    expect_same(stopped, answer(topology, "bfs", study, true, {}));
}

TEST_P(TreeRoutesInEachIsa, StudiesGiveWhatTablesGive) {
    for (std::string const& spec : networks) {
        if (spec == "fully-connected:n=260" || spec == "jellyfish:switches=200,degree=3")
            continue;  // for their ports and distances, above
        Topology const topology = make_topology(spec);
        for (std::string const& routing : {std::string("bfs"), std::string("random"), std::string("minhop"),
                                           std::string("sssp"), std::string("updn"), topology.usual_routing}) {
            if (routing == "updn" && spec.ends_with("links=one")) continue;
            for (std::string const pattern : {"rand", "bruck", "gather", "bisect"}) {
                SCOPED_TRACE(spec + " " + routing + " " + pattern);
                Study study;
                study.traffic.pattern = pattern;
                study.sample.mappings = 5;
                if (pattern == "bruck") study.placement.ranks = 7;
                if (pattern == "bruck") study.placement.subset = SubsetKind::random;
                study.measures.metrics = {Metric::hist_acc_band};  // the plain body
                if (pattern != "bisect")
                    study.measures.metrics = {Metric::sum_max_cong, Metric::hist_max_cong, Metric::hist_acc_band,
                                              Metric::dep_max_delay, Metric::get_cable_cong};
                Evaluation const wanted =
                    answer(topology, routing, study, true, {.device = DeviceChoice::cpu, .threads = 1});
                expect_same(
                    answer(topology, routing, study, false,
                           {.device = DeviceChoice::automatic, .threads = 3, .batch = pattern == "gather" ? 2u : 0u}),
                    wanted);
            }
        }
    }
}

struct Broken {
    std::string cables, switches;
};

Topology degraded(std::string const& spec, Broken const& broken) {
    Topology topology = make_topology(spec);
    Failures failures;
    failures.seed = 5;
    if (!broken.cables.empty()) failures.cables = parse_failures("", broken.cables, true);
    if (!broken.switches.empty()) failures.switches = parse_failures("", broken.switches, false);
    topology.network = degrade(topology.network, failures).network;
    return topology;
}

/// Ordered pairs of these hosts without any way between them, by relaxation from every destination.
std::uint64_t plain_unreachable(Topology const& topology, std::vector<Host> const& hosts) {
    Network const& net = topology.network;
    std::vector<bool> passes(net.nodes().size());
    for (std::size_t n = 0; n < passes.size(); ++n)
        passes[n] = net[Node{n}].kind == NodeKind::switch_node || topology.hosts_do == HostsDo::forward;
    std::uint64_t unreachable = 0;
    for (Host const destination : hosts) {
        std::vector<std::uint32_t> const hops = plain_hops(net, net[destination].node, passes);
        for (Host const source : hosts) unreachable += hops[net[source].node.value] >= 1u << 30;
    }
    return unreachable;
}

std::vector<std::string> told(FailedPairs const& failed) {
    std::vector<std::string> lines = {std::to_string(failed.pairs), std::to_string(failed.unreachable),
                                      std::to_string(failed.loop + failed.misdelivered)};
    for (FailedPair const& pair : failed.first)
        lines.push_back(std::to_string(pair.source.value) + " " + std::to_string(pair.destination.value) + " " +
                        fate_names[std::size_t(pair.fate)] + " " + pair.why);
    return lines;
}

TEST(OnDemandRoutes, CountWhatBreaksAsTablesDo) {
    std::map<std::string, unsigned> broken_by, whole_by;  // networks where some pairs break and some do not, by routing
    for (std::string const& spec : networks) {
        if (spec == "fully-connected:n=260") continue;  // for its ports, above
        for (Broken const& broken : {Broken{"7%", ""}, Broken{"40%", ""}, Broken{"switch:30%", ""}, Broken{"", "20%"},
                                     Broken{"switch:20%", "10%"}, Broken{"90%", ""}}) {
            if (spec == "crossbar:40" && !broken.switches.empty() && broken.cables.empty())
                continue;  // 20 % of one switch
            Topology const topology = degraded(spec, broken);
            std::vector<std::string> routings = {"bfs", "random", "minhop", "sssp", "updn", "dfsssp"};
            if (spec == "torus:5x4")
                routings.push_back("updn:roots=S0_0+S2_2");  // from one root to the other there is no way
            for (std::string const& routing : routings) {
                bool const ranks = routing.starts_with("updn");
                if (ranks && spec.ends_with("links=one")) continue;
                if ((broken.cables == "7%" || broken.cables == "90%") && routing != "bfs" && !ranks) continue;
                SCOPED_TRACE(spec + " " + routing + ", failed: " + broken.cables + " " + broken.switches);
                Fabric const kept = fabric_of(topology, routing, true), trees = fabric_of(topology, routing, false);
                for (std::string const pattern : {"rand", routing == "bfs" || ranks ? "bruck" : "gather"}) {
                    Study study;
                    study.traffic.pattern = pattern;
                    study.sample.mappings = 3;
                    if (pattern == "bruck") study.placement.ranks = 5;
                    if (pattern == "bruck") study.placement.subset = SubsetKind::random;
                    study.measures.metrics = {Metric::hist_acc_band};
                    if (pattern != "rand")
                        study.measures.metrics = {Metric::sum_max_cong, Metric::hist_max_cong, Metric::hist_acc_band,
                                                  Metric::dep_max_delay, Metric::get_cable_cong};
                    StudyPlan const plan = make_plan(kept, study), other = make_plan(trees, study);
                    Evaluation const wanted = evaluate(plan, {.device = DeviceChoice::cpu, .threads = 1});
                    expect_same(
                        evaluate(other,
                                 {.device = DeviceChoice::cpu, .threads = 2, .batch = pattern == "gather" ? 2u : 0u}),
                        wanted);
                    if (pattern != "rand") continue;
                    FailedPairs const failed = failed_pairs(other, 10);
                    EXPECT_EQ(told(failed), told(failed_pairs(plan, 10)));
                    if (ranks) {
                        EXPECT_EQ(told(failed_pairs(other, 1000)), told(failed_pairs(plan, 1000)));
                        EXPECT_GE(failed.unreachable, plain_unreachable(topology, plan.study_hosts));
                    } else {
                        EXPECT_EQ(failed.unreachable, plain_unreachable(topology, plan.study_hosts));
                    }
                    ++(failed.unreachable > 0 && failed.unreachable < failed.pairs && wanted.unreachable > 0 &&
                               wanted.delivered > 0
                           ? broken_by
                           : whole_by)[routing.substr(0, routing.find(':'))];
                }
            }
        }
    }
    for (auto const& [routing, count] : broken_by)
        EXPECT_GE(count, 50u) << routing << ", not broken: " << whole_by[routing];
    EXPECT_EQ(broken_by.size(), 6u);
}

// Several targets at once, several threads, and what failed: the same tables as target by target.
TEST(OnDemandRoutes, AreTheSameHoweverManyThreads) {
    Topology topology = make_topology("jellyfish:switches=600,degree=9,hosts=2");  // more than one thread is worth it
    Failures failures;
    failures.cables = parse_failures("", "switch:5%", true);
    topology.network = degrade(topology.network, failures).network;
    OnDemandRoutes const routes(topology, {"minhop", 1});
    ForwardingTables const tables = make_tables(topology, {"minhop", 1});
    for (unsigned const threads : {1u, 2u, 5u}) {
        ComparedEntries const entries = compare_entries(routes, topology.network, threads, tables);
        EXPECT_EQ(entries.seen, 1200u * 599u);
        EXPECT_EQ(entries.wrong, 0u) << threads;
    }
}

// What a family's own routing fills tables with can be asked for step by step.
TEST(OnDemandRoutes, FormulasOfFamiliesAreTheirTables) {
    std::size_t formulas = 0;
    for (std::string const spec : {"torus:5x4",
                                   "torus:4x3,links=one",
                                   "mesh:4x3,hosts=2",
                                   "ring:n=7",
                                   "hypercube:n=4",
                                   "hyperx:3x4x2,cables=3",
                                   "fully-connected:n=6,hosts=2",
                                   "twisted-torus:8x4",
                                   "midimew:13,hosts=2",
                                   "triangular-torus:4x5",
                                   "dragonfly:a=4,p=2,h=2",
                                   "dragonfly:a=4,p=1,h=3,groups=5",
                                   "dragonfly+:leaves=3,p=2,h=2,spines=2",
                                   "xgft:m=3x4,w=2x2",
                                   "xgft:2;4,3;1,2;1,3",
                                   "xgft:m=4x4,w=1x4,hosts=13",
                                   "rail:gpus=4,nodes=3,groups=3",
                                   "kary-ntree:k=3,n=3",
                                   "bcube:n=4,k=2",
                                   "dpillar:n=4,k=3"}) {
        Topology const topology = make_topology(spec);
        for (OwnRouting const& own : topology.routings)
            for (std::string const options : {"", ":ties=random", ":ties=parity"}) {
                if (!own.next_port || (!options.empty() && own.name != "dor")) continue;
                SCOPED_TRACE(spec + " " + own.name + options);
                RoutingSpec const routing(own.name + options, 5);
                OnDemandRoutes const routes(topology, routing);
                ComparedEntries const entries =
                    compare_entries(routes, topology.network, 1, make_tables(topology, routing));
                EXPECT_GT(entries.seen, 0u);
                EXPECT_EQ(entries.wrong, 0u);
                ++formulas;
            }
    }
    EXPECT_GE(formulas, 35u);
}

// A single route is made without tables as it is looked up in them, in broken networks, too.
TEST(OnDemandRoutes, TraceAsTablesDo) {
    for (char const* const spec : {"jellyfish:switches=12,degree=3,hosts=2", "bcube:n=3,k=1"}) {
        Topology topology = make_topology(spec);
        Failures failures;
        failures.cables = parse_failures("--fail-cables", "25%", true);
        failures.seed = 3;
        topology.network = degrade(topology.network, failures).network;
        Network const& net = topology.network;
        Fabric const kept{net, make_tables(topology, {"minhop", 3}), true};
        OnDemandRoutes const routes(topology, {"minhop", 3});
        std::size_t failed = 0;
        for (std::size_t s = 0; s < net.hosts().size(); ++s)
            for (HostRecord const& to : net.hosts()) {
                Route const wanted = trace_from_host(kept, Host{s}, to.lid), got = routes.trace(kept, Host{s}, to.lid);
                EXPECT_EQ(got.fate, wanted.fate) << spec << " " << s << " " << to.lid;
                EXPECT_EQ(got.cause, wanted.cause) << spec << " " << s << " " << to.lid;
                EXPECT_EQ(got.end, wanted.end) << spec << " " << s << " " << to.lid;
                if (wanted.fate == Fate::delivered) {
                    EXPECT_EQ(got.links, wanted.links) << spec << " " << s << " " << to.lid;
                }
                failed += wanted.fate != Fate::delivered;
            }
        EXPECT_GT(failed, 0u) << spec;
    }
}

TEST(OnDemandRoutes, AreRefusedWhereTheyDoNotServe) {
    auto const told = [](std::vector<std::string> words) {
        words.insert(words.begin(), "evaluate");
        words.insert(words.end(), {"--routes", "trees", "--mappings", "1"});
        Finished const finished = run_tailback(words);
        EXPECT_EQ(finished.code, 2);
        return finished.err;
    };
    EXPECT_NE(told({"--network", "torus:4x4", "--routing", "romm"}).find("cannot be computed on demand"),
              std::string::npos);
    EXPECT_NE(told({"--network", "torus:4x4", "--routing", "ecmp"})
                  .find("choose one of bfs, random, minhop, updn, sssp, dfsssp"),
              std::string::npos);
    EXPECT_NE(told({"--network", "xgft:m=4x4,w=1x4", "--routing", "ftree"})
                  .find("(only routings made destination by destination can)"),
              std::string::npos);
    EXPECT_NE(told({"--network", "bcube:n=4,k=2", "--fail-cables", "1"}).find("cannot route around failures"),
              std::string::npos);
}

// Small ones are kept; the answer is the same, and so is the report but for the digest of what routes are.
TEST(OnDemandRoutes, ReportsAreThoseOfTables) {
    auto const report = [](std::string const& form) {
        Finished const finished =
            run_tailback({"evaluate", "--network", "jellyfish:switches=50,degree=5,hosts=2", "--routing", "minhop",
                          "--fail-cables", "switch:3", "--metric", "all", "--pattern", "bruck", "--mappings", "4",
                          "--format", "json", "--routes", form});
        EXPECT_EQ(finished.code, 0) << finished.err;
        std::string text = finished.out;
        std::size_t const digest = text.find("\"digest\"");
        EXPECT_NE(digest, std::string::npos);
        return text.erase(digest, text.find('\n', digest) - digest);
    };
    EXPECT_EQ(report("trees"), report("tables"));
    EXPECT_EQ(report("auto"), report("tables"));
}

// Flows of different sizes, max-min rates and times, several ranks on a node, adapters by rail.
TEST(OnDemandRoutes, ReportsOfWeightsRatesAndNodesAreThoseOfTables) {
    Words const usual = {"evaluate", "--network", "jellyfish:switches=30,degree=5,hosts=2", "--routing", "minhop",
                         "--format", "json"};
    Words const rails = {"evaluate", "--network", "rail:gpus=4,nodes=8", "--routing", "updn", "--format", "json"};
    auto const report = [&](Words const& study, std::string const& form) {
        Finished const finished = run_tailback(joined(study, {"--routes", form}));
        EXPECT_EQ(finished.code, 0) << finished.err;
        std::string text = finished.out;
        std::size_t const digest = text.find("\"digest\"");
        EXPECT_NE(digest, std::string::npos);
        return text.erase(digest, text.find('\n', digest) - digest);
    };
    std::vector<Words> const studies = {
        joined(usual,
               {"--pattern", "allreduce:algorithm=rabenseifner,size=1MiB", "--metric", "all", "--mappings", "3"}),
        joined(usual, {"--pattern", "uniform:flows=200", "--metric", "all", "--mappings", "3", "--fail-cables", "40%"}),
        joined(usual, {"--pattern", "rand", "--metric", "max_min_band,max_min_least,max_min_jain,makespan,slowdown",
                       "--mappings", "5", "--fail-cables", "switch:3"}),
        joined(usual, {"--pattern", "allreduce:algorithm=rabenseifner,size=1MiB", "--metric",
                       "max_min_band,makespan,completion_time", "--shared-by", "bytes", "--mappings", "3"}),
        joined(rails, {"--pattern", "all-to-all", "--nodes", "any:6", "--mappings", "4", "--metric", "all"}),
        joined(rails, {"--pattern", "allreduce:algorithm=ring,size=1MiB", "--nodes", "any:6", "--rail", "nearest",
                       "--rail-aligned", "--mappings", "4", "--metric", "hist_acc_band,makespan"})};
    for (Words const& study : studies) EXPECT_EQ(report(study, "trees"), report(study, "tables")) << study.back();
}

/// What follows every flow in time wants its route whole: refused, and never told without.
TEST(OnDemandRoutes, SimulatedTimesAreRefused) {
    for (Words const& study :
         {Words{"--time", "--latency", "link=1"}, Words{"--dependencies", "causal"}, Words{"--compute", "3"},
          Words{"--switching", "store-and-forward"}, Words{"--timeline", "never.csv"}}) {
        Finished const run =
            run_tailback(joined({"evaluate", "--network", "torus:4x4", "--mappings", "3", "--routes", "trees"}, study));
        EXPECT_EQ(run.code, 2) << study.front();
        EXPECT_NE(run.err.find("routes that are made on demand do not go with"), std::string::npos) << run.err;
    }
}

TEST(OnDemandRoutes, ReportsOfBrokenNetworksAreThoseOfTables) {
    for (std::string const format : {"text", "json", "csv"})
        for (Words const& failed : {Words{"--fail-cables", "40%"}, Words{"--fail-switches", "20%"},
                                    Words{"--fail-cables", "switch:30%", "--fail-switches", "3"}})
            for (std::string const routing : {"bfs", "minhop", "updn"}) {
                auto const report = [&](std::string const& form) {
                    Finished const finished =
                        run_tailback(joined({"evaluate", "--network", "jellyfish:switches=60,degree=4,hosts=2",
                                             "--routing", routing, "--metric", "all", "--pattern", "rand", "--mappings",
                                             "4", "--format", format, "--routes", form},
                                            failed));
                    EXPECT_EQ(finished.code, 0) << finished.err;
                    std::string kept;
                    bool told = false;
                    for (std::size_t at = 0; at < finished.out.size();) {
                        std::size_t const end = std::min(finished.out.find('\n', at), finished.out.size() - 1) + 1;
                        std::string const line = finished.out.substr(at, end - at);
                        if (line.find("digest") == std::string::npos) kept += line;
                        for (std::string const word :
                             {"Undeliverable: ", "\"fate\": \"unreachable\"", "undeliverable,unreachable,,"})
                            told = told || line.find(word) != std::string::npos;
                        at = end;
                    }
                    EXPECT_TRUE(told) << finished.out.substr(0, 2000);
                    return kept;
                };
                EXPECT_EQ(report("trees"), report("tables")) << format << ' ' << routing << ' ' << failed[0];
            }
}

}  // namespace
}  // namespace tailback::on_demand_routes_test
