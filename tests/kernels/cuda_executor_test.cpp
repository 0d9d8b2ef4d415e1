// A GPU's tallies, totals and summaries are the CPU's, bit for bit: for every kind of team that fits, every form of
// routes, every pattern, counters on both sides of their width, batches of any size. Without a GPU these skip with the
// reason, and fail where TAILBACK_REQUIRE_GPU=1.
#include "host/evaluation/evaluation.hpp"
#include "host/model/pack/route_store.hpp"
#include "kernels/evaluate/load_bound.hpp"
#include "kernels/sharing/contended_state.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/networks/table_fabrics.hpp"
#include "tests/support/programs/required.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/against_cpu.hpp"
#include "tests/support/teams/all_to_all_scenarios.hpp"
#include "tests/support/teams/team_scenarios.hpp"
#include "tests/support/teams/two_adapters.hpp"
#include "topologies/families/xgft.hpp"
#include "topologies/regular.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <random>

namespace tailback::cuda_executor_test {
namespace {

class CudaExecutor : public ::testing::Test {
protected:
    void SetUp() override {
        CudaDevices const devices = find_cuda_devices();
        skip_where_missing(devices.names.empty() ? "no CUDA device: " + devices.reason : "", "TAILBACK_REQUIRE_GPU");
    }
    /// Under compute-sanitizer, which is slow.
    static bool small_cases() { return std::getenv("TAILBACK_SMALL_CASES") != nullptr; }
};

std::vector<Metric> metrics_of(bool all) {
    return all ? every_metric() : std::vector{Metric::hist_acc_band, Metric::sum_max_cong};
}

struct TreeCase {
    char const* name;
    XgftSpec spec;
};

// 18,432 hosts: more links between switches than 16 bits can number.
TreeCase const trees[] = {
    {"two levels", {{4, 6}, {1, 4}, 0}},
    {"three levels", {{3, 3, 4}, {1, 3, 3}, 0}},
    {"four levels", {{2, 2, 2, 3}, {1, 2, 2, 2}, 0}},
    {"six levels", {{2, 2, 2, 2, 2, 2}, {1, 2, 2, 2, 2, 1}, 60}},
    {"one multiprocessor", {{12, 12, 8}, {1, 12, 12}, 1142}},
    {"wide slots", {{24, 24, 32}, {1, 24, 24}, 0}},
};

TEST_F(CudaExecutor, TalliesAndTotalsEqualTheCpusForEveryKindOfTeam) {
    std::set<CudaTeamKind> tried;
    for (TreeCase const& tree : trees) {
        SCOPED_TRACE(tree.name);
        Fabric const fabric = make_xgft(tree.spec);
        bool const large = fabric.network.hosts().size() > 1000;
        if (large && small_cases()) continue;
        for (char const* pattern :
             {"bisect", "bisect_fb_sym", "rand", "tree", "bruck", "gather", "scatter", "ring", "recdbl", "6neighbor"}) {
            if (large && (pattern == std::string("ring") || pattern == std::string("bruck"))) continue;
            if (small_cases() && pattern != std::string("rand") && pattern != std::string("bruck")) continue;
            SCOPED_TRACE(pattern);
            for (std::size_t const row_byte_limit : {std::size_t{0}, std::size_t{1} << 32})
                for (bool const all : {false, true})
                    for (SubsetKind const subset : {SubsetKind::linear_bfs, SubsetKind::random}) {
                        Study study;
                        study.traffic.pattern = pattern;
                        study.placement.subset = subset;
                        study.placement.ranks = large ? 0 : 17;
                        study.measures.metrics = metrics_of(all);
                        StudyPlan const plan = make_plan(fabric, study, row_byte_limit);
                        tried.merge(expect_the_cpus(plan.problem, large ? 3 : small_cases() ? 40 : 200));
                    }
        }
    }
    EXPECT_TRUE(tried.count(CudaTeamKind::warp) && tried.count(CudaTeamKind::block) &&
                tried.count(CudaTeamKind::global));
}

/// What a device packs, and what it evaluates without copying the rows back and forth.
TEST_F(CudaExecutor, PacksTheRowsAndStepsThatTheCpuPacks) {
    for (NastyNetwork const& network : table_fabrics()) {
        std::vector<Host> hosts;
        for (std::size_t h = 0; h < network.fabric.network.hosts().size(); ++h) hosts.emplace_back(h);
        for (std::size_t const row_byte_limit : {std::size_t{0}, std::size_t{1} << 30}) {
            SCOPED_TRACE(network.name + ", rows of " + std::to_string(row_byte_limit) + " bytes");
            RouteStore const want = pack_routes(network.fabric, hosts, {}, row_byte_limit),
                             got = pack_routes(network.fabric, hosts, {}, row_byte_limit, make_cuda_route_packer);
            expect_same(got, want);
            EXPECT_EQ(got.on_device != nullptr, row_byte_limit > 0 && got.form != RouteForm::steps);
            Study study;
            study.traffic.pattern = "rand";
            study.measures.metrics = metrics_of(true);
            expect_the_cpus(make_plan(network.fabric, study, row_byte_limit, nullptr, make_cuda_route_packer).problem,
                            20);
        }
    }
}

/// Weights that differ by orders of magnitude, in counters of 8 to 64 bits, on routes of every form, with rates and
/// failed pairs.
TEST_F(CudaExecutor, FlowsWithWeights) {
    std::mt19937_64 random(7);
    auto const listed = [&](std::uint32_t ranks, unsigned bits) {
        FlowList list;
        list.ranks = list.measured_ranks = ranks;
        for (std::uint32_t level = 0; level < 3; ++level) {
            list.levels.push_back({.first_flow = list.flows.size()});
            for (std::uint32_t f = 0; f < 4 * ranks + level; ++f) {
                auto const from = std::uint32_t(random() % ranks), to = std::uint32_t(random() % ranks);
                if (from == to) continue;
                list.flows.push_back({from, to});
                list.weights.push_back(1 + random() % (std::uint64_t{1} << random() % bits));
                ++list.levels.back().flow_count;
            }
        }
        return list;
    };
    std::set<CudaTeamKind> tried;
    std::uint32_t narrowest = 0, wide = 0;
    auto const expect = [&](Fabric const& fabric, std::uint32_t ranks, std::size_t row_byte_limit) {
        for (unsigned const bits : {2u, 12u, 48u})
            for (bool const all : {false, true}) {
                Study study;
                study.traffic.pattern = listed_pattern;
                study.traffic.listed_flows = listed(ranks, bits);
                study.measures.metrics = metrics_of(all);
                StudyPlan const plan = make_plan(fabric, study, row_byte_limit);
                ASSERT_NE(plan.problem.traffic.weights, nullptr);
                std::optional<NarrowWeights> const narrow = narrow_weights(plan.problem);
                narrowest += narrow && packing_for(narrow->bound) == 2;
                wide += !narrow;
                tried.merge(expect_the_cpus(plan.problem, small_cases() ? 10 : 60));
            }
    };
    for (std::size_t const row_byte_limit : {std::size_t{0}, std::size_t{1} << 32}) {
        expect(make_xgft({{3, 3, 4}, {1, 3, 3}, 0}), 36, row_byte_limit);
        for (char const* name : {"random rated graph", "chaos"}) {
            SCOPED_TRACE(name);
            Fabric const& fabric = nasty_network(name);
            expect(fabric, std::uint32_t(breadth_first_hosts(fabric, false).size()), row_byte_limit);
        }
    }
    expect(fabric_of(make_regular_xgft({{4, 4, 4}, {1, 4, 4}, 0}, "dmodk", "tree")), 64, 0);
    EXPECT_TRUE(tried.count(CudaTeamKind::warp) && tried.count(CudaTeamKind::block) &&
                tried.count(CudaTeamKind::global));
    EXPECT_GT(narrowest, 0u);
    EXPECT_GT(wide, 0u);
}

/// Two flows that share a link, and no host's, whose weights sum up to the most that a counter of 8, 16 or 32 bits
/// holds, and to one more.
TEST_F(CudaExecutor, SumsOfWeightsOnBothSidesOfTheirCountersWidth) {
    Fabric const fabric = make_xgft({{4, 3}, {1, 1}, 0});
    for (std::uint64_t const sum : {std::uint64_t{0xFF}, std::uint64_t{0x100}, std::uint64_t{0xFFFF},
                                    std::uint64_t{0x10000}, std::uint64_t{0xFFFFFFFF}, std::uint64_t{0x100000000}}) {
        SCOPED_TRACE(sum);
        Study study;
        study.traffic.pattern = listed_pattern;
        FlowList& list = study.traffic.listed_flows;
        list.ranks = list.measured_ranks = 12;
        list.flows = {{1, 0}, {2, 3}};
        list.weights = {sum / 2 + 1, sum - sum / 2 - 1};
        list.levels.push_back({.first_flow = 0, .flow_count = 2});
        for (Metric const other : {Metric::hist_max_cong, Metric::sum_max_cong}) {  // kernels differ
            study.measures.metrics = {Metric::hist_acc_band, other};
            StudyPlan const plan = make_plan(fabric, study);
            EXPECT_EQ(narrow_weights(plan.problem).has_value(), sum <= 0xFFFFFFFF);
            std::set<CudaTeamKind> const tried = expect_the_cpus(plan.problem, 60);
            EXPECT_TRUE(tried.count(CudaTeamKind::warp) && tried.count(CudaTeamKind::block));
        }
    }
}

/// Two levels whose loads fit 32 bits each: as long as the sum of both does, delays lie in shared memory.
TEST_F(CudaExecutor, DelaysOnBothSidesOf32Bits) {
    Fabric const fabric = make_xgft({{4, 3}, {1, 1}, 0});
    for (std::uint64_t const load : {std::uint64_t{0x7FFFFFFF}, std::uint64_t{0x80000000}}) {
        SCOPED_TRACE(load);
        Study study;
        study.traffic.pattern = listed_pattern;
        FlowList& list = study.traffic.listed_flows;
        list.ranks = list.measured_ranks = 12;
        for (std::uint32_t level = 0; level < 2; ++level) {
            list.levels.push_back({.first_flow = list.flows.size(), .flow_count = 2});
            list.flows.insert(list.flows.end(), {{1, 0}, {0, 3}});
            list.weights.insert(list.weights.end(), {load / 2 + 1, load - load / 2 - 1});
        }
        study.measures.metrics = {Metric::dep_max_delay};
        StudyPlan const plan = make_plan(fabric, study);
        ASSERT_TRUE(passes_delays(plan.problem));
        std::optional<NarrowWeights> const narrow = narrow_weights(plan.problem);
        ASSERT_TRUE(narrow);
        EXPECT_EQ(narrow_delays(plan.problem, narrow->bound), load < 0x80000000);
        std::set<CudaTeamKind> const tried = expect_the_cpus(plan.problem, 60);
        EXPECT_EQ(tried.contains(CudaTeamKind::warp), load < 0x80000000);
        EXPECT_EQ(tried.contains(CudaTeamKind::block), load < 0x80000000);
        EXPECT_TRUE(tried.contains(CudaTeamKind::global));
    }
}

/// Ranks that share hosts and compute nodes, with and without weights, flows that leave by the rail of their
/// destination, routes of every form, failed pairs.
TEST_F(CudaExecutor, RanksThatShareNodes) {
    std::mt19937 random(11);
    auto const placed = [&](Fabric const& fabric, bool weighted, bool aligned) {
        auto const hosts = static_cast<std::uint32_t>(fabric.network.hosts().size());
        Study study;
        study.placement.ranks = 2 * hosts;
        study.measures.metrics = metrics_of(true);
        study.traffic.pattern = weighted ? listed_pattern : "rand";
        study.traffic.listed_flows.ranks = study.traffic.listed_flows.measured_ranks = study.placement.ranks;
        study.traffic.listed_flows.levels.push_back({});
        for (std::uint32_t f = 0; weighted && f < 3 * study.placement.ranks; ++f) {
            auto const from = random() % study.placement.ranks, to = random() % study.placement.ranks;
            if (from == to) continue;
            study.traffic.listed_flows.flows.push_back({std::uint32_t(from), std::uint32_t(to)});
            study.traffic.listed_flows.weights.push_back(1 + random() % 1000);
            ++study.traffic.listed_flows.levels.front().flow_count;
        }
        place_on_two_adapters(study, hosts, 8, aligned, random);  // from number 5 on
        return study;
    };
    for (NastyNetwork const& network : table_fabrics()) {
        if (network.fabric.network.hosts().size() > 24) continue;
        for (std::size_t const row_byte_limit : {std::size_t{0}, std::size_t{1} << 30})
            for (bool const weighted : {false, true})
                for (bool const aligned : {false, true}) {
                    SCOPED_TRACE(network.name);
                    StudyPlan const plan =
                        make_plan(network.fabric, placed(network.fabric, weighted, aligned), row_byte_limit);
                    expect_the_cpus(plan.problem, 3);
                }
    }
}

/// Rates, undelivered pairs, listed mappings, arithmetic routes: every branch of the kernel.
TEST_F(CudaExecutor, EveryScenarioOfTheTeams) {
    for (TeamScenario const& scenario : team_scenarios()) {
        SCOPED_TRACE(scenario.name);
        bool const listed = scenario.plan.problem.placement.source == MappingSource::listed;
        expect_the_cpus(scenario.plan.problem, listed ? 3 : small_cases() ? 10 : 60, listed ? 0 : 5);
    }
}

TEST_F(CudaExecutor, AllToAllsWhoseFlowsAreNotListed) {
    for (AllToAllScenario const& scenario : all_to_all_scenarios()) {
        SCOPED_TRACE(scenario.name);
        EXPECT_EQ(expect_the_cpus(scenario.unlisted.problem, small_cases() ? 3 : 20), std::set{CudaTeamKind::global});
    }
}

/// Two leaf switches of n hosts and a cable: n^2 flows on it, which is (n - 1)^2 above what a host has, at the end of
/// the team's own histogram of 1,024 bins.
TEST_F(CudaExecutor, AllToAllsAtTheEndOfTheirNearHistogram) {
    for (std::uint32_t const leaf : {32u, 33u, 34u}) {
        SCOPED_TRACE(leaf);
        Fabric const fabric = make_xgft({{leaf, 2}, {1, 1}, 0});
        Study study;
        study.traffic.pattern = "all-to-all";
        study.traffic.may_leave_flows_unlisted = true;
        study.measures.metrics = {Metric::hist_acc_band, Metric::hist_max_cong};
        StudyPlan const plan = make_plan(fabric, study);
        ASSERT_TRUE(plan.problem.traffic.all_to_all);
        expect_the_cpus(plan.problem, 2);
    }
}

/// Sizes on both sides of a window, a chunk of windows, and where the chosen kind changes.
TEST_F(CudaExecutor, SizesAroundEveryThreshold) {
    std::vector<std::uint32_t> sizes = {2, 3, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 1023, 1024, 1025};
    if (!small_cases())
        sizes.insert(sizes.end(), {2048, 3000, 4000, 5000, 6000, 9000, 11664, 20000, 30000, 65535, 65536, 65537});
    for (std::uint32_t const hosts : sizes) {
        SCOPED_TRACE(hosts);
        Fabric const network = fabric_of(make_regular_xgft({{32, 32, 80}, {1, 32, 32}, 0}, "dmodk", "tree"));
        for (char const* pattern : {"bisect", "rand"}) {
            Study study;
            study.traffic.pattern = pattern;
            study.placement.ranks = hosts;
            study.measures.metrics = metrics_of(false);
            StudyPlan const plan = make_plan(network, study);
            expect_the_cpus(plan.problem, hosts > 2000 ? 20 : small_cases() ? 100 : 300);
        }
    }
}

/// Loads of exactly 255, 256, 65,535 and 65,536 flows.
TEST_F(CudaExecutor, CountersOnBothSidesOfTheirWidth) {
    for (std::uint32_t const leaf : {127u, 128u, 129u, 32767u, 32768u, 32769u}) {
        if (leaf > 1000 && small_cases()) continue;
        SCOPED_TRACE(leaf);
        Fabric const fabric = make_xgft({{leaf, 3}, {1, 1}, 0});
        Study study;
        study.traffic.pattern = "gather";
        study.measures.metrics = metrics_of(false);
        StudyPlan const plan = make_plan(fabric, study);
        EXPECT_EQ(packing_for(load_bound(plan.problem)), 2 * leaf <= 255 ? 2u : 2 * leaf <= 65535 ? 1u : 0u);
        expect_the_cpus(plan.problem, 4);
    }
}

TEST_F(CudaExecutor, BatchesOfAnySizeAndOrder) {
    Fabric const fabric = make_xgft({{6, 6, 4}, {1, 6, 6}, 0});
    Study study;
    study.traffic.pattern = "rand";
    study.measures.metrics = metrics_of(true);
    StudyPlan const plan = make_plan(fabric, study);
    std::size_t const most = small_cases() ? 3000 : 40000;
    std::vector<MappingTally> want(most);
    make_cpu_executor(plan.problem, 0)->evaluate(0, want);
    for (CudaTeamKind const kind : cuda_team_kinds) {
        std::unique_ptr<Executor> const executor = make_cuda_executor(plan.problem, kind);
        if (!executor) continue;
        for (std::size_t const count : {std::size_t{1}, std::size_t{31}, std::size_t{1025}, most}) {
            std::vector<MappingTally> got(count);
            executor->evaluate(most - count, got);
            EXPECT_TRUE(std::equal(got.begin(), got.end(), want.end() - std::ptrdiff_t(count))) << count;
        }
    }
}

/// Batches on two streams by turns, of kinds whose scratch is in global memory: no kernel meets another in it.
TEST_F(CudaExecutor, TwoStreamsDoNotMeetInScratch) {
    Fabric const network = fabric_of(make_regular_xgft({{32, 32, 80}, {1, 32, 32}, 0}, "dmodk", "tree"));
    Fabric const fabric = make_xgft({{6, 6, 4}, {1, 6, 6}, 0});
    Study study;
    study.traffic.pattern = "rand";
    study.measures.metrics = metrics_of(false);
    StudyPlan const small = make_plan(fabric, study);
    study.placement.ranks = 17;
    study.placement.subset = SubsetKind::random;  // drawn from 81,920 hosts: too many for shared memory
    StudyPlan const drawn = make_plan(network, study);
    for (StudyPlan const* const plan : {&small, &drawn}) {
        std::unique_ptr<Executor> const executor = make_cuda_executor(plan->problem, CudaTeamKind::global);
        std::vector<MappingTally> want(executor->good_batch() / 3), got(want.size());  // of eight batches
        make_cpu_executor(plan->problem, 0)->evaluate(0, want);
        executor->evaluate(0, got);
        EXPECT_EQ(got, want);
    }
}

/// What the device adds up is what the tallies come to one by one, over several calls, with and without delivered
/// flows.
TEST_F(CudaExecutor, ReducesToWhatTheTalliesComeTo) {
    auto const expect_reduced = [](StudyPlan const& plan, std::uint64_t count) {
        WantedNumbers const wanted = wanted_numbers(plan);
        std::vector<MappingTally> tallies(2 * count);
        make_cpu_executor(plan.problem, 0)->evaluate(9, tallies);
        Reduction want;
        for (std::size_t i = 0; i < tallies.size(); ++i) want.add(wanted, 9 + i, tallies[i]);
        std::unique_ptr<Executor> const executor = make_cuda_executor(plan.problem);
        executor->evaluate_and_reduce(9, count, wanted);
        std::vector<MappingTally> between(7);
        executor->evaluate(1000, between);
        executor->evaluate_and_reduce(9 + count, count, wanted);
        Reduction const got = executor->take_reduction();
        expect_same(got, want);
        EXPECT_EQ(executor->take_reduction().mappings, 0u);
    };
    Fabric const fabric = make_xgft({{6, 6, 4}, {1, 6, 6}, 0});
    for (char const* pattern : {"bisect", "rand", "ring", "null"}) {
        SCOPED_TRACE(pattern);
        Study study;
        study.traffic.pattern = pattern;
        study.measures.metrics = metrics_of(true);
        expect_reduced(make_plan(fabric, study), small_cases() ? 500 : 30000);
    }
    for (TeamScenario const& scenario : team_scenarios()) {
        if (scenario.plan.problem.placement.source == MappingSource::listed) continue;
        SCOPED_TRACE(scenario.name);
        expect_reduced(scenario.plan, 50);
    }
}

/// Whole evaluations, to the last word of what was found.
TEST_F(CudaExecutor, EvaluationsAreTheCpus) {
    Fabric const fabric = make_xgft({{4, 6}, {1, 4}, 0});
    Study study;
    study.traffic.pattern = "rand";
    study.measures.metrics = metrics_of(true);
    study.sample.mappings = small_cases() ? 1500 : 5000;
    StudyPlan const plan = make_plan(fabric, study);
    auto const run_on = [&](DeviceChoice device) {
        std::vector<std::uint64_t> words;
        ExecutionOptions options;
        options.device = device;
        options.checkpointing.every_s = 0;
        options.checkpointing.save = [&](std::span<RunSums const> findings) { words = findings.front().words(true); };
        options.batch = 700;
        Evaluation const evaluation = evaluate(plan, options);
        return std::tuple(words, evaluation.largest_link_sum);
    };
    EXPECT_EQ(run_on(DeviceChoice::cpu), run_on(DeviceChoice::cuda));
}

/// Max-min rates and completion times, for every form of routes, with and without sizes, of links of different rates.
TEST_F(CudaExecutor, SharesLinksAsTheCpu) {
    std::mt19937 random(5);
    auto const study_of = [&](std::uint32_t ranks, int kind) {
        Study study;
        study.measures.metrics = {Metric::max_min_band, Metric::max_min_least, Metric::max_min_jain,
                                  Metric::makespan,     Metric::slowdown,      Metric::completion_time};
        if (kind == 1) study.measures.metrics.push_back(Metric::bottlenecks);
        if (kind == 2) study.measures.metrics = {Metric::max_min_band, Metric::sum_max_cong};
        study.measures.shared_by_bytes = kind == 1;
        study.traffic.pattern = kind == 2 ? "rand" : listed_pattern;
        study.placement.ranks = study.traffic.listed_flows.ranks = study.traffic.listed_flows.measured_ranks = ranks;
        FlowList& list = study.traffic.listed_flows;
        for (std::uint32_t f = 0; f < ranks && kind != 2; ++f) {
            std::uint32_t const from = random() % ranks, to = random() % ranks;
            if (from == to) continue;
            list.flows.push_back({from, to});
            if (kind != 3) list.weights.push_back(1 + random() % 100);
        }
        list.levels.push_back({.first_flow = 0, .flow_count = list.flows.size()});
        return study;
    };
    for (NastyNetwork const& network : table_fabrics())
        for (int kind = 0; kind < 4; ++kind) {
            SCOPED_TRACE(network.name + ", kind " + std::to_string(kind));
            auto const hosts = static_cast<std::uint32_t>(network.fabric.network.hosts().size());
            Study study = study_of(std::min(hosts, 24u), kind);
            study.placement.subset = SubsetKind::linear_bfs;
            StudyPlan plan;
            try {
                plan = make_plan(network.fabric, study, kind == 3 ? 0 : std::size_t{1} << 30);
            } catch (InputError const&) {
                continue;  // fewer hosts that can take a rank
            }
            std::set<CudaTeamKind> const tried = expect_the_cpus(plan.problem, 3);
            bool const near = shares_contended(plan.problem) && plan.problem.routes.form != RouteForm::steps &&
                              plan.problem.routes.row_width <= 8;
            EXPECT_EQ(tried.count(CudaTeamKind::block), near ? 1u : 0u);
            EXPECT_EQ(tried.count(CudaTeamKind::global), 1u);
        }
}

/// Teams of 64 and of 256 threads, in shared memory and where it ends; all forms of routes that are computed.
TEST_F(CudaExecutor, SharesLinksAroundEveryThreshold) {
    auto const expect = [&](Fabric const& fabric, std::uint32_t ranks, char const* pattern, bool times,
                            std::size_t mappings) {
        SCOPED_TRACE(std::to_string(ranks) + " of " + pattern);
        Study study;
        study.traffic.pattern = pattern;
        study.placement.ranks = ranks;
        study.measures.metrics = {Metric::max_min_band, Metric::max_min_jain};
        if (times) study.measures.metrics.push_back(Metric::makespan);
        StudyPlan const plan = make_plan(fabric, study);
        return expect_the_cpus(plan.problem, mappings);
    };
    using Kinds = std::set<CudaTeamKind>;
    Kinds const both = {CudaTeamKind::block, CudaTeamKind::global}, beyond = {CudaTeamKind::global};
    Fabric const tree = make_xgft({{12, 12, 20}, {1, 12, 12}, 0});
    for (std::uint32_t const ranks : {2u, 31u, 32u, 33u, 63u, 64u, 65u, 255u, 256u, 257u})
        for (bool const times : {false, true})
            EXPECT_EQ(expect(tree, ranks, ranks % 2 == 0 ? "bisect" : "rand", times, 3), both);
    EXPECT_EQ(expect(tree, 1152, "rand", false, 2), both);
    EXPECT_EQ(expect(tree, 2880, "rand", false, 1), both);
    EXPECT_EQ(expect(make_xgft({{18, 18, 20}, {1, 18, 18}, 0}), 6480, "rand", false, 1), beyond);
    for (char const* spec :
         {"torus:4x3x3,hosts=2", "xgft:m=3x3x4,w=1x2x3", "dragonfly:a=4,p=2,h=2", "hyperx:3x4,hosts=3"})
        EXPECT_EQ(expect(fabric_of(make_regular(TopologySpec(spec), nullptr)), 30, "rand", true, 4), both) << spec;
}

TEST(CudaDevices, TheReasonForHavingNoneIsTold) {
    CudaDevices const devices = find_cuda_devices();
    EXPECT_EQ(devices.names.empty(), !devices.reason.empty());
}

}  // namespace
}  // namespace tailback::cuda_executor_test
