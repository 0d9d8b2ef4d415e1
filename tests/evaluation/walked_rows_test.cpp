// Routes that are walked flow by flow, as rows of all pairs: the same tallies, totals and reductions, for hashes of
// several queue pairs and draws, flows over several LIDs, and routes that fail.
#include "host/evaluation/rows/pair_rows.hpp"
#include "host/evaluation/rows/rows_pay.hpp"
#include "host/evaluation/run_sums.hpp"
#include "tests/support/networks/walked_study.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>

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
    Topology topology = make_topology("xgft:m=4x4,w=1x2");
    topology.network = with_lmc(topology.network, 2);
    Routes routes = make_routes(topology, {"minhop", 1});
    Fabric const fabric{topology.network, std::move(routes.tables), true, std::move(routes.routing), nullptr, {}};
    Forwarding const forwarding(fabric);
    StudyPlan const whole = make_plan(fabric, pattern_study("rand", many));
    for (LidSpread const spread : {LidSpread::base, LidSpread::connection, LidSpread::all}) {
        StudyPlan const plan = divided_plan(whole, {.parts = spread == LidSpread::all ? 4u : 1u});
        auto const walking = make_cpu_executor(plan.problem, 1, spread_route_finder(plan, forwarding, spread));
        auto const in_rows = make_spread_executor(plan, forwarding, spread, 2);
        EXPECT_EQ(CameTo::by(*in_rows, 0, 50), CameTo::by(*walking, 0, 50)) << spread_name(spread);
        EXPECT_TRUE(bool(spread_on_cuda(plan, forwarding, spread)));
    }
    EXPECT_FALSE(bool(spread_on_cuda(whole, forwarding, LidSpread::random)));
    EXPECT_FALSE(bool(spread_on_cuda(whole, forwarding, LidSpread::round_robin)));
}

}  // namespace
}  // namespace tailback::walked_rows_test
