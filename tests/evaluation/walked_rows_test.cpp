// Routes that are walked flow by flow, as rows of all pairs: the same tallies, totals and reductions, for hashes of
// several queue pairs and draws, flows over several LIDs, and routes that fail.
#include "host/evaluation/rows/pair_rows.hpp"
#include "host/evaluation/rows/rows_pay.hpp"
#include "host/evaluation/run_sums.hpp"
#include "host/model/port_lids.hpp"
#include "kernels/cpu/sharing_executor.hpp"
#include "tests/support/networks/walked_study.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/two_adapters.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace tailback::walked_rows_test {
namespace {

constexpr std::uint64_t many = 100'000, few = 2;

struct Network {
    char const *spec, *routing;
};
constexpr Network networks[] = {
    {"xgft:m=4x4,w=1x2", "ar:minimal"}, {"dragonfly:a=4,p=2,h=2", "ar:updn"}, {"xgft:m=3x4x4,w=1x2x3", "ar:minimal"}};

TEST(WalkedRows, PayWhereFlowsAreMoreThanPairs) {
    Fabric const fabric = fabric_with_sets("xgft:m=4x4,w=1x2", "ar:minimal");
    StudyPlan const long_one = make_plan(fabric, pattern_study("rand", many)),
                    short_one = make_plan(fabric, pattern_study("rand", few));
    EXPECT_TRUE(rows_pay(divided_plan(long_one, {})));
    EXPECT_FALSE(rows_pay(divided_plan(short_one, {})));
    EXPECT_FALSE(rows_pay(divided_plan(long_one, {.parts = 40})));  // no row is as long
}

TEST(WalkedRows, AreWhatIsWalked) {
    for (Network const& network : networks)
        for (std::uint64_t const queue_pairs : {1, 2, 4})
            for (std::uint64_t const draws : {1, 3})
                for (char const* const pattern : {"rand", "bisect", "bruck"}) {
                    SCOPED_TRACE(std::string(network.spec) + " " + pattern + " " + std::to_string(queue_pairs) + " " +
                                 std::to_string(draws));
                    HashedStudy const study(fabric_with_sets(network.spec, network.routing),
                                            pattern_study(pattern, many), queue_pairs, draws);
                    ASSERT_TRUE(rows_pay(study.plan));
                    auto const walking = study.walking(), in_rows = make_hashed_executor(study.plan, study.ways, 2);
                    CameTo const walked = CameTo::by(*walking, 5 * draws, 40 * draws);
                    EXPECT_EQ(CameTo::by(*in_rows, 5 * draws, 40 * draws), walked);
                    EXPECT_GT(walked.tallies.front().delivered, 0u);
                }
}

/// Numbers of mappings are those of the whole, wherever a batch begins and ends among the draws of a mapping.
TEST(WalkedRows, AreReducedAlike) {
    constexpr std::uint64_t draws = 3;
    HashedStudy const study(fabric_with_sets("xgft:m=4x4,w=1x2", "ar:minimal"), pattern_study("rand", many), 1, draws);
    WantedNumbers const wanted = wanted_numbers(study.plan);
    auto const walking = study.walking(), in_rows = make_hashed_executor(study.plan, study.ways, 1);
    for (auto const& [first, count] : {std::pair{0, 30}, std::pair{31, 1}, std::pair{32, 10}, std::pair{42, 7}})
        for (Executor* const one : {walking.get(), in_rows.get()}) one->evaluate_and_reduce(first, count, wanted);
    Reduction const expected = walking->take_reduction(), found = in_rows->take_reduction();
    EXPECT_EQ(found.mappings, 48u);
    EXPECT_EQ(found.delivered, expected.delivered);
    for (std::uint32_t k = 0; k < wanted.count; ++k) {
        ValuesSeen const &a = found.number[k].values, &b = expected.number[k].values;
        EXPECT_EQ(std::tuple(a.lowest, a.first_of_lowest, a.highest, a.first_of_highest),
                  std::tuple(b.lowest, b.first_of_lowest, b.highest, b.first_of_highest));
    }
    EXPECT_EQ(in_rows->totals(), walking->totals());
}

/// Cables that are gone: some pairs have no route.
TEST(WalkedRows, KnowRoutesThatFail) {
    Fabric fabric = fabric_with_sets("xgft:m=4x4,w=1x2", "ar:minimal");
    auto sets = std::make_shared<CandidateSets>(*fabric.candidates);
    std::vector<Port> const nowhere = {Port(200)};
    for (std::size_t n = 0; n < fabric.network.nodes().size(); n += 3)
        for (Lid lid = 1; lid < sets->lids(); lid += 2)
            if (auto const group = sets->group(Node{n}, lid); group != CandidateSets::no_group)
                sets->set(Node{n}, lid, sets->state(Node{n}, lid), sets->group_of(Node{n}, nowhere));
    fabric.candidates = std::move(sets);
    HashedStudy const study(std::move(fabric), pattern_study("rand", many), 2);
    auto const walking = study.walking(), in_rows = make_hashed_executor(study.plan, study.ways, 2);
    CameTo const walked = CameTo::by(*walking, 0, 60);
    std::uint64_t failed = 0;
    for (MappingTally const& one : walked.tallies) failed += one.unreachable;
    EXPECT_GT(failed, 0u);
    EXPECT_EQ(CameTo::by(*in_rows, 0, 60), walked);
}

TEST(WalkedRows, GoToSeveralLids) {
    for (char const* const pattern : {"rand", "bruck", "bisect", "alltoall"})
        for (LidSpread const spread :
             {LidSpread::base, LidSpread::connection, LidSpread::all, LidSpread::random, LidSpread::round_robin}) {
            SCOPED_TRACE(std::string(pattern) + " " + spread_name(spread));
            SpreadStudy const study(fabric_with_lids("xgft:m=4x4,w=1x2", 2), pattern_study(pattern, many), spread);
            auto const walking = study.walking(), in_rows = study.on_cpu(2);
            CameTo const walked = CameTo::by(*walking, 5, 50);
            EXPECT_EQ(CameTo::by(*in_rows, 5, 50), walked);
            EXPECT_GT(walked.tallies.front().delivered, 0u);
            EXPECT_TRUE(bool(study.on_cuda()));
        }
}

/// Some hosts have fewer LIDs than others.
TEST(WalkedRows, GoToFewerLids) {
    Fabric fabric = fabric_with_lids("xgft:m=4x4,w=1x2", 2);
    std::vector<PortLid> fewer;
    for (HostRecord const& host : fabric.network.hosts())
        fewer.push_back({host.node, host.port, host.lid, std::uint8_t(host.lid / 4 % 3)});
    fabric.network = with_lids(fabric.network, fewer);
    for (LidSpread const spread : {LidSpread::random, LidSpread::round_robin}) {
        SpreadStudy const study(fabric, pattern_study("bruck", many), spread);
        auto const walking = study.walking(), in_rows = study.on_cpu(1);
        EXPECT_EQ(CameTo::by(*in_rows, 0, 50), CameTo::by(*walking, 0, 50)) << spread_name(spread);
    }
}

/// Levels that are alike have other LIDs each: none of them may be taken for another.
TEST(WalkedRows, LevelsThatAreAlikeHaveRatesOfTheirOwn) {
    Study study = pattern_study("bruck", many, {Metric::max_min_band, Metric::makespan});
    Study twice = study;
    twice.traffic.pattern = listed_pattern;
    FlowList& list = twice.traffic.listed_flows;
    list.ranks = list.measured_ranks = 16;
    for (std::size_t l = 0; l < 3; ++l) {
        for (std::uint32_t r = 0; r < 16; ++r) list.flows.push_back({r, (r + 5) % 16});
        list.levels.push_back({.first_flow = 16 * l, .flow_count = 16});
    }
    for (Study const& one : {study, twice})
        for (LidSpread const spread : {LidSpread::connection, LidSpread::random, LidSpread::round_robin}) {
            SCOPED_TRACE(spread_name(spread));
            SpreadStudy const spread_study(fabric_with_lids("xgft:m=4x4,w=1x4", 2), one, spread);
            StudyPlan const& plan = spread_study.plan;
            auto const by_rounds = make_sharing_executor(
                plan.problem, 1, spread_route_finder(plan, spread_study.forwarding, spread), CpuVariant::kernel_body);
            CameTo const want = CameTo::by(*by_rounds, 5, 50);
            EXPECT_EQ(CameTo::by(*spread_study.walking(), 5, 50), want);
            EXPECT_EQ(CameTo::by(*spread_study.on_cpu(), 5, 50), want);
        }
}

/// Ranks of one host go round LIDs together, in an order that depends on where they are.
TEST(WalkedRows, TurnsOfSharedHostsAreWalked) {
    Study study = pattern_study("bruck", 1000);
    std::mt19937 random(5);
    place_on_two_adapters(study, 16, 1000, false, random);
    SpreadStudy const turns(fabric_with_lids("xgft:2;4,4;1,2", 2), study, LidSpread::round_robin),
        draws(fabric_with_lids("xgft:2;4,4;1,2", 2), study, LidSpread::random);
    EXPECT_FALSE(bool(turns.on_cuda()));
    EXPECT_TRUE(bool(draws.on_cuda()));
    CameTo const walked = CameTo::by(*draws.walking(), 0, 50);
    EXPECT_EQ(CameTo::by(*draws.on_cpu(), 0, 50), walked);
    EXPECT_GT(walked.tallies.front().within_nodes, 0u);
}

}  // namespace
}  // namespace tailback::walked_rows_test
