// Permutations drawn by a team in windows of many steps at once are those of the definition, step by step: by lanes (as
// a warp does) and by claims (as a block does), for any number of members, in places of 16 and of 32 bits.
#include "tests/support/oracle/oracle.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/team_of_threads.hpp"

#include <gtest/gtest.h>

namespace tailback::permutation_windows_test {
namespace {

struct Asked {
    std::uint64_t seed;
    Stream stream;
    std::uint64_t m;
    std::uint32_t size, steps;
};

/// One after the other by one team, in the same scratch.
template <ThreadDraws draws, class HostWord>
void expect_the_definitions(unsigned members, std::vector<Asked> const& asked) {
    std::uint32_t largest = 0;
    for (Asked const& a : asked) largest = std::max(largest, a.size);
    std::vector<HostWord> order(largest);
    struct alignas(16) Four {
        std::uint32_t word[4];
    };
    std::vector<Four> targets(target_words(members, claim_cells(members)) / 4 + 1, Four{{7, 7, 7, 7}});
    TeamHub hub(members);
    run_members(members, [&](unsigned member) {
        ThreadTeam<false, true, draws> team(hub, member);
        for (Asked const& a : asked) {
            draw_permutation(team, Draw{a.seed, a.stream, a.m, a.size, a.steps}, targets[0].word, order.data());
            team.sync("drawn");
            if (team.leads()) {
                auto const want = oracle::permutation(a.seed, std::uint32_t(a.stream), a.m, a.size, a.steps);
                EXPECT_TRUE(std::equal(want.begin(), want.begin() + a.steps, order.begin()))
                    << members << " members, seed " << a.seed << ", m " << a.m << ", size " << a.size << ", steps "
                    << a.steps;
                std::vector<HostWord> sorted(order.begin(), order.begin() + a.size);
                std::sort(sorted.begin(), sorted.end());
                for (std::uint32_t i = 0; i < a.size; ++i) ASSERT_EQ(sorted[i], i);
            }
            team.sync("looked at");
        }
    });
}

template <ThreadDraws draws>
void expect_for_all_sizes() {
    // Small permutations: every step waits for others. All sizes around the ends of windows and of chunks of four
    // windows.
    std::vector<Asked> small, large;
    for (std::uint32_t size = 1; size <= 70; ++size)
        for (std::uint64_t m = 0; m < 3; ++m)
            small.push_back(
                {size * 77u, Stream{1 + size % 4}, m << (size % 2 * 33), size, size - size % 3 * (size / 4)});
    for (std::uint32_t const size : {127u, 128u, 129u, 513u}) large.push_back({9, Stream::mapping, size, size, size});
    for (std::uint32_t const steps : {1u, 31u, 32u, 33u, 128u, 129u, 300u})
        large.push_back({10, Stream::subset, steps, 1000, steps});
    for (unsigned const members : {1u, 2u, 4u, 8u}) {
        expect_the_definitions<draws, std::uint16_t>(members, small);
        expect_the_definitions<draws, std::uint32_t>(members, small);
        expect_the_definitions<draws, std::uint16_t>(members, large);
    }
}

TEST(PermutationInWindows, ByLanesIsTheDefinitionsForAllSizes) { expect_for_all_sizes<ThreadDraws::by_lanes>(); }
TEST(PermutationInWindows, ByCellsIsTheDefinitionsForAllSizes) {
    expect_for_all_sizes<ThreadDraws::by_lanes_and_cells>();
}
TEST(PermutationInWindows, ByBallotsIsTheDefinitionsForAllSizes) {
    expect_for_all_sizes<ThreadDraws::by_lanes_and_ballots>();
}
TEST(PermutationInWindows, ByClaimsIsTheDefinitionsForAllSizes) { expect_for_all_sizes<ThreadDraws::by_claims>(); }

TEST(PermutationInWindows, AsWideAsAWarp) {
    std::vector<Asked> asked;
    for (std::uint32_t const size : {5u, 31u, 32u, 33u, 128u, 129u})
        asked.push_back({size, Stream::mapping, size, size, size});
    expect_the_definitions<ThreadDraws::by_lanes, std::uint16_t>(32, asked);
    expect_the_definitions<ThreadDraws::by_lanes_and_cells, std::uint16_t>(32, asked);
    expect_the_definitions<ThreadDraws::by_lanes_and_ballots, std::uint16_t>(32, asked);
    expect_the_definitions<ThreadDraws::by_claims, std::uint16_t>(32, asked);
}

/// Windows of claims need cells that many targets share, and more rounds than cells stay clear for.
TEST(PermutationInWindows, ClaimsThatMeetByChanceOnlyWait) {
    std::vector<Asked> asked;
    for (std::uint64_t m = 0; m < 4; ++m) asked.push_back({m, Stream::mapping, m, 3000, 3000});
    expect_the_definitions<ThreadDraws::by_claims, std::uint32_t>(3, asked);
    expect_the_definitions<ThreadDraws::by_claims, std::uint16_t>(7, asked);
}

/// The largest place that 16 bits hold.
TEST(PermutationInWindows, SixteenBitsHold65536Places) {
    std::vector<Asked> const asked = {{1, Stream::mapping, 1, 65536, 2000}, {1, Stream::mapping, 2, 65535, 1500}};
    expect_the_definitions<ThreadDraws::by_lanes, std::uint16_t>(4, asked);
    expect_the_definitions<ThreadDraws::by_lanes_and_cells, std::uint16_t>(4, asked);
    expect_the_definitions<ThreadDraws::by_lanes_and_ballots, std::uint16_t>(4, asked);
    expect_the_definitions<ThreadDraws::by_claims, std::uint16_t>(4, asked);
}

}  // namespace
}  // namespace tailback::permutation_windows_test
