// Flows over the 2^LMC LIDs of their destinations (docs/semantics.md, Several LIDs a host): loads and congestion
// against routes traced LID by LID, on tables of OpenSM with LMC 2 and on computed ones; a closed form; jobs alike.
#include "host/api/study.hpp"
#include "host/evaluation/multipath/lid_paths.hpp"
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

std::vector<HostFlow> some_flows(Fabric const& fabric, std::uint32_t count, Dice& dice) {
    std::vector<HostFlow> flows;
    auto const hosts = static_cast<std::uint32_t>(fabric.network.hosts().size());
    while (flows.size() < count) {
        Host const from{dice(hosts)}, to{dice(hosts)};
        if (!(from == to)) flows.push_back({from, to, 1 + dice(5)});
    }
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
        Forwarding const forwarding(fabric);
        LinkCosts const costs;
        std::vector<HostFlow> const flows = some_flows(fabric, 40, dice);
        std::vector<std::vector<std::uint32_t>> base(40, {0}), all(40, {0, 1, 2, 3}), turns(40);
        std::map<std::uint32_t, std::uint32_t> turn;
        for (std::size_t f = 0; f < flows.size(); ++f) turns[f] = {turn[flows[f].source.value]++ % 4};
        for (auto const& [spread, offsets] :
             {std::pair{LidSpread::base, &base}, {LidSpread::all, &all}, {LidSpread::round_robin, &turns}}) {
            SpreadLoads loads(forwarding, costs, spread, 1, 4);
            loads.begin();
            FlowLoads const& found = loads.carry(flows, {});
            Oracle const oracle(fabric, flows, *offsets);
            EXPECT_EQ(found.loads, oracle.loads) << spread_name(spread);
            EXPECT_EQ(found.congestion, oracle.congestion);
            EXPECT_EQ(found.failed, 0u);
        }
        for (LidSpread const spread : {LidSpread::connection, LidSpread::random}) {
            LidPaths paths(forwarding, spread, 3), again(forwarding, spread, 3);
            std::vector<std::vector<std::uint32_t>> chosen;
            for (std::uint32_t f = 0; f < 40; ++f) {
                std::span const one = paths.choose(flows[f].source, flows[f].destination, {7, 2}, f);
                chosen.emplace_back(one.begin(), one.end());
                ASSERT_EQ(chosen.back().size(), 1u);
                ASSERT_LT(chosen.back()[0], 4u);
                // A connection keeps its LID in every level and mapping.
                std::span const later = again.choose(flows[f].source, flows[f].destination, {8, 0}, f + 9);
                if (spread == LidSpread::connection) {
                    EXPECT_EQ(later[0], chosen.back()[0]);
                }
            }
            SpreadLoads loads(forwarding, costs, spread, 3, 4);
            EXPECT_EQ(loads.carry(flows, {7, 2}).loads, Oracle(fabric, flows, chosen).loads);
        }
    }
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
    Forwarding const forwarding(fabric);
    std::vector<HostFlow> flows;
    for (std::uint32_t h = 0; h < 8; ++h) flows.push_back({Host{h}, Host{(h + 4) % 8}, 1});
    SpreadLoads all(forwarding, LinkCosts{}, LidSpread::all, 1, 4);
    LinkCosts const costs;
    SpreadLoads loads(forwarding, costs, LidSpread::all, 1, 4);
    for (std::uint64_t const congestion : loads.carry(flows, {}).congestion) EXPECT_EQ(congestion, 4u);
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
    std::map<std::string, double> mean;
    for (auto const& [name, metric] : one["metrics"].items()) mean[name] = metric["mean"];
    EXPECT_EQ(many["columns"].size(), 5u);
    EXPECT_NEAR(many["columns"]["base"]["hist_acc_band"]["mean"].get<double>(), mean["hist_acc_band"], 1e-9);
    EXPECT_NEAR(many["columns"]["base"]["sum_max_cong"]["mean"].get<double>(), mean["sum_max_cong"], 1e-9);
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
    for (BracketColumn& column : result.columns) column.bandwidth = {0.5}, column.delivered = 80;
    result.columns[1].bandwidth = {0.9};
    MultipathReport const report{study.plan(), result, ""};
    EXPECT_TRUE(report.verdict().starts_with("Best is all:")) << report.verdict();
    result.columns[1].delivered = 10, result.columns[1].failed = 70;
    EXPECT_EQ(report.verdict(),
              "Which is best is not known: 0 of 80 flows are lost under base, 70 of 80 under all; look "
              "for the cause with `tailback audit` first.");
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
