// Numbers and names as reports print them, and the bins people see: nothing is lost, nothing hostile gets through.
#include "host/base/numbers.hpp"
#include "host/base/bins.hpp"
#include "tests/support/rooms.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

namespace tailback::numbers_test {
namespace {

TEST(ReportNumbers, TwelveSignificantDigits) {
    EXPECT_EQ(exact_text(0.1 + 0.7), "0.8");
    EXPECT_EQ(rounded(0.1 + 0.7), 0.8);
    EXPECT_EQ(exact_text(2.0 / 3), "0.666666666667");
    EXPECT_EQ(exact_text(12), "12");
    EXPECT_EQ(exact_text(NAN), "");
    EXPECT_EQ(fixed_text(NAN, 3), "-");
    EXPECT_EQ(fixed_text(0.12345, 3), "0.123");
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(1234567), "1,234,567");
    EXPECT_EQ(three_digits(18765.4), "18,800");
    EXPECT_EQ(three_digits(1.2345), "1.23");
    EXPECT_EQ(decimals_of(0.05), 2);
    EXPECT_EQ(decimals_of(20), 0);
}

/// No digit behind the twelfth, which is not known: not after the point, and not before it.
TEST(ReportNumbers, LargeNumbersHaveNoDigitsThatAreNotKnown) {
    EXPECT_EQ(fixed_text(123456789.123456, 4), "123456789.123");
    EXPECT_EQ(fixed_text(99999999.99999, 4), "100000000.000");
    EXPECT_EQ(fixed_text(123456789012.3, 4), "123456789012");
    EXPECT_EQ(fixed_text(999999999999.9, 4), "1e+12");
    EXPECT_EQ(fixed_text(2472869030795.0, 4), "2.4728690308e+12");
    EXPECT_EQ(fixed_text(std::ldexp(1.0, 60) + 12345, 4), "1.15292150461e+18");
    EXPECT_EQ(fixed_text(-std::ldexp(1.0, 60), 0), "-1.15292150461e+18");
    EXPECT_EQ(significant_text(std::ldexp(3.0, 60), 4), "3.45876451382e+18");
    EXPECT_EQ(exact_text(std::ldexp(3.0, 60)), "3.45876451382e+18");
    EXPECT_EQ(plain_text(std::ldexp(1.0, 60)), "1.15292150461e+18");
    EXPECT_EQ(plain_text(1.5e20), "1.5e+20");
    EXPECT_EQ(fixed_text(12345678.5, 4), "12345678.5000");
    EXPECT_EQ(fixed_text(INFINITY, 2), "inf");
    EXPECT_EQ(fixed_text(0, 4), "0.0000");
}

/// What people read has four significant digits at least, and no exponent below 10^12.
TEST(ReportNumbers, SmallNumbersKeepTheirDigits) {
    EXPECT_EQ(significant_text(0.571428, 4), "0.5714");
    EXPECT_EQ(significant_text(1, 4), "1.0000");
    EXPECT_EQ(significant_text(0, 4), "0.0000");
    EXPECT_EQ(significant_text(1.0 / 16383, 4), "0.00006104");
    EXPECT_EQ(significant_text(5e-6, 4), "0.000005000");
    EXPECT_EQ(significant_text(0.1 - 1e-17, 4), "0.1000");
    EXPECT_EQ(significant_text(123456.789, 3), "123456.789");
    EXPECT_EQ(significant_text(NAN, 4), "-");
    EXPECT_EQ(plain_text(1.0 / 16384), "0.0000610352");
    EXPECT_EQ(plain_text(0.5), "0.5");
    EXPECT_EQ(plain_text(2.0 / 3), "0.666667");
    EXPECT_EQ(plain_text(1200), "1200");
    EXPECT_EQ(plain_text(0), "0");
}

TEST(ReportNumbers, NamesFromFilesAreMadeHarmless) {
    EXPECT_EQ(printable("Spine-Ü 7"), "Spine-Ü 7");
    EXPECT_EQ(printable("a\x1b[31mb\n"), R"(a\x1b[31mb\x0a)");
    EXPECT_EQ(printable("\xff\xc3("), R"(\xff\xc3()");
    EXPECT_EQ(printable("\xc0\x80"), R"(\xc0\x80)");                  // overlong
    EXPECT_EQ(printable("\xed\xa0\x80"), R"(\xed\xa0\x80)");          // a surrogate
    EXPECT_EQ(printable("\xf4\x90\x80\x80"), R"(\xf4\x90\x80\x80)");  // beyond U+10FFFF
    EXPECT_EQ(printable("\xc2\x9b"
                        "31m"),
              R"(\u{009b}31m)");                                 // C1: CSI
    EXPECT_EQ(printable(printable("\x1b\xff")), R"(\x1b\xff)");  // once escaped, it stays
    EXPECT_EQ(csv_field("plain"), "plain");
    EXPECT_EQ(csv_field("say \"hi\", twice"), "\"say \"\"hi\"\", twice\"");
    EXPECT_EQ(xml_text("<a & \"b\">"), "&lt;a &amp; &quot;b&quot;&gt;");
    EXPECT_EQ(shortened("Überlandleitung", 5), "Über…");
    EXPECT_EQ(shortened_within("Überlandleitungsmäste", 8), "Übe…äste");
    EXPECT_EQ(shortened_within("Überlandleitungsmäste", 21), "Überlandleitungsmäste");
    EXPECT_EQ(shortened_within("abc", 2), "…c");
    EXPECT_EQ(shortened_within("abc", 1), "…");
    EXPECT_EQ(columns("Über…"), 5u);
}

/// Every character that turns the direction of text, ends a line or takes no room.
TEST(ReportNumbers, HiddenCharactersAreSpelledOut) {
    auto const escaped = [](char32_t code) {
        std::string text;
        if (code < 0x800) text = {char(0xC0 | code >> 6), char(0x80 | (code & 0x3F))};
        else if (code < 0x10000)
            text = {char(0xE0 | code >> 12), char(0x80 | (code >> 6 & 0x3F)), char(0x80 | (code & 0x3F))};
        else
            text = {char(0xF0 | code >> 18), char(0x80 | (code >> 12 & 0x3F)), char(0x80 | (code >> 6 & 0x3F)),
                    char(0x80 | (code & 0x3F))};
        return printable("a" + text + "b") == fmt::format("a\\u{{{:04x}}}b", std::uint32_t(code));
    };
    for (char32_t const code :
         {0x61C,  0x200E, 0x200F, 0x202A, 0x202B, 0x202C, 0x202D,  0x202E,  0x2066,  0x2067,  0x2068,
          0x2069, 0x2028, 0x2029, 0x85,   0x80,   0x9F,   0xAD,    0x200B,  0x200C,  0x200D,  0x2060,
          0xFEFF, 0x180E, 0x3164, 0xFE0F, 0xFFF9, 0xFFFE, 0x1FFFF, 0xE0001, 0xE007F, 0x10FFFF})
        EXPECT_TRUE(escaped(code)) << std::hex << std::uint32_t(code);
    for (char32_t const code : {0xA0, 0xE9, 0x5D0, 0x627, 0x2010, 0x2027, 0x202F, 0x2070, 0xFFFD, 0x1F697})
        EXPECT_FALSE(escaped(code)) << std::hex << std::uint32_t(code);
}

/// A cell that begins as a formula does is text to a spreadsheet; numbers stay numbers.
TEST(ReportNumbers, NoCellIsAFormula) {
    EXPECT_EQ(csv_field("=HYPERLINK(\"http://x\",1)"), "\"'=HYPERLINK(\"\"http://x\"\",1)\"");
    EXPECT_EQ(csv_field("+1+cmd|' /C calc'!A0"), "'+1+cmd|' /C calc'!A0");
    EXPECT_EQ(csv_field("-2+3"), "'-2+3");
    EXPECT_EQ(csv_field("-inf"), "'-inf");
    EXPECT_EQ(csv_field("-"), "'-");
    EXPECT_EQ(csv_field("@SUM(A1)"), "'@SUM(A1)");
    EXPECT_EQ(csv_field("\t=1"), "\\x09=1");
    EXPECT_EQ(csv_field("\r=1"), "\\x0d=1");
    EXPECT_EQ(csv_field("a=1"), "a=1");
    for (char const* const number : {"-1", "-0.25", "-1e-07", "12", "0.5"}) EXPECT_EQ(csv_field(number), number);
}

TEST(ReportNumbers, BarsAreSeenWhenNotZero) {
    EXPECT_EQ(block_bar(0, 10, 20), "");
    EXPECT_EQ(block_bar(1, 1000000, 20), "▏");
    EXPECT_EQ(columns(block_bar(10, 10, 20)), 20u);
    EXPECT_EQ(block_bar(1, 2, 3), "█▌");
}

/// Definition: values that may be below what they stand for by an error are at an edge when they are so near below it.
TEST(ReportNumbers, BinsHeedTheErrorOfValues) {
    std::vector<std::pair<double, std::uint64_t>> const off = {{0.99999999, 1}, {1.19999999, 2}, {1.3, 4},
                                                               {1.39999, 8},    {1.4, 16},       {1.99999999, 32}};
    Bins const exact = sensible_bins(off, 5), heeded = sensible_bins(off, 5, 2e-8);
    ASSERT_EQ(heeded.bins.size(), 6u);
    std::vector<std::uint64_t> counts;
    for (Bin const& bin : heeded.bins) counts.push_back(bin.count);
    EXPECT_EQ(counts, (std::vector<std::uint64_t>{1, 6 + 8, 16, 0, 0, 32}));
    EXPECT_EQ(heeded.bins.front().low, 1);
    EXPECT_EQ(exact.bins.front().low, 0.8);
    EXPECT_EQ(exact.bins.front().count, 1u);
}

TEST(ReportNumbers, BinsHoldEveryValueOnce) {
    std::vector<std::vector<std::pair<double, std::uint64_t>>> const cases = {
        {{0.5, 3}},
        {{0.5, 3}, {0.75, 1}},
        {{1, 5}, {2, 7}, {9, 1}},
        {{3, 1}, {70000, 2}},
        {{0.1, 1}, {0.2, 2}, {0.3, 3}, {0.30000001, 4}},
        {{1e-6, 1}, {2e-6, 1}, {3e-6, 1}, {4e-6, 1}},
        {{0.5, 1}, {std::nextafter(0.5, 1), 2}, {0.6, 1}, {0.7, 1}},
        {{0.5, 1}, {0.500000000001, 1}, {0.500000000002, 1}, {0.500000000003, 1}, {0.500000000004, 1}},
        {{0, 1}, {1, 1}, {1.5, 1}, {1000000.25, 1}},
    };
    for (auto const& values : cases) {
        Bins const bins = sensible_bins(values, 20);
        ASSERT_FALSE(bins.bins.empty());
        EXPECT_LE(bins.bins.size(), 52u);
        std::uint64_t in = 0, out = 0;
        for (auto const& value : values) in += value.second;
        for (Bin const& bin : bins.bins) out += bin.count;
        EXPECT_EQ(in, out);
        for (Bin const& bin : bins.bins) {
            std::uint64_t held = 0;
            for (auto const& [value, count] : values)
                if (bins.holds(bin, rounded(value))) held += count;
            EXPECT_EQ(held, bin.count) << bin.low << " .. " << bin.high;
        }
    }
    Bins const whole = sensible_bins({{37, 1}, {39, 2}, {41, 1}}, 20);
    ASSERT_EQ(whole.bins.size(), 5u);
    EXPECT_EQ(whole.label(whole.bins[1]), "38");
    Bins const wide = sensible_bins({{0, 1}, {99, 1}}, 20);
    EXPECT_EQ(wide.label(wide.bins[0]), "0..4");
    EXPECT_TRUE(sensible_bins({}, 20).bins.empty());
}

}  // namespace
}  // namespace tailback::numbers_test
