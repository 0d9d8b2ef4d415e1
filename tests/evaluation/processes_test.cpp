// Several processes that mpirun starts: the same bytes whatever their number, and nothing at all when one of them
// fails.
#include "tests/support/programs/checkpoint_file.hpp"
#include "tests/support/programs/required.hpp"
#include "tests/support/programs/running.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <csignal>
#include <cstdlib>

namespace tailback::processes_test {
namespace {

Words mpirun(unsigned processes, Words const& arguments) {
    return joined({"mpirun", "--allow-run-as-root", "--oversubscribe", "-n", std::to_string(processes)},
                  tailback_words(arguments));
}

/// `first` in one process and `second` in another, of one job.
Words mpirun_two(Words const& first, Words const& second) {
    return joined(joined(mpirun(1, first), {":", "-n", "1"}), tailback_words(second));
}

/// Their handlers are set: they are beyond reading.
bool all_evaluate(Running const& run, std::size_t processes) {
    std::vector<pid_t> const children = run.children();
    return children.size() == processes &&
           std::all_of(children.begin(), children.end(), [](pid_t child) { return tailback_catches(child, SIGUSR1); });
}

class ProcessesTest : public testing::Test {
protected:
    void SetUp() override { skip_where_missing(missing(), "TAILBACK_REQUIRE_MPI"); }

private:
    static std::string missing() {
        if (run_tailback({"--version"}).out.find("MPI yes") == std::string::npos)
            return "the program was built without MPI";
        Finished const run = Running({"mpirun", "--version"}).wait();
        if (run.code != 0) return "there is no mpirun";
        return run.out.find("Open MPI") == std::string::npos ? "mpirun is not Open MPI's" : "";
    }
};

TEST_F(ProcessesTest, ReportsAreTheSameToTheByteForAnyNumber) {
    Words const studies[] = {
        {"--metric", "all", "--mappings", "3001", "--format", "text"},
        {"--metric", "all", "--mappings", "3001", "--batch", "17", "--format", "csv", "--pattern", "rand"},
        {"--metric", "all", "--mappings", "3", "--format", "json"},
        {"--metric", "all", "--until", "sum_max_cong:relative=2%", "--format", "json"}};
    for (Words const& study : studies) {
        Finished const want = run_tailback(on_tree16(study, "file-broken"));
        ASSERT_EQ(want.code, 0) << want.err;
        for (unsigned const processes : {1u, 2u, 3u, 4u}) {
            Finished const got = Running(mpirun(processes, on_tree16(study, "file-broken"))).wait();
            EXPECT_EQ(got.code, 0) << got.err;
            EXPECT_EQ(got.out, want.out) << processes;
            EXPECT_EQ(got.err.find("done: "), got.err.rfind("done: ")) << "told more than once: " << got.err;
        }
    }
}

TEST_F(ProcessesTest, RowsAndDumpsAreTheSameToTheByte) {
    TemporaryFolder const folder;
    Words const study = on_tree16({"--metric", "all", "--until", "ci=0.01", "--batch", "33"}, "file-broken");
    auto const to = [&](std::string const& name) {
        return joined(study, {"--per-mapping", folder / ("rows" + name), "--dump-mappings", folder / ("dump" + name)});
    };
    ASSERT_EQ(run_tailback(to("1")).code, 0);
    ASSERT_EQ(Running(mpirun(3, to("3"))).wait().code, 0);
    EXPECT_EQ(read_whole(folder / "rows1"), read_whole(folder / "rows3"));
    EXPECT_EQ(read_whole(folder / "dump1"), read_whole(folder / "dump3"));
    EXPECT_EQ(folder.files(), 4u);
}

/// A goal that is not reached is told by the exit code here too, and only once.
TEST_F(ProcessesTest, ExitCodesAreThoseOfOneProcess) {
    EXPECT_EQ(Running(mpirun(2, on_tree16({"--until", "ci=0.00001", "--mappings", "2000"}))).wait().code, 1);
    Finished const help = Running(mpirun(2, {"evaluate", "--help"})).wait();
    EXPECT_EQ(help.code, 0);
    EXPECT_EQ(help.out, run_tailback({"evaluate", "--help"}).out);
}

/// Columns side by side, of which some have fewer mappings than others, and one several numbers a mapping.
TEST_F(ProcessesTest, ColumnsAreThoseOfOneProcess) {
    Words const network = {"--network", "kary-ntree:k=3,n=2", "--pattern", "rand", "--format", "json"};
    for (Words const& study :
         {joined(joined({"bracket"}, network),
                 {"--routing", "ar:minimal", "--mappings", "300", "--hash-draws", "2", "--optimal-mappings", "7"}),
          joined(joined({"multipath"}, network), {"--routing", "minhop", "--lmc", "1", "--until", "ci=0.01"})}) {
        TemporaryFolder const folder;
        Finished const alone = run_tailback(joined(study, {"--per-mapping", folder / "alone"}));
        ASSERT_EQ(alone.code, 0) << alone.err;
        Finished const shared = Running(mpirun(3, joined(study, {"--per-mapping", folder / "shared"}))).wait();
        EXPECT_EQ(shared.code, 0) << shared.err;
        EXPECT_EQ(shared.out, alone.out);
        EXPECT_EQ(read_whole(folder / "shared"), read_whole(folder / "alone"));
    }
}

/// Searches share starts, restarts and descents.
TEST_F(ProcessesTest, SearchesAreThoseOfOneProcess) {
    TemporaryFolder const folder;
    Words const place = {"place",      "--network", "xgft:m=4x4,w=1x2", "--pattern", "stencil-2d", "--moves", "600k",
                         "--restarts", "2",         "--format",         "json"};
    Words const beside = {"place",     "--network", "xgft:m=4x4,w=1x2",
                          "--pattern", "1shift",    "--ranks",
                          "4",         "--job",     "a:pattern=all-to-all,ranks=5",
                          "--moves",   "20k",       "--format",
                          "json"};
    Words const improve = {"improve",    "--network", "dragonfly:a=4,p=2,h=2",
                           "--routing",  "minhop",    "--moves",
                           "500k",       "--orders",  "60",
                           "--restarts", "3",         "--format",
                           "json"};
    for (Words const& search : {place, beside, improve}) {
        Words const kept = joined(search, {"--checkpoint", folder / "checkpoint", "--checkpoint-every", "0"});
        Finished const want = run_tailback(search);
        ASSERT_EQ(want.code, 0) << want.err;
        for (unsigned const processes : {2u, 3u}) {
            Finished const got = Running(mpirun(processes, processes == 2 ? search : kept)).wait();
            EXPECT_EQ(got.code, 0) << got.err;
            EXPECT_EQ(got.out, want.out) << processes;
            EXPECT_EQ(got.err.find("done: "), got.err.rfind("done: ")) << "told more than once: " << got.err;
        }
    }
    EXPECT_EQ(folder.files(), 0u);
    Finished const other = Running(mpirun_two(place, joined(place, {"--seed", "2"}))).wait();
    EXPECT_EQ(other.code, 2) << other.err;
    EXPECT_NE(other.err.find("process 1 has another network or study than process 0; give"), std::string::npos);
    Finished const missing = Running(mpirun_two(improve, {"improve", "--network", "/no/such/file"})).wait();
    EXPECT_EQ(missing.code, 2) << missing.err;
    EXPECT_NE(missing.err.find("/no/such/file: "), std::string::npos) << missing.err;
}

/// Killed with all its processes, then gone on with by another number of them.
TEST_F(ProcessesTest, CheckpointsGoOnWithAnyNumber) {
    TemporaryFolder const folder;
    std::string const file = folder / "checkpoint";
    Words const study = on_tree16({"--metric", "all", "--mappings", "60000"}, "file-broken");
    Words const kept = joined(study, {"--checkpoint", file, "--checkpoint-every", "0", "--batch", "64"});
    std::uint64_t wanted = 1000;
    for (unsigned const processes : {3u, 2u}) {
        Running run(mpirun(processes, kept));
        ASSERT_TRUE(run.wait_for([&] { return mappings_in(file) >= wanted; }));
        std::vector<pid_t> const children = run.children();
        ASSERT_EQ(children.size(), processes);
        for (pid_t const child : children) ::kill(child, SIGKILL);
        EXPECT_NE(run.wait().code, 0);
        wanted = mappings_in(file) + 1000;
    }
    Finished const got = run_tailback(joined(study, {"--checkpoint", file}));
    EXPECT_EQ(got.code, 0) << got.err;
    EXPECT_NE(got.err.find("continuing from"), std::string::npos);
    EXPECT_EQ(got.out, run_tailback(study).out);
    EXPECT_EQ(folder.files(), 0u);
}

/// One of them dies in mid run: the job fails, and there is no report.
TEST_F(ProcessesTest, ADeadProcessIsNoSilentGap) {
    for (unsigned const victim : {0u, 1u, 2u}) {
        TemporaryFolder const folder;
        Running run(
            mpirun(3, on_tree16({"--mappings", "1000000000000", "--batch", "100", "--output", folder / "report"})));
        ASSERT_TRUE(run.wait_for([&] { return all_evaluate(run, 3); }));
        ::kill(run.children()[victim], SIGKILL);
        Finished const finished = run.wait();
        EXPECT_NE(finished.code, 0);
        EXPECT_NE(finished.code, -1) << "it goes on without the dead one";
        EXPECT_NE(finished.err.find("signal 9"), std::string::npos) << finished.err;
        EXPECT_EQ(finished.out, "");
        EXPECT_EQ(folder.files(), 0u);
    }
}

TEST_F(ProcessesTest, SigusrOneEndsWithAReport) {
    TemporaryFolder const folder;
    Running run(mpirun(2, on_tree16({"--mappings", "1000000000000", "--batch", "100", "--output", folder / "report",
                                     "--format", "json"})));
    ASSERT_TRUE(run.wait_for([&] { return all_evaluate(run, 2); }));
    ::kill(run.children().back(), SIGUSR1);
    Finished const finished = run.wait();
    EXPECT_EQ(finished.code, 130) << finished.err;
    auto const json = nlohmann::json::parse(read_whole(folder / "report"));
    EXPECT_EQ(json.at("study").at("mappings").get<std::uint64_t>() % 100, 0u);
    EXPECT_FALSE(json.at("interrupted").is_null());
}

/// What one of them cannot do ends all, with one message.
TEST_F(ProcessesTest, BadInputAnywhereIsToldOnce) {
    Words const good = on_tree16({"--mappings", "100"}), missing = {"evaluate", "--network", "/no/such/file"};
    for (Words const& job : {mpirun_two(good, missing), mpirun_two(missing, good), mpirun(3, missing)}) {
        Finished const run = Running(job).wait();
        EXPECT_EQ(run.code, 2) << run.err;
        EXPECT_EQ(run.out, "");
        std::size_t const at = run.err.find("tailback: /no/such/file: ");
        EXPECT_NE(at, std::string::npos) << run.err;
        EXPECT_EQ(at, run.err.rfind("tailback: /no/such/file: ")) << run.err;
    }
    Finished const usage = Running(mpirun(2, {"evaluate", "--netwrk", "x"})).wait();
    EXPECT_EQ(usage.code, 2);
    EXPECT_EQ(usage.err.find("unknown option"), usage.err.rfind("unknown option"));
    for (Words const& words : {Words{"evaluate", "--network", "-"},
                               {"evaluate", "--network", "torus:4x4", "--routing", "dor", "--traffic", "-"}}) {
        Finished const input = Running(mpirun(2, words)).wait();
        EXPECT_EQ(input.code, 2);
        EXPECT_NE(input.err.find("several processes cannot share standard input"), std::string::npos) << input.err;
    }
}

TEST_F(ProcessesTest, AllMustStudyTheSame) {
    Words const good = on_tree16({"--mappings", "100"});
    for (Words const& other : {on_tree16({"--mappings", "101"}), on_tree16({"--mappings", "100", "--seed", "2"}),
                               on_tree16({"--mappings", "100"}, "file-broken")}) {
        Finished const run = Running(mpirun_two(good, other)).wait();
        EXPECT_EQ(run.code, 2) << run.err;
        EXPECT_EQ(run.out, "");
        EXPECT_NE(run.err.find("process 1 has another network or study than process 0; give"), std::string::npos)
            << run.err;
    }
}

/// A build without MPI must not run the same study several times over.
TEST(ProcessesAlone, ALauncherIsRefusedWithoutMpi) {
    if (run_tailback({"--version"}).out.find("MPI yes") != std::string::npos)
        GTEST_SKIP() << "the program was built with MPI";
    Finished const run =
        Running(joined({"env", "OMPI_COMM_WORLD_SIZE=2"}, tailback_words(on_tree16({"--mappings", "10"})))).wait();
    EXPECT_EQ(run.code, 2);
    EXPECT_NE(run.err.find("this program was built without MPI"), std::string::npos) << run.err;
}

}  // namespace
}  // namespace tailback::processes_test
