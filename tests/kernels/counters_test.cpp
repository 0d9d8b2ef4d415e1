// Counters that share words, and counters dealt over several memories, count what counters of their own count: tallies
// are those of one thread with plain counters. And no load exceeds its bound, which is what makes narrow counters safe.
#include "kernels/cpu/fast/team.hpp"
#include "kernels/evaluate/load_bound.hpp"
#include "kernels/evaluate/summed_rows.hpp"
#include "kernels/executor.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/split_memory.hpp"
#include "tests/support/teams/team_scenarios.hpp"
#include "topologies/families/xgft.hpp"
#include "topologies/regular.hpp"

#include <gtest/gtest.h>

namespace tailback::counters_test {
namespace {

constexpr unsigned members = 4;

template <bool plain>
TeamRun alone(StudyPlan const& plan) {
    return run_team<plain, std::uint32_t>(plan.problem, plan.study.sample.mappings, 1,
                                          [](unsigned) { return CpuTeam{}; });
}

template <bool plain>
void expect_packed_and_split_agree(TeamScenario const& scenario) {
    using Packed = PackedCounters<WholeWords>;
    Problem const& p = scenario.plan.problem;
    std::uint64_t const mappings = scenario.plan.study.sample.mappings;
    TeamRun const want = alone<plain>(scenario.plan);
    for (std::uint32_t packing = 0; packing <= packing_for(load_bound(p)); ++packing) {
        TeamHub hub(members);
        EXPECT_EQ(
            (run_threads<plain, Packed, false, true, ThreadDraws::by_lanes, std::uint16_t>(p, mappings, hub, packing)),
            want)
            << scenario.name << ", like a warp, packing " << packing;
        EXPECT_EQ(
            (run_threads<plain, Packed, false, true, ThreadDraws::by_claims, std::uint16_t>(p, mappings, hub, packing)),
            want)
            << scenario.name << ", like a block, packing " << packing;
        for (std::uint32_t const parts_log : {1u, 2u})
            EXPECT_EQ((run_split<plain>(p, mappings, hub, packing, parts_log)), want)
                << scenario.name << ", like a cluster, packing " << packing;
    }
}

TEST(PackedCounters, CountWhatPlainOnesDoForEveryKindOfTeam) {
    int narrowest = 0;
    for (TeamScenario const& scenario : team_scenarios()) {
        narrowest += packing_for(load_bound(scenario.plan.problem)) == 2;
        expect_packed_and_split_agree<false>(scenario);
        if (is_plain(scenario.plan.problem)) expect_packed_and_split_agree<true>(scenario);
    }
    EXPECT_GE(narrowest, 10);
}

/// Trees of random shape, random patterns, subsets and metrics.
TEST(PackedCounters, CountWhatPlainOnesDoOnRandomTrees) {
    Dice dice;
    char const* const patterns[] = {"bisect", "rand", "bruck", "gather", "recdbl", "4neighbor"};
    for (int i = 0; i < 14; ++i) {
        std::uint32_t const arity = 2 + dice(5), tops = 2 + dice(6);
        XgftSpec const spec = i % 2 == 0 ? XgftSpec{{arity, tops}, {1, 1 + dice(arity)}, 0}
                                         : XgftSpec{{arity, arity, tops}, {1, 1 + dice(arity), 1 + dice(arity)}, 0};
        Fabric const fabric = make_xgft(spec);
        Study study;
        study.traffic.pattern = patterns[dice(std::size(patterns))];
        study.placement.subset = dice(2) ? SubsetKind::random : SubsetKind::linear_bfs;
        study.placement.ranks = dice(2) ? 0 : 2 + dice(std::uint32_t(fabric.network.hosts().size()) - 1);
        study.sample.seed = dice(1000);
        study.sample.mappings = 2;
        study.measures.metrics = {Metric::hist_acc_band, Metric::sum_max_cong};
        if (dice(2)) study.measures.metrics.push_back(Metric::get_cable_cong);
        TeamScenario const scenario{"tree " + std::to_string(i) + ", " + study.traffic.pattern,
                                    make_plan(fabric, study)};
        if (is_plain(scenario.plan.problem)) expect_packed_and_split_agree<true>(scenario);
        else expect_packed_and_split_agree<false>(scenario);
    }
}

/// A word whose counters are all full and all cleared one by one.
TEST(PackedCounters, FullNeighboursDoNotDisturbEachOther) {
    struct Team : CpuTeam {
        void take_bits(std::uint32_t& cell, std::uint32_t bits) { cell &= ~bits; }
        Range near(std::uint32_t n) { return each(n); }
    } team;
    for (std::uint32_t const packing : {0u, 1u, 2u}) {
        std::uint32_t const count = 11, end = packing == 0 ? 70000 : packing == 1 ? 0xFFFF : 0xFF;
        std::vector<std::uint32_t> memory(PackedCounters<WholeWords>::bytes(count, packing) / 4);
        auto const counters = PackedCounters<WholeWords>::at(reinterpret_cast<std::byte*>(memory.data()), packing);
        for (std::uint32_t slot = 0; slot < count; ++slot)
            for (std::uint32_t k = 0; k < end - slot; ++k) counters.add(team, slot);
        for (std::uint32_t slot = 0; slot < count; ++slot) EXPECT_EQ(counters.read(slot), end - slot);
        counters.clear(team, 5);
        for (std::uint32_t slot = 0; slot < count; ++slot) EXPECT_EQ(counters.read(slot), slot == 5 ? 0 : end - slot);
        std::uint64_t seen = 0;
        counters.drain(team, count, true, [&](std::uint32_t slot, std::uint32_t load) {
            EXPECT_EQ(load, slot == 5 ? 0 : end - slot);
            seen += load;
        });
        EXPECT_GT(seen, 0u);
        for (std::uint32_t const word : memory) EXPECT_EQ(word, 0u);
    }
}

// ---- the bound
// ----------------------------------------------------------------------------------------------------------------

StudyPlan plan_of(Fabric const& fabric, std::string const& pattern, std::uint32_t ranks = 0,
                  SubsetKind subset = SubsetKind::linear_bfs) {
    Study study;
    study.traffic.pattern = pattern;
    study.placement.ranks = ranks;
    study.placement.subset = subset;
    study.sample.mappings = 1;  // so short that all links stay
    study.measures.metrics = {Metric::sum_max_cong, Metric::hist_max_cong};
    return make_plan(fabric, study);
}

/// Largest load of an inner link that any of some mappings has, at most.
std::uint64_t largest_congestion(Problem const& p) {
    std::vector<MappingTally> tallies(200);
    auto const executor = make_cpu_executor(p, 1, CpuVariant::kernel_body);
    executor->evaluate(0, tallies);
    std::vector<std::uint64_t> const histogram = executor->totals().histogram;
    std::uint64_t largest = 0;
    for (std::uint64_t c = 0; c < histogram.size(); ++c)
        if (histogram[c] != 0) largest = c;
    return largest;
}

TEST(LoadBound, NoLoadExceedsItAndItIsNoHigherThanAllFlows) {
    Dice dice;
    for (XgftSpec const& spec : {XgftSpec{{4, 8}, {1, 2}, 0}, XgftSpec{{6, 4, 3}, {1, 2, 3}, 0},
                                 XgftSpec{{18, 20}, {1, 1}, 0}, XgftSpec{{3, 3, 4}, {1, 3, 3}, 30}}) {
        Fabric const fabric = make_xgft(spec);
        for (char const* pattern :
             {"bisect", "bisect_fb_sym", "rand", "tree", "recdbl", "2neighbor", "6neighbor", "bruck"})
            for (SubsetKind const subset : {SubsetKind::linear_bfs, SubsetKind::random}) {
                StudyPlan const plan =
                    plan_of(fabric, pattern, subset == SubsetKind::random ? 20 + dice(8) : 0, subset);
                std::uint32_t floor = 1;  // host links are no counters here
                for (std::uint64_t f = 0; f < plan.problem.traffic.flow_count; ++f)
                    floor = std::max(floor, plan.problem.traffic.min_congestions[f]);
                EXPECT_LE(largest_congestion(plan.problem), std::max(load_bound(plan.problem), floor)) << pattern;
                EXPECT_LE(load_bound(plan.problem), plan.problem.traffic.max_kept);
            }
    }
}

/// gather over one spine: all n - hosts of a leaf go down the one link. The bound is met, on both sides of 8 bits.
TEST(LoadBound, IsMetByGatherAroundEightBits) {
    for (std::uint32_t const leaf : {127u, 128u, 129u}) {
        Fabric const fabric = make_xgft({{leaf, 3}, {1, 1}, 0});
        StudyPlan const plan = plan_of(fabric, "gather");
        std::uint32_t const bound = load_bound(plan.problem);
        EXPECT_EQ(bound, 2 * leaf);
        EXPECT_EQ(packing_for(bound), bound <= 255 ? 2u : 1u);
        // Wherever the root sits, the last link before its leaf carries all others.
        std::vector<MappingTally> tallies(3);
        make_cpu_executor(plan.problem, 1)->evaluate(0, tallies);
        for (MappingTally const& tally : tallies) EXPECT_EQ(tally.congestion_sum, 3 * leaf - 1);  // the root's own link
        using Packed = PackedCounters<WholeWords>;
        TeamHub hub(members);
        EXPECT_EQ((run_threads<true, Packed, false, true, ThreadDraws::by_lanes, std::uint16_t>(plan.problem, 3, hub,
                                                                                                packing_for(bound))
                       .tallies),
                  tallies);
    }
}

TEST(LoadBound, OfStudiesItCannotSeeThroughIsAllFlows) {
    Fabric const fabric = make_xgft({{20, 20}, {1, 20}, 0});
    StudyPlan plan = plan_of(fabric, "rand");
    EXPECT_EQ(load_bound(plan.problem), 19u);  // one host of each other leaf
    Problem listed = plan.problem;
    listed.placement.source = MappingSource::listed;  // ranks may share a seat
    EXPECT_EQ(load_bound(listed), 400u);
    EXPECT_EQ(load_bound(make_plan(fabric, plan.study, 0).problem), 400u);  // steps
}

TEST(LoadBound, OfTreesWithoutTablesIsThatOfTheirTables) {
    for (char const* routing : {"dmodk", "smodk"})
        for (char const* pattern : {"rand", "bruck", "bisect"}) {
            XgftSpec const spec{{8, 8, 16}, {1, 8, 8}, 0};
            Fabric const regular = fabric_of(make_regular_xgft(spec, routing, "tree"));
            Study study;
            study.traffic.pattern = pattern;
            study.measures.metrics = {Metric::hist_max_cong};
            StudyPlan const plan = make_plan(regular, study);
            Problem const& p = plan.problem;
            EXPECT_EQ(p.routes.form, RouteForm::tree);
            EXPECT_EQ(load_bound(p), 16u) << routing << pattern;
            if (routing == std::string("dmodk")) {
                EXPECT_LE(load_bound(plan_of(make_xgft(spec), pattern).problem), load_bound(p));
            }
            EXPECT_LE(largest_congestion(p), load_bound(p));
        }
}

TEST(LoadBound, PackingAtTheEnds) {
    EXPECT_EQ(packing_for(0), 2u);
    EXPECT_EQ(packing_for(255), 2u);
    EXPECT_EQ(packing_for(256), 1u);
    EXPECT_EQ(packing_for(65535), 1u);
    EXPECT_EQ(packing_for(65536), 0u);
}

// ---- rows as sums
// ---------------------------------------------------------------------------------------------------------------

template <class LinkWord, std::uint32_t width>
void expect_all_rows_alike(Problem const& p) {
    SummedTables const tables(p);
    ASSERT_FALSE(tables.empty());
    RouteRows<LinkWord, width> const rows(p);
    SummedRows<LinkWord, width> const summed(p, tables.view(tables.words().data()));
    for (std::uint32_t s = 0; s < p.placement.study_hosts; ++s)
        for (std::uint32_t d = 0; d < p.placement.study_hosts; ++d) {
            std::vector<std::uint32_t> want, got;
            rows.each(rows.find(p.routes.group[s], d), [&](std::uint32_t slot) { want.push_back(slot); });
            summed.each(summed.find(s, d), [&](std::uint32_t slot) { got.push_back(slot); });
            ASSERT_EQ(got, want) << s << " " << d;
        }
}

TEST(SummedRows, AreTheRowsOfEveryPair) {
    Study study;
    study.traffic.pattern = "bisect";
    study.sample.mappings = 1'000'000;  // so that links that cannot be shared are left out: rows of two slots
    StudyPlan const narrow = make_plan(make_xgft({{6, 6, 8}, {1, 6, 6}, 250}), study);
    ASSERT_EQ(narrow.problem.routes.row_width, 2u);
    expect_all_rows_alike<std::uint16_t, 2>(narrow.problem);
    StudyPlan const plan = plan_of(make_xgft({{6, 6, 8}, {1, 6, 6}, 250}), "bisect");
    ASSERT_EQ(plan.problem.routes.form, RouteForm::rows16);
    ASSERT_EQ(plan.problem.routes.row_width, 4u);
    expect_all_rows_alike<std::uint16_t, 4>(plan.problem);
}

/// Whole mappings by the kernel's body, looked up by seats.
template <class Routes>
std::vector<MappingTally> tallies_of(Problem const& p, Routes const& routes) {
    Scratch<std::uint32_t, typename Routes::Kept> scratch;
    TeamMemory memory(scratch.lay_out(p, nullptr, true));
    scratch.lay_out(p, memory.get(), true);
    CpuTeam team;
    std::vector<MappingTally> tallies(20);
    for (std::uint64_t m = 0; m < tallies.size(); ++m)
        tallies[m] = evaluate_mapping<true>(team, p, routes, m, scratch, TotalsView{});
    return tallies;
}

TEST(SummedRows, GiveTheTalliesOfRows) {
    Fabric const fabric = make_xgft({{4, 4, 6}, {1, 4, 4}, 90});
    for (char const* pattern : {"bisect", "rand", "bruck"}) {
        StudyPlan const plan = plan_of(fabric, pattern, 70, SubsetKind::random);
        Problem p = plan.problem;
        p.measures.wants_histogram = p.measures.wants_route_links = false;
        SummedTables const tables(p);
        ASSERT_FALSE(tables.empty());
        EXPECT_EQ(tallies_of(p, SummedRows<std::uint16_t, 4>(p, tables.view(tables.words().data()))),
                  tallies_of(p, RouteRows<std::uint16_t, 4>(p)));
    }
}

TEST(SummedRows, AreNoneWhereRowsAreNoSums) {
    for (TeamScenario const& scenario : team_scenarios()) {
        Problem const& p = scenario.plan.problem;
        if (p.routes.form == RouteForm::rows16 || p.routes.form == RouteForm::rows32) continue;
        EXPECT_TRUE(SummedTables(p).empty()) << scenario.name;
    }
    Study study;
    study.traffic.pattern = "bisect";
    EXPECT_TRUE(SummedTables(make_plan(make_xgft({{6, 6, 8}, {1, 6, 6}, 250}), study, 0).problem).empty());
}

}  // namespace
}  // namespace tailback::counters_test
