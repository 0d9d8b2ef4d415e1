// Numbers with their units, at the borders between them.
#include "host/result/units.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tailback::units_test {
namespace {

TEST(Units, TimesHaveThreeDigits) {
    for (auto const& [seconds, text] : {std::pair{0.0, "0 s"},
                                        {2.05e-6, "2.05 us"},
                                        {20.5e-6, "20.5 us"},
                                        {205e-9, "205 ns"},
                                        {5e-11, "50.0 ps"},
                                        {5e-13, "0.50 ps"},
                                        {1e-15, "0.001 ps"},
                                        {1e-3, "1.00 ms"},
                                        {59.94, "59.9 s"},
                                        {99.94, "99.9 s"},
                                        {100.0, "1 min 40 s"},
                                        {3599.6, "1 h 0 min"},
                                        {38 * 3600 + 9 * 60.0, "38 h 9 min"},
                                        {100 * 3600.0, "4 d 4 h"},
                                        {-2.05e-6, "-2.05 us"}})
        EXPECT_EQ(time_text(seconds), text);
}

/// What is rounded up to a thousand of a unit is one of the next.
TEST(Units, RoundingGoesOverToTheNextUnit) {
    EXPECT_EQ(time_text(999.4e-6), "999 us");
    EXPECT_EQ(time_text(999.96e-6), "1.00 ms");
    EXPECT_EQ(time_text(9.996e-6), "10.0 us");
    EXPECT_EQ(time_text(0.99996), "1.00 s");
    EXPECT_EQ(bytes_text(1023.96 * 1024), "1.0 MiB");
    EXPECT_EQ(rate_text(0.9999), "1.00 GB/s");
}

TEST(Units, WhatIsNoNumberIsADash) {
    for (double const value : {std::nan(""), std::numeric_limits<double>::infinity()}) {
        EXPECT_EQ(time_text(value), "-");
        EXPECT_EQ(bytes_text(value), "-");
        EXPECT_EQ(rate_text(value), "-");
    }
}

TEST(Units, BytesAndRates) {
    EXPECT_EQ(bytes_text(0), "0 bytes");
    EXPECT_EQ(bytes_text(1), "1 byte");
    EXPECT_EQ(bytes_text(1023), "1023 bytes");
    EXPECT_EQ(bytes_text(1536), "1.5 KiB");
    EXPECT_EQ(bytes_text(135920072376.), "126.6 GiB");
    EXPECT_EQ(bytes_text(std::ldexp(1, 70)), "1024.0 EiB");
    EXPECT_EQ(rate_text(0), "0 GB/s");
    EXPECT_EQ(rate_text(6.25), "6.25 GB/s");
    EXPECT_EQ(rate_text(0.85), "850 MB/s");
    EXPECT_EQ(rate_text(12345), "12,300 GB/s");
}

TEST(Units, NumbersThatStandTogetherHaveOneUnit) {
    EXPECT_EQ(unit_of_times(3.2e-5).name, "us");
    EXPECT_EQ(unit_of_times(999.96e-6).name, "ms");
    EXPECT_EQ(unit_of_times(7200).name, "s");
    EXPECT_EQ(unit_of_times(0).name, "s");
    EXPECT_EQ(unit_of_times(std::nan("")).size, 1);
}

}  // namespace
}  // namespace tailback::units_test
