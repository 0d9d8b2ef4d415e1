// What the headline, the JSON and the exit code of an audit say together: nothing examined is nothing sound, bad
// balance is named, a deadlock verdict that hangs on unknown service levels is undecided, and the pairs of chosen hosts
// are compared with what they could have.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <regex>

namespace tailback::audit_verdict_test {
namespace {

Finished audit(std::vector<std::string> const& more) {
    std::vector<std::string> words = {"audit", "--device", "cpu"};
    words.insert(words.end(), more.begin(), more.end());
    return run_tailback(words);
}

nlohmann::json json_of(std::vector<std::string> more) {
    more.insert(more.end(), {"--format", "json"});
    return nlohmann::json::parse(audit(more).out);
}

/// The lines of the verdict, in one.
std::string headline(std::string const& report) {
    std::string text = report.substr(0, report.find("\n\n"));
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

std::vector<std::string> with(std::vector<std::string> words, std::vector<std::string> const& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

/// No pair is no audit: nobody may read SOUND of it.
TEST(AuditVerdict, FewerThanTwoHostsAreRefused) {
    std::vector<std::string> const tree = {"--network", "xgft:m=4x4,w=1x4"};
    for (auto const& [words, message] : {
             std::pair{std::vector<std::string>{"--network", "crossbar:1"}, "the network has one host alone"},
             {with(tree, {"--hosts", "H1"}), "one host alone fits --hosts \"H1\""},
             {with(tree, {"--hosts", "Q*"}), "no host's name fits --hosts \"Q*\""},
             {with(tree, {"--hosts", ""}), "--hosts has an empty pattern"},
             {with(tree, {"--hosts="}), "--hosts has an empty pattern"},
         }) {
        Finished const ran = audit(words);
        EXPECT_EQ(ran.code, 2) << message;
        EXPECT_EQ(ran.out, "");
        EXPECT_NE(ran.err.find(message), std::string::npos) << ran.err;
    }
    EXPECT_EQ(audit(with(tree, {"--hosts", "H[12]"})).code, 0);
}

/// Hosts that no packet can be sent to, as their ports are not up: whatever counts, this is no success.
TEST(AuditVerdict, NoPairIsNothingExamined) {
    TemporaryFolder const folder;
    ASSERT_EQ(run_tailback({"generate", "crossbar:3", "--output", folder / "net"}).code, 0);
    std::string text = read_whole(folder / "net/ibnetdiscover.out");
    text = std::regex_replace(text, std::regex("(# lid )[0-9]+( lmc)"), "$010$2");
    text = std::regex_replace(text, std::regex("(# \"H[0-9]+\" lid )[0-9]+"), "$010");
    std::string const network = folder.write("no_lids", text);
    std::vector<std::string> const words = {"--network", network, "--tables", folder / "net/opensm-lfts.dump"};
    for (char const* const fail_on : {"loop", "none", "all"}) {
        Finished const ran = audit(with(words, {"--fail-on", fail_on}));
        EXPECT_EQ(ran.code, 1) << ran.err;
        EXPECT_NE(headline(ran.out).find(" NOTHING EXAMINED: no host has a LID of its own"), std::string::npos)
            << headline(ran.out);
    }
    EXPECT_EQ(json_of(words)["verdict"]["result"], "nothing_examined");
}

/// All routes over one of eight spines: it works, and nobody would call it sound.
TEST(AuditVerdict, NamesBadBalance) {
    std::vector<std::string> const bad = {"--network", "xgft:m=8x8,w=1x8", "--routing", "bfs"};
    Finished const ran = audit(bad);
    EXPECT_EQ(ran.code, 0);
    EXPECT_NE(
        headline(ran.out).find(" SOUND BUT BADLY BALANCED: a link level 1 -> level 2 carries 8.00 times its share "
                               "(S1_0 [9] -> S2_0 [1])"),
        std::string::npos)
        << headline(ran.out);
    auto const json = json_of(bad);
    EXPECT_EQ(json["verdict"]["result"], "unbalanced");
    EXPECT_EQ(json["verdict"]["unbalanced"], true);
    EXPECT_EQ(json["verdict"]["faults"], 0);

    Finished const worse = audit(with(bad, {"--fail-on", "unused"}));
    EXPECT_EQ(worse.code, 1);
    EXPECT_NE(headline(worse.out).find("FAULTS: 56 unused; badly balanced: a link level 1 -> level 2"),
              std::string::npos)
        << headline(worse.out);

    auto const good = json_of({"--network", "xgft:m=8x8,w=1x8", "--routing", "dmodk"});
    EXPECT_EQ(good["verdict"]["result"], "sound");
    EXPECT_EQ(good["verdict"]["unbalanced"], false);
}

/// Tables of lash: a cycle at level 0 that its levels avoid.
class ServiceLevelVerdict : public ::testing::Test {
protected:
    std::string const lash_ = (fixtures() / "opensm/dragonfly-a4p2h2/lash").string() + "/";
    std::vector<std::string> const tables_ = {
        "--network", (fixtures() / "opensm/dragonfly-a4p2h2/minhop/ibnetdiscover.out.xz").string(), "--tables",
        lash_ + "opensm-lfts.dump.xz"};
    std::vector<std::string> const lanes_ = {"--sl2vl", lash_ + "opensm-sl2vl.dump.xz"};
    std::vector<std::string> const levels_ = {"--path-sl", lash_ + "path-sl.txt.xz"};
};

TEST_F(ServiceLevelVerdict, IsUndecidedWhereLevelsAreNotKnown) {
    for (auto const& words : {tables_, with(tables_, lanes_)}) {
        Finished const ran = audit(words);
        EXPECT_EQ(ran.code, 1);
        EXPECT_NE(headline(ran.out).find(" UNDECIDED: whether packets can deadlock depends on service levels that are "
                                         "not given (add --path-sl none where the routing uses none"),
                  std::string::npos)
            << headline(ran.out);
        EXPECT_EQ(ran.out.find("FAULTS"), std::string::npos);
        EXPECT_NE(ran.out.find("undecided; at service level 0: "), std::string::npos);
        EXPECT_NE(ran.out.find("--path-sl none"), std::string::npos);
        auto const json = json_of(words);
        EXPECT_EQ(json["verdict"]["result"], "undecided");
        EXPECT_EQ(json["verdict"]["undecided"], true);
        EXPECT_EQ(json["verdict"]["faults"], 0);
        EXPECT_TRUE(json["deadlock"]["free"].is_null());
        EXPECT_FALSE(json["deadlock"]["cycles"].empty());
        EXPECT_EQ(audit(with(words, {"--fail-on", "loop"})).code, 0);
    }
}

TEST_F(ServiceLevelVerdict, IsDecidedByLevelsOrByBeingToldThatThereAreNone) {
    auto const avoided = json_of(with(with(tables_, lanes_), levels_));
    EXPECT_EQ(avoided["verdict"]["result"], "sound");
    EXPECT_EQ(avoided["deadlock"]["free"], true);

    Finished const none = audit(with(tables_, {"--path-sl", "none"}));
    EXPECT_EQ(none.code, 1);
    EXPECT_NE(headline(none.out).find(" FAULTS: "), std::string::npos) << headline(none.out);
    EXPECT_NE(headline(none.out).find(" deadlock"), std::string::npos);
    EXPECT_EQ(none.out.find("undecided"), std::string::npos) << none.out;
    auto const json = json_of(with(tables_, {"--path-sl", "none"}));
    EXPECT_EQ(json["verdict"]["result"], "faults");
    EXPECT_EQ(json["verdict"]["undecided"], false);
    EXPECT_EQ(json["deadlock"]["free"], false);
}

/// What the program itself routes without lanes has no levels to be told.
TEST_F(ServiceLevelVerdict, IsDecidedForRoutingsOfTheProgram) {
    Finished const ran = audit({"--network", "torus:5x5", "--routing", "dor"});
    EXPECT_EQ(ran.code, 1);
    EXPECT_NE(headline(ran.out).find(" FAULTS: 20 deadlock"), std::string::npos) << headline(ran.out);
    EXPECT_EQ(ran.out.find("--path-sl"), std::string::npos);
}

/// However few hosts of an evenly routed tree are chosen: no link is hot, and what they cannot use is not unused.
TEST(AuditVerdict, ChosenHostsAreComparedWithWhatTheyCouldHave) {
    std::vector<std::string> const some = {"--network", "xgft:m=18x36,w=1x18", "--hosts"};
    for (char const* const hosts : {"H[12]", "H[1-9]", "H1[0-9]", "H*"}) {
        auto const json = json_of(with(some, {hosts}));
        SCOPED_TRACE(hosts);
        EXPECT_EQ(json["verdict"]["result"], "sound");
        for (auto const& stage : json["balance"]["stages"]) {
            if (stage["pairs"] == 0) continue;
            EXPECT_NEAR(stage["largest"].get<double>(), stage["ideal"].get<double>(), 1e-9) << stage;
        }
    }
    EXPECT_EQ(json_of(with(some, {"H[12]"}))["verdict"]["findings"]["unused"], 0);  // they need no spine
}

struct Text {
    double x = 0, y = 0, size = 13;
    std::string words;
};

std::vector<Text> texts_of(std::string const& svg) {
    static std::regex const element("<text ([^>]*)>([^<]*)</text>"), x("x=\"([0-9.]+)\""), y(" y=\"([0-9.]+)\""),
        size("font-size=\"([0-9.]+)\"");
    std::vector<Text> texts;
    for (std::sregex_iterator at(svg.begin(), svg.end(), element), end; at != end; ++at) {
        std::string const attributes = (*at)[1];
        Text text{.words = (*at)[2]};
        std::smatch found;
        if (std::regex_search(attributes, found, x)) text.x = std::stod(found[1]);
        if (std::regex_search(attributes, found, y)) text.y = std::stod(found[1]);
        if (std::regex_search(attributes, found, size)) text.size = std::stod(found[1]);
        texts.push_back(text);
    }
    return texts;
}

/// The headline ends before the legend begins, in a font of wide letters and with faults to tell.
TEST(AuditPicture, HeadlineKeepsClearOfTheLegend) {
    std::vector<Text> const texts =
        texts_of(audit({"--network", "xgft:m=18x36,w=1x18", "--fail-switches", "2", "--routing", "updn", "--fail-on",
                        "all", "--worst-case", "none", "--shifts", "none", "--format", "svg"})
                     .out);
    double legend = 0;
    for (Text const& text : texts)
        if (text.words.starts_with("hottest link of a cable")) legend = text.x;
    ASSERT_GT(legend, 0);
    std::size_t lines = 0;
    for (Text const& text : texts) {
        if (text.y > 90 || text.x >= legend) continue;
        ++lines;
        EXPECT_LT(text.x + 0.62 * text.size * double(text.words.size()), legend - 20) << text.words;
    }
    EXPECT_EQ(lines, 3u);
}

/// Where switches are too many to be named the ten hottest cables are, each on a line of its own.
TEST(AuditPicture, NamesTheHottestCablesOfALargeFabric) {
    std::vector<std::string> const words = {"--network", "xgft:m=8x96,w=1x8", "--routing", "random",   "--format",
                                            "svg",       "--worst-case",      "none",      "--shifts", "none"};
    std::vector<Text> listed;
    for (Text const& text : texts_of(audit(words).out))
        if (text.words.find(" times its share") != std::string::npos) listed.push_back(text);
    ASSERT_EQ(listed.size(), 10u);
    for (std::size_t i = 0; i < listed.size(); ++i) {
        EXPECT_TRUE(listed[i].words.starts_with(std::to_string(i + 1) + ". S")) << listed[i].words;
        EXPECT_NE(listed[i].words.find("-&gt; S"), std::string::npos) << listed[i].words;
        if (i > 0) {
            EXPECT_GE(listed[i].y - listed[i - 1].y, listed[i].size + 3);
        }
    }
    for (Text const& text :
         texts_of(audit({"--network", "xgft:m=8x8,w=1x8", "--routing", "bfs", "--format", "svg"}).out))
        EXPECT_EQ(text.words.find(" times its share"), std::string::npos) << "all are named where there is room";
}

}  // namespace
}  // namespace tailback::audit_verdict_test
