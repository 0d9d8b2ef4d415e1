// Enough mappings and no more: goals are judged on a schedule of mapping numbers alone, never from too little, and the
// interval that a study with a goal ends with holds the exact mean as often as it says.
#include "host/evaluation/evaluation.hpp"
#include "tests/support/oracle/exact_expectation.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>

namespace tailback::until_test {
namespace {

/// 1000, then a quarter more each time (rounded down), at last the limit.
TEST(Until, LooksDependOnTheNumberOfMappingsAlone) {
    std::vector<std::uint64_t> looks;
    for (std::uint64_t done = 0; done < 3000;) looks.push_back(done = next_check(done, 3000));
    EXPECT_EQ(looks, (std::vector<std::uint64_t>{1000, 1250, 1562, 1952, 2440, 3000}));
    for (std::uint64_t done = 0; done <= 3000; ++done)
        EXPECT_EQ(is_check(done, 3000), std::count(looks.begin(), looks.end(), done) == 1) << done;
    EXPECT_EQ(next_check(999, 1000), 1000u);
    EXPECT_EQ(next_check(UINT64_MAX - 1, UINT64_MAX), UINT64_MAX);
}

/// P(X <= seen) = 1 % at the bound: tables of the Poisson distribution.
TEST(Until, PoissonBound) {
    EXPECT_NEAR(poisson_upper99(0), std::log(100.0), 1e-9);
    EXPECT_NEAR(poisson_upper99(1), 6.6384, 5e-5);
    EXPECT_NEAR(poisson_upper99(2), 8.4059, 5e-5);
    EXPECT_NEAR(poisson_upper99(10), 20.1447, 5e-5);
    EXPECT_GT(poisson_upper99(99), 124);
    EXPECT_LT(poisson_upper99(99), 126);
}

Distribution of_values(std::vector<std::pair<std::uint64_t, std::uint64_t>> const& counts) {
    Distribution values(1, true);
    std::uint64_t mapping = 0;
    for (auto const& [value, count] : counts)
        for (std::uint64_t i = 0; i < count; ++i) values.add(value, mapping++);
    return values;
}

TEST(Until, EqualValuesAreNoCertainty) {
    PossibleValues const possible{0, 10};
    auto const at = [&](double width, auto const& counts) {
        return judge({Metric::sum_max_cong, false, width}, of_values(counts), possible);
    };
    std::vector<std::pair<std::uint64_t, std::uint64_t>> const alike = {{4, 10'000}};
    EXPECT_TRUE(at(0.1, alike).few_differ);
    EXPECT_NEAR(at(0.1, alike).half_width, std::log(100.0) / 10'000 * 6, 1e-12);  // 10 is farther from 4 than 0
    EXPECT_TRUE(at(0.003, alike).reached);
    EXPECT_FALSE(at(0.002, alike).reached);
    // One that differs: the spread alone would claim +- 0.0003.
    EXPECT_NEAR(at(0.1, std::vector<std::pair<std::uint64_t, std::uint64_t>>{{4, 9'999}, {5, 1}}).half_width,
                (6.6384 + 1) / 10'000 * 6, 1e-6);
    // Enough that differ: Student's interval.
    Distribution const many = of_values({{4, 9'000}, {5, 1'000}});
    Precision const precision = judge({Metric::sum_max_cong, true, 0.01}, many, possible);
    EXPECT_FALSE(precision.few_differ);
    EXPECT_NEAR(precision.half_width, (many.ci99().second - many.ci99().first) / 2, 1e-12);
    EXPECT_TRUE(precision.reached);
    // Never from few values, however alike.
    EXPECT_FALSE(at(100, std::vector<std::pair<std::uint64_t, std::uint64_t>>{{4, 999}}).reached);
    EXPECT_FALSE(at(100, std::vector<std::pair<std::uint64_t, std::uint64_t>>{}).reached);
}

/// The 99 % interval holds the exact mean in 99 % of 1,000 seeds (20,000 with TAILBACK_LONG_TESTS), within three
/// binomial standard errors, for goals reached early, late, and at the very first look.
TEST(Until, IntervalsHoldTheExactMeanAsOftenAsTheySay) {
    Tree const tree{4, 4};
    Fabric const fabric = tree.fabric();
    double const exact = expectation(Law::bisect, tree);
    StudyPlan plan = make_plan(fabric, {});
    plan.study.sample.mappings = default_most_mappings;
    std::uint64_t const seeds = std::getenv("TAILBACK_LONG_TESTS") ? 20'000 : 1'000;
    for (double const width : {0.008, 0.0065, 0.005, 0.004}) {
        std::uint64_t held = 0, mappings = 0;
        double sum = 0;
        plan.study.sample.until = Goal{Metric::hist_acc_band, false, width};
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
            plan.problem.seed = plan.study.sample.seed = seed;
            Evaluation const result = evaluate(plan, {.device = DeviceChoice::cpu, .threads = 1});
            ASSERT_TRUE(result.until->reached);
            auto const [low, high] = result.numbers.at(Metric::hist_acc_band).ci99();
            ASSERT_LE(high - low, 2 * width * (1 + 1e-12));
            held += low <= exact && exact <= high;
            mappings += result.mappings;
            sum += result.numbers.at(Metric::hist_acc_band).mean() - exact;
        }
        double const share = double(held) / double(seeds);
        std::printf("+- %.4f: %.0f mappings, %.2f %% of %llu intervals hold the mean, which is off by %+.1e\n", width,
                    double(mappings) / double(seeds), 100 * share, static_cast<unsigned long long>(seeds),
                    sum / double(seeds));
        EXPECT_LT(std::abs(share - 0.99), 3 * std::sqrt(0.99 * 0.01 / double(seeds)));
    }
}

/// However it runs, a study with a goal ends after the same mapping; but for the goal, its report is that of as many
/// mappings.
TEST(Until, ReportsAreTheSameToTheByteHoweverItRuns) {
    for (char const* const goal : {"ci=0.004", "sum_max_cong:relative=2%", "dep_max_delay:ci=0.00001"}) {
        std::vector<std::string> const base = {"--metric", "all", "--mappings", "4000", "--until", goal};
        auto with = [&](std::vector<std::string> more) {
            more.insert(more.begin(), base.begin(), base.end());
            return run_tailback(on_tree16(more, "file-broken"));
        };
        bool const reached = std::string(goal) != "dep_max_delay:ci=0.00001";
        for (char const* const format : {"text", "json", "csv"}) {
            Finished const first = with({"--format", format, "--threads", "1"});
            EXPECT_EQ(first.code, reached ? 0 : 1) << first.err;
            EXPECT_EQ(first.err.find("the goal of --until was not reached") == std::string::npos, reached);
            EXPECT_EQ(first.out, with({"--format", format, "--threads", "3", "--batch", "17"}).out);
            EXPECT_EQ(first.out, with({"--format", format, "--batch", "100000"}).out);
        }
        auto json = nlohmann::json::parse(with({"--format", "json"}).out);
        EXPECT_EQ(json.at("until").at("reached"), reached);
        EXPECT_EQ(json.at("until").at("most_mappings"), 4000);
        EXPECT_TRUE(json.at("interrupted").is_null());
        std::string const mappings = json.at("study").at("mappings").dump();
        EXPECT_EQ(mappings == "4000", !reached);
        auto const plain = nlohmann::json::parse(
            run_tailback(on_tree16({"--metric", "all", "--mappings", mappings, "--format", "json"}, "file-broken"))
                .out);
        json["until"] = nullptr;
        EXPECT_EQ(json, plain);
    }
}

/// A picture of a study whose goal was missed says so; of one that reached it, it says nothing of it.
TEST(Until, PicturesTellOfAMissedGoal) {
    TemporaryFolder const folder;
    Words const study = on_tree16({"--mappings", "1500", "--picture", folder / "p"});
    EXPECT_EQ(run_tailback(joined(study, {"--until", "relative=0.01%"})).code, 1);
    EXPECT_NE(read_whole(folder / "p").find("GOAL NOT REACHED: the mean of hist_acc_band to ± 0.01 %"),
              std::string::npos);
    EXPECT_EQ(run_tailback(joined(study, {"--until", "ci=1"})).code, 0);
    EXPECT_EQ(read_whole(folder / "p").find("GOAL"), std::string::npos);
}

TEST(Until, PerMappingAndDumpsHoldWhatWasEvaluated) {
    TemporaryFolder const folder;
    ASSERT_EQ(
        run_tailback(on_tree16({"--until", "ci=1", "--per-mapping", folder / "p", "--dump-mappings", folder / "d"}))
            .code,
        0);
    std::string const rows = read_whole(folder / "p"), list = read_whole(folder / "d");
    EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 1001);
    EXPECT_EQ(std::count(list.begin(), list.end(), '\n'), 1002);
    EXPECT_TRUE(list.starts_with("# mappings 0 .. 999 of"));
}

TEST(Until, WhatIsNoGoalIsRefused) {
    auto const refused = [](std::vector<std::string> const& more, std::string const& part) {
        Finished const run = run_tailback(on_tree16(more));
        EXPECT_EQ(run.code, 2);
        EXPECT_NE(run.err.find(part), std::string::npos) << run.err;
    };
    for (char const* const word : {"", "0.1", "ci", "relative", "hist_acc_band:0.1", "width=0.1"})
        refused({"--until", word}, "is not understood");
    for (char const* const word : {"ci=", "ci=0", "ci=-1", "ci=nan", "ci=inf", "ci=-1e-400", "ci=1e-400x", "ci=0.1x",
                                   "ci=1%", "relative=%", "relative=0%"})
        refused({"--until", word}, "names no width");
    refused({"--until", "relative=100%"}, "is not a valid goal");
    for (char const* const word : {"ci=1e-400", "relative=1e-400", "relative=1e-400%", "relative=4e-323%"})
        refused({"--until", word}, "is not a valid goal (the number is too small)");
    refused({"--until", "ci=1e999"}, "is not a valid goal (the number is too large)");
    for (char const* const word : {":ci=0.1", ":relative=1%", ":"})
        refused({"--until", word}, "names no metric (nothing stands before the colon)");
    refused({"--until", "hist_acc_bnd:ci=1"}, "unknown metric");
    refused({"--until", "sum_max_cong:ci=1"}, "--metric does not ask for it");
    refused({"--until", "get_cable_cong:ci=1", "--metric", "all"}, "is not a mean over mappings");
    refused({"--until", "ci=1", "--metric", "hist_max_cong"}, "--until has no metric");
    refused({"--until", "ci=1", "--mappings", "999"}, "too few for --until");
    refused({"--until", "ci=1", "--mapping", "identity"}, "has no effect here");
    // No mapping has a value, or all have none to speak of: known before the first is drawn.
    for (char const* const metric : {"hist_acc_band", "sum_max_cong", "dep_max_delay"})
        for (Words const& nothing : std::vector<Words>{
                 {"--pattern", "null"},
                 {"--pattern", "rand", "--ranks", "1"},
                 {"--pattern", "ptrnvsptrn", "--first", "null", "--first-ranks", "15", "--second", "rand"}})
            refused(joined({"--until", std::string(metric) + ":ci=0.001", "--metric", metric}, nothing),
                    "no flow leaves its rank");
}

/// Where every route between the study's hosts fails, no flow is ever delivered and no mapping has a value, however the
/// routes are found; one pair that is left is enough for values.
TEST(Until, WithoutARouteThatLeadsThereItIsRefused) {
    TemporaryFolder const folder;
    std::string const parts = "edge-list:" + folder.write("graph", "a b\nc d\n"),
                      apart = folder.write("apart", "H1\nH3\n"), together = folder.write("together", "H1\nH2\n");
    for (Words const& how :
         std::vector<Words>{{"minhop", "--routes", "tables"}, {"minhop", "--routes", "trees"}, {"ecmp"}}) {
        auto const run = [&](Words const& more) {
            return run_tailback(
                joined(joined({"evaluate", "--until", "ci=1", "--network"}, more), joined({"--routing"}, how)));
        };
        for (Words const& none :
             std::vector<Words>{{"torus:3x3", "--fail-cables", "100%"}, {parts, "--subset", "file:" + apart}}) {
            Finished const refused = run(none);
            EXPECT_EQ(refused.code, 2) << how[0];
            EXPECT_NE(refused.err.find("--until has no effect here (every route between the hosts of the study fails, "
                                       "so there is no mean to estimate)"),
                      std::string::npos)
                << refused.err;
        }
        for (Words const& some : std::vector<Words>{{parts}, {parts, "--subset", "file:" + together}})
            EXPECT_EQ(run(some).code, 0) << how[0];
    }
}

/// Where nothing is drawn, one mapping is all there is.
TEST(Until, IdentityIsOneMappingUnlessSomethingElseIsDrawn) {
    auto const mappings = [](std::vector<std::string> more) {
        more.insert(more.end(), {"--mapping", "identity", "--format", "json"});
        return nlohmann::json::parse(run_tailback(on_tree16(more)).out).at("study").at("mappings").get<int>();
    };
    EXPECT_EQ(mappings({}), 1);
    Finished const more = run_tailback(on_tree16({"--mapping", "identity", "--mappings", "5"}));
    EXPECT_EQ(more.code, 2);
    EXPECT_NE(more.err.find("all mappings are the same"), std::string::npos) << more.err;
    EXPECT_EQ(mappings({"--subset", "rand", "--ranks", "4"}), 1000);
    EXPECT_EQ(mappings({"--pattern", "rand"}), 1000);
}

}  // namespace
}  // namespace tailback::until_test
