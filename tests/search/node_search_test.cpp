// Sets of nodes beside running jobs (host/search/orders/node_search). Definitions, taken at their words: a link that
// the job uses has (its load + the background) x cost / unit; the time is the largest of these, the harm the largest of
// these times `of`, 1 at least. Tested: against all sets of 8 of 16 nodes, and that what is said of a set is true.
#include "host/search/orders/node_search.hpp"

#include "tests/support/oracle/dice.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace tailback::node_search_test {
namespace {

constexpr std::uint32_t leaves = 4, spines = 2;

/// Nodes of so many slots at four leaves under two spines: links of every slot up and down, and of leaves.
NodeProblem on_a_tree(std::uint32_t nodes, std::uint32_t slots, std::uint32_t ranks, Dice& dice) {
    std::uint32_t const places = nodes * slots, of_leaves = 2 * places;
    auto const leaf = [&](std::uint32_t place) { return place / slots * leaves / nodes; };
    std::vector<std::uint64_t> first = {0};
    std::vector<std::uint32_t> links;
    for (std::uint32_t a = 0; a < places; ++a)
        for (std::uint32_t b = 0; b < places; ++b) {
            if (a / slots != b / slots) {
                links.push_back(a);
                if (leaf(a) != leaf(b)) {
                    std::uint32_t const spine = (b + b / slots) % spines;
                    links.push_back(of_leaves + leaf(a) * spines + spine);
                    links.push_back(of_leaves + (leaves + leaf(b)) * spines + spine);
                }
                links.push_back(places + b);
            }
            first.push_back(links.size());
        }
    NodeProblem problem;
    problem.places.ranks = ranks;
    problem.places.together = slots;
    problem.places.ways = {places, first, links};
    problem.places.cost.assign(of_leaves + 2 * leaves * spines, 2);
    problem.places.background.assign(problem.places.cost.size(), 0);
    problem.of.assign(problem.places.cost.size(), 0);
    for (std::size_t link = of_leaves; link < problem.places.cost.size(); ++link) {
        problem.places.background[link] = dice(40);
        problem.places.cost[link] = 1 + dice(2);
        if (dice(2) == 0) problem.of[link] = 1 / (0.5 + dice(8));
    }
    for (std::uint32_t place = 0; place < places; ++place) {
        problem.places.node.push_back(place / slots);
        problem.places.leaf.push_back(leaf(place));
    }
    problem.unit = 2.0 * (ranks - slots);
    return problem;
}

PlacedLevel all_to_all(std::uint32_t ranks) {
    PlacedLevel level;
    for (std::uint32_t a = 0; a < ranks; ++a)
        for (std::uint32_t b = 0; b < ranks; ++b)
            if (a != b) level.flows.push_back({a, b, 1});
    return level;
}

NodeValue naive(NodeProblem const& problem, Order const& order) {
    std::vector<double> load(problem.of.size());
    for (PlacedFlow const& flow : problem.places.levels[0].flows)
        for (std::uint32_t const link : problem.places.ways.way(order[flow.source], order[flow.destination]))
            load[link] += double(flow.weight);
    NodeValue value{.time = 0, .harm = 1};
    for (std::size_t link = 0; link < load.size(); ++link) {
        if (load[link] == 0) continue;
        double const number =
            (load[link] + double(problem.places.background[link])) * problem.places.cost[link] / problem.unit;
        value.time = std::max(value.time, number);
        value.harm = std::max(value.harm, number * problem.of[link]);
    }
    return value;
}

/// All C(nodes, chosen) sets: of an all-to-all the order does not count.
TEST(NodeSearch, FindsTheBestOfAllSets) {
    Dice dice;
    for (int trial = 0; trial < 8; ++trial) {
        std::uint32_t const slots = trial < 6 ? 1 + trial % 2 : 1,
                            nodes = trial >= 6   ? 20
                                    : slots == 1 ? 16
                                                 : 12,
                            chosen = trial >= 6 ? 6 : nodes / 2;
        NodeProblem problem = on_a_tree(nodes, slots, chosen * slots, dice);
        problem.places.levels = {all_to_all(chosen * slots)};
        auto const order_of = [&](std::vector<bool> const& set) {
            Order order;
            for (std::uint32_t n = 0; n < nodes; ++n)
                for (std::uint32_t s = 0; s < slots && set[n]; ++s) order.push_back(n * slots + s);
            return order;
        };
        std::vector<bool> set(nodes);
        std::fill(set.end() - chosen, set.end(), true);
        std::vector<NodeValue> all;
        do {
            all.push_back(naive(problem, order_of(set)));
        } while (std::next_permutation(set.begin(), set.end()));
        EXPECT_EQ(all.size(), nodes == 20 ? 38760u : nodes == 16 ? 12870u : 924u);
        double least = 1e300, mildest = 1e300;
        for (NodeValue const& one : all) least = std::min(least, one.time), mildest = std::min(mildest, one.harm);
        Order start(chosen * slots);
        std::iota(start.begin(), start.end(), 0u);
        std::vector<Order> const starts = {start};
        std::uint64_t const moves =
            trial < 7 ? 60'000 : all.size() - 1;  // all sets are looked at, or they are too many
        FoundNodeSets const found = search_nodes(problem, starts, {.moves = moves, .seed = 5});
        EXPECT_EQ(found.is_proven, trial < 7);
        ASSERT_FALSE(found.sets.empty());
        EXPECT_LE(found.moves, 60'000u);
        EXPECT_NEAR(found.sets.front().value.time, least, 1e-9) << trial;
        EXPECT_NEAR(found.sets.back().value.harm, mildest, 1e-9) << trial;
        for (std::size_t k = 0; k < found.sets.size(); ++k) {
            NodeValue const true_value = naive(problem, found.sets[k].order);
            EXPECT_NEAR(found.sets[k].value.time, true_value.time, 1e-9);
            EXPECT_NEAR(found.sets[k].value.harm, true_value.harm, 1e-9);
            if (k == 0) continue;
            EXPECT_GT(found.sets[k].value.time, found.sets[k - 1].value.time);
            EXPECT_LT(found.sets[k].value.harm, found.sets[k - 1].value.harm);
        }
        FoundNodeSets const again = search_nodes(problem, starts, {.moves = moves, .seed = 5, .threads = 3});
        ASSERT_EQ(again.sets.size(), found.sets.size());
        for (std::size_t k = 0; k < found.sets.size(); ++k) EXPECT_EQ(again.sets[k].order, found.sets[k].order);
    }
}

TEST(NodeSearch, KeepsThoseThatNoneBeats) {
    std::vector<FoundNodes> sets;
    for (std::uint32_t k = 0; k < 30; ++k) {
        sets.push_back({{k}, {2.0 + k, 50.0 - k}});
        sets.push_back({{100 + k}, {2.5 + k, 50.0 - k}});  // beaten
    }
    std::vector<FoundNodes> const best = best_in_both(sets);
    ASSERT_EQ(best.size(), most_node_sets);
    EXPECT_EQ(best.front().order[0], 0u);
    EXPECT_EQ(best.back().order[0], 29u);
    for (FoundNodes const& one : best) EXPECT_LT(one.order[0], 100u);
}

}  // namespace
}  // namespace tailback::node_search_test
