// Orders by loads of links (host/search/orders/load_search.hpp). Definitions, taken at their words: what links are
// called changes nothing; and what is kept to be looked up soon (packed ways, bounds of what swaps change) says what
// the ways themselves say.
#include "host/search/orders/load_search.hpp"

#include "tests/support/oracle/dice.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <numeric>

namespace tailback::load_search_test {
namespace {

/// Ways of some of 40 links each, no link twice on one. @param shift added to every link's number
Ways any_ways(std::uint32_t places, std::uint32_t longest, std::uint32_t shift) {
    Dice dice;
    std::vector<std::uint64_t> first = {0};
    std::vector<std::uint32_t> links;
    for (std::uint32_t pair = 0; pair < places * places; ++pair) {
        std::uint32_t const step = 1 + 2 * dice(2), begin = dice(40);  // 1 and 3 have no divisor in common with 40
        std::uint32_t const size = pair % (places + 1) == 0 ? 0 : dice(longest + 1);
        for (std::uint32_t k = 0; k < size; ++k) links.push_back(shift + (begin + k * step) % 40);
        first.push_back(links.size());
    }
    return {places, first, links};
}

PlaceProblem any_problem(std::uint32_t longest, std::uint32_t shift, bool is_beside) {
    constexpr std::uint32_t places = 30, ranks = 28;
    Dice dice;
    PlaceProblem problem;
    problem.ranks = ranks;
    std::vector<PlacedFlow> flows;
    for (int f = 0; f < 120; ++f)
        if (std::uint32_t const a = dice(ranks), b = dice(ranks); a != b) flows.push_back({a, b, 1 + dice(20)});
    problem.levels = tidied({{flows, 2}});
    problem.ways = any_ways(places, longest, shift);
    problem.cost.assign(shift + 40, 1);
    for (std::uint32_t link = shift; link < shift + 40; ++link) problem.cost[link] = 1 + dice(3);
    if (is_beside) problem.background.assign(shift + 40, 0);
    for (std::uint32_t link = shift; is_beside && link < shift + 40; ++link) problem.background[link] = dice(400);
    problem.node.resize(places);
    std::iota(problem.node.begin(), problem.node.end(), 0u);
    problem.leaf = problem.node;
    return problem;
}

TEST(LoadSearch, PackedWaysSayWhatWaysSay) {
    for (std::uint32_t const longest : {7u, 8u, 15u}) {
        Ways const ways = any_ways(9, longest, 0);
        PackedWays const* const packed = ways.packed();
        ASSERT_NE(packed, nullptr);
        std::vector<float> of(41);
        for (std::uint32_t link = 0; link < of.size(); ++link) of[link] = float(1 + link * link);
        of[packed->none] = 0;
        for (std::uint32_t a = 0; a < 9; ++a)
            for (std::uint32_t b = 0; b < 9; ++b) {
                if (a == b) continue;
                auto const way = ways.way(a, b);
                auto const same = packed->way(packed->number(a, b));
                EXPECT_TRUE(std::equal(way.begin(), way.end(), same.begin(), same.end()));
                float sum = 0;
                for (std::uint32_t const link : way) sum += of[link];
                EXPECT_EQ(packed->sum(packed->number(a, b), of.data()), sum);
            }
    }
    EXPECT_EQ(any_ways(9, 7, 0x1'0000).packed(), nullptr);
    EXPECT_EQ(any_ways(9, 20, 0).packed(), nullptr);
}

/// With large numbers there are no packed ways, and every swap is judged in full: a bound that refuses one swap that
/// would have been taken leads elsewhere.
TEST(LoadSearch, GoesTheSameWayWhateverLinksAreCalled) {
    for (bool const is_beside : {false, true})
        for (std::uint32_t const longest : {7u, 15u}) {
            PlaceProblem const small = any_problem(longest, 0, is_beside);
            PlaceProblem const large = any_problem(longest, 0x1'0000, is_beside);
            ASSERT_NE(small.ways.packed(), nullptr);
            ASSERT_EQ(large.ways.packed(), nullptr);
            std::vector<Order> starts(1, Order(small.ranks));
            std::iota(starts[0].begin(), starts[0].end(), 0u);
            OrderSearchOptions const options{.moves = 20'000, .seed = longest, .threads = 1};
            FoundOrder const one = search_times(small, starts, options);
            FoundOrder const other = search_times(large, starts, options);
            EXPECT_EQ(one.order, other.order) << longest << " links";
            EXPECT_EQ(one.cost, other.cost);
            EXPECT_EQ(one.cost, time_of(small, one.order));
        }
}

}  // namespace
}  // namespace tailback::load_search_test
