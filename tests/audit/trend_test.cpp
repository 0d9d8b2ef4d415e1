// A fabric over many days (docs/audit.md, Better than yesterday): the numbers of a day are those of an audit and of a
// comparison of two, whatever days stand around it.
#include "host/api/diff.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

namespace tailback::trend_test {
namespace {

std::string const run = fixture("opensm/ft2-16");
DiffSide side(std::string const& tables) {
    return {run + "/minhop/ibnetdiscover.out.xz", run + "/" + tables + "/opensm-lfts.dump.xz"};
}
std::string word(std::string const& tables) { return side(tables).network + "," + *side(tables).tables; }

TEST(Trend, EveryDayIsTheComparisonOfTwo) {
    std::vector<DiffSide> const days = {side("minhop"), side("file-broken"), side("minhop"), side("minhop")};
    Trend const trend = find_trend(days, {}, false, {});
    ASSERT_EQ(trend.days.size(), 4u);
    ASSERT_EQ(trend.comparisons.size(), 3u);
    FabricComparison const two(days[0], days[1], {}, false, {});
    ASSERT_NE(two.comparison(), nullptr);
    for (std::size_t k = 0; k < two.comparison()->numbers.size(); ++k) {
        EXPECT_EQ(trend.number(0, k), two.comparison()->numbers[k].before);
        EXPECT_EQ(trend.number(1, k), two.comparison()->numbers[k].after);
        EXPECT_EQ(trend.number(2, k), trend.number(0, k));
        EXPECT_EQ(trend.comparisons[0].numbers[k].change, two.comparison()->numbers[k].change);
        EXPECT_EQ(trend.comparisons[0].numbers[k].because, two.comparison()->numbers[k].because);
    }
    EXPECT_EQ(trend.comparisons[0].verdict(), two.comparison()->verdict());
    EXPECT_EQ(trend.comparisons[2].verdict(), "equal");
    EXPECT_EQ(trend.whole.verdict(), "equal");
}

TEST(Trend, TheCommandTellsARowADay) {
    Words const days = {"diff", word("minhop"), word("file-broken"), word("minhop")};
    Finished const text = run_tailback(days);
    EXPECT_EQ(text.code, 0) << text.err;
    EXPECT_NE(text.out.find("From the first to the last: equal"), std::string::npos);
    Finished const csv = run_tailback(joined(days, {"--format", "csv"}));
    EXPECT_EQ(std::count(csv.out.begin(), csv.out.end(), '\n'), 4);
    nlohmann::json const json = nlohmann::json::parse(run_tailback(joined(days, {"--format", "json"})).out);
    ASSERT_EQ(json["days"].size(), 3u);
    EXPECT_EQ(json["days"][1]["verdict"], "worse");
    EXPECT_EQ(json["days"][2]["verdict"], "better");
    EXPECT_GT(json["days"][1]["numbers"]["faults"]["value"], 0);
    EXPECT_EQ(run_tailback({"diff", word("minhop"), word("minhop"), word("file-broken")}).code, 1);
    EXPECT_EQ(run_tailback(joined(days, {"--format", "html"})).code, 2);
    EXPECT_EQ(run_tailback(joined(days, {"--old-tables", "x"})).code, 2);
    EXPECT_EQ(run_tailback({"diff", word("minhop"), word("minhop"), "--format", "csv"}).code, 2);
    EXPECT_EQ(run_tailback({"diff", word("minhop"), word("minhop"), side("minhop").network}).code, 2);
}

}  // namespace
}  // namespace tailback::trend_test
