// Limits of the system: threads that are not to be had, files that may not grow, disks that are full. Told, with an
// exit code that means it, and nothing half-written is left.
#include "host/base/error.hpp"
#include "host/io/disk_room.hpp"
#include "kernels/cpu/machine/threads.hpp"
#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/cpu_time.hpp"
#include "tests/support/programs/running.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include <unistd.h>

#if defined(__SANITIZE_THREAD__)
#define TAILBACK_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define TAILBACK_TSAN 1
#endif
#endif

namespace tailback::limits_test {
namespace {

bool is_there(char const* program) {
    return std::system((std::string("command -v ") + program + " >/dev/null").c_str()) == 0;
}

/// Under limits of util-linux's prlimit.
Finished run_limited(Words const& limits, Words const& arguments) {
    Running run(joined(limits, tailback_words(arguments)));
    return run.wait();
}

/// As somebody who may start no thread; root may always.
Words without_threads() {
    Words words;
    if (::geteuid() == 0) words = {"setpriv", "--reuid=65534", "--clear-groups"};
    return joined(words, {"prlimit", "--nproc=1:1"});
}

TEST(Limits, WithoutThreadsOneDoesTheWork) {
    if (!is_there("prlimit") || !is_there("setpriv")) GTEST_SKIP() << "no prlimit or setpriv";
    if (run_limited(without_threads(), {"--version"}).code != 0) GTEST_SKIP() << "another user cannot run the program";
    for (Words const& command :
         {Words{"evaluate", "--network", "torus:6x6", "--mappings", "50", "--threads", "4"},
          Words{"evaluate", "--network", "torus:6x6", "--routing", "valiant", "--mappings", "50", "--threads", "4"},
          Words{"audit", "--network", "torus:4x4", "--threads", "4"}}) {
        Finished const limited = run_limited(without_threads(), command), free = run_tailback(command);
        EXPECT_EQ(limited.code, free.code) << limited.err;
        EXPECT_EQ(limited.out, free.out);
        EXPECT_NE(limited.err.find("the system has room for 1 of 4 threads"), std::string::npos) << limited.err;
    }
}

/// What processes do not share they do not do side by side either: each would write the same.
TEST(Limits, ProcessesThatWereStartedTogetherAreRefused) {
    for (Words const& command :
         {Words{"audit", "--network", "torus:4x4"}, Words{"trace", "--network", "star:4", "h0", "h1"},
          Words{"sweep", "none.yaml", "--output", "none"}, Words{"list", "patterns"},
          Words{"estimate", "--network", "star:4"}}) {
        for (char const* const variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
            Finished const run = run_limited({"env", std::string(variable) + "=2"}, command);
            EXPECT_EQ(run.code, 2) << command[0] << run.err;
            EXPECT_NE(run.err.find(std::string(" runs in one process (2 were started together, as ") + variable +
                                   " says); start it without mpirun"),
                      std::string::npos)
                << run.err;
            EXPECT_EQ(run.out, "");
        }
        EXPECT_EQ(run_limited({"env", "PMI_SIZE=1"}, command).err.find("runs in one process"), std::string::npos);
    }
}

/// ThreadSanitizer has a thread of its own, and maps files larger than these limits.
bool has_address_sanitizer() {
#ifdef __SANITIZE_ADDRESS__
    return true;
#else
    return false;
#endif
}
bool has_thread_sanitizer() {
#if defined(TAILBACK_TSAN)
    return true;
#else
    return false;
#endif
}

/// A stack that is too small is told, whatever the command, and one that is said to suffice does.
TEST(Limits, ASmallStackIsTold) {
    if (!is_there("prlimit")) GTEST_SKIP() << "no prlimit";
    Words const command = {"evaluate",   "--network", "torus:6x6", "--metric", "all",
                           "--mappings", "20",        "--threads", "2"};
    for (char const* const kib : {"32", "64", "255"}) {
        Finished const run = run_limited({"prlimit", "--stack=" + std::to_string(std::stoul(kib) << 10)}, command);
        EXPECT_EQ(run.code, 2) << kib << run.err;
        EXPECT_NE(run.err.find(std::string("the stack is limited to ") + kib +
                               " KiB (at least 256 KiB are needed); raise the limit: ulimit -s 1024"),
                  std::string::npos)
            << run.err;
        EXPECT_EQ(run.out, "");
    }
    for (char const* const size : {"32", "32k", " 255 K ", "4096B"}) {
        Finished const run = run_limited({"env", std::string("OMP_STACKSIZE=") + size}, command);
        EXPECT_EQ(run.code, 2) << size << run.err;
        EXPECT_NE(run.err.find("OMP_STACKSIZE gives threads a stack of "), std::string::npos) << run.err;
    }
    if (has_thread_sanitizer() || has_address_sanitizer()) return;  // they need more
    std::string const want = run_tailback(command).out;
    for (Words const& how : {Words{"prlimit", "--stack=262144"}, Words{"env", "OMP_STACKSIZE=256"},
                             Words{"env", "OMP_STACKSIZE=1M"}, Words{"env", "OMP_STACKSIZE=no size"}})
        EXPECT_EQ(run_limited(how, command).out, want) << how[1];
}

/// Stacks of threads fill a small address space: fewer of them, and room for the work.
TEST(Limits, AThreadsStackTakesMemoryThatTheWorkNeeds) {
    if (!is_there("prlimit")) GTEST_SKIP() << "no prlimit";
    Words const small = {"prlimit", "--as=400000000"};
    if (run_limited(small, {"--version"}).code != 0) GTEST_SKIP() << "a sanitizer needs more";
    Words const command = {"evaluate", "--network", "torus:16x16", "--mappings", "200", "--threads", "64"};
    Finished const limited = run_limited(small, command), free = run_tailback(command);
    EXPECT_EQ(limited.code, 0) << limited.err;
    EXPECT_EQ(limited.out, free.out);
    EXPECT_NE(limited.err.find(" of 64 threads"), std::string::npos) << limited.err;
}

TEST(Limits, WhatTheSystemGrantsIsFoundOut) {
    EXPECT_EQ(granted_threads(1), 1u);
    EXPECT_EQ(granted_threads(3), 3u);
    {
        ThreadLimit const limit(2);
        EXPECT_EQ(threads_to_use(7), 2u);
        EXPECT_EQ(threads_to_use(1), 1u);
        EXPECT_LE(threads_to_use(0), 2u);
    }
    EXPECT_EQ(threads_to_use(7), 7u);
}

/// Of `--threads 1`, routes made included: one thread that works, beside the one that tells how far it is.
TEST(Limits, ThreadsThatWereNotAskedForDoNotWork) {
    if (has_thread_sanitizer()) GTEST_SKIP() << "ThreadSanitizer";
    for (Words const& how :
         {Words{"--routing", "valiant"}, Words{"--routing", "minhop"}, Words{"--routes", "tables"}}) {
        Running run(tailback_words(joined({"evaluate", "--network", "xgft:m=24x24,w=1x12", "--pattern", "bisect",
                                           "--threads", "1", "--mappings", "100000000"},
                                          how)));
        ASSERT_TRUE(run.wait_for([&] { return run.catches(SIGUSR1) && run.catches(SIGTERM); })) << run.err();
        std::this_thread::sleep_for(std::chrono::seconds(2));
        std::size_t working = 0;
        for (auto const& task : std::filesystem::directory_iterator("/proc/" + std::to_string(run.pid()) + "/task"))
            working += read_whole(task.path().string() + "/comm") != "progress\n";
        EXPECT_EQ(working, 1u) << how[1];
        run.signal(SIGTERM);
        EXPECT_EQ(run.wait().code, 130);
    }
}

/// Memory that is not there, in whatever thread: exit code 3 with the reason, never an abort. Limits from too little to
/// enough.
TEST(Limits, MemoryThatIsNotThereIsToldByEveryThread) {
    if (has_thread_sanitizer() || has_address_sanitizer()) GTEST_SKIP() << "sanitizers need memory of their own";
    if (!is_there("prlimit")) GTEST_SKIP() << "no prlimit";
    for (Words const& what : {Words{"evaluate", "--network", "torus:8x8x8", "--pattern", "all-to-all", "--sharing",
                                    "max-min", "--mappings", "2", "--threads", "2"},
                              Words{"evaluate", "--network", "torus:6x6x6", "--pattern", "all-to-all", "--time",
                                    "--mappings", "2", "--threads", "2"},
                              Words{"audit", "--network", "torus:32x32", "--threads", "2"}}) {
        std::size_t refused = 0;
        for (std::uint64_t megabytes = 40; megabytes < 220; megabytes += megabytes < 88 ? 4 : 12) {
            Finished const run = run_limited({"prlimit", "--as=" + std::to_string(megabytes << 20)}, what);
            if (run.code == 0 || run.code == 1) break;  // enough, and so is more
            EXPECT_TRUE(run.code == 3 || run.code == 2) << run.code << " with " << megabytes << " MB: " << run.err;
            EXPECT_NE(run.err.find("memory"), std::string::npos) << run.err;
            ++refused;
        }
        EXPECT_GT(refused, 0u) << what[2];
    }
}

TEST(Limits, AFileThatMayNotGrowIsToldAndLeavesNothing) {
    if (has_thread_sanitizer()) GTEST_SKIP() << "ThreadSanitizer";
    if (!is_there("prlimit")) GTEST_SKIP() << "no prlimit";
    TemporaryFolder const folder;
    Words const small = {"prlimit", "--fsize=20000"};
    Finished const rows = run_limited(
        small, {"evaluate", "--network", "torus:6x6", "--mappings", "20000", "--per-mapping", folder / "rows"});
    EXPECT_EQ(rows.code, 2);
    EXPECT_NE(rows.err.find("ulimit -f"), std::string::npos) << rows.err;
    Finished const made = run_limited(small, {"generate", "torus:12x12", "--output", folder / "made"});
    EXPECT_EQ(made.code, 2);
    EXPECT_NE(made.err.find("ulimit -f"), std::string::npos) << made.err;
    EXPECT_EQ(folder.files(), 0u);
}

TEST(Limits, ACheckpointThatMayNotGrowIsWarnedOfAndTheWorkGoesOn) {
    if (has_thread_sanitizer()) GTEST_SKIP() << "ThreadSanitizer";
    if (!is_there("prlimit")) GTEST_SKIP() << "no prlimit";
    TemporaryFolder const folder;
    Finished const run =
        run_limited({"prlimit", "--fsize=700"},  // what is told fits
                    {"evaluate", "--network", "torus:6x6", "--mappings", "20000", "--quiet", "--output", "/dev/null",
                     "--checkpoint", folder / "kept", "--checkpoint-every", "0"});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_NE(run.err.find("the checkpoint could not be written (File too large)"), std::string::npos) << run.err;
    EXPECT_EQ(folder.files(), 0u);
}

TEST(Limits, AnOutputThatTheDiskCannotHoldIsRefused) {
    TemporaryFolder const folder;
    require_room(folder / "small", 1000);
    require_room("/dev/null", std::uint64_t{1} << 60);
    require_room("-", std::uint64_t{1} << 60);
    try {
        require_room(folder / "large", std::uint64_t{1} << 60);
        FAIL() << "there is no such disk";
    } catch (InputError const& error) {
        EXPECT_NE(std::string(error.what()).find("does not fit"), std::string::npos) << error.what();
    }
}

/// Hosts of a network that is a formula have their names, in the files of a study, too.
TEST(Limits, AFormulaKnowsItsHostsByName) {
    TemporaryFolder const folder;
    std::string const dump = folder / "dump";
    auto const with = [&](std::string const& form, Words const& more) {
        return run_tailback(joined({"evaluate", "--network", "torus:4x5,hosts=2", "--routes", form, "--pattern", "rand",
                                    "--seed", "9", "--format", "csv"},
                                   more));
    };
    Finished const drawn = with("arithmetic", {"--mappings", "5", "--ranks", "23", "--dump-mappings", dump});
    ASSERT_EQ(drawn.code, 0) << drawn.err;
    EXPECT_NE(read_whole(dump).find("H1 "), std::string::npos);
    Finished const replayed = with("arithmetic", {"--mapping", "file:" + dump}),
                   by_tables = with("tables", {"--mapping", "file:" + dump});
    EXPECT_EQ(replayed.code, 0) << replayed.err;
    EXPECT_EQ(by_tables.code, 0) << by_tables.err;
    auto const numbers = [](std::string const& csv) {  // all but the digest
        std::string kept;
        for (std::size_t at = 0; at < csv.size();) {
            std::size_t const end = std::min(csv.find('\n', at), csv.size() - 1) + 1;
            if (csv.substr(at, end - at).find("digest") == std::string::npos) kept += csv.substr(at, end - at);
            at = end;
        }
        return kept;
    };
    EXPECT_EQ(numbers(replayed.out), numbers(by_tables.out));
    std::ofstream(folder / "subset") << "H23\n7\n0x8\n";
    Finished const listed = with("arithmetic", {"--subset", "file:" + (folder / "subset"), "--mappings", "3"});
    EXPECT_EQ(listed.code, 0) << listed.err;
    EXPECT_EQ(numbers(listed.out),
              numbers(with("tables", {"--subset", "file:" + (folder / "subset"), "--mappings", "3"}).out));
    for (std::string const word : {"H41", "H0", "H007", "S1_1", "0", "H"}) {
        std::ofstream(folder / "subset") << word << "\n";
        Finished const wrong = with("arithmetic", {"--subset", "file:" + (folder / "subset")});
        EXPECT_EQ(wrong.code, 2) << word;
        EXPECT_NE(wrong.err.find("subset:1: "), std::string::npos) << wrong.err;
    }
}

/// What is certain is said at once: routes of all pairs that cannot fit are not computed first.
TEST(Limits, RoutesOfAllPairsThatCannotFitAreRefusedAtOnce) {
    test::ProgramsTime const used;
    Finished const pairs =
        run_tailback({"evaluate", "--network", "kary-ntree:k=36,n=3", "--routing", "random-up", "--mappings", "1"});
    EXPECT_EQ(pairs.code, 2);
    EXPECT_NE(pairs.err.find("do not fit"), std::string::npos) << pairs.err;
    Finished const any_graph = run_tailback({"evaluate", "--network", "jellyfish:switches=10000,degree=20,hosts=4",
                                             "--routing", "valiant", "--mappings", "1"});
    EXPECT_EQ(any_graph.code, 2);
    EXPECT_NE(any_graph.err.find("study at most 8192 ranks, or choose a routing"), std::string::npos) << any_graph.err;
    // Fewer ranks would not help where the tables that its routes are made from do not fit.
    Finished const by_tables = run_tailback({"evaluate", "--network", "jellyfish:switches=500000,degree=20,hosts=4",
                                             "--routing", "valiant", "--mappings", "1"});
    EXPECT_EQ(by_tables.code, 2);
    EXPECT_NE(by_tables.err.find("choose a smaller network"), std::string::npos) << by_tables.err;
    EXPECT_EQ(by_tables.err.find("--ranks"), std::string::npos) << by_tables.err;
    EXPECT_LT(used.seconds(), 15);
}

/// The form of routes is weighed with the routes that would be packed: what a formula does at once is not stored first.
TEST(Limits, AFormulaIsTakenWhereStoredRoutesWouldBeLarge) {
    for (char const* const spec :
         {"mport-ntree:m=64,n=3", "hyperx:20x20x20,hosts=12", "hypercube:n=15", "dragonfly:p=12,a=24,h=12"}) {
        test::ProgramsTime const used;
        Finished const run = run_tailback({"evaluate", "--network", spec, "--mappings", "1", "--pattern", "rand"});
        EXPECT_EQ(run.code, 0) << run.err;
        EXPECT_NE(run.err.find("by formula"), std::string::npos) << run.err;
        EXPECT_LT(used.seconds(), 20) << spec;
    }
}

/// Routes by pairs that are too long for the widest row have a formula, too.
TEST(Limits, AFormulaIsTakenWhereRoutesAreTooLongToBeStored) {
    Words const command = {"evaluate", "--network", "ring:n=100", "--routing", "valiant", "--mappings", "3"};
    Finished const run = run_tailback(command);
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.out, run_tailback(joined(command, {"--routes", "arithmetic"})).out);
}

}  // namespace
}  // namespace tailback::limits_test
