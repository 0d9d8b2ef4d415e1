// `tailback orcs`: ORCS's own outputs to the byte, what its versions do where they depart from the paper, its options.
#include "host/base/error.hpp"
#include "host/commands/command.hpp"
#include "host/formats/read/orcs_dot.hpp"
#include "host/orcs/delay.hpp"
#include "host/orcs/levels.hpp"
#include "host/orcs/options.hpp"
#include "host/orcs/orcs_placement.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

namespace tailback::orcs_test {
namespace {

using Words = std::vector<std::string>;

bool can_read_dot() {
    try {
        Disagreements disagreements;
        parse_orcs_dot("digraph { H1 -> H2 [comment=\"*\"] }", "x", disagreements);
        return true;
    } catch (InputError const&) {
        return false;
    }
}

#define NEEDS_DOT() \
    if (!can_read_dot()) GTEST_SKIP() << "built without Graphviz"

struct Outcome {
    int status;
    std::string console;
};

Outcome run(Words const& words) {
    testing::internal::CaptureStdout();
    int status = -1;
    try {
        for (commands::Command const& command : commands::all_commands())
            if (command.name == std::string("orcs")) status = command.run(words);
    } catch (...) {
        testing::internal::GetCapturedStdout();
        throw;
    }
    return {status, testing::internal::GetCapturedStdout()};
}

std::string error_of(Words const& words) {
    try {
        run(words);
    } catch (InputError const& error) {
        return error.what();
    }
    return "no error";
}

std::string const fixtures = fixture("orcs/");

/// The output without the two lines that name files.
std::string without_file_names(std::string const& text) {
    std::string rest = text;
    for (char const* name : {"Input File: ", "Output File: "}) {
        std::size_t const at = rest.find(name);
        if (at != std::string::npos) rest.erase(at, rest.find('\n', at) + 1 - at);
    }
    return rest;
}

/// Reruns every case of a folder whose name begins with `network`: NET.sSIZE.PATTERN.METRIC.VERSION
void expect_golden(std::filesystem::path const& golden, std::filesystem::path const& networks,
                   std::string const& network) {
    TemporaryFolder const folder;
    std::string const output = folder / "out";
    std::size_t cases = 0;
    for (auto const& entry : std::filesystem::directory_iterator(golden)) {
        std::string const name = entry.path().filename().string();
        std::vector<std::string> part;
        std::istringstream words(name);
        for (std::string word; std::getline(words, word, '.');) part.push_back(word);
        if (part.size() != 5 || part[0] != network) continue;
        Words options = {"-d",
                         "-i",
                         (networks / (part[0] + ".dot")).string(),
                         "-o",
                         output,
                         "-p",
                         part[2],
                         "-m",
                         part[3],
                         "--subset=linear_bfs",
                         "--as-orcs",
                         part[4] == "v11" ? "1.1" : "2.0"};
        if (part[1] != "sall") options.push_back("--commsize=" + part[1].substr(1));
        EXPECT_EQ(run(options).status, 0) << name;
        EXPECT_EQ(without_file_names(read_whole(output)), without_file_names(read_whole(entry.path().string())))
            << name;
        ++cases;
    }
    EXPECT_GT(cases, 0u);
}

class OrcsGolden : public testing::TestWithParam<char const*> {};

TEST_P(OrcsGolden, SomeOfItsOutputs) {
    NEEDS_DOT();
    expect_golden(fixtures + "golden", fixtures, GetParam());
}
INSTANTIATE_TEST_SUITE_P(Networks, OrcsGolden, testing::Values("ft16_2ary4", "ft16_2leaf", "ft16_4ary2"));

class OrcsSharedGolden : public testing::TestWithParam<char const*> {};

TEST_P(OrcsSharedGolden, AllOfItsOutputs) {
    NEEDS_DOT();
    std::filesystem::path const data = std::filesystem::path(shared_folder()) / "data/orcs";
    if (!std::filesystem::exists(data / "golden")) GTEST_SKIP() << "no shared data beside the sources";
    expect_golden(data / "golden", data, GetParam());
}
INSTANTIATE_TEST_SUITE_P(Networks, OrcsSharedGolden,
                         testing::Values("ft16_2ary4", "ft16_2leaf", "ft16_4ary2", "ft1142"));

TEST(Orcs, ThePapersMeaningAgreesWhereTheVersionsDoNotDepart) {
    NEEDS_DOT();
    // Sums of maxima, weights and the bins of 1.1 are all the paper's; only get_cable_cong and dep_max_delay are not.
    TemporaryFolder const folder;
    for (char const* metric : {"hist_max_cong", "sum_max_cong", "hist_acc_band"})
        for (char const* pattern : {"bisect", "bisect_fb_sym", "tree", "bruck", "gather", "scatter", "ring", "recdbl",
                                    "2neighbor", "6neighbor"}) {
            Words options = {"-d", "-i",           fixtures + "ft16_2ary4.dot", "-s", "13", "-p", pattern, "-m", metric,
                             "-o", folder / "out", "--subset=linear_bfs"};
            run(options);
            std::string const paper = read_whole(folder / "out");
            options.insert(options.end(), {"--as-orcs", "1.1"});
            run(options);
            EXPECT_EQ(paper, read_whole(folder / "out")) << metric << pattern;
        }
}

TEST(Orcs, EngineAndReplayAgreeOnDrawnMappings) {
    NEEDS_DOT();
    // The same permutations, evaluated by the kernels and by the replay, which share nothing but the patterns.
    TemporaryFolder const folder;
    for (char const* metric : {"hist_max_cong", "sum_max_cong", "hist_acc_band"})
        for (char const* pattern : {"bisect", "tree", "bruck", "recdbl", "4neighbor", "ptrnvsptrn"}) {
            Words options = {
                "-i",           fixtures + "ft16_4ary2.dot", "-n",     "100", "-p", pattern, "-m", metric, "-o",
                folder / "out", "--subset=linear_bfs",       "--seed", "5"};
            if (pattern == std::string("ptrnvsptrn"))
                options.insert(options.end(), {"-f", "tree", "-c", "bisect", "-z", "9"});
            run(options);
            std::string const engine = read_whole(folder / "out");
            options.insert(options.end(), {"--as-orcs", "1.1"});
            run(options);
            EXPECT_EQ(engine, read_whole(folder / "out")) << metric << pattern;
        }
}

TEST(Orcs, CableCongestionIsThePlainSumUnlessAVersionIsAsked) {
    NEEDS_DOT();
    // gather of 4 hosts: the last edge, into rank 0's host, carries 3 flows; the versions make 3 + 2 + 1 of it.
    TemporaryFolder const folder;
    Words options = {"-d",
                     "-i",
                     fixtures + "listing1.dot",
                     "-p",
                     "gather",
                     "-m",
                     "get_cable_cong",
                     "-o",
                     folder / "out",
                     "--subset",
                     "linear_bfs"};
    run(options);
    std::string const head = "\nCable Congestions:\n\n Edge-ID\tacc. cong\n";
    auto body = [&] {
        std::string const text = read_whole(folder / "out");
        return text.substr(text.find(head) + head.size());
    };
    // Edge ids: node S1 has 0 .. 7 (to H1 H2 H3 H4 S11 S11 S12 S12), then H1 .. H4 have 8 .. 11.
    EXPECT_EQ(body(), "0\t3\n9\t1\n10\t1\n11\t1\n");
    options.insert(options.end(), {"--as-orcs", "1.1"});
    run(options);
    EXPECT_EQ(body(), "0\t6\n9\t3\n10\t2\n11\t1\n");
}

TEST(Orcs, CableCongestionOnTheConsoleIsTheGraphInColour) {
    NEEDS_DOT();
    Outcome const outcome = run({"-d", "-i", fixtures + "listing1.dot", "-p", "gather", "-m", "get_cable_cong"});
    EXPECT_EQ(outcome.status, 0);
    std::string const graph = outcome.console.substr(outcome.console.find("digraph network"));
    Disagreements disagreements;
    Fabric const again = parse_orcs_dot(graph, "console", disagreements);
    EXPECT_EQ(again.network.links().size(), 16u);
    auto edge = [&](std::string const& arrow) {
        std::size_t const at = graph.find(arrow);
        return graph.substr(at, graph.find("];", at) - at);
    };
    EXPECT_NE(edge("S1 -> H1").find("congestion=1.000000"), std::string::npos) << graph;
    EXPECT_NE(edge("S1 -> H1").find("0.000000 0.900000 0.900000"), std::string::npos);
    EXPECT_NE(edge("H2 -> S1").find("congestion=0.333333"), std::string::npos);
    EXPECT_NE(edge("S1 -> H2").find("0.400000 0.900000 0.900000"), std::string::npos);
}

TEST(Orcs, RouteQualityOfATree) {
    NEEDS_DOT();
    // 16 hosts, 4 leaves, 4 spines, D-mod-K: every link between switches carries 12 of the 240 pairs.
    EXPECT_NE(run({"-i", fixtures + "ft16_4ary2.dot", "--routequal"})
                  .console.find("gmin: 12, gmax: 12\nE: 12.00, sigma: 0.00\nCompleted\n"),
              std::string::npos);
}

TEST(Orcs, ShufflesAreAFunctionOfTheSeed) {
    NEEDS_DOT();
    for (char const* version : {"", "1.1", "2.0"}) {
        auto with_seed = [&](char const* seed) {
            Words options = {"-i", fixtures + "ft16_4ary2.dot", "-n", "50", "-m", "hist_acc_band", "--seed", seed};
            if (*version != '\0') options.insert(options.end(), {"--as-orcs", version});
            return run(options).console;
        };
        EXPECT_EQ(with_seed("7"), with_seed("7"));
        EXPECT_NE(with_seed("7"), with_seed("8"));
    }
}

std::string const odd_network =
    "digraph { H1 -> S [comment=\"*\"]; S -> H1 [comment=H1]; H2 -> S [comment=\"*\"]; S -> H2 [comment=H2];"
    "H3 -> S [comment=\"*\"]; S -> H3 [comment=H3]; H4 -> S [comment=\"*\"]; S -> H4 [comment=H4];"
    "H5 -> S [comment=\"*\"]; S -> H5 [comment=H5] }";

std::string line_of(std::string const& text, std::string const& name) {
    std::size_t const at = text.find(name + ": ");
    return at == std::string::npos ? "" : text.substr(at + name.size() + 2, text.find('\n', at) - at - name.size() - 2);
}

TEST(Orcs, CommunicatorSizes) {
    NEEDS_DOT();
    TemporaryFolder const folder;
    std::string const net = folder / "net.dot";
    std::ofstream(net) << odd_network;
    auto size = [&](Words more) {
        more.insert(more.begin(), {"-i", net, "-p", "gather", "--subset", "linear_bfs"});
        return line_of(run(more).console, "Commsize");
    };
    EXPECT_EQ(size({}), "5");                    // the paper: one rank on every host
    EXPECT_EQ(size({"--as-orcs", "1.1"}), "4");  // both versions: an odd fabric loses one
    EXPECT_EQ(size({"--as-orcs", "2.0"}), "4");
    EXPECT_EQ(size({"--as-orcs", "1.1", "-s5"}), "5");  // asked for, an odd size is kept
    EXPECT_NE(error_of({"-i", net, "-s", "6"}), "no error");
    EXPECT_NE(error_of({"-i", net, "-s", "6", "--as-orcs", "1.1"}), "no error");
    EXPECT_NE(error_of({"-i", net, "-s", "3", "--as-orcs", "2.0"}).find("at least 4"), std::string::npos);
    EXPECT_NE(error_of({"-i", net, "-z", "5", "--as-orcs", "2.0"}).find("first part"), std::string::npos);
    EXPECT_EQ(line_of(run({"-i", net}).console, "Subset"), "linear_bfs");
    EXPECT_EQ(line_of(run({"-i", net, "--as-orcs=1.1"}).console, "Subset"), "rand");
}

TEST(Orcs, VersionsKeepWhatThereIsOfABrokenRoute) {
    NEEDS_DOT();
    TemporaryFolder const folder;
    std::string const net = folder / "net.dot";
    // S has no entry for H1, and passes H3 to and fro with T.
    std::ofstream(net)
        << "digraph { S -> H1 [comment=\"\"]; H1 -> S [comment=\"*\"]; S -> H2 [comment=H2]; H2 -> S [comment=\"*\"];"
           "H3 -> S [comment=\"*\"]; H4 -> S [comment=\"*\"]; S -> T [comment=\"H3,H4\"]; T -> S [comment=H3]; T -> H4 "
           "[comment=H4]; T -> H3 [comment=\"\"] }";
    // bisect: H2 -> H1 breaks off at S after one edge (weight 1), H4 -> H3 goes in circles.
    Words const broken = {"-d", "-i", net, "--subset", "linear_bfs", "-s", "2", "--as-orcs", "1.1"};
    std::string const console = run(broken).console;
    EXPECT_NE(console.find("There seems to be no route from H2 to H1.\nThere seems to be no route from H2 to H1.\n"),
              std::string::npos);
    EXPECT_NE(console.find("weight 1: 1 of the 1 connections (100.00%)\n\nBW: 1.000000\n"), std::string::npos);
    Words looping = {"-d", "-i", net, "--subset", "linear_bfs", "--as-orcs", "1.1"};
    EXPECT_NE(error_of(looping).find("dies of an assertion"), std::string::npos);
    looping.insert(looping.end(), {"-m", "sum_max_cong"});
    EXPECT_NE(run(looping).console.find("Congestion sum of 1 occured 1 times."), std::string::npos);
    // The paper's meaning: what is not delivered is left out.
    testing::internal::CaptureStderr();
    std::string const paper = run({"-d", "-i", net, "-s", "2"}).console;
    EXPECT_NE(testing::internal::GetCapturedStderr().find("1 of 1 flows are not delivered"), std::string::npos);
    EXPECT_NE(paper.find("BW: -nan"), std::string::npos) << paper;
    std::string const checked = run({"-i", net, "--checkinputfile"}).console;
    EXPECT_NE(checked.find("Testing pair number 16 of 16\nCompleted\n"), std::string::npos);
    EXPECT_NE(checked.find("There seems to be no route from H2 to H1.\n"), std::string::npos);
    EXPECT_NE(checked.find("routing loop!\n"), std::string::npos);
}

TEST(Orcs, WithoutConnections) {
    NEEDS_DOT();
    auto of = [&](Words more) {
        more.insert(more.begin(), {"-i", fixtures + "ft16_4ary2.dot", "-p", "null"});
        return run(more);
    };
    EXPECT_NE(of({"--as-orcs=1.1"}).console.find("\nBW: -nan\n"), std::string::npos);
    EXPECT_NE(of({"--as-orcs=2.0"}).console.find("\nBW: -1.000000\n"), std::string::npos);
    EXPECT_NE(of({"--as-orcs=1.1", "-m", "hist_acc_band"}).console.find("  0.00000000   0.05050000     1\n"),
              std::string::npos);
    EXPECT_NE(of({"-m", "hist_acc_band"}).console.find("  0.00000000   0.05050000     0\n"), std::string::npos);
    Outcome const gives_up = of({"--as-orcs=2.0", "-m", "hist_acc_band"});
    EXPECT_EQ(gives_up.status, 1);
    EXPECT_NE(gives_up.console.find("Moo\n-1.000000\n"), std::string::npos);
}

std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> levels_of(OrcsLevels& levels) {
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> all;
    for (std::uint64_t l = 0;; ++l) {
        all.emplace_back();
        for (OrcsPair const& p : levels.next(l)) all.back().push_back({p.source, p.destination});
        if (all.back().empty()) return all;
    }
}

TEST(OrcsLevels, TheSecondPatternStartsAgainAndGoesOnAlone) {
    OrcsOptions options;
    options.version = OrcsVersion::v11;
    options.pattern.name = "ptrnvsptrn";
    options.first.name = "tree";   // 0->1 | 0->2 1->3 | 0->4
    options.second.name = "ring";  // of 2: 5->6 | 6->5
    options.part_commsize = 5;
    OrcsLevels levels(options, 7);
    using Level = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
    std::vector<Level> const run = {{{0, 1}, {5, 6}}, {{0, 2}, {1, 3}, {6, 5}}, {{0, 4}, {5, 6}}, {{6, 5}}, {}};
    EXPECT_EQ(levels_of(levels), run);
    EXPECT_EQ(levels_of(levels), run);

    options.first.name = "null";  // an empty first pattern never makes the second one start again
    OrcsLevels quiet(options, 7);
    EXPECT_EQ(levels_of(quiet), (std::vector<Level>{{{5, 6}}, {{6, 5}}, {}}));
    EXPECT_EQ(levels_of(quiet), (std::vector<Level>{{}}));
}

TEST(OrcsLevels, DrawnPartners) {
    OrcsOptions options;
    options.pattern.name = "rand";
    for (OrcsVersion const version : {OrcsVersion::v11, OrcsVersion::v20}) {
        options.version = version;
        OrcsLevels levels(options, 6);
        bool fixed_point = false;
        std::set<std::vector<std::uint32_t>> distinct;
        for (int draw = 0; draw < 100; ++draw) {
            std::vector<std::uint32_t> to;
            std::set<std::uint32_t> met;
            for (OrcsPair const& p : levels.next(0)) {
                EXPECT_EQ(p.source, to.size());
                fixed_point |= p.source == p.destination;
                to.push_back(p.destination);
                met.insert(p.destination);
            }
            EXPECT_EQ(met.size(), 6u);
            distinct.insert(to);
        }
        EXPECT_GT(distinct.size(), 50u);
        EXPECT_EQ(fixed_point, version == OrcsVersion::v11);
    }
    options.pattern = {"recvs_all_src", "2,linear"};
    OrcsLevels linear(options, 7);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> const all = {{2, 0}, {3, 1}, {4, 0}, {5, 1}, {6, 0}};
    EXPECT_EQ(levels_of(linear).front(), all);
    options.pattern = {"recvs_one_src", "2,linear"};
    OrcsLevels one(options, 7);
    EXPECT_EQ(levels_of(one).front().size(), 2u);
}

TEST(OrcsDelay, IsASearchOverwritingDistances) {
    // Level 0: 0->1 (weight 5); level 1: 1->2 (2), 0->3 (1). Only what was received in the level before is waited for.
    OrcsDelayGraph graph;
    std::vector<std::pair<OrcsPair, std::uint64_t>> const first = {{{0, 1}, 5}}, second = {{{1, 2}, 2}, {{0, 3}, 1}},
                                                          third = {{{1, 4}, 1}};
    graph.add_level(first);
    graph.add_level(second);
    EXPECT_EQ(graph.vertices(), 6u);
    EXPECT_EQ(graph.largest_distance(), 7u);
    std::vector<std::uint32_t> const destination_of_first = {1};
    EXPECT_EQ(graph.largest_distance(destination_of_first), 2u);  // a wrong vertex number starts in the middle
    graph.add_level(third);  // rank 1 received in level 0, not in level 1: its history is lost
    EXPECT_EQ(graph.largest_distance(), 7u);
}

TEST(OrcsDelay, BisectHasNoneInVersion11) {
    NEEDS_DOT();
    auto of = [&](Words more) {
        more.insert(more.begin(), {"-d", "-i", fixtures + "ft16_4ary2.dot", "-m", "dep_max_delay", "-p", "bisect",
                                   "--subset", "linear_bfs"});
        if (more.size() > 9) more.insert(more.end(), {"-z", "8"});  // it matters in the published versions alone
        return run(more).console;
    };
    EXPECT_NE(of({"--as-orcs=1.1"}).find("Delay of 0 occured 1 times."), std::string::npos);
    EXPECT_NE(of({"--as-orcs=2.0"}).find("Delay of 1 occured 1 times."), std::string::npos);
    EXPECT_NE(of({}).find("Delay of 1 occured 1 times."), std::string::npos);
}

TEST(OrcsOptions, AreReadAsOrcsReadsThem) {
    OrcsOptions const o = parse_orcs_options({"-ix.dot", "--comm=12", "-p", "ptrnvsptrn", "--frstptrn", "tree",
                                              "-cring", "-z5", "-l-1", "-n", "3", "--output", "y"});
    EXPECT_EQ(o.input_file, "x.dot");
    EXPECT_EQ(o.output_file, "y");
    EXPECT_EQ(o.commsize, 12u);
    EXPECT_EQ(o.first.name, "tree");
    EXPECT_EQ(o.second.name, "ring");
    EXPECT_EQ(o.part_commsize, 5u);
    EXPECT_EQ(o.level, -1);
    EXPECT_EQ(o.runs, 3u);
    EXPECT_EQ(o.metric, "hist_max_cong");
    OrcsOptions const two = parse_orcs_options(
        {"-i", "x", "-p", "ptrnvsptrn", "-a", "neighbor:4::recvs_all_src:2,linear", "--as-orcs=2.0"});
    EXPECT_EQ(two.first.text(), "neighbor,4");
    EXPECT_EQ(two.second.text(), "recvs_all_src,2,linear");
    for (Words const& words : std::vector<Words>{{"-i"},
                                                 {"-i", "x", "-s", "4x"},
                                                 {"-i", "x", "-s", "-1"},
                                                 {"-i", "x", "-m", "bw"},
                                                 {"-i", "x", "--pr"},
                                                 {"-i", "x", "y"},
                                                 {},
                                                 {"-i", "x", "-p", "neighbor"},
                                                 {"-i", "x", "-p", "neighbor", "-a", "x"},
                                                 {"-i", "x", "-p", "recvs_one_src", "-a", "2"},
                                                 {"-i", "x", "--as-orcs", "3"},
                                                 {"-i", "x", "--part_subset", "rand"},
                                                 {"-i", "x", "-n", "99999999999999999999"},
                                                 {"-i", "x", "-p", "nosuch"}})
        EXPECT_THROW(parse_orcs_options(words), InputError) << (words.empty() ? "" : words.back());
    // What the published versions take in silence is refused in the paper's meaning.
    for (Words const& more :
         std::vector<Words>{{"-n", "0"}, {"-n", "-5"}, {"-l", "-7"}, {"-n", "5", "--runs=6"}, {"-n", "6", "-n", "6"}}) {
        Words words = {"-i", "x"};
        words.insert(words.end(), more.begin(), more.end());
        EXPECT_THROW(parse_orcs_options(words), InputError) << more.back();
        for (char const* const version : {"1.1", "2.0"}) {
            Words as_published = words;
            as_published.insert(as_published.end(), {"--as-orcs", version});
            OrcsOptions const as_orcs = parse_orcs_options(as_published);
            EXPECT_EQ(as_orcs.runs, more.back().ends_with("6") ? 6u : 1u) << more.back();
            EXPECT_LT(as_orcs.level, 0);
        }
    }
    // What changes nothing is refused; the published versions pass over it.
    for (auto const& [more, said] : {std::pair<Words, char const*>{{"-p", "bisect", "-a", "3"}, "takes no argument"},
                                     {{"-p", "bisect", "-f", "tree"}, "is not made of two"},
                                     {{"-p", "tree", "-z", "4"}, "is not made of two"},
                                     {{"-p", "ptrnvsptrn", "-a", "tree::ring", "-c", "tree"}, "-a names both"}}) {
        Words const words = joined({"-i", "x"}, more);
        EXPECT_NE(error_of(words).find(said), std::string::npos) << error_of(words);
        EXPECT_NO_THROW(parse_orcs_options(joined(words, {"--as-orcs", "2.0"}))) << more.back();
    }
    for (Words const& words : {Words{"-i", "torus:4x4", "--routing", "dor", "--routing-seed", "2"},
                               {"-i", "torus:4x4", "--routing-seed", "2", "--as-orcs", "1.1"}})
        EXPECT_NE(error_of(words).find("--routing-seed has no effect"), std::string::npos);
    EXPECT_NO_THROW(parse_orcs_options({"-i", "torus:4x4", "--routing", "random", "--routing-seed", "2"}));
    EXPECT_TRUE(parse_orcs_options({"--full-help"}).help);
    EXPECT_EQ(run({"-g", "-s", "9", "-p", "tree"}).status, 4);
    // Without -s on every host of the network, and not on none.
    EXPECT_EQ(run({"-g", "-p", "recdbl", "-i", "torus:4x4", "--routing", "dor"}).status, 4);
    EXPECT_NE(error_of({"-g", "-p", "recdbl"}).find("depends on the number of ranks"), std::string::npos);
    EXPECT_EQ(run({"-g", "-p", "recdbl", "--as-orcs", "1.1"}).status, 0);
}

TEST(OrcsPlacement, SubsetsByGuidAndRanksByFile) {
    NEEDS_DOT();
    Disagreements disagreements;
    Fabric const f = parse_orcs_dot(
        "digraph { H0a -> S [comment=\"*\"]; H02 -> S [comment=\"*\"]; H0c -> S [comment=\"*\"]; H01 -> S "
        "[comment=\"*\"]; S -> H0a [comment=H0a];"
        "S -> H02 [comment=H02]; S -> H0c [comment=H0c]; S -> H01 [comment=H01]}",
        "x", disagreements);
    auto names = [&](std::vector<Host> const& hosts) {
        std::string text;
        for (Host const h : hosts) text += f.network[f.network[h].node].name + " ";
        return text;
    };
    TemporaryFolder const folder;
    OrcsOptions options;
    options.version = OrcsVersion::v20;
    options.do_not_shuffle = true;
    options.subset = "guid_order_asc";
    EXPECT_EQ(names(OrcsPlacement(f.network, options, 3).hosts_of_run(0)), "H01 H02 H0a ");
    options.subset = "guid_order_desc";
    EXPECT_EQ(names(OrcsPlacement(f.network, options, 3).hosts_of_run(0)), "H0c H0a H02 ");
    options.subset = "linear_bfs";
    options.node_ordering_file = folder / "order";
    std::ofstream(options.node_ordering_file) << "# first\n0x1\n  c # last\n0x77\n";
    EXPECT_EQ(names(OrcsPlacement(f.network, options, 4).hosts_of_run(0)), "H01 H0c H0a H02 ");
    options.do_not_shuffle = false;
    OrcsPlacement const shuffled(f.network, options, 4);
    std::set<std::string> seen;
    for (std::uint64_t run = 0; run < 30; ++run) seen.insert(names(shuffled.hosts_of_run(run)));
    EXPECT_EQ(seen, (std::set<std::string>{"H01 H0c H0a H02 ", "H01 H0c H02 H0a "}));
    options.node_ordering_file = "-";
    options.pattern.name = "ptrnvsptrn";
    options.part_subset = "guid_order_asc";
    options.part_commsize = 2;
    options.do_not_shuffle = true;
    EXPECT_EQ(names(OrcsPlacement(f.network, options, 4).hosts_of_run(0)), "H01 H02 H0a H0c ");
    std::ofstream(folder / "bad") << "0x1\nxyz\n";
    options.node_ordering_file = folder / "bad";
    EXPECT_THROW(OrcsPlacement(f.network, options, 4), InputError);
}

}  // namespace
}  // namespace tailback::orcs_test
