// What a GPU's teams do to share contended links (kernels/sharing/contended.hpp): the bits of the plain rounds, which
// sharing_test.cpp holds to exact fractions, by one member and by several; and cases by hand in numbers.
#include "kernels/sharing/contended.hpp"
#include "host/evaluation/evaluation.hpp"
#include "kernels/cpu/fast/team.hpp"
#include "patterns/pattern.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/oracle/oracle.hpp"
#include "tests/support/programs/outcome.hpp"
#include "tests/support/random_flows.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/team_of_threads.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tailback::contended_test {
namespace {

std::vector<Metric> const of_rates = {Metric::max_min_band, Metric::max_min_least, Metric::max_min_jain};
std::vector<Metric> const of_times = {Metric::max_min_band,    Metric::max_min_least, Metric::max_min_jain,
                                      Metric::completion_time, Metric::makespan,      Metric::slowdown};

/// By a team whose memory was used before, and holds whatever is in it.
template <class Small, class MakeTeam>
Outcome by_team(Problem const& p, unsigned members, std::size_t mappings, MakeTeam&& make_team) {
    Outcome outcome{std::vector<MappingTally>(mappings), Totals(p)};
    ContendedSizes const sizes = ContendedSizes::of(p);
    EXPECT_TRUE(sizes.fit<Small>());
    with_routes(p, [&]<class Routes>(Routes const& routes) {
        using TeamScratch = Scratch<std::uint32_t, typename Routes::Kept>;
        TeamScratch scratch;
        ContendedState<Small> state;
        ContendedVolumes volumes;
        ScratchLayout layout;
        layout.keeps = true;
        layout.members = members == 1 ? 0 : members;
        layout.claims = members == 1 ? 0 : claim_cells(members);
        TeamMemory memory(scratch.lay_out(p, nullptr, layout)), links(state.lay_out(sizes, nullptr) + 16),
            waiting(volumes.lay_out(sizes, nullptr) + 16);
        std::memset(links.get(), 0xA5, state.lay_out(sizes, nullptr));
        scratch.lay_out(p, memory.get(), layout);
        state.lay_out(sizes, links.get());
        volumes.lay_out(sizes, waiting.get());
        std::uint32_t counts[kernel::contended_counts];
        state.count = counts;
        std::fill_n(state.near_rates, sizes.near_bins, 0u);
        make_team([&](auto& team) {
            TotalsView const totals = outcome.totals.view();
            for (std::uint64_t m = 0; m < mappings; ++m) {
                kernel::place_ranks(team, p, m, scratch);
                using Flows = kernel::Evaluation<false, Routes, std::decay_t<decltype(team)>, TeamScratch>;
                Flows flows{team, p, routes, scratch, totals};
                kernel::Contended<Small, Flows> contended{flows, state, volumes, sizes};
                share_contended_links(contended, nullptr, outcome.tallies[m]);
                if (m + 1 == mappings) contended.hand_rates_over();
            }
        });
    });
    return outcome;
}
template <class Small>
Outcome by_one(Problem const& p, std::size_t mappings) {
    return by_team<Small>(p, 1, mappings, [](auto&& run_member) {
        CpuTeam team;
        run_member(team);
    });
}
template <class Small>
Outcome by_threads(Problem const& p, unsigned members, std::size_t mappings) {
    return by_team<Small>(p, members, mappings, [&](auto&& run_member) {
        TeamHub hub(members);
        run_members(members, [&](unsigned member) {
            ThreadTeam<false, true> team(hub, member);
            run_member(team);
        });
    });
}

void expect_the_plain(StudyPlan const& plan, std::size_t mappings) {
    ASSERT_TRUE(shares_contended(plan.problem));
    Outcome const want = run(*make_cpu_executor(plan.problem, 1, CpuVariant::kernel_body), mappings, 0);
    for (Outcome const& got :
         {by_one<std::uint16_t>(plan.problem, mappings), by_one<std::uint32_t>(plan.problem, mappings)}) {
        EXPECT_EQ(got.tallies, want.tallies);
        EXPECT_EQ(got.totals, want.totals);
    }
}

/// Flows between random ranks on several levels; of odd seeds with sizes.
Study random_study(std::uint32_t ranks, std::size_t flows, std::uint32_t seed, std::vector<Metric> metrics) {
    std::mt19937 random(seed);
    Study study;
    study.traffic.pattern = listed_pattern;
    FlowList& list = study.traffic.listed_flows;
    list.ranks = list.measured_ranks = study.placement.ranks = ranks;
    for (std::uint32_t level = 0; level < 1 + seed % 3; ++level) add_random_level(list, random, flows, seed);
    study.measures.metrics = std::move(metrics);
    study.sample.seed = seed;
    return study;
}

TEST(Contended, GivesTheBitsOfThePlainRoundsOnNastyNetworks) {
    std::uint32_t seed = 0;
    for (NastyNetwork const& nasty : nasty_networks())
        for (int i = 0; i < 8; ++i, ++seed) {
            SCOPED_TRACE(nasty.name + ", seed " + std::to_string(seed));
            auto const hosts = std::uint32_t(oracle::breadth_first(nasty.fabric.network, false).size());
            if (hosts < 2) continue;
            std::uint32_t const ranks = std::min(hosts, 40u);
            Study study = random_study(ranks, 1 + seed * 13 % (4 * ranks), seed, i < 6 ? of_times : of_rates);
            if (i % 3 == 0) study.measures.capacities = CapacityKind::unit;
            expect_the_plain(make_plan(nasty.fabric, study), 3);
            study.traffic.pattern = i % 4 < 2 ? "rand" : "bruck";
            if (i % 4 == 1) study.placement.subset = SubsetKind::random;
            expect_the_plain(make_plan(nasty.fabric, study), 3);
        }
}

/// Many flows a link, so that many rates depend on each other; and the size of clusters of 1,152 hosts.
TEST(Contended, GivesTheBitsOfThePlainRoundsOnTrees) {
    for (XgftSpec const& spec : {XgftSpec{{6, 6, 4}, {1, 2, 2}, 0}, XgftSpec{{6, 6, 4}, {1, 6, 6}, 0}})
        for (std::uint32_t seed = 0; seed < 6; ++seed) {
            SCOPED_TRACE(seed);
            expect_the_plain(make_plan(make_xgft(spec), random_study(144, 400, seed, of_times)), 2);
        }
    Fabric const large = make_xgft({{12, 12, 8}, {1, 12, 12}, 0});
    for (char const* pattern : {"bisect", "rand"}) {
        Study study;
        study.traffic.pattern = pattern;
        study.measures.metrics = of_rates;
        expect_the_plain(make_plan(large, study), 20);
    }
    expect_the_plain(make_plan(large, random_study(1152, 1152, 3, of_times)), 1);
}

TEST(Contended, ATeamOfThreadsGivesTheBitsOfOne) {
    Fabric const fabric = make_xgft({{4, 5, 2}, {1, 2, 3}, 0});
    for (std::uint32_t const seed : {2u, 3u, 5u}) {
        StudyPlan const plan = make_plan(fabric, random_study(40, 70, seed, of_times));
        Outcome const want = by_one<std::uint16_t>(plan.problem, 2);
        for (unsigned const members : {2u, 3u, 7u}) {
            Outcome const got = by_threads<std::uint16_t>(plan.problem, members, 2);
            EXPECT_EQ(got.tallies, want.tallies) << members << " members, seed " << seed;
            EXPECT_EQ(got.totals, want.totals);
        }
    }
}

/// Hosts 0 .. 5 at one switch: 0-1, 0-2 and 0-3 have a third of host 0's link each, 1-2 what 0-2 leaves of host 2's,
/// and 4-3 and 4-5 half of host 4's, as 0-3 leaves more of host 3's.
TEST(Contended, RatesThatFollowFromEachOtherInARow) {
    Sketch sketch;
    Node const hub = sketch.add_switch(64);
    for (std::uint32_t h = 0; h < 6; ++h) sketch.host_at(hub);
    Study study = random_study(6, 0, 0, of_rates);
    FlowList& list = study.traffic.listed_flows;
    list.flows = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {4, 3}, {4, 5}};
    list.levels = {{.first_flow = 0, .flow_count = list.flows.size()}};
    study.placement.mapping = MappingKind::identity;
    study.sample.mappings = 1;
    StudyPlan const plan = make_plan(sketch.route(), study);
    Outcome const got = by_one<std::uint16_t>(plan.problem, 1);
    std::uint64_t const unit = plan.problem.measures.sharing.unit;
    std::uint64_t const sum = 3 * (unit / 3) + 2 * (unit / 3) + 2 * (unit / 2);
    EXPECT_EQ(got.tallies[0].rate_sum, sum / plan.problem.measures.sharing.sum_divisor);
    EXPECT_EQ(got.tallies[0].least_rate, unit / 3);
    std::vector<std::uint64_t> bins;
    for (std::size_t bin = 0; bin < got.totals.rates.size(); ++bin)
        for (std::uint64_t k = 0; k < got.totals.rates[bin]; ++k) bins.push_back((bin - 1) * 6 / 200);
    EXPECT_EQ(bins, (std::vector<std::uint64_t>{1, 1, 1, 3, 3, 3}));  // sixths, rounded down: a third's bin is below 2
}

}  // namespace
}  // namespace tailback::contended_test
