// An all-to-all has the n(n - 1) flows i -> j, i != j, all at once. Its numbers do not depend on whether the flows are
// listed: a study that leaves them unlisted counts a route once for all hosts of a class.
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/networks/table_fabrics.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/all_to_all_scenarios.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>

namespace tailback::all_to_all_test {
namespace {

using Found = AllToAllFound;

Found found_by(StudyPlan const& plan, unsigned threads) {
    Found found;
    found.tallies.resize(plan.study.sample.mappings);
    std::unique_ptr<Executor> const executor = make_cpu_executor(plan.problem, threads);
    executor->evaluate(0, found.tallies);
    found.totals = executor->totals();
    while (!found.totals.histogram.empty() && found.totals.histogram.back() == 0) found.totals.histogram.pop_back();
    return found;
}

TEST(AllToAll, NumbersAreThoseOfListedFlows) {
    std::size_t failed = 0, rated = 0;
    for (AllToAllScenario const& scenario : all_to_all_scenarios()) {
        SCOPED_TRACE(scenario.name);
        EXPECT_FALSE(scenario.listed.problem.traffic.all_to_all);
        EXPECT_EQ(scenario.listed.problem.traffic.flow_count, scenario.listed.flows_per_mapping);
        ASSERT_TRUE(scenario.unlisted.problem.traffic.all_to_all);
        EXPECT_TRUE(scenario.unlisted.flow_list.flows.empty());
        EXPECT_EQ(scenario.unlisted.flows_per_mapping, scenario.listed.flows_per_mapping);
        EXPECT_EQ(scenario.unlisted.bytes, scenario.listed.bytes);
        EXPECT_EQ(scenario.unlisted.share_unit, scenario.listed.share_unit);
        Found const want = found_by(scenario.listed, 1);
        for (unsigned const threads : {1u, 3u}) {
            Found const got = found_by(scenario.unlisted, threads);
            EXPECT_EQ(got.tallies, want.tallies);
            EXPECT_EQ(got.totals, want.totals);
        }
        failed += want.tallies.front().unreachable + want.tallies.front().loop > 0;
        rated += scenario.listed.problem.routes.cost != nullptr;
    }
    EXPECT_GE(failed, 4u);
    EXPECT_GE(rated, 4u);
}

/// On n hosts of a full tree with D-mod-K no link has more flows than the n - 1 of a host: every flow has 1/(n - 1).
TEST(AllToAll, OnAFullTreeEveryFlowHasItsShareOfItsHostsLink) {
    for (std::uint32_t const hosts : {8u, 30u, 36u}) {
        Fabric const fabric = make_xgft({{3, 3, 4}, {1, 3, 3}, 0});
        Study study;
        study.traffic.pattern = "all-to-all";
        study.placement.ranks = hosts;
        study.sample.mappings = 3;
        study.measures.metrics = {Metric::sum_max_cong, Metric::hist_acc_band};
        study.traffic.may_leave_flows_unlisted = true;
        StudyPlan const plan = make_plan(fabric, study);
        for (MappingTally const& tally : found_by(plan, 1).tallies) {
            EXPECT_EQ(tally.congestion_sum, hosts - 1);
            EXPECT_EQ(tally.delivered, std::uint64_t{hosts} * (hosts - 1));
            EXPECT_EQ(tally.share_sum, hosts * (hosts - 1) * ((plan.share_unit + (hosts - 1) / 2) / (hosts - 1)));
        }
    }
}

TEST(AllToAll, FlowsAreListedWhereSomethingAsksForThem) {
    Fabric const fabric = make_xgft({{3, 3, 4}, {1, 3, 3}, 0});
    auto const is_unlisted = [&](auto change) {
        Study study;
        study.traffic.pattern = "all-to-all";
        study.traffic.may_leave_flows_unlisted = true;
        change(study);
        return make_plan(fabric, study).problem.traffic.all_to_all.classes > 0;
    };
    EXPECT_TRUE(is_unlisted([](Study&) {}));
    EXPECT_TRUE(is_unlisted([](Study& study) { study.traffic.level = 0; }));
    EXPECT_FALSE(is_unlisted([](Study& study) { study.traffic.may_leave_flows_unlisted = false; }));
    EXPECT_FALSE(is_unlisted([](Study& study) { study.measures.sharing = Sharing::max_min; }));
    EXPECT_FALSE(is_unlisted([](Study& study) { study.measures.metrics = {Metric::makespan}; }));
    EXPECT_FALSE(is_unlisted([](Study& study) { study.traffic.pattern = "many-all-to-all"; }));
    auto const listed = [](bool same_host) {
        return [same_host](Study& study) {
            study.placement.mapping = MappingKind::listed;
            study.placement.ranks = 3;
            study.placement.mapping_hosts = {Host{4u}, Host{7u}, Host{same_host ? 4u : 5u}};
        };
    };
    EXPECT_TRUE(is_unlisted(listed(false)));
    EXPECT_FALSE(is_unlisted(listed(true)));
}

TEST(TeamOfThreads, AnAllToAllOfATeamIsThatOfOne) {
    for (AllToAllScenario const& scenario : all_to_all_scenarios()) {
        SCOPED_TRACE(scenario.name);
        Found const want = found_by(scenario.unlisted, 1);
        for (unsigned const members : {2u, 5u}) {
            TeamHub hub(members);
            Found const got = found_by_team(scenario.unlisted, hub);
            EXPECT_EQ(got.tallies, want.tallies) << members;
            EXPECT_EQ(got.totals, want.totals) << members;
        }
    }
}

}  // namespace
}  // namespace tailback::all_to_all_test
