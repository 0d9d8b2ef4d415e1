// Goals of `tailback place` that an evaluation of each order tells: what it says of the order found is what `evaluate`
// and `bracket` say of the mapping that it writes, of any number of threads the same.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>

namespace tailback::place_goals_test {
namespace {

using Json = nlohmann::json;

Json parsed(Words const& words) {
    Finished const done = run_tailback(joined(words, {"--format", "json", "--quiet"}));
    EXPECT_EQ(done.code, 0) << done.err;
    return Json::parse(done.out, nullptr, false);
}

struct Case {
    Words study;
    char const* goal;
    char const* metric;
};

TEST(PlaceGoals, AreWhatEvaluateSays) {
    Words const tree = {"xgft:m=4x4,w=1x2", "--pattern", "stencil-2d:size=100", "--ranks", "16"};
    Words const rails = {"rail:gpus=2,nodes=4,groups=2",
                         "--pattern",
                         "uniform:flows=60,size=1000",
                         "--ranks",
                         "16",
                         "--ranks-per-node",
                         "2"};
    Words const dragonfly = {"dragonfly:a=4,p=2,h=2", "--pattern", "all-to-all", "--ranks", "72"};  // at the bound
    for (Case const& one : std::vector<Case>{{tree, "rate", "max_min_least"},
                                             {rails, "rate", "max_min_least"},
                                             {tree, "makespan", "makespan"},
                                             {rails, "makespan", "makespan"},
                                             {dragonfly, "makespan", "makespan"},
                                             {dragonfly, "rate", "max_min_least"},
                                             {joined(rails, {"--rail-aligned"}), "makespan", "makespan"},
                                             {tree, "completion-time", "completion_time"}}) {
        TemporaryFolder const folder;
        std::string const mapping = folder / "mapping";
        Words const place =
            joined(joined({"place"}, one.study), {"--mapping", "cyclic", "--goal", one.goal, "--moves", "100k",
                                                  "--random-orders", "50", "--write", "mapping:" + mapping});
        Json const found = parsed(place);
        SCOPED_TRACE(found.dump());
        bool has_block = false;  // beside an order that launchers have by themselves
        for (Json const& order : found["orders"]) has_block = has_block || order["name"] == "block";
        EXPECT_TRUE(has_block || one.study == dragonfly || one.study[0].starts_with("xgft"));  // there cyclic is block
        Json const said =
            parsed(joined(joined({"evaluate"}, one.study), {"--metric", one.metric, "--mapping", "file:" + mapping}));
        double const value = found["orders"].back()["value"], first = found["orders"][0]["value"];
        EXPECT_NEAR(said["metrics"][one.metric]["mean"], value, 1e-9 * value);
        bool const is_rate = std::string(one.goal) == "rate";
        EXPECT_TRUE(is_rate ? value >= first : value <= first);
        EXPECT_EQ(found["goal"], one.goal);
        EXPECT_LE(found["moves"], 100'000);
        if (!found["bound"].is_null()) {
            double const bound = found["bound"];
            EXPECT_TRUE(is_rate ? value <= bound : value >= bound) << value << " " << bound;
        }
        double const least = found["random"]["least"], most = found["random"]["most"];
        EXPECT_TRUE(is_rate ? least >= most : least <= most);
        std::string const text = run_tailback(joined(place, {"--threads", "1", "--quiet"})).out;
        EXPECT_EQ(run_tailback(joined(place, {"--threads", "5", "--quiet"})).out, text);
    }
}

TEST(PlaceGoals, AreWhatABracketSays) {
    Words const study = {"xgft:m=4x4,w=1x2",           "--routing", "ar:updn", "--pattern",
                         "uniform:flows=30,size=1000", "--ranks",   "16"};
    for (std::string const goal : {"adaptive", "hash"}) {
        SCOPED_TRACE(goal);
        TemporaryFolder const folder;
        std::string const mapping = folder / "mapping";
        Words const hash =
            goal == "hash" ? Words{"--hash-draws", "5", "--seed", "7", "--queue-pairs", "2"} : Words{"--seed", "7"};
        Words const place =
            joined(joined(joined({"place"}, study), hash),
                   {"--goal", goal, "--moves", "100k", "--random-orders", "50", "--write", "mapping:" + mapping});
        Json const found = parsed(place);
        Json const said =
            parsed(joined(joined(joined({"bracket"}, study), hash),
                          {"--mapping", "file:" + mapping, "--optimal-mappings", "0", "--metric", "sum_max_cong"}));
        ASSERT_TRUE(said.contains("columns")) << said;
        double const value = found["orders"].back()["value"];
        Json const& column = said["columns"][goal == "hash" ? "hash" : "equal"];
        EXPECT_NEAR(column["sum_max_cong"]["mean"], value, 1e-9 * value) << column;
        EXPECT_EQ(found["hash_draws"], goal == "hash" ? Json(5) : Json(nullptr));
        EXPECT_LT(value, found["orders"][0]["value"]);
        EXPECT_GE(value, found["bound"]);
        std::string const text = run_tailback(joined(place, {"--threads", "1", "--quiet"})).out;
        EXPECT_EQ(run_tailback(joined(place, {"--threads", "5", "--quiet"})).out, text);
    }
}

/// A ring on hosts in their order has the whole adapter everywhere.
TEST(PlaceGoals, SayWhereAnOrderIsBestAlready) {
    Json const rate = parsed({"place", "xgft:m=4x4,w=1x4", "--pattern", "1shift", "--ranks", "16", "--goal", "rate"});
    EXPECT_EQ(rate["verdict"], "The order block is already best: no order has more.");
    EXPECT_EQ(rate["orders"][0]["value"], 1);
    EXPECT_EQ(rate["unit"], "of a link");
    EXPECT_EQ(rate["moves"], 0);
    for (char const* const goal : {"makespan", "adaptive", "hash"}) {
        Json const found = parsed({"place", "xgft:m=4x4,w=1x4", "--routing", "ar:updn", "--pattern", "1shift",
                                   "--ranks", "4", "--goal", goal});
        EXPECT_EQ(found["verdict"], "The order block is already best: no order has less.") << goal;
    }
}

/// Of two racks of eight nodes each a ring of 16 leaves one by two flows at least.
TEST(PlaceGoals, KeepBytesInRacks) {
    Words const study = {"xgft:m=4x4,w=1x2", "--pattern", "1shift", "--ranks", "16", "--mapping", "shuffle"};
    TemporaryFolder const folder;
    std::string nodes[2];
    for (int h = 1; h <= 16; ++h) nodes[h % 4 / 2] += " H" + std::to_string(h);
    std::string const racks = folder.write("racks", "a" + nodes[0] + "\nb" + nodes[1] + "\n");
    Json const found = parsed(
        joined(joined({"place"}, study), {"--goal", "rack-bytes", "--racks", "file:" + racks, "--moves", "100k"}));
    EXPECT_EQ(found["orders"].back()["value"], 2) << found;
    std::size_t leaving = 0;
    auto const rack = [&](std::size_t r) {
        return nodes[0].find(" " + std::string(found["ranks"][r % 16]["node"]) + " ") != std::string::npos ||
               nodes[0].ends_with(" " + std::string(found["ranks"][r % 16]["node"]));
    };
    for (std::size_t r = 0; r < 16; ++r) leaving += rack(r) != rack(r + 1);
    EXPECT_EQ(leaving, 2u);
}

TEST(PlaceGoals, RefuseWhatHasNoAnswer) {
    auto const refused = [](Words const& more, char const* why) {
        Finished const done = run_tailback(joined({"place", "xgft:m=4x4,w=1x2", "--pattern", "1shift"}, more));
        EXPECT_EQ(done.code, 2) << done.out;
        EXPECT_NE(done.err.find(why), std::string::npos) << done.err;
    };
    refused({"--goal", "adaptive"}, "the routes of this fabric leave no choice");
    refused({"--goal", "hash"}, "the routes of this fabric leave no choice");
    refused({"--goal", "rack-bytes"}, "nothing says which nodes are in a rack");
    refused({"--goal", "rack-bytes", "--racks", "name:("}, "expression");
    refused({"--racks", "leaf"}, "--racks");
    refused({"--hash-draws", "3"}, "--hash-draws");
    refused({"--goal", "adaptive", "--routing", "ar:updn", "--rail-aligned"}, "--rail-aligned");
}

/// Bytes leave their first switch where their way has a link between switches, and a rack where their node does: what
/// two ranks of one node send each other leaves neither, though its adapters are at several switches. On ways of at
/// most one hop between leaves (two links) leaf-bytes are hop-bytes / 2.
TEST(PlaceGoals, BytesInsideANodeLeaveNothing) {
    TemporaryFolder const folder;
    std::ofstream(folder / "pairs") << "ranks 4\n0 1 1000\n2 3 1000\n";
    std::ofstream(folder / "crossed") << "ranks 4\n0 3 1000\n1 2 1000\n";
    Words const nodes = {"place", "rail:gpus=2,nodes=2", "--ranks-per-node", "2", "--moves", "2000"};
    for (Words const& more : {Words{"file:" + (folder / "pairs"), "--goal", "leaf-bytes"},
                              Words{"file:" + (folder / "pairs"), "--goal", "rack-bytes", "--racks", "leaf"},
                              Words{"file:" + (folder / "crossed"), "--goal", "leaf-bytes", "--rail-aligned"},
                              Words{"all-to-all:size=10", "--goal", "leaf-bytes"}}) {
        Json const found = parsed(joined(joined(nodes, {"--pattern"}), more));
        for (Json const& order : found["orders"])
            EXPECT_NEAR(order["value"].get<double>(), order["hop_bytes"].get<double>() / 2, 1e-6) << order;
        if (!found["bound"].is_null()) EXPECT_LE(found["bound"], found["orders"].back()["value"]);
        if (more.front().starts_with("file:")) EXPECT_FALSE(found["improved"]) << found["verdict"];
    }
}

/// Definition: what must leave a leaf takes two links between switches of a tree of two levels at least, so the bound
/// of hop-bytes is twice that of leaf-bytes or more, also where no rank has more partners than its leaf has places
/// (then Gilmore and Lawler's is 0). 46 is the least by trying all orders of six ranks on nine places.
TEST(PlaceGoals, WhatLeavesALeafBoundsHopBytes) {
    TemporaryFolder const folder;
    std::ofstream(folder / "flows") << "ranks 6\n0 1 10\n1 2 7\n2 3 9\n3 4 4\n4 0 20\n0 3 6\n5 2 3\n5 0 8\n";
    auto const bound_of = [&](std::string const& goal) {
        Json const found = parsed({"place", "xgft:m=3x3,w=1x2", "--routing", "dmodk", "--pattern",
                                   "file:" + (folder / "flows"), "--nodes", "H*", "--moves", "2000", "--goal", goal});
        return found["bound"].is_null() ? 0 : found["bound"].get<double>();
    };
    EXPECT_GT(bound_of("leaf-bytes"), 0);
    EXPECT_GE(bound_of("hop-bytes"), 2 * bound_of("leaf-bytes"));
    EXPECT_LE(bound_of("hop-bytes"), 46);
}

}  // namespace
}  // namespace tailback::place_goals_test
