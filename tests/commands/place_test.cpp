// `tailback place`: what it says of the order that it finds is what `evaluate` says of the mapping that it writes, the
// files for launchers are read back as that order, and it is never worse than where it began.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tailback::place_test {
namespace {

using Json = nlohmann::json;

Json json_of(Words const& words) {
    Finished const done = run_tailback(joined(words, {"--format", "json", "--quiet"}));
    EXPECT_EQ(done.code, 0) << done.err;
    return Json::parse(done.out);
}

double mean(Json const& report, char const* metric) { return report["metrics"][metric]["mean"]; }

TEST(Place, SaysWhatEvaluateSaysOfTheFilesThatItWrites) {
    struct Case {
        Words study, place;
        char const* metric;
    };
    for (Case const& one : std::vector<Case>{
             {{"xgft:m=4x4,w=1x2", "--pattern", "stencil-2d:size=100", "--ranks", "16"},
              {"--mapping", "shuffle"},
              "sum_max_cong"},
             {{"torus:4x4", "--pattern", "allreduce:algorithm=ring,size=1000", "--ranks", "16"},
              {"--mapping", "shift:by=5", "--stay", "0-2,7"},
              "sum_max_cong"},
             {{"rail:gpus=2,nodes=4,groups=2", "--pattern", "stencil-2d", "--ranks", "16", "--ranks-per-node", "2"},
              {"--goal", "hop-bytes", "--mapping", "cyclic"},
              "hop_bytes"},
             {{"dragonfly:a=2,p=2,h=1", "--pattern", "all-to-all", "--ranks", "6"}, {}, "sum_max_cong"}}) {
        TemporaryFolder const folder;
        std::string const mapping = folder / "mapping", rankfile = folder / "rankfile", slurm = folder / "slurm";
        Json const found = json_of(joined(joined({"place"}, joined(one.study, one.place)),
                                          {"--moves", "200k", "--write", "mapping:" + mapping, "--write",
                                           "rankfile:" + rankfile, "--write", "slurm:" + slurm}));
        Json const& last = found["orders"].back();
        EXPECT_LE(last["value"], found["orders"][0]["value"]) << found;
        EXPECT_TRUE(found["bound"].is_null() || last["value"] >= found["bound"]) << found;
        Words const evaluate = joined({"evaluate"}, joined(one.study, {"--metric", "sum_max_cong,hop_bytes,ebb"}));
        for (Words const& how :
             {Words{"--mapping", "file:" + mapping}, Words{"--nodes", rankfile}, Words{"--nodes", slurm}}) {
            if (how[0] == "--nodes" && one.study[0].starts_with("rail")) continue;  // adapters are in the mapping alone
            Json const said = json_of(joined(evaluate, how));
            EXPECT_NEAR(mean(said, one.metric), last["value"], 1e-9 * double(last["value"])) << one.study[0];
            for (char const* const metric : {"sum_max_cong", "hop_bytes", "hist_acc_band"})
                EXPECT_NEAR(mean(said, metric), last[metric], 1e-9 * double(last[metric])) << one.study[0] << how[0];
        }
    }
}

TEST(Place, KeepsRanksTogetherAndWhereTheyAre) {
    Json const found =
        json_of({"place", "rail:gpus=4,nodes=4,groups=2", "--ranks-per-node", "4", "--pattern", "hot-region", "--ranks",
                 "32", "--keep-together", "4", "--stay", "0,1,2,3", "--moves", "100k"});
    for (std::size_t r = 0; r < 32; ++r) {
        std::uint64_t const place = found["ranks"][r]["place"];
        EXPECT_EQ(place % 4, r % 4);
        EXPECT_TRUE(r >= 4 || place == r);
        EXPECT_EQ(found["ranks"][r]["node"], found["ranks"][r - r % 4]["node"]);
    }
}

/// A ring of 4 on 16 hosts of 4 leaves: within a leaf no flow leaves it.
TEST(Place, ChoosesNodesWhereThereAreMoreThanRanks) {
    Json const found = json_of({"place", "xgft:m=4x4,w=1x2", "--pattern", "1shift", "--ranks", "4", "--mapping",
                                "spread", "--goal", "leaf-bytes", "--moves", "100k"});
    EXPECT_EQ(found["orders"][0]["value"], 4);
    EXPECT_EQ(found["orders"].back()["value"], 0);
    EXPECT_EQ(found["study"]["places"], 16);
    EXPECT_TRUE(found["improved"]);
}

TEST(Place, SaysWhereAnOrderIsBestAlready) {
    Json const found = json_of({"place", "xgft:m=4x4,w=1x4", "--pattern", "1shift", "--ranks", "16"});
    EXPECT_FALSE(found["improved"]);
    EXPECT_EQ(found["moves"], 0);
    EXPECT_EQ(found["verdict"], "The order block is already best: no order has less.");
}

TEST(Place, IsTheSameWithAnyNumberOfThreads) {
    Words const words = {
        "place",  "torus:5x5", "--pattern", "uniform:flows=200", "--ranks", "25",     "--goal", "hop-bytes", "--moves",
        "100000", "--seed",    "3",         "--random-orders",   "50",      "--quiet"};
    std::string const one = run_tailback(joined(words, {"--threads", "1"})).out;
    EXPECT_EQ(run_tailback(joined(words, {"--threads", "3"})).out, one);
    EXPECT_NE(one.find("50 random orders"), std::string::npos) << one;
}

TEST(Place, RefusesWhatHasNoAnswer) {
    auto const refused = [](Words const& more, char const* why) {
        Finished const done = run_tailback(joined({"place", "xgft:m=4x4,w=1x2"}, more));
        EXPECT_EQ(done.code, 2) << done.out;
        EXPECT_NE(done.err.find(why), std::string::npos) << done.err;
    };
    refused({}, "nothing says what the ranks send each other");
    refused({"--pattern", "rand"}, "are drawn");
    refused({"--pattern", "1shift", "--ranks", "16", "--keep-together", "3"}, "--keep-together 3 does not divide");
    refused({"--pattern", "1shift", "--stay", "3-99"}, "ranks are 0 to 15");
    refused({"--pattern", "1shift", "--stay", "x"}, "does not name ranks");
    refused({"--pattern", "1shift", "--mapping", "random"}, "not an order to begin with");
    refused({"--pattern", "1shift", "--ranks", "1"}, "");
    refused({"--pattern", "1shift", "--goal", "speed"}, "speed");
}

}  // namespace
}  // namespace tailback::place_test
