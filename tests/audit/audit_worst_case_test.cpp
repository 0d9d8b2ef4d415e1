// The worst case on the command line: what `tailback audit` claims, `tailback evaluate` replays by the very words it
// was told.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/shared_data.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <sstream>

namespace tailback::audit_worst_case_test {
namespace {

using Json = nlohmann::json;

std::vector<std::string> audit_tree16(std::vector<std::string> const& more, std::string const& run = "minhop") {
    std::vector<std::string> words = on_tree16(more, run);
    words[0] = "audit";
    return words;
}

/// The words after `replayed by: tailback ` in a line that holds `what`; none of them is quoted.
std::vector<std::string> replay_words(std::string const& err, std::string const& what) {
    std::istringstream lines(err);
    for (std::string line; std::getline(lines, line);) {
        std::string const mark = what + " is replayed by: tailback ";
        std::size_t const at = line.find(mark);
        if (at == std::string::npos) continue;
        std::istringstream words(line.substr(at + mark.size()));
        return {std::istream_iterator<std::string>(words), {}};
    }
    return {};
}

/// The load of the link that `of` names, and the largest of any.
std::pair<std::uint64_t, std::uint64_t> replayed(std::vector<std::string> words, Json const& of) {
    words.insert(words.end(), {"--format", "json"});
    Finished const run = run_tailback(words);
    EXPECT_EQ(run.code, 0) << run.err;
    Json const report = Json::parse(run.out);
    EXPECT_EQ(report.at("metrics").at("sum_max_cong").at("max"), report.at("metrics").at("get_cable_cong").at("max"));
    for (Json const& link : report.at("metrics").at("get_cable_cong").at("links"))
        if (link.at("from") == of.at("from") && link.at("from_port") == of.at("from_port"))
            return {link.at("sum"), report.at("metrics").at("get_cable_cong").at("max")};
    ADD_FAILURE() << "no such link";
    return {};
}

/// What takes some seconds at most is computed without being asked for; what is left out is so with any number of
/// threads.
TEST(AuditWorstCase, IsLeftOutOnlyWhereItTakesLong) {
    Finished const soon = run_tailback({"audit", "--network", "crossbar:11000", "--format", "json", "--device", "cpu"});
    EXPECT_EQ(soon.err.find("left out"), std::string::npos) << soon.err;
    Json const report = Json::parse(soon.out);
    EXPECT_EQ(report["shifts"]["shifts"], 10999);
    EXPECT_EQ(report["shifts"]["without_contention"], 10999);
    EXPECT_EQ(report["worst_permutation"]["flows"], 1);
    for (char const* const threads : {"1", "2"}) {
        Finished const late =
            run_tailback({"audit", "--network", "crossbar:40000", "--threads", threads, "--device", "cpu"});
        EXPECT_NE(late.err.find("shift permutations are left out because they would take one core about 4.8 s; "
                                "`tailback audit --shifts all` computes them"),
                  std::string::npos)
            << late.err;
    }
}

TEST(AuditWorstCase, IsReplayed) {
    TemporaryFolder const folder;
    for (char const* run : {"minhop", "ftree"}) {
        if (!std::filesystem::exists(fixtures() / "opensm/ft2-16" / run)) continue;
        Finished const audit =
            run_tailback(audit_tree16({"--format", "json", "--fail-on", "none", "--write-worst-permutation",
                                       folder / run, "--shift-order", "bfs"},
                                      run));
        ASSERT_EQ(audit.code, 0) << audit.err;
        Json const report = Json::parse(audit.out);
        Json const& worst = report.at("worst_permutation");
        EXPECT_EQ(worst.at("how"), "exact");
        std::uint64_t most = 0;
        for (Json const& link : report.at("links")) most = std::max<std::uint64_t>(most, link.at("worst_permutation"));
        EXPECT_EQ(worst.at("flows"), most);
        EXPECT_GT(most, 1u);
        EXPECT_EQ(replayed(replay_words(audit.err, "the worst permutation"), worst.at("link")),
                  (std::pair{most, most}));
        std::uint64_t const shifted = report.at("shifts").at("largest");
        if (shifted > 1) {
            EXPECT_EQ(replayed(replay_words(audit.err, "the worst shift"), report.at("shifts").at("link")),
                      (std::pair{shifted, shifted}));
        }
    }
}

/// Around a ring of one-way links everybody sends to the one before: 4 of 5 flows on every link, from and to nearly
/// everybody.
TEST(AuditWorstCase, IsReplayedWithFlowsWhereHostsBothSendAndReceive) {
    TemporaryFolder const folder;
    Finished const audit = run_tailback({"audit", "--network", "torus:5,links=one", "--routing", "dor", "--format",
                                         "json", "--fail-on", "none", "--write-worst-permutation", folder / "ring"});
    ASSERT_EQ(audit.code, 0) << audit.err;
    Json const worst = Json::parse(audit.out).at("worst_permutation");
    EXPECT_EQ(worst.at("flows"), 4);
    EXPECT_EQ(worst.at("links"), 5);
    std::vector<std::string> const words = replay_words(audit.err, "the worst permutation");
    EXPECT_NE(std::find(words.begin(), words.end(), "file:" + (folder / "ring.flows")), words.end());
    EXPECT_EQ(replayed(words, worst.at("link")), (std::pair<std::uint64_t, std::uint64_t>{4, 4}));
}

/// Exact results: D-mod-K trees as many as a leaf has hosts, the 8-ary 2-cube 4, a dragonfly a*p on a global link.
TEST(AuditWorstCase, ExactResults) {
    struct Case {
        char const *network, *routing;
        std::uint64_t worst;
        std::optional<std::uint64_t> shifted;
    };
    for (Case const& c : {Case{"xgft:m=8x16,w=1x8", "dmodk", 8, 1}, Case{"xgft:m=18x36,w=1x18", "dmodk", 18, 1},
                          Case{"torus:8x8", "dor", 4, {}}, Case{"dragonfly:a=4,p=2,h=2", "minimal", 8, 8}}) {
        Finished const audit = run_tailback(
            {"audit", "--network", c.network, "--routing", c.routing, "--format", "json", "--fail-on", "none"});
        ASSERT_EQ(audit.code, 0) << audit.err;
        Json const report = Json::parse(audit.out);
        EXPECT_EQ(report.at("worst_permutation").at("flows"), c.worst) << c.network;
        if (c.shifted) {
            EXPECT_EQ(report.at("shifts").at("largest"), *c.shifted) << c.network;
        }
    }
}

TEST(AuditWorstCase, BoundAndNone) {
    Finished const bound = run_tailback(
        audit_tree16({"--format", "json", "--fail-on", "none", "--worst-case", "bound", "--shifts", "none"}));
    Json report = Json::parse(bound.out);
    EXPECT_EQ(report.at("worst_permutation").at("how"), "bound");
    EXPECT_TRUE(report.at("shifts").is_null());
    Finished const none = run_tailback(audit_tree16({"--format", "json", "--fail-on", "none", "--worst-case", "none"}));
    report = Json::parse(none.out);
    EXPECT_TRUE(report.at("worst_permutation").is_null());
    EXPECT_TRUE(report.at("links").at(0).at("worst_permutation").is_null());
    EXPECT_EQ(report.at("shifts").at("shifts"), 15);
}

TEST(AuditWorstCase, BadUsage) {
    auto const refused = [](std::vector<std::string> const& more, std::string const& part) {
        Finished const run = run_tailback(audit_tree16(more));
        EXPECT_EQ(run.code, 2);
        EXPECT_NE(run.err.find(part), std::string::npos) << run.err;
    };
    refused({"--worst-case", "exakt"}, "the nearest is \"exact\"");
    refused({"--shifts", "some"}, "--shifts \"some\" is unknown");
    refused({"--shift-order", "lid"}, "choose one of file, bfs");
    refused({"--write-worst-permutation", "-"}, "needs a file of its own");
    refused({"--write-worst-permutation", "x", "--worst-case", "bound"}, "has nothing to write");
}

}  // namespace
}  // namespace tailback::audit_worst_case_test
