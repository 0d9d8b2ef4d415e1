// Columns side by side: their intervals hold the exact mean as often as they say, their rows and goals are those of
// single studies, and what means nothing in a column is refused.
#include "host/api/study.hpp"
#include "host/evaluation/adaptive/bracket.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <numeric>
#include <sstream>

namespace tailback::study_columns_test {
namespace {

/// Two leaves of three hosts, two spines.
api::StudyRequest six_hosts() {
    api::StudyRequest request;
    request.network = api::NetworkChoice("xgft:m=3x2,w=1x2");
    request.network.routing = RoutingSpec("ar:minimal");
    request.network.form = api::RoutesForm::tables;
    request.study.traffic.pattern = "1shift";
    request.study.measures.metrics = {Metric::hist_acc_band, Metric::sum_max_cong};
    request.mappings_given = true;
    return request;
}

Bracket bracket_of(StudyPlan const& plan, BracketOptions const& options) {
    return evaluate_bracket(plan, options, {.device = DeviceChoice::cpu, .threads = 1});
}

/// Means over all 720 mappings are exact. Of 300 drawn ones the interval of 99 % holds them nearly always, and is not
/// much wider than it has to be.
TEST(StudyColumns, IntervalsCoverTheExactMean) {
    api::StudyRequest const request = six_hosts();
    std::shared_ptr<Fabric const> const fabric =
        api::obtain_shared({.network = request.network, .wanted = api::Wanted::mappings}, {});
    StudyPlan const first = make_plan(*fabric, request.study);
    Study every = request.study;
    every.placement.mapping = MappingKind::listed;
    every.placement.ranks = 6;
    std::vector<std::uint32_t> order(6);
    std::iota(order.begin(), order.end(), 0);
    do
        for (std::uint32_t const seat : order) every.placement.mapping_hosts.push_back(first.study_hosts[seat]);
    while (std::next_permutation(order.begin(), order.end()));
    every.sample.mappings = 720;
    BracketOptions const options{.optimal_mappings = 0, .hash_draws = 3};
    constexpr int seeds = 1000;
    std::array<int, 3> covered{};
    double width = 0, hash_width = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        every.sample.seed = seed;  // of the hash
        bool const look_at_hash = seed <= 200;
        Bracket exact;
        if (seed == 1 || look_at_hash) exact = bracket_of(make_plan(*fabric, every), options);
        static std::array<double, 2> const means = {exact.columns[0].mean(Metric::hist_acc_band),
                                                    exact.columns[1].mean(Metric::hist_acc_band)};
        Study drawn = request.study;
        drawn.sample.mappings = 300;
        drawn.sample.seed = seed;
        Bracket const found = bracket_of(make_plan(*fabric, drawn), options);
        for (std::size_t c = 0; c < (look_at_hash ? 3 : 2); ++c) {
            auto const [low, high] = found.columns[c].number(Metric::hist_acc_band)->ci99();
            double const mean = c < 2 ? means[c] : exact.columns[2].mean(Metric::hist_acc_band);
            covered[c] += low <= mean && mean <= high;
            (c < 2 ? width : hash_width) += (high - low) / (c < 2 ? 2 * seeds : 200);
        }
    }
    // 99 % of 1,000 and of 200; three standard deviations of the count are 9 and 4.
    EXPECT_GE(covered[0], 980);
    EXPECT_LT(covered[0], 1000);
    EXPECT_GE(covered[1], 980);
    EXPECT_GE(covered[2], 194);
    EXPECT_GT(width, 0.005);
    EXPECT_LT(hash_width, 3 * width);  // three draws of a mapping count as one at least
}

Words const tree = {"--network", "xgft:m=3x2,w=1x2", "--routing", "ar:minimal", "--pattern", "rand"};

nlohmann::json json_of(Words const& words) {
    Finished const done = run_tailback(words);
    EXPECT_EQ(done.code, 0) << done.err;
    return nlohmann::json::parse(done.out);
}

TEST(StudyColumns, RowsHaveEveryColumn) {
    TemporaryFolder const folder;
    nlohmann::json const json =
        json_of(joined(joined({"bracket"}, tree), {"--mappings", "6", "--optimal-mappings", "2", "--hash-draws", "4",
                                                   "--per-mapping", folder / "rows", "--format", "json"}));
    std::istringstream lines(read_whole(folder / "rows"));
    std::vector<std::vector<std::string>> rows;
    for (std::string line; std::getline(lines, line);) {
        rows.emplace_back();
        std::istringstream fields(line + ",end");
        for (std::string field; std::getline(fields, field, ',');) rows.back().push_back(field);
    }
    ASSERT_EQ(rows.size(), 7u);
    for (std::string const division : {"static", "equal", "hash", "optimal"}) {
        auto const at = std::find(rows[0].begin(), rows[0].end(), division + ".hist_acc_band") - rows[0].begin();
        ASSERT_LT(std::size_t(at), rows[0].size()) << division;
        double sum = 0;
        std::size_t count = 0;
        for (std::size_t r = 1; r < rows.size(); ++r) {
            ASSERT_EQ(rows[r].size(), rows[0].size());
            if (!rows[r][at].empty()) sum += std::stod(rows[r][at]), ++count;
        }
        EXPECT_EQ(count, division == "optimal" ? 2u : 6u);
        EXPECT_NEAR(json["columns"][division]["hist_acc_band"]["mean"].get<double>(), sum / double(count), 1e-12);
    }
    Words const twice = joined(joined({"bracket"}, tree), {"--metric", "route_length", "--format", "json"});
    EXPECT_TRUE(json_of(twice)["columns"]["hash"].contains("route_length"));
    EXPECT_FALSE(json_of(twice)["columns"]["equal"].contains("route_length"));
}

/// All columns have the mappings that the slowest needs, and each of them is as well known as was asked for.
TEST(StudyColumns, AGoalIsReachedByAll) {
    nlohmann::json const json =
        json_of(joined(joined({"bracket"}, tree), {"--until", "hist_acc_band:ci=0.004", "--format", "json"}));
    std::uint64_t const mappings = json["study"]["mappings"];
    EXPECT_GT(mappings, 1000u);
    double widest = 0;
    for (std::string const division : {"static", "equal", "hash"}) {
        nlohmann::json const& column = json["columns"][division];
        EXPECT_EQ(column["mappings"], mappings);
        widest = std::max(
            widest,
            (column["hist_acc_band"]["ci99"][1].get<double>() - column["hist_acc_band"]["ci99"][0].get<double>()) / 2);
    }
    EXPECT_LE(widest, 0.004);
    EXPECT_GT(widest, 0.0034);  // a quarter fewer mappings were too few
    EXPECT_EQ(json["columns"]["optimal"]["mappings"], 10);
    Finished const missed =
        run_tailback(joined(joined({"bracket"}, tree), {"--until", "ci=0.0001", "--mappings", "1200"}));
    EXPECT_EQ(missed.code, 1);
    EXPECT_NE(missed.err.find("the goal of --until was not reached"), std::string::npos) << missed.err;
    Finished const none =
        run_tailback(joined(joined({"bracket"}, tree), {"--metric", "route_length", "--until", "route_length:ci=0.1"}));
    EXPECT_EQ(none.code, 2);
    EXPECT_NE(none.err.find("the column equal does not have it"), std::string::npos) << none.err;
}

TEST(StudyColumns, APictureHasAHistogramOfEach) {
    TemporaryFolder const folder;
    json_of(joined(joined({"bracket"}, tree), {"--picture", folder / "picture.svg", "--format", "json"}));
    std::string const picture = read_whole(folder / "picture.svg");
    for (char const* const division : {"static", "equal", "hash", "optimal"})
        EXPECT_NE(picture.find(std::string(">") + division + "</text>"), std::string::npos) << division;
}

}  // namespace
}  // namespace tailback::study_columns_test
