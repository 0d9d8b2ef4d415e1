// OutputFile: an output appears whole on commit or not at all, an older file stays until then, and every failure to
// write is an InputError.
#include "host/io/output_file.hpp"

#include "host/base/error.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <functional>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {
/// Called with every descriptor that is brought to disk.
std::function<void(int)> when_synced;
}  // namespace

/// In place of the system's, for the whole of the test binary.
extern "C" int fsync(int descriptor) {
    if (when_synced) when_synced(descriptor);
    return static_cast<int>(::syscall(SYS_fsync, descriptor));
}

namespace tailback::output_file_test {
namespace {

std::string message_of(auto const& action) {
    try {
        action();
    } catch (InputError const& error) {
        return error.what();
    }
    return "";
}

TEST(OutputFile, AppearsOnCommitOnly) {
    TemporaryFolder const folder;
    std::string const path = folder / "out.txt";
    OutputFile out(path);
    out.stream() << "hello " << 42 << '\n';
    EXPECT_FALSE(std::filesystem::exists(path));
    out.commit();
    EXPECT_EQ(read_whole(path), "hello 42\n");
    EXPECT_EQ(folder.files(), 1u);
}

/// Whatever the sizes of pieces: each byte once, in their order.
TEST(OutputFile, PiecesOfAllSizesStandInTheirOrder) {
    TemporaryFolder const folder;
    std::string const path = folder / "out.txt";
    OutputFile out(path);
    std::string wanted;
    char letter = 'a';
    for (std::size_t const size : {3u, 300'000u, 0u, 200'000u, 200'000u, 1u, 262'144u, 262'143u, 1u, 1'000'000u, 5u}) {
        std::string const piece(size, letter++);
        out.stream() << piece;
        wanted += piece;
    }
    out.commit();
    EXPECT_TRUE(read_whole(path) == wanted);
}

TEST(OutputFile, LeavesNothingWithoutCommit) {
    TemporaryFolder const folder;
    std::string const path = folder.write("out.txt", "old");
    {
        OutputFile out(path);
        out.stream() << std::string(1 << 20, 'x');
        out.stage();
    }
    EXPECT_EQ(read_whole(path), "old");
    EXPECT_EQ(folder.files(), 1u);
}

TEST(OutputFile, ReplacesWhatALinkLeadsToAndKeepsItsMode) {
    TemporaryFolder const folder;
    std::string const real = folder.write("real", "old");
    ::chmod(real.c_str(), 0640);
    std::filesystem::create_symlink("real", folder / "link");
    OutputFile out(folder / "link");
    out.stream() << "new";
    out.commit();
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
    EXPECT_EQ(read_whole(real), "new");
    struct stat status {};
    ASSERT_EQ(::stat(real.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0640u);
}

/// On disk is a name only once its folder is: after the rename, and before `commit` returns.
TEST(OutputFile, IsOnDiskWithItsNameWhenCommitted) {
    TemporaryFolder const folder;
    std::filesystem::create_directory(folder / "deep");
    std::filesystem::create_symlink("deep/real", folder / "link");
    for (std::string const& path : {folder / "deep/out", folder / "link"}) {
        std::string const real = folder / (path.ends_with("out") ? "deep/out" : "deep/real");
        std::string synced;
        struct stat wanted {};
        ASSERT_EQ(::stat((folder / "deep").c_str(), &wanted), 0);
        OutputFile out(path);
        out.stream() << "text";
        when_synced = [&](int descriptor) {
            struct stat status {};
            if (::fstat(descriptor, &status) != 0) return;
            if (S_ISREG(status.st_mode)) synced += "file ";
            if (status.st_ino == wanted.st_ino) synced += read_whole(real) == "text" ? "folder " : "folder too early ";
        };
        out.commit();
        when_synced = nullptr;
        EXPECT_EQ(synced, "file folder ");
    }
}

TEST(OutputFile, MakesTheFileALinkLeadsTo) {
    TemporaryFolder const folder;
    std::filesystem::create_directory(folder / "deep");
    std::filesystem::create_symlink("deep/real", folder / "link");
    EXPECT_NO_THROW(check_writable(folder / "link"));
    EXPECT_TRUE(same_target(folder / "link", folder / "deep/real"));
    OutputFile out(folder / "link");
    out.stream() << "new";
    out.commit();
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
    EXPECT_EQ(read_whole(folder / "deep/real"), "new");
}

TEST(OutputFile, FullDiskIsAnError) {
    OutputFile out("/dev/full");
    out.stream() << "text";
    std::string const message = message_of([&] { out.commit(); });
    EXPECT_EQ(
        message,
        "/dev/full: the output could not be written (No space left on device); make room or choose another place");
}

TEST(OutputFile, FullDiskIsNoticedWhileALongOutputIsWritten) {
    OutputFile out("/dev/full");
    std::string const block(1 << 20, 'x');
    for (int i = 0; i < 80 && out.stream(); ++i) out.stream() << block;
    EXPECT_FALSE(out.stream());
    EXPECT_NE(message_of([&] { out.stage(); }), "");
}

TEST(OutputFile, ClosedPipeIsAnError) {
    auto const before = std::signal(SIGPIPE, SIG_IGN);
    TemporaryFolder const folder;
    std::string const pipe = folder / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_NO_THROW(check_writable(pipe));
    int reader = -1;
    std::thread other([&] { reader = ::open(pipe.c_str(), 0); });
    OutputFile out(pipe);
    other.join();
    out.stream() << "text";
    ::close(reader);
    EXPECT_NE(message_of([&] { out.commit(); }).find("(Broken pipe); the program that reads"), std::string::npos);
    EXPECT_TRUE(std::filesystem::is_fifo(pipe));
    std::signal(SIGPIPE, before);
}

/// A pipe by name is a file that somebody asked for; standard output is what a shell gave, and its end is told apart.
TEST(OutputFile, AClosedPipeForStandardOutputIsToldApart) {
    auto const before = std::signal(SIGPIPE, SIG_IGN);
    TemporaryFolder const folder;
    int ends[2], kept = ::dup(STDOUT_FILENO);
    ASSERT_EQ(::pipe(ends), 0);
    ::close(ends[0]);
    ASSERT_GE(::dup2(ends[1], STDOUT_FILENO), 0);
    ::close(ends[1]);
    bool gone = false;
    {
        OutputFile out("-"), file(folder / "file"), empty("-");
        out.stream() << "text";
        file.stream() << "text";
        try {
            commit_together({&out, &file, &empty});
        } catch (ReaderGone const&) {
            gone = true;
        }
    }
    ::dup2(kept, STDOUT_FILENO);
    ::close(kept);
    std::signal(SIGPIPE, before);
    EXPECT_TRUE(gone);
    EXPECT_EQ(read_whole(folder / "file"), "text") << "what goes to files is put there";
}

TEST(OutputFile, UnwritablePlacesAreErrorsBeforehand) {
    TemporaryFolder const folder;
    EXPECT_NE(message_of([&] { check_writable(folder / "no/such/folder/out"); }).find("create the folder first"),
              std::string::npos);
    EXPECT_NE(message_of([&] { check_writable(folder.path()); }).find("Is a directory"), std::string::npos);
    EXPECT_NE(message_of([&] { check_writable(folder.write("file", "") + "/out"); }).find("Not a directory"),
              std::string::npos);
    EXPECT_NE(message_of([&] { check_writable(""); }), "");
    EXPECT_NO_THROW(check_writable(folder / "new"));
    EXPECT_NO_THROW(check_writable("-"));
    EXPECT_NE(message_of([&] { OutputFile{folder / "no/such/folder/out"}; }), "");
    EXPECT_EQ(folder.files(), 1u);
    std::string const old = folder.write("old", "");
    ::chmod(old.c_str(), 0444);
    ::chmod(folder.path().c_str(), 0555);
    bool const root = ::geteuid() == 0;  // root may write everywhere
    if (root && ::seteuid(65534) != 0) GTEST_SKIP() << "cannot become an ordinary user: read-only places are not tried";
    EXPECT_NE(message_of([&] { check_writable(folder / "new"); }).find("Permission denied"), std::string::npos);
    EXPECT_NE(message_of([&] { check_writable(old); }).find("Permission denied"), std::string::npos);
    EXPECT_NE(message_of([&] { OutputFile{folder / "new"}; }).find("Permission denied"), std::string::npos);
    if (root) {
        ASSERT_EQ(::seteuid(0), 0);
    }
    ::chmod(folder.path().c_str(), 0755);
    EXPECT_EQ(read_whole(old), "");
}

TEST(OutputFile, KnowsTheSameTargetByAnotherName) {
    TemporaryFolder const folder;
    std::string const file = folder.write("a", "");
    EXPECT_TRUE(same_target(file, folder / "./a"));
    EXPECT_TRUE(same_target(folder / "new", folder / "x/../new"));
    EXPECT_TRUE(same_target("no-such-file", "./no-such-file"));
    EXPECT_FALSE(same_target("", "no-such-file"));
    EXPECT_TRUE(same_target("-", "/dev/stdout"));
    EXPECT_FALSE(same_target(file, folder / "b"));
    EXPECT_FALSE(same_target("-", file));
    EXPECT_FALSE(same_target("/dev/null", "/dev/null"));
}

TEST(OutputFile, ASignalLeavesNothing) {
    for (int const number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGALRM, SIGXCPU}) {
        TemporaryFolder const folder;
        pid_t const child = ::fork();
        if (child == 0) {
            rlimit const no_core{};
            ::setrlimit(RLIMIT_CORE, &no_core);
            OutputFile out(folder / "out");
            out.stream() << "text";
            ::raise(number);
            ::_exit(0);
        }
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        EXPECT_TRUE(WIFSIGNALED(status));
        EXPECT_EQ(WTERMSIG(status), number);
        EXPECT_EQ(folder.files(), 0u) << "signal " << number;
    }
}

/// What kill -9 leaves goes when the same output is written again; nothing else does.
TEST(OutputFile, WhatAKilledRunHasLeftIsRemovedByTheNext) {
    TemporaryFolder const folder;
    auto const run_and_kill = [&](std::string const& output) {
        int ready[2];
        EXPECT_EQ(::pipe(ready), 0);
        pid_t const child = ::fork();
        if (child == 0) {
            OutputFile out(output);
            (void)!::write(ready[1], "x", 1);
            ::pause();
        }
        char one = 0;
        EXPECT_EQ(::read(ready[0], &one, 1), 1);
        for (int const end : ready) ::close(end);
        std::string const part = output + ".part-" + std::to_string(child) + "-0";
        EXPECT_TRUE(std::filesystem::exists(part));
        { OutputFile const beside(output); }  // it still writes
        EXPECT_TRUE(std::filesystem::exists(part));
        ::kill(child, SIGKILL);
        EXPECT_EQ(::waitpid(child, nullptr, 0), child);
        EXPECT_TRUE(std::filesystem::exists(part));
        return part;
    };
    std::string const part = run_and_kill(folder / "out"), other = run_and_kill(folder / "out2");
    std::string const number = part.substr(part.find(".part-"));
    for (std::string const& name : {"out" + number + "x", "xout" + number, std::string("out.part-1-0"),
                                    "out.part" + number, std::string("out.part--0")})
        folder.write(name, "");
    std::string const locked = folder.write("out.part-2147483646-0", "");
    int const writer = ::open(locked.c_str(), O_RDONLY);
    ASSERT_EQ(::flock(writer, LOCK_EX), 0);  // as a writer in another container holds it
    { OutputFile const out(folder / "out"); }
    EXPECT_FALSE(std::filesystem::exists(part));
    EXPECT_TRUE(std::filesystem::exists(other));
    EXPECT_TRUE(std::filesystem::exists(locked));
    EXPECT_EQ(folder.files(), 7u);
    ::close(writer);
    { OutputFile const out(folder / "out"); }
    EXPECT_FALSE(std::filesystem::exists(locked));
    OutputFile out(folder / "out2");
    out.commit();
    EXPECT_FALSE(std::filesystem::exists(other));
    EXPECT_EQ(folder.files(), 6u);
}

/// An application that uses the library keeps its own handlers. (A process of its own sees it best, as ctest runs it.)
TEST(OutputFile, SignalsOfTheApplicationAreLeftToIt) {
    TemporaryFolder const folder;
    pid_t const child = ::fork();
    if (child == 0) {
        auto* const own = +[](int) {};
        std::signal(SIGALRM, own);
        OutputFile out(folder / "out");
        struct sigaction now {};
        ::sigaction(SIGALRM, nullptr, &now);
        ::_exit(now.sa_handler == own ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
}

}  // namespace
}  // namespace tailback::output_file_test
