// Bandwidths of flows are whole numbers of one unit, so that mappings of the same mean bandwidth have the same number.
#include "host/study/plan/study_plan.hpp"
#include "kernels/evaluate/reduction.hpp"
#include "tests/support/networks/nasty_networks.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace tailback::shares_test {
namespace {

__extension__ using Wide = unsigned __int128;

/// share(c) is denominator x unit / c, rounded; no rounding while c divides it.
TEST(Shares, AreExactForSmallCongestions) {
    for (NastyNetwork const& network : nasty_networks()) {
        Study study;
        study.traffic.pattern = "rand";
        StudyPlan const plan = make_plan(network.fabric, study);
        Wide const one = Wide(plan.denominator) * plan.share_unit;
        for (std::uint64_t c = 1; c <= plan.problem.measures.max_congestion; ++c) {
            Wide const share = plan.problem.measures.share[c];
            EXPECT_TRUE(c > 30 || share * c == one) << network.name << ' ' << c;
            EXPECT_TRUE(2 * share * c <= 2 * one + c && 2 * share * c + c >= 2 * one) << network.name << ' ' << c;
        }
        EXPECT_LE(plan.share_unit, std::uint64_t{1} << 52) << network.name;
        EXPECT_GE(plan.share_unit, std::uint64_t{1} << 40) << network.name;
    }
}

/// Ways to make the same mean: flows of congestion a beside b, c, .. with 1/a + 1/b + .. the same sum. With 40 flows a
/// mapping there is room for 52 bits, with 160,000 for 44.
TEST(Shares, EqualFractionsAreEqualNumbers) {
    Fabric const fabric = make_xgft({{8, 5}, {1, 4}});
    for (std::size_t const levels : {1u, 4000u}) {
        Study study;
        study.traffic.pattern = listed_pattern;
        study.traffic.listed_flows = make_pattern("1shift", 40);
        study.traffic.listed_flows.levels.resize(levels, study.traffic.listed_flows.levels.front());
        StudyPlan const plan = make_plan(fabric, study);
        std::uint64_t const unit = plan.share_unit;
        ASSERT_EQ(plan.denominator, 1u);
        auto const share = [&](std::uint64_t c) { return plan.problem.measures.share[c]; };
        auto const mean = [&](std::vector<std::uint64_t> const& congestions) {
            std::uint64_t sum = 0;
            for (std::uint64_t const c : congestions) sum += share(c);
            return mean_of(sum, congestions.size(), unit, bandwidth_bits);
        };
        EXPECT_EQ(mean({1, 2, 3, 6}), mean({2, 2, 2, 2}));
        EXPECT_EQ(mean({3, 3, 3}), mean({2, 3, 6}));
        EXPECT_EQ(mean({3, 3, 3, 3, 3, 3}), mean({3}));
        EXPECT_EQ(mean({3}), static_cast<std::uint64_t>(std::llround(0x1p52 / 3)));
        for (std::uint64_t c = 2; c <= 30; ++c)
            for (std::uint64_t n = 1; n <= 9; ++n) {
                std::vector<std::uint64_t> some(n * c, c), one_each(n, 1);
                std::uint64_t sum = 0;
                for (std::uint64_t const s : some) sum += share(s);
                EXPECT_EQ(mean_of(sum, n, unit, bandwidth_bits), mean(one_each)) << n << " x " << c;
            }
    }
}

}  // namespace
}  // namespace tailback::shares_test
