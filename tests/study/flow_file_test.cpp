// Listed patterns: a file says levels of flows in ranks; a study of them is the study of the pattern they list, and
// what is no such file is refused with its line.
#include "host/study/flow_file.hpp"

#include "host/evaluation/evaluation.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <sstream>

namespace tailback::flow_file_test {
namespace {

FlowList read(std::string const& text) {
    LineReader lines = lines_of_text(text, "flows");
    return read_flows(lines);
}

TEST(FlowFile, LevelsFlowsAndRanks) {
    FlowList const list = read("# two levels\n\n0 3\n3 0 \n  1 1\nlevel\nlevel \n\t2\t0\n2 0\n");
    EXPECT_EQ(list.ranks, 4u);
    EXPECT_EQ(list.measured_ranks, 4u);
    ASSERT_EQ(list.levels.size(), 3u);
    EXPECT_EQ(list.flows, (std::vector<Flow>{{0, 3}, {3, 0}, {2, 0}, {2, 0}}));
    EXPECT_EQ(list.levels[0].flow_count, 2u);
    EXPECT_EQ(list.levels[0].local, 1u);
    EXPECT_EQ(list.levels[1].flow_count, 0u);
    EXPECT_EQ(list.levels[2].flow_count, 2u);
    EXPECT_EQ(list.levels[2].first_flow, 2u);
}

TEST(FlowFile, DeclaredRanks) {
    EXPECT_EQ(read("ranks 9\r\nlevel\r\n0 8\r\n").ranks, 9u);
    EXPECT_EQ(read("ranks 9\n0 1\n").ranks, 9u);
    EXPECT_EQ(read("level\n0 1").levels.size(), 1u);
}

TEST(FlowFile, WhatIsWrittenIsReadBack) {
    for (char const* name : {"bruck", "tree", "ring", "recdbl", "4neighbor"}) {
        FlowList const list = make_pattern(name, 13);
        std::ostringstream text;
        write_flows(text, list);
        FlowList const back = read(text.str());
        EXPECT_EQ(back.ranks, 13u);
        EXPECT_EQ(back.flows, list.flows) << name;
        ASSERT_EQ(back.levels.size(), list.levels.size());
        for (std::size_t l = 0; l < list.levels.size(); ++l) {
            EXPECT_EQ(back.levels[l].first_flow, list.levels[l].first_flow);
            EXPECT_EQ(back.levels[l].flow_count, list.levels[l].flow_count);
        }
    }
}

/// Bytes that are given are bytes, be it one a flow: in a file, as `size=1`, or of a collective (a barrier's flows are
/// of a byte each). Flows of which nothing is said are flows. What is written is read back as the same.
TEST(FlowFile, BytesGivenAreBytes) {
    EXPECT_TRUE(read("0 1 1\n").has_bytes());
    EXPECT_TRUE(read("0 1\n1 0 1\n").has_bytes());
    EXPECT_FALSE(read("0 1\n1 0\n").has_bytes());
    for (auto const& [spec, bytes] : std::vector<std::pair<std::string, std::uint64_t>>{{"barrier", 3 * 8},
                                                                                        {"ring:size=1", 8},
                                                                                        {"1shift:size=1", 8},
                                                                                        {"all-to-all:size=1", 56},
                                                                                        {"alltoall:size=1", 56},
                                                                                        {"ring", 0},
                                                                                        {"1shift", 0},
                                                                                        {"all-to-all", 0},
                                                                                        {"rand", 0}}) {
        SCOPED_TRACE(spec);
        Study study;
        study.traffic.pattern = spec;
        study.placement.ranks = 8;
        Topology const topology = make_topology("crossbar:8");
        Routes routes = make_routes(topology, {"minhop", 1});
        Fabric const fabric{topology.network, std::move(routes.tables), true, std::move(routes.routing), nullptr, {}};
        StudyPlan const plan = make_plan(fabric, study);
        EXPECT_EQ(plan.bytes, bytes);
        EXPECT_EQ(plan.has_bytes(), bytes > 0);
        if (spec == "rand") continue;
        std::ostringstream text;
        write_flows(text, make_pattern(spec, 8));
        EXPECT_EQ(read(text.str()).has_bytes(), bytes > 0);
    }
}

TEST(FlowFile, HostileInputIsRefusedWithItsLine) {
    auto const refused = [](std::string const& text, std::string const& part) {
        std::string const error = error_of([&] { read(text); });
        EXPECT_NE(error.find(part), std::string::npos) << text << ": " << error;
    };
    refused("", "the pattern file holds no flow");
    refused("ranks 4\nlevel\n# 0 1\n", "the pattern file holds no flow");
    refused("0 1\n0\n", "flows:2: a flow without a destination");
    refused("0 1 2 3\n", "flows:1: \"3\" is one word too many");
    refused("level 0\n", "flows:1: \"0\" is one word too many");
    refused("0 -1\n", "flows:1: \"-1\" is not a rank");
    refused("0 1x\n", "\"1x\" is not a rank");
    refused("0x1 2\n", "\"0x1\" is not a rank");
    refused("Level\n", "\"Level\" is not a rank");
    refused("0 4294967295\n", "is too large");
    refused("0 99999999999999999999999\n", "is too large");
    refused("ranks 4\n0 4\n", "flows:2: rank \"4\" is too large (at most 3)");
    refused("ranks 0\n", "0 ranks");
    refused("ranks\n", "without a number");
    refused("ranks many\n", "\"many\" is not a number of ranks");
    refused("ranks 4 5\n", "one word too many");
    refused("ranks 4\nranks 4\n", "flows:2: the number of ranks comes too late (it is given already)");
    refused("0 1\nranks 4\n", "comes too late (flows or levels come before it)");
    refused(std::string("0 1\n\0\n", 6), "binary file");
}

/// The same flows by name and by file: the same tallies, whatever the mapping; ranks that the file does not name are
/// idle.
TEST(FlowFile, AStudyOfListedFlowsIsTheStudyOfThePattern) {
    for (NastyNetwork const& nasty : nasty_networks()) {
        std::uint32_t const hosts = static_cast<std::uint32_t>(usable_hosts(nasty.fabric.network, false).size());
        if (hosts < 4 || hosts > 100) continue;
        Study study;
        study.sample.mappings = 5;
        study.measures.metrics = {Metric::sum_max_cong, Metric::hist_max_cong, Metric::hist_acc_band,
                                  Metric::dep_max_delay, Metric::get_cable_cong};
        for (char const* name : {"bruck", "tree", "3shift"})
            for (std::uint32_t const ranks : {4u, hosts}) {
                study.placement.ranks = ranks;
                study.traffic.pattern = name;
                Evaluation const named =
                    evaluate(make_plan(nasty.fabric, study), {.device = DeviceChoice::cpu, .threads = 1});
                study.traffic.pattern = listed_pattern;
                study.traffic.listed_flows = make_pattern(name, ranks);
                for (std::uint32_t const asked : {0u, ranks}) {
                    study.placement.ranks = asked;
                    Evaluation const listed =
                        evaluate(make_plan(nasty.fabric, study), {.device = DeviceChoice::cpu, .threads = 1});
                    for (auto const& [metric, values] : named.numbers)
                        EXPECT_EQ(listed.numbers.at(metric).values(), values.values()) << nasty.name;
                    for (auto const& [metric, sorted] : named.flows)
                        EXPECT_EQ(listed.flows.at(metric).counts, sorted.counts) << nasty.name;
                    ASSERT_EQ(listed.links.size(), named.links.size());
                    for (std::size_t l = 0; l < named.links.size(); ++l)
                        EXPECT_EQ(listed.links[l].sum, named.links[l].sum);
                }
            }
    }
}

TEST(FlowFile, RanksThatDoNotFit) {
    Fabric const& fabric = nasty_networks().front().fabric;
    Study study;
    study.traffic.pattern = listed_pattern;
    study.traffic.listed_flows = read("0 4294967293\n");
    EXPECT_NE(error_of([&] { make_plan(fabric, study); }).find("4294967294 ranks do not fit"), std::string::npos);
    study.placement.ranks = 2;
    study.traffic.listed_flows = read("0 1\n2 0\n");
    EXPECT_NE(
        error_of([&] { make_plan(fabric, study); }).find("the pattern file is for 3 ranks (2 ranks are asked for)"),
        std::string::npos);
}

TEST(FlowFile, OnTheCommandLine) {
    TemporaryFolder const folder;
    std::string const file = folder.write("flows", "ranks 4\nlevel\n1 0\n3 2\n");
    std::vector<std::string> const both = {"--ranks", "4",        "--mappings", "50",       "--metric",
                                           "all",     "--format", "json",       "--pattern"};
    auto const report = [&](std::vector<std::string> const& pattern) {
        std::vector<std::string> words = both;
        words.insert(words.end(), pattern.begin(), pattern.end());
        Finished const run = run_tailback(on_tree16(words));
        EXPECT_EQ(run.code, 0) << run.err;
        return nlohmann::json::parse(run.out);
    };
    auto const listed = report({"file:" + file}), named = report({"bisect"});
    EXPECT_EQ(listed.at("metrics"), named.at("metrics"));
    EXPECT_EQ(listed.at("study").at("pattern"), "file");
    EXPECT_EQ(report({"file:" + file}), listed);
    EXPECT_EQ(run_tailback(on_tree16({"--pattern", "file:" + file, "--mapping", "identity", "--mappings", "1"})).code,
              0);
    Finished const text = run_tailback(on_tree16({"--pattern", "file:" + file, "--level", "1"}));
    EXPECT_EQ(text.code, 2);
    EXPECT_NE(text.err.find("no level 1"), std::string::npos) << text.err;
}

}  // namespace
}  // namespace tailback::flow_file_test
