// Options that change nothing. Definitions: in every format of its report an option of what is told changes the report,
// or is refused by name; and so is one whose effect depends on the values of others.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace tailback {
namespace {

void expect_refused(Words const& words, std::string const& option, std::string const& why) {
    Finished const done = run_tailback(words);
    EXPECT_EQ(done.code, 2) << words.back();
    EXPECT_NE(done.err.find(option), std::string::npos) << done.err;
    EXPECT_NE(done.err.find(why), std::string::npos) << done.err;
}

TEST(IdleOptions, AFormatHasWhatIsAskedForOrRefusesIt) {
    struct Case {
        Words base;
        Words formats;
        std::vector<Words> options;
    };
    std::vector<Case> const cases = {
        {{"audit", "xgft:m=4x4,w=1x4"},
         {"text", "json", "csv", "dot", "svg", "html"},
         {{"--criticality"},
          {"--top", "1"},
          {"--shift-order", "bfs"},
          {"--without-cable", "S1_0:1"},
          {"--without-switch", "S2_0"},
          {"--group-by", "leaf"},
          {"--hosts", "H1*"}}},
        {{"estimate", "torus:4x4"}, {"text", "json", "csv"}, {{"--load", "0.2"}, {"--packet", "100"}}},
        {{"traffic", "examples/applications/ring.goal"}, {"text", "json"}, {{"--top", "1"}}},
        {{"schedule", "examples/schedule/day.yaml", "--network", "xgft:m=8x16,w=1x8"},
         {"text", "json", "csv"},
         {{"--seeds", "2"}, {"--select", "leaf"}}}};
    std::string const root = fixture("../../");
    for (Case const& one : cases)
        for (std::string const& format : one.formats) {
            Words base = joined(one.base, {"--format", format});
            for (std::string& word : base)
                if (word.starts_with("examples/")) word = root + word;
            Finished const plain = run_tailback(base);
            ASSERT_LE(plain.code, 1) << plain.err;
            for (Words const& option : one.options) {
                Finished const asked = run_tailback(joined(base, option));
                if (asked.code == 2) EXPECT_NE(asked.err.find(option.front()), std::string::npos) << asked.err;
                else EXPECT_NE(asked.out, plain.out) << one.base.front() << " " << option.front() << " " << format;
            }
        }
}

TEST(IdleOptions, WhatAFormatLacksMayBeLeftOutByName) {
    for (char const* const format : {"csv", "dot", "svg"})
        EXPECT_EQ(
            run_tailback({"audit", "xgft:m=4x4,w=1x4", "--shifts", "none", "--worst-case", "none", "--format", format})
                .code,
            0);
    expect_refused({"audit", "torus:4x4", "--worst-case", "exact", "--format", "svg"}, "--worst-case has no effect",
                   "svg");
    expect_refused({"audit", "torus:4x4", "--shifts", "all", "--format", "dot"}, "--shifts has no effect", "dot");
    expect_refused({"audit", "torus:4x4", "--shifts", "none", "--shift-order", "bfs"}, "--shift-order", "no shift");
}

TEST(IdleOptions, ASeedIsForRoutingsThatDraw) {
    for (char const* const routing : {"minhop", "updn", "dor", "dor:ties=parity", "dfsssp:lanes=4", "ar:minimal"})
        expect_refused({"evaluate", "torus:4x4", "--routing", routing, "--routing-seed", "3"},
                       "--routing-seed has no effect", routing);
    for (char const* const routing : {"random", "dor:ties=random", "valiant:by=dor", "ecmp", "romm", "kshortest"})
        EXPECT_EQ(
            run_tailback({"evaluate", "torus:4x4", "--routing", routing, "--routing-seed", "3", "--mappings", "2"})
                .code,
            0)
            << routing;
    expect_refused({"audit", "torus:4x4", "--routing-seed", "3"}, "--routing-seed has no effect", "usual routings");
    expect_refused({"generate", "torus:4x4", "--output", "x", "--routing-seed", "3"}, "--routing-seed",
                   "usual routings");
    expect_refused(on_tree16({"--routing-seed", "3"}), "--routing-seed has no effect", "--tables");
    TemporaryFolder const dumps;  // whose files have the routes, which only reading tells
    run_tailback({"convert", "xgft:m=4x4,w=1x2", "--to", "ibdiagnet2", "--output", dumps / "d"});
    for (Words const& command :
         {Words{"evaluate"}, Words{"audit"}, Words{"place", "--pattern", "ring", "--ranks", "8"}})
        expect_refused(joined(command, {"--network", dumps / "d", "--routing-seed", "3"}),
                       "--routing-seed has no effect", "network's files");
}

TEST(IdleOptions, SweepsDropASeedWhereTheRoutingDrawsNothing) {
    TemporaryFolder const folder;
    std::string const head = "network: \"torus:4x4\"\nmappings: 3\nrouting-seed: [1, 2]\n";
    std::string const some = folder.write("some.yaml", head + "routing: [minhop, random]\n"),
                      none = folder.write("none.yaml", head + "routing: [minhop, dor]\n");
    Finished const dry = run_tailback({"sweep", some, "--dry-run"});
    EXPECT_EQ(dry.code, 0) << dry.err;
    EXPECT_NE(dry.out.find("\n3 points on 1 network"), std::string::npos) << dry.out;
    expect_refused({"sweep", none, "--dry-run"}, "none.yaml:3: \"routing-seed\" has no effect at any point", "minhop");
}

/// Definition: a seed is for what is drawn. Where the mapping is written down and the traffic draws nothing all
/// mappings are the same, so more than one are refused, too.
TEST(IdleOptions, ASeedIsForMappingsThatDraw) {
    TemporaryFolder const folder;
    std::string const own = folder.write("own", "mapping 0\n0 1 2 3\n");
    Words const base = {"evaluate", "torus:4x4", "--mapping", "identity"};
    expect_refused(joined(base, {"--seed", "3"}), "--seed has no effect", "order of the hosts");
    expect_refused(joined(base, {"--mappings", "3"}), "--mappings has no effect", "all mappings are the same");
    EXPECT_EQ(run_tailback(joined(base, {"--mappings", "1"})).code, 0);
    expect_refused({"evaluate", "torus:4x4", "--mapping", "file:" + own, "--seed", "3"}, "--seed has no effect",
                   "where the file says");
    for (Words const& drawn : {Words{"--pattern", "rand"}, {"--subset", "rand", "--ranks", "8"}})
        EXPECT_EQ(run_tailback(joined(joined(base, drawn), {"--seed", "3", "--mappings", "3"})).code, 0);
    std::string const sweep = folder.write(
        "sweep.yaml", "network: \"torus:4x4\"\nmapping: [identity, random]\nseed: [1, 2]\nmappings: [3, 4]\n");
    Finished const dry = run_tailback({"sweep", sweep, "--dry-run"});
    EXPECT_EQ(dry.code, 0) << dry.err;
    EXPECT_NE(dry.out.find("\n5 points on 1 network"), std::string::npos) << dry.out;
}

/// Definition: what fails is drawn where a number above 0 of it is asked for.
TEST(IdleOptions, ASeedOfFailuresIsForThoseThatAreDrawn) {
    Words const base = {"evaluate", "torus:4x4", "--mappings", "2", "--fail-seed", "3"};
    for (char const* const nothing : {"0", "0%", "switch:0"})
        expect_refused(joined(base, {"--fail-cables", nothing}), "--fail-seed has no effect", "nothing fails");
    expect_refused(joined(base, {"--fail-cables", "S0_0:1"}), "--fail-seed has no effect", "is named");
    expect_refused(joined(base, {"--fail-switches", "S0_0"}), "--fail-seed has no effect", "is named");
    EXPECT_EQ(run_tailback(joined(base, {"--fail-cables", "switch:2", "--routing", "minhop"})).code, 0);
    TemporaryFolder const folder;
    std::string const head = "network: \"torus:4x4\"\nrouting: minhop\nmappings: 3\nfail-seed: [1, 2]\n";
    std::string const some = folder.write("some.yaml", head + "fail-cables: [0, 2]\n"),
                      none = folder.write("none.yaml", head + "fail-cables: 0\n");
    Finished const dry = run_tailback({"sweep", some, "--dry-run"});
    EXPECT_EQ(dry.code, 0) << dry.err;
    EXPECT_NE(dry.out.find("\n3 points on "), std::string::npos) << dry.out;
    expect_refused({"sweep", none, "--dry-run"}, "none.yaml:4: \"fail-seed\" has no effect at any point",
                   "nothing fails");
}

TEST(IdleOptions, ColumnsAreNamedOnceAndForTheirReason) {
    Words const lids = {"multipath", "torus:4x4", "--routing", "minhop", "--lmc", "2", "--mappings", "2"};
    expect_refused(joined(lids, {"--spread", "all,all"}), "--spread names all twice", "columns would be equal");
    EXPECT_EQ(run_tailback(joined(lids, {"--spread", "all,random"})).code, 0);
    for (char const* const command : {"bracket", "multipath"})
        expect_refused({command, "rail:gpus=4,nodes=6", "--rail-aligned"}, "--rail-aligned does not go with",
                       "not by the rail of their destination");
    Words const jobs = {"jobs", "torus:4x4", "--job", "a:pattern=ring,ranks=4,class=gold"};
    expect_refused(jobs, "class=gold of job \"a\" has no effect", "add --time");
    EXPECT_EQ(run_tailback(joined(jobs, {"--time"})).code, 0);
}

TEST(IdleOptions, AnOptimumIsOfTheMappingsThereAre) {
    Words const base = {"bracket", "torus:4x4", "--routing", "ar:minimal", "--mappings", "4"};
    expect_refused(joined(base, {"--optimal-mappings", "5"}), "--optimal-mappings has no effect", "4 of --mappings");
    EXPECT_EQ(run_tailback(joined(base, {"--optimal-mappings", "4"})).code, 0);
    EXPECT_EQ(run_tailback(base).code, 0) << "the default is not a wish";
    EXPECT_EQ(run_tailback({"bracket", "torus:4x4", "--routing", "ar:minimal", "--optimal-mappings", "1001", "--until",
                            "ci=0.05"})
                  .code,
              0)
        << "a goal may need more than the default";
}

TEST(IdleOptions, ADryRunHasNoOutputAndNoDevice) {
    for (Words const& more : {Words{"--batch", "5"}, {"--format", "html"}, {"--device", "cpu"}, {"--fresh"}})
        expect_refused(joined({"sweep", "x.yaml", "--dry-run"}, more), more.front() + " does not go with --dry-run",
                       "");
}

/// On nodes of one adapter a choice among adapters would only put ranks on nodes in block order.
TEST(IdleOptions, AChoiceAmongAdaptersWantsSeveral) {
    for (Words const& more :
         {Words{"--rail", "nearest"}, {"--rail-aligned"}, {"--adapters", "name"}, {"--adapters", "1"}})
        expect_refused(joined({"evaluate", "torus:4x4", "--mappings", "5"}, more), more.front() + " has no effect",
                       "every compute node has one adapter");
    expect_refused({"evaluate", "torus:4x4", "--rail", "nearest", "--rail-aligned"},
                   "--rail and --rail-aligned have no effect", "");
    // Where nodes are asked for, or divided by it, it does no harm: a note at most.
    Finished const beside =
        run_tailback({"evaluate", "torus:4x4", "--ranks-per-node", "2", "--rail", "nearest", "--mappings", "5"});
    EXPECT_EQ(beside.code, 0);
    EXPECT_NE(beside.err.find("note: --rail has no effect: every compute node has one adapter"), std::string::npos);
    for (Words const& more : {Words{"--adapters", "1"}, {"--adapters", "2"}, {"--rail", "nearest"}})
        EXPECT_EQ(run_tailback(joined({"evaluate", "rail:gpus=4,nodes=6", "--mappings", "5"}, more)).code, 0);
    Finished const jobs =
        run_tailback({"jobs", "--network", "torus:4x4", "--job", "a:pattern=bisect,ranks=6,rail=nearest"});
    EXPECT_EQ(jobs.code, 0);
    EXPECT_NE(jobs.err.find("note: --rail has no effect"), std::string::npos) << jobs.err;
}

TEST(IdleOptions, ANetworkWithoutAggregationNodesIsTold) {
    for (Words const& words : {Words{"evaluate", "torus:4x4", "--mappings", "5"},
                               {"audit", "xgft:m=4x4,w=1x4"},
                               {"jobs", "torus:4x4", "--job", "a:pattern=bisect,ranks=6"}}) {
        Finished const done = run_tailback(joined(words, {"--aggregation-nodes", "hosts"}));
        EXPECT_EQ(done.code, 0);
        EXPECT_NE(done.err.find("note: --aggregation-nodes hosts changes nothing"), std::string::npos) << done.err;
    }
}

TEST(IdleOptions, AnAuditSaysWhyItIsNeverStrict) {
    expect_refused({"audit", "torus:4x4", "--strict"}, "--strict does not go with `tailback audit`", "is a finding");
}

}  // namespace
}  // namespace tailback
