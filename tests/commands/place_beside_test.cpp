// `tailback place` beside running jobs: what it says of the nodes that it takes is what `tailback jobs` says of the
// jobs together, taken nodes stay with those that have them, and the same seed gives the same bytes.
#include "tests/support/networks/small_dump.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <set>

namespace tailback::place_beside_test {
namespace {

using Json = nlohmann::json;

Json json_of(Words const& words) {
    Finished const done = run_tailback(joined(words, {"--format", "json", "--quiet"}));
    EXPECT_EQ(done.code, 0) << done.err;
    return done.code == 0 ? Json::parse(done.out) : Json();
}

/// Rings have one flow at every host, so that shares of an adapter are flows: what `jobs` counts.
TEST(PlaceBeside, SaysWhatJobsSays) {
    for (char const* const network : {"xgft:m=4x4,w=1x2", "torus:5x4", "dragonfly:a=4,p=2,h=2"}) {
        TemporaryFolder const folder;
        std::string const running = "old:pattern=1shift,nodes=H1,H6,H9,H14,H3,H12,H16", slurm = folder / "slurm";
        Json const found = json_of({"place", network, "--pattern", "1shift", "--ranks", "6", "--job", running,
                                    "--write", "slurm:" + slurm, "--moves", "40k", "--random-orders", "50"});
        if (found.is_null()) continue;
        Json const& beside = found["beside"];
        EXPECT_EQ(beside["jobs"], 1);
        EXPECT_EQ(beside["taken"], 7);
        for (Json const& set : beside["sets"]) {
            EXPECT_EQ(set["nodes"].size(), 6u);
            for (Json const& node : set["nodes"])
                EXPECT_EQ((running + ",").find("H" + node.get<std::string>().substr(1) + ","), std::string::npos);
            // Ranks in the order of the list, each on its node.
            std::ofstream(folder / "hosts") << [&] {
                std::string lines;
                for (Json const& node : set["nodes"]) lines += node.get<std::string>() + "\n";
                return lines;
            }();
            Json const jobs = json_of({"jobs", network, "--job", running, "--job",
                                       "new:pattern=1shift,ranks=6,nodes=" + (folder / "hosts"), "--mappings", "1"});
            EXPECT_NEAR(set["time"], jobs["jobs"][1]["together"]["mean"], 1e-5) << network;
            EXPECT_NEAR(set["worst_harm"], jobs["jobs"][0]["slowdown"]["mean"], 1e-5) << network;
        }
        for (Json const& other : beside["others"]) EXPECT_GE(other["time"], beside["sets"][0]["time"]);
        EXPECT_GE(beside["random"]["least"]["time"], beside["sets"][0]["time"]);
        Json const few = json_of({"place", network, "--pattern", "1shift", "--ranks", "6", "--job", running, "--moves",
                                  "20", "--random-orders", "50"})["beside"];
        EXPECT_GE(few["random"]["least"]["time"], few["sets"][0]["time"]);  // however few moves there are
        EXPECT_LE(beside["ordered"]["time"], double(beside["sets"][0]["time"]) + 1e-6);
        Json const written = json_of({"jobs", network, "--job", running, "--job",
                                      "new:pattern=1shift,ranks=6,nodes=" + slurm, "--mappings", "1"});
        EXPECT_NEAR(beside["ordered"]["time"], written["jobs"][1]["together"]["mean"], 1e-5) << network;
        EXPECT_NEAR(beside["ordered"]["worst_harm"], written["jobs"][0]["slowdown"]["mean"], 1e-5) << network;
    }
}

/// Every job sends as fast as its own busiest adapter lets it. Leaf A has h1, h2, leaf B h5, h6 (links of 1) and h7, h8
/// (links of 2), one cable of 1 between the leaves, over which h1 and h5 exchange flows. On h2 and h6 the new job sends
/// at 1, so that the cable has 2 of what it had: harm 2; it takes 2 times what its slow adapters take alone, 4 times
/// what fast ones do. On h7 and h8 nobody is disturbed: time 1, harm 1.
TEST(PlaceBeside, JobsSendAsFastAsTheirOwnAdapters) {
    TemporaryFolder const folder;
    std::ofstream(folder / "net") << small_dump({{"s0", 1, "h1", 1},
                                                 {"s0", 2, "h2", 1},
                                                 {"s1", 1, "h5", 1},
                                                 {"s1", 2, "h6", 1},
                                                 {"s1", 3, "h7", 1, "4xDDR"},
                                                 {"s1", 4, "h8", 1, "4xDDR"},
                                                 {"s0", 8, "s1", 8}});
    Words const place = {"place",   folder / "net", "--routing", "minhop", "--pattern",
                         "1shift",  "--ranks",      "2",         "--job",  "old:pattern=1shift,nodes=h1,h5",
                         "--moves", "2000"};
    Json const beside = json_of(place)["beside"];
    EXPECT_EQ(beside["sets"][0]["nodes"], (Json{"h7", "h8"}));
    EXPECT_NEAR(beside["sets"][0]["time"], 1, 1e-6);
    EXPECT_NEAR(beside["sets"][0]["worst_harm"], 1, 1e-6);
    bool is_there = false;
    for (Json const& other : beside["others"])
        if (other["name"] == "first") {
            is_there = true;
            EXPECT_EQ(other["nodes"], (Json{"h2", "h6"}));
            EXPECT_NEAR(other["time"], 4, 1e-6);
            EXPECT_NEAR(other["alone"], 2, 1e-6);
            EXPECT_NEAR(other["worst_harm"], 2, 1e-6);
        }
    EXPECT_TRUE(is_there) << beside;
    Json const slow = json_of(joined(place, {"--nodes", "h2,h6"}))["beside"]["sets"][0];
    EXPECT_NEAR(slow["time"], 2, 1e-6);  // of adapters that are all there are
    EXPECT_NEAR(slow["worst_harm"], 2, 1e-6);
}

/// Nodes a1, a2 and b1, b2 have one adapter, g1 and g2 two. Of four ranks that send each other the same, two a node, an
/// adapter of b1 has what both ranks send, one of g1 half of that: where block order on the first free nodes, b1 and
/// b2, is the unit, alone is 1 and 1/2. What a set takes is told by its own adapters, which is never less than 1.
TEST(PlaceBeside, SetsAreToldByTheirOwnAdapters) {
    TemporaryFolder const folder;
    std::vector<DumpedCable> cables;
    for (unsigned host = 1; host <= 8; ++host) cables.push_back({"s0", host, "h" + std::to_string(host), 1});
    std::ofstream(folder / "net") << small_dump(cables);
    std::ofstream(folder / "nodes") << "a1, h1\na2, h2\nb1, h3\nb2, h4\ng1, h5, h6\ng2, h7, h8\n";
    Words const place = {"place",
                         folder / "net",
                         "--adapters",
                         "file:" + (folder / "nodes"),
                         "--routing",
                         "minhop",
                         "--pattern",
                         "all-to-all:size=1000",
                         "--ranks",
                         "4",
                         "--ranks-per-node",
                         "2",
                         "--job",
                         "old:pattern=1shift,nodes=a1,a2"};
    Json const all = json_of(place);
    EXPECT_EQ(all["beside"]["sets"][0]["nodes"], (Json{"g1", "g2"}));
    EXPECT_NEAR(all["beside"]["sets"][0]["alone"], 0.5, 1e-6);
    EXPECT_NEAR(all["beside"]["sets"][0]["time"], 0.5, 1e-6);
    Json const slow = json_of(joined(place, {"--nodes", "b1,b2"}))["beside"]["sets"][0];
    EXPECT_NEAR(slow["alone"], 1, 1e-6);
    EXPECT_NEAR(slow["time"], 1, 1e-6);
    EXPECT_NE(run_tailback(joined(place, {"--quiet"})).out.find("Set 1 takes 1.000 times as long as its busiest"),
              std::string::npos);
    // A job that runs has its nodes, and sends what it sends: one draw in place of that is told.
    EXPECT_EQ(run_tailback(place).err.find("the first draw"), std::string::npos);
    for (std::string const drawn : {"old:pattern=1shift,ranks=2,nodes=any:2",
                                    "old:pattern=1shift,nodes=a1,a2,mapping=random", "old:pattern=rand,nodes=a1,a2"}) {
        Words words = place;
        words.back() = drawn;
        Finished const done = run_tailback(words);
        EXPECT_EQ(done.code, 0) << drawn << done.err;
        EXPECT_NE(done.err.find("the first draw"), std::string::npos) << drawn << done.err;
    }
}

/// Hosts H1 to H64, four at each leaf. Whoever chooses the nodes, groups of 4 find room: only
/// leaves 10 to 16 have four free hosts.
TEST(PlaceBeside, ChoosesNodesThatGroupsFindRoomOn) {
    Words const place = {"place",           "xgft:m=4x4x4,w=1x2x2",
                         "--job",           "old:pattern=all-to-all:size=1MiB,nodes=H[1,5,9,13,17,21,25,29,33]",
                         "--moves",         "5000",
                         "--random-orders", "50",
                         "--pattern",       "all-to-all:size=1KiB"};
    auto const host = [](Json const& name) { return std::stoi(name.get<std::string>().substr(1)) - 1; };
    struct Kept {
        char const *ranks, *within;
        Words more;
    };
    for (Kept const& kept : {Kept{"20", "leaf", {}}, Kept{"28", "leaf", {}}, Kept{"24", "rack", {"--racks", "leaf"}}}) {
        Json const found = json_of(joined(
            joined(place, {"--ranks", kept.ranks, "--keep-together", "4", "--keep-within", kept.within}), kept.more));
        if (found.is_null()) continue;
        std::vector<Json> all = found["beside"]["sets"];
        for (Json const& other : found["beside"]["others"]) all.push_back(other);
        EXPECT_GE(all.size(), 2u);
        for (Json const& set : all)
            for (std::size_t n = 0; n < set["nodes"].size(); ++n)
                EXPECT_EQ(host(set["nodes"][n]) / 4, host(set["nodes"][n - n % 4]) / 4) << set;
        for (std::size_t r = 0; r < found["ranks"].size(); ++r)
            EXPECT_EQ(host(found["ranks"][r]["node"]) / 4, host(found["ranks"][r - r % 4]["node"]) / 4);
    }
    auto const refusal = [&](Words const& more) {
        Finished const done = run_tailback(joined(place, more));
        EXPECT_EQ(done.code, 2);
        return done.err;
    };
    EXPECT_NE(refusal({"--ranks", "32", "--keep-together", "4", "--keep-within", "leaf"})
                  .find("8 groups of 4 ranks find no room: each needs one leaf (there is room for 7)"),
              std::string::npos);
    EXPECT_NE(refusal({"--ranks", "20", "--keep-together", "4", "--keep-within", "node", "--ranks-per-node", "2"})
                  .find("each needs one node (a node has 2 places)"),
              std::string::npos);
    EXPECT_NE(refusal({"--ranks", "18", "--keep-together", "3", "--keep-within", "leaf", "--ranks-per-node", "2"})
                  .find("groups would share nodes"),
              std::string::npos);
}

/// On every adapter of whole nodes, with flows that leave on the rail of their destination, and a ring by rails.
TEST(PlaceBeside, TakesWholeNodesOfSeveralAdapters) {
    TemporaryFolder const folder;
    Words const network = {"rail:gpus=4,nodes=4,groups=3", "--adapters", "4", "--rail-aligned"};
    std::ofstream(folder / "running") << "JOBID NODELIST\n1 N[1-3]\n2 N5\n3 (Priority)\n";
    std::ofstream(folder / "free") << "NODELIST STATE\nN[4,6-12] idle\nN5 alloc\nN[1-3] idle\n";
    for (Words const& traffic : {Words{"all-to-all"}, Words{"1shift", "--mapping", "cyclic"}}) {
        Finished const done = run_tailback(
            joined(joined({"place"}, network),
                   joined(joined({"--pattern"}, traffic),
                          {"--ranks", "16", "--ranks-per-node", "4", "--squeue", folder / "running", "--squeue-pattern",
                           "1shift", "--sinfo", folder / "free", "--moves", "5000", "--format", "json"})));
        ASSERT_EQ(done.code, 0) << done.err;
        EXPECT_NE(done.err.find("3 nodes that may be taken have running jobs already"), std::string::npos) << done.err;
        Json const report = Json::parse(done.out);
        Json const& beside = report["beside"];
        EXPECT_EQ(beside["taken"], 4);  // that of one node, too
        EXPECT_EQ(beside["free"], 8);
        EXPECT_EQ(beside["wanted"], 4);
        std::set<std::string> const free = {"N4", "N6", "N7", "N8", "N9", "N10", "N11", "N12"};
        for (Json const& node : beside["sets"][0]["nodes"]) EXPECT_TRUE(free.contains(node));
        std::set<std::string> used;
        for (Json const& rank : report["ranks"]) used.insert(rank["node"]);
        EXPECT_EQ(used.size(), 4u);
    }
}

TEST(PlaceBeside, IsTheSameWithAnyNumberOfThreads) {
    Words const words = {"place",     "xgft:m=4x4x2,w=1x2x2",
                         "--pattern", "all-to-all",
                         "--ranks",   "8",
                         "--job",     "a:pattern=all-to-all,nodes=any:9",
                         "--job",     "b:pattern=bisect,nodes=any:8",
                         "--moves",   "20k",
                         "--seed",    "4",
                         "--quiet"};
    std::string const one = run_tailback(joined(words, {"--threads", "1"})).out;
    EXPECT_EQ(run_tailback(joined(words, {"--threads", "3"})).out, one);
    EXPECT_NE(one.find("2 running jobs send"), std::string::npos) << one;
    EXPECT_NE(one.find("random, the best of 1,000"), std::string::npos) << one;
}

TEST(PlaceBeside, RefusesWhatHasNoAnswer) {
    TemporaryFolder const folder;
    std::ofstream(folder / "free") << "H[1-3]\n";
    auto const refused = [](Words const& more, char const* why) {
        Finished const done =
            run_tailback(joined({"place", "xgft:m=4x4,w=1x2", "--pattern", "1shift", "--moves", "1000"}, more));
        EXPECT_EQ(done.code, 2) << done.out;
        EXPECT_NE(done.err.find(why), std::string::npos) << done.err;
    };
    Words const job = {"--job", "a:pattern=1shift,nodes=H[1-10]"};
    refused(joined(job, {"--ranks", "7"}), "the job needs 7 nodes, and 6 are free");
    refused(job, "nothing says how many ranks the job has");
    refused(joined(job, {"--ranks", "4", "--goal", "hop-bytes"}), "--goal hop-bytes does not go with running jobs");
    refused(joined(job, {"--ranks", "4", "--stay", "0"}), "--stay");
    refused(joined(job, {"--ranks", "4", "--set", "9"}), "there is no set 9");
    refused(joined(job, {"--ranks", "4", "--nodes", "any:8"}), "no set of nodes to choose from");
    refused({"--ranks", "4", "--sinfo", folder / "free"}, "the job needs 4 nodes, and 3 are free");
    refused({"--ranks", "4", "--set", "2"}, "--set");
    refused({"--ranks", "4", "--sinfo", folder / "none"}, "none");
    refused(joined(job, {"--ranks", "4", "--ranks-per-node", "4"}), "the ranks send nothing from node to node");
}

}  // namespace
}  // namespace tailback::place_beside_test
