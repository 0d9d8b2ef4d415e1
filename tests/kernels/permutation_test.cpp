// Permutations: the definition in kernels/common/permutation.hpp word for word, and chi-square tests that they are
// uniform and independent over mappings, seeds and streams.
#include "kernels/common/permutation.hpp"

#include "kernels/cpu/fast/team.hpp"
#include "tests/support/oracle/chi_square.hpp"
#include "tests/support/oracle/oracle.hpp"
#include "tests/support/rooms.hpp"
#include "tests/support/teams/isas.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace tailback::permutation_test {
namespace {

TAILBACK_IN_EACH_ISA(DrawsInEachIsa);

constexpr std::uint32_t guard = 0xDEADBEEF;
constexpr Stream streams[] = {Stream::mapping, Stream::subset, Stream::first_pattern, Stream::second_pattern};

/// One thread without draws of its own: draw_permutation goes by the definition.
struct PlainTeam {
    CpuTeam::Range each(std::uint32_t n) { return {n}; }
    void sync() {}
    bool leads() const { return true; }
};

template <class Team = CpuTeam>
std::vector<std::uint32_t> drawn(std::uint64_t seed, Stream stream, std::uint64_t m, std::uint32_t size,
                                 std::uint32_t steps) {
    std::vector<std::uint32_t> targets((steps + 3) / 4 * 4), order(size);
    Team team;
    draw_permutation(team, Draw{seed, stream, m, size, steps}, targets.data(), order.data());
    return order;
}

/// The draws of a permutation one by one, for sizes too large to shuffle.
std::vector<std::uint32_t> targets_by_definition(std::uint64_t seed, Stream stream, std::uint64_t m, std::uint32_t size,
                                                 std::uint32_t steps) {
    std::vector<std::uint32_t> targets;
    for (std::uint32_t i = 0; i < steps; ++i)
        targets.push_back(i + oracle::draw(seed, std::uint32_t(stream), m, i, size - i));
    return targets;
}

/// Rank of a permutation of up to 8 among all of its size (any fixed order).
std::uint32_t number_of(std::vector<std::uint32_t> const& p) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        auto const smaller =
            std::count_if(p.begin() + std::ptrdiff_t(i), p.end(), [&](std::uint32_t x) { return x < p[i]; });
        number = number * std::uint32_t(p.size() - i) + std::uint32_t(smaller);
    }
    return number;
}

void expect_uniform(std::vector<std::uint64_t> const& counts, char const* what) {
    double const degrees = double(counts.size()) - 1;
    EXPECT_LT(chi_square(counts), chi_square_limit(degrees)) << what;
    EXPECT_GT(chi_square(counts), chi_square_floor(degrees)) << what;
}

// ---- the definition -------------------------------------------------------------------------------------------------

TEST(Permutation, IsTheDefinitionsInBothForms) {
    for (std::uint32_t size = 1; size <= 140; ++size)
        for (std::uint64_t const seed : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0xFEDCBA9876543210}})
            for (Stream const stream : streams)
                for (std::uint64_t const m : {std::uint64_t{0}, std::uint64_t{77}, std::uint64_t{1} << 40}) {
                    auto const want = oracle::permutation(seed, std::uint32_t(stream), m, size, size);
                    ASSERT_EQ(drawn(seed, stream, m, size, size), want) << size;
                    ASSERT_EQ(drawn<PlainTeam>(seed, stream, m, size, size), want) << size;
                }
}

TEST(Permutation, SomeLargeOnes) {
    for (std::uint32_t const size : {648u, 1296u, 4095u, 4096u, 4097u, 11664u, 65536u, 100003u}) {
        auto const want = oracle::permutation(9, 1, 3, size, size);
        EXPECT_EQ(drawn(9, Stream::mapping, 3, size, size), want);
        EXPECT_EQ(drawn<PlainTeam>(9, Stream::mapping, 3, size, size), want);
        auto sorted = want;
        std::sort(sorted.begin(), sorted.end());
        for (std::uint32_t i = 0; i < size; ++i) ASSERT_EQ(sorted[i], i);
    }
}

TEST(Permutation, AFewStepsAreTheBeginningOfAllSteps) {
    for (std::uint32_t const size : {1u, 2u, 7u, 64u, 129u, 500u}) {
        auto const whole = drawn(4, Stream::subset, 12, size, size);
        for (std::uint32_t steps = 0; steps <= size; steps += 1 + steps / 3) {
            auto const part = drawn(4, Stream::subset, 12, size, steps);
            EXPECT_TRUE(std::equal(part.begin(), part.begin() + steps, whole.begin())) << size << " " << steps;
            EXPECT_TRUE(std::is_permutation(part.begin(), part.end(), whole.begin()));
        }
    }
}

// ---- draws ----------------------------------------------------------------------------------------------------------

/// The vectorised draws, which write no further than `steps` rounded up to 4.
TEST_P(DrawsInEachIsa, VectorisedAreTheDefinitionsForManySizes) {
    auto check = [](std::uint32_t size, std::uint32_t steps, std::uint64_t seed, Stream stream, std::uint64_t m) {
        std::uint32_t const room = (steps + 3) / 4 * 4;
        std::vector<std::uint32_t> targets(room + 8, guard);
        draw_targets_vectorised(seed, stream, m, size, steps, targets.data());
        for (std::uint32_t i = room; i < targets.size(); ++i) EXPECT_EQ(targets[i], guard);
        targets.resize(steps);
        EXPECT_EQ(targets, targets_by_definition(seed, stream, m, size, steps)) << size << " " << steps;
    };
    for (std::uint32_t size = 1; size <= 300; ++size) {
        check(size, size, size * 0x123456789u, streams[size % 4], size);
        check(size, size / 2, size, streams[size % 4], std::uint64_t{size} << 32);
        check(size, size - 1, size, streams[size % 4], ~std::uint64_t{size});
    }
    for (std::uint32_t const size : {1142u, 1296u, 2047u, 2048u, 2049u, 11664u, 50000u})
        check(size, size, 5, Stream::mapping, 6);
}

/// Where the range does not divide 2^32 by far, words fall into the biased tail and are drawn anew: with a range just
/// above 2^31 nearly every second one.
TEST_P(DrawsInEachIsa, VectorisedAreTheDefinitionsWhereWordsAreRejected) {
    std::uint64_t rejected = 0;
    for (std::uint32_t const size :
         {0x80000001u, 0x80000400u, 0xC0000000u, 0xAAAAAAABu, 0xFFFFFFFFu, 3'000'000u, 0x80000000u})
        for (Stream const stream : streams) {
            std::uint32_t const steps = 1000;
            std::vector<std::uint32_t> targets(steps);
            draw_targets_vectorised(31, stream, 8, size, steps, targets.data());
            EXPECT_EQ(targets, targets_by_definition(31, stream, 8, size, steps)) << size;
            for (std::uint32_t i = 0; i < steps; ++i) {
                std::uint32_t const word = philox(i / 4, std::uint32_t(stream) << 24, 8, 0, 31).word[i % 4];
                rejected += word * (size - i) < (0x100000000u % (size - i));  // the product's low half
            }
        }
    EXPECT_GT(rejected, 4000u);  // or nothing was tested
}

/// bounded_draw for words on both sides of every edge: of a value's range of words, of the tail, of 32 bits.
TEST(Draws, BoundedDrawAtTheEdges) {
    for (std::uint32_t const range : {1u, 2u, 3u, 5u, 641u, 65535u, 65536u, 65537u, 0x7FFFFFFFu, 0x80000000u,
                                      0x80000001u, 0x80000005u, 0xAAAAAAABu, 0xFFFFFFFEu, 0xFFFFFFFFu})
        for (std::uint32_t sample = 0; sample < 60; ++sample) {
            std::uint64_t const value = sample < 20   ? sample
                                        : sample < 40 ? range - (sample - 19)
                                                      : sample * (range / 61);
            if (value >= range) continue;
            std::uint64_t const first_word = ((value << 32) + range - 1) / range;
            for (std::int64_t const off : {-2, -1, 0, 1, 2}) {
                auto const word = static_cast<std::uint32_t>(first_word + std::uint64_t(off));
                EXPECT_EQ(bounded_draw(word, range, sample, 5, Stream::subset, 9),
                          oracle::draw(5, 2, 9, sample, range, word))
                    << range << " " << word;
            }
        }
}

/// Exactly floor(2^32 / range) words are accepted for each value: that is what makes draws uniform, not nearly so.
/// A word is seen to be accepted when two different seeds, which redraw differently, agree on its value.
TEST(Draws, EveryValueHasAsManyWords) {
    for (std::uint32_t const range :
         {3u << 20, 0x7FFFFFFFu, 0x80000001u, 0xAAAAAAABu, 0xFFFFFFFFu, 1u << 24, 0x600001u})
        for (std::uint64_t sample = 0; sample < 300; ++sample) {
            std::uint64_t const value = sample < 100 ? sample : (sample * 0x9E3779B97F4A7C15u) % range;
            std::uint64_t accepted = 0;
            for (std::uint64_t word = ((value << 32) + range - 1) / range;
                 word < std::uint64_t{1} << 32 && word * range >> 32 == value; ++word) {
                bool same = true;
                for (std::uint64_t seed = 0; seed < 4; ++seed)
                    same &= bounded_draw(std::uint32_t(word), range, 0, seed, Stream::mapping, 0) == value;
                accepted += same;
            }
            EXPECT_EQ(accepted, (std::uint64_t{1} << 32) / range) << range << " " << value;
        }
}

// ---- chance ---------------------------------------------------------------------------------------------------------
// False-alarm probability of each bound: 1e-6 (support/oracle/chi_square.hpp).

TEST(PermutationChance, All120OrdersOfFiveAreAsLikely) {
    for (Stream const stream : streams) {
        std::vector<std::uint64_t> counts(120);
        for (std::uint64_t m = 0; m < 120'000; ++m) ++counts[number_of(drawn(1, stream, m, 5, 5))];
        expect_uniform(counts, "orders of 5");
    }
}

/// n^2 cells (place, value) of N permutations: the centred permutation matrix has covariance 1/(n-1) on a space of
/// (n-1)^2 dimensions, so (n-1)/N * sum (count - N/n)^2 is chi-square with (n-1)^2 degrees of freedom.
TEST(PermutationChance, EveryValueIsAsLikelyInEveryPlace) {
    for (std::uint32_t const n : {20u, 33u}) {
        std::uint64_t const draws = 60'000;
        std::vector<std::uint64_t> counts(n * n);
        for (std::uint64_t m = 0; m < draws; ++m) {
            auto const p = drawn(2, Stream::mapping, m, n, n);
            for (std::uint32_t i = 0; i < n; ++i) ++counts[i * n + p[i]];
        }
        double statistic = 0;
        for (std::uint64_t const c : counts) {
            double const off = double(c) - double(draws) / n;
            statistic += off * off * (n - 1) / double(draws);
        }
        double const degrees = (n - 1.0) * (n - 1.0);
        EXPECT_LT(statistic, chi_square_limit(degrees));
        EXPECT_GT(statistic, chi_square_floor(degrees));
    }
}

TEST(PermutationChance, PartialDrawsAreUniformSamples) {
    std::vector<std::uint64_t> pairs(7 * 7);
    std::vector<std::uint64_t> sets(1 << 6);
    for (std::uint64_t m = 0; m < 84'000; ++m) {
        auto const two = drawn(3, Stream::subset, m, 7, 2);
        ++pairs[two[0] * 7 + two[1]];
        auto const three = drawn(3, Stream::subset, m + 84'000, 6, 3);
        ++sets[1u << three[0] | 1u << three[1] | 1u << three[2]];
    }
    auto drop_impossible = [](std::vector<std::uint64_t>& counts) { std::erase(counts, 0u); };
    drop_impossible(pairs);
    drop_impossible(sets);
    ASSERT_EQ(pairs.size(), 42u);
    ASSERT_EQ(sets.size(), 20u);
    expect_uniform(pairs, "ordered samples of 2 of 7");
    expect_uniform(sets, "sets of 3 of 6");
}

/// The joint table of two permutations of 4 that must know nothing of each other: 576 cells.
template <class First, class Second>
void expect_independent(char const* what, First first, Second second) {
    std::vector<std::uint64_t> counts(24 * 24);
    for (std::uint64_t i = 0; i < 57'600; ++i) ++counts[number_of(first(i)) * 24 + number_of(second(i))];
    expect_uniform(counts, what);
}

TEST(PermutationChance, NeighboursAreIndependent) {
    auto at = [](std::uint64_t seed, Stream stream, std::uint64_t m) { return drawn(seed, stream, m, 4, 4); };
    expect_independent(
        "mappings 2i and 2i+1", [&](auto i) { return at(5, Stream::mapping, 2 * i); },
        [&](auto i) { return at(5, Stream::mapping, 2 * i + 1); });
    expect_independent(
        "mappings i and i+2^32", [&](auto i) { return at(5, Stream::mapping, i); },
        [&](auto i) { return at(5, Stream::mapping, i + (std::uint64_t{1} << 32)); });
    expect_independent(
        "seeds 2i and 2i+1", [&](auto i) { return at(2 * i, Stream::mapping, 0); },
        [&](auto i) { return at(2 * i + 1, Stream::mapping, 0); });
    expect_independent(
        "seeds i and i+2^32", [&](auto i) { return at(i, Stream::mapping, 0); },
        [&](auto i) { return at(i + (std::uint64_t{1} << 32), Stream::mapping, 0); });
    for (int a = 0; a < 4; ++a)
        for (int b = a + 1; b < 4; ++b)
            expect_independent(
                "two streams", [&](auto i) { return at(5, streams[a], i); },
                [&](auto i) { return at(5, streams[b], i); });
}

/// The same over draws of different steps within one permutation: places 0 and 4 lie in different Philox blocks.
TEST(PermutationChance, PlacesOfDifferentBlocksAreIndependent) {
    std::uint32_t const n = 9;
    std::vector<std::uint64_t> counts(n * n);
    for (std::uint64_t m = 0; m < 72'000; ++m) {
        auto const p = drawn(6, Stream::mapping, m, n, n);
        ++counts[p[0] * n + p[8]];
    }
    std::erase(counts, 0u);
    ASSERT_EQ(counts.size(), n * (n - 1));
    expect_uniform(counts, "first and last place");
}

}  // namespace
}  // namespace tailback::permutation_test
