// The text of JSON reports: what the library writes, but for numbers, which have the fewest digits that tell them from
// others of 12 digits.
#include "host/result/json_values.hpp"
#include "host/base/numbers.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

namespace tailback::json_values_test {
namespace {

using Json = result::Json;

TEST(JsonText, NumbersHaveNoDigitsThatTheyDoNotNeed) {
    EXPECT_EQ(json_text(real(std::ldexp(1.0, 60))), "1.15292150461e+18");
    EXPECT_EQ(json_text(real(1e15)), "1e+15");
    EXPECT_EQ(json_text(real(123456789012345)), "123456789012000.0");
    EXPECT_EQ(json_text(real(2.0 / 3)), "0.666666666667");
    EXPECT_EQ(json_text(real(-0.0001)), "-0.0001");
    EXPECT_EQ(json_text(real(0.00001)), "1e-05");
    EXPECT_EQ(json_text(real(3)), "3.0");
    EXPECT_EQ(json_text(real(0)), "0.0");
    EXPECT_EQ(json_text(real(std::nan(""))), "null");
    EXPECT_EQ(json_text(Json(std::uint64_t{1} << 63)), "9223372036854775808");
}

/// Any number comes back as it was, in 12 digits; the library's text of it has as many characters or more.
TEST(JsonText, NumbersComeBack) {
    std::mt19937_64 dice(3);
    std::size_t shorter = 0;
    for (int i = 0; i < 200'000; ++i) {
        double value = 0;
        std::uint64_t const bits = dice();
        std::memcpy(&value, &bits, sizeof value);
        if (!std::isfinite(value)) continue;
        std::string const text = json_text(Json(value)), of_library = Json(rounded(value)).dump();
        EXPECT_EQ(Json::parse(text).get<double>(), rounded(value)) << text;
        EXPECT_EQ(json_text(Json(rounded(value))), text);
        EXPECT_LE(text.size(), of_library.size()) << text << " " << of_library;
        shorter += text.size() < of_library.size();
    }
    EXPECT_GT(shorter, 0u);
}

TEST(JsonText, IsLaidOutAsTheLibraryDoes) {
    Json const json = {{"empty", Json::object()},
                       {"none", Json::array()},
                       {"list", {1, 2.5, "a\"b", nullptr, true, {{"deep", {{{"x", -1}}}}}}},
                       {"wei\xc3\x9f", {{"y", "\xe2\x82\xac"}}}};
    for (int const indent : {-1, 0, 2}) EXPECT_EQ(json_text(json, indent), json.dump(indent));
    EXPECT_EQ(json_text(Json()), "null");
}

/// Of names and keys alike, and a second time changes nothing.
TEST(JsonText, IsPrintable) {
    std::string const bad = "a\x1b[31m\xff\xe2\x80\xae\n", good = R"(a\x1b[31m\xff\u{202e}\x0a)";
    Json const json = {{bad, {bad, {{"name", bad}}}}}, same = {{good, {good, {{"name", good}}}}};
    EXPECT_EQ(json_text(json), same.dump());
    EXPECT_EQ(printable(good), good);
    EXPECT_EQ(json_text(Json::parse(json_text(json))), json_text(json));
}

}  // namespace
}  // namespace tailback::json_values_test
