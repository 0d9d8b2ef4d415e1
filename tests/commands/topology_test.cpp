// `tailback topology`: the tree of a fabric as Slurm wants it, Slurm's own reading of it, and wrong files found.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/reading.hpp"
#include "tests/support/programs/required.hpp"
#include "tests/support/programs/running.hpp"
#include "tests/support/rooms.hpp"

#include "host/api/slurm/slurm.hpp"
#include "host/study/placement/hostlist.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <set>

#include <unistd.h>

namespace tailback::topology_test {
namespace {

std::string written(std::string const& spec, std::string const& format = "slurm-tree") {
    Finished const run = run_tailback({"topology", "--network", spec, "--to", format});
    EXPECT_EQ(run.code, 0) << run.err;
    return run.out.substr(run.out.find('\n') + 1);
}

TEST(Topology, LeavesAndLevels) {
    EXPECT_EQ(written("xgft:m=3x2x2,w=1x2x2"),
              "SwitchName=S1_0 Nodes=H[1-3]\nSwitchName=S1_1 Nodes=H[4-6]\n"
              "SwitchName=S1_2 Nodes=H[7-9]\nSwitchName=S1_3 Nodes=H[10-12]\n"
              "SwitchName=level2-1 Switches=S1_[0-1]\nSwitchName=level2-2 Switches=S1_[2-3]\n"
              "SwitchName=level3-1 Switches=level2-[1-2]\n");
}

TEST(Topology, BlocksAreLeaves) {
    std::string const text = written("xgft:m=4x4,w=1x4", "slurm-block");
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 5);
    EXPECT_NE(text.find("BlockSizes=4,8,16\n"), std::string::npos) << text;
}

/// Host lists and their names are each other's inverse.
/// BlockSizes: the first times powers of two, rising, and no block smaller than the first.
TEST(Topology, WrongBlockSizesAreFound) {
    TemporaryFolder const folder;
    std::string const sound = "BlockName=a Nodes=H[1-3]\nBlockName=b Nodes=H[4-6]\n";
    auto const check = [&](std::string const& sizes) {
        std::ofstream(folder / "topology.conf") << sound << sizes << '\n';
        return run_tailback({"topology", "--network", "xgft:m=3x2,w=1x2", "--check", folder / "topology.conf"});
    };
    for (char const* right : {"", "BlockSizes=3", "BlockSizes=3,6", "BlockSizes=2,4,16"})
        EXPECT_EQ(check(right).out, "") << right;
    for (auto const& [wrong, told] :
         {std::pair{"BlockSizes=3,9", ":3: BlockSizes: 9 is not 3 times a power of two"},
          {"BlockSizes=3,3", ":3: BlockSizes: 3 is not 3 times"},
          {"BlockSizes=4", ":1: block a has 3 nodes, fewer than 4, the first of BlockSizes"},
          {"BlockSizes=3,x", ":3: BlockSizes: \"x\" is not a number of nodes"},
          {"BlockSizes=0", ":3: BlockSizes: \"0\" is not a number of nodes"},
          {"BlockSizes=3\nBlockSizes=3", ":4: BlockSizes is in line 3 already"}}) {
        Finished const run = check(wrong);
        EXPECT_EQ(run.code, 1) << wrong;
        EXPECT_NE(run.out.find(told), std::string::npos) << told << "\n" << run.out;
    }
}

TEST(Topology, FoldedHostlists) {
    for (std::vector<std::string> const& names : {std::vector<std::string>{"a"},
                                                  {"a1"},
                                                  {"a1", "a2", "a3"},
                                                  {"a01", "a02", "a10"},
                                                  {"a9", "a10", "a11"},
                                                  {"a1x", "a2x", "b2x"},
                                                  {"n", "n1", "n01", "n2"},
                                                  {"a099", "a100"},
                                                  {"x3", "x1", "x2"}}) {
        std::string const folded = fold_hostlist(names);
        EXPECT_EQ(expand_hostlist(folded), names) << folded;
    }
    EXPECT_EQ(fold_hostlist({"n01", "n02", "n03", "n05"}), "n[01-03,05]");
}

/// A file that is right, and each way in which it can be wrong, found in its line.
TEST(Topology, WrongFilesAreFound) {
    TemporaryFolder const folder;
    std::string const sound = written("xgft:m=3x2x2,w=1x2x2");
    auto const check = [&](std::string const& text) {
        std::ofstream(folder / "topology.conf") << text;
        return run_tailback({"topology", "--network", "xgft:m=3x2x2,w=1x2x2", "--check", folder / "topology.conf"});
    };
    Finished const right = check("# by hand\n" + sound);
    EXPECT_EQ(right.code, 0) << right.out;
    EXPECT_EQ(right.out, "");
    // As Slurm reads it: blanks around the `=`, values in quotes.
    Finished const blanks =
        check(std::string("SwitchName = S1_0 Nodes=\"H[1-3]\" LinkSpeed=100\n") + sound.substr(sound.find('\n') + 1));
    EXPECT_EQ(blanks.code, 0) << blanks.out;
    struct Case {
        std::string from, to, told;
    };
    for (Case const& c :
         {Case{"Nodes=H[1-3]\nSwitchName=S1_1 Nodes=H[4-6]", "Nodes=H[1-2,4]\nSwitchName=S1_1 Nodes=H[3,5-6]",
               ":1: H4 of S1_0 sits at switch S1_1, its others at S1_0"},
          Case{"Nodes=H[4-6]", "Nodes=H[4-5]", ": a node of the fabric is in no leaf: H6"},
          Case{"Nodes=H[4-6]", "Nodes=H[4-7]", ":3: node H7 is in line 2 already"},
          Case{"Nodes=H[4-6]", "Nodes=H[4-6],gone", ":2: S1_1 has nodes that the fabric does not have: gone"},
          Case{"SwitchName=S1_0 Nodes=H[1-3]", "SwitchName=A Nodes=H[1-2]\nSwitchName=S1_0 Nodes=H3",
               ":2: nodes of S1_0 sit at switch S1_0, as those of A in line 1: one leaf"},
          Case{"Switches=S1_[0-1]", "Switches=S1_[0-1],S9", ":5: level2-1 names S9, which no line defines"},
          Case{"Switches=S1_[0-1]\nSwitchName=level2-2 Switches=S1_[2-3]",
               "Switches=S1_0,S1_2\nSwitchName=level2-2 Switches=S1_1,S1_3", ":5: level2-1 has 3 of the 6 nodes"},
          Case{"SwitchName=level3-1 Switches=level2-[1-2]", "SwitchName=level3-1 Switches=level2-1",
               ": level2-2,level3-1 hang under nothing, though the fabric joins them"},
          Case{"SwitchName=level3-1", "SwitchName=S1_1", ":7: S1_1 is defined in line 2 already"},
          Case{"SwitchName=level3-1", "SwitchName=", ":7: a switch without a name"},
          Case{"SwitchName=level3-1 Switches=level2-[1-2]", "SwitchName=x", ":7: x has neither Nodes nor Switches"},
          Case{"Nodes=H[1-3]", "Nodes=H[1-2], H3", ":1: \"H3\" is nothing that topology.conf has"},
          Case{"Nodes=H[1-3]", "Nodes=H[1-3] Foo=1", ":1: \"Foo\" is nothing that topology.conf has"},
          Case{"Nodes=H[1-3]", "Nodes=H[1-3] Switches=S1_1", ":1: S1_0 has both Nodes and Switches"},
          Case{"SwitchName=S1_1", "include other.conf\nSwitchName=S1_1", ":2: what it includes is not read"},
          Case{"Nodes=H[1-3]", "Nodes=H[1-", ":1: \"H[1-\" is not a list of hosts"},
          Case{"Switches=S1_[0-1]", "Switches=S1_[0-", ":5: \"S1_[0-\" is not a list of hosts"}}) {
        std::string text = sound;
        std::size_t const at = text.find(c.from);
        ASSERT_NE(at, std::string::npos) << c.from << "\n" << sound;
        text.replace(at, c.from.size(), c.to);
        Finished const run = check(text);
        EXPECT_EQ(run.code, 1);
        EXPECT_NE(run.out.find(c.told), std::string::npos) << c.told << "\n" << run.out;
    }
    EXPECT_EQ(check("nothing of the kind\n").code, 2);
    // What would grow with every line ends: names in lists, and nodes below switches.
    std::string lists, chain = "SwitchName=u0 Nodes=H[1-1000]\n";
    for (int i = 0; i < 100; ++i) lists += "SwitchName=x" + std::to_string(i) + " Nodes=x[0-999999]\n";
    Finished const many = check(lists);
    EXPECT_EQ(many.code, 1);
    EXPECT_NE(many.out.find(":100: \"x[0-999999]\" is not a list of hosts (too many names with those"),
              std::string::npos);
    for (int i = 0; i < 9'000; ++i)
        chain += "SwitchName=u" + std::to_string(i + 1) + " Switches=u" + std::to_string(i) + "\n";
    std::ofstream(folder / "chain.conf") << chain;
    Finished const deep =
        run_tailback({"topology", "--network", "xgft:m=10x10x10,w=1x10x10", "--check", folder / "chain.conf"});
    EXPECT_EQ(deep.code, 2);
    EXPECT_NE(deep.err.find("the switches have too many nodes below them"), std::string::npos) << deep.err;
    // Slurm, too, says of leaves alone that no switch reaches all nodes.
    Finished const leaves = check(sound.substr(0, sound.find("SwitchName=level2")));
    EXPECT_EQ(leaves.code, 1);
    EXPECT_NE(leaves.out.find(": S1_[0-3] hang under nothing, though the fabric joins them"), std::string::npos)
        << leaves.out;
    Finished const twice = check(sound + "SwitchName=more Switches=S1_0,level3-1\n");
    EXPECT_EQ(twice.code, 1);
    EXPECT_NE(twice.out.find(":8: S1_0 is below level2-1 in line 5 already"), std::string::npos) << twice.out;
}

/// What a check of lines says; its exit code goes in front.
std::string checked(std::vector<std::string> const& lines, std::string const& spec = "xgft:m=3x2x2,w=1x2x2") {
    TemporaryFolder const folder;
    std::ofstream file(folder / "topology.conf");
    for (std::string const& line : lines) file << line << '\n';
    file.close();
    Finished const run = run_tailback({"topology", "--network", spec, "--check", folder / "topology.conf"});
    std::string out = run.out;
    for (std::string const path = folder / "topology.conf"; out.find(path) != std::string::npos;)
        out.erase(out.find(path), path.size());
    return std::to_string(run.code) + out;
}

// Slurm resolves names whatever the order of lines. What is wrong is told in any order: every name that no line
// defines, and every circle.
TEST(Topology, TheOrderOfLinesDoesNotMatter) {
    std::string const text = written("xgft:m=3x2x2,w=1x2x2");
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1)
        lines.push_back(text.substr(at, text.find('\n', at) - at));
    ASSERT_EQ(lines.size(), 7u);
    std::vector<std::string> down(lines.rbegin(), lines.rend());
    std::vector<std::string> middle = {lines[4], lines[6], lines[0], lines[3], lines[5], lines[1], lines[2]};
    for (auto const& order : {lines, down, middle}) {
        EXPECT_EQ(checked(order), "0");
        auto wrong = order;
        for (std::string& line : wrong)
            if (line.starts_with("SwitchName=level2-1")) line = "SwitchName=level2-1 Switches=S1_0,S1_2";
            else if (line.starts_with("SwitchName=level2-2")) line = "SwitchName=level2-2 Switches=S1_1,S1_3";
        EXPECT_NE(checked(wrong).find(": level2-1 has 3 of the 6 nodes"), std::string::npos) << checked(wrong);
        EXPECT_NE(checked(wrong).find(": level2-2 has 3 of the 6 nodes"), std::string::npos) << checked(wrong);
    }
    std::vector<std::string> undefined = {"SwitchName=top Switches=pod[1-3],spare",
                                          "SwitchName=pod1 Switches=S1_[0-1],S8"};
    undefined.insert(undefined.end(), lines.begin(), lines.begin() + 4);
    std::string const told = checked(undefined);
    EXPECT_NE(told.find(":1: top names pod[2-3],spare, which no line defines\n"), std::string::npos) << told;
    EXPECT_NE(told.find(":2: pod1 names S8, which no line defines\n"), std::string::npos) << told;
    std::vector<std::string> circles = {"SwitchName=a Switches=b", "SwitchName=b Switches=c,S1_0",
                                        "SwitchName=c Switches=a", "SwitchName=d Switches=d,S1_1",
                                        "SwitchName=e Switches=f", "SwitchName=f Switches=e"};
    circles.insert(circles.end(), lines.begin(), lines.begin() + 4);
    std::string const round = checked(circles);
    for (char const* const one : {":1: a, b, c are below each other, in a circle", ":4: d is below itself",
                                  ":5: e, f are below each other, in a circle"})
        EXPECT_NE(round.find(one), std::string::npos) << round;
    EXPECT_EQ(round.find("no line defines"), std::string::npos) << round;
}

/// Definition: a switch below another joins what some switches of the fabric join without more nodes.
TEST(Topology, WholePodsThatNothingJoinsAlone) {
    std::string const three = "xgft:m=2x2x3,w=1x2x2", top = "SwitchName=level3-1 Switches=level2-[1-3]";
    std::string text = written(three);
    text.replace(text.find(top), top.size(), "SwitchName=x Switches=level2-[1-2]\nSwitchName=y Switches=x,level2-3");
    EXPECT_EQ(checked({text}, three),
              "1:10: what x puts together is joined only by switches that join H9,H[10-12], too\n");
}

// `scontrol show topology` is what the controller made of topology.conf: Level is 0 for a leaf and one more than the
// highest below for others, whose Nodes are all below; AggregatedBlock are blocks taken together.
TEST(Topology, WhatScontrolShowsIsChecked) {
    std::vector<std::string> const leaves = {"SwitchName=S1_0 Level=0 LinkSpeed=1 Nodes=H[1-3]",
                                             "SwitchName=S1_1 Level=0 LinkSpeed=1 Nodes=H[4-6]",
                                             "SwitchName=S1_2 Level=0 LinkSpeed=1 Nodes=H[7-9] Switches=(null)",
                                             "SwitchName=S1_3 Level=0 LinkSpeed=1 Nodes=H[10-12]"};
    auto const tree = [&](std::vector<std::string> lines) {
        lines.insert(lines.end(), leaves.begin(), leaves.end());
        return checked(lines);
    };
    std::vector<std::string> const sound = {"SwitchName=root Level=2 LinkSpeed=1 Nodes=H[1-12] Switches=pod[1-2]",
                                            "SwitchName=pod1 Level=1 LinkSpeed=1 Nodes=H[1-6] Switches=S1_[0-1]",
                                            "SwitchName=pod2 Level=1 LinkSpeed=1 Nodes=H[7-12] Switches=S1_[2-3]"};
    EXPECT_EQ(tree(sound), "0");
    EXPECT_EQ(checked({"SwitchName=S1_0 Level=0 LinkSpeed=1 Nodes=H[1-3]", leaves[1], leaves[2], leaves[3],
                       "SwitchName=all Level=1 LinkSpeed=1 Nodes=H[1-12] Switches=S1_[0-3]"}),
              "0");
    for (auto const& [line, from, to, wanted] :
         {std::tuple{0, "Level=2", "Level=1", "1:1: root is at level 1, by those below it at 2\n"},
          {1, "H[1-6]", "H[1-5]", "1:2: Nodes of pod1 are not those below it: H6\n"},
          {2, "H[7-12]", "H[6-12]", "1:3: Nodes of pod2 are not those below it: H6\n"},
          {0, "Level=2", "Level=two", "1:1: \"two\" is not a number (level)\n"},
          {0, "LinkSpeed", "Speed", "1:1: \"Speed\" is nothing that scontrol show topology has\n"}}) {
        std::vector<std::string> lines = sound;
        std::string& text = lines[std::size_t(line)];
        text.replace(text.find(from), std::string(from).size(), to);
        EXPECT_EQ(tree(lines), wanted);
    }
    std::string const gone = tree({"SwitchName=root Level=1 LinkSpeed=1 Nodes=H[1-6] Switches=S1_[0-1],S9"});
    EXPECT_NE(gone.find(":1: root names S9, which no line defines"), std::string::npos) << gone;

    std::vector<std::string> const blocks = {"BlockName=b1 BlockIndex=0 Nodes=H[1-3] BlockSize=3",
                                             "BlockName=b2 BlockIndex=1 Nodes=H[4-6] BlockSize=3",
                                             "BlockName=b3 BlockIndex=2 Nodes=H[7-9] BlockSize=3",
                                             "BlockName=b4 BlockIndex=3 Nodes=H[10-12] BlockSize=3",
                                             "AggregatedBlock=b1,b2 BlockIndex=4 Nodes=H[1-6] BlockSize=6",
                                             "AggregatedBlock=b[3-4] BlockIndex=5 Nodes=H[7-12] BlockSize=6",
                                             "AggregatedBlock=b[1-4] BlockIndex=6 Nodes=H[1-12] BlockSize=12"};
    EXPECT_EQ(checked(blocks), "0");
    for (auto const& [line, from, to, wanted] :
         {std::tuple{0, "BlockSize=3", "BlockSize=4", "1:1: block b1 has 3 nodes, fewer than its BlockSize 4\n"},
          {4, "H[1-6]", "H[1-7]", "1:5: Nodes of b1,b2 are not those below it: H7\n"},
          {5, "b[3-4]", "b[3-5]", "1:6: b[3-5] names b5, which no line defines\n"},
          {6, "BlockSize=12", "BlockSize=x", "1:7: \"x\" is not a number (blocksize)\n"}}) {
        std::vector<std::string> lines = blocks;
        std::string& text = lines[std::size_t(line)];
        text.replace(text.find(from), std::string(from).size(), to);
        EXPECT_EQ(checked(lines), wanted);
    }
    // In topology.conf there is no Level.
    std::string const file = checked({"SwitchName=x Nodes=H[1-3]", "SwitchName=y Level=0 Nodes=H[4-12]"});
    EXPECT_NE(file.find(":2: \"Level\" is nothing that topology.conf has"), std::string::npos) << file;
}

TEST(Topology, RunningJobsOfSqueue) {
    auto const read = [](std::string const& text) {
        LineReader lines(source_of(text), "squeue");
        return read_squeue(lines);
    };
    auto const jobs = read("1234 n[01-02]\n  77_3   n03  \n88 \n");
    ASSERT_EQ(jobs.size(), 3u);  // the last waits
    EXPECT_EQ(jobs[0].name, "1234");
    EXPECT_EQ(jobs[0].nodes, "n[01-02]");
    EXPECT_EQ(jobs[1].name, "77_3");
    EXPECT_EQ(jobs[1].line, 2u);
    EXPECT_THROW(read("JOBID PARTITION NAME USER\n"), InputError);
    EXPECT_THROW(read("\n"), InputError);
    EXPECT_THROW(read("104 (Resources)\n105\n"), InputError);  // none runs
    EXPECT_THROW(read("101|n[01-02]\n"), InputError);
    std::vector<RunningJob> const all = read("JOBID NODELIST\n101 n[1-2]\n104 (Resources)\n105\n");
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].name, "101");
    EXPECT_EQ(all[1].nodes + all[2].nodes, "");  // they wait
    TemporaryFolder const folder;
    std::ofstream(folder / "squeue") << "11 H[1-4]\n12 H[5-8]\n13 H9\n";
    Finished const run =
        run_tailback({"jobs", "--network", "xgft:m=4x4,w=1x2", "--squeue", folder / "squeue", "--mappings", "1"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.out.find("11"), std::string::npos);
    EXPECT_NE(run.err.find("13"), std::string::npos) << run.err;  // one node sends nothing
    std::ofstream(folder / "waiting") << "JOBID NODELIST\n11 H[1-4]\n14 (Priority)\n15\n";
    Finished const waiting =
        run_tailback({"jobs", "--network", "xgft:m=4x4,w=1x2", "--squeue", folder / "waiting", "--mappings", "1"});
    EXPECT_EQ(waiting.code, 0) << waiting.err;
    EXPECT_NE(waiting.err.find("jobs without nodes wait, and are left out: 14, 15\n"), std::string::npos)
        << waiting.err;
    // Jobs may share a node; nodes of another partition are left out, and so is a job that has no two left.
    std::ofstream(folder / "shared") << "11 H[1-4]\n12 H[4-8],login1\n13 H9,login[2-3]\n";
    Finished const shared = run_tailback({"jobs", "--network", "xgft:m=4x4,w=1x2", "--squeue", folder / "shared",
                                          "--mappings", "1", "--format", "json"});
    EXPECT_EQ(shared.code, 0) << shared.err;
    EXPECT_NE(shared.err.find("left out: login[1-3]"), std::string::npos) << shared.err;
    EXPECT_NE(shared.err.find("fewer than two nodes of the network are left out: 13"), std::string::npos) << shared.err;
    nlohmann::json const found = nlohmann::json::parse(shared.out).at("jobs");
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[1].at("ranks"), 5);
    // Names are joined as those of hostfiles are: with a domain, without one, and by an interface, which is told once.
    std::string const spec = "xgft:m=4x4,w=1x2";
    ASSERT_EQ(run_tailback({"generate", spec, "--output", folder / "net"}).code, 0);
    std::string topology = read_whole(folder / "net/ibnetdiscover.out");
    for (int h = 1; h <= 4; ++h)
        topology = replaced(topology, "\"H" + std::to_string(h) + "\"", "\"H" + std::to_string(h) + ".a.example\"");
    std::ofstream(folder / "named.out") << topology;
    std::ofstream(folder / "joined") << "11 H[1-4],x1\n12 H[5-6].a.example\n14 H[7-8]-ib0\n15 H[9-10]-ib0\n";
    Finished const joined_names =
        run_tailback({"jobs", "--network", folder / "named.out", "--tables", folder / "net/opensm-lfts.dump",
                      "--squeue", folder / "joined", "--mappings", "1", "--format", "json"});
    ASSERT_EQ(joined_names.code, 0) << joined_names.err;
    EXPECT_EQ(nlohmann::json::parse(joined_names.out).at("jobs").size(), 4u);
    EXPECT_NE(joined_names.err.find("left out: x1\n"), std::string::npos) << joined_names.err;
    std::string const told =
        "of the nodes of running jobs 4 names are those of interfaces, and are taken as their nodes";
    EXPECT_NE(joined_names.err.find(told), std::string::npos) << joined_names.err;
    EXPECT_EQ(joined_names.err.find("interfaces", joined_names.err.find(told) + told.size()), std::string::npos);
    std::ofstream(folder / "gone") << "13 login[2-3]\n";
    EXPECT_EQ(run_tailback({"jobs", "--network", "star:4", "--squeue", folder / "gone"}).code, 2);
    std::ofstream(folder / "long") << "13 x[0-999999]\n14 y[0-999999]\n";
    Finished const too_long = run_tailback({"jobs", "--network", "star:4", "--squeue", folder / "long"});
    EXPECT_EQ(too_long.code, 2);
    EXPECT_NE(too_long.err.find("long:2: \"y[0-999999]\" is not a list of hosts (too many names with those"),
              std::string::npos)
        << too_long.err;
}

// A running job has a rank for every adapter of its nodes, unless --ranks-per-node says how many there are: a note
// tells how many adapters are without one.
TEST(Topology, RunningJobsOnNodesOfSeveralAdapters) {
    TemporaryFolder const folder;
    std::ofstream(folder / "squeue") << "11 N[1-2]\n12 N[3-4]\n";
    for (auto const& [per_node, note] :
         {std::pair{"", ""},
          {"1",
           "running jobs have 1 rank on a node and use 1 of its 8 adapters (without --ranks-per-node they use all)"},
          {"3", "running jobs have 3 ranks on a node and use 3 of its 8 adapters"},
          {"8", ""},
          {"16", ""}}) {
        Words words = {"jobs",     "--network", "rail:gpus=8,nodes=4", "--squeue", folder / "squeue", "--mappings", "1",
                       "--format", "json"};
        if (*per_node != 0) words.insert(words.end(), {"--ranks-per-node", per_node});
        Finished const run = run_tailback(words);
        ASSERT_EQ(run.code, 0) << run.err;
        EXPECT_EQ(run.err.find("running jobs have") == std::string::npos, *note == 0) << run.err;
        EXPECT_NE(run.err.find(note), std::string::npos) << run.err;
        nlohmann::json const jobs = nlohmann::json::parse(run.out).at("jobs");
        EXPECT_EQ(jobs[0].at("ranks"), 2 * (*per_node == 0 ? 8 : std::atoi(per_node)));
        EXPECT_EQ(jobs[0].at("ranks_per_node"), *per_node == 0 ? 8 : std::atoi(per_node));
    }
    Finished const refused = run_tailback(
        {"jobs", "--network", "rail:gpus=8,nodes=4", "--job", "a:pattern=ring,ranks=4", "--ranks-per-node", "8"});
    EXPECT_EQ(refused.code, 2);
    EXPECT_NE(refused.err.find("--ranks-per-node has no effect"), std::string::npos) << refused.err;
}

/// Slurm's controller reads what is written and tells the same tree.
TEST(Topology, SlurmReadsIt) {
    std::string const program = "/usr/sbin/slurmctld";
    if (!std::filesystem::exists(program)) GTEST_SKIP() << program << " is not installed (package slurmctld)";
    TemporaryFolder const folder;
    std::filesystem::create_directories(folder / "state");
    std::string const spec = "xgft:m=3x2x2,w=1x2x2";
    std::ofstream(folder / "topology.conf") << written(spec);
    char host[256] = {}, user[64] = {};
    ::gethostname(host, sizeof host - 1);
    std::snprintf(user, sizeof user, "%u", unsigned(::getuid()));
    int const port = 20000 + int(::getpid() % 20000);
    std::ofstream(folder / "slurm.conf")
        << "ClusterName=test\nSlurmctldHost=" << host << "\nAuthType=auth/none\nCredType=cred/none\nSlurmUser=" << user
        << "\nStateSaveLocation=" << folder / "state"
        << "\nSlurmctldPidFile=" << folder / "pid"
        << "\nSlurmctldPort=" << port << "\nSlurmdPort=" << port + 1
        << "\nTopologyPlugin=topology/tree\nProctrackType=proctrack/pgid\nNodeName=H[1-12] CPUs=1 State=FUTURE\n"
           "PartitionName=all Nodes=ALL Default=YES\n";
    Running slurm({program, "-D", "-vvv", "-f", folder / "slurm.conf"});
    bool const runs =
        slurm.wait_for([&] { return slurm.err().find("Running as primary controller") != std::string::npos; });
    std::string const said = slurm.err();
    if (!runs && said.find("topology") == std::string::npos)
        GTEST_SKIP() << "slurmctld does not come up here: " << said.substr(0, 2000);
    ASSERT_TRUE(runs) << said;
    EXPECT_NE(said.find("level:0 name:S1_0 nodes:H[1-3]"), std::string::npos) << said;
    EXPECT_NE(said.find("level:1 name:level2-1 nodes:H[1-6] switches:S1_[0-1]"), std::string::npos) << said;
    EXPECT_NE(said.find("level:2 name:level3-1 nodes:H[1-12] switches:level2-[1-2]"), std::string::npos) << said;
}

}  // namespace
}  // namespace tailback::topology_test
