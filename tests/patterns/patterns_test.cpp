// Patterns: each definition of docs/patterns.md, written down naively once more, against what patterns/ makes.
#include "host/base/error.hpp"
#include "patterns/pattern.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>

namespace tailback::patterns_test {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;
using Levels = std::vector<std::vector<Pair>>;

/// The flows of every level, the fixed ones, in order.
Levels flows_not_drawn(FlowList const& list) {
    Levels all;
    for (Level const& level : list.levels) {
        all.emplace_back();
        for (std::size_t f = 0; f < level.flow_count; ++f)
            all.back().push_back(
                {list.flows[level.first_flow + f].source, list.flows[level.first_flow + f].destination});
    }
    return all;
}

std::uint32_t ceil_log2(std::uint32_t n) {
    std::uint32_t l = 0;
    while ((std::uint64_t{1} << l) < n) ++l;
    return l;
}

/// The sentences of the table, one lambda a pattern: flows of level l on n ranks, in no particular order.
Levels by_definition(std::string const& name, std::uint32_t n) {
    Levels all;
    auto each_level = [&](std::uint32_t levels,
                          std::function<bool(std::uint32_t, std::uint32_t, std::uint32_t)> is_flow) {
        for (std::uint32_t l = 0; l < levels; ++l) {
            all.emplace_back();
            for (std::uint32_t s = 0; s < n; ++s)
                for (std::uint32_t d = 0; d < n; ++d)
                    if (s != d && is_flow(l, s, d)) all.back().push_back({s, d});
        }
    };
    auto power = [](std::uint32_t l) { return std::uint64_t{1} << l; };
    if (name == "null") return all;
    if (name == "bisect") each_level(1, [](auto, auto s, auto d) { return d % 2 == 0 && s == d + 1; });
    if (name == "bisect_fb_sym") each_level(1, [](auto, auto s, auto d) { return s / 2 == d / 2; });
    if (name == "tree")
        each_level(ceil_log2(n), [&](auto l, auto s, auto d) { return s < power(l) && d == s + power(l); });
    if (name == "bruck") each_level(ceil_log2(n), [&](auto l, auto s, auto d) { return d == (s + power(l)) % n; });
    if (name == "gather") each_level(1, [](auto, auto, auto d) { return d == 0; });
    if (name == "scatter") each_level(1, [](auto, auto s, auto) { return s == 0; });
    if (name == "ring") each_level(n, [&](auto l, auto s, auto d) { return s == l && d == (l + 1) % n; });
    if (name == "recdbl") {
        std::uint32_t p = 1;
        while (2 * p <= n) p *= 2;
        std::uint32_t const doubling = ceil_log2(p);
        each_level(doubling + (p < n ? 1 : 0), [&](auto l, auto s, auto d) {
            if (l == doubling) return s < n - p && d == s + p;
            auto exchanges = [&](std::uint32_t k, std::uint32_t other) {
                return other == k + power(l) && other < p && (k >> l) % 2 == 0;
            };
            return exchanges(s, d) || exchanges(d, s);
        });
    }
    if (name.ends_with("shift")) {
        std::uint32_t const x = static_cast<std::uint32_t>(std::stoul(name) % n);
        each_level(1, [&](auto, auto s, auto d) { return d == (s + x) % n; });
    }
    return all;
}

/// The greedy neighbour graph as the table words it: slots, taken in order.
Levels greedy_neighbors(std::uint32_t n, std::uint32_t degree) {
    std::vector<std::uint32_t> free_slots(n, degree);
    std::set<Pair> joined;
    for (std::uint32_t i = 0; i < n; ++i)
        for (bool found = true; free_slots[i] > 0 && found;) {
            found = false;
            for (std::uint32_t k = i + 1; k < n && !found; ++k)
                if (free_slots[k] > 0 && !joined.contains({i, k})) {
                    found = true;
                    --free_slots[i];
                    --free_slots[k];
                    joined.insert({i, k});
                    joined.insert({k, i});
                }
        }
    return {std::vector<Pair>(joined.begin(), joined.end())};
}

Levels sorted(Levels all) {
    for (auto& level : all) std::sort(level.begin(), level.end());
    return all;
}

std::vector<std::uint32_t> const many_sizes = [] {
    std::vector<std::uint32_t> sizes;
    for (std::uint32_t n = 1; n <= 40; ++n) sizes.push_back(n);
    for (std::uint32_t n : {63u, 64u, 65u, 100u, 127u, 128u, 129u, 255u, 257u}) sizes.push_back(n);
    return sizes;
}();

std::uint32_t least_ranks(std::string const& name) {
    for (PatternInfo const& info : all_patterns())
        if (name == info.name) return info.least_ranks;
    return 0;
}

TEST(Patterns, AreWhatTheirDefinitionsSay) {
    for (char const* name : {"null", "bisect", "bisect_fb_sym", "tree", "bruck", "gather", "scatter", "ring", "recdbl",
                             "1shift", "7shift", "4294967295shift"})
        for (std::uint32_t const n : many_sizes) {
            if (n < (std::string(name).ends_with("shift") ? 2 : least_ranks(name))) continue;
            FlowList const list = make_pattern(name, n);
            EXPECT_EQ(list.ranks, n);
            EXPECT_EQ(list.measured_ranks, n);
            EXPECT_EQ(sorted(flows_not_drawn(list)), by_definition(name, n)) << name << " on " << n;
            for (Level const& level : list.levels) EXPECT_TRUE(level.random.empty());
        }
}

TEST(Patterns, NeighborsAreTheGreedyGraphAndDisjointCliques) {
    for (std::uint32_t const degree : {1u, 2u, 3u, 4u, 5u, 6u, 9u, 300u})
        for (std::uint32_t const n : many_sizes) {
            if (n < 2) continue;
            FlowList const list = make_pattern(std::to_string(degree) + "neighbor", n);
            Levels const flows = sorted(flows_not_drawn(list));
            EXPECT_EQ(flows, greedy_neighbors(n, degree)) << degree << " neighbours on " << n;
            for (auto const& [s, d] : flows.at(0)) EXPECT_EQ(s / (degree + 1), d / (degree + 1));
        }
}

TEST(Patterns, NumberOfLevels) {
    for (std::uint32_t const n : many_sizes) {
        if (n < 2) continue;
        EXPECT_EQ(make_pattern("null", n).levels.size(), 0u);
        for (char const* name :
             {"rand", "bisect", "bisect_fb_sym", "gather", "scatter", "2neighbor", "4neighbor", "6neighbor"})
            EXPECT_EQ(make_pattern(name, n).levels.size(), 1u) << name;
        for (char const* name : {"tree", "bruck", "recdbl"})
            EXPECT_EQ(make_pattern(name, n).levels.size(), std::size_t(std::ceil(std::log2(double(n))))) << name << n;
        EXPECT_EQ(make_pattern("ring", n).levels.size(), n);
    }
}

TEST(Patterns, WhoseLevelsAreNotMoreOn64RanksThanOn2NeverHaveMore) {
    // What `evaluate` tells of --level before it knows how many ranks there are.
    for (PatternInfo const& info : all_patterns()) {
        if (std::string(info.name) == "ptrnvsptrn" || std::string(info.name) == listed_pattern) continue;
        std::size_t const levels = make_pattern_part(info.name, 64).levels.size();
        bool const grows = levels != make_pattern_part(info.name, 2).levels.size();
        for (std::uint32_t n = info.least_ranks; n < 300 && !grows; ++n)
            EXPECT_TRUE(grows || make_pattern_part(info.name, n).levels.size() <= levels) << info.name << n;
    }
}

TEST(Patterns, TreeReachesEveryRankOnceAndBruckEveryPairOfDistances) {
    for (std::uint32_t const n : many_sizes) {
        if (n < 2) continue;
        std::vector<int> received(n);
        for (Flow const& f : make_pattern("tree", n).flows) ++received[f.destination];
        EXPECT_EQ(received[0], 0);
        EXPECT_TRUE(std::all_of(received.begin() + 1, received.end(), [](int r) { return r == 1; })) << n;
    }
}

TEST(Patterns, OrderOfFlowsIsWhatOrcsHas) {
    EXPECT_EQ(flows_not_drawn(make_pattern("bisect", 5)), (Levels{{{1, 0}, {3, 2}}}));
    EXPECT_EQ(flows_not_drawn(make_pattern("bisect_fb_sym", 5)), (Levels{{{0, 1}, {1, 0}, {2, 3}, {3, 2}}}));
    EXPECT_EQ(flows_not_drawn(make_pattern("recdbl", 5)),
              (Levels{{{0, 1}, {1, 0}, {2, 3}, {3, 2}}, {{0, 2}, {2, 0}, {1, 3}, {3, 1}}, {{0, 4}}}));
    EXPECT_EQ(flows_not_drawn(make_pattern("tree", 6)), (Levels{{{0, 1}}, {{0, 2}, {1, 3}}, {{0, 4}, {1, 5}}}));
    EXPECT_EQ(flows_not_drawn(make_pattern("2neighbor", 5)),
              (Levels{{{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}, {3, 4}, {4, 3}}}));
}

TEST(Patterns, RandIsOneRandomPermutationOfAllRanks) {
    FlowList const list = make_pattern("rand", 7);
    ASSERT_EQ(list.levels.size(), 1u);
    EXPECT_TRUE(list.flows.empty());
    EXPECT_EQ(list.levels[0].random, (std::vector<RandomFlows>{{0, 7, 0}}));
}

TEST(Patterns, AFlowToItselfIsLocal) {
    FlowList const list = make_pattern("ring", 1);  // 0 -> (0+1) mod 1
    ASSERT_EQ(list.levels.size(), 1u);
    EXPECT_EQ(list.levels[0].local, 1u);
    EXPECT_TRUE(list.flows.empty());
    for (PatternInfo const& info : all_patterns()) {
        if (info.name == std::string("ptrnvsptrn") || info.name == std::string(listed_pattern)) continue;
        for (Flow const& f : make_pattern(info.name, 40).flows) EXPECT_NE(f.source, f.destination);
    }
}

TEST(PatternVsPattern, MergesLevelByLevelAndTheSecondStartsAgain) {
    for (char const* first : {"null", "tree", "ring", "bisect", "rand"})
        for (char const* second : {"null", "tree", "ring", "gather", "rand"})
            for (std::uint32_t const n : {2u, 5u, 12u, 17u})
                for (std::uint32_t z = 1; z < n; z += 3) {
                    FlowList const merged = make_pattern_vs_pattern(first, z, second, n);
                    Levels const one = by_definition(first, z), two = by_definition(second, n - z);
                    std::size_t const levels = std::string(first) == "rand" ? 1 : one.size();
                    ASSERT_EQ(merged.levels.size(), levels);
                    EXPECT_EQ(merged.ranks, n);
                    EXPECT_EQ(merged.measured_ranks, z);
                    Levels const got = sorted(flows_not_drawn(merged));
                    for (std::size_t l = 0; l < levels; ++l) {
                        std::vector<Pair> want = l < one.size() ? one[l] : std::vector<Pair>{};
                        if (!two.empty())
                            for (auto const& [s, d] : two[l % two.size()]) want.push_back({s + z, d + z});
                        EXPECT_EQ(got[l], want) << first << "|" << second << " n=" << n << " z=" << z << " level " << l;
                        std::vector<RandomFlows> random;
                        if (std::string(first) == "rand") random.push_back({0, z, 0});
                        if (std::string(second) == "rand") random.push_back({z, n - z, 1});
                        EXPECT_EQ(merged.levels[l].random, random);
                    }
                }
}

TEST(PatternVsPattern, FirstPatternsFlowsComeFirst) {
    EXPECT_EQ(flows_not_drawn(make_pattern_vs_pattern("bisect", 4, "gather", 7)),
              (Levels{{{1, 0}, {3, 2}, {5, 4}, {6, 4}}}));
}

TEST(Patterns, OnlyLevelKeepsOneLevel) {
    FlowList const list = make_pattern_vs_pattern("tree", 8, "rand", 11);
    FlowList const one = only_level(list, 2);
    EXPECT_EQ(flows_not_drawn(one), (Levels{{{0, 4}, {1, 5}, {2, 6}, {3, 7}}}));
    EXPECT_EQ(one.levels[0].random, (std::vector<RandomFlows>{{8, 3, 1}}));
    EXPECT_EQ(one.ranks, 11u);
    EXPECT_EQ(one.measured_ranks, 8u);
    EXPECT_THROW(only_level(list, 3), InputError);
    EXPECT_THROW(only_level(make_pattern("null", 4), 0), InputError);
}

std::string message_of(std::function<void()> f) {
    try {
        f();
    } catch (InputError const& error) {
        return error.what();
    }
    return "";
}

TEST(Patterns, ErrorsSayWhatIsWrongAndWhatToDo) {
    EXPECT_NE(message_of([] { make_pattern("bisekt", 8); }).find("the nearest is \"bisect\""), std::string::npos);
    EXPECT_NE(message_of([] { make_pattern("", 8); }), "");
    EXPECT_NE(message_of([] { make_pattern("0neighbor", 8); }), "");
    EXPECT_NE(message_of([] { make_pattern("-2neighbor", 8); }), "");
    EXPECT_NE(message_of([] { make_pattern("99999999999999neighbor", 8); }), "");
    EXPECT_NE(message_of([] { make_pattern("3000000neighbor", 3'000'000); }).find("too large"), std::string::npos);
    EXPECT_NE(message_of([] { make_pattern("bisect", 1); }).find("at least 2 ranks"), std::string::npos);
    EXPECT_NE(message_of([] { make_pattern("null", 0); }), "");
    EXPECT_NE(message_of([] { make_pattern("ptrnvsptrn", 8); }).find("two patterns"), std::string::npos);
    EXPECT_NE(message_of([] { make_pattern_vs_pattern("bisect", 8, "ring", 8); }), "");
    EXPECT_NE(message_of([] { make_pattern_vs_pattern("bisect", 0, "ring", 8); }), "");
    EXPECT_NE(message_of([] { make_pattern_vs_pattern("bisect", 2, "rung", 8); }).find("\"ring\""), std::string::npos);
}

}  // namespace
}  // namespace tailback::patterns_test
