// When `--device auto` takes a CUDA device: with start_s + core_s / cores < core_s / threads, where a device is worth
// so many cores for that kind of work; completion times and max-min rates only when that is measured; work of which
// nobody knows it, when it takes the CPU ten seconds.
#include "host/evaluation/device/device_rates.hpp"
#include "host/base/numbers.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace tailback::device_rates_test {
namespace {

constexpr WorkKind kinds[] = {
    WorkKind::equal_flows,   WorkKind::flows_with_bytes,     WorkKind::max_min_rates, WorkKind::completion_times,
    WorkKind::all_to_all,    WorkKind::all_to_all_histogram, WorkKind::audit,         WorkKind::packing,
    WorkKind::equal_division};

DeviceRate rate(double cores, Source source = Source::estimated, bool waits = false) {
    return {WorkKind::equal_flows, "flows", 1000, 1, cores, source, "a card", waits};
}

TEST(DeviceRates, TheDeviceIsTakenWhereItEndsSooner) {
    for (double const cores : {1.0, 8.0, 85.0})
        for (unsigned const threads : {1u, 2u, 7u, 8u, 16u, 128u})
            for (double const core_s : {0.0, 0.4, 0.6, 5.0, 60.0, 1e5})
                EXPECT_EQ(advise(rate(cores), core_s, threads).cuda, 0.5 + core_s / cores < core_s / threads)
                    << cores << ' ' << threads << ' ' << core_s;
    EXPECT_FALSE(advise(rate(85), 0.5, 1).cuda);
    EXPECT_TRUE(advise(rate(85), 0.51, 1).cuda);
    EXPECT_FALSE(advise(rate(16), 1e9, 16).cuda);
    EXPECT_TRUE(advise(rate(17), 1e9, 16).cuda);
}

TEST(DeviceRates, SomeKindsWaitUntilTheyAreMeasured) {
    Advice const waiting = advise(rate(10, Source::estimated, true), 1000, 2);
    EXPECT_FALSE(waiting.cuda);
    EXPECT_EQ(waiting.against, "how long flows take on a GPU is not measured yet");
    EXPECT_TRUE(advise(rate(10, Source::measured, true), 1000, 2).cuda);
    EXPECT_TRUE(advise(rate(10, Source::estimated, false), 1000, 2).cuda);
}

TEST(DeviceRates, AnUnknownRateIsTriedForLongWorkAlone) {
    EXPECT_FALSE(advise(rate(0), 39.9, 4).cuda);
    EXPECT_TRUE(advise(rate(0), 40, 4).cuda);
}

TEST(DeviceRates, TheReasonIsToldForLongWorkAlone) {
    EXPECT_EQ(advise(rate(1), 9.9, 1).against, "");
    EXPECT_EQ(advise(rate(1), 10, 1).against, "flows are estimated to take as long on a GPU as on one core");
    EXPECT_EQ(advise(rate(8), 320, 16).against, "flows are estimated to take as long on a GPU as on 8 cores");
    EXPECT_EQ(advise(rate(8, Source::measured), 320, 16).against, "flows take as long on a GPU as on 8 cores");
    EXPECT_EQ(advise(rate(10, Source::estimated, true), 9.9, 1).against, "");
    EXPECT_EQ(advise(rate(85), 1000, 1).against, "");
}

TEST(DeviceRates, EveryKindHasARowAndTheNearestIsTaken) {
    for (WorkKind const kind : kinds)
        for (std::uint32_t const hosts : {0u, 1u, 1000u, 4'000'000'000u}) EXPECT_EQ(rate_of(kind, hosts).kind, kind);
    for (DeviceRate const& row : device_rates()) {
        EXPECT_EQ(&rate_of(row.kind, row.hosts), &row);
        EXPECT_GT(row.core_ns, 0) << row.name;
    }
    EXPECT_EQ(rate_of(WorkKind::equal_flows, 2).hosts, 128u);
    EXPECT_EQ(rate_of(WorkKind::equal_flows, 380).hosts, 128u);  // 382 = sqrt(128 x 1142)
    EXPECT_EQ(rate_of(WorkKind::equal_flows, 385).hosts, 1142u);
    EXPECT_EQ(rate_of(WorkKind::equal_flows, 10'000'000).hosts, 524'288u);
}

/// Whatever else they are worth: completion times, max-min rates and equal divisions stay on the CPU until somebody has
/// measured them.
TEST(DeviceRates, WhatSharesOrDividesWaits) {
    for (DeviceRate const& row : device_rates()) {
        bool const waits = row.kind == WorkKind::max_min_rates || row.kind == WorkKind::completion_times ||
                           row.kind == WorkKind::equal_division;
        EXPECT_EQ(row.waits, waits) << row.name;
        if (!waits || row.source != Source::estimated) continue;
        for (unsigned const threads : {1u, 16u}) EXPECT_FALSE(advise(row, 1e9, threads).cuda) << row.name;
    }
}

StudyPlan plan_of(Fabric const& network, std::string const& pattern, Metric metric, std::uint64_t mappings = 1000) {
    Study study;
    study.traffic.pattern = pattern;
    study.traffic.may_leave_flows_unlisted = true;
    study.measures.metrics = {metric};
    study.sample.mappings = mappings;
    return make_plan(network, study);
}

TEST(DeviceRates, StudiesAreOfTheKindThatTakesThemLongest) {
    Fabric const network = make_xgft({{6, 6, 4}, {1, 6, 6}, 0});
    Study bytes;
    bytes.traffic.pattern = listed_pattern;
    bytes.traffic.listed_flows.ranks = bytes.traffic.listed_flows.measured_ranks = bytes.placement.ranks = 144;
    bytes.traffic.listed_flows.flows = {{0, 1}, {7, 2}};
    bytes.traffic.listed_flows.weights = {3, 4};
    bytes.traffic.listed_flows.levels = {{.first_flow = 0, .flow_count = 2}};
    for (auto const& [metric, kind] : {std::pair{Metric::hist_acc_band, WorkKind::flows_with_bytes},
                                       {Metric::max_min_band, WorkKind::max_min_rates},
                                       {Metric::makespan, WorkKind::completion_times}}) {
        bytes.measures.metrics = {metric};
        EXPECT_EQ(kind_of(make_plan(network, bytes)), kind);
    }
    EXPECT_EQ(kind_of(plan_of(network, "bisect", Metric::hist_acc_band)), WorkKind::equal_flows);
    EXPECT_EQ(kind_of(plan_of(network, "bisect", Metric::hist_max_cong)), WorkKind::equal_flows);
    EXPECT_EQ(kind_of(plan_of(network, "rand", Metric::max_min_band)), WorkKind::max_min_rates);
    EXPECT_EQ(kind_of(plan_of(network, "rand", Metric::makespan)), WorkKind::completion_times);
    EXPECT_EQ(kind_of(plan_of(network, "all-to-all", Metric::hist_acc_band)), WorkKind::all_to_all);
    EXPECT_EQ(kind_of(plan_of(network, "all-to-all", Metric::hist_max_cong)), WorkKind::all_to_all_histogram);
}

/// A unit for every rank and every link that is met; a goal is expected within 10,000 mappings.
TEST(DeviceRates, WorkIsCountedInLinksAndSharedByProcesses) {
    Fabric const network = make_xgft({{6, 6, 4}, {1, 6, 6}, 0});
    StudyPlan plan = plan_of(network, "bisect", Metric::hist_acc_band);
    double const each = 144 + 72 * (1 + plan.mean_links);
    EXPECT_GT(plan.mean_links, 4);
    EXPECT_DOUBLE_EQ(work_of(plan).units, 1000 * each);
    EXPECT_DOUBLE_EQ(work_of(plan, 4).units, 250 * each);
    EXPECT_EQ(&work_of(plan).rate, &rate_of(WorkKind::equal_flows, 144));
    EXPECT_DOUBLE_EQ(work_of(plan).core_seconds(), 1000 * each * work_of(plan).rate.core_ns * 1e-9);
    plan.study.sample.mappings = 1'000'000;
    EXPECT_DOUBLE_EQ(work_of(plan).units, 1e6 * each);
    plan.study.sample.until = Goal{};
    EXPECT_DOUBLE_EQ(work_of(plan).units, 1e4 * each);
}

TEST(DeviceRates, TheDocumentHasTheTable) {
    std::string const text = read_whole(fixture("../../docs/gpu.md"));
    for (DeviceRate const& row : device_rates()) {
        std::string const cores = row.cores == 0 ? "not known" : fmt::format("{:.3g}", row.cores);
        std::string source = row.source == Source::estimated ? "estimated for " : "measured on ";
        source = row.cores == 0 ? "a device from 10 s of the CPU on" : source + row.device;
        std::string const line = fmt::format("| {} | {} | {} | {} |\n", row.name, grouped(row.hosts), cores, source);
        EXPECT_NE(text.find(line), std::string::npos) << "docs/gpu.md lacks: " << line;
    }
}

}  // namespace
}  // namespace tailback::device_rates_test
