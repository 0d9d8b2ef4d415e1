// `tailback place`: what it says of the order that it finds is what `evaluate` says of the mapping that it writes, the
// files for launchers are read back as that order, and it is never worse than where it began.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <set>

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

/// Whatever order it begins with: in the order found ranks that stay are where the start has them, groups are
/// neighbours from a multiple on, and what is written is what is told. No order of the table, nor a random one, has
/// less than what is proven for those that keep to it.
TEST(Place, AllOrdersKeepToWhatIsAsked) {
    TemporaryFolder const folder;
    std::string const mapping = folder / "mapping";
    int proven = 0;
    for (std::string const start : {"block", "cyclic", "shuffle", "spread", "shift:by=1"})
        for (Words const& asked : {Words{"--keep-together", "2"}, {"--keep-together", "4"}, {"--stay", "0,5,6"}}) {
            Words const study = {"xgft:m=2x3,w=1x1", "--ranks-per-node", "2", "--pattern", "stencil-2d:size=100"};
            Json const found = json_of(joined(
                joined(joined({"place"}, study), asked),
                {"--mapping", start, "--goal", "hop-bytes", "--random-orders", "50", "--write", "mapping:" + mapping}));
            SCOPED_TRACE(start + " " + asked[0] + " " + asked[1]);
            std::set<std::uint64_t> places;
            std::uint32_t const together = asked[0] == "--stay" ? 1 : std::stoul(asked[1]);
            for (std::size_t r = 0; r < 12; ++r) {
                std::uint64_t const place = found["ranks"][r]["place"];
                places.insert(place);
                EXPECT_EQ(place % together, r % together);
                EXPECT_EQ(place - place % together, found["ranks"][r - r % together]["place"]);
            }
            EXPECT_EQ(places.size(), 12u);
            for (Json const& order : found["orders"]) EXPECT_GE(order["value"], found["orders"].back()["value"]);
            proven += !found["bound"].is_null();
            if (!found["bound"].is_null()) {
                EXPECT_LE(found["bound"], found["random"]["least"]);
                EXPECT_LE(found["bound"], found["orders"].back()["value"]);
            }
            EXPECT_EQ(found["improved"], found["orders"][0]["value"] > found["orders"].back()["value"]);
            Json const said =
                json_of(joined(joined({"evaluate"}, study), {"--mapping", "file:" + mapping, "--metric", "hop_bytes"}));
            EXPECT_EQ(mean(said, "hop_bytes"), found["orders"].back()["value"]);
            if (asked[0] != "--stay") continue;
            Json const given = json_of(joined(joined({"place"}, study), {"--mapping", start, "--stay", "0-11"}));
            for (std::size_t const r : {0u, 5u, 6u}) EXPECT_EQ(found["ranks"][r]["place"], given["ranks"][r]["place"]);
        }
    EXPECT_GE(proven, 10);  // of 15; groups are few enough to look at all of their orders
    Words const torn = {"place",     "xgft:m=2x3,w=1x1", "--ranks-per-node", "2",   "--pattern",       "ring",
                        "--mapping", "cyclic",           "--stay",           "0,7", "--keep-together", "2"};
    Finished const refused = run_tailback(torn);
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("ranks 0 to 1 cannot be neighbours"), std::string::npos) << refused.err;
}

/// What cannot be less is told as best, and of orders that are as good the start is the one that is written.
TEST(Place, NobodyMovesForNothing) {
    Json const nothing = json_of({"place", "crossbar:6", "--pattern", "ring", "--goal", "leaf-bytes"});
    EXPECT_NE(nothing["verdict"].get<std::string>().find("is already best"), std::string::npos) << nothing["verdict"];
    Words const rate = {"place",     "rail:gpus=2,nodes=2", "--ranks-per-node", "2",    "--ranks",   "4",
                        "--pattern", "1shift:size=1000",    "--goal",           "rate", "--mapping", "cyclic"};
    Json const found = json_of(rate), given = json_of(joined(rate, {"--stay", "0-3"}));
    EXPECT_EQ(found["orders"][0]["value"], found["orders"].back()["value"]);
    EXPECT_EQ(found["ranks"], given["ranks"]);
}

/// Groups of --keep-within: whatever the goal, and where the search begins, each is in one node (leaf, rack).
TEST(Place, KeepsGroupsWithinNodesLeavesAndRacks) {
    for (char const* const goal : {"time", "load", "hop-bytes", "leaf-bytes", "node-bytes", "makespan", "rate"})
        for (char const* const mapping : {"block", "cyclic"}) {
            Json const found = json_of(
                joined({"place", "rail:gpus=4,nodes=4,groups=2", "--ranks-per-node", "4", "--pattern", "hot-region",
                        "--ranks", "24", "--moves", "20k", "--random-orders", "20"},
                       {"--keep-together", "2", "--keep-within", "node", "--goal", goal, "--mapping", mapping}));
            for (std::size_t r = 0; r < 24; r += 2) EXPECT_EQ(found["ranks"][r]["node"], found["ranks"][r + 1]["node"]);
            EXPECT_EQ(found["study"]["within"], "node");
            double const start = found["orders"][0]["value"], last = found["orders"].back()["value"],
                         random = found["random"]["least"];
            EXPECT_TRUE(std::string(goal) == "rate" ? last >= std::max(start, random)
                                                    : last <= std::min(start, random));
        }
    // Hosts H1 to H16, four at each leaf; the racks are those of odd and of even numbers.
    for (char const* const within : {"leaf", "rack"}) {
        std::size_t const ranks = std::string(within) == "leaf" ? 12 : 8;
        Json const found =
            json_of(joined({"place", "xgft:m=4x4,w=1x2", "--pattern", "stencil-2d", "--ranks", std::to_string(ranks)},
                           joined({"--keep-together", "4", "--moves", "20k", "--keep-within", within},
                                  std::string(within) == "rack" ? Words{"--racks", "name:[02468]$"} : Words{})));
        for (std::size_t r = 0; r < ranks; ++r) {
            auto const zone = [&](std::size_t rank) {
                int const host = std::stoi(found["ranks"][rank]["node"].get<std::string>().substr(1));
                return std::string(within) == "leaf" ? (host - 1) / 4 : host % 2 == 0 ? host % 10 : 1;
            };
            if (std::string(within) == "leaf") EXPECT_EQ(zone(r), zone(r - r % 4));
            else EXPECT_EQ(zone(r), 1);  // of even numbers at most two have the same last digit
        }
    }
}

/// Two rings of 4 on two leaves with one link between them, begun with every flow on it: each must cross it once each
/// way, so that it carries 2.
TEST(Place, OrdersJobsTogetherOnTheirOwnNodes) {
    TemporaryFolder const folder;
    std::string const slurm = folder / "slurm", mapping = folder / "mapping";
    Words const jobs = {"--job", "a:pattern=1shift,nodes=H[1-2,5-6],mapping=shuffle", "--job",
                        "b:pattern=1shift,nodes=H[3-4,7-8],mapping=shuffle"};
    Json const found = json_of(joined(
        {"place", "xgft:m=4x2,w=1x1", "--moves", "20k", "--write", "slurm:" + slurm, "--write", "mapping:" + mapping},
        jobs));
    EXPECT_EQ(found["goal"], "load");
    EXPECT_NEAR(found["orders"][0]["value"], 4, 1e-9);
    EXPECT_NEAR(found["orders"].back()["value"], 2, 1e-9);
    EXPECT_NEAR(found["bound"], 2, 1e-9);  // all orders of each job are looked at (a link of a host: 1)
    ASSERT_EQ(found["jobs"].size(), 2u);
    for (Json const& job : found["jobs"]) {
        EXPECT_NEAR(job["start"], 4, 1e-9);
        EXPECT_NEAR(job["found"], 2, 1e-9);
    }
    // What `jobs` says of the files: both jobs' flows share the link.
    for (std::string const& file : {"nodes=" + slurm, "mapping=file:" + mapping}) {
        Json const said = json_of({"jobs", "xgft:m=4x2,w=1x1", "--job", "a:pattern=1shift," + file + ".a", "--job",
                                   "b:pattern=1shift," + file + ".b", "--mappings", "1"});
        for (Json const& job : said["jobs"]) EXPECT_NEAR(job["together"]["mean"], 2, 1e-9);
    }
    for (Json const& rank : found["ranks"]) {
        int const host = std::stoi(rank["node"].get<std::string>().substr(1));
        EXPECT_EQ((host - 1) / 2 % 2, rank["rank"] < 4 ? 0 : 1);
    }
}

/// All nodes of leaves with one link up: an all-to-all of 8 ranks on two leaves loads it with 16 flows, of the 7 that a
/// rank sends, whatever the order. A ring on two other leaves may cross by one flow each way, and begins with two.
TEST(Place, RelievesLighterJobsBelowTheBusiestLink) {
    TemporaryFolder const folder;
    std::string const ring = folder.write("ring", "0 1 9\n1 4 9\n4 5 9\n5 2 9\n2 3 9\n3 6 9\n6 7 9\n7 0 9\n");
    Words const words = {"place",           "xgft:m=4x4,w=1x1",
                         "--job",           "a:pattern=all-to-all,nodes=H[1-8]",
                         "--job",           "b:traffic=" + ring + ",nodes=H[9-16]",
                         "--moves",         "20k",
                         "--random-orders", "50"};
    Json const found = json_of(words);
    EXPECT_NEAR(found["orders"].back()["value"], 16. / 7, 1e-6);
    EXPECT_NEAR(found["jobs"][0]["found"], 16. / 7, 1e-6);
    EXPECT_NEAR(found["jobs"][1]["start"], 2, 1e-6);
    EXPECT_NEAR(found["jobs"][1]["found"], 1, 1e-6);
    EXPECT_LE(found["moves"], 20'000);
    EXPECT_EQ(found["improved"], true);
    EXPECT_EQ(found["unit"], "x busiest rank");
    std::string const text = run_tailback(joined(words, {"--threads", "1", "--quiet"})).out;
    EXPECT_NE(text.find("lighter jobs have less busy links"), std::string::npos) << text;
    EXPECT_EQ(run_tailback(joined(words, {"--threads", "3", "--quiet"})).out, text);
}

/// Round-robin gives a rank its adapter by its number: going round the nodes, some adapters have two ranks of theirs,
/// where places in the slots of nodes have one each.
TEST(Place, LeavesOutOrdersThatNeedOtherPlaces) {
    Words const study = {"place",           "rail:gpus=4,nodes=8,groups=2",
                         "--pattern",       "1shift",
                         "--rail",          "round-robin",
                         "--moves",         "5000",
                         "--random-orders", "10",
                         "--quiet"};
    Words const by_three = joined(study, {"--ranks", "15", "--ranks-per-node", "3"});
    Finished const done = run_tailback(joined(by_three, {"--nodes", "N[1-5]"}));
    EXPECT_EQ(done.code, 0) << done.err;
    EXPECT_NE(done.out.find("cyclic left out: more ranks on an adapter"), std::string::npos) << done.out;
    Finished const begun = run_tailback(joined(by_three, {"--nodes", "N[1-5]", "--mapping", "cyclic"}));
    EXPECT_EQ(begun.code, 2);
    EXPECT_NE(begun.err.find("which has no place for a rank"), std::string::npos) << begun.err;
    Words const beside = {"--job", "a:pattern=1shift,ranks=16,ranks-per-node=4"};
    EXPECT_EQ(run_tailback(joined(study, joined({"--ranks", "16", "--ranks-per-node", "4"}, beside))).code, 0);
    Finished const refused = run_tailback(joined(by_three, beside));
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("would depend on the nodes before it"), std::string::npos) << refused.err;
}

/// Slots of a rankfile are numbered so that ranks keep their adapters; a list of hosts cannot say them, and that is
/// told of it.
TEST(Place, KeepsAdaptersInARankfile) {
    TemporaryFolder const folder;
    std::string const ranks = folder / "ranks", hosts = folder / "hosts";
    Words const study = {"rail:gpus=4,nodes=4,groups=2", "--pattern", "hot-region"};
    Finished const done = run_tailback(joined(
        joined({"place"}, study), {"--ranks", "32", "--ranks-per-node", "4", "--goal", "hop-bytes", "--moves", "20k",
                                   "--format", "json", "--write", "rankfile:" + ranks, "--write", "slurm:" + hosts}));
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(done.err.find(ranks + ":"), std::string::npos) << done.err;
    EXPECT_NE(done.err.find(hosts + ": "), std::string::npos) << done.err;
    EXPECT_NE(done.err.find("on another adapter of their node than a file of hosts can say"), std::string::npos);
    double const found = Json::parse(done.out)["orders"].back()["hop_bytes"];
    Json const read = json_of(joined(joined({"evaluate"}, study), {"--nodes", ranks, "--metric", "hop_bytes"}));
    EXPECT_EQ(read["metrics"]["hop_bytes"]["mean"], found);
}

/// Routes that are a formula are traced as tables are: what is said of the order is what `evaluate` says of its file.
TEST(Place, SearchesOnRoutesByFormula) {
    TemporaryFolder const folder;
    std::string const mapping = folder / "mapping";
    Words const study = {"torus:20x20x20", "--pattern", "stencil-3d"};
    Finished const done = run_tailback(
        joined(joined({"place"}, study), {"--nodes", "H[1-4,21-24,401-404,421-424]", "--mapping", "shuffle", "--moves",
                                          "20k", "--format", "json", "--write", "mapping:" + mapping}));
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_NE(done.err.find("computed by formula"), std::string::npos) << done.err;
    EXPECT_EQ(done.err.find("--routes"), std::string::npos) << "an option that place does not have";
    Json const found = Json::parse(done.out);
    Json const said = json_of(
        joined(joined({"evaluate"}, study), {"--metric", "sum_max_cong,hop_bytes", "--mapping", "file:" + mapping}));
    EXPECT_EQ(said["metrics"]["sum_max_cong"]["mean"], found["orders"].back()["value"]);
    EXPECT_EQ(said["metrics"]["hop_bytes"]["mean"], found["orders"].back()["hop_bytes"]);
    EXPECT_LE(found["orders"].back()["value"], found["orders"][0]["value"]);
}

/// Jobs with places to spare, of other sizes and traffic; groups that stay in leaves. Rows of a job's bytes are shares.
TEST(Place, OrdersJobsOfOtherSizesWithGroups) {
    Json const found =
        json_of({"place", "xgft:m=4x4,w=1x2", "--job", "a:pattern=all-to-all:size=7,nodes=H[1-6],ranks=4", "--job",
                 "b:pattern=stencil-2d:size=1MiB,nodes=H[7-16],ranks=8", "--keep-together", "2", "--keep-within",
                 "leaf", "--moves", "40k", "--goal", "leaf-bytes"});
    EXPECT_EQ(found["study"]["ranks"], 12);
    EXPECT_EQ(found["study"]["places"], 16);
    for (std::size_t r = 0; r < 12; ++r) {
        auto const host = [&](std::size_t rank) {
            return std::stoi(found["ranks"][rank]["node"].get<std::string>().substr(1)) - 1;
        };
        EXPECT_EQ(host(r) < 6, r < 4);
        EXPECT_EQ(host(r) / 4, host(r - r % 2) / 4);
    }
    // a: all four at the leaf of H1 to H4. b: 2 x 4 ranks with two flows each way between halves, which are at two
    // leaves of four; its busiest rank sends 3 flows, so that each is a third.
    EXPECT_NEAR(found["orders"].back()["value"], 4.0 / 3, 1e-6);
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

/// Definition: where the ranks of a node keep together, a collective goes by nodes and rails, and the mapping that is
/// written has the number that is told, by `evaluate`. Where ranks move one by one they are alike, and a warning says
/// with what they are not, unless the pattern itself has them alike or needs nodes.
TEST(Place, WholeNodesKeepTheirRails) {
    Words const nodes = {"rail:gpus=4,nodes=4,groups=2,spines=2", "--ranks-per-node", "4", "--pattern"};
    for (std::string const pattern : {"allreduce:size=1MB", "allreduce:size=1MB,algorithm=hierarchical",
                                      "allgather:size=1MB,algorithm=hierarchical", "alltoall:size=1kB,algorithm=pxn"}) {
        TemporaryFolder const folder;
        std::string const mapping = folder / "mapping";
        Words const study = joined(nodes, {pattern});
        Json const report =
            json_of(joined(joined({"place"}, study), {"--mapping", "shuffle", "--keep-together", "4", "--moves", "2k",
                                                      "--write", "mapping:" + mapping}));
        EXPECT_EQ(double(report["orders"].back()["value"]),
                  mean(json_of(joined(joined({"evaluate"}, study),
                                      {"--mapping", "file:" + mapping, "--metric", "sum_max_cong"})),
                       "sum_max_cong"))
            << pattern;
    }
    auto const said = [&](std::string const& pattern, Words const& more) {
        return run_tailback(joined(joined(joined({"place"}, nodes), {pattern, "--moves", "100"}), more)).err;
    };
    std::string const warning = "warning: allreduce:size=1MB goes by compute nodes and rails where it is run";
    EXPECT_NE(said("allreduce:size=1MB", {}).find(warning), std::string::npos) << said("allreduce:size=1MB", {});
    EXPECT_NE(said("allreduce:size=1MB", {}).find("--keep-together 4"), std::string::npos);
    EXPECT_NE(said("allreduce:size=1MB", {"--keep-together", "2"}).find(warning), std::string::npos);
    EXPECT_EQ(said("allreduce:size=1MB", {"--keep-together", "4"}).find("warning"), std::string::npos);
    EXPECT_EQ(said("allreduce:size=1MB,per-node=1", {}).find("warning"), std::string::npos);
    EXPECT_EQ(said("allreduce:size=1MB,algorithm=recursive-doubling", {}).find("warning"), std::string::npos);
    EXPECT_NE(said("allreduce:size=1MB,algorithm=hierarchical", {}).find("keep those of a node together"),
              std::string::npos);
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
    refused({"--pattern", "1shift", "--ranks", "16", "--keep-together", "8", "--keep-within", "leaf"},
            "the largest leaf has 4 places");
    refused({"--pattern", "1shift", "--ranks", "15", "--keep-together", "3", "--keep-within", "leaf"},
            "there is room for 4");
    refused({"--pattern", "1shift", "--ranks", "16", "--keep-together", "4", "--keep-within", "leaf", "--stay", "0,1",
             "--mapping", "shuffle"},
            "ranks 0 to 3 cannot be in one leaf");
    refused({"--pattern", "1shift", "--keep-within", "leaf"}, "nothing says how many ranks a group has");
    refused({"--pattern", "1shift", "--keep-together", "4", "--keep-within", "rack"}, "which nodes are in a rack");
    refused({"--job", "a:pattern=1shift,ranks=4", "--ranks", "4"}, "--ranks does not go with jobs");
    refused({"--job", "a:pattern=1shift,ranks=4", "--job", "b:pattern=1shift,ranks=4,with=a"}, "runs with another");
    refused({"--job", "a:pattern=rand,ranks=4"}, "are drawn");
    refused({"--pattern", "1shift", "--stay", "3-99"}, "ranks are 0 to 15");
    refused({"--pattern", "1shift", "--stay", "x"}, "does not name ranks");
    refused({"--pattern", "1shift", "--mapping", "random"}, "not an order to begin with");
    refused({"--pattern", "1shift", "--ranks", "1"}, "");
    refused({"--pattern", "1shift", "--goal", "speed"}, "speed");
}

}  // namespace
}  // namespace tailback::place_test
