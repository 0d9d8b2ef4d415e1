// How a study runs changes nothing: threads, batches, and which metrics are asked for beside each other.
#include "host/evaluation/evaluation.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tailback::execution_independence_test {
namespace {

struct Outcome {
    Evaluation evaluation;
    std::vector<MappingTally> tallies;
};

/// `rows`: with every mapping's tally handed over; without, threads add up by themselves.
Outcome run(Fabric const& fabric, Study const& study, unsigned threads, std::uint64_t batch, bool rows = true) {
    StudyPlan const plan = make_plan(fabric, study);
    Outcome outcome;
    std::uint64_t done = 0;
    ExecutionOptions options;
    options.device = DeviceChoice::cpu;
    options.threads = threads;
    options.batch = batch;
    options.progress = [&](std::uint64_t now) {
        EXPECT_GT(now, done);
        done = now;
    };
    if (rows)
        options.per_mapping = [&](std::uint64_t m, std::span<MappingTally const> row) {
            MappingTally const& tally = row.front();

            EXPECT_EQ(m, outcome.tallies.size());
            outcome.tallies.push_back(tally);
        };
    outcome.evaluation = evaluate(plan, options);
    EXPECT_EQ(done, study.sample.mappings);
    EXPECT_EQ(outcome.tallies.size(), rows ? study.sample.mappings : 0);
    return outcome;
}

void expect_same(Distribution const& a, Distribution const& b) {
    EXPECT_EQ(a.values(), b.values());
    EXPECT_EQ(a.undefined(), b.undefined());
    EXPECT_EQ(a.worst_mapping(), b.worst_mapping());
    if (a.count() == 0) return;
    EXPECT_EQ(a.mean(), b.mean());
    if (a.count() == 1) return;  // nothing is known of the spread
    EXPECT_EQ(a.variance(), b.variance());
}

/// What the metrics of `got` came to.
void expect_same_numbers_and_flows(Evaluation const& got, Evaluation const& want) {
    for (auto const& [metric, values] : got.numbers) {
        SCOPED_TRACE(info_of(metric).name);
        expect_same(values, want.numbers.at(metric));
    }
    for (auto const& [metric, sorted] : got.flows) {
        SCOPED_TRACE(info_of(metric).name);
        FlowsSorted const& wanted = want.flows.at(metric);
        EXPECT_EQ(sorted.counts, wanted.counts);
        double const a = sorted.mean_of_inverse, b = wanted.mean_of_inverse;
        EXPECT_TRUE(a == b || (std::isnan(a) && std::isnan(b))) << a << " " << b;
    }
}

void expect_same_links(Evaluation const& a, Evaluation const& b) {
    ASSERT_EQ(a.links.size(), b.links.size());
    for (std::size_t l = 0; l < a.links.size(); ++l) {
        EXPECT_EQ(a.links[l].sum, b.links[l].sum);
        EXPECT_EQ(a.links[l].scaled, b.links[l].scaled);
    }
    EXPECT_EQ(a.largest_link_sum, b.largest_link_sum);
}

void expect_same_fates(Evaluation const& a, Evaluation const& b) {
    EXPECT_EQ(a.delivered, b.delivered);
    EXPECT_EQ(a.unreachable, b.unreachable);
    EXPECT_EQ(a.loop, b.loop);
    EXPECT_EQ(a.misdelivered, b.misdelivered);
    EXPECT_EQ(a.local, b.local);
}

char const* const networks[] = {"tree of three levels", "random rated broken graph", "long line", "forwarding hosts",
                                "mixed rates"};
char const* const patterns[] = {"bisect", "rand", "bruck", "null", "gather"};

std::vector<Metric> every_metric() {
    std::vector<Metric> all;
    all = metrics_of_all();
    return all;
}

Study study_of(char const* pattern, std::size_t i) {
    Study study;
    study.traffic.pattern = pattern;
    study.placement.ranks = i % 2 == 0 ? 0 : 6;
    study.placement.subset = i % 3 == 0 ? SubsetKind::random : SubsetKind::linear_bfs;
    study.sample.mappings = 23;
    study.sample.seed = 100 + i;
    study.measures.metrics = every_metric();
    return study;
}

TEST(Execution, ThreadsAndBatchesChangeNothing) {
    std::size_t i = 0;
    for (char const* network : networks)
        for (char const* pattern : patterns) {
            SCOPED_TRACE(std::string(network) + ", " + pattern);
            Fabric const& fabric = nasty_network(network);
            Study const study = study_of(pattern, i++);
            Outcome const want = run(fabric, study, 1, 0);
            for (unsigned const threads : {1u, 2u, 3u})
                for (std::uint64_t const batch : {1u, 7u, 1000u, 0u}) {
                    Outcome const got = run(fabric, study, threads, batch, batch != 0);
                    EXPECT_EQ(got.tallies, batch != 0 ? want.tallies : std::vector<MappingTally>());
                    expect_same_fates(got.evaluation, want.evaluation);
                    EXPECT_EQ(got.evaluation.numbers.size(), want.evaluation.numbers.size());
                    EXPECT_EQ(got.evaluation.flows.size(), want.evaluation.flows.size());
                    expect_same_numbers_and_flows(got.evaluation, want.evaluation);
                    expect_same_links(got.evaluation, want.evaluation);
                }
        }
}

/// Any choice of metrics gives the numbers of all together.
TEST(Execution, MetricsDoNotDisturbEachOther) {
    std::size_t i = 0;
    for (char const* network : networks)
        for (char const* pattern : patterns) {
            Fabric const& fabric = nasty_network(network);
            Study study = study_of(pattern, i++);
            study.sample.mappings = 4;
            Evaluation const want = run(fabric, study, 1, 0).evaluation;
            for (unsigned choice = 1; choice < 1u << metrics_of_all().size(); ++choice) {
                SCOPED_TRACE(std::string(network) + ", " + pattern + ", metrics " + std::to_string(choice));
                study.measures.metrics.clear();
                for (Metric const metric : metrics_of_all())
                    if (choice >> int(metric) & 1) study.measures.metrics.push_back(metric);
                Evaluation const got = run(fabric, study, 1, 0).evaluation;
                expect_same_fates(got, want);
                expect_same_numbers_and_flows(got, want);
                if (study.wants(Metric::get_cable_cong)) expect_same_links(got, want);
            }
        }
}

/// Mapping number m is the same whichever were evaluated before: a study of more mappings begins with those of fewer.
TEST(Execution, MoreMappingsBeginWithTheSame) {
    Fabric const& fabric = nasty_network("tree of three levels");
    Study study = study_of("rand", 1);
    auto const few = run(fabric, study, 2, 3).tallies;
    study.sample.mappings = 60;
    auto const many = run(fabric, study, 3, 11).tallies;
    EXPECT_TRUE(std::equal(few.begin(), few.end(), many.begin()));
}

}  // namespace
}  // namespace tailback::execution_independence_test
