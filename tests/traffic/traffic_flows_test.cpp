// A matrix of traffic as a pattern, and `evaluate --traffic`.
#include "host/study/traffic_flows.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/traffic/traffic_text.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tailback::traffic_flows_test {
namespace {

bool holds(std::string const& text, std::string const& part) { return text.find(part) != std::string::npos; }

TEST(TrafficFlows, AreOneLevelWithTheirBytes) {
    std::vector<std::string> notes;
    FlowList const list =
        flows_of(matrix_from("# ranks 9\n3 1 7 1\n0 2 9223372036854775807 1\n2 2 5 1\n4 0 0 8\n"), "file", notes);
    EXPECT_EQ(list.ranks, 9u);
    EXPECT_EQ(list.flows, (std::vector<Flow>{{0, 2}, {3, 1}}));
    EXPECT_EQ(list.weights, (std::vector<std::uint64_t>{9223372036854775807u, 7}));
    ASSERT_EQ(list.levels.size(), 1u);
    EXPECT_EQ(list.levels[0].flow_count, 2u);
    EXPECT_EQ(list.levels[0].local, 1u);
    ASSERT_EQ(notes.size(), 2u);
    EXPECT_TRUE(holds(notes[0], "one level of 2 flows, all there at once"));
    EXPECT_EQ(notes[1], "1 pair has messages without bytes: left out");
}

TEST(TrafficFlows, WhatCannotBeEvaluatedIsRefused) {
    std::vector<std::string> notes;
    auto const refused = [&](std::string const& text) {
        return error_of([&] { flows_of(matrix_from(text), "file", notes); });
    };
    EXPECT_TRUE(holds(refused("source destination bytes\n0 1 9223372036854775808\n"),
                      "rank 0 sends rank 1 9,223,372,036,854,775,808 bytes (a flow has 9,223,372,036,854,775,807"));
    EXPECT_TRUE(holds(refused("source destination bytes\n1 1 5\n"), "file: there is no flow in the traffic"));
}

/// A report without the names of the files that it is of.
nlohmann::json but_files(std::string const& report) {
    nlohmann::json json = nlohmann::json::parse(report);
    json.erase("files");
    return json;
}

class EvaluateTraffic : public testing::Test {
protected:
    Finished evaluate(Words const& more) const {
        return run_tailback(joined({"evaluate", "--network", "xgft:m=4x4,w=1x2", "--routing", "dmodk", "--metric",
                                    "all", "--mappings", "50", "--format", "json"},
                                   more));
    }
    TemporaryFolder folder;
    std::string const traffic = folder.write(
        "app.edges", "source destination bytes\n0 1 1000\n1 0 500\n2 5 70\n5 5 8\n9 3 123456\n3 9 123456\n");
    std::string const flows =
        folder.write("app.flows", "ranks 10\n0 1 1000\n1 0 500\n2 5 70\n3 9 123456\n5 5 8\n9 3 123456\n");
};

TEST_F(EvaluateTraffic, IsTheSameAsItsFlowsListed) {
    Finished const as_traffic = evaluate({"--traffic", traffic}), as_flows = evaluate({"--pattern", "file:" + flows});
    EXPECT_EQ(as_traffic.code, 0) << as_traffic.err;
    EXPECT_EQ(as_flows.code, 0) << as_flows.err;
    EXPECT_EQ(but_files(as_traffic.out), but_files(as_flows.out));
    EXPECT_TRUE(holds(as_traffic.err, "note: the traffic is evaluated as one level of 5 flows,")) << as_traffic.err;
    auto const json = nlohmann::json::parse(as_traffic.out);
    EXPECT_EQ(json["files"], nlohmann::json({{"traffic", traffic}}));
    EXPECT_EQ(json["study"]["ranks"], 10);
    EXPECT_EQ(json["study"]["levels"], 1);
}

TEST_F(EvaluateTraffic, IsWrittenAsAPatternFile) {
    Finished const run = run_tailback({"traffic", traffic, "--to", "flows"});
    EXPECT_EQ(run.out, "ranks 10\nlevel\n0 1 1000\n1 0 500\n2 5 70\n3 9 123456\n9 3 123456\n5 5\n");
    Finished const none = run_tailback({"traffic", "-", "--to", "flows"}, "source destination bytes\n1 1 5\n");
    EXPECT_EQ(none.code, 2);
    EXPECT_TRUE(holds(none.err, "there is no flow in the traffic")) << none.err;
}

/// Whatever the form, the bytes are those of the matrix.
TEST_F(EvaluateTraffic, IsTheSameInEveryForm) {
    auto const wanted = but_files(evaluate({"--traffic", traffic}).out);
    for (std::string const form : {"csv", "matrix-market"}) {
        std::string const other = folder / form;
        ASSERT_EQ(run_tailback({"traffic", traffic, "--to", form, "-o", other}).code, 0);
        EXPECT_EQ(but_files(evaluate({"--traffic", other}).out), wanted) << form;
    }
}

TEST_F(EvaluateTraffic, BadUsageIsRefused) {
    for (auto const& [words, wanted] : std::vector<std::pair<Words, std::string>>{
             {{"--traffic", traffic, "--pattern", "bisect"},
              "--traffic does not go with --pattern (each of them says what the ranks send)"},
             {{"--traffic", traffic, "--ranks", "9"}, "9"},
             {{"--traffic", traffic, "--level", "1"}, "the pattern has no level 1"},
             {{"--traffic", traffic, "-o", traffic}, "an output would replace an input"},
             {{"--traffic", folder / "none"}, "the file cannot be opened"}}) {
        Finished const run = evaluate(words);
        EXPECT_EQ(run.code, 2) << run.err;
        EXPECT_TRUE(holds(run.err, wanted)) << run.err;
    }
}

}  // namespace
}  // namespace tailback::traffic_flows_test
