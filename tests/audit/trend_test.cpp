// A fabric over many days (docs/audit.md, Better than yesterday): the numbers of a day are those of an audit and of a
// comparison of two, whatever days stand around it.
#include "host/api/diff.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/temporary_folder.hpp"
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

/// The sums of a group on a day are those of an audit of that day alone.
TEST(Trend, GroupsAreThoseOfEachDaysAudit) {
    Words const days = {"diff", word("minhop"), word("file-broken"), word("minhop"), "--group-by", "leaf"};
    nlohmann::json const trend = nlohmann::json::parse(run_tailback(joined(days, {"--format", "json"})).out);
    std::string csv = run_tailback(joined(days, {"--format", "csv"})).out;
    ASSERT_EQ(trend["days"].size(), 3u);
    for (std::size_t day = 0; day < 3; ++day) {
        DiffSide const one = side(day == 1 ? "file-broken" : "minhop");
        nlohmann::json const audit =
            nlohmann::json::parse(run_tailback({"audit", "--network", one.network, "--tables", *one.tables,
                                                "--group-by", "leaf", "--format", "json"})
                                      .out);
        ASSERT_EQ(trend["days"][day]["groups"].size(), audit["groups"].size());
        for (std::size_t g = 0; g < audit["groups"].size(); ++g) {
            EXPECT_EQ(trend["days"][day]["groups"][g]["name"], audit["groups"][g]["name"]);
            for (auto const& [key, value] : trend["days"][day]["groups"][g]["sums"].items())
                EXPECT_EQ(value, audit["groups"][g][key]) << key;
        }
    }
    EXPECT_TRUE(csv.starts_with("day,group,hosts,switches,faults,"));
    EXPECT_EQ(std::size_t(std::count(csv.begin(), csv.end(), '\n')), 1 + 3 * trend["days"][0]["groups"].size());
    std::string const text = run_tailback(days).out;
    EXPECT_NE(text.find("By group (5 groups, "), std::string::npos) << text;
    EXPECT_EQ(run_tailback(joined(days, {"--output", "-"})).code, 0);
}

/// A file of groups is an input: it is not written over.
TEST(Trend, AFileOfGroupsIsNotWrittenOver) {
    TemporaryFolder const folder;
    std::string const groups = folder.write("groups", "rack1 leaf-01\n");
    for (Words const& sides :
         {Words{word("minhop"), word("file-broken")}, Words{word("minhop"), word("file-broken"), word("minhop")}}) {
        Words const words = joined(joined({"diff"}, sides), {"--group-by", "file:" + groups, "--output", groups});
        EXPECT_EQ(run_tailback(words).code, 2);
        EXPECT_EQ(read_whole(groups), "rack1 leaf-01\n");
    }
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
    // Faults of the day before are told as gone, not as if they were there.
    EXPECT_EQ(json["days"][1]["numbers"]["faults"]["cause"], "new");
    EXPECT_EQ(json["days"][2]["numbers"]["faults"]["cause"], "gone");
    EXPECT_EQ(json["days"][2]["numbers"]["hosts"]["cause"], nullptr);
    std::size_t const better = text.out.find("\nBetter: faults");
    ASSERT_NE(better, std::string::npos) << text.out;
    EXPECT_NE(text.out.find("\n  faults, new: "), std::string::npos) << text.out;
    EXPECT_NE(text.out.find("\n  faults, gone: ", better), std::string::npos) << text.out;
    EXPECT_EQ(text.out.find("\n  faults, gone: "), text.out.find("\n  faults, gone: ", better));
    EXPECT_EQ(text.out.find("\n  faults, new: ", better), std::string::npos);
    EXPECT_EQ(run_tailback({"diff", word("minhop"), word("minhop"), word("file-broken")}).code, 1);
    EXPECT_EQ(run_tailback(joined(days, {"--format", "html"})).code, 2);
    EXPECT_EQ(run_tailback(joined(days, {"--old-tables", "x"})).code, 2);
    EXPECT_EQ(run_tailback({"diff", word("minhop"), word("minhop"), "--format", "csv"}).code, 2);
    EXPECT_EQ(run_tailback({"diff", word("minhop"), word("minhop"), side("minhop").network}).code, 2);
}

}  // namespace
}  // namespace tailback::trend_test
