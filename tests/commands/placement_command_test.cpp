// The program with compute nodes and jobs: what a scheduler developer does first, files that launchers read and that
// are read back, and what is refused.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace tailback::placement_command_test {
namespace {

using Json = nlohmann::json;

Words const tree = {"evaluate", "--network", "xgft:m=4x4,w=1x2", "--routing", "dmodk"};

Finished on_tree(Words const& more) { return run_tailback(joined(tree, more)); }

double time_of(Words const& more) {
    Finished const done = on_tree(joined(more, {"--metric", "sum_max_cong", "--format", "json"}));
    EXPECT_EQ(done.code, 0) << done.err;
    return Json::parse(done.out)["metrics"]["sum_max_cong"]["mean"];
}

Finished jobs_on_tree(Words const& more) {
    Words words = joined(tree, more);
    words.front() = "jobs";
    return run_tailback(words);
}

TEST(PlacementCommand, BlockKeepsNeighboursTogether) {
    // Ranks 2i and 2i+1 exchange a byte: by block on the same node, by cyclic never.
    Words const words = {"--pattern", "bisect_fb_sym", "--nodes", "H[1-8]", "--ranks-per-node", "2"};
    EXPECT_EQ(time_of(joined(words, {"--mapping", "block"})), 0);
    EXPECT_GE(time_of(joined(words, {"--mapping", "cyclic"})), 2);
    Finished const done = on_tree(joined(words, {"--format", "json"}));
    Json const report = Json::parse(done.out);
    EXPECT_EQ(report["pairs"]["within_nodes"], 16);
    EXPECT_EQ(report["pairs"]["delivered"], 0);
    EXPECT_EQ(report["study"]["mapping"], "block");
    EXPECT_EQ(report["study"]["placement"]["nodes"], "H[1-8]");
    EXPECT_EQ(report["study"]["mappings"], 1);
}

// Random orders draw slots, and so adapters: files of nodes do not say them, a mapping does.
/// Hosts that are called like the LIDs of others: mappings that were written are the same when they are read.
TEST(PlacementCommand, MappingsOfHostsThatAreCalledLikeLids) {
    TemporaryFolder const folder;
    ASSERT_EQ(run_tailback({"generate", "xgft:m=4x4,w=1x2", "--output", folder / "net"}).code, 0);
    std::string text = read_whole(folder / "net/ibnetdiscover.out");
    for (int h = 1; h <= 16; ++h)
        text = replaced(text, "\"H" + std::to_string(h) + "\"", "\"" + std::to_string(17 - h) + "\"");
    Words const study = {"evaluate",
                         "--network",
                         folder.write("named.out", text),
                         "--tables",
                         folder / "net/opensm-lfts.dump",
                         "--pattern",
                         "shift:by=3",
                         "--metric",
                         "sum_max_cong",
                         "--ranks-per-node",
                         "1",
                         "--mapping"};
    std::string const dump = folder / "dump", first = folder / "first.csv", again = folder / "again.csv";
    Finished const drawn =
        run_tailback(joined(study, {"random", "--mappings", "5", "--dump-mappings", dump, "--per-mapping", first}));
    ASSERT_EQ(drawn.code, 0) << drawn.err;
    Finished const listed = run_tailback(joined(study, {"file:" + dump, "--per-mapping", again}));
    ASSERT_EQ(listed.code, 0) << listed.err;
    auto const rows = [](std::string const& file) {
        std::string const read = read_whole(file);
        return read.substr(read.find("\n0,"));
    };
    EXPECT_EQ(rows(first), rows(again));
}

TEST(PlacementCommand, WritesAdaptersWhereFilesOfNodesCannot) {
    TemporaryFolder const folder;
    Words const study = {"evaluate",
                         "--network",
                         "rail:gpus=4,nodes=8",
                         "--pattern",
                         "allreduce:algorithm=ring,size=1MiB",
                         "--ranks-per-node",
                         "4",
                         "--metric",
                         "sum_max_cong",
                         "--format",
                         "json"};
    auto const best = [&](Finished const& run) {
        EXPECT_EQ(run.code, 0) << run.err;
        return double(Json::parse(run.out)["metrics"]["sum_max_cong"]["min"]);
    };
    Finished const drawn = run_tailback(
        joined(study, {"--nodes", "N[1-4]", "--mapping", "random", "--mappings", "50", "--write-best",
                       "mapping:" + (folder / "best"), "--write-worst", "hostfile:" + (folder / "worst")}));
    EXPECT_NE(drawn.err.find("on another adapter of their node"), std::string::npos) << drawn.err;
    EXPECT_EQ(best(run_tailback(joined(study, {"--mapping", "file:" + (folder / "best")}))), best(drawn));
}

TEST(PlacementCommand, WritesTheBestForLaunchersAndReadsItBack) {
    TemporaryFolder const folder;
    for (char const* const form : {"hostfile", "rankfile", "slurm", "mapping"}) {
        SCOPED_TRACE(form);
        std::string const best = folder / (std::string(form) + "-best"),
                          worst = folder / (std::string(form) + "-worst");
        Words const pattern = {"--pattern", "stencil-2d:size=1MiB,dims=4x4"};
        Finished const done =
            on_tree(joined(pattern, {"--nodes", "any:8", "--ranks-per-node", "2", "--mapping", "random", "--mappings",
                                     "300", "--metric", "sum_max_cong", "--write-best", std::string(form) + ":" + best,
                                     "--write-worst", std::string(form) + ":" + worst, "--format", "json"}));
        ASSERT_EQ(done.code, 0) << done.err;
        Json const numbers = Json::parse(done.out)["metrics"]["sum_max_cong"];
        EXPECT_LT(numbers["min"], numbers["max"]);
        EXPECT_NE(numbers["best_mapping"], numbers["worst_mapping"]);
        bool const mapping = form == std::string("mapping");
        for (auto const& [file, want] : {std::pair{best, numbers["min"]}, {worst, numbers["max"]}})
            EXPECT_EQ(time_of(joined(pattern, mapping ? Words{"--mapping", "file:" + file, "--ranks-per-node", "2"}
                                                      : Words{"--nodes", file})),
                      want.get<double>());
    }
}

TEST(PlacementCommand, ScoresCandidates) {
    TemporaryFolder const folder;
    std::string const file = folder.write("c", "H1 H1 H2 H2\nH1 H2 H1 H2\nH1 H5 H9 H13\n"), rows = folder / "rows";
    Finished const done = on_tree({"--pattern", "bisect", "--mapping", "file:" + file, "--ranks-per-node", "2",
                                   "--metric", "sum_max_cong", "--per-mapping", rows});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_EQ(read_whole(rows),
              "mapping,sum_max_cong,delivered,unreachable,loop,misdelivered,local,within_nodes\n"
              "0,0,0,0,0,0,0,2\n1,2,2,0,0,0,0,0\n2,1,2,0,0,0,0,0\n");
    Finished const full = on_tree({"--pattern", "bisect", "--mapping", "file:" + file, "--ranks-per-node", "1"});
    EXPECT_EQ(full.code, 2);
    EXPECT_NE(full.err.find("/c:1: node \"H1\" gets more than 1 rank"), std::string::npos) << full.err;
}

/// Nodes are called by name beside a formula, too.
TEST(PlacementCommand, AFormulaGivesWhatTablesGive) {
    for (Words const& words : {Words{"--nodes", "any:3"}, Words{"--nodes", "H[2-9]", "--mapping", "random"},
                               Words{"--ranks-per-node", "2", "--mapping", "cyclic"}}) {
        std::string found[2];
        for (bool const formula : {false, true}) {
            Finished const done = on_tree(joined(words, {"--pattern", "bisect", "--mappings", "50", "--format", "csv",
                                                         "--routes", formula ? "arithmetic" : "tables"}));
            ASSERT_EQ(done.code, 0) << done.err;
            std::istringstream lines(done.out);
            for (std::string line; std::getline(lines, line);)
                if (line.find("digest") == line.npos) found[formula] += line + "\n";
        }
        EXPECT_FALSE(found[0].empty());
        EXPECT_EQ(found[0], found[1]);
    }
}

TEST(PlacementCommand, RefusesWhatHasNoEffect) {
    for (auto const& [words, said] :
         {std::pair<Words, char const*>{{"--nodes", "H[15-19],x*"}, "H17, H18, H19, x*"},
          {{"--nodes", "H1", "--subset", "rand"}, "--subset does not go with"},
          {{"--nodes", "H1", "--ranks", "3"}, "3 ranks do not fit on 1 node"},
          {{"--mapping", "colum"}, "colum"},
          {{"--mapping", "quadrant"}, "dimensions are not known"},
          {{"--rail", "left"}, "unknown rule for adapters"},
          {{"--adapters", "3"}, "16 hosts do not make nodes of 3"},
          {{"--nodes", "any:16", "--ranks-per-node", "8", "--until", "ci=0.1", "--mappings", "10000000"},
           "too many to list"},
          {{"--write-best", "slurm"}, "does not say what to write where (no file is named behind slurm)"}}) {
        Finished const done = on_tree(words);
        EXPECT_EQ(done.code, 2) << words[1];
        EXPECT_NE(done.err.find(said), std::string::npos) << done.err;
    }
}

TEST(PlacementCommand, UntilListsSoManyMappingsAsFit) {
    // 10 million mappings of 128 ranks would take 5 GB; without --mappings 100,000 are the most.
    Finished const done = on_tree({"--nodes", "any:16", "--ranks-per-node", "8", "--mapping", "random", "--until",
                                   "hist_acc_band:relative=10%", "--format", "json"});
    ASSERT_EQ(done.code, 0) << done.err;
    EXPECT_TRUE(Json::parse(done.out)["until"]["reached"]) << done.out;
}

TEST(JobsCommand, NamesWhatIsWrongWithAKey) {
    for (auto const& [job, said] :
         {std::pair<std::string, char const*>{"a:pattern=rand,ranks=4,bogus=3", "\"bogus\" is not a key of a job"},
          {"a:pattern=rand,ranks=4,ranks=5", "ranks of job \"a\" is given twice"},
          {"a:pattern=rand,ranks=4,nodes", "\"nodes\" of job \"a\" has no value"},
          {"a:pattern=allreduce:algorithm=ring,size=8,ranks=x", "ranks=x of a job is not a number"}}) {
        Finished const done = jobs_on_tree({"--job", job});
        EXPECT_EQ(done.code, 2) << job;
        EXPECT_NE(done.err.find(said), std::string::npos) << done.err;
    }
}

TEST(JobsCommand, TellsAloneAndTogether) {
    // Two rings over nodes in turn: the same links twice.
    TemporaryFolder const folder;
    Words const jobs = {"--job", "a:pattern=shift:by=4,ranks=8,nodes=H[1-8]",
                        "--job", "b:pattern=shift:by=4,ranks=8,nodes=H[9-16]",
                        "--job", "c:pattern=gather,ranks=0"};
    Finished const wrong = jobs_on_tree(jobs);
    EXPECT_EQ(wrong.code, 2);
    EXPECT_NE(wrong.err.find("ranks=0 of a job is not a number"), std::string::npos) << wrong.err;
    Words const two(jobs.begin(), jobs.end() - 2);
    Finished const done = jobs_on_tree(joined(two, {"--format", "json"}));
    ASSERT_EQ(done.code, 0) << done.err;
    Json const report = Json::parse(done.out);
    EXPECT_EQ(report["mappings"], 1);
    EXPECT_EQ(report["jobs"][0]["alone"]["mean"], 2.0);
    EXPECT_EQ(report["jobs"][0]["together"]["mean"], 2.0);  // up different leaves, down different leaves
    EXPECT_EQ(report["shared_links"], 0);
    std::string const yaml = folder.write("jobs.yaml",
                                          "jobs:\n  - name: a\n    pattern: shift:by=4\n    nodes: H[1,5,2,6,3,7,4,8]\n"
                                          "  - name: b\n    pattern: shift:by=2\n    ranks: 8\n    nodes: H[9-16]\n");
    Finished const listed = jobs_on_tree({"--jobs", yaml, "--format", "csv"});
    EXPECT_EQ(listed.code, 0) << listed.err;
    EXPECT_TRUE(listed.out.starts_with("section,statistic,key,value")) << listed.out;
    EXPECT_NE(listed.out.find("\njobs,ranks,a,8"), std::string::npos) << listed.out;
    // Files that a file of jobs names are those beside it; without them, those of the folder that one is in.
    folder.write("own.edges", "0 1 8\n1 0 8\n");
    folder.write("own.hosts", "H3\nH4\n");
    std::string const beside = folder.write("beside.yaml",
                                            "jobs:\n  - name: a\n    traffic: own.edges\n    nodes: own.hosts\n"
                                            "  - name: b\n    traffic: own.edges\n    nodes: any:2 of own.hosts\n");
    Finished const taken = jobs_on_tree({"--jobs", beside});
    EXPECT_EQ(taken.code, 2);  // found, and both jobs want the same nodes
    EXPECT_NE(taken.err.find("0 nodes are free"), std::string::npos) << taken.err;
    // What is wrong with a job in a file is told with its line.
    for (auto const& [text, told] :
         {std::pair("jobs:\n  - {name: a, ranks: 4, pattern: ring}\n  - {name: b, ranks: 4, pattern: rng}\n",
                    "wrong.yaml:3: job \"b\": unknown pattern \"rng\""),
          {"jobs:\n  - {name: a, ranks: 4, pattern: ring}\n  - {name: a, ranks: 4, pattern: ring}\n",
           "wrong.yaml:3: two jobs are called \"a\""},
          {"jobs:\n  - {name: a, pattern: ring}\n", "wrong.yaml:2: job \"a\" has no number of ranks"},
          {"jobs:\n  - {name: a, pattern: ring, nodes: x1}\n", "wrong.yaml:2: job \"a\": "},
          {"jobs:\n  - {name: x1, pattern: ring, nodes: x1}\n",  // what is wrong has the job's name in it
           "wrong.yaml:2: job \"x1\": there is no file and no compute node \"x1\""},
          {"jobs:\n  - {name: a, pattern: ring, ranks: 8, nodes: 'H[1-4]'}\n", "job \"a\": 8 ranks do not fit on 4"},
          {"jobs:\n  - {name: a, pattern: ring, ranks: 8}\nmore: 1\n",
           "wrong.yaml:3: \"more\" stands beside the jobs"}}) {
        Finished const found = jobs_on_tree({"--jobs", folder.write("wrong.yaml", text)});
        EXPECT_EQ(found.code, 2);
        EXPECT_NE(found.err.find(told), std::string::npos) << found.err;
    }
    Finished const other = jobs_on_tree(joined(two, {"--pattern", "bisect"}));
    EXPECT_EQ(other.code, 2);
    EXPECT_NE(other.err.find("--pattern does not go with `tailback jobs`"), std::string::npos) << other.err;
    Finished const twice = jobs_on_tree({"--job", "a:pattern=gather,ranks=2", "--job", "a:pattern=gather,ranks=2"});
    EXPECT_NE(twice.err.find("two jobs are called \"a\""), std::string::npos) << twice.err;
}

TEST(PlacementCommand, AFileThatIsNotThereIsNamed) {
    Finished const typo = on_tree({"--pattern", "ring", "--nodes", "typo.txt"});
    EXPECT_EQ(typo.code, 2);
    EXPECT_NE(typo.err.find("there is no file and no compute node \"typo.txt\""), std::string::npos) << typo.err;
}

/// Ranks that share an adapter are told, unless somebody said which hosts are one node; so are idle adapters and drawn
/// mappings of a table of algorithms, and bandwidth on the bus that counts bytes inside nodes: n nodes of k ranks and
/// adapters do an allreduce by rails in 2 (n - 1)/n parts of S/k, so busbw is k (2 (nk - 1)/(nk)) / (2 (n - 1)/n)
/// links.
TEST(PlacementCommand, TellsWhatRanksShareAndWhatIsIdle) {
    Words const on = {"evaluate", "--network", "crossbar:16", "--time", "--format", "json"};
    auto const run = [&](Words const& more) {
        Finished done = run_tailback(joined(on, more));
        EXPECT_EQ(done.code, 0) << done.err;
        return done;
    };
    auto const json = [](Finished const& done) { return nlohmann::json::parse(done.out); };
    std::string const told = "the 8 ranks of a node share its one adapter";
    Words const allreduce = {"--pattern", "allreduce:size=1MiB"};
    Finished const shared = run(joined(allreduce, {"--ranks-per-node", "8"}));
    EXPECT_NE(shared.err.find(told), std::string::npos) << shared.err;
    EXPECT_EQ(json(shared)["study"]["placement"]["adapters_of_a_node"], 1);
    Finished const rails = run(joined(allreduce, {"--ranks-per-node", "8", "--adapters", "8"}));
    EXPECT_EQ(rails.err.find("share"), std::string::npos) << rails.err;
    EXPECT_EQ(json(rails)["study"]["placement"]["adapters_of_a_node"], 8);

    Finished const by_rails =
        run({"--pattern", "allreduce:algorithm=hierarchical,size=1MiB", "--ranks-per-node", "8", "--adapters", "8"});
    nlohmann::json const collective = json(by_rails)["metrics"]["makespan"]["collective"];
    EXPECT_NEAR(collective["busbw"], 8 * (2 * 15 / 16.0) / (2 * 1 / 2.0), 1e-9);
    EXPECT_EQ(collective["busbw_passes_adapters"], true);
    nlohmann::json const one = json(run({"--pattern", "allreduce:algorithm=ring,size=1MiB", "--mapping", "identity"}));
    EXPECT_NEAR(one["metrics"]["makespan"]["collective"]["busbw"], 1, 1e-9);
    EXPECT_EQ(one["metrics"]["makespan"]["collective"]["busbw_passes_adapters"], false);

    Words const all = {"--pattern", "allreduce:algorithm=all,size=1MiB"};
    nlohmann::json const drawn = json(run(all)),
                         placed = json(run(joined(all, {"--ranks-per-node", "1", "--adapters", "8"})));
    EXPECT_EQ(drawn["mappings"], 10);
    EXPECT_EQ(drawn["seed"], 1);
    EXPECT_EQ(drawn["hosts_used"], 16);
    EXPECT_EQ(placed["seed"], nullptr);
    EXPECT_EQ(placed["hosts_used"], 2);
    EXPECT_EQ(placed["hosts"], 16);
}

}  // namespace
}  // namespace tailback::placement_command_test
