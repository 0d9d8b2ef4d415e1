// Sampled bandwidths on two-level D-mod-K trees against their exact expectations (docs/exact-expectation.md), and
// against what ORCS prints for one of them.
#include "host/evaluation/evaluation.hpp"
#include "tests/support/oracle/exact_expectation.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace tailback::expectation_test {
namespace {

/// P(X = x) among flows that leave, from the binomial moments.
double probability(Law law, Tree tree, std::uint32_t x) {
    double sum = 0, ways = 1;  // C(j, x)
    for (std::uint32_t j = x; j <= std::min(tree.d - 1, tree.leaves - 2); ++j) {
        sum += ((j - x) % 2 == 0 ? 1 : -1) * ways * binomial_moment(law, tree, j);
        ways = ways * (j + 1) / (j + 1 - x);
    }
    return sum;
}

double hypergeometric(double population, double marked, double drawn, double x) {
    auto log_choose = [](double n, double k) {
        return std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
    };
    if (x < 0 || x > marked || x > drawn || drawn - x > population - marked) return 0;
    return std::exp(log_choose(marked, x) + log_choose(population - marked, drawn - x) - log_choose(population, drawn));
}

Tree const trees[] = {{8, 16}, {18, 36}, {4, 4}, {3, 5}, {2, 2}, {1, 6}};

/// `rand`: X is hypergeometric, directly.
TEST(Expectation, RandByTheHypergeometricLaw) {
    for (Tree const tree : trees) {
        double sum = 0;
        for (std::uint32_t x = 0; x < tree.d; ++x)
            sum += hypergeometric(tree.hosts() - 1.0, tree.leaves - 2.0, tree.d - 1.0, x) / (1.0 + x);
        EXPECT_NEAR(expectation_of_leaving_flows(Law::rand, tree), sum, 1e-9);
    }
    EXPECT_NEAR(expectation_of_leaving_flows(Law::rand, {8, 16}), 0.684885, 5e-7);
    EXPECT_NEAR(expectation(Law::rand, {8, 16}), 0.704580, 5e-7);
    EXPECT_NEAR(expectation_of_leaving_flows(Law::rand, {18, 36}), 0.655143, 5e-7);
    EXPECT_NEAR(expectation(Law::rand, {18, 36}), 0.664722, 5e-7);
    EXPECT_NEAR(expectation_of_leaving_flows(Law::rand, {8, 1'000'000}), 1 - std::pow(7.0 / 8, 8), 1e-6);  // its limit
}

/// `bisect` by another way: how many of P send, how many of Q receive, who of them meets whom.
TEST(Expectation, BisectByThreeHypergeometricSteps) {
    for (Tree const tree : trees) {
        double const left = tree.hosts() - 2.0, half = left / 2, p = tree.d - 1.0, q = tree.leaves - 2.0;
        double sum = 0;
        for (double a = 0; a <= p; ++a)      // sources in P
            for (double b = 0; b <= q; ++b)  // destinations in Q: places left to those not in P
                for (double x = 0; x <= std::min(a, b); ++x)
                    sum += hypergeometric(left, half, p, a) * hypergeometric(left - p, half - (p - a), q, b) *
                           hypergeometric(half, b, a, x) / (1 + x);
        EXPECT_NEAR(expectation_of_leaving_flows(Law::bisect, tree), sum, 1e-9);
    }
}

struct Sample {
    double mean, standard_error, full;
    Evaluation evaluation;
};

/// Means over mappings of (sum of bandwidths + local flows) / flows.
Sample sample(Tree tree, char const* pattern, std::uint64_t mappings, std::uint64_t seed) {
    Fabric const fabric = tree.fabric();
    Study study;
    study.traffic.pattern = pattern;
    study.sample.mappings = mappings;
    study.sample.seed = seed;
    study.measures.metrics = {Metric::hist_acc_band, Metric::hist_max_cong};
    StudyPlan const plan = make_plan(fabric, study);
    double sum = 0, squares = 0, full = 0;
    ExecutionOptions options;
    options.device = DeviceChoice::cpu;
    options.per_mapping = [&](std::uint64_t, std::span<MappingTally const> row) {
        MappingTally const& tally = row.front();

        double const flows = double(tally.delivered + tally.local);
        double const value = (double(tally.share_sum) / double(plan.share_unit) + double(tally.local)) / flows;
        sum += value;
        squares += value * value;
        full += value > 1 - 1e-9;
    };
    Evaluation evaluation = evaluate(plan, options);
    double const n = double(mappings), mean = sum / n;
    return {mean, std::sqrt((squares / n - mean * mean) / (n - 1)), full / n, std::move(evaluation)};
}

/// 10^6 mappings, or fewer on the large tree unless TAILBACK_LONG_TESTS is set in the environment.
std::uint64_t mappings_for(Tree tree) {
    return tree.hosts() < 200 || std::getenv("TAILBACK_LONG_TESTS") ? 1'000'000 : 60'000;
}

void expect_exact(Law law, char const* pattern) {
    for (Tree const tree : {Tree{8, 16}, Tree{18, 36}}) {
        Sample const s = sample(tree, pattern, mappings_for(tree), 2);
        double const exact = expectation(law, tree);
        double const sigmas = (s.mean - exact) / s.standard_error;
        EXPECT_LT(std::abs(sigmas), 3) << tree.hosts() << " hosts: " << s.mean << " for " << exact;
        std::printf("%-7s %u hosts, %llu mappings: mean %.6f, exact %.6f, off by %+.2f standard errors\n", pattern,
                    tree.hosts(), static_cast<unsigned long long>(mappings_for(tree)), s.mean, exact, sigmas);
        if (law == Law::rand) continue;
        EXPECT_NEAR(s.evaluation.numbers.at(Metric::hist_acc_band).mean(), s.mean, 1e-10);
        EXPECT_NEAR(s.evaluation.numbers.at(Metric::hist_acc_band).standard_error(), s.standard_error,
                    1e-3 * s.standard_error);
        EXPECT_NEAR(s.evaluation.flows.at(Metric::hist_max_cong).mean_of_inverse, s.mean, 1e-10);
    }
}

TEST(Expectation, BisectWithinThreeStandardErrors) { expect_exact(Law::bisect, "bisect"); }
TEST(Expectation, RandWithinThreeStandardErrors) { expect_exact(Law::rand, "rand"); }

/// Figure 3 of the ORCS paper, run again with ORCS 1.1 on the 4-ary 2-tree: mean bandwidth 0.8265, full bandwidth in
/// 5.9 % of 10,000 runs, congestions 1, 2, 3 for 66.4, 30.3 and 3.3 % of the flows, no run below 0.4545.
TEST(Expectation, OrcsFigureThree) {
    Tree const tree{4, 4};
    double const exact = expectation(Law::bisect_fb_sym, tree);
    EXPECT_NEAR(exact, 0.8265, 0.0005);
    Sample const s = sample(tree, "bisect_fb_sym", 200'000, 1);
    EXPECT_LT(std::abs(s.mean - exact), 3 * s.standard_error);
    EXPECT_NEAR(s.full, 0.059, 0.007);  // three standard errors of 10,000 runs
    EXPECT_GE(s.evaluation.numbers.at(Metric::hist_acc_band).min(), 0.4545);
    double const leaves = share_that_leaves(Law::bisect_fb_sym, tree);
    double const printed[] = {0.664, 0.303, 0.033};
    auto const& histogram = s.evaluation.flows.at(Metric::hist_max_cong).counts;
    ASSERT_EQ(histogram.size(), 3u);
    for (std::uint32_t x = 0; x < 3; ++x) {
        double const share = double(histogram[x].second) / (16.0 * 200'000);
        double const law = leaves * probability(Law::bisect_fb_sym, tree, x) + (x == 0 ? 1 - leaves : 0);
        EXPECT_EQ(histogram[x].first, x + 1.0);
        EXPECT_NEAR(share, law, 0.002);
        EXPECT_NEAR(share, printed[x], 0.004);
    }
}

}  // namespace
}  // namespace tailback::expectation_test
