// Every mapping draws a hash of its own: means are over hashes and mappings, and their intervals hold the luck of both.
// Held against the law of balls in bins, against a model of a tree of two levels that draws its own numbers, and
// against the same study on other threads and in two parts.
#include "host/evaluation/adaptive/bracket.hpp"
#include "host/evaluation/adaptive/hash_law.hpp"
#include "host/evaluation/multipath/multipath.hpp"
#include "tests/support/networks/walked_study.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <numeric>
#include <random>
#include <set>

namespace tailback::hash_by_mapping_test {
namespace {

/// Two leaves of 8 hosts, 8 spines; every host sends to the one across: 8 balls in 8 bins, twice, in any mapping.
Study across(std::uint64_t seed, std::uint64_t mappings) {
    Study study;
    study.traffic.pattern = "8shift";
    study.placement.mapping = MappingKind::identity;
    study.sample.mappings = mappings;
    study.sample.seed = seed;
    study.measures.metrics = {Metric::hist_acc_band, Metric::sum_max_cong};
    return study;
}

Bracket bracket_of(StudyPlan const& plan, BracketOptions const& options) {
    return evaluate_bracket(plan, options, {.device = DeviceChoice::cpu, .threads = 1});
}

/// The mean rate of n balls in m bins is (m/n)(1 - (1 - 1/m)^n). 99 % of 400 intervals hold it; four are expected not
/// to, ten are three standard deviations more.
TEST(HashByMapping, IntervalsHoldTheLawWhereMappingsAreAlike) {
    Fabric const fabric = bench::fabric_with_sets("xgft:m=8x2,w=1x8", "ar:minimal");
    double const law = balls_in_bins(8, 8).mean_rate;
    EXPECT_NEAR(law, 1 - std::pow(7.0 / 8, 8), 1e-12);
    int covered = 0, covered_by_one = 0;
    double width = 0;
    constexpr std::uint64_t seeds = 400;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
        StudyPlan const plan = make_plan(fabric, across(seed, 200));
        auto const interval = [&](bool one_hash) {
            Bracket const found = bracket_of(plan, {.optimal_mappings = 0, .hash = {.by_mapping = !one_hash}});
            return found.of(Division::hashed).number(Metric::hist_acc_band)->ci99();
        };
        auto const [low, high] = interval(false);
        covered += low <= law && law <= high;
        width += (high - low) / seeds;
        auto const [one_low, one_high] = interval(true);
        EXPECT_LT(one_high - one_low, 1e-9);  // of mappings that are all the same
        covered_by_one += one_low <= law && law <= one_high;
    }
    EXPECT_GE(covered, 386);
    EXPECT_EQ(covered_by_one, 0);
    EXPECT_GT(width, 0.01);
    EXPECT_LT(width, 0.05);
}

/// A tree of two levels in which every flow draws its spine: mean over flows of 1/(the most flows on a link of its
/// way), by mappings; a permutation and its spines are drawn anew for each.
struct TwoLevels {
    std::uint32_t leaves, hosts, spines;  // hosts of a leaf

    double mean(std::uint32_t mappings, double& error) const {
        std::mt19937_64 random(17);
        std::uint32_t const n = leaves * hosts;
        double sum = 0, squares = 0;
        for (std::uint32_t m = 0; m < mappings; ++m) {
            std::vector<std::uint32_t> to(n), spine(n);
            std::iota(to.begin(), to.end(), 0);
            std::shuffle(to.begin(), to.end(), random);
            std::vector<std::uint32_t> up(leaves * spines), down(up.size());
            for (std::uint32_t h = 0; h < n; ++h) {
                spine[h] = std::uniform_int_distribution<std::uint32_t>(0, spines - 1)(random);
                if (h / hosts == to[h] / hosts) continue;
                ++up[h / hosts * spines + spine[h]], ++down[to[h] / hosts * spines + spine[h]];
            }
            double rates = 0;
            std::uint32_t flows = 0;
            for (std::uint32_t h = 0; h < n; ++h) {
                if (to[h] == h) continue;
                bool const inside = h / hosts == to[h] / hosts;
                std::uint32_t const most =
                    std::max(up[h / hosts * spines + spine[h]], down[to[h] / hosts * spines + spine[h]]);
                rates += inside ? 1.0 : 1.0 / most, ++flows;
            }
            sum += rates / flows, squares += rates / flows * (rates / flows);
        }
        error = std::sqrt((squares / mappings - sum / mappings * (sum / mappings)) / mappings);
        return sum / mappings;
    }
};

TEST(HashByMapping, MeansAreThoseOfAModelThatDrawsItsOwn) {
    Fabric const fabric = bench::fabric_with_sets("xgft:m=6x4,w=1x6", "ar:minimal");
    Study study = across(3, 20'000);
    study.traffic.pattern = "rand";
    study.placement.mapping = MappingKind::random;
    Bracket const found = bracket_of(make_plan(fabric, study), {.optimal_mappings = 0, .hash = {.by_mapping = true}});
    double error = 0;
    double const model = TwoLevels{4, 6, 6}.mean(20'000, error);
    EXPECT_LT(error, 0.001);
    EXPECT_NEAR(found.of(Division::hashed).mean(Metric::hist_acc_band), model, 4 * std::sqrt(2.0) * error);
    EXPECT_GT(std::abs(found.of(Division::equal).mean(Metric::hist_acc_band) - model), 0.05);
}

/// The seed of a mapping is a function of the study's and its number alone: mapping 0 has the study's, no two are
/// alike.
TEST(HashByMapping, SeedsAreOfTheMapping) {
    EXPECT_EQ(hash_seed_of(5, 0), 5u);
    std::set<std::uint64_t> seen;
    for (std::uint64_t m = 0; m < 1000; ++m)
        for (std::uint64_t const seed : {1u, 2u}) seen.insert(hash_seed_of(seed, m));
    EXPECT_EQ(seen.size(), 2000u);
}

/// Mapping m comes to the same in a study that begins with it, with other threads, and, one hash each, by the hash of
/// its seed.
TEST(HashByMapping, MappingsAreEvaluatedByTheirOwnHash) {
    HashedStudy study(bench::fabric_with_sets("xgft:m=4x4,w=1x4", "ar:minimal"), pattern_study("rand", 1000), 2, 3);
    HashedWays own = study.ways;
    own.options.by_mapping = true;
    EXPECT_FALSE(bool(hashed_on_cuda(study.whole, own)));
    auto const all = make_hashed_executor(study.plan, own, 1), parts = make_hashed_executor(study.plan, own, 2);
    CameTo const whole = CameTo::by(*all, 0, 36);
    EXPECT_EQ(CameTo::by(*make_hashed_executor(study.plan, own, 3), 0, 36), whole);
    std::vector<MappingTally> behind(12);
    parts->evaluate(24, behind);
    for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(behind[i], whole.tallies[24 + i]) << i;
    std::uint64_t differ = 0;
    for (std::uint64_t m = 0; m < 12; ++m) {
        HashedWays fixed = study.ways;
        fixed.options.seed = hash_seed_of(study.ways.options.seed, m);
        std::vector<MappingTally> one(3), by_first(3);
        make_hashed_executor(study.plan, fixed, 1)->evaluate(3 * m, one);
        make_hashed_executor(study.plan, study.ways, 1)->evaluate(3 * m, by_first);
        for (std::size_t k = 0; k < 3; ++k) {
            EXPECT_EQ(one[k], whole.tallies[std::size_t(3 * m + k)]) << m << " " << k;
            differ += !(one[k] == by_first[k]);
        }
    }
    EXPECT_GT(differ, 20u);
}

nlohmann::json json_of(Words const& words) {
    Finished const run = run_tailback(joined(words, {"--format", "json"}));
    EXPECT_EQ(run.code, 0) << run.err;
    return nlohmann::json::parse(run.out);
}

/// What was an interval of no width has one, a goal counts draws, and the report says what an interval holds.
TEST(HashByMapping, ReportsSayWhatIsDrawn) {
    Words const study = {"--network", "xgft:m=8x2,w=1x8", "--routing", "ar:minimal",
                         "--pattern", "8shift",           "--mapping", "identity"};
    auto const width = [](nlohmann::json const& report, std::string const& column) {
        nlohmann::json const& ci = report.at("columns").at(column).at("hist_acc_band").at("ci99");
        return ci.at(1).get<double>() - ci.at(0).get<double>();
    };
    Words const many = joined(study, {"--mappings", "400"});
    nlohmann::json const bracket = json_of(joined({"bracket"}, many)),
                         multipath = json_of(joined({"multipath", "--queue-pairs", "1,4"}, many));
    EXPECT_GT(width(bracket, "hash"), 0.01);
    EXPECT_LT(width(bracket, "equal"), 1e-9);
    EXPECT_GT(width(multipath, "1"), width(multipath, "4"));
    EXPECT_EQ(bracket.at("hash").at("of_each_mapping"), true);
    EXPECT_EQ(multipath.at("hash_of_each_mapping"), true);
    nlohmann::json const one = json_of(joined({"multipath", "--queue-pairs", "1,4", "--one-hash"}, many));
    EXPECT_LT(width(one, "1"), 1e-9);
    EXPECT_EQ(one.at("hash_of_each_mapping"), false);
    EXPECT_NE(one.at("verdict").get<std::string>().find("whose luck no interval holds"), std::string::npos);
    EXPECT_EQ(multipath.at("verdict").get<std::string>().find("luck"), std::string::npos);
    nlohmann::json const single = json_of(joined({"multipath", "--queue-pairs", "1,4"}, study));
    EXPECT_NE(single.at("verdict").get<std::string>().find("That is one draw of the hash; --mappings N draws"),
              std::string::npos);
    nlohmann::json const goal = json_of(joined({"multipath", "--queue-pairs", "1", "--until", "ci=0.01"}, study));
    EXPECT_LE(width(goal, "1"), 0.02);
    EXPECT_GT(goal.at("study").at("mappings"), 50);
    EXPECT_EQ(run_tailback(joined({"multipath", "--queue-pairs", "1", "--until", "ci=0.01", "--one-hash"}, study)).code,
              2);
}

}  // namespace
}  // namespace tailback::hash_by_mapping_test
