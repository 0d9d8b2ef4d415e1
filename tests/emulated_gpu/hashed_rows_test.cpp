// Flows that are hashed over routes of equal cost, or spread over LIDs, on the emulated device: tallies and totals of
// walking flow by flow on the CPU, at sizes around the widths of rows and counters, and at 1,152 hosts.
#include "tests/support/networks/walked_study.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/two_adapters.hpp"

#include <gtest/gtest.h>

#include <random>

namespace tailback::hashed_rows_test {
namespace {

void expect_same(HashedStudy const& study, std::size_t mappings) {
    MakeOnCuda const on_cuda = hashed_on_cuda(study.whole, study.ways);
    ASSERT_TRUE(bool(on_cuda));
    auto const walking = study.walking(2), on_device = on_cuda(study.plan);
    CameTo const walked = CameTo::by(*walking, 2 * study.plan.repeats, mappings);
    EXPECT_EQ(CameTo::by(*on_device, 2 * study.plan.repeats, mappings), walked);
    EXPECT_GT(walked.tallies.front().delivered, 0u);
}

TEST(HashedRows, AreWhatIsWalked) {
    for (char const* const pattern : {"rand", "bisect", "gather"})
        for (std::uint64_t const queue_pairs : {1, 2, 4})
            for (std::uint64_t const draws : {1, 2}) {
                SCOPED_TRACE(std::string(pattern) + " " + std::to_string(queue_pairs));
                expect_same({fabric_with_sets("xgft:m=4x4,w=1x2", "ar:minimal"), pattern_study(pattern, 1000),
                             queue_pairs, draws},
                            24);
            }
}

/// Every flow of a gather has the same last link: so many flows in so many parts as counters of 8 bits hold, and
/// more.
TEST(HashedRows, CountersAreWideEnoughForParts) {
    for (std::uint32_t const hosts : {63u, 64u, 65u, 127u, 128u, 129u})
        for (std::uint64_t const queue_pairs : {1, 2, 4}) {
            SCOPED_TRACE(std::to_string(hosts) + " hosts, " + std::to_string(queue_pairs) + " queue pairs");
            Study study = pattern_study("gather", 100);
            study.placement.ranks = hosts;
            expect_same({fabric_with_sets("xgft:m=12x12,w=1x4", "ar:minimal"), study, queue_pairs}, 3);
        }
}

TEST(HashedRows, AreWhatIsWalkedAt1152Hosts) {
    for (std::uint64_t const queue_pairs : {1, 4})
        expect_same(
            {fabric_with_sets("xgft:m=12x12x8,w=1x12x12", "ar:minimal"), pattern_study("rand", 1000), queue_pairs}, 4);
}

/// Every 18th host.
Study on_every_18th(Fabric const& fabric, std::string const& pattern) {
    Study study = pattern_study(pattern, 1000);
    study.placement.subset = SubsetKind::listed;
    for (std::size_t h = 0; h < fabric.network.hosts().size(); h += 18) study.placement.subset_hosts.emplace_back(h);
    return study;
}

/// Slots need 32 bits, and a row has room for 16.
TEST(HashedRows, AreWhatIsWalkedAmong11664Hosts) {
    Fabric fabric = fabric_with_sets("xgft:m=18x18x36,w=1x18x18", "ar:minimal");
    Study const study = on_every_18th(fabric, "rand");
    HashedStudy const hashed(std::move(fabric), study, 1);
    expect_same(hashed, 4);
}

void expect_same(SpreadStudy const& study, std::size_t mappings) {
    MakeOnCuda const on_cuda = study.on_cuda();
    ASSERT_TRUE(bool(on_cuda));
    auto const walking = study.walking(2), on_device = on_cuda(study.plan);
    CameTo const walked = CameTo::by(*walking, 3, mappings);
    EXPECT_EQ(CameTo::by(*on_device, 3, mappings), walked);
    EXPECT_GT(walked.tallies.front().delivered, 0u);
}
constexpr LidSpread by_message[] = {LidSpread::random, LidSpread::round_robin};

TEST(SpreadRows, AreWhatIsWalked) {
    for (LidSpread const spread : {LidSpread::connection, LidSpread::all, LidSpread::random, LidSpread::round_robin})
        for (std::uint8_t const lmc : {1, 2, 7})
            for (char const* const pattern : {"rand", "bisect", "bruck", "gather"}) {
                if (spread == LidSpread::all && lmc == 7) continue;  // no row is as long
                SCOPED_TRACE(std::string(spread_name(spread)) + " " + std::to_string(lmc) + " " + pattern);
                expect_same({fabric_with_lids("xgft:m=4x4,w=1x4", lmc), pattern_study(pattern, 1000), spread}, 12);
            }
}

/// As many flows over a link as counters of 8 bits hold, and more.
TEST(SpreadRows, CountersAreWideEnough) {
    for (LidSpread const spread : by_message)
        for (std::uint32_t const hosts : {254u, 255u, 256u, 257u}) {
            SCOPED_TRACE(std::string(spread_name(spread)) + " " + std::to_string(hosts));
            Study study = pattern_study("gather", 100);
            study.placement.ranks = hosts;
            expect_same({fabric_with_lids("xgft:m=20x15,w=1x2", 2), study, spread}, 2);
        }
}

TEST(SpreadRows, AreSharedWithBytesAndByLevelsAlike) {
    Study bytes = pattern_study("rand", 100);
    bytes.traffic.pattern = listed_pattern;
    FlowList& list = bytes.traffic.listed_flows;
    list.ranks = list.measured_ranks = 16;
    for (std::size_t l = 0; l < 3; ++l) {
        for (std::uint32_t r = 0; r < 16; ++r)
            list.flows.push_back({r, (r + 5) % 16}), list.weights.push_back(1 + r * r % 7);
        list.levels.push_back({.first_flow = 16 * l, .flow_count = 16});
    }
    Study rates = bytes, rounds = bytes;
    rates.measures.metrics = {Metric::max_min_band, Metric::makespan, Metric::hist_acc_band};
    rates.traffic.listed_flows.weights.clear();
    rounds.measures.metrics = {Metric::bottlenecks};
    for (LidSpread const spread : by_message)
        for (Study const& one : {bytes, rates, rounds}) {
            SCOPED_TRACE(spread_name(spread));
            expect_same({fabric_with_lids("xgft:m=4x4,w=1x4", 2), one, spread}, 8);
        }
}

TEST(SpreadRows, AreWhatIsWalkedOnNodes) {
    Study study = pattern_study("bruck", 100);
    std::mt19937 random(5);
    place_on_two_adapters(study, 16, 100, false, random);
    expect_same({fabric_with_lids("xgft:2;4,4;1,2", 2), study, LidSpread::random}, 12);
}

TEST(SpreadRows, AreWhatIsWalkedAt1152Hosts) {
    for (LidSpread const spread : by_message)
        expect_same({fabric_with_lids("xgft:m=12x12x8,w=1x12x12", 1), pattern_study("rand", 1000), spread}, 3);
}

TEST(SpreadRows, AreWhatIsWalkedAmong11664Hosts) {
    for (LidSpread const spread : by_message) {
        Fabric fabric = fabric_with_lids("xgft:m=18x18x36,w=1x18x18", 1);
        Study const study = on_every_18th(fabric, "bisect");
        expect_same({std::move(fabric), study, spread}, 3);
    }
}

}  // namespace
}  // namespace tailback::hashed_rows_test
