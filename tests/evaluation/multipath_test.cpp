// Flows over the 2^LMC LIDs of their destinations (docs/semantics.md, Several LIDs a host): loads and congestion
// against routes traced LID by LID, on tables of OpenSM with LMC 2 and on computed ones; a closed form; jobs alike.
#include "host/evaluation/multipath/multipath.hpp"
#include "host/api/study.hpp"
#include "host/formats/formats.hpp"
#include "host/model/capacities.hpp"
#include "host/model/routes/trace.hpp"
#include "host/report/adaptive/multipath_report.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace tailback::multipath_test {
namespace {

Fabric computed(std::string const& spec, std::uint8_t lmc, std::string const& routing = "minhop") {
    Topology topology = make_topology(spec);
    topology.network = with_lmc(topology.network, lmc);
    Routes routes = make_routes(topology, {routing, 1});
    return {topology.network, std::move(routes.tables), true, std::move(routes.routing), nullptr, {}};
}
std::string const run = fixture("opensm/ft2-16");
Words const on_lmc2 = {"--network", run + "/dfsssp-lmc2/ibnetdiscover.out.xz", "--tables",
                       run + "/minhop-lmc2/opensm-lfts.dump.xz"};
Fabric of_opensm() {
    Disagreements ignored;
    return read_fabric(on_lmc2[1], on_lmc2[3], ignored);
}

/// Flows of weights 1 .. 5 between some hosts, in one mapping.
Study some_flows(Fabric const& fabric, std::uint32_t count, Dice& dice) {
    Study study;
    study.traffic.pattern = listed_pattern;
    FlowList& list = study.traffic.listed_flows;
    list.ranks = list.measured_ranks = static_cast<std::uint32_t>(fabric.network.hosts().size());
    while (list.flows.size() < count) {
        std::uint32_t const from = dice(list.ranks), to = dice(list.ranks);
        if (from != to) list.flows.push_back({from, to}), list.weights.push_back(1 + dice(5));
    }
    list.levels = {{.first_flow = 0, .flow_count = count}};
    study.placement.mapping = MappingKind::identity;
    study.sample.mappings = 1;
    study.sample.seed = 3;
    study.measures.metrics = {Metric::hist_acc_band, Metric::sum_max_cong, Metric::get_cable_cong};
    study.measures.capacities = CapacityKind::unit;
    return study;
}
std::vector<HostFlow> host_flows(StudyPlan const& plan) {
    std::vector<Host> const hosts = plan.hosts_of_mapping(0);
    std::vector<HostFlow> flows;
    for (std::size_t f = 0; f < plan.flow_list.flows.size(); ++f)
        flows.push_back({hosts[plan.flow_list.flows[f].source], hosts[plan.flow_list.flows[f].destination],
                         plan.flow_list.weights[f]});
    return flows;
}

/// Loads in 1/4 of a flow of weight 1 of flows on these LIDs, by traced routes; congestion of each flow.
struct Oracle {
    Oracle(Fabric const& fabric, std::vector<HostFlow> const& flows,
           std::vector<std::vector<std::uint32_t>> const& offsets)
        : loads(fabric.network.links().size()), congestion(flows.size()) {
        std::vector<std::vector<Link>> links(flows.size());
        for (std::size_t f = 0; f < flows.size(); ++f)
            for (std::uint32_t const offset : offsets[f]) {
                Route const route =
                    trace_from_host(fabric, flows[f].source, fabric.network[flows[f].destination].lid + offset);
                EXPECT_EQ(route.fate, Fate::delivered);
                for (Link const link : route.links) {
                    loads[link.value] += 4 * flows[f].weight / offsets[f].size();
                    links[f].push_back(link);
                }
            }
        for (std::size_t f = 0; f < flows.size(); ++f)
            for (Link const link : links[f]) congestion[f] = std::max(congestion[f], loads[link.value]);
    }
    std::vector<std::uint64_t> loads, congestion;
};

TEST(Multipath, LoadsAreThoseOfRoutesToTheLidsChosen) {
    Dice dice;
    for (Fabric const& fabric : {of_opensm(), computed("xgft:2;4,4;1,4", 2), computed("torus:4x3,hosts=2", 2),
                                 computed("jellyfish:switches=12,degree=4,hosts=2", 2, "sssp")}) {
        StudyPlan const plan = make_plan(fabric, some_flows(fabric, 40, dice));
        Forwarding const forwarding(fabric);
        std::vector<HostFlow> const flows = host_flows(plan);
        std::map<std::uint32_t, std::uint32_t> turn;
        std::vector<LidSpread> const spreads = {LidSpread::base, LidSpread::connection, LidSpread::round_robin,
                                                LidSpread::random, LidSpread::all};
        MultipathStudy const study(plan, spreads);
        Multipath const found =
            study.conclude(evaluate(study.columns().columns(), {.device = DeviceChoice::cpu, .threads = 2}));
        ASSERT_EQ(found.spreads, spreads);
        for (std::size_t s = 0; s < spreads.size(); ++s) {
            SCOPED_TRACE(spread_name(spreads[s]));
            LidPaths paths(forwarding, spreads[s], 3);
            std::vector<std::vector<std::uint32_t>> offsets(flows.size());
            for (std::uint32_t f = 0; f < flows.size(); ++f) {
                if (spreads[s] == LidSpread::base) offsets[f] = {0};
                else if (spreads[s] == LidSpread::all) offsets[f] = {0, 1, 2, 3};
                else if (spreads[s] == LidSpread::round_robin) offsets[f] = {turn[flows[f].source.value]++ % 4};
                else {
                    std::span const one = paths.choose(flows[f].source, flows[f].destination, {}, f);
                    offsets[f].assign(one.begin(), one.end());
                }
            }
            Oracle const oracle(fabric, flows, offsets);
            std::uint64_t const parts = spreads[s] == LidSpread::all ? 4 : 1;
            Evaluation const& column = found.columns[s].result;
            EXPECT_EQ(column.delivered, flows.size());
            double shares = 0, hottest = 0;
            for (std::size_t f = 0; f < flows.size(); ++f)
                shares += double(flows[f].weight) / (double(oracle.congestion[f]) / 4);
            for (LinkSum const& one : column.links) {
                EXPECT_EQ(one.sum * (4 / parts), oracle.loads[one.link.value]);
                hottest = std::max(hottest, double(oracle.loads[one.link.value]) / 4);
            }
            EXPECT_EQ(found.columns[s].hottest_load, hottest);
            EXPECT_NEAR(found.columns[s].mean(Metric::hist_acc_band), shares / double(flows.size()), 1e-12);
            double const largest = double(*std::max_element(oracle.congestion.begin(), oracle.congestion.end())) / 4;
            EXPECT_DOUBLE_EQ(found.columns[s].mean(Metric::sum_max_cong) / plan.congestion_unit(), largest);
        }
    }
}

/// A connection keeps its LID in every level and mapping; the other drawn ones are drawn for each message.
TEST(Multipath, ConnectionsKeepTheirLid) {
    Fabric const fabric = computed("xgft:2;4,4;1,4", 2);
    Forwarding const forwarding(fabric);
    LidPaths connections(forwarding, LidSpread::connection, 3), messages(forwarding, LidSpread::random, 3);
    std::uint32_t changed = 0;
    for (std::uint32_t f = 0; f < 15; ++f) {
        auto const lid = [&](LidPaths& paths, LevelPlace const& place, std::uint32_t message) {
            std::span const one = paths.choose(Host{f}, Host{15u}, place, message);
            EXPECT_EQ(one.size(), 1u);
            EXPECT_LT(one[0], 4u);
            return one[0];
        };
        EXPECT_EQ(lid(connections, {7, 2}, f), lid(connections, {8, 0}, f + 9));
        changed += lid(messages, {7, 2}, f) != lid(messages, {8, 0}, f);
    }
    EXPECT_GT(changed, 5u);
}

TEST(Multipath, DrawsAreUniform) {
    Fabric const fabric = computed("xgft:2;4,4;1,4", 2);
    Forwarding const forwarding(fabric);
    for (LidSpread const spread : {LidSpread::connection, LidSpread::random}) {
        LidPaths paths(forwarding, spread, 1);
        std::array<int, 4> seen{};
        for (std::uint64_t m = 0; m < 2000; ++m)
            for (std::uint32_t f = 0; f < 4; ++f)
                ++seen[paths.choose(Host{std::uint32_t(spread == LidSpread::random ? 0 : m % 16)},
                                    Host{std::uint32_t(m / 16 % 16)}, {m}, f)[0]];
        for (int const count : seen) EXPECT_NEAR(count, 2000, spread == LidSpread::random ? 200 : 600);
    }
}

TEST(Multipath, AsManyLidsAsSpinesFillThemEvenly) {
    // Two leaves of four hosts, four spines; minhop gives the four LIDs of a host four different spines, so that a
    // message in four parts is a quarter of a flow on each: every host sending to the other leaf, all at full rate.
    Fabric const fabric = computed("xgft:2;4,2;1,4", 2);
    Study study;
    study.traffic.pattern = "4shift";
    study.placement.mapping = MappingKind::identity;
    study.sample.mappings = 1;
    study.measures.metrics = {Metric::hist_acc_band, Metric::sum_max_cong};
    StudyPlan const plan = make_plan(fabric, study);
    MultipathStudy const multipath(plan, {LidSpread::all});
    Multipath const found = multipath.conclude(evaluate(multipath.columns().columns(), {}));
    EXPECT_EQ(found.columns[1].mean(Metric::sum_max_cong), 1);
    EXPECT_EQ(found.columns[1].mean(Metric::hist_acc_band), 1);
}

TEST(Multipath, LidsAreAlignedAndOwned) {
    for (std::uint8_t const lmc : {1, 3}) {
        Fabric const fabric = computed("torus:3x3", lmc);
        for (HostRecord const& host : fabric.network.hosts()) {
            EXPECT_EQ(host.lid % (1u << lmc), 0u);
            for (Lid lid = host.lid; lid < host.lid + (1u << lmc); ++lid)
                EXPECT_EQ(fabric.network.owner(lid).node, host.node);
        }
        std::set<Lid> lids;
        for (NodeRecord const& node : fabric.network.nodes())
            if (node.kind == NodeKind::switch_node) {
                EXPECT_TRUE(lids.insert(node.lid).second);
            }
    }
}

TEST(Multipath, TheBaseColumnIsThePlainStudy) {
    Words const study = {"--pattern", "rand", "--mappings", "200", "--metric", "hist_acc_band,sum_max_cong",
                         "--format",  "json"};
    Finished const plain = run_tailback(joined(joined({"evaluate"}, on_lmc2), study));
    ASSERT_EQ(plain.code, 0) << plain.err;
    Words columns = joined({"multipath"}, on_lmc2);
    columns = joined(columns, {"--pattern", "rand", "--mappings", "200", "--spread",
                               "all,random,round-robin,connection", "--format", "json"});
    Finished const spread = run_tailback(columns);
    ASSERT_EQ(spread.code, 0) << spread.err;
    nlohmann::json const one = nlohmann::json::parse(plain.out), many = nlohmann::json::parse(spread.out);
    EXPECT_EQ(many["columns"].size(), 5u);
    auto const near = [&](nlohmann::json const& column, nlohmann::json const& metric) {  // told with 12 digits
        EXPECT_NEAR(column["mean"].get<double>(), metric["mean"].get<double>(), 1e-11);
        for (int end : {0, 1}) EXPECT_NEAR(column["ci99"][end].get<double>(), metric["ci99"][end].get<double>(), 1e-11);
    };
    for (char const* const metric : {"hist_acc_band", "sum_max_cong"})
        near(many["columns"]["base"][metric], one["metrics"][metric]);
    EXPECT_GT(many["columns"]["all"]["hist_acc_band"]["mean"], many["columns"]["random"]["hist_acc_band"]["mean"]);
    columns.insert(columns.end(), {"--threads", "1"});
    EXPECT_EQ(run_tailback(columns).out, spread.out);
}

TEST(Multipath, JobsTakeIt) {
    Words const jobs = {
        "--job", "a:pattern=rand,nodes=any:8", "--job", "b:pattern=bruck,nodes=any:8", "--mappings", "100", "--format",
        "json"};
    std::map<std::string, double> slowdown;
    for (std::string const kind : {"base", "all", "random", "round-robin", "connection"}) {
        Finished const done = run_tailback(joined(joined(joined({"jobs"}, on_lmc2), jobs), {"--spread", kind}));
        ASSERT_EQ(done.code, 0) << done.err;
        nlohmann::json const json = nlohmann::json::parse(done.out);
        slowdown[kind] = json["jobs"][0]["slowdown"]["mean"];
        EXPECT_GE(json["jobs"][0]["alone"]["min"], 1.0);
        if (kind == "base") {
            EXPECT_EQ(done.out, run_tailback(joined(joined({"jobs"}, on_lmc2), jobs)).out);
        }
    }
    EXPECT_LT(slowdown["all"], slowdown["random"]);
}

TEST(Multipath, WhereFlowsAreLostNoneIsBest) {
    api::StudyRequest request;
    request.network = api::NetworkChoice("torus:4x4");
    request.network.routing = RoutingSpec("minhop");
    request.study.sample.mappings = 5;
    api::PreparedStudy const study(request);
    Multipath result;
    result.spreads = {LidSpread::base, LidSpread::all};
    result.columns.resize(2);
    for (std::size_t c = 0; c < 2; ++c) {
        Distribution values(10, false);
        values.add(c == 0 ? 5 : 9, 0);
        result.columns[c].result.numbers.emplace(Metric::hist_acc_band, values);
        result.columns[c].result.delivered = 80;
    }
    MultipathReport const report{study.plan(), result, ""};
    EXPECT_TRUE(report.verdict().starts_with("Best is all:")) << report.verdict();
    // Ten mappings each, which go far apart: the better mean may be chance.
    Multipath noisy = result;
    noisy.mappings = 10;
    for (std::size_t c = 0; c < 2; ++c) {
        Distribution values(10, false);
        for (std::uint64_t m = 0; m < 10; ++m) values.add((m % 2 == 0 ? 2 : 8) + (c == 0 ? 0 : m == 0 ? 1 : 0), m);
        noisy.columns[c].result.numbers.insert_or_assign(Metric::hist_acc_band, values);
    }
    MultipathReport const chance{study.plan(), noisy, ""};
    EXPECT_TRUE(
        chance.verdict().starts_with("Several LIDs make no difference to the mean bandwidth of a flow that 10 mappings "
                                     "could show: "))
        << chance.verdict();
    result.columns[1].result.delivered = 10, result.columns[1].result.unreachable = 70;
    EXPECT_EQ(report.verdict(),
              "Which is best is not known: 0 of 80 flows are not delivered under base, 70 of 80 under all.");
}

TEST(Multipath, WhatCannotBeIsRefused) {
    EXPECT_EQ(run_tailback({"multipath", "--network", "torus:4x4", "--spread", "all"}).code, 2);
    EXPECT_EQ(run_tailback({"multipath", "--network", "torus:4x4", "--routing", "ecmp", "--spread", "all"}).code, 2);
    EXPECT_EQ(run_tailback({"evaluate", "--network", "torus:4x4", "--routing", "dor", "--lmc", "1"}).code, 2);
    EXPECT_EQ(run_tailback({"evaluate", "--network", "torus:4x4", "--routing", "minhop", "--lmc", "9"}).code, 2);
    EXPECT_EQ(run_tailback(joined(joined({"multipath"}, on_lmc2), {"--spread", "some"})).code, 2);
    EXPECT_EQ(run_tailback(joined(joined({"multipath"}, on_lmc2), {"--spread", "all", "--hash", "same"})).code, 2);
    EXPECT_EQ(run_tailback({"multipath", "--network", "torus:4x4", "--routing", "minhop", "--lmc", "2", "--spread",
                            "all", "--mappings", "5"})
                  .code,
              0);
}

}  // namespace
}  // namespace tailback::multipath_test
