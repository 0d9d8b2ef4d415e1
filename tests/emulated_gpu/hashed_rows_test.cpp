// Flows that are hashed over routes of equal cost, or spread over LIDs, on the emulated device: tallies and totals of
// walking flow by flow on the CPU, at sizes around the widths of rows and counters, and at 1,152 hosts.
#include "tests/support/networks/walked_study.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

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

/// Slots need 32 bits, and a row has room for 16: every 18th host of 11,664.
TEST(HashedRows, AreWhatIsWalkedAmong11664Hosts) {
    Fabric fabric = fabric_with_sets("xgft:m=18x18x36,w=1x18x18", "ar:minimal");
    Study study = pattern_study("rand", 1000);
    study.placement.subset = SubsetKind::listed;
    for (std::size_t h = 0; h < fabric.network.hosts().size(); h += 18) study.placement.subset_hosts.emplace_back(h);
    HashedStudy const hashed(std::move(fabric), study, 1);
    expect_same(hashed, 4);
}

}  // namespace
}  // namespace tailback::hashed_rows_test
