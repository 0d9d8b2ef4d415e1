// Orders of ranks (host/search/orders). Definitions, taken at their words: the cost of an order is the sum over flows
// of weight x distance between the places of its ends; its time the sum over levels of the largest load x cost of a
// link. Tested: against all orders of few ranks, against closed forms, and that what a search says of its order is true
// from scratch.
#include "host/search/orders/distance_search.hpp"
#include "host/search/orders/find_order.hpp"
#include "host/search/orders/load_search.hpp"
#include "host/search/orders/spectral_bound.hpp"

#include "tests/support/oracle/dice.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <numeric>

namespace tailback::orders_test {
namespace {

/// Places in a row, each joined to the next by a link each way.
Ways path(std::uint32_t n) {
    std::vector<std::uint64_t> first = {0};
    std::vector<std::uint32_t> links;
    for (std::uint32_t a = 0; a < n; ++a)
        for (std::uint32_t b = 0; b < n; ++b) {
            for (std::uint32_t at = a; at < b; ++at) links.push_back(at);
            for (std::uint32_t at = a; at > b; --at) links.push_back(n - 1 + at - 1);
            first.push_back(links.size());
        }
    return {n, first, links};
}

/// Links of a grid (or torus) of places, first along x, then along y.
Ways grid(std::uint32_t width, std::uint32_t height, bool wraps) {
    std::uint32_t const n = width * height;
    std::vector<std::uint64_t> first = {0};
    std::vector<std::uint32_t> links;
    for (std::uint32_t a = 0; a < n; ++a)
        for (std::uint32_t b = 0; b < n; ++b) {
            std::uint32_t x = a % width, y = a / width;
            auto const go = [&](std::uint32_t& at, std::uint32_t to, std::uint32_t size, std::uint32_t direction) {
                while (at != to) {
                    std::uint32_t const up = (to + size - at) % size;
                    bool const is_up = wraps ? up <= size - up : to > at;
                    links.push_back(4 * (y * width + x) + direction + !is_up);
                    at = is_up ? (at + 1) % size : (at + size - 1) % size;
                }
            };
            go(x, b % width, width, 0);
            go(y, b / width, height, 2);
            first.push_back(links.size());
        }
    return {n, first, links};
}

PlaceProblem problem_on(Ways ways, std::uint32_t links, std::uint32_t ranks, std::vector<PlacedLevel> levels) {
    PlaceProblem problem;
    problem.ranks = ranks;
    problem.levels = tidied(std::move(levels));
    problem.ways = std::move(ways);
    problem.cost.assign(links, 1);
    for (std::uint32_t place = 0; place < problem.places(); ++place) problem.node.push_back(place);
    problem.leaf = problem.node;
    return problem;
}

Order shuffled(std::uint32_t n, Dice& dice) {
    Order order(n);
    std::iota(order.begin(), order.end(), 0u);
    for (std::uint32_t i = n; i > 1; --i) std::swap(order[i - 1], order[dice(i)]);
    return order;
}

std::vector<PlacedFlow> hypercube(std::uint32_t dimensions) {
    std::vector<PlacedFlow> flows;
    for (std::uint32_t i = 0; i < 1u << dimensions; ++i)
        for (std::uint32_t d = 0; d < dimensions; ++d) flows.push_back({i, i ^ (1u << d), 1});
    return flows;
}

std::vector<PlacedFlow> random_flows(std::uint32_t ranks, std::uint32_t count, Dice& dice) {
    std::vector<PlacedFlow> flows;
    while (flows.size() < count) {
        std::uint32_t const a = dice(ranks), b = dice(ranks);
        if (a != b) flows.push_back({a, b, 1 + dice(20)});
    }
    return flows;
}

std::uint64_t naive_time(PlaceProblem const& problem, Order const& order) {
    std::uint64_t time = 0;
    for (PlacedLevel const& level : problem.levels) {
        std::vector<std::uint64_t> load(problem.cost.size());
        for (PlacedFlow const& flow : level.flows)
            for (std::uint32_t const link : problem.ways.way(order[flow.source], order[flow.destination]))
                load[link] += flow.weight;
        std::uint64_t most = 0;
        for (std::size_t l = 0; l < load.size(); ++l)
            if (load[l] > 0)
                most = std::max(most,
                                (load[l] + (problem.background.empty() ? 0 : problem.background[l])) * problem.cost[l]);
        time += most * level.times;
    }
    return time;
}

bool is_order(Order const& order, std::uint32_t ranks, std::uint32_t places) {
    std::vector<bool> taken(places);
    for (std::uint32_t const place : order) {
        if (place >= places || taken[place]) return false;
        taken[place] = true;
    }
    return order.size() == ranks;
}

/// Chung 1988, Harper 1964: a hypercube of 2^d on a path costs 2^(d-1) (2^d - 1) (each edge both ways: twice), its
/// cutwidth is floor(2^(d+1) / 3).
TEST(Orders, OfAHypercubeOnAPath) {
    Dice dice;
    for (std::uint32_t d = 2; d <= 5; ++d) {
        std::uint32_t const n = 1u << d;
        PlaceProblem const problem = problem_on(path(n), 2 * (n - 1), n, {{hypercube(d), 1}});
        std::vector<Order> const starts = {shuffled(n, dice), shuffled(n, dice), shuffled(n, dice), shuffled(n, dice)};
        FoundOrder const near = search_near(problem, distances_by_links(problem.ways), starts, {.moves = 4'000'000});
        EXPECT_EQ(near.cost, n * (n - 1)) << d;
        FoundOrder const timed = search_times(problem, starts, {.moves = 400'000});
        EXPECT_EQ(timed.cost, 2 * n / 3) << d;
        EXPECT_TRUE(is_order(near.order, n, n) && is_order(timed.order, n, n));
    }
}

/// A ring in a torus with an even side, and in a mesh; a hypercube's pattern in a torus of 4 x 4: every link 1.
TEST(Orders, EmbedWithLoadOne) {
    Dice dice;
    std::vector<PlacedFlow> ring;
    for (std::uint32_t i = 0; i < 24; ++i) ring.push_back({i, (i + 1) % 24, 1});
    for (bool const wraps : {true, false}) {
        PlaceProblem const problem = problem_on(grid(6, 4, wraps), 96, 24, {{ring, 1}});
        std::vector<Order> const starts = {shuffled(24, dice), shuffled(24, dice), shuffled(24, dice),
                                           shuffled(24, dice)};
        EXPECT_EQ(search_times(problem, starts, {.moves = 2'000'000}).cost, 1) << wraps;
    }
    PlaceProblem const cube = problem_on(grid(4, 4, true), 64, 16, {{hypercube(4), 1}});
    std::vector<Order> const starts = {shuffled(16, dice), shuffled(16, dice), shuffled(16, dice), shuffled(16, dice)};
    FoundOrder const near = search_near(cube, distances_by_links(cube.ways), starts, {.moves = 1'000'000});
    EXPECT_EQ(near.cost, 64u);  // every flow one link
    EXPECT_EQ(search_times(cube, std::vector<Order>{near.order}, {.moves = 1000}).cost, 1);
}

/// A path in a mesh from a stencil's row after row; a hypercube's pattern in its own network, a link a dimension.
TEST(Orders, EmbedPathsAndHypercubes) {
    Dice dice;
    std::vector<PlacedFlow> row;
    for (std::uint32_t i = 0; i + 1 < 20; ++i) row.push_back({i, i + 1, 1}), row.push_back({i + 1, i, 1});
    PlaceProblem const mesh = problem_on(grid(5, 4, false), 80, 20, {{row, 1}});
    std::vector<Order> starts;
    for (int k = 0; k < 4; ++k) starts.push_back(shuffled(20, dice));
    EXPECT_EQ(search_times(mesh, starts, {.moves = 2'000'000}).cost, 1u);
    for (std::uint32_t d = 2; d <= 4; ++d) {
        std::uint32_t const n = 1u << d;
        std::vector<std::uint64_t> first = {0};
        std::vector<std::uint32_t> links;
        for (std::uint32_t a = 0; a < n; ++a)
            for (std::uint32_t b = 0; b < n; ++b) {
                for (std::uint32_t at = a, k = 0; k < d; ++k)
                    if (((at ^ b) >> k & 1) != 0) links.push_back(at * d + k), at ^= 1u << k;
                first.push_back(links.size());
            }
        PlaceProblem const cube = problem_on({n, first, links}, n * d, n, {{hypercube(d), 1}});
        starts.clear();
        for (int k = 0; k < 4; ++k) starts.push_back(shuffled(n, dice));
        FoundOrder const near = search_near(cube, distances_by_links(cube.ways), starts, {.moves = 1'000'000});
        EXPECT_EQ(near.cost, n * d);  // every flow one link
        EXPECT_EQ(search_times(cube, std::vector<Order>{near.order}, {.moves = 1000}).cost, 1u) << d;
    }
}

/// On a path a stencil of m x n (3 <= m <= n) has m + 1 on some link each way; of an all-to-all of n every order has
/// n (n^2 - 1) / 3 bytes x links, and floor(n^2 / 4) on the link in the middle.
TEST(Orders, OfStencilsAndAllToAllsOnAPath) {
    Dice dice;
    for (auto const& [m, n] : {std::pair{3u, 3u}, {3u, 4u}, {4u, 4u}, {4u, 5u}}) {
        std::vector<PlacedFlow> stencil;
        for (std::uint32_t i = 0; i < m * n; ++i) {
            if (i % n + 1 < n) stencil.push_back({i, i + 1, 1}), stencil.push_back({i + 1, i, 1});
            if (i + n < m * n) stencil.push_back({i, i + n, 1}), stencil.push_back({i + n, i, 1});
        }
        PlaceProblem const problem = problem_on(path(m * n), 2 * (m * n - 1), m * n, {{stencil, 1}});
        std::vector<Order> starts;
        for (int k = 0; k < 4; ++k) starts.push_back(shuffled(m * n, dice));
        EXPECT_EQ(search_times(problem, starts, {.moves = 1'000'000}).cost, m + 1) << m << "x" << n;
    }
    for (std::uint32_t n = 2; n <= 9; ++n) {
        std::vector<PlacedFlow> all;
        for (std::uint32_t a = 0; a < n; ++a)
            for (std::uint32_t b = 0; b < n; ++b)
                if (a != b) all.push_back({a, b, 1});
        PlaceProblem const problem = problem_on(path(n), 2 * (n - 1), n, {{all, 1}});
        std::vector<Order> const starts = {shuffled(n, dice), shuffled(n, dice)};
        EXPECT_EQ(search_near(problem, distances_by_links(problem.ways), starts, {.moves = 10'000}).cost,
                  n * (n * n - 1) / 3);
        EXPECT_EQ(search_times(problem, starts, {.moves = 10'000}).cost, n * n / 4);
    }
}

/// What only a score tells: any number of an order can be one. Here the places of ranks, sorted backwards, cost
/// nothing.
TEST(Orders, AreSearchedByScores) {
    constexpr std::uint32_t n = 9;
    Dice dice;
    PlaceProblem const problem = problem_on(path(n), 2 * (n - 1), n, {{random_flows(n, 20, dice), 1}});
    OrderScore score;
    score.of = [](std::span<std::uint32_t const> order) {
        std::uint64_t cost = 5;
        for (std::uint32_t r = 0; r < n; ++r) cost += (order[r] + r) * (order[r] + r) % 64;
        return cost;
    };
    Order order(n);
    std::iota(order.begin(), order.end(), 0u);
    std::uint64_t least = UINT64_MAX;
    do least = std::min(least, score.of(order));
    while (std::next_permutation(order.begin(), order.end()));
    for (OrderGoal const goal : {OrderGoal::rate, OrderGoal::hash}) {
        OrderJudge const judge(problem, goal, score);
        std::vector<Order> const starts = {shuffled(n, dice), shuffled(n, dice), shuffled(n, dice)};
        std::uint64_t evaluated = 0;
        OrderScore counted = score;
        std::mutex counting;
        counted.of = [&](std::span<std::uint32_t const> one) {
            std::lock_guard const lock(counting);
            return ++evaluated, score.of(one);
        };
        OrderSearchOptions const options{.moves = 600'000, .seed = 4, .threads = 1};
        FoundOrder const found = OrderJudge(problem, goal, counted).search(starts, options);
        EXPECT_EQ(found.cost, least);
        EXPECT_EQ(score.of(found.order), found.cost);
        EXPECT_LE(found.moves, options.moves);
        EXPECT_LT(evaluated, options.moves / 50);  // most moves are none
        OrderSearchOptions many = options;
        many.threads = 5;
        EXPECT_EQ(judge.search(starts, many).order, found.order);
        many.enough = least;
        FoundOrder const at_once = judge.search({found.order}, many);
        EXPECT_EQ(at_once.moves, 0u);
        EXPECT_EQ(at_once.order, found.order);
    }
}

/// All 5,040 orders of 7 ranks, also on 8 places.
TEST(Orders, AreTheBestOfAllOrdersOfFewRanks) {
    Dice dice;
    for (int trial = 0; trial < 8; ++trial) {
        std::uint32_t const places = 7 + trial % 2;
        PlaceProblem problem = problem_on(grid(places == 7 ? 7 : 4, places == 7 ? 1 : 2, trial % 3 == 0), 4 * places, 7,
                                          {{random_flows(7, 14, dice), 1}, {random_flows(7, 6, dice), 3}});
        for (std::uint32_t& cost : problem.cost) cost = 1 + dice(3);
        if (trial % 4 == 3)
            for (std::size_t l = 0; l < problem.cost.size(); ++l) problem.background.push_back(dice(30));
        Distances const distances = distances_by_links(problem.ways);
        std::vector<PlacedFlow> const flows = all_in_one(problem.levels).flows;
        Order all(places);
        std::iota(all.begin(), all.end(), 0u);
        std::uint64_t least_cost = UINT64_MAX, least = UINT64_MAX;
        do {
            least_cost = std::min(least_cost, cost_of(flows, distances, all));
            least = std::min(least, naive_time(problem, all));
        } while (std::next_permutation(all.begin(), all.end()));
        Order const start = {0, 1, 2, 3, 4, 5, 6};
        std::vector<Order> const starts(4, start);
        EXPECT_EQ(search_near(problem, distances, starts, {.moves = 400'000}).cost, least_cost) << trial;
        EXPECT_EQ(search_times(problem, starts, {.moves = 200'000}).cost, least) << trial;
        EXPECT_LE(least_distance_cost(problem, distances), least_cost) << trial;
        EXPECT_GT(least_distance_cost(problem, distances), 0u) << trial;
        EXPECT_LE(least_time(problem), least) << trial;
    }
}

/// Cuts into groups: known ones (a complete graph, where the bound is tight; two cliques), and all divisions of 8
/// ranks.
TEST(Orders, NoDivisionCutsLessThanTheEigenvaluesSay) {
    std::vector<PlacedFlow> complete, cliques;
    for (std::uint32_t a = 0; a < 8; ++a)
        for (std::uint32_t b = 0; b < 8; ++b) {
            if (a != b) complete.push_back({a, b, 5});
            if (a != b && a / 4 == b / 4) cliques.push_back({a, b, 5});
        }
    std::vector<std::uint32_t> const halves = {0, 0, 0, 0, 1, 1, 1, 1}, pairs = {0, 0, 1, 1, 2, 2, 3, 3};
    EXPECT_EQ(least_cut(complete, 8, halves), 2 * 16 * 5u);
    EXPECT_EQ(least_cut(complete, 8, pairs), (56 - 8) * 5u);
    EXPECT_EQ(least_cut(cliques, 8, halves), 0u);
    EXPECT_EQ(least_cut(cliques, 8, pairs), (24 - 8) * 5u);
    Dice dice;
    for (int trial = 0; trial < 20; ++trial) {
        std::uint32_t const ranks = trial % 2 == 0 ? 8 : 6;  // of 6 on 8 places groups may stay half empty
        std::vector<PlacedFlow> const flows = tidied({{random_flows(ranks, 20, dice), 1}})[0].flows;
        for (std::vector<std::uint32_t> const& group : {halves, pairs, {0, 0, 0, 0, 0, 1, 1, 2}}) {
            Order order(8);
            std::iota(order.begin(), order.end(), 0u);
            std::uint64_t least = UINT64_MAX;
            do {
                std::uint64_t cut = 0;
                for (PlacedFlow const& flow : flows)
                    cut += group[order[flow.source]] != group[order[flow.destination]] ? flow.weight : 0;
                least = std::min(least, cut);
            } while (std::next_permutation(order.begin(), order.end()));
            EXPECT_LE(least_cut(flows, ranks, group), least);
        }
    }
}

TEST(Orders, WhatIsSaidOfThemIsTrueFromScratch) {
    Dice dice;
    for (std::uint32_t const together : {1u, 4u}) {
        std::uint32_t const n = 180;  // more than tabu takes
        PlaceProblem problem = problem_on(
            grid(15, 12, true), 4 * n, n - 2 * together,
            {{random_flows(n - 2 * together, 900, dice), 1}, {random_flows(n - 2 * together, 500, dice), 2}});
        problem.together = together;
        problem.stays.assign(n, false);
        for (std::uint32_t r = 0; r < 2 * together; ++r) problem.stays[r] = true;
        Order start(problem.ranks);
        std::iota(start.begin(), start.end(), 0u);
        std::vector<Order> const starts = {start, start};
        Distances const distances = distances_by_links(problem.ways);
        FoundOrder const near = search_near(problem, distances, starts, {.moves = 200'000});
        EXPECT_EQ(near.cost, cost_of(all_in_one(problem.levels).flows, distances, near.order));
        EXPECT_LT(near.cost, cost_of(all_in_one(problem.levels).flows, distances, start) * 9 / 10);
        FoundOrder const timed = search_times(problem, starts, {.moves = 60'000});
        EXPECT_EQ(timed.cost, naive_time(problem, timed.order));
        EXPECT_EQ(time_of(problem, timed.order), timed.cost);
        EXPECT_LT(timed.cost, naive_time(problem, start));
        for (FoundOrder const& found : {near, timed}) {
            EXPECT_TRUE(is_order(found.order, problem.ranks, n));
            for (std::uint32_t r = 0; r < problem.ranks; ++r) {
                EXPECT_TRUE(!problem.stays[r] || found.order[r] == r);
                EXPECT_EQ(found.order[r] % together, r % together);
                EXPECT_TRUE(r % together == 0 || found.order[r] == found.order[r - 1] + 1);
            }
        }
    }
}

TEST(Orders, AreTheSameWithAnyNumberOfThreads) {
    Dice dice;
    PlaceProblem const problem = problem_on(grid(6, 6, true), 144, 36, {{random_flows(36, 200, dice), 1}});
    std::vector<Order> const starts = {shuffled(36, dice), shuffled(36, dice), shuffled(36, dice)};
    Distances const distances = distances_by_links(problem.ways);
    for (bool const timed : {false, true}) {
        auto const search = [&](unsigned threads) {
            OrderSearchOptions const options{.moves = 100'000, .seed = 7, .threads = threads};
            return timed ? search_times(problem, starts, options) : search_near(problem, distances, starts, options);
        };
        FoundOrder const one = search(1);
        for (unsigned const threads : {2u, 7u}) EXPECT_EQ(search(threads).order, one.order);
    }
}

/// Definition: no more moves are made than there are, however few, by any goal; and the order is no worse than its
/// starts.
TEST(Orders, EndWithTheirMoves) {
    Dice dice;
    for (std::uint32_t const n : {2u, 5u, 24u, 40u, 60u}) {
        PlaceProblem problem = problem_on(path(n), 2 * (n - 1), n, {{random_flows(n, 3 * n, dice), 1}});
        for (std::uint32_t p = 0; p < n; ++p) problem.leaf.push_back(p / 4), problem.node.push_back(p / 2);
        std::vector<Order> const starts = {shuffled(n, dice), shuffled(n, dice), shuffled(n, dice)};
        for (OrderGoal const goal : {OrderGoal::time, OrderGoal::load, OrderGoal::hop_bytes, OrderGoal::leaf_bytes})
            for (std::uint64_t const moves : {1u, 100u, 1000u, 4000u, 20000u}) {
                OrderJudge const judge(problem, goal);
                FoundOrder const found = judge.search(starts, {.moves = moves});
                EXPECT_LE(found.moves, moves) << n << ' ' << name_of(goal);
                for (Order const& start : starts) EXPECT_LE(judge(found.order), judge(start)) << n;
            }
    }
}

/// Definition: the best order of more moves costs no more than that of fewer.
TEST(Orders, OfDistancesAreNoWorseWithMoreMoves) {
    Dice dice;
    for (int trial = 0; trial < 4; ++trial) {
        PlaceProblem const problem = problem_on(grid(6, 5, false), 120, 28, {{random_flows(28, 300, dice), 1}});
        std::vector<Order> const starts = {shuffled(28, dice), shuffled(28, dice)};
        Distances const distances = distances_by_links(problem.ways);
        std::uint64_t before = UINT64_MAX;
        for (std::uint64_t moves = 1000; moves < 1'000'000; moves = moves * 7 / 5) {
            FoundOrder const found = search_near(problem, distances, starts, {.moves = moves});
            EXPECT_LE(found.cost, before) << moves;
            EXPECT_LE(found.moves, moves);
            before = found.cost;
        }
    }
}

/// Where there are no more orders than moves, all are looked at: 8! / (8 - ranks)!, of neighbours in pairs 4!, with
/// three ranks that stay 5!, and 8! / (5! 3!) of ranks that all send all others the same.
TEST(Orders, AreAllLookedAtWhereTheyAreFew) {
    Dice dice;
    PlaceProblem problem = problem_on(grid(4, 2, false), 32, 8, {{random_flows(8, 20, dice), 1}});
    Order const start = shuffled(8, dice);
    auto const looked_at = [&](PlaceProblem const& of, std::uint64_t moves) {
        Order order = start;
        order.resize(of.ranks);
        if (of.together > 1) std::iota(order.begin(), order.end(), 0u);
        OrderJudge const judge(of, OrderGoal::time);
        FoundOrder const found = judge.search({order}, {.moves = moves});
        EXPECT_EQ(found.cost, judge(found.order));
        EXPECT_LE(found.moves, moves);
        return found.is_proven ? found.moves : 0;
    };
    EXPECT_EQ(looked_at(problem, 40'320), 40'320u);
    EXPECT_EQ(looked_at(problem, 40'319), 0u);
    PlaceProblem pairs = problem, staying = problem, few = problem, alike = problem;
    pairs.together = 2;
    EXPECT_EQ(looked_at(pairs, 1000), 24u);
    staying.stays = {true, false, true, false, false, true, false, false};
    EXPECT_EQ(looked_at(staying, 1000), 120u);
    few.ranks = 3;
    few.levels = tidied({{random_flows(3, 5, dice), 1}});
    EXPECT_EQ(looked_at(few, 1000), 336u);
    alike.ranks = 5;
    alike.levels = {{}};
    for (std::uint32_t a = 0; a < 5; ++a)
        for (std::uint32_t b = 0; b < 5; ++b)
            if (a != b) alike.levels[0].flows.push_back({a, b, 7});
    EXPECT_EQ(looked_at(alike, 1000), 56u);
    alike.levels[0].flows.back().weight = 8;
    EXPECT_EQ(looked_at(alike, 10'000), 6720u);
}

TEST(Orders, LevelsThatAreTheSameAreOne) {
    std::vector<PlacedLevel> const levels = tidied(
        {{{{1, 0, 2}, {0, 1, 1}, {1, 0, 3}, {2, 2, 9}}, 1}, {{{0, 1, 1}, {1, 0, 5}}, 2}, {{{0, 2, 1}}, 1}, {{}, 1}});
    ASSERT_EQ(levels.size(), 2u);
    EXPECT_EQ(levels[0].times, 3u);
    EXPECT_EQ(levels[0].flows, (std::vector<PlacedFlow>{{0, 1, 1}, {1, 0, 5}}));
}

}  // namespace
}  // namespace tailback::orders_test
