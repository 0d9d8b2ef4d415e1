// tailback improve: tables and report go where they are asked for, budgets repeat a search, nonsense is refused.
#include "host/base/error.hpp"
#include "host/commands/command.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace tailback::improve_command_test {
namespace {

std::vector<std::string> const on_fixture = {
    "--network", fixture("opensm/dragonfly-a4p2h2/minhop/ibnetdiscover.out.xz"),
    "--tables",  fixture("opensm/dragonfly-a4p2h2/minhop/opensm-lfts.dump.xz"),
    "--moves",   "20k",
    "--orders",  "60"};

std::vector<std::string> with(std::vector<std::string> words, std::vector<std::string> const& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

TEST(ImproveCommand, WritesTablesThatTheAuditFindsFree) {
    TemporaryFolder const folder;
    ASSERT_EQ(
        run_improve(with(on_fixture, {"-o", folder / "a.lfts", "--format", "json", "--report", folder / "a.json"})),
        success);
    nlohmann::json const report = nlohmann::json::parse(read_whole(folder / "a.json"));
    EXPECT_EQ(report["schema"], "tailback-improve-1");
    EXPECT_EQ(report["outcome"], "improved");
    EXPECT_EQ(report["before"]["deadlock_free"], false);
    EXPECT_EQ(report["after"]["deadlock_free"], true);
    EXPECT_EQ(report["after"]["pairs_not_delivered"], 0);
    EXPECT_EQ(report["search"]["by_order"], true);
    EXPECT_EQ(report["search"]["orders"], 60);
    ASSERT_EQ(run_audit({"--network", on_fixture[1], "--tables", folder / "a.lfts", "--path-sl", "none", "--format",
                         "json", "--output", folder / "audit.json"}),
              success);
    nlohmann::json const audit = nlohmann::json::parse(read_whole(folder / "audit.json"));
    EXPECT_EQ(audit["deadlock"]["free"], true);
    EXPECT_EQ(audit["pairs"]["delivered"], audit["pairs"]["total"]);
}

TEST(ImproveCommand, WritesTheSameBytesWithAnyNumberOfThreads) {
    TemporaryFolder const folder;
    std::string tables, report;
    for (char const* const threads : {"1", "2", "7"}) {
        std::string const file = folder / (std::string("t") + threads);
        ASSERT_EQ(run_improve(with(on_fixture, {"-o", file, "--report", file + ".txt", "--threads", threads})),
                  success);
        if (tables.empty()) {
            tables = read_whole(file);
            report = read_whole(file + ".txt");
        }
        EXPECT_EQ(read_whole(file), tables);
        EXPECT_EQ(read_whole(file + ".txt"), report);
    }
    EXPECT_NE(report.find("collisions a permutation"), std::string::npos);
    EXPECT_NE(report.find("Live: "), std::string::npos);
}

/// The first sentence is of what was made small; a line, and `worse`, name every number of the table that got worse.
TEST(ImproveCommand, TellsWhatWasMadeSmallAndWhatGotWorse) {
    TemporaryFolder const folder;
    for (auto const& [objective, words] : {std::pair{"collisions", " collisions a permutation in place of "},
                                           {"max-load", " pairs at most on a link between switches"},
                                           {"permutation", "a permutation puts "}}) {
        std::string const file = folder / objective;
        std::vector<std::string> const search =
            with(on_fixture, {"--lanes", "3", "--objective", objective, "--report", file});
        ASSERT_EQ(run_improve(with(search, {"--format", "json"})), success);
        nlohmann::json const report = nlohmann::json::parse(read_whole(file)), &was = report["before"],
                             &is = report["after"];
        ASSERT_EQ(report["outcome"], "improved");
        ASSERT_EQ(run_improve(search), success);
        std::string text = read_whole(file);
        std::string first = text.substr(0, text.find("\n\n"));
        for (std::string* const one : {&text, &first}) std::replace(one->begin(), one->end(), '\n', ' ');
        EXPECT_NE(first.find(words), std::string::npos) << first;
        std::set<std::string> worse;
        for (char const* const key : {"collisions_per_permutation", "largest_load", "worst_permutation", "worst_shift",
                                      "pairs_on_a_detour", "pairs_not_delivered"})
            if (double(is[key]) > double(was[key]) * (1 + 1e-3)) worse.insert(key);
        EXPECT_EQ(std::set<std::string>(report["worse"]), worse) << report;
        EXPECT_NE(text.find(worse.empty() ? "Nothing of this got worse." : "Worse than before: "), std::string::npos);
        for (auto const& [key, name] : {std::pair{"worst_shift", "worst shift "}, {"largest_load", "largest load "}})
            if (worse.contains(key)) {
                EXPECT_NE(text.find(name, text.find("Worse than before: ")), std::string::npos) << text;
            }
    }
}

TEST(ImproveCommand, WritesServiceLevelsWhereLanesAreThere) {
    TemporaryFolder const folder;
    ASSERT_EQ(run_improve(with(on_fixture, {"--lanes", "3", "-o", folder / "a.lfts", "--service-levels", folder / "sl",
                                            "--report", folder / "a.txt"})),
              success);
    EXPECT_NE(read_whole(folder / "a.txt").find("free on 3 lanes"), std::string::npos);
    ASSERT_EQ(run_audit({"--network", on_fixture[1], "--tables", folder / "a.lfts", "--path-sl", folder / "sl",
                         "--output", folder / "audit.txt"}),
              success);
    EXPECT_NE(read_whole(folder / "audit.txt").find("on 3 virtual lanes: free"), std::string::npos)
        << read_whole(folder / "audit.txt");
}

TEST(ImproveCommand, TellsTheWorstPermutationThatTheAuditFinds) {
    TemporaryFolder const folder;
    ASSERT_EQ(run_improve(with(on_fixture, {"--objective", "permutation", "--lanes", "3", "-o", folder / "a.lfts",
                                            "--format", "json", "--report", folder / "a.json"})),
              success);
    nlohmann::json const report = nlohmann::json::parse(read_whole(folder / "a.json"));
    EXPECT_EQ(report["objective"], "permutation");
    ASSERT_EQ(run_audit({"--network", on_fixture[1], "--tables", folder / "a.lfts", "--path-sl", "none", "--format",
                         "json", "--output", folder / "audit.json"}),
              faults_found);  // of one lane
    nlohmann::json const audit = nlohmann::json::parse(read_whole(folder / "audit.json"));
    EXPECT_EQ(audit["worst_permutation"]["flows"], report["after"]["worst_permutation"]);
    EXPECT_LT(report["after"]["worst_permutation"], report["before"]["worst_permutation"]);
}

TEST(ImproveCommand, CountsThePairsThatTheAuditFindsDelivered) {
    TemporaryFolder const folder;
    std::string const network = folder / "net";
    std::string tables = folder / "lfts";
    for (auto const& [form, file] : {std::pair("ibnetdiscover", network), std::pair("lft-dump", tables)})
        ASSERT_EQ(run_convert({"xgft:m=3x2,w=1x1", "--to", form, "--output", file}), success);
    std::string text = read_whole(tables);
    for (char const* const entry : {"0x0001 001 ", "0x0004 001 "}) {  // of H1 and H4 at their own leaf switches
        std::size_t const at = text.find(entry, entry[5] == '1' ? 0 : text.find("('S1_1')"));
        ASSERT_NE(at, text.npos);
        text.erase(at, text.find('\n', at) + 1 - at);
    }
    tables = folder.write("damaged", text);
    ASSERT_EQ(run_audit({"--network", network, "--tables", tables, "--format", "json", "--output", folder / "audit"}),
              faults_found);
    nlohmann::json const audit = nlohmann::json::parse(read_whole(folder / "audit"));
    ASSERT_EQ(run_improve({"--network", network, "--tables", tables, "-o", folder / "better", "--format", "json",
                           "--report", folder / "a.json"}),
              success);
    nlohmann::json const before = nlohmann::json::parse(read_whole(folder / "a.json"))["before"];
    EXPECT_EQ(before["pairs_not_delivered"], 10);
    EXPECT_EQ(before["largest_load"], 6);
    EXPECT_EQ(before["largest_load"], audit["balance"]["largest_between_switches"]);
    // Four links, each with six flows from three sources to two targets: (36 - 3 4 - 2 9 + 6) / 2 pairs of them, which
    // meet on two links in a row and count once.
    EXPECT_NEAR(before["collisions_per_permutation"].get<double>(), 2 * 6.0 / 30, 1e-9);
}

/// An input that can stand still is nothing to load, and so few entries do not change that.
TEST(ImproveCommand, WritesNoTablesThatCanStandStill) {
    TemporaryFolder const folder;
    std::vector<std::string> const words = {"torus:4x4", "--routing", "random",         "--changes",
                                            "2",         "-o",        folder / "x",     "--format",
                                            "json",      "--report",  folder / "x.json"};
    ASSERT_EQ(run_improve(words), faults_found);
    EXPECT_FALSE(std::filesystem::exists(folder / "x"));
    nlohmann::json const report = nlohmann::json::parse(read_whole(folder / "x.json"));
    EXPECT_EQ(report["after"]["deadlock_free"], false);
    EXPECT_NE(report["outcome"], "improved");
    ASSERT_TRUE(report["best_routing"].is_object());
    std::vector<std::string> many = words;  // as many as the whole search changes
    many[4] = "1000";
    ASSERT_EQ(run_improve(many), success);
    nlohmann::json const whole = nlohmann::json::parse(read_whole(folder / "x.json"));
    EXPECT_EQ(whole["after"]["deadlock_free"], true);
    EXPECT_TRUE(std::filesystem::exists(folder / "x"));
    many[4] = std::to_string(whole["changes"]["entries"].get<int>());
    EXPECT_EQ(run_improve(many), success);
    std::string const best = report["best_routing"]["routing"];
    EXPECT_EQ(run_audit({"torus:4x4", "--routing", best, "--path-sl", "none", "--output", folder / "audit"}), success)
        << best;
}

std::string problem_of(std::vector<std::string> const& words) {
    try {
        run_improve(words);
    } catch (InputError const& error) {
        return error.what();
    }
    return "";
}

/// What a file of tables has no room for is told, and an endpoint that is left out has a row that fits a terminal.
TEST(ImproveCommand, TellsWhatAFileLacksAndWhoIsLeftOut) {
    TemporaryFolder const folder;
    Words const words = {"improve", "xgft:m=4x4,w=1x2", "--routing", "minhop", "--lmc", "1", "--moves", "1000", "-o"};
    Finished const dot = run_tailback(joined(words, {folder / "a.dot", "--to", "orcs-dot"}));
    EXPECT_EQ(dot.code, 0) << dot.err;
    EXPECT_NE(dot.err.find("the LMC is not written"), std::string::npos) << dot.err;
    Finished const dump = run_tailback(joined(words, {folder / "a.lfts"}));
    EXPECT_EQ(dump.code, 0) << dump.err;
    EXPECT_EQ(dump.err.find("the LMC is not written"), std::string::npos) << dump.err;
    Finished const few =
        run_tailback({"improve", "torus:5x3", "--routing", "minhop", "--hosts", "H[1-3]", "--moves", "1000"});
    EXPECT_NE(few.out.find("  deadlock, endpoints left out too          possible          possible\n"),
              std::string::npos)
        << few.out;
}

TEST(ImproveCommand, RefusesNonsense) {
    TemporaryFolder const folder;
    std::string const out = folder / "x";
    EXPECT_NE(problem_of(with(on_fixture, {"--to", "ibnetdiscover", "-o", out})).find("holds no tables"),
              std::string::npos);
    EXPECT_NE(problem_of(with(on_fixture, {"--to", "lft-dump"})).find("no tables are written"), std::string::npos);
    EXPECT_NE(problem_of(with(on_fixture, {"--lanes", "0"})).find("--lanes"), std::string::npos);
    EXPECT_NE(problem_of(with(on_fixture, {"--lanes", "16"})).find("--lanes"), std::string::npos);
    EXPECT_NE(problem_of(with(on_fixture, {"--slack", "16"})).find("--slack"), std::string::npos);
    EXPECT_NE(problem_of(with(on_fixture, {"--slack", "-1"})).find("--slack"), std::string::npos);
    EXPECT_NE(problem_of(with(on_fixture, {"--objective", "worst"})).find("permutation"), std::string::npos);
    EXPECT_NE(problem_of(with(on_fixture, {"--time", "soon"})).find("--time"), std::string::npos);
    EXPECT_NE(problem_of(with(on_fixture, {"-o", on_fixture[1]})).find("replace an input"), std::string::npos);
    EXPECT_FALSE(std::filesystem::exists(out));
}

}  // namespace
}  // namespace tailback::improve_command_test
