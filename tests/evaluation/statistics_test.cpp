// Statistics of a distribution, each by its definition over the plain list of values.
#include "host/evaluation/statistics.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace tailback::statistics_test {
namespace {

__extension__ using Wide = __int128;

/// Lists of integers of all kinds: few and many, ties and none, small and near 2^52.
std::vector<std::vector<std::uint64_t>> lists() {
    std::mt19937_64 random(1);
    std::vector<std::vector<std::uint64_t>> all = {{7}, {7, 7}, {0, 1}, {3, 1, 2}, {5, 5, 5, 5}};
    for (std::size_t const n : {10u, 99u, 100u, 101u, 1000u, 70'000u, 140'001u}) {
        std::vector<std::uint64_t> ties, wide, near;
        for (std::size_t i = 0; i < n; ++i) {
            ties.push_back(random() % 9);
            wide.push_back(random() >> 12);
            near.push_back((std::uint64_t{1} << 52) - random() % 3);
        }
        all.insert(all.end(), {ties, wide, near});
    }
    return all;
}

Distribution distribution(std::vector<std::uint64_t> const& values, double scale = 1, bool higher_is_worse = true) {
    Distribution d(scale, higher_is_worse);
    for (std::size_t m = 0; m < values.size(); ++m) d.add(values[m], m);
    return d;
}

TEST(ValueCounts, AreTheMultiset) {
    for (auto values : lists()) {
        ValueCounts counts;
        for (std::uint64_t const v : values) counts.add(v);
        EXPECT_EQ(counts.size(), values.size());
        std::map<std::uint64_t, std::uint64_t> want;
        for (std::uint64_t const v : values) ++want[v];
        ValueCounts::Sorted const list(want.begin(), want.end());
        EXPECT_EQ(counts.sorted(), list);
        EXPECT_EQ(counts.size(), values.size());
        ValueCounts backwards;
        std::reverse(values.begin(), values.end());
        for (std::size_t i = 0; i < values.size(); ++i) {
            backwards.add(values[i]);
            if (i % 20'011 == 0) backwards.sorted();  // looking in between changes nothing
        }
        EXPECT_EQ(backwards.sorted(), list);
    }
}

/// Whatever the parts in which values come, and whatever was looked at in between.
TEST(ValueCounts, AreTheSameInAnyParts) {
    for (auto const& values : lists()) {
        std::map<std::uint64_t, std::uint64_t> want;
        for (std::uint64_t const v : values) ++want[v];
        for (std::size_t const step : {std::size_t{1}, std::size_t{7}, std::size_t{1000}, std::size_t{70'001}}) {
            if (values.size() / step > 3000) continue;
            ValueCounts all;
            for (std::size_t from = 0, to = 0, part = 0; from < values.size(); from = to, ++part) {
                ValueCounts some;
                to = std::min(values.size(), from + step * (1 + part % 5));
                for (std::size_t i = from; i < to; ++i) (i % 3 == 0 && part % 2 == 0 ? all : some).add(values[i]);
                if (part % 4 == 1) some.sorted();
                if (part % 11 == 5) all.sorted();
                all.merge(some);
            }
            EXPECT_EQ(all.size(), values.size()) << step;
            EXPECT_EQ(all.sorted(), ValueCounts::Sorted(want.begin(), want.end())) << step;
        }
    }
    ValueCounts counts;
    counts.assign({{3, 2}, {9, 1}});
    counts.merge(ValueCounts{});
    EXPECT_EQ(counts.sorted(), (ValueCounts::Sorted{{3, 2}, {9, 1}}));
    counts.assign({});
    EXPECT_TRUE(counts.sorted().empty());
    EXPECT_EQ(counts.size(), 0u);
}

/// So many values, each above the one before by 1 to `step`.
ValueCounts::Sorted long_list(std::uint64_t first, std::size_t count, std::uint64_t step, std::mt19937_64& random) {
    ValueCounts::Sorted list;
    for (std::uint64_t value = first; list.size() < count; value += 1 + random() % step)
        list.emplace_back(value, 1 + random() % 3);
    return list;
}

ValueCounts::Sorted sum_of(ValueCounts::Sorted const& a, ValueCounts::Sorted all) {
    all.insert(all.end(), a.begin(), a.end());
    std::sort(all.begin(), all.end());
    ValueCounts::Sorted sum;
    for (auto const& [value, count] : all)
        if (!sum.empty() && sum.back().first == value) sum.back().second += count;
        else sum.emplace_back(value, count);
    return sum;
}

/// Lists that are cut into stretches, one a thread: of values that mix, of which some or all are in both; one list
/// before, after and within the other; lengths just above and below what two threads and three are for.
TEST(ValueCounts, AreTheSameByAnyNumberOfThreads) {
    constexpr std::size_t a_thread = ValueCounts::values_a_thread;
    std::mt19937_64 random(2);
    ValueCounts::Sorted const list = long_list(1'000'000'000, 2 * a_thread, 5, random);
    std::vector<ValueCounts::Sorted> const others = {long_list(1'000'000'000, a_thread - 1, 9, random),
                                                     long_list(1'000'000'000, a_thread + 1, 2, random),
                                                     long_list(0, a_thread, 9, random),
                                                     long_list(2'000'000'000, a_thread, 9, random),
                                                     long_list(1'000'100'000, 3 * a_thread, 1, random),
                                                     {{1'000'000'003, 1}},
                                                     list};
    for (ValueCounts::Sorted const& other : others) {
        ValueCounts::Sorted const want = sum_of(list, other);
        for (unsigned const threads : {1u, 2u, 3u, 7u}) {
            ValueCounts merged, more;
            merged.assign(list);
            more.assign(other);
            merged.merge(more, threads);
            EXPECT_TRUE(merged.sorted(threads) == want) << other.size() << ", " << threads;
        }
    }
}

TEST(Distribution, MeanVarianceAndErrorByDefinition) {
    for (auto const& values : lists())
        for (double const scale : {1.0, 75.0, 4503599627370496.0}) {
            Distribution const d = distribution(values, scale);
            auto const n = static_cast<long double>(values.size());
            Wide sum = 0;
            for (std::uint64_t const v : values) sum += v;
            long double const mean = static_cast<long double>(sum) / n;
            long double squares = 0;
            for (std::uint64_t const v : values) {
                long double const off = static_cast<long double>(Wide(v) * Wide(values.size()) - sum) / n;
                squares += off * off;
            }
            auto const variance = double(squares / (n - 1) / scale / scale);
            EXPECT_EQ(d.count(), values.size());
            EXPECT_NEAR(d.mean(), double(mean / scale), 1e-14 * double(mean / scale));
            EXPECT_EQ(d.min(), double(*std::min_element(values.begin(), values.end())) / scale);
            EXPECT_EQ(d.max(), double(*std::max_element(values.begin(), values.end())) / scale);
            if (values.size() < 2) {  // no degree of freedom is left: nothing is known of the spread
                EXPECT_TRUE(std::isnan(d.variance()) && std::isnan(d.standard_error()) && std::isnan(d.ci99().first));
                continue;
            }
            EXPECT_NEAR(d.variance(), variance, 1e-12 * variance);
            EXPECT_NEAR(d.standard_error(), std::sqrt(variance / double(n)), 1e-12 * std::sqrt(variance));
            auto const [low, high] = d.ci99();
            double const rounding =
                1e-15 * d.mean();  // all there is to see where values differ in their last digits only
            EXPECT_NEAR(high - low, 2 * student_t99(values.size() - 1) * d.standard_error(),
                        1e-12 * (high - low) + rounding);
            EXPECT_NEAR((high + low) / 2, d.mean(), 1e-12 * (1 + d.mean()));
        }
}

/// The smallest value v such that at least q of the values are <= v.
TEST(Distribution, QuantilesByDefinition) {
    for (auto values : lists()) {
        Distribution const d = distribution(values, 2);
        std::sort(values.begin(), values.end());
        for (double const q :
             {0.0, 0.001, 0.125, 0.25, 0.5, 0.625, 0.75, 0.999, 1.0}) {  // and no rounding at steps of 1/n
            if (values.size() > 1000 && values.size() % 8 != 0 && q * 1000 != std::floor(q * 1000)) continue;
            std::size_t i = 0;
            while (double(i + 1) < q * double(values.size())) ++i;
            EXPECT_EQ(d.quantile(q), double(values[i]) / 2) << q << " of " << values.size();
        }
    }
}

/// The reported quantiles are whole percents: of n values 0, 1, .. the k % quantile is number ceil(k n / 100), counted
/// from 1, in whole numbers; no rounding of k/100 may move it.
TEST(Distribution, ReportedQuantilesDoNotMoveByRounding) {
    Distribution d(1, true);
    for (std::uint64_t n = 1; n <= 3000; ++n) {
        d.add(n - 1, n - 1);
        if (n > 220 && n % 20 != 0) continue;
        for (double const q : reported_quantiles) {
            auto const percent = static_cast<std::uint64_t>(std::lround(q * 100));
            EXPECT_EQ(d.quantile(q), double((percent * n + 99) / 100 - 1)) << q << " of " << n;
        }
    }
}

TEST(Distribution, WorstIsTheFirstOfTheWorst) {
    EXPECT_EQ(distribution({3, 9, 1, 9, 1}, 1, true).worst_mapping(), 1u);
    EXPECT_EQ(distribution({3, 9, 1, 9, 1}, 1, false).worst_mapping(), 2u);
    EXPECT_EQ(distribution({4}, 1, false).worst_mapping(), 0u);
    EXPECT_FALSE(distribution({}).worst_mapping());
}

TEST(Distribution, NothingHasNoNumbers) {
    Distribution d(1, true);
    d.add(ValuesSeen{}, 1);
    EXPECT_EQ(d.count(), 0u);
    EXPECT_EQ(d.undefined(), 1u);
    for (double const number :
         {d.mean(), d.variance(), d.min(), d.max(), d.quantile(0.5), d.ci99().first, d.ci99().second})
        EXPECT_TRUE(std::isnan(number));
    EXPECT_TRUE(d.values().empty());
}

TEST(Distribution, OneValueHasNoSpreadAndNoInterval) {
    Distribution const d = distribution({6}, 4);
    EXPECT_EQ(d.mean(), 1.5);
    EXPECT_TRUE(std::isnan(d.variance()));
    EXPECT_TRUE(std::isnan(d.standard_error()));
    EXPECT_TRUE(std::isnan(d.ci99().first));
    for (double const q : reported_quantiles) EXPECT_EQ(d.quantile(q), 1.5);
}

TEST(Distribution, ValuesAreScaledAndAscending) {
    using List = std::vector<std::pair<double, std::uint64_t>>;
    EXPECT_EQ(distribution({6, 2, 6, 5}, 4).values(), (List{{0.5, 1}, {1.25, 1}, {1.5, 2}}));
}

/// A bin has its lower edge; what is outside goes below and above.
TEST(Distribution, BinsHaveTheirLowerEdge) {
    std::vector<std::uint64_t> values;
    for (std::uint64_t v = 0; v <= 40; ++v) values.push_back(v);
    Distribution::Binned const b = distribution(values, 8).binned(1, 4, 6);  // edges at 8, 12, .. 32 eighths
    EXPECT_EQ(b.edges, (std::vector<double>{1, 1.5, 2, 2.5, 3, 3.5, 4}));
    EXPECT_EQ(b.counts, (std::vector<std::uint64_t>{4, 4, 4, 4, 4, 4}));
    EXPECT_EQ(b.below, 8u);
    EXPECT_EQ(b.above, 9u);  // 32 .. 40: the upper edge is outside
}

/// Values of 2^52 units that may be off by one: what is an edge but for that is in the bin above it, what is farther
/// below is not.
TEST(Distribution, WhatMayBeOffAnEdgeIsInTheBinAbove) {
    double const scale = 0x1p52;
    for (int e = 1; e <= 240; ++e) {
        auto const edge = static_cast<std::uint64_t>(std::llround(scale * e / 200));
        Distribution d(scale, false, 1.5);
        for (std::uint64_t const off : {0, 1, 2}) d.add(edge - 1 + off, off);
        d.add(edge - 20, 3);
        Distribution::Binned const b = d.binned(0, 1.205, 241);
        EXPECT_EQ(b.counts[std::size_t(e)], 3u) << e;
        EXPECT_EQ(b.counts[std::size_t(e) - 1], 1u) << e;
    }
}

TEST(Distribution, EveryValueIsInOneBin) {
    for (auto const& values : lists()) {
        Distribution const d = distribution(values, 4503599627370496.0, false);
        Distribution::Binned const b = d.binned(0, 1.01, 20);
        std::uint64_t total = b.below + b.above;
        ASSERT_EQ(b.edges.size(), 21u);
        for (std::size_t i = 0; i < 20; ++i) {
            total += b.counts[i];
            std::uint64_t want = 0;
            for (auto const& [value, count] : d.values())
                want += value >= b.edges[i] && value < b.edges[i + 1] ? count : 0;
            EXPECT_EQ(b.counts[i], want);
        }
        EXPECT_EQ(total, values.size());
        EXPECT_EQ(b.below + b.above, 0u);
    }
}

/// Two-sided 99 % points as every table of Student's t prints them.
TEST(StudentT, AgreesWithTheTables) {
    std::pair<std::uint64_t, double> const table[] = {
        {1, 63.657},  {2, 9.925},   {3, 5.841},    {4, 4.604},      {5, 4.032},        {6, 3.707},   {7, 3.499},
        {8, 3.355},   {9, 3.250},   {10, 3.169},   {12, 3.055},     {15, 2.947},       {20, 2.845},  {25, 2.787},
        {30, 2.750},  {40, 2.704},  {50, 2.678},   {60, 2.660},     {80, 2.639},       {100, 2.626}, {120, 2.617},
        {200, 2.601}, {500, 2.586}, {1000, 2.581}, {10'000, 2.576}, {1'000'000, 2.576}};
    for (auto const& [degrees, t] : table) EXPECT_NEAR(student_t99(degrees), t, 0.00051) << degrees;
    EXPECT_NEAR(student_t99(1), std::tan(0.495 * 3.14159265358979323846), 1e-9);
    EXPECT_NEAR(student_t99(2), 0.99 * std::sqrt(2 / (1 - 0.99 * 0.99)), 1e-12);
    EXPECT_NEAR(student_t99(std::uint64_t{1} << 60), 2.5758293035489004, 1e-12);
    EXPECT_TRUE(std::isnan(student_t99(0)));
}

/// It falls with every degree of freedom, also where one formula takes over from another.
TEST(StudentT, FallsSmoothly) {
    for (std::uint64_t n = 1; n < 400; ++n) {
        double const fall = student_t99(n) - student_t99(n + 1);
        EXPECT_GT(fall, 0) << n;
        if (n < 20) continue;
        EXPECT_NEAR(fall, student_t99(n + 1) - student_t99(n + 2), 0.3 * fall) << n;
    }
}

/// The interval holds the true mean in 99 % of all samples: of 20,000 samples of five throws of twelve dice 1 % miss
/// it. Three standard errors of the share are 0.0021.
TEST(StudentT, IntervalsCoverTheMean) {
    std::mt19937 random(2);
    int missed = 0;
    for (int sample = 0; sample < 20'000; ++sample) {
        Distribution d(1, true);
        for (std::uint64_t i = 0; i < 5; ++i) {
            std::uint64_t dice = 0;
            for (int k = 0; k < 12; ++k) dice += random() % 6;  // as good as normal
            d.add(dice, i);
        }
        auto const [low, high] = d.ci99();
        missed += low > 30 || high < 30;
    }
    EXPECT_NEAR(missed / 20'000.0, 0.01, 0.0021);
}

/// Parts that saw different mappings come to the whole, in whatever order they are put together; of equally bad
/// mappings the first is the worst.
TEST(Distribution, PartsAddUpToTheWhole) {
    for (bool const higher_is_worse : {false, true}) {
        Distribution whole(1, higher_is_worse);
        std::vector<Distribution> parts(3, Distribution(1, higher_is_worse));
        for (std::uint64_t m = 0; m < 1000; ++m) {
            std::uint64_t const value = m * m % 17;
            if (m % 50 == 7) {
                whole.add(ValuesSeen{}, 1);
                parts[m % 3].add(ValuesSeen{}, 1);
            } else {
                whole.add(value, m);
                parts[m % 3].add(value, m);
            }
        }
        for (std::vector<std::size_t> const& order : {std::vector<std::size_t>{0, 1, 2}, {2, 1, 0}, {1, 2, 0}}) {
            Distribution sum(1, higher_is_worse);
            for (std::size_t const part : order) sum.merge(parts[part]);
            EXPECT_EQ(sum.integers(), whole.integers());
            EXPECT_EQ(sum.undefined(), whole.undefined());
            EXPECT_EQ(sum.worst_mapping(), whole.worst_mapping());
            sum.add(higher_is_worse ? 1000 : 0, 5000);
            EXPECT_EQ(sum.count(), whole.count() + 1);
        }
        Distribution again(1, higher_is_worse);
        again.assign(whole.integers(), whole.undefined(), whole.worst_mapping());
        again.merge(Distribution(1, higher_is_worse));
        EXPECT_EQ(again.worst_mapping(), whole.worst_mapping());
        EXPECT_EQ(again.mean(), whole.mean());
    }
}

}  // namespace
}  // namespace tailback::statistics_test
