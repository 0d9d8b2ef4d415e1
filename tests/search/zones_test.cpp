// Ranks that stay within zones of places (host/search/places/zones): groups of ranks in one zone each, jobs on places
// of their own. Tested: against all orders of eight ranks that keep to them, by a definition of its own; that
// everything found keeps to them; closed forms; and when there is no room.
#include "host/search/places/zones.hpp"
#include "host/search/orders/distance_search.hpp"
#include "host/search/orders/every_order.hpp"
#include "host/search/orders/find_order.hpp"
#include "host/search/orders/load_search.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>

namespace tailback::zones_test {
namespace {

/// Places at leaves, each with a link up and one down; a leaf has one link up and one down as well.
PlaceProblem tree(std::vector<std::uint32_t> const& leaf, std::uint32_t ranks, std::vector<PlacedLevel> levels) {
    auto const n = static_cast<std::uint32_t>(leaf.size());
    std::uint32_t const leaves = *std::max_element(leaf.begin(), leaf.end()) + 1;
    std::vector<std::uint64_t> first = {0};
    std::vector<std::uint32_t> links;
    for (std::uint32_t a = 0; a < n; ++a)
        for (std::uint32_t b = 0; b < n; ++b) {
            if (a != b) links.push_back(a);
            if (leaf[a] != leaf[b]) links.push_back(2 * n + leaf[a]), links.push_back(2 * n + leaves + leaf[b]);
            if (a != b) links.push_back(n + b);
            first.push_back(links.size());
        }
    PlaceProblem problem;
    problem.ranks = ranks;
    problem.levels = tidied(std::move(levels));
    problem.ways = {n, first, links};
    problem.cost.assign(2 * n + 2 * leaves, 1);
    problem.node.resize(n);
    std::iota(problem.node.begin(), problem.node.end(), 0u);
    problem.leaf = leaf;
    return problem;
}

std::vector<PlacedFlow> drawn_flows(std::uint32_t ranks, std::uint32_t count, Dice& dice) {
    std::vector<PlacedFlow> flows;
    while (flows.size() < count) {
        std::uint32_t const a = dice(ranks), b = dice(ranks);
        if (a != b) flows.push_back({a, b, 1 + dice(9)});
    }
    return flows;
}

Order shuffled_places(std::uint32_t n, Dice& dice) {
    Order order(n);
    std::iota(order.begin(), order.end(), 0u);
    for (std::uint32_t i = n; i > 1; --i) std::swap(order[i - 1], order[dice(i)]);
    return order;
}

/// What is allowed, taken at its words.
bool keeps_to_zones(PlaceProblem const& problem, Order const& order, Order const& start) {
    for (std::uint32_t r = 0; r < problem.ranks; ++r) {
        if (!problem.stays.empty() && problem.stays[r] && order[r] != start[r]) return false;
        for (std::uint32_t other = 0; other < problem.ranks; ++other)
            if (r / problem.kept == other / problem.kept && problem.zone[order[r]] != problem.zone[order[other]])
                return false;
        if (!problem.field.empty() && problem.field[problem.zone[order[r]]] != problem.field[problem.zone[start[r]]])
            return false;
    }
    return true;
}

struct Zoned {
    std::uint32_t ranks, kept;
    std::vector<std::uint32_t> zone, field;
    std::vector<std::uint32_t> stay;
};
Zoned const zoned[] = {{8, 2, {0, 0, 0, 0, 1, 1, 1, 1}, {}, {}},
                       {8, 4, {0, 0, 0, 0, 1, 1, 1, 1}, {}, {}},
                       {6, 2, {0, 0, 0, 1, 1, 1, 2, 2}, {}, {}},   // a place of two zones stays empty
                       {4, 2, {0, 0, 0, 1, 1, 1, 1, 2}, {}, {}},   // a zone that no group fits
                       {6, 3, {0, 1, 0, 1, 0, 1, 0, 1}, {}, {}},   // zones whose places do not follow each other
                       {8, 2, {0, 0, 0, 0, 1, 1, 1, 1}, {}, {3}},  // a group that is bound, one rank of it free
                       {6, 2, {0, 0, 0, 1, 1, 1, 2, 2}, {}, {0, 5}},
                       {8, 1, {0, 0, 0, 0, 1, 1, 1, 1}, {0, 1}, {}},  // two jobs
                       {8, 2, {0, 0, 1, 1, 2, 2, 3, 3}, {0, 0, 1, 1}, {}},
                       {6, 1, {0, 0, 0, 0, 0, 1, 1, 1}, {0, 1}, {1}}};  // places to spare in both

/// @param start out: an order that is allowed, made of one that is not
PlaceProblem problem_of(Zoned const& one, Dice& dice, Order& start) {
    std::vector<std::uint32_t> leaf = {0, 0, 1, 1, 2, 2, 3, 3};
    PlaceProblem problem =
        tree(leaf, one.ranks, {{drawn_flows(one.ranks, 12, dice), 1}, {drawn_flows(one.ranks, 6, dice), 2}});
    problem.kept = one.kept;
    problem.zone = one.zone;
    problem.field = one.field;
    if (!one.stay.empty()) problem.stays.assign(one.ranks, false);
    start.clear();
    for (std::uint32_t place = 0; place < 8 && start.size() < one.ranks; ++place)
        if (one.field.empty() || one.ranks == 8 || (place != 3 && place != 4)) start.push_back(place);
    for (std::uint32_t const rank : one.stay) problem.stays[rank] = true;
    EXPECT_TRUE(room_in_zones(problem, start).is_enough());
    start = allowed(problem, start, start);
    EXPECT_TRUE(keeps_to_zones(problem, start, start));
    return problem;
}

TEST(Zones, TheBestOfAllOrdersThatKeepToThemIsFound) {
    Dice dice;
    for (Zoned const& one : zoned) {
        SCOPED_TRACE(&one - zoned);
        Order start;
        PlaceProblem const problem = problem_of(one, dice, start);
        Distances const distances = distances_by_links(problem.ways);
        std::vector<PlacedFlow> const flows = all_in_one(problem.levels).flows;
        OrderScore score;  // any number: here one that no goal knows
        score.of = [](std::span<std::uint32_t const> order) {
            std::uint64_t sum = 1;
            for (std::uint32_t r = 0; r < order.size(); ++r) sum += (order[r] * 7 + r * 3) % 11;
            return sum;
        };
        std::uint64_t near = UINT64_MAX, time = UINT64_MAX, scored = UINT64_MAX;
        std::set<Order> allowed_ones;
        Order all(8);
        std::iota(all.begin(), all.end(), 0u);
        do {
            Order const order(all.begin(), all.begin() + one.ranks);
            if (!keeps_to_zones(problem, order, start)) continue;
            EXPECT_TRUE(is_allowed(problem, order, start));
            allowed_ones.insert(order);
            near = std::min(near, cost_of(flows, distances, order));
            time = std::min(time, time_of(problem, order));
            scored = std::min(scored, score.of(order));
        } while (std::next_permutation(all.begin(), all.end()));
        auto const is_one = [&](Order const& order) { return allowed_ones.erase(order) == 1; };
        EXPECT_EQ(each_order(problem, start, allowed_ones.size() - 1, is_one), 0u);
        std::size_t const count = allowed_ones.size();
        EXPECT_EQ(each_order(problem, start, 50'000, is_one), count);
        EXPECT_TRUE(allowed_ones.empty());
        std::vector<Order> starts(4, start);
        for (Order& other : starts) {
            if (&other == starts.data() || !one.stay.empty()) continue;
            other = shuffled_places(8, dice);
            other.resize(one.ranks);
            other = allowed(problem, other, start, shuffled_places(8, dice));
        }
        FoundOrder const by_near = search_near(problem, distances, starts, {.moves = 200'000}),
                         by_time = search_times(problem, starts, {.moves = 100'000}),
                         by_score = OrderJudge(problem, OrderGoal::hash, score).search(starts, {.moves = 1'000'000});
        EXPECT_EQ(by_near.cost, near);
        EXPECT_EQ(by_time.cost, time);
        EXPECT_EQ(by_score.cost, scored);
        for (FoundOrder const* const found : {&by_near, &by_time, &by_score})
            EXPECT_TRUE(keeps_to_zones(problem, found->order, start));
    }
}

/// Whatever order it begins with, what is put within zones keeps to them, and nothing moves that need not.
TEST(Zones, OrdersArePutWithinThem) {
    Dice dice;
    for (Zoned const& one : zoned)
        for (int trial = 0; trial < 50; ++trial) {
            Order start;
            PlaceProblem const problem = problem_of(one, dice, start);
            Order order = shuffled_places(8, dice);
            order.resize(one.ranks);
            if (!one.stay.empty()) order = start;  // ranks that stay are where they stay
            Order const put = allowed(problem, order, start, shuffled_places(8, dice));
            EXPECT_TRUE(keeps_to_zones(problem, put, start));
            EXPECT_TRUE(is_allowed(problem, put, start));
            EXPECT_EQ(allowed(problem, put, start), put);
            std::vector<bool> taken(8);
            for (std::uint32_t const place : put) {
                EXPECT_FALSE(taken[place]);
                taken[place] = true;
            }
            EXPECT_EQ(is_allowed(problem, order, start) && keeps_to_zones(problem, order, start), put == order);
        }
}

/// Units of ranks are neighbours from a multiple on, whatever order it begins with: one that has them by itself stays
/// as it is, of others those that are in a row and in nobody's way do, and every place has one rank at most.
TEST(Zones, UnitsArePutInRows) {
    Dice dice;
    for (int trial = 0; trial < 400; ++trial) {
        std::uint32_t const together = trial % 2 == 0 ? 2 : 4, ranks = together * (2 + dice(12 / together - 1)),
                            places = ranks + together * dice(3);
        PlaceProblem problem = tree(shuffled_places(places, dice), ranks, {{drawn_flows(ranks, 12, dice), 1}});
        problem.together = problem.kept = together;
        Order order = shuffled_places(places, dice), start(ranks);
        order.resize(ranks);
        std::iota(start.begin(), start.end(), 0u);
        if (trial % 3 == 0) {  // most are in rows
            order = start;
            std::swap(order[dice(ranks)], order[dice(ranks)]);
        }
        if (trial % 5 == 0) problem.stays.assign(ranks, false), problem.stays[dice(ranks)] = true;
        Order const put = allowed(problem, order, start, shuffled_places(places / together, dice));
        std::set<std::uint32_t> const taken(put.begin(), put.end());
        EXPECT_EQ(taken.size(), ranks);
        EXPECT_LT(*taken.rbegin(), places);
        std::uint32_t stay = UINT32_MAX;  // the first place of a unit that stays
        for (std::uint32_t r = 0; r < ranks && !problem.stays.empty(); ++r)
            if (problem.stays[r]) stay = r / together * together;
        for (std::uint32_t first = 0; first < ranks; first += together) {
            bool was_in_row = order[first] % together == 0;
            for (std::uint32_t k = 0; k < together; ++k) {
                EXPECT_EQ(put[first] % together, 0u);
                EXPECT_EQ(put[first + k], put[first] + k);
                was_in_row = was_in_row && order[first + k] == order[first] + k;
            }
            if (first == stay) EXPECT_EQ(put[first], first);
            else if (was_in_row && order[first] != stay) EXPECT_EQ(put[first], order[first]);
        }
        EXPECT_TRUE(is_allowed(problem, put, start));
        EXPECT_EQ(is_allowed(problem, order, start), put == order);
    }
}

/// Large ones: groups of 8, two of them on each of ten nodes of 16 or 20 places, also in units of 2 neighbours. Most of
/// what a group sends goes to the one that is half of all away. On several threads it is the same search.
TEST(Zones, LargeSearchesKeepToThem) {
    Dice dice;
    for (std::uint32_t const together : {1u, 2u}) {
        std::vector<std::uint32_t> zone;
        for (std::uint32_t z = 0; z < 10; ++z) zone.insert(zone.end(), z % 2 == 0 ? 16 : 20, z);
        std::vector<PlacedFlow> flows = drawn_flows(144, 100, dice);
        for (std::uint32_t r = 0; r < 144; ++r) flows.push_back({r, (r + 72) % 144, 40});
        PlaceProblem problem = tree(zone, 144, {{flows, 1}});
        problem.zone = zone;
        problem.kept = 8;
        problem.together = together;
        Order start(144);
        std::iota(start.begin(), start.end(), 0u);
        start = allowed(problem, start, start);
        std::vector<Order> const starts = {start, start, start};
        for (OrderGoal const goal : {OrderGoal::time, OrderGoal::hop_bytes, OrderGoal::leaf_bytes}) {
            OrderJudge const judge(problem, goal);
            FoundOrder const found = judge.search(starts, {.moves = 60'000, .threads = 1});
            EXPECT_LT(found.cost, judge(start) * 9 / 10);
            EXPECT_EQ(judge(found.order), found.cost);
            EXPECT_TRUE(keeps_to_zones(problem, found.order, start));
            for (std::uint32_t r = 0; r < 144; ++r)
                EXPECT_TRUE(r % together == 0 || found.order[r] == found.order[r - 1] + 1);
            EXPECT_EQ(judge.search(starts, {.moves = 60'000, .threads = 3}).order, found.order);
        }
    }
}

/// Groups that send only within themselves, on leaves of their size: nothing leaves a leaf, whatever the start. Groups
/// in pairs of which every rank sends to its partner's: of 2 k groups on 2 k leaves all of it leaves.
TEST(Zones, ClosedForms) {
    Dice dice;
    std::vector<std::uint32_t> leaf;
    for (std::uint32_t place = 0; place < 32; ++place) leaf.push_back(place / 4);
    std::vector<PlacedFlow> within, between;
    for (std::uint32_t r = 0; r < 32; ++r)
        for (std::uint32_t k = 1; k < 4; ++k) within.push_back({r, r / 4 * 4 + (r + k) % 4, 1});
    for (std::uint32_t r = 0; r < 32; ++r) between.push_back({r, (r + 4) % 32, 1});
    for (auto const& [flows, least] : {std::pair(within, 0u), {between, 32u}}) {
        PlaceProblem problem = tree(leaf, 32, {{flows, 1}});
        problem.zone = leaf;
        problem.kept = 4;
        Order const any = shuffled_places(32, dice);
        std::vector<Order> const starts(2, allowed(problem, any, any));
        EXPECT_EQ(OrderJudge(problem, OrderGoal::leaf_bytes).search(starts, {.moves = 50'000}).cost, least);
    }
}

TEST(Zones, RoomIsCounted) {
    Dice dice;
    PlaceProblem problem = tree({0, 0, 0, 1, 1, 1, 2, 2}, 8, {{drawn_flows(8, 8, dice), 1}});
    problem.zone = problem.leaf;
    Order const start = {0, 1, 2, 3, 4, 5, 6, 7};
    problem.kept = 4;
    ZoneRoom room = room_in_zones(problem, start);
    EXPECT_EQ(room.groups, 2u);
    EXPECT_EQ(room.room, 0u);
    EXPECT_EQ(room.largest, 3u);
    problem.kept = 2;  // 3 + 3 + 2 places: one each, for four groups
    EXPECT_EQ(room_in_zones(problem, start).room, 3u);
    EXPECT_FALSE(room_in_zones(problem, start).is_enough());
    problem.ranks = 6;
    EXPECT_TRUE(room_in_zones(problem, start).is_enough());
    problem.stays = {false, false, true, true, false, false};  // ranks 2 and 3 are at two leaves
    EXPECT_EQ(room_in_zones(problem, start).torn, 2u);
    problem.stays = {true, false, true, false, false, false};  // two groups at a leaf with room for one
    EXPECT_EQ(room_in_zones(problem, start).torn, 2u);
    problem.stays = {true, false, false, true, false, false};
    EXPECT_TRUE(room_in_zones(problem, start).is_enough());
}

/// What leaves a leaf bounds the time: an all-to-all of n ranks on leaves of k with a link up each (k (n - k) flows on
/// it), and what no order of six ranks passes.
TEST(Zones, LeavesBoundTimes) {
    for (std::uint32_t const k : {2u, 4u}) {
        std::vector<std::uint32_t> leaf;
        std::vector<PlacedFlow> flows;
        for (std::uint32_t a = 0; a < 8; ++a) leaf.push_back(a / k);
        for (std::uint32_t a = 0; a < 8; ++a)
            for (std::uint32_t b = 0; b < 8; ++b)
                if (a != b) flows.push_back({a, b, 3});
        PlaceProblem const problem = tree(leaf, 8, {{flows, 1}});
        EXPECT_EQ(least_time(problem, BoundBy::links_of_places), 3 * 7u);
        EXPECT_EQ(least_time(problem), 3 * k * (8 - k));
        EXPECT_EQ(time_of(problem, {0, 1, 2, 3, 4, 5, 6, 7}), 3 * k * (8 - k));
    }
    Dice dice;
    int above = 0;
    for (int trial = 0; trial < 60; ++trial) {
        std::vector<std::uint32_t> const leaf = {0, 0, 0, 1, 1, trial % 2 == 0 ? 1u : 2u};
        PlaceProblem problem = tree(leaf, trial % 3 == 0 ? 5 : 6, {});
        problem.levels = tidied({{drawn_flows(problem.ranks, 14, dice), 1}, {drawn_flows(problem.ranks, 5, dice), 2}});
        for (std::uint32_t& cost : problem.cost) cost = 1 + dice(3);
        if (trial % 4 == 3) problem.node = {0, 0, 1, 1, 2, 2};  // nodes at two leaves: their own links bound it still
        Order order(6);
        std::iota(order.begin(), order.end(), 0u);
        std::uint64_t least = UINT64_MAX;
        do least = std::min(least, time_of(problem, Order(order.begin(), order.begin() + problem.ranks)));
        while (std::next_permutation(order.begin(), order.end()));
        EXPECT_LE(least_time(problem), least) << trial;
        above += least_time(problem) > least_time(problem, BoundBy::links_of_places);
    }
    EXPECT_GT(above, 3);
}

}  // namespace
}  // namespace tailback::zones_test
