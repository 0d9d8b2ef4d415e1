// What programs advise to do next: the command runs, and is about the same network, routes and jobs.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace tailback::next_steps_test {
namespace {

/// The words after `tailback` of the step whose sentence begins so; none: it is not advised.
Words command_of(Finished const& run, std::string const& sentence) {
    std::istringstream lines(run.err);
    for (std::string line; std::getline(lines, line);) {
        std::size_t const at = line.find("tailback: next: " + sentence), command = line.find(": tailback ", at + 1);
        if (at == line.npos || command == line.npos) continue;
        std::istringstream words(line.substr(command + 11));
        Words found;
        for (std::string word; words >> word;) {
            std::erase(word, '\'');
            found.push_back(word);
        }
        return found;
    }
    return {};
}

Words const two_jobs = {"jobs",
                        "--network",
                        "xgft:m=8x8,w=1x4",
                        "--job",
                        "a:pattern=all-to-all,ranks=20,mapping=random",
                        "--job",
                        "b:pattern=ring,ranks=20,mapping=random",
                        "--mappings",
                        "20"};

TEST(NextSteps, TheJobThatOthersSlowMostIsPlacedBesideThem) {
    Finished const run = run_tailback(two_jobs);
    ASSERT_EQ(run.code, 0) << run.err;
    Words const next = command_of(run, "find nodes beside the others for b, which takes ");
    EXPECT_EQ(next, (Words{"place", "--network", "xgft:m=8x8,w=1x4", "--job",
                           "a:pattern=all-to-all,ranks=20,mapping=random,nodes=H[1-9],H[10-20]", "--pattern", "ring",
                           "--ranks", "20"}))
        << run.err;
    Finished const placed = run_tailback(joined(next, {"--moves", "1000", "--random-orders", "0"}));
    EXPECT_EQ(placed.code, 0) << placed.err;
    EXPECT_NE(placed.out.find("20 nodes for 20 ranks"), std::string::npos) << placed.out;
}

/// dmodk keeps to its formula whatever fails; others do not.
TEST(NextSteps, OfFailedCablesTellWhichRoutingsGoRoundThem) {
    Words const network = {"--network", "xgft:m=4x4,w=1x4", "--fail-cables", "switch:2"};
    Words const with_dmodk = joined({"evaluate", "--mappings", "5"}, joined(network, {"--routing", "dmodk"}));
    Words const next = command_of(run_tailback(with_dmodk), "see which routings go round what fails");
    ASSERT_FALSE(next.empty());
    Finished const tried = run_tailback(next);
    std::istringstream lines(tried.out);
    bool found = false;
    for (std::string line; std::getline(lines, line);) {
        std::istringstream columns(line);
        std::vector<std::string> cells(std::istream_iterator<std::string>(columns), {});
        found = found || (cells.size() == 6 && cells[5] == "minhop" && cells[3] == "0");  // not delivered
    }
    EXPECT_TRUE(found) << tried.out;
    Words const with_minhop = joined({"evaluate", "--mappings", "5"}, joined(network, {"--routing", "minhop"}));
    EXPECT_TRUE(command_of(run_tailback(with_minhop), "see which routings").empty());
}

// Others would be somewhere else in the next mapping.
TEST(NextSteps, NobodyIsPlacedBesideJobsWhoseNodesAreDrawn) {
    Finished const run =
        run_tailback({"jobs", "--network", "xgft:m=8x8,w=1x4", "--job", "a:pattern=all-to-all,nodes=any:20", "--job",
                      "b:pattern=ring,nodes=any:20", "--mappings", "20"});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err.find("next:"), std::string::npos) << run.err;
}

TEST(NextSteps, JobsOfAFileHaveNone) {
    TemporaryFolder const folder;
    std::string const file = folder.write("jobs.yaml",
                                          "jobs:\n  - name: a\n    pattern: all-to-all\n    nodes: any:20\n"
                                          "  - name: b\n    pattern: ring\n    nodes: any:20\n");
    Finished const run = run_tailback({"jobs", "--network", "xgft:m=8x8,w=1x4", "--jobs", file, "--mappings", "20"});
    ASSERT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.err.find("next:"), std::string::npos) << run.err;
}

TEST(NextSteps, AHashThatLosesMuchIsTriedWithMoreQueuePairs) {
    Words const words = {
        "bracket",       "--network", "frr:" + fixture("../../examples/roce"), "--mappings", "50", "--pattern", "rand",
        "--queue-pairs", "2"};
    Finished const run = run_tailback(words);
    ASSERT_EQ(run.code, 0) << run.err;
    Words const next = command_of(run, "see what more queue pairs");
    ASSERT_FALSE(next.empty()) << run.err << run.out;
    Words const study(words.begin() + 1, words.end() - 2);
    for (std::string const& word : study) EXPECT_NE(std::find(next.begin(), next.end(), word), next.end()) << word;
    EXPECT_EQ(next.back(), "1,2,4,8,16");
    Finished const tried = run_tailback(joined(next, {"--format", "json"}));
    ASSERT_EQ(tried.code, 0) << tried.err;
    // The equal division is the same number in both.
    nlohmann::json const before = nlohmann::json::parse(run_tailback(joined(words, {"--format", "json"})).out),
                         after = nlohmann::json::parse(tried.out);
    EXPECT_EQ(before["columns"]["equal"]["hist_acc_band"]["mean"], after["columns"]["equal"]["hist_acc_band"]["mean"]);
}

TEST(NextSteps, FailedCablesOfRoutersLeadToWhatTheyBringBack) {
    Words const words = {"audit", "--network", "frr:" + fixture("../../examples/roce"), "--fail-cables",
                         "leaf01:swp49"};
    Finished const run = run_tailback(words);
    EXPECT_EQ(run.code, 1) << run.err;
    EXPECT_NE(run.out.find("routes go by an interface without a cable [port-without-cable]"), std::string::npos)
        << run.out;
    EXPECT_EQ(run.out.find("LIDs are sent"), std::string::npos) << run.out;
    for (char const* const step : {"--return-cables failed", "tailback bracket", "tailback evaluate"})
        EXPECT_NE(run.out.find(step), std::string::npos) << step << run.out;
    // Its ports have their names.
    Finished const back = run_tailback(joined(words, {"--return-cables", "failed"}));
    EXPECT_EQ(back.code, 1) << back.err;
    EXPECT_NE(back.out.find("leaf01 [swp49] -> spine01 [swp1]"), std::string::npos) << back.out;
    EXPECT_EQ(back.out.find("leaf01 [3]"), std::string::npos) << back.out;
    // One that is there fails first.
    Finished const there = run_tailback({words[0], words[1], words[2], "--return-cables", "leaf01:swp49"});
    EXPECT_EQ(there.code, 2);
    EXPECT_NE(there.err.find("--return-cables leaf01:swp49: this cable is there"), std::string::npos) << there.err;
}

/// What is returned are cables between switches: that of a host is none of them.
TEST(NextSteps, TheCableOfAHostIsNotReturned) {
    Words words = {"audit", "--network", "xgft:m=4x4,w=1x2", "--routing", "minhop", "--fail-cables", "H1:1"};
    Finished const host = run_tailback(words);
    EXPECT_EQ(host.out.find("--return-cables"), std::string::npos) << host.out;
    words.back() = "H1:1,S1_0:5";
    Finished const both = run_tailback(words);
    EXPECT_NE(both.out.find("--return-cables failed"), std::string::npos) << both.out << both.err;
}

}  // namespace
}  // namespace tailback::next_steps_test
