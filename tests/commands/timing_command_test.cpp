// --time, --dependencies, --compute, --latency and --switching through the program: what they give, and what is
// refused.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace tailback::timing_command_test {
namespace {

using Json = nlohmann::json;

Words const ring = {"evaluate",  "--network", "crossbar:8", "--pattern", "allreduce:algorithm=ring,size=64KiB",
                    "--mapping", "identity",  "--format",   "json"};

Json report_of(Words const& words) {
    Finished const run = run_tailback(words);
    EXPECT_EQ(run.code, 0) << run.err;
    return run.code == 0 ? Json::parse(run.out) : Json();
}
double mean_of(Json const& report, char const* metric) { return report["metrics"][metric]["mean"]; }

TEST(TimingCommand, TimeStandsForTheMetricsOfTimes) {
    std::string const named =
        run_tailback(joined(ring, {"--metric", "makespan,completion_time,slowdown", "--device", "cpu"})).out;
    EXPECT_EQ(run_tailback(joined(ring, {"--time"})).out, named);
    EXPECT_EQ(run_tailback(joined(ring, {"--dependencies", "barrier"})).out, named);
    Json const more = report_of(joined(ring, {"--time", "--metric", "sum_max_cong"}));
    EXPECT_EQ(more["metrics"].size(), 4u);
    EXPECT_FALSE(more["study"].contains("timing"));
}

TEST(TimingCommand, EachOptionAddsItsTime) {
    EXPECT_EQ(mean_of(report_of(joined(ring, {"--dependencies", "causal"})), "makespan"), 14 * 8192);
    Json const report = report_of(joined(
        ring, {"--dependencies", "causal", "--compute", "100", "--latency", "link=7,switch=5", "--threads", "2"}));
    EXPECT_EQ(mean_of(report, "makespan"), 14 * (8192 + 2 * 7 + 5) + 13 * 100);
    EXPECT_EQ(mean_of(report, "completion_time"), 8192 + 2 * 7 + 5);
    EXPECT_EQ(mean_of(report, "slowdown"), 1);
    EXPECT_EQ(report["study"]["timing"], (Json{{"dependencies", "causal"},
                                               {"compute", "100"},
                                               {"link_latency", "7"},
                                               {"switch_latency", "5"},
                                               {"switching", "cut-through"}}));
    EXPECT_EQ(mean_of(report_of(joined(ring, {"--switching", "store-and-forward"})), "makespan"), 14 * 2 * 8192);
}

/// Flows of 1, 2, .., 10 alone on their links: half of them end by 5.
TEST(TimingCommand, QuantilesOfFlows) {
    TemporaryFolder const folder;
    std::string flows = "ranks 20\nlevel\n";
    for (int i = 0; i < 10; ++i) flows += fmt::format("{} {} {}\n", 2 * i, 2 * i + 1, 1024 * (i + 1));
    folder.write("flows", flows);
    Json const report = report_of({"evaluate", "--network", "crossbar:20", "--pattern", "file:" + (folder / "flows"),
                                   "--mapping", "identity", "--time", "--format", "json"});
    Json const& quantiles = report["metrics"]["completion_time"]["flow_quantiles"];
    for (auto const& [q, time] : {std::pair{"0.01", 1024.0}, {"0.5", 5120.0}, {"0.95", 10240.0}}) {
        EXPECT_LE(double(quantiles[q]["time"]), time) << q;
        EXPECT_GT(double(quantiles[q]["end"]), time) << q;
        EXPECT_LT(double(quantiles[q]["end"]) / double(quantiles[q]["time"]), 1.04) << q;
    }
}

/// Rows by the columns of their names.
TEST(TimingCommand, AxesOfASweep) {
    TemporaryFolder const folder;
    folder.write("sweep.yaml",
                 "network: crossbar:8\npattern: \"allreduce:algorithm=ring,size=64KiB\"\nmappings: 2\n"
                 "dependencies: [barrier, causal]\nlatency: [~, \"link=7,switch=5\"]\ncompute: 100\n");
    Finished const run = run_tailback({"sweep", folder / "sweep.yaml", "--output", folder / "out"});
    ASSERT_EQ(run.code, 0) << run.err;
    std::ifstream file(folder / "out/sweep.csv");
    std::vector<std::map<std::string, std::string>> rows;
    std::vector<std::string> names;
    for (std::string line; std::getline(file, line);) {
        std::vector<std::string> fields(1);
        bool quoted = false;
        for (char const c : line) {
            if (c == '"') quoted = !quoted;
            else if (c == ',' && !quoted) fields.emplace_back();
            else fields.back() += c;
        }
        if (names.empty()) {
            names = fields;
            continue;
        }
        rows.emplace_back();
        for (std::size_t f = 0; f < names.size(); ++f) rows.back()[names[f]] = fields.at(f);
    }
    ASSERT_EQ(rows.size(), 4u);
    for (std::size_t r = 0; r < 4; ++r) {
        EXPECT_EQ(rows[r]["dependencies"], r < 2 ? "barrier" : "causal");
        EXPECT_EQ(rows[r]["compute"], "100");
        EXPECT_EQ(rows[r]["latency"], r % 2 == 0 ? "" : "link=7,switch=5");
        EXPECT_EQ(std::stod(rows[r]["makespan_mean"]), 14 * (8192 + (r % 2 == 0 ? 0 : 2 * 7 + 5)) + 13 * 100);
    }
}

/// Times of flows are kept in bins: what of them is not known is not printed.
TEST(TimingCommand, TimesOfFlowsHaveTheDigitsThatAreKnown) {
    Words const words = {"evaluate", "--network", "crossbar:9", "--mapping", "identity", "--time"};
    std::string const equal = run_tailback(joined(words, {"--pattern", "1shift:size=125000"})).out;
    std::size_t at = equal.find("\n  flows ");
    ASSERT_NE(at, std::string::npos) << equal;
    EXPECT_EQ(equal.find("to below"), std::string::npos) << equal;
    EXPECT_NE(equal.find(" 125000 ", at), std::string::npos) << equal.substr(at);
    EXPECT_EQ(equal.find("124"), std::string::npos) << equal;
    // Two sizes: their bins begin below them, and are about 1.6 % wide. Both ends are told.
    TemporaryFolder const folder;
    std::string const file = folder.path() + "/flows";
    std::ofstream(file) << "0 1 125000\n2 3 125000\n4 5 7000\n";
    std::string const two = run_tailback(joined(words, {"--pattern", "file:" + file})).out;
    at = two.find("  from ");
    ASSERT_NE(at, std::string::npos) << two;
    std::istringstream rows(two.substr(at));
    std::string from, to, below;
    double low[7], high[7];
    rows >> from;
    for (double& one : low) rows >> one;
    rows >> to >> below;
    for (double& one : high) rows >> one;
    EXPECT_EQ(to + below, "tobelow") << two;
    for (int q = 0; q < 7; ++q) {
        double const time = q < 3 ? 7000 : 125000;  // 1, 5, 25 % of three flows
        EXPECT_LE(low[q], time);
        EXPECT_GT(high[q], time);
        EXPECT_LT(high[q], 1.04 * low[q]);
    }
    std::string const part = two.substr(at);
    EXPECT_EQ(part.find("124175"), std::string::npos) << part;
    EXPECT_EQ(part.find("124174"), std::string::npos) << part;
}

TEST(TimingCommand, ASchedulesDependenciesAreKept) {
    TemporaryFolder const folder;
    std::string const file = folder.path() + "/chain.goal";
    std::ofstream(file) << "num_ranks 3\nrank 0 {\na: calc 7\nb: send 100b to 1\nb requires a\n}\n"
                           "rank 1 {\na: recv 100b from 0\nb: send 50b to 2\nb requires a\n}\n"
                           "rank 2 {\nrecv 50b from 1\n}\n";
    Words const study = {"evaluate",  "--network", "crossbar:3", "--traffic", file,
                         "--mapping", "identity",  "--format",   "json"};
    EXPECT_EQ(mean_of(report_of(joined(study, {"--time"})), "makespan"), 157);
    EXPECT_EQ(mean_of(report_of(joined(study, {"--time", "--dependencies", "barrier"})), "makespan"), 100);
    EXPECT_EQ(mean_of(report_of(joined(study, {"--metric", "makespan"})), "makespan"), 100);
    for (auto const& [more, why] : {std::pair<Words, char const*>{{"--level", "0"}, "--level has no meaning"},
                                    {{"--compute", "3"}, "--compute has no meaning"}}) {
        Finished const run = run_tailback(joined(joined(study, {"--time"}), more));
        EXPECT_EQ(run.code, 2);
        EXPECT_NE(run.err.find(why), std::string::npos) << run.err;
    }
}

TEST(TimingCommand, WrongWordsAreRefused) {
    for (auto const& [more, why] :
         {std::pair<Words, char const*>{{"--compute", "soon"}, "is not a time"},
          {{"--compute", "-3"}, "is not a time"},
          {{"--compute", "1e999"}, "is not a time"},
          {{"--compute", "20us"}, "has no meaning here"},
          {{"--latency", "cable=3"}, "is not understood"},
          {{"--latency", "link=3,link=4"}, "is not understood"},
          {{"--dependencies", "none"}, "barrier"},
          {{"--switching", "wormhole"}, "cut-through"},
          {{"--dependencies", "causal", "--metric", "max_min_band"}, "does not go with simulated times"},
          {{"--priority", "storage"}, "is not understood"},
          {{"--priority", "storage=strict:1"}, "no flow is of class"},
          {{"--priority", "application=strict:99"}, "is not understood"},
          {{"--dependencies", "causal", "--device", "cuda"}, "CUDA"}}) {
        Finished const run = run_tailback(joined(ring, more));
        EXPECT_EQ(run.code, 2) << why;
        EXPECT_NE(run.err.find(why), std::string::npos) << run.err;
    }
}

}  // namespace
}  // namespace tailback::timing_command_test
