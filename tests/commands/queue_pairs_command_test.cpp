// multipath --queue-pairs 1,2,4: several numbers of queue pairs side by side are what a bracket gives of each alone,
// and the sentence says what each number buys; a bracket names both of its ends.
#include "tests/support/networks/router_fabric.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <sstream>

namespace tailback::queue_pairs_command_test {
namespace {

nlohmann::json json_of(Words const& words) {
    Finished const run = run_tailback(joined(words, {"--format", "json"}));
    EXPECT_EQ(run.code, 0) << run.err;
    return nlohmann::json::parse(run.out);
}

TEST(QueuePairsCommand, EachColumnIsThatOfABracket) {
    TemporaryFolder const folder;
    router_fabric::write(folder, router_fabric::routers(), router_fabric::Told::kernel_and_addresses);
    Words const fabric = {"--network", "frr:" + folder.path(), "--mappings", "300"};
    nlohmann::json const found = json_of(joined({"multipath", "--queue-pairs", "1,2,4,8,16"}, fabric));
    EXPECT_EQ(found.at("queue_pairs"), (std::vector<int>{1, 2, 4, 8, 16}));
    auto const mean = [](nlohmann::json const& report, std::string const& column) {
        return report.at("columns").at(column).at("hist_acc_band").at("mean").get<double>();
    };
    double before = 0;
    for (std::string const count : {"1", "2", "4", "8", "16"}) {
        EXPECT_GE(mean(found, count), before - 0.01) << count;
        before = mean(found, count);
    }
    EXPECT_LE(before, mean(found, "equal") + 1e-9);
    for (std::string const count : {"1", "4"}) {
        nlohmann::json const alone =
            json_of(joined({"bracket", "--queue-pairs", count, "--optimal-mappings", "0"}, fabric));
        EXPECT_DOUBLE_EQ(mean(found, count), mean(alone, "hash"));
        EXPECT_DOUBLE_EQ(mean(found, "equal"), mean(alone, "equal"));
        std::string const verdict = alone.at("verdict");
        EXPECT_NE(verdict.find(" The bracket goes from "), std::string::npos) << verdict;
    }
    std::string const verdict = found.at("verdict");
    // Where 99 % intervals meet, what seems to be between two is told as chance.
    auto const reach = [&](std::string const& column) {
        nlohmann::json const& ci = found.at("columns").at(column).at("hist_acc_band").at("ci99");
        return (ci.at(1).get<double>() - ci.at(0).get<double>()) / 2;
    };
    ASSERT_GT(mean(found, "16") - mean(found, "1"), reach("16") + reach("1"));
    int alike = 0;
    std::string unsure;
    for (std::string const count : {"2", "4", "8"}) {
        double const more = mean(found, count) - mean(found, "1");
        bool const is_alike = std::abs(more) <= reach(count) + reach("1");
        alike += is_alike;
        long const part = std::lround(100 * more / (mean(found, "16") - mean(found, "1")));
        std::string const told = " " + count + " add " + std::to_string(part) + " %";
        EXPECT_EQ(verdict.find(told) != std::string::npos, !is_alike) << told << ": " << verdict;
        if (is_alike) unsure += (unsure.empty() ? "" : ", ") + count;
    }
    EXPECT_NE(verdict.find("Whether " + unsure + " add anything to 1 is not clear after 300 mappings"),
              std::string::npos)
        << verdict;
    EXPECT_GT(alike, 0);
    EXPECT_NE(verdict.find(" The largest congestion, which the slowest flow of a level waits for, is "),
              std::string::npos)
        << verdict;
}

/// Definition: the kernel's hash of addresses alone, with a seed that is told, picks the same whatever is drawn:
/// columns do not depend on the seed, and no sentence says that mappings draw it.
TEST(QueuePairsCommand, AHashThatDrawsNothingIsToldSo) {
    TemporaryFolder const folder;
    router_fabric::write(folder, router_fabric::routers(), router_fabric::Told::kernel_and_addresses);
    Words const fabric = {"--network", "frr:" + folder.path(),  "--mapping", "identity", "--mappings", "3",
                          "--hash",    "linux,seed=7,policy=l3"};
    Words const many = joined({"multipath", "--queue-pairs", "1,4"}, fabric),
                one = joined({"bracket", "--optimal-mappings", "0"}, fabric);
    for (Words const& words : {many, one}) {
        Finished const run = run_tailback(words);
        EXPECT_EQ(run.code, 0) << run.err;
        EXPECT_NE(run.out.find("draws nothing"), std::string::npos) << run.out;
        for (char const* const part : {"drawn for each mapping", "one draw of the hash", "draws its own"})
            EXPECT_EQ(run.out.find(part), std::string::npos) << part << run.out;
        EXPECT_EQ(json_of(joined(words, {"--seed", "1"})).at("columns"),
                  json_of(joined(words, {"--seed", "2"})).at("columns"));
    }
    EXPECT_EQ(json_of(many).at("hash_of_each_mapping"), false);
    Finished const draws = run_tailback(joined(one, {"--hash-draws", "3"}));
    EXPECT_EQ(draws.code, 2);
    EXPECT_NE(draws.err.find("--hash-draws has no effect"), std::string::npos) << draws.err;
}

/// Definition: an order of ranks that goes by a hash which draws nothing is judged once, unless draws are asked for,
/// which is refused; a hash that draws source ports is the mean of 8.
TEST(QueuePairsCommand, PlaceJudgesAHashThatDrawsNothingOnce) {
    TemporaryFolder const folder;
    router_fabric::write(folder, router_fabric::routers(), router_fabric::Told::kernel_and_addresses);
    Words const place = {"place",   "--network", "frr:" + folder.path(), "--pattern", "1shift", "--goal", "hash",
                         "--moves", "100",       "--random-orders",      "5",         "--hash"};
    auto const draws = [&](char const* hash) { return json_of(joined(place, {hash})).at("hash_draws"); };
    EXPECT_EQ(draws("linux,seed=7,policy=l3"), 1);
    EXPECT_EQ(draws("linux,seed=7,policy=l4"), 8);
    EXPECT_EQ(draws("per-switch"), 8);
    Finished const told = run_tailback(joined(place, {"linux,seed=7,policy=l3"}));
    EXPECT_EQ(told.code, 0) << told.err;
    std::istringstream words_of(told.out);
    std::string in_one_line;
    for (std::string word; words_of >> word;) in_one_line += word + " ";
    EXPECT_NE(in_one_line.find("by a hash that draws nothing"), std::string::npos) << told.out;
    EXPECT_EQ(in_one_line.find("mean of "), std::string::npos) << told.out;
    Finished const asked = run_tailback(joined(place, {"linux,seed=7,policy=l3", "--hash-draws", "8"}));
    EXPECT_EQ(asked.code, 2) << asked.out;
    EXPECT_NE(asked.err.find("--hash-draws has no effect"), std::string::npos) << asked.err;
}

TEST(QueuePairsCommand, NeedsRoutesOfEqualCost) {
    for (auto const& [words, message] :
         {std::pair{Words{"multipath", "xgft:2;4,4;1,2", "--routing", "minhop", "--queue-pairs", "1,2"},
                    "--queue-pairs needs routes of equal cost"},
          {Words{"multipath", "frr:x", "--queue-pairs", "0"}, "--queue-pairs"},
          {Words{"multipath", "frr:x", "--queue-pairs", "2", "--spread", "all"}, "--spread"}}) {
        Finished const run = run_tailback(words);
        EXPECT_EQ(run.code, 2) << run.out;
        EXPECT_NE(run.err.find(message), std::string::npos) << run.err;
    }
}

}  // namespace
}  // namespace tailback::queue_pairs_command_test
