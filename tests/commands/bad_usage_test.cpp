// Bad input and bad usage: exit code 2, one message `problem (why); what to do`, and nothing half-written.
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

namespace tailback::bad_usage_test {
namespace {

/// Runs and expects exit 2, an empty standard output and a message that holds `part` and says what to do.
void expect_refused(std::vector<std::string> const& arguments, std::string const& part, std::string const& input = "") {
    Finished const run = run_tailback(arguments, input);
    std::string line = "tailback";
    for (std::string const& word : arguments) line += " " + word;
    SCOPED_TRACE(line);
    EXPECT_EQ(run.code, 2) << run.err;
    EXPECT_EQ(run.out, "");
    EXPECT_NE(run.err.find(part), std::string::npos) << run.err;
    EXPECT_TRUE(run.err.starts_with("tailback: ")) << run.err;
    std::size_t const last = run.err.rfind("tailback: ");
    EXPECT_NE(run.err.find("; ", last), std::string::npos) << run.err;
    EXPECT_EQ(run.err.find("internal"), std::string::npos) << run.err;
    EXPECT_EQ(run.err.back(), '\n');
}

TEST(BadUsage, Commands) {
    expect_refused({}, "no command is given");
    expect_refused({"evalute"}, "unknown command \"evalute\" (the nearest is \"evaluate\")");
    expect_refused({"--evaluate"}, "unknown command");
    expect_refused({"list", "pattern"}, "there is no list of \"pattern\" (the nearest is \"patterns\")");
    expect_refused({"list", "patterns", "metrics"}, "there is no \"metrics\" among the patterns");
}

TEST(BadUsage, Options) {
    expect_refused({"evaluate"}, "--network is missing");
    expect_refused(on_tree16({"--patern", "ring"}), "unknown option \"--patern\" (the nearest is \"--pattern\")");
    expect_refused(on_tree16({"--zzzzzzzz"}), "unknown option \"--zzzzzzzz\";");
    expect_refused(on_tree16({"-x"}), "unknown option");
    expect_refused(on_tree16({"bisect"}), "a word that belongs to no option is a network, too");
    expect_refused(on_tree16({"--seed"}), "has no value");
    expect_refused(on_tree16({"--pattern", "--seed", "2"}), "option \"--pattern\" has no value");
    expect_refused(on_tree16({"--seed", "1", "--seed", "2"}), "option \"--seed\" is given more than once");
    expect_refused(on_tree16({"--strict=perhaps"}), "--strict takes no value");
    for (char const* const number : {"-1", "+1", "1.5", "", "1e-3", "0x10", " 1", "1 ", "ten"})
        expect_refused(on_tree16({"--seed", number}), "is not a whole number");
    expect_refused(on_tree16({"--seed", "18446744073709551616"}), "is out of range");
    expect_refused(on_tree16({"--mappings", "0"}), "is out of range");
    expect_refused(on_tree16({"--ranks", "4294967296"}), "is out of range");
    expect_refused(on_tree16({"--mappings", "99999999999999999999"}),
                   "give a whole number from 1 to 18446744073709551615");
    for (char const* const command : {"evaluate", "audit"})
        expect_refused({command, "--network", ""}, "the network has an empty name");
    expect_refused({"diff", "torus:4x4", "torus:4x5"},
                   "\"torus:4x4\" is not a file (it looks like the spec of a network, and only files can be compared); "
                   "write the files first");
    expect_refused({"diff", "x"}, "1 word is given");
    expect_refused(on_tree16({"--threads", "1000000"}), "is out of range");
    expect_refused(on_tree16({"--first-mapping", "18446744073709551615", "--mappings", "2"}),
                   "out of range (the last mapping's number is at most 18446744073709551615)");
    expect_refused(on_tree16({"--first-mapping", "18446744073709551615", "--until", "ci=0.1"}), "out of range");
    expect_refused(on_tree16({"--format", "jsn"}),
                   "--format \"jsn\" is unknown (the nearest is \"json\"); choose one of text, json, csv");
    expect_refused(on_tree16({"--device", "tpu"}), "--device \"tpu\" is unknown");
    expect_refused(on_tree16({"--subset", "linear"}), "--subset \"linear\" is unknown");
    expect_refused(on_tree16({"--mapping", "randon"}), "the nearest is \"random\"");
    expect_refused(on_tree16({"--mapping", "file"}), "names no file");
    expect_refused(on_tree16({"--mapping", "file:"}), "names no file");
    expect_refused(on_tree16({"--pattern", "file"}), "--pattern file names no file");
    expect_refused(on_tree16({"--pattern", "ptrnvsptrn", "--first", "file", "--first-ranks", "2", "--second", "ring"}),
                   "comes from a file");
    expect_refused(on_tree16({"--capacities", "none"}), "--capacities \"none\" is unknown");
    expect_refused(on_tree16({"--metric", "hist_acc_bnd"}),
                   "unknown metric \"hist_acc_bnd\" (the nearest is \"hist_acc_band\")");
    for (char const* const option : {"--metric", "--pattern", "--routing"}) {
        std::vector<std::string> const words = {"evaluate", "--network", "torus:3x3", option, "foo"};
        expect_refused(words, "\"foo\"; `tailback list");  // nothing is near
    }
    expect_refused(on_tree16({"--metric", ",sum_max_cong"}), "--metric has an empty entry");
    expect_refused(on_tree16({"--metric", "hist_max_cong", "--picture", "p.svg"}), "nothing to draw");
}

TEST(BadUsage, Studies) {
    expect_refused(on_tree16({"--pattern", "bisct"}), "unknown pattern \"bisct\" (the nearest is \"bisect\")");
    expect_refused(on_tree16({"--ranks", "17"}), "17 ranks do not fit on 16 hosts");
    expect_refused(on_tree16({"--ranks", "1"}), "pattern \"bisect\" on 1 rank has no flow (it needs at least 2 ranks)");
    expect_refused(on_tree16({"--level", "1"}), "no level 1");
    expect_refused(on_tree16({"--pattern", "ptrnvsptrn"}), "--first is missing");
    expect_refused(on_tree16({"--pattern", "ptrnvsptrn", "--first", "ring", "--second", "ring"}),
                   "--first-ranks is missing");
    expect_refused(on_tree16({"--pattern", "ptrnvsptrn", "--first", "ring", "--second", "ring", "--first-ranks", "16"}),
                   "16 ranks for the first of two patterns");
    expect_refused(on_tree16({"--first", "ring"}), "--first has no effect (it is for --pattern ptrnvsptrn)");
    std::vector<std::string> words = on_tree16({});
    expect_refused({words[0], words[1], words[2]}, "no forwarding tables");
}

TEST(BadUsage, StudiesBeforeTheNetworkIsMade) {
    // The network cannot be made (6 is not a power of a prime): what is told is what was looked at first.
    TemporaryFolder const folder;
    std::string const flows = folder.write("flows", "level\n0 1\nlevel\n1 0\n"), none = "file:" + (folder / "none");
    auto const refused = [](Words const& words, std::string const& part) {
        expect_refused(joined({"evaluate", "--network", "slimfly:q=6"}, words), part);
    };
    refused({}, "6 is not a power of a prime");
    refused({"--level", "0"}, "6 is not a power of a prime");
    refused({"--level", "9", "--pattern", "tree"}, "6 is not a power of a prime");  // it has so many on 1024 hosts
    refused({"--pattern", "bisct"}, "unknown pattern \"bisct\"");
    refused({"--pattern", "ptrnvsptrn", "--first", "nope", "--second", "ring", "--first-ranks", "3"},
            "unknown pattern \"nope\"");
    refused({"--pattern", "ptrnvsptrn", "--first", "ring", "--second", "nope", "--first-ranks", "3"},
            "unknown pattern \"nope\"");
    refused({"--level", "3"}, "the pattern has no level 3 (on any number of ranks it has 1 level)");
    refused({"--level", "4", "--pattern", "tree", "--ranks", "16"},
            "the pattern has no level 4 (on 16 ranks it has 4 levels)");
    refused({"--level", "3", "--pattern", "ptrnvsptrn", "--first", "ring", "--second", "ring", "--first-ranks", "3"},
            "the pattern has no level 3");
    refused({"--level", "2", "--pattern", "file:" + flows}, "the pattern has no level 2");
    refused({"--pattern", none}, "No such file");
    refused({"--subset", none}, "No such file");
    refused({"--mapping", none}, "No such file");
    refused({"--routing", "mihnop"}, "unknown routing");
}

TEST(BadUsage, NetworkFiles) {
    TemporaryFolder const folder;
    auto refused = [&](std::string const& name, std::string const& text, std::string const& part) {
        expect_refused({"evaluate", "--network", folder.write(name, text)}, part);
        expect_refused({"evaluate", "--network", "-"}, part, text);
    };
    expect_refused({"evaluate", "--network", folder / "none"}, "No such file");
    expect_refused({"evaluate", "--network", folder.path()}, "the folder has no topology");
    refused("empty", "", "empty");
    refused("unknown", "once upon a time\nthere was a network\n", "");
    refused("binary", std::string("Switch\t36 \"S-\0\0\0\x01\x02\xff\xfe", 20), "");
    refused("cut.xz", read_whole(on_tree16({})[2]).substr(0, 200), "");
    std::vector<std::string> tables = on_tree16({});
    tables[4] = folder.write("tables", "");
    expect_refused(tables, "empty");
    tables[4] = tables[2];
    expect_refused(tables, "");
    tables[2] = tables[4] = "-";
    expect_refused(tables, "standard input is given twice");
}

TEST(BadUsage, StrictTurnsDisagreementsIntoErrors) {
    EXPECT_EQ(run_tailback(on_tree16({"--mappings", "5"}, "file-broken")).code, 0);
    expect_refused(on_tree16({"--mappings", "5", "--strict"}, "file-broken"),
                   "--strict makes every disagreement an error");
}

TEST(BadUsage, Outputs) {
    TemporaryFolder const folder;
    expect_refused(on_tree16({"--output", folder / "no/folder/out"}),
                   "No such file or directory); create the folder first");
    expect_refused(on_tree16({"--output", folder.path()}), "Is a directory");
    expect_refused(on_tree16({"--output", ""}), "empty name");
    expect_refused(on_tree16({"--run-info", ""}), "--run-info is empty");
    expect_refused(on_tree16({"--output", folder / "a", "--picture", folder / "./a"}),
                   "two outputs go to the same place");
    expect_refused(on_tree16({"--picture", "-"}), "two outputs go to the same place");
    for (char const* const option : {"--output", "--per-mapping", "--dump-mappings", "--picture", "--run-info"})
        expect_refused(on_tree16({option, folder / "no/folder/out"}), "No such file or directory");
    std::string const network = folder.write("net.dot", read_whole(fixture("orcs/ft16_2leaf.dot")));
    std::string const before = read_whole(network);
    for (std::vector<std::string> const& words : std::vector<std::vector<std::string>>{
             {"evaluate", "--network", network, "--output", network},
             {"convert", "--network", network, "--to", "graphml", "--output", network},
             {"trace", "--network", network, "H00", "H01", "--output", network},
             {"orcs", "-i", network, "-o", network},
             {"diff", network, network, "--output", network},
         })
        expect_refused(words, "an output would replace an input");
    expect_refused({"diff", network, folder.write("broken", "?"), "--output", folder / "no/folder/out"},
                   "No such file or directory");  // before anything is read
    std::filesystem::remove(folder / "broken");
    std::string const fabric = folder.write("fabric.dot", before);  // what generate calls the file it writes
    expect_refused({"generate", fabric, "--routing", "minhop", "--to", "orcs-dot", "--output", folder.path()},
                   "an output would replace an input");
    EXPECT_EQ(read_whole(network), before);
    EXPECT_EQ(read_whole(fabric), before);
    EXPECT_EQ(folder.files(), 2u);
}

TEST(BadUsage, OutputsAndTheFilesThatSpecsAndRoutingsName) {
    TemporaryFolder const folder;
    std::string const graph = folder.write("fabric.dot", "a b\nb c\nc a\n"),
                      roots = folder.write("opensm-sl2vl.dump", "Sb\n");
    std::string const soft = folder / "soft", hard = folder / "hard";
    std::filesystem::create_symlink(graph, soft);
    std::filesystem::create_hard_link(roots, hard);
    std::vector<std::vector<std::string>> inputs;  // and the file that must stay
    for (std::string const& spec : {"edge-list:" + graph + ",hosts=2", "edge-list:hosts=2,file=" + graph})
        inputs.push_back({spec, "minhop", graph, soft});
    for (std::string const& routing : {"updn:roots=file:" + roots, "valiant:by=updn:roots=file:" + roots})
        inputs.push_back({"edge-list:" + soft, routing, roots, hard});
    auto const refused = [](std::vector<std::string> const& words) {
        expect_refused(words, "an output would replace an input");
    };
    for (std::vector<std::string> const& input : inputs)
        for (std::string const& output : {input[2], input[3]}) {
            Words const options = {"--network", input[0], "--routing", input[1]};
            for (char const* const option :
                 {"--output", "--per-mapping", "--dump-mappings", "--run-info", "--checkpoint"})
                refused(joined(joined({"evaluate"}, options), {"--mappings", "5", option, output}));
            for (char const* const option : {"--output", "--run-info", "--write-worst-permutation"})
                refused(joined(joined({"audit"}, options), {option, output}));
            refused(joined(joined({"convert"}, options), {"--to", "graphml", "--output", output}));
            refused(joined(joined({"trace"}, options), {"1", "2", "--output", output}));
            refused({"orcs", "-i", input[0], "--routing", input[1], "-o", output});
        }
    std::string const drawn = folder.write("edges.svg", "a b\nb c\nc a\n");  // of a name that pictures may have
    for (char const* const command : {"evaluate", "audit"})
        refused({command, "--network", "edge-list:" + drawn, "--picture", drawn});
    std::filesystem::remove(drawn);
    expect_refused({"generate", "-", "--routing", "updn:roots=file:-", "--output", folder.path()},
                   "standard input is given twice");
    refused({"generate", "edge-list:" + graph, "--output", folder.path(), "--to", "orcs-dot"});
    // A checkpoint is written by way of another file, which is removed in the end.
    std::string const part = folder.write("c.part", "a b\n");
    refused({"evaluate", "--network", "edge-list:" + part, "--mappings", "5", "--checkpoint", folder / "c"});
    std::filesystem::remove(part);
    // A routing with lanes adds files that --format does not name.
    refused({"generate", "edge-list:" + roots, "--routing", "dfsssp", "--output", folder.path()});
    EXPECT_EQ(read_whole(graph), "a b\nb c\nc a\n");
    EXPECT_EQ(read_whole(roots), "Sb\n");
    EXPECT_EQ(folder.files(), 4u);
}

TEST(BadUsage, EveryCommandSaysWhatToDo) {
    std::string const topology = fixture("opensm/ft2-16/minhop/ibnetdiscover.out.xz");
    expect_refused({"evaluate", "--network", topology}, "or --routing NAME");
    expect_refused({"orcs", "-i", topology}, "there are no forwarding tables");
    expect_refused({"orcs", "-i", topology, "-n", "1e5"}, "\"1e5\" is not a value for --num_runs; give a whole number");
    expect_refused({"convert", "--network", topology, "--to", "graphml", "--to", "orcs-dot"},
                   "is given more than once");
    expect_refused({"convert", "--network", "-", "--tables", "-", "--to", "graphml"}, "given twice");
    auto const trace = [](std::vector<std::string> words) {
        words = on_tree16(words);
        words.front() = "trace";
        return words;
    };
    expect_refused(trace({"12"}), "1 word is given");
    expect_refused(trace({"12", "-1"}), "unknown option \"-1\"");
    expect_refused(trace({"12", "0"}), "not a unicast LID");
    expect_refused(trace({"12", "0x0000000000000000"}), "nothing in the network has the GUID");
}

TEST(BadUsage, FullDisksLeaveNothingBehind) {
    TemporaryFolder const folder;
    for (char const* const option : {"--output", "--per-mapping", "--dump-mappings", "--picture", "--run-info"}) {
        std::vector<std::string> words = on_tree16({"--mappings", "300", option, "/dev/full"});
        for (char const* const other : {"--output", "--per-mapping", "--dump-mappings", "--picture", "--run-info"})
            if (std::string(other) != option) words.insert(words.end(), {other, folder / (other + 2)});
        expect_refused(words, "No space left on device); make room");
        EXPECT_EQ(folder.files(), 0u) << option;
    }
    Finished const run = run_tailback(on_tree16({"--mappings", "5", "--picture", folder / "p.svg"}), "", "/dev/full");
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.err.find("standard output: the output could not be written (No space left on device)"),
              std::string::npos)
        << run.err;
    EXPECT_EQ(folder.files(), 0u);
    for (std::vector<std::string> const& words :
         {std::vector<std::string>{"--help"}, {"--version"}, {"list", "patterns"}, {"help", "evaluate"}})
        EXPECT_EQ(run_tailback(words, "", "/dev/full").code, 2) << words.front();
}

/// A reader of standard output that has ended wants nothing more: the end is quiet, with the exit code that SIGPIPE
/// gives other programs at a shell (128 + 13), and what goes to files is put there. A file that cannot be written stays
/// an error.
TEST(GoodUsage, AReaderThatEndsEarlyIsNoError) {
    TemporaryFolder const folder;
    for (Words const& words :
         {Words{"--help"},
          {"--version"},
          {"list", "patterns"},
          {"help", "generate"},
          {"convert", "--network", "torus:8x8", "--link-rate", "4xEDR", "--to", "ibnetdiscover"},
          {"audit", "--network", "torus:4x4", "--routing", "updn", "--quiet"},
          {"trace", "--network", "torus:4x4", "--quiet", "1", "2"},
          on_tree16({"--mappings", "3", "--quiet"}),
          on_tree16({"--mappings", "3", "--per-mapping", "-", "--output", folder / "rows", "--quiet"})}) {
        Finished const run = run_tailback_unread(words);
        EXPECT_EQ(run.code, 141) << words.front();
        EXPECT_EQ(run.err, "") << words.front();
    }
    EXPECT_EQ(
        run_tailback_unread(on_tree16({"--mappings", "9000", "--dump-mappings", "-", "--output", folder / "report"}))
            .code,
        141);
    EXPECT_GT(std::filesystem::file_size(folder / "report"), 100u);
    std::filesystem::remove(folder / "report");
    EXPECT_EQ(run_tailback_unread(
                  on_tree16({"--mappings", "3", "--picture", folder / "picture", "--run-info", folder / "info"}))
                  .code,
              141);
    EXPECT_TRUE(read_whole(folder / "picture").starts_with("<svg"));
    EXPECT_NE(read_whole(folder / "info"), "");
    EXPECT_TRUE(read_whole(folder / "rows").starts_with("bisect, 16 ranks"));
    EXPECT_EQ(folder.files(), 3u);
    Finished const full =
        run_tailback_unread(on_tree16({"--mappings", "3", "--picture", "/dev/full", "--run-info", folder / "more"}));
    EXPECT_EQ(full.code, 2);
    EXPECT_NE(full.err.find("/dev/full: the output could not be written"), std::string::npos) << full.err;
    EXPECT_EQ(folder.files(), 3u);
}

TEST(BadUsage, AnOlderOutputSurvivesAFailure) {
    TemporaryFolder const folder;
    std::string const old = folder.write("report", "old");
    EXPECT_EQ(run_tailback(on_tree16({"--output", old, "--ranks", "17"})).code, 2);
    EXPECT_EQ(read_whole(old), "old");
    EXPECT_EQ(run_tailback(on_tree16({"--output", old, "--mappings", "3", "--picture", "/dev/full"})).code, 2);
    EXPECT_EQ(read_whole(old), "old");
    EXPECT_EQ(run_tailback(on_tree16({"--output", old, "--mappings", "3"})).code, 0);
    EXPECT_TRUE(read_whole(old).starts_with("bisect, 16 ranks"));
    EXPECT_EQ(folder.files(), 1u);
}

TEST(BadUsage, CudaWithoutADevice) {
    Finished const devices = run_tailback({"list", "devices"});
    ASSERT_EQ(devices.code, 0);
    if (devices.out.find("cuda  none (") == std::string::npos) GTEST_SKIP() << "there is a CUDA device here";
    expect_refused(on_tree16({"--device", "cuda"}), "there is no CUDA device (");
}

TEST(BadUsage, SubsetAndMappingFiles) {
    TemporaryFolder const folder;
    auto refused = [&](char const* option, std::string const& text, std::string const& part) {
        std::string const file = folder.write("list", text);
        expect_refused(on_tree16({option, "file:" + file, "--mappings", "1"}), part);
    };
    expect_refused(on_tree16({"--subset", "file:" + (folder / "none")}), "No such file");
    refused("--subset", "", "the subset file lists no hosts");
    refused("--subset", "# nothing\n\n", "the subset file lists no hosts");
    refused("--subset", "1\nnobody\n", "list:2: ");
    refused("--subset", "1\nleaf-04\n", "list:2: ");
    refused("--subset", "1\nnode0001 HCA-1\n", "list:2: host \"node0001 HCA-1\" is named twice (a subset is a set)");
    refused("--subset", "\"node0001 HCA-1\" 5\n", "more than one host in a line");
    refused("--subset", "\"node0001 HCA-1\n", "a quoted name does not end");
    refused("--mapping", "", "the mapping file holds no mapping");
    refused("--mapping", "1 5\n\n# x\n5 4711\n", "list:4: ");
    refused("--mapping", "1 5\n5 1 8\n", "list:2: a mapping of 3 hosts (those before it have 2)");
    refused("--mapping", "1 5\n5 5\n", "list:2: host \"5\" is named twice (in one mapping)");
    refused("--mapping", "1 \"node0002 HCA-1\"x\n", "a quoted name runs into the next word");
    std::string const file = folder.write("two", "1 5\n5 1\n");
    expect_refused(on_tree16({"--mapping", "file:" + file, "--mappings", "3"}),
                   "the mapping file has no mapping 2 (it holds 2, counted from 0)");
    expect_refused(on_tree16({"--mapping", "file:" + file, "--first-mapping", "2"}), "has no mapping 2");
    expect_refused(on_tree16({"--mapping", "file:" + file, "--ranks", "3"}), "--ranks 3 does not fit the mapping file");
}

TEST(GoodUsage, WhatIsCountedIsInWords) {
    Finished const one = run_tailback({"evaluate", "--network", "crossbar:4", "--mappings", "3"});
    EXPECT_NE(one.out.find("network of 4 hosts, 1 switch, 8 links"), std::string::npos) << one.out;
    // 2 % of 24 cables are 0.48, of 25 they are a half, which is rounded up.
    for (auto const& [ring, failed] :
         {std::pair{"ring:24", "0 of 24 cables failed"}, {"ring:25", "1 of 25 cables failed"}}) {
        Finished const run = run_tailback(
            {"evaluate", "--network", ring, "--routing", "minhop", "--fail-cables", "switch:2%", "--mappings", "3"});
        EXPECT_NE(run.err.find(failed), std::string::npos) << run.err;
    }
    Finished const lanes =
        run_tailback({"evaluate", "--network", "ring:6", "--routing", "dfsssp:lanes=1", "--mappings", "3"});
    EXPECT_EQ(lanes.code, 0) << lanes.err;
    EXPECT_NE(lanes.err.find("note: virtual lanes do not matter here"), std::string::npos) << lanes.err;
    EXPECT_EQ(
        run_tailback({"evaluate", "--network", "ring:6", "--routing", "dfsssp", "--mappings", "3"}).err.find("lanes"),
        std::string::npos);
}

TEST(GoodUsage, MappingsWithoutADeliveredFlow) {
    // No value of hist_acc_band, and 0 of the other two, which counts.
    Finished const run = run_tailback({"evaluate", "--network", "ring:6", "--pattern", "null", "--metric", "all",
                                       "--mappings", "3", "--format", "csv"});
    for (char const* const line : {"hist_acc_band,undefined,,3", "sum_max_cong,undefined,,0", "sum_max_cong,mean,,0",
                                   "dep_max_delay,undefined,,0", "dep_max_delay,mean,,0"})
        EXPECT_NE(run.out.find(line), std::string::npos) << line << "\n" << run.out;
}

TEST(GoodUsage, HelpAndListsAnswer) {
    for (std::vector<std::string> const& words : {std::vector<std::string>{"--help"},
                                                  {"help"},
                                                  {"help", "evaluate"},
                                                  {"evaluate", "--help"},
                                                  {"list"},
                                                  {"list", "patterns"},
                                                  {"list", "metrics"},
                                                  {"list", "devices"}}) {
        Finished const run = run_tailback(words);
        EXPECT_EQ(run.code, 0) << run.err;
        EXPECT_EQ(run.err, "");
        EXPECT_NE(run.out.find("tailback"), std::string::npos);
        EXPECT_NE(run.out.find("example"), std::string::npos) << words.back();
    }
    Finished const version = run_tailback({"--version"});
    EXPECT_EQ(version.code, 0);
    EXPECT_TRUE(version.out.starts_with("tailback ")) << version.out;
    EXPECT_NE(version.out.find("CUDA"), std::string::npos);
    for (char const* const name : {"bisect", "ptrnvsptrn", "4neighbor", "null"})
        EXPECT_NE(run_tailback({"list", "patterns"}).out.find(name), std::string::npos);
    for (char const* const name : {"hist_acc_band", "get_cable_cong"})
        EXPECT_NE(run_tailback({"list", "metrics"}).out.find(name), std::string::npos);
}

}  // namespace
}  // namespace tailback::bad_usage_test
