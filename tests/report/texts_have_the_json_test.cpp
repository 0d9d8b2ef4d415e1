// What people read, programs can read: every number of a text is in the JSON of the same report. Definition: it is a
// number of it, rounded as the text has it, the length of a list, or stands in one of its words. But for per cent (of
// numbers that are both told), how many rows a table leaves out, bars, and standard deviations of evaluations, which
// JSON has as variances.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <regex>
#include <set>
#include <sstream>

namespace tailback::texts_have_the_json_test {
namespace {

using Json = nlohmann::json;

std::vector<std::string> numbers_in(std::string const& text) {
    static std::regex const number(R"((^|[^\w.,-])(\d[\d,]*(\.\d+)?)(?!\.?\w|\s*%))");
    std::vector<std::string> found;
    for (std::sregex_iterator at(text.begin(), text.end(), number), end; at != end; ++at) {
        std::string digits;
        for (char const c : (*at)[2].str())
            if (c != ',') digits += c;
        found.push_back(digits);
    }
    return found;
}

struct Told {
    std::set<double> numbers;
    std::set<std::string> in_words;

    void add(Json const& json) {
        if (json.is_array()) numbers.insert(double(json.size()));
        if (json.is_structured())
            for (auto const& [key, value] : json.items()) {
                for (std::string const& number : numbers_in(key)) in_words.insert(number);
                add(value);
            }
        if (json.is_object() && json.contains("ci99") && json["ci99"].is_array() &&
            json["ci99"][1].is_number())  // text has half of its width
            numbers.insert((json["ci99"][1].get<double>() - json["ci99"][0].get<double>()) / 2);
        if (json.is_number()) numbers.insert(json.get<double>());
        if (json.is_string())
            for (std::string const& number : numbers_in(json.get<std::string>())) in_words.insert(number);
    }
    bool has(std::string const& number) const {
        if (in_words.contains(number)) return true;
        std::size_t const point = number.find('.');
        std::size_t const zeros = number.size() - 1 - std::min(number.find_last_not_of('0'), number.size() - 1);
        // Three zeros or more at the end of a whole number are digits that are not told: 65000 of 65,400.
        double const half = 0.5 * std::pow(10.0, point != number.npos ? -double(number.size() - point - 1)
                                                 : zeros >= 3         ? double(zeros)
                                                                      : 0);
        double const value = std::stod(number), off = half * (1 + 1e-9);
        auto const at = numbers.lower_bound(value - off);
        return at != numbers.end() && *at <= value + off;
    }
};

TEST(TextsHaveTheJson, OfAllReports) {
    std::string const tree = fixture("opensm/ft2-16/minhop/ibnetdiscover.out.xz"),
                      whole = fixture("opensm/ft2-16/minhop/opensm-lfts.dump.xz"),
                      broken = fixture("opensm/ft2-16/file-broken/opensm-lfts.dump.xz");
    std::size_t checked = 0;
    for (Words const& words :
         {Words{"audit", "--network", tree, "--tables", broken, "--criticality", "--group-by", "leaf",
                "--without-cable", "leaf-01:5"},
          Words{"audit", "--network", "torus:4x4x3", "--routing", "dor", "--worst-case", "exact", "--shifts", "all"},
          Words{"audit", "--network", "xgft:m=4x4,w=1x4", "--routing", "ar:minimal"},
          Words{"audit", "--network", "torus:4x4", "--routing", "valiant"},
          Words{"audit", "--network", "frr:" + fixture("../../examples/roce"), "--without-cable", "leaf01:swp49"},
          Words{"compare", "--network", fixture("../../examples/plan/there.csv"), "--plan",
                fixture("../../examples/plan/plan.csv")},
          Words{"diff", tree + "," + whole, tree + "," + broken}, Words{"estimate", "--network", "torus:4x4"},
          Words{"place", "--network", "torus:4x4", "--pattern", "ring"},
          Words{"improve", "--network", tree, "--tables", whole, "--moves", "1000"},
          Words{"bracket", "--network", "torus:4x4", "--routing", "ar:minimal", "--mappings", "20"},
          Words{"evaluate", "--network", "torus:4x4", "--mappings", "100", "--metric", "all"},
          Words{"evaluate", "--network", "torus:4x4", "--pattern", "allreduce", "--mappings", "9", "--time"},
          Words{"evaluate", "--network", "torus:4x4", "--pattern", "allreduce:algorithm=all", "--mappings", "2"},
          Words{"schedule", fixture("../../examples/schedule/day.yaml"), "--network", "xgft:m=8x16,w=1x8"}}) {
        Finished const text = run_tailback(words), json = run_tailback(joined(words, {"--format", "json"}));
        ASSERT_LE(text.code, 1) << text.err;
        Told told;
        told.add(Json::parse(json.out));
        std::istringstream lines(text.out);
        std::string kept;  // whole, as per cent may stand on the next line
        for (std::string line; std::getline(lines, line);)
            if (line.find("│") == line.npos && line.find("  and ") != 0)
                kept += line.substr(0, line.find("standard deviation")) + "\n";
        for (std::string const& number : numbers_in(kept)) {
            EXPECT_TRUE(told.has(number)) << words.front() << ": " << number << " of: " << kept;
            ++checked;
        }
    }
    EXPECT_GT(checked, 700u);
}

/// The rule sees what is not there.
TEST(TextsHaveTheJson, IsNoRuleThatHoldsAlways) {
    Told told;
    told.add(Json{{"a", 1.23456}, {"b", {1, 2, 3, 4, 5, 6, 7}}, {"c", "LID 40 of 1,000"}, {"d", 65400}});
    for (char const* const held : {"65000", "1.2", "1.235", "7", "40", "1000"}) EXPECT_TRUE(told.has(held)) << held;
    for (char const* const missing : {"64000", "66000", "65500", "1.3", "1.234", "8", "41", "100"})
        EXPECT_FALSE(told.has(missing)) << missing;
    EXPECT_EQ(numbers_in("x2 leaf-07 [19] 1,234 pairs (3 %), 0.5 of 7."),
              (std::vector<std::string>{"19", "1234", "0.5", "7"}));
}

}  // namespace
}  // namespace tailback::texts_have_the_json_test
