// hop_bytes. Definition: a mapping's number is the sum over its delivered flows of the flow's bytes times the links of
// its route but for the first, that leaves its source, and the last, that enters its destination: the sum of the loads
// of the links between switches. Without weights a flow has 1. Local flows, and flows that are not delivered, add
// nothing. The published placements are in weights_test.cpp.
#include "host/evaluation/evaluation.hpp"
#include "patterns/pattern.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/oracle/oracle.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <random>

namespace tailback::hop_bytes_test {
namespace {

using Json = nlohmann::json;

/// Flows between random ranks, of one weight or of weights that differ, in two levels.
FlowList random_flows(std::uint32_t ranks, std::uint32_t seed) {
    std::mt19937 random(seed);
    FlowList list;
    list.ranks = list.measured_ranks = ranks;
    for (std::uint32_t l = 0; l < 2; ++l) {
        Level level{.first_flow = list.flows.size()};
        for (std::uint32_t f = 0; f < 3 * ranks; ++f) {
            std::uint32_t const from = random() % ranks, to = random() % ranks;
            if (from == to) continue;
            list.flows.push_back({from, to});
            list.weights.push_back(seed % 2 == 0 ? 7 : 1 + random() % 100000);
        }
        level.flow_count = list.flows.size() - level.first_flow;
        list.levels.push_back(level);
    }
    if (seed % 3 == 0) list.weights.clear();
    return list;
}

TEST(HopBytes, AreTheOraclesOnNastyNetworks) {
    std::uint32_t seed = 0;
    std::uint64_t failed = 0;
    for (NastyNetwork const& nasty : nasty_networks())
        for (int i = 0; i < 6; ++i, ++seed) {
            SCOPED_TRACE(nasty.name + ", seed " + std::to_string(seed));
            Network const& network = nasty.fabric.network;
            auto const hosts = static_cast<std::uint32_t>(oracle::breadth_first(network, false).size());
            if (hosts < 2) continue;
            FlowList const list = random_flows(std::min(hosts, 20u), seed);
            Study study;
            study.traffic.pattern = listed_pattern;
            study.traffic.listed_flows = list;
            study.placement.ranks = list.ranks;
            study.sample.mappings = 3;
            study.sample.seed = seed;
            study.measures.metrics = {Metric::hop_bytes};
            StudyPlan const plan = make_plan(nasty.fabric, study);
            ExecutionOptions options{.device = DeviceChoice::cpu, .threads = 1};
            std::vector<MappingTally> tallies;
            options.per_mapping = [&](std::uint64_t, std::span<MappingTally const> row) {
                MappingTally const& tally = row.front();
                tallies.push_back(tally);
            };
            Evaluation const got = evaluate(plan, options);
            ASSERT_EQ(tallies.size(), 3u);
            for (std::uint64_t m = 0; m < 3; ++m) {
                std::vector<Host> const host_of_rank = plan.hosts_of_mapping(m);
                std::uint64_t want = 0;
                for (std::size_t f = 0; f < list.flows.size(); ++f) {
                    oracle::Walk const walk =
                        oracle::walk(network, nasty.fabric.tables, host_of_rank[list.flows[f].source].value,
                                     host_of_rank[list.flows[f].destination].value);
                    if (walk.end != oracle::End::delivered || walk.links.size() < 2) continue;
                    want += (list.weights.empty() ? 1 : list.weights[f]) * (walk.links.size() - 2);
                }
                EXPECT_EQ(number_of(plan, Metric::hop_bytes, tallies[m]), double(want));
            }
            failed += got.unreachable + got.loop + got.misdelivered;
        }
    EXPECT_GT(failed, 0u);
}

Json report_of(Words const& more) {
    Finished const run = run_tailback(joined({"evaluate", "--device", "cpu", "--format", "json"}, more));
    EXPECT_EQ(run.code, 0) << run.err;
    return Json::parse(run.out);
}

/// A ring of 5 on a row of five switches, ranks in its order: 1 + 1 + 1 + 1 + 4 links.
TEST(HopBytes, OfARingByHand) {
    Words const study = {"--network", "mesh:5",   "--routing", "dor",     "--mapping",
                         "identity",  "--metric", "hop_bytes", "--ranks", "5"};
    Json const plain = report_of(joined(study, {"--pattern", "1shift"}));
    EXPECT_EQ(plain["metrics"]["hop_bytes"]["mean"], 8);
    Json const bytes = report_of(joined(study, {"--pattern", "shift:by=1,size=1000"}));
    EXPECT_EQ(bytes["metrics"]["hop_bytes"]["mean"], 8000);
}

/// Every form of routes gives what tables give.
TEST(HopBytes, AreTheSameForEveryFormOfRoutes) {
    TemporaryFolder const folder;
    std::ofstream file(folder / "flows");
    std::mt19937 random(1);
    for (int f = 0; f < 300; ++f) file << random() % 24 << ' ' << random() % 24 << ' ' << 1 + random() % 1000 << '\n';
    file.close();
    Words const study = {"--network", "xgft:m=4x3x2,w=1x2x2", "--pattern", "file:" + (folder / "flows"), "--metric",
                         "all",       "--mappings",           "20"};
    Json const want = report_of(joined(study, {"--routes", "tables"}))["metrics"]["hop_bytes"];
    EXPECT_GT(want["mean"].get<double>(), 0);
    EXPECT_EQ(report_of(joined(study, {"--routes", "arithmetic"}))["metrics"]["hop_bytes"], want);
    Json const alone = report_of({"--network", "xgft:m=4x3x2,w=1x2x2", "--pattern", "file:" + (folder / "flows"),
                                  "--metric", "hop_bytes", "--mappings", "20"})["metrics"]["hop_bytes"];
    EXPECT_EQ(alone, want);
}

TEST(HopBytes, ThatCouldPass64BitsAreRefused) {
    TemporaryFolder const folder;
    std::ofstream(folder / "flows") << "0 2 4000000000000000000\n2 0 4000000000000000001\n";
    Finished const run = run_tailback(
        {"evaluate", "--network", "mesh:3", "--metric", "hop_bytes", "--pattern", "file:" + (folder / "flows")});
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.err.find("the sum of bytes times links could pass 2^63"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace tailback::hop_bytes_test
