// tailback audit --bound, --certificate, --ebb: what no tables can beat, in every form of the report, and bad use.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tailback::audit_bound_test {
namespace {

Finished audit(Words words) {
    words.insert(words.begin(), "audit");
    return run_tailback(words);
}

TEST(AuditBound, SaysHowLowTablesCanGoAndWhatWouldHelp) {
    Words const tree = {"--network", "xgft:m=4x4,w=1x4", "--routing", "minhop", "--fail-cables", "switch:1"};
    auto const json = nlohmann::json::parse(audit([&] {
                                                Words words = tree;
                                                words.insert(words.end(), {"--format", "json"});
                                                return words;
                                            }())
                                                .out);
    EXPECT_EQ(json["balance"]["largest_between_switches"], 24);
    EXPECT_EQ(json["bound"]["least"], 16);  // the optimum of all tables
    EXPECT_EQ(json["bound"]["divided"]["fraction"], "16/1");
    EXPECT_EQ(json["bound"]["routes"], "shortest");
    EXPECT_EQ(json["bound"]["carriers"].size(), 6u);  // the leaf's three cables, both ways
    std::string const text = audit(tree).out;
    EXPECT_NE(text.find("The largest between switches is 24. No tables of shortest routes have less than 16 there."),
              std::string::npos)
        << text;
    EXPECT_NE(text.find("by formula; no tables can give more than"), std::string::npos);
}

TEST(AuditBound, OfLongerRoutesIsSmaller) {
    Words const dragonfly = {"--network", "dragonfly:a=4,p=2,h=2", "--routing", "minimal", "--format", "json"};
    Words any = dragonfly;
    any.insert(any.end(), {"--bound", "any"});
    auto const shortest = nlohmann::json::parse(audit(dragonfly).out), longer = nlohmann::json::parse(audit(any).out);
    EXPECT_EQ(longer["bound"]["routes"], "any");
    EXPECT_LT(longer["bound"]["divided"]["bound"], shortest["bound"]["divided"]["bound"]);
}

TEST(AuditBound, IsLeftOutWhereAsked) {
    Words const words = {"--network", "ring:5", "--bound", "none", "--ebb", "none", "--format", "json"};
    auto const json = nlohmann::json::parse(audit(words).out);
    EXPECT_TRUE(json["bound"].is_null());
    EXPECT_TRUE(json["bisection"].is_null());
}

TEST(AuditBound, SaysWhereServersForward) {
    std::string const text = audit({"--network", "dcell:n=3,k=1"}).out;
    EXPECT_NE(text.find("not known by formula: some hosts forward packets or choose"), std::string::npos) << text;
}

TEST(AuditBound, TheCertificateHasEveryPricedLink) {
    TemporaryFolder const folder;
    Finished const done = audit(
        {"--network", "torus:4x4", "--routing", "dor", "--certificate", folder / "prices.csv", "--format", "csv"});
    std::string const prices = read_whole(folder / "prices.csv");
    EXPECT_NE(prices.find("# bound: 8/1\n"), std::string::npos) << prices;
    EXPECT_NE(prices.find("# routes: shortest\n"), std::string::npos);
    EXPECT_EQ(std::count(prices.begin(), prices.end(), '\n'), 9 + 64);  // each of the torus's links is priced alike
    EXPECT_NE(prices.find(",1\n"), std::string::npos);
    EXPECT_NE(done.out.find("\nlinks,bound_price,0,"), std::string::npos);
}

TEST(AuditBound, BadUseIsRefused) {
    Finished const none = audit({"--network", "ring:5", "--bound", "none", "--certificate", "prices.csv"});
    EXPECT_EQ(none.code, 2);
    EXPECT_NE(none.err.find("--bound none computes no bound"), std::string::npos) << none.err;
    EXPECT_EQ(audit({"--network", "ring:5", "--bound", "longest"}).code, 2);
    Finished const pairs = audit({"--network", "torus:4x4", "--routing", "romm", "--bound", "any"});
    EXPECT_EQ(pairs.code, 2);
    EXPECT_NE(pairs.err.find("expected loads alone"), std::string::npos) << pairs.err;
    Finished const servers = audit({"--network", "dcell:n=3,k=1", "--certificate", "prices.csv"});
    EXPECT_EQ(servers.code, 2);
    EXPECT_NE(servers.err.find("some hosts forward packets or choose among links"), std::string::npos) << servers.err;
}

}  // namespace
}  // namespace tailback::audit_bound_test
