// Max-min fair rates and completion times (docs/semantics.md). Definition: the rates are the one allocation in which
// every flow has a bottleneck, a full link on which no flow has a larger rate (Bertsekas and Gallager 1992, 6.5.2). At
// every completion the rates of the others are found anew. The rates found are feasible, and those of links with less
// than one unit a flow less capacity; the times are those of flows that are larger by less than their rate in one unit.
// Held to an oracle of exact fractions, to cases by hand, and way against way bit for bit.
#include "host/evaluation/evaluation.hpp"
#include "kernels/cpu/fast/team.hpp"
#include "kernels/sharing/completion.hpp"
#include "patterns/pattern.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/oracle/oracle.hpp"
#include "tests/support/oracle/sharing_oracle.hpp"
#include "tests/support/programs/outcome.hpp"
#include "tests/support/random_flows.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/team_of_threads.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tailback::sharing_test {
namespace {

using oracle::Rational;

std::vector<Metric> const rates_alone = {Metric::max_min_band, Metric::max_min_least, Metric::max_min_jain};
std::vector<Metric> const with_times = {Metric::max_min_band,    Metric::max_min_least, Metric::max_min_jain,
                                        Metric::completion_time, Metric::makespan,      Metric::slowdown};

Study study_of(FlowList list, std::vector<Metric> metrics) {
    Study study;
    study.traffic.pattern = listed_pattern;
    study.placement.ranks = list.ranks;
    study.traffic.listed_flows = std::move(list);
    study.measures.metrics = std::move(metrics);
    study.sample.mappings = 2;
    return study;
}

/// What the kernel gives each flow of a study's only level: by number, in the order of the plan's list.
struct Shared {
    std::vector<std::uint64_t> rates, ended;
    MappingTally tally;
};

template <class Counter>
Shared share_with(StudyPlan const& plan, std::uint64_t m) {
    Problem const& p = plan.problem;
    Shared shared;
    Totals totals(p);
    with_routes(p, [&]<class Routes>(Routes const& routes) {
        Scratch<Counter, typename Routes::Kept> scratch;
        SharingScratch x{};
        TeamMemory memory(scratch.lay_out(p, nullptr, true)), sharing(x.lay_out(p, nullptr) + 16);
        scratch.lay_out(p, memory.get(), true);
        x.lay_out(p, sharing.get());
        CpuTeam team;
        shared.tally = evaluate_mapping<false>(team, p, routes, m, scratch, totals.view());
        share_placed(team, p, routes, ScratchOfRates{scratch, x}, totals.view(), shared.tally);
        shared.rates.assign(x.rate, x.rate + p.traffic.max_kept);
        if (p.measures.sharing.times) shared.ended.assign(x.ended, x.ended + p.traffic.max_kept);
    });
    return shared;
}
Shared share(StudyPlan const& plan, std::uint64_t m) {
    return plan.problem.traffic.weights != nullptr ? share_with<std::uint64_t>(plan, m)
                                                   : share_with<std::uint32_t>(plan, m);
}

/// The same question to the oracle: only flows that are delivered, and which of the plan's flows they are.
struct Asked {
    oracle::SharingQuestion question;
    std::vector<std::size_t> flow;
};
Asked ask(StudyPlan const& plan, Fabric const& fabric, std::uint64_t m) {
    Asked asked;
    LinkCosts const costs = link_costs(fabric.network, plan.study.measures.capacities);
    for (std::size_t l = 0; l < fabric.network.links().size(); ++l)
        asked.question.capacity.push_back(costs.cost.empty() ? Rational(1)
                                                             : Rational(costs.denominator, costs.cost[l]));
    std::vector<Host> const hosts = plan.hosts_of_mapping(m);
    for (std::size_t f = 0; f < plan.flow_list.flows.size(); ++f) {
        auto const [source, destination] = plan.flow_list.flows[f];
        oracle::Walk const walk =
            oracle::walk(fabric.network, fabric.tables, hosts[source].value, hosts[destination].value);
        if (walk.end != oracle::End::delivered) continue;
        asked.question.routes.emplace_back(walk.links.begin(), walk.links.end());
        Rational const weight(plan.problem.traffic.weights != nullptr ? plan.flow_list.weights[f] : 1);
        asked.question.size.push_back(weight);
        if (plan.problem.measures.sharing.by_weight) asked.question.weight.push_back(weight);
        asked.flow.push_back(f);
    }
    return asked;
}

double value_of(Rational const& x) { return x.convert_to<double>(); }

/// Feasible, every flow has a bottleneck but for less than a unit a flow, and near the exact rates.
void expect_rates(StudyPlan const& plan, Asked const& asked, Shared const& got) {
    std::size_t const flows = asked.flow.size();
    Rational const unit(plan.problem.measures.sharing.unit);
    std::vector<Rational> rates(flows), left = asked.question.capacity, fastest(left.size());
    std::vector<std::size_t> on(left.size());
    auto const level = [&](std::size_t f) {
        return asked.question.weight.empty() ? rates[f] : Rational(rates[f] / asked.question.weight[f]);
    };
    for (std::size_t f = 0; f < flows; ++f) {
        rates[f] = Rational(got.rates[asked.flow[f]]) / unit;
        for (std::size_t const link : asked.question.routes[f]) {
            left[link] -= rates[f];
            ++on[link];
            if (level(f) > fastest[link]) fastest[link] = level(f);
        }
    }
    for (std::size_t link = 0; link < left.size(); ++link) EXPECT_GE(left[link], 0) << link;
    std::vector<Rational> const want = max_min_rates(asked.question, std::vector<bool>(flows, true));
    EXPECT_TRUE(has_bottlenecks(asked.question, want));
    for (std::size_t f = 0; f < flows; ++f) {
        bool found = false;
        for (std::size_t const link : asked.question.routes[f])  // by weight a rate is rounded down, too
            found |= left[link] * unit < 2 * on[link] + 1 && (level(f) + 1 / unit >= fastest[link]);
        EXPECT_TRUE(found) << "flow " << f << " has no bottleneck";
        EXPECT_NEAR(value_of(rates[f]), value_of(want[f]), 1e-14) << "flow " << f;
    }
    Rational sum = 0, least = -1;
    for (Rational const& rate : want) sum += rate, least = least < 0 || rate < least ? rate : least;
    if (flows == 0) return;
    EXPECT_NEAR(number_of(plan, Metric::max_min_band, got.tally), value_of(sum / flows), 1e-14);
    EXPECT_NEAR(number_of(plan, Metric::max_min_least, got.tally), value_of(least), 1e-14);
    Rational squares = 0;
    for (Rational const& rate : want) squares += rate * rate;
    EXPECT_NEAR(number_of(plan, Metric::max_min_jain, got.tally), value_of(sum * sum / (flows * squares)), 1e-9);
}

void expect_times(StudyPlan const& plan, Asked const& asked, Shared const& got) {
    std::vector<Rational> const want = completion_times(asked.question);
    Rational last = 0, sum = 0;
    for (std::size_t f = 0; f < want.size(); ++f) {
        double const exact = value_of(want[f]);
        EXPECT_NEAR(double(got.ended[asked.flow[f]]) / double(plan.problem.measures.sharing.time_unit), exact,
                    1e-12 * exact)
            << "flow " << f;
        if (want[f] > last) last = want[f];
        sum += want[f];
    }
    if (want.empty()) return;
    double const unit = plan.congestion_unit();
    EXPECT_NEAR(number_of(plan, Metric::makespan, got.tally), value_of(last) * unit, 1e-12 * value_of(last) * unit);
    EXPECT_NEAR(number_of(plan, Metric::completion_time, got.tally), value_of(sum / want.size()) * unit,
                1e-12 * value_of(last) * unit);
}

/// One level of flows between random ranks; of odd seeds with sizes.
FlowList random_flows(std::uint32_t ranks, std::size_t flows, std::uint32_t seed) {
    std::mt19937 random(seed);
    FlowList list;
    list.ranks = list.measured_ranks = ranks;
    add_random_level(list, random, flows, seed);
    return list;
}

TEST(Sharing, RatesAndTimesAreTheOraclesOnNastyNetworks) {
    std::uint32_t seed = 0;
    for (NastyNetwork const& nasty : nasty_networks())
        for (int i = 0; i < 8; ++i, ++seed) {
            SCOPED_TRACE(nasty.name + ", seed " + std::to_string(seed));
            auto const hosts = std::uint32_t(oracle::breadth_first(nasty.fabric.network, false).size());
            if (hosts < 2) continue;
            std::uint32_t const ranks = std::min(hosts, 2 + seed * 7 % 39);
            Study study = study_of(random_flows(ranks, 1 + seed * 11 % (3 * ranks), seed), with_times);
            if (study.traffic.listed_flows.flows.empty()) continue;
            study.measures.shared_by_bytes = seed % 8 == 5;
            study.sample.seed = seed;
            StudyPlan const plan = make_plan(nasty.fabric, study);
            Asked const asked = ask(plan, nasty.fabric, 0);
            Shared const got = share(plan, 0);
            expect_times(plan, asked, got);
            study.measures.metrics = rates_alone;
            StudyPlan const still = make_plan(nasty.fabric, study);
            expect_rates(still, ask(still, nasty.fabric, 0), share(still, 0));
        }
}

/// Every pattern of one level that is not drawn, on 1 to 40 ranks; of several the first level.
TEST(Sharing, RatesAreTheOraclesForEveryPattern) {
    Fabric const fabric = make_xgft({{4, 5, 2}, {1, 2, 3}, 0});
    std::uint32_t ranks = 1;
    for (int round = 0; round < 2; ++round)
        for (PatternInfo const& info : all_patterns()) {
            std::string const name = info.name;
            if (name == "ptrnvsptrn" || name == listed_pattern) continue;
            ranks = ranks % 40 + 1;
            std::uint32_t const asked_ranks = std::max(ranks, info.least_ranks);
            if (asked_ranks > 40) continue;
            SCOPED_TRACE(name + " on " + std::to_string(asked_ranks));
            Study study;
            study.traffic.pattern = name;
            study.placement.ranks = asked_ranks;
            study.measures.metrics = rates_alone;
            study.traffic.level = 0;
            FlowList list;
            try {
                list = flows_of(study);
            } catch (InputError const&) {
                continue;  // not on so many ranks, or without a level
            }
            if (list.flows.empty() || !list.levels[0].random.empty()) continue;
            StudyPlan const plan = make_plan(fabric, study);
            expect_rates(plan, ask(plan, fabric, 0), share(plan, 0));
        }
}

/// The fast way, the body that GPUs run, and a team of threads: the same bits.
TEST(Sharing, EveryWayGivesTheSameBits) {
    std::uint32_t seed = 100;
    auto const expect_same = [&](Fabric const& fabric, Study const& study) {
        StudyPlan const plan = make_plan(fabric, study);
        Outcome const want = run(*make_cpu_executor(plan.problem, 1, CpuVariant::kernel_body), 4, 0);
        for (unsigned const threads : {1u, 3u}) {
            Outcome const got = run(*make_cpu_executor(plan.problem, threads), 4, 0);
            EXPECT_EQ(got.tallies, want.tallies);
            EXPECT_EQ(got.totals, want.totals);
        }
    };
    for (NastyNetwork const& nasty : nasty_networks())
        for (int i = 0; i < 8; ++i, ++seed) {
            SCOPED_TRACE(nasty.name + ", seed " + std::to_string(seed));
            auto const hosts = std::uint32_t(oracle::breadth_first(nasty.fabric.network, false).size());
            if (hosts < 2) continue;
            std::uint32_t const ranks = std::min(hosts, 40u);
            Study study = study_of(random_flows(ranks, 1 + seed * 13 % (4 * ranks), seed), with_times);
            study.sample.seed = seed;
            if (i % 2 == 0) study.measures.metrics.push_back(Metric::sum_max_cong);
            expect_same(nasty.fabric, study);
            study.traffic.pattern = i % 4 < 2 ? "rand" : "bruck";
            if (i % 4 == 1) study.placement.subset = SubsetKind::random;
            study.measures.capacities = i % 2 == 0 ? CapacityKind::unit : CapacityKind::from_rates;
            expect_same(nasty.fabric, study);
            study.measures.metrics = rates_alone;
            study.measures.metrics.push_back(Metric::bottlenecks);
            expect_same(nasty.fabric, study);
        }
    Fabric const tree = make_xgft({{6, 6, 4}, {1, 6, 6}, 0});
    FlowList list = random_flows(144, 300, 7);
    expect_same(tree, study_of(list, with_times));
}

TEST(Sharing, ATeamOfThreadsGivesTheBitsOfOne) {
    Fabric const fabric = make_xgft({{4, 5, 2}, {1, 2, 3}, 0});
    for (bool const by_bytes : {false, true}) {
        Study study = study_of(random_flows(40, 70, 3), with_times);
        study.measures.shared_by_bytes = by_bytes;
        StudyPlan const plan = make_plan(fabric, study);
        Shared const want = share(plan, 1);
        for (unsigned const members : {2u, 3u, 7u}) {
            TeamHub hub(members);
            Problem const& p = plan.problem;
            Totals totals(p);
            MappingTally told;
            with_routes(p, [&]<class Routes>(Routes const& routes) {
                using AnyTeam = ThreadTeam<false, true>;
                ScratchLayout layout;
                layout.members = members;
                layout.claims = claim_cells(members);
                Scratch<std::uint64_t, typename Routes::Kept> scratch;
                SharingScratch x{};
                TeamMemory memory(scratch.lay_out(p, nullptr, layout)), sharing(x.lay_out(p, nullptr) + 16);
                scratch.lay_out(p, memory.get(), layout);
                x.lay_out(p, sharing.get());
                run_members(members, [&](unsigned member) {
                    AnyTeam team(hub, member);
                    MappingTally tally = evaluate_mapping<false>(team, p, routes, 1, scratch, totals.view());
                    share_placed(team, p, routes, ScratchOfRates{scratch, x}, totals.view(), tally);
                    if (team.leads()) told = tally;
                });
            });
            EXPECT_EQ(told, want.tally);
        }
    }
}

/// Flow by flow the linear model gives no more; on a two-level tree with D-mod-K routes a permutation's flows each meet
/// one shared link at most, and both are the same.
TEST(Sharing, NoFlowGetsLessThanInTheLinearModel) {
    for (bool const two_levels : {true, false}) {
        Fabric const fabric = two_levels ? make_xgft({{6, 6}, {1, 6}, 0}) : make_xgft({{3, 3, 4}, {1, 2, 2}, 0});
        Study study;
        study.traffic.pattern = "bisect_fb_sym";
        study.measures.metrics = rates_alone;
        int more = 0;
        for (std::uint64_t m = 0; m < 20; ++m) {
            StudyPlan const plan = make_plan(fabric, study);
            Asked const asked = ask(plan, fabric, m);
            Shared const got = share(plan, m);
            std::vector<std::uint64_t> load(asked.question.capacity.size());
            for (auto const& route : asked.question.routes)
                for (std::size_t const link : route) ++load[link];
            for (std::size_t f = 0; f < asked.flow.size(); ++f) {
                std::uint64_t congestion = 0;
                for (std::size_t const link : asked.question.routes[f]) congestion = std::max(congestion, load[link]);
                std::uint64_t const linear = plan.problem.measures.sharing.unit / congestion;
                EXPECT_GE(got.rates[asked.flow[f]], linear);
                more += got.rates[asked.flow[f]] > linear;
                if (two_levels) {
                    EXPECT_EQ(got.rates[asked.flow[f]], linear);
                }
            }
        }
        if (!two_levels) {
            EXPECT_GT(more, 0);
        }
    }
}

// ---- by hand ------------------------------------------------------------------------------------------------------

/// Hosts 0 .. n-1 at one switch.
Fabric star(std::uint32_t hosts) {
    Sketch sketch;
    Node const hub = sketch.add_switch(64);
    for (std::uint32_t h = 0; h < hosts; ++h) sketch.host_at(hub);
    return sketch.route();
}

FlowList listed(std::uint32_t ranks, std::vector<Flow> flows, std::vector<std::uint64_t> weights = {}) {
    FlowList list;
    list.ranks = list.measured_ranks = ranks;
    list.flows = std::move(flows);
    list.weights = std::move(weights);
    list.levels.push_back({.first_flow = 0, .flow_count = list.flows.size()});
    return list;
}

Study by_hand(FlowList list, std::vector<Metric> metrics = with_times) {
    Study study = study_of(std::move(list), std::move(metrics));
    study.placement.mapping = MappingKind::identity;
    study.sample.mappings = 1;
    return study;
}

/// A 0-1, B 0-2, C and D 1-2 over links of 1,200: A 800, the others 400 (INRFlow: 600 and less).
TEST(Sharing, AFlowGetsWhatOthersCannotUse) {
    Fabric const fabric = star(3);
    StudyPlan const plan = make_plan(fabric, by_hand(listed(3, {{0, 1}, {0, 2}, {1, 2}, {1, 2}})));
    std::uint64_t const unit = plan.problem.measures.sharing.unit;
    StudyPlan const still = make_plan(fabric, by_hand(listed(3, {{0, 1}, {0, 2}, {1, 2}, {1, 2}}), rates_alone));
    std::uint64_t const third = unit / 3;
    EXPECT_EQ(unit % 3, 0u);
    EXPECT_EQ(share(still, 0).rates, (std::vector<std::uint64_t>{2 * third, third, third, third}));
}

/// Links of 20 and 60, A over both, B over the first, C over the second: 10, 10, 50.
TEST(Sharing, OfLinksOf20And60) {
    LinkRate const slow = parse_link_rate("4xQDR"), fast = parse_link_rate("12xQDR");
    Sketch sketch;
    Node const first = sketch.add_switch(), second = sketch.add_switch(), third = sketch.add_switch();
    for (Node const node : {first, first, second, second, third, third}) sketch.host_at(node, fast);
    sketch.cable(first, second, slow);
    sketch.cable(second, third, fast);
    Fabric const fabric = sketch.route();
    Study const study = by_hand(listed(6, {{0, 4}, {1, 2}, {3, 5}}), rates_alone);
    StudyPlan const plan = make_plan(fabric, study);
    double const unit = double(plan.problem.measures.sharing.unit) / 60;
    std::vector<std::uint64_t> const rates = share(plan, 0).rates;
    std::vector<Host> const hosts = plan.hosts_of_mapping(0);
    ASSERT_EQ(hosts[0].value, 0u);
    EXPECT_DOUBLE_EQ(double(rates[0]) / unit, 10);
    EXPECT_DOUBLE_EQ(double(rates[1]) / unit, 10);
    EXPECT_DOUBLE_EQ(double(rates[2]) / unit, 50);
}

/// One link, weights 2 and 1: two thirds and one third of it.
TEST(Sharing, ByBytes) {
    Study study = by_hand(listed(3, {{0, 2}, {1, 2}}, {2, 1}), rates_alone);
    study.measures.shared_by_bytes = true;
    StudyPlan const plan = make_plan(star(3), study);
    std::vector<std::uint64_t> const rates = share(plan, 0).rates;
    double const unit = double(plan.problem.measures.sharing.unit);
    EXPECT_DOUBLE_EQ(double(rates[0]) / unit + double(rates[1]) / unit, 1);
    EXPECT_NEAR(std::max(double(rates[0]), double(rates[1])) / unit, 2.0 / 3, 1e-15);
}

/// Flows of 100 and 10 on a link of 10 end at 11 and 2: the first goes on at the full rate (INRFlow: at 20).
TEST(Sharing, RatesRiseWhenAFlowEnds) {
    StudyPlan const plan = make_plan(star(3), by_hand(listed(3, {{0, 2}, {1, 2}}, {100, 10})));
    Shared const got = share(plan, 0);
    EXPECT_EQ(number_of(plan, Metric::makespan, got.tally), 110);
    EXPECT_EQ(number_of(plan, Metric::completion_time, got.tally), 65);
    EXPECT_NEAR(number_of(plan, Metric::slowdown, got.tally), (1.1 + 2) / 2, 1e-6);
}

/// A level begins when the one before has ended; equal flows on one bottleneck take as long as its load.
TEST(Sharing, LevelsComeOneAfterTheOther) {
    FlowList list = listed(5, {{0, 4}, {1, 4}, {2, 4}, {3, 4}, {4, 0}, {4, 1}});
    list.levels = {{.first_flow = 0, .flow_count = 4}, {.first_flow = 4, .flow_count = 2}};
    StudyPlan const plan = make_plan(star(5), by_hand(list));
    Shared const got = share(plan, 0);
    EXPECT_EQ(number_of(plan, Metric::makespan, got.tally), 4 + 2);
    EXPECT_EQ(number_of(plan, Metric::max_min_least, got.tally), 0.25);
    EXPECT_NEAR(number_of(plan, Metric::max_min_band, got.tally), 1.0 / 3, 1e-15);
}

/// Of the star of AFlowGetsWhatOthersCannotUse: host 2's link freezes three flows, host 0's one.
TEST(Sharing, BottlenecksAreCounted) {
    Study const study =
        by_hand(listed(3, {{0, 1}, {0, 2}, {1, 2}, {1, 2}}), {Metric::max_min_band, Metric::bottlenecks});
    Fabric const fabric = star(3);
    StudyPlan const plan = make_plan(fabric, study);
    ExecutionOptions options;
    options.device = DeviceChoice::cpu;
    Evaluation const got = evaluate(plan, options);
    std::vector<std::uint64_t> sums;
    for (LinkSum const& link : got.links)
        if (link.sum > 0) sums.push_back(link.sum);
    std::sort(sums.begin(), sums.end());
    EXPECT_EQ(sums, (std::vector<std::uint64_t>{1, 3}));
}

}  // namespace
}  // namespace tailback::sharing_test
