// tailback generate, and specs where files may stand: the same routes by every way.
#include "host/base/error.hpp"
#include "host/commands/command.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace tailback::generate_command_test {
namespace {

std::string problem_of(std::vector<std::string> const& words) {
    try {
        run_generate(words);
    } catch (InputError const& error) {
        return error.what();
    }
    return "";
}

TEST(Generate, FilesFitEachOtherAndTheSpec) {
    TemporaryFolder const folder;
    std::string const out = folder / "tree";
    ASSERT_EQ(run_generate({"xgft:m=4x4,w=1x4", "--routing", "minhop", "--output", out, "--to",
                            "ibnetdiscover,lft-dump,orcs-dot,graphml"}),
              success);
    std::size_t files = 0;
    for ([[maybe_unused]] auto const& entry : std::filesystem::directory_iterator(out)) ++files;
    EXPECT_EQ(files, 4u);
    std::string const reference =
        run_tailback({"trace", "--network", "xgft:m=4x4,w=1x4", "--routing", "minhop", "H1", "H16"}).out;
    EXPECT_NE(reference, "");
    EXPECT_EQ(run_tailback({"trace", "--network", out + "/fabric.dot", "H1", "H16"}).out, reference);
    Finished const by_lids = run_tailback(
        {"trace", "--network", out + "/ibnetdiscover.out", "--tables", out + "/opensm-lfts.dump", "1", "16"});
    EXPECT_EQ(by_lids.code, 0) << by_lids.err;
    // Written anew from the files: the same routing of the same network.
    ASSERT_EQ(run_generate({"--routing", "minhop", out + "/ibnetdiscover.out", "--output", folder / "again"}), success);
    EXPECT_EQ(read_whole(folder / "again/opensm-lfts.dump"), read_whole(out + "/opensm-lfts.dump"));
}

TEST(Generate, NothingIsLeftWhenItFails) {
    TemporaryFolder const folder;
    std::string const wide = "fully-connected:n=2,hosts=300";  // more ports than InfiniBand has
    EXPECT_NE(problem_of({wide, "--output", folder / "wide", "--to", "orcs-dot,lft-dump"}).find("ports"),
              std::string::npos);
    EXPECT_NE(problem_of({"torus:0x2", "--output", folder / "x"}).find("out of range"), std::string::npos);
    EXPECT_EQ(folder.files(), 0u);
    folder.write("file", "older");
    EXPECT_NE(problem_of({"ring:4", "--output", folder / "file"}).find("cannot be created"), std::string::npos);
    EXPECT_EQ(read_whole(folder / "file"), "older");
    EXPECT_NE(problem_of({"ring:4", "--output", folder / "no/such"}).find("cannot be created"), std::string::npos);
    EXPECT_EQ(run_tailback({"generate", "ring:4", "--output", folder / "new/"}).code, 0);
}

TEST(Generate, UsageErrors) {
    EXPECT_NE(problem_of({}).find("the spec is missing"), std::string::npos);
    EXPECT_NE(problem_of({"ring:4"}).find("--output is missing"), std::string::npos);
    EXPECT_NE(problem_of({"ring:4", "ring:5", "--output", "x"}).find("one word too many"), std::string::npos);
    EXPECT_NE(problem_of({"ring:4", "--output", "x", "--to", "lft-dmp"}).find("the nearest is \"lft-dump\""),
              std::string::npos);
    EXPECT_NE(problem_of({"ring:4", "--output", "x", "--tables", "y"}).find("does not go with the spec"),
              std::string::npos);
    EXPECT_NE(problem_of({"ring:4", "--output", "x", "--fail-cables", "200%"}).find("more than all"),
              std::string::npos);
    EXPECT_NE(problem_of({"ring:4", "--output", "x", "--fail-cables", "9"}).find("9 cables cannot fail (there are 8)"),
              std::string::npos);
}

TEST(NetworkSpec, StandsWhereverAFileStands) {
    Finished const evaluated =
        run_tailback({"evaluate", "--network", "kary-ntree:k=4,n=2", "--mappings", "5", "--format", "csv"});
    EXPECT_EQ(evaluated.code, 0) << evaluated.err;
    EXPECT_NE(evaluated.err.find("routed by dmodk"), std::string::npos);
    Finished const named = run_tailback(
        {"evaluate", "--network", "kary-ntree:k=4,n=2", "--routing", "dmodk", "--mappings", "5", "--format", "csv"});
    EXPECT_EQ(named.out, evaluated.out);
    EXPECT_EQ(named.err.find("routed by"), std::string::npos);
    Finished const converted =
        run_tailback({"convert", "--network", "ring:5", "--link-rate", "4xEDR", "--to", "ibnetdiscover"});
    EXPECT_EQ(converted.code, 0) << converted.err;
    EXPECT_EQ(converted.err, "");  // a network alone needs no routing
    Finished const orcs = run_tailback({"orcs", "-i", "mport-ntree:4,2", "-n", "3", "--routing", "updn"});
    EXPECT_EQ(orcs.code, 0) << orcs.err;
    EXPECT_NE(run_tailback({"evaluate", "--network", "tours:4x4"}).err.find("the nearest is \"torus\""),
              std::string::npos);
    EXPECT_NE(run_tailback({"evaluate", "--network", "nosuchfile"}).err.find("cannot be opened"), std::string::npos);
}

TEST(NetworkSpec, FilesWithoutTablesCanBeRouted) {
    std::string const net = fixture("live/tree16.net");
    for (std::string const routing : {"bfs", "minhop", "updn", "sssp", "random"}) {
        Finished const run =
            run_tailback({"evaluate", "--network", net, "--routing", routing, "--mappings", "3", "--format", "csv"});
        EXPECT_EQ(run.code, 0) << run.err;
        EXPECT_NE(run.out.find("pairs,delivered,,24\n"), std::string::npos) << run.out;
    }
    EXPECT_NE(
        run_tailback({"evaluate", "--network", net, "--routing", "dmodk"}).err.find("this network has no routing"),
        std::string::npos);
    EXPECT_NE(run_tailback({"evaluate", "--network", net, "--routing", "bfs", "--tables", "x"})
                  .err.find("--tables does not go with --routing"),
              std::string::npos);
}

TEST(NetworkSpec, ListsExplainEverything) {
    Finished const topologies = run_tailback({"list", "topologies"}), routings = run_tailback({"list", "routings"});
    EXPECT_NE(topologies.out.find("torus:8x8x8,hosts=2"), std::string::npos);
    EXPECT_NE(routings.out.find("minhop"), std::string::npos);
}

}  // namespace
}  // namespace tailback::generate_command_test
