// A bracket as a point of a sweep and as a page: its report is that of `tailback bracket`, byte for byte in what it
// says of the study; points that share a network do not disturb each other; options that go with a bracket not are
// refused at their line.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <tuple>

namespace tailback::bracket_points_test {
namespace {

using Json = nlohmann::ordered_json;

std::string text_of(std::string const& path) {
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

/// Header and rows, divided at commas outside quotes.
std::vector<std::vector<std::string>> cells_of(std::string const& csv) {
    std::vector<std::vector<std::string>> rows;
    std::istringstream lines(csv);
    for (std::string line; std::getline(lines, line);) {
        std::vector<std::string>& row = rows.emplace_back(1);
        bool quoted = false;
        for (char const c : line) {
            quoted = quoted != (c == '"');
            if (c == ',' && !quoted) row.emplace_back();
            else row.back() += c;
        }
    }
    return rows;
}

class BracketPoints : public testing::Test {
protected:
    Finished sweep(std::string const& text) {
        std::ofstream(folder_ / "grid.yaml") << text;
        return run_tailback({"sweep", folder_ / "grid.yaml", "--output", folder_ / "out"});
    }
    TemporaryFolder folder_;
};

TEST_F(BracketPoints, AreTheReportsOfTheCommand) {
    Finished const run = sweep(
        "network: [\"xgft:m=4x4,w=1x2\", \"torus:4x4\"]\nrouting: \"ar:minimal\"\nbracket: true\n"
        "pattern: [rand, bisect]\nmappings: 30\noptimal-mappings: 5\nhash-draws: 3\n");
    ASSERT_EQ(run.code, 0) << run.err;
    Json const points = Json::parse(text_of(folder_ / "out/sweep.json")).at("points");
    ASSERT_EQ(points.size(), 4u);
    std::vector<std::vector<std::string>> const rows = cells_of(text_of(folder_ / "out/sweep.csv"));
    auto const column = [&](std::string const& name) {
        return std::size_t(std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin());
    };
    for (std::size_t p = 0; p < 4; ++p) {
        Json const& options = points[p].at("options");
        Finished const alone =
            run_tailback({"bracket", "--network", options.at("network").get<std::string>(), "--routing", "ar:minimal",
                          "--pattern", options.at("pattern").get<std::string>(), "--mappings", "30",
                          "--optimal-mappings", "5", "--hash-draws", "3", "--format", "json"});
        ASSERT_EQ(alone.code, 0) << alone.err;
        EXPECT_EQ(points[p].at("report").dump(), Json::parse(alone.out).dump());
        for (std::string const division : {"static", "equal", "hash", "optimal"})
            for (std::string const metric : {"hist_acc_band", "sum_max_cong", "dep_max_delay"}) {
                std::size_t const at = column(division + "_" + metric + "_mean");
                ASSERT_LT(at, rows[p + 1].size());
                EXPECT_NEAR(std::stod(rows[p + 1][at]),
                            points[p]["report"]["columns"][division][metric]["mean"].get<double>(), 1e-10);
            }
    }
}

TEST_F(BracketPoints, StandBesideOtherPointsOfTheSameNetwork) {
    std::string const rest = "\nrouting: \"ar:minimal\"\npattern: rand\nmappings: 20\n";
    ASSERT_EQ(sweep("network: \"xgft:m=4x4,w=1x2\"\nbracket: [false, true, false]" + rest).code, 0);
    Json const points = Json::parse(text_of(folder_ / "out/sweep.json")).at("points");
    ASSERT_EQ(points.size(), 3u);
    EXPECT_EQ(points[0]["report"].dump(), points[2]["report"].dump());
    EXPECT_NEAR(points[0]["report"]["metrics"]["hist_acc_band"]["mean"].get<double>(),
                points[1]["report"]["columns"]["static"]["hist_acc_band"]["mean"].get<double>(), 1e-12);
    std::vector<std::vector<std::string>> const rows = cells_of(text_of(folder_ / "out/sweep.csv"));
    auto const at = std::find(rows[0].begin(), rows[0].end(), "bracket") - rows[0].begin();
    EXPECT_EQ(rows[2][std::size_t(at)], "true");
}

/// Flows over LIDs, and a bracket with a goal, in one table.
TEST_F(BracketPoints, HaveGoalsAndSpreads) {
    Finished const run = sweep(
        "network: \"xgft:m=4x4,w=1x2\"\npattern: rand\nrouting:\n"
        "  - {routing: \"ar:minimal\", bracket: true, until: \"ci=0.01\"}\n"
        "  - {routing: minhop, lmc: 1, multipath: true, spread: \"all\", mappings: 40}\n");
    ASSERT_EQ(run.code, 0) << run.err;
    Json const points = Json::parse(text_of(folder_ / "out/sweep.json")).at("points");
    ASSERT_EQ(points.size(), 2u);
    Words const tree = {"--network", "xgft:m=4x4,w=1x2", "--pattern", "rand", "--format", "json"};
    Finished const bracket =
        run_tailback(joined(joined({"bracket"}, tree), {"--routing", "ar:minimal", "--until", "ci=0.01"}));
    Finished const spread = run_tailback(joined(
        joined({"multipath"}, tree), {"--routing", "minhop", "--lmc", "1", "--spread", "all", "--mappings", "40"}));
    EXPECT_EQ(points[0].at("report").dump(), Json::parse(bracket.out).dump());
    EXPECT_EQ(points[1].at("report").dump(), Json::parse(spread.out).dump());
    std::vector<std::vector<std::string>> const rows = cells_of(text_of(folder_ / "out/sweep.csv"));
    for (auto const& [name, row] :
         {std::pair{"equal_hist_acc_band_ci99_low", 1u}, {"all_hist_acc_band_ci99_high", 2u}}) {
        auto const at = std::size_t(std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin());
        ASSERT_LT(at, rows[row].size()) << name;
        EXPECT_FALSE(rows[row][at].empty()) << name;
        EXPECT_TRUE(rows[3 - row][at].empty()) << name;
    }
    Finished const both =
        sweep("network: \"torus:4x4\"\nrouting: \"ar:minimal\"\nlmc: 1\nbracket: true\nmultipath: true\n");
    EXPECT_EQ(both.code, 2);
    EXPECT_NE(both.err.find("grid.yaml:5"), std::string::npos) << both.err;
}

/// Queue pairs side by side, several of a point or points of one each.
TEST_F(BracketPoints, HaveQueuePairs) {
    Finished const run = sweep(
        "network: \"xgft:m=4x4,w=1x4\"\nrouting: \"ar:minimal\"\npattern: rand\nmappings: 20\n"
        "multipath: true\nqueue-pairs: [\"1,4\", 2]\n");
    ASSERT_EQ(run.code, 0) << run.err;
    Json const points = Json::parse(text_of(folder_ / "out/sweep.json")).at("points");
    ASSERT_EQ(points.size(), 2u);
    Finished const alone =
        run_tailback({"multipath", "--network", "xgft:m=4x4,w=1x4", "--routing", "ar:minimal", "--pattern", "rand",
                      "--mappings", "20", "--queue-pairs", "1,4", "--format", "json"});
    EXPECT_EQ(points[0].at("report").dump(), Json::parse(alone.out).dump());
    std::vector<std::vector<std::string>> const rows = cells_of(text_of(folder_ / "out/sweep.csv"));
    auto const cell = [&](std::size_t row, std::string const& name) {
        auto const at = std::size_t(std::find(rows[0].begin(), rows[0].end(), name) - rows[0].begin());
        EXPECT_LT(at, rows[0].size()) << name;
        return at < rows[row].size() ? rows[row][at] : "";
    };
    for (auto const& [row, count, has] :
         {std::tuple(1u, 1, true), {1u, 2, false}, {1u, 4, true}, {2u, 1, false}, {2u, 2, true}, {2u, 4, false}}) {
        std::string const mean = cell(row, "queue_pairs_" + std::to_string(count) + "_hist_acc_band_mean");
        EXPECT_EQ(!mean.empty(), has) << row << " " << count;
        if (!has) continue;
        EXPECT_NEAR(std::stod(mean),
                    points[row - 1]["report"]["columns"][std::to_string(count)]["hist_acc_band"]["mean"], 1e-9);
    }
    EXPECT_FALSE(cell(1, "equal_hist_acc_band_mean").empty());
    EXPECT_EQ(cell(2, "queue_pairs"), "2");
    EXPECT_EQ(std::count(rows[0].begin(), rows[0].end(), "base_hist_acc_band_mean"), 0);
}

TEST_F(BracketPoints, RefuseWhatDoesNotGoWithThemAtItsLine) {
    Finished const metric = sweep("network: \"torus:4x4\"\nrouting: \"ar:minimal\"\nbracket: true\nsharing: max-min\n");
    EXPECT_EQ(metric.code, 2);
    EXPECT_NE(metric.err.find("grid.yaml:4"), std::string::npos) << metric.err;
    Finished const draws = sweep("network: \"torus:4x4\"\nhash-draws: 5\n");
    EXPECT_EQ(draws.code, 2);
    EXPECT_NE(draws.err.find("grid.yaml:2"), std::string::npos) << draws.err;
    Finished const routes = sweep("network: \"torus:4x4\"\nbracket: true\n");
    EXPECT_EQ(routes.code, 1);
    EXPECT_NE(text_of(folder_ / "out/sweep.csv").find("candidate sets"), std::string::npos);
}

/// Flows of bytes on links of known rates: every congestion is a time, the one that `evaluate` tells; so are the bounds
/// of the optimum, and the goal of --until is judged of what is told. Two flows of 100 bytes, each alone on links of
/// 100 Gb/s, take 100 x 8 / 100e9 s.
TEST_F(BracketPoints, TellTimesWhereRatesAreKnown) {
    std::ofstream(folder_ / "two") << "ranks 4\n0 2 100\n1 3 100\n";
    Words const study = {"--network", "xgft:m=2x2,w=1x2",          "--routing", "ar:minimal", "--link-rate", "100Gb/s",
                         "--pattern", "file:" + (folder_ / "two"), "--format",  "json"};
    Json const bracket = Json::parse(run_tailback(joined({"bracket", "--mapping", "identity"}, study)).out);
    Json const alone =
        Json::parse(run_tailback(joined({"evaluate", "--mapping", "identity", "--metric", "sum_max_cong"}, study)).out);
    EXPECT_EQ(bracket["study"]["congestion_unit"], "seconds");
    EXPECT_NEAR(bracket["columns"]["static"]["sum_max_cong"]["mean"].get<double>(), 8e-9, 1e-18);
    EXPECT_EQ(bracket["columns"]["static"]["sum_max_cong"]["mean"], alone["metrics"]["sum_max_cong"]["mean"]);
    EXPECT_NEAR(bracket["columns"]["optimal"]["sum_max_cong_lower"]["mean"].get<double>(), 8e-9, 1e-18);
    EXPECT_NEAR(bracket["largest_where_optimal"]["optimal"].get<double>(), 8e-9, 1e-18);

    EXPECT_EQ(bracket["columns_where_optimal"]["equal"]["mappings"], bracket["study"]["mappings"]);
    EXPECT_EQ(bracket["columns_where_optimal"]["hash"]["dep_max_delay"], bracket["columns"]["hash"]["dep_max_delay"]);

    std::ofstream(folder_ / "eight") << "ranks 8\n0 3 1000\n1 4 2000\n2 5 3000\n3 6 4000\n4 7 5000\n5 0 6000\n";
    Json const goal = Json::parse(run_tailback({"bracket", "--network", "xgft:m=4x4,w=1x2", "--routing", "ar:minimal",
                                                "--link-rate", "100Gb/s", "--pattern", "file:" + (folder_ / "eight"),
                                                "--until", "sum_max_cong:ci=2e-8", "--format", "json"})
                                      .out);
    EXPECT_TRUE(goal["until"]["reached"].get<bool>());
    for (std::string const column : {"static", "equal", "hash"}) {
        Json const& interval = goal["columns"][column]["sum_max_cong"]["ci99"];
        double const half = (interval[1].get<double>() - interval[0].get<double>()) / 2;
        EXPECT_LE(half, 2e-8) << column;
        EXPECT_NEAR(goal["until"]["columns"][column]["half_width"].get<double>(), half, 1e-15) << column;
    }
}

}  // namespace
}  // namespace tailback::bracket_points_test
