// The kernels on a team of real threads: bit for bit what a team of one gives, and (in the tsan preset) without a race.
#include "tests/support/teams/team_of_threads.hpp"

#include "tests/support/teams/audit_teams.hpp"

#include "kernels/cpu/fast/team.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/team_scenarios.hpp"

#include <gtest/gtest.h>

namespace tailback::team_of_threads_test {
namespace {

constexpr unsigned members = 4;

template <bool plain, class Counter>
TeamRun alone(StudyPlan const& plan) {
    return run_team<plain, Counter>(plan.problem, plan.study.sample.mappings, 1, [](unsigned) { return CpuTeam{}; });
}

template <bool plain, class Counter, bool keeps, bool skips>
void expect_same(TeamScenario const& scenario) {
    TeamHub hub(members);
    TeamRun const want = alone<plain, Counter>(scenario.plan);
    TeamRun const got =
        run_threads<plain, Counter, keeps, skips>(scenario.plan.problem, scenario.plan.study.sample.mappings, hub);
    EXPECT_EQ(got.tallies, want.tallies) << scenario.name;
    EXPECT_EQ(got.totals, want.totals) << scenario.name;
}

template <class Counter, bool keeps, bool skips>
void expect_same_everywhere() {
    for (TeamScenario const& scenario : team_scenarios()) {
        expect_same<false, Counter, keeps, skips>(scenario);
        if (is_plain(scenario.plan.problem)) expect_same<true, Counter, keeps, skips>(scenario);
    }
}

TEST(TeamOfThreads, LikeABlockThatFindsRoutesAgainAndBranchesAroundPadding) {
    expect_same_everywhere<std::uint32_t, false, true>();
}
TEST(TeamOfThreads, LikeABlockThatKeepsRoutesAndCountsPadding) { expect_same_everywhere<std::uint16_t, true, false>(); }
TEST(TeamOfThreads, FindsRoutesAgainAndCountsPadding) { expect_same_everywhere<std::uint32_t, false, false>(); }

/// What the plain body leaves out does not matter where it may be used.
TEST(TeamOfThreads, ThePlainBodyIsTheFullBodyOnPlainProblems) {
    int plain = 0;
    for (TeamScenario const& scenario : team_scenarios()) {
        if (!is_plain(scenario.plan.problem)) continue;
        ++plain;
        EXPECT_EQ((alone<true, std::uint16_t>(scenario.plan)), (alone<false, std::uint32_t>(scenario.plan)))
            << scenario.name;
    }
    EXPECT_GE(plain, 4);
}

/// More members than flows, and a number that divides nothing.
TEST(TeamOfThreads, AnyNumberOfMembers) {
    for (unsigned const size : {1u, 2u, 3u, 7u}) {
        for (TeamScenario const& scenario : team_scenarios()) {
            if (scenario.plan.study.placement.ranks > 17) continue;
            TeamHub hub(size);
            EXPECT_EQ((run_threads<false, std::uint32_t, false, true>(scenario.plan.problem,
                                                                      scenario.plan.study.sample.mappings, hub)),
                      (alone<false, std::uint32_t>(scenario.plan)))
                << scenario.name << " " << size;
        }
    }
}

TEST(TeamOfThreads, TheAuditOfATeamIsThatOfOne) {
    for (NastyNetwork const& scenario : audit_scenarios()) {
        AuditRun const want = run_audit_team(scenario.fabric, 1, [](unsigned) { return CpuTeam{}; });
        for (unsigned const size : {1u, 3u, members}) {
            TeamHub hub(size);
            EXPECT_EQ(run_audit_team(scenario.fabric, size,
                                     [&](unsigned member) { return ThreadTeam<false, true>(hub, member); }),
                      want)
                << scenario.name << " " << size;
        }
    }
}

}  // namespace
}  // namespace tailback::team_of_threads_test
