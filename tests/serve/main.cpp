/// The main function of the test binaries: runs tests, or serves the clients of client.cpp by a fork for each.
///
/// The server makes no thread, and a test keeps none of its descriptors: its process is as new as one of its own.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol.hpp"

namespace tailback::serve {
namespace {

using Words = std::vector<std::string>;

struct Test {
    pid_t process;
    int process_fd;  ///< readable when the process has ended
    int connection;  ///< hung up where the client has gone
    bool abandoned = false;
};

struct Request {
    Words words;
    int streams[standard_streams] = {};
};

bool has_one_thread() {
    auto const tasks = std::filesystem::directory_iterator{"/proc/self/task"};
    return std::distance(begin(tasks), end(tasks)) == 1;
}

class Server {
public:
    Server(int listener, int owner) : listener_{listener}, owner_{owner} {}
    /// In the process of a test: its words. Nothing: the server has ended.
    std::optional<Words> run();

private:
    static constexpr int idle_milliseconds = 5 * 60 * 1000;

    std::optional<Words> accept();  ///< in the process of a test
    void note(pid_t process, int connection);
    void become_test(Request const&);
    void look_after(std::size_t test, bool hung_up, bool ended);
    void kill_all();

    int listener_;
    int owner_;
    std::vector<Test> tests_;
};

std::optional<Words> Server::run() {
    for (;;) {
        std::vector<pollfd> watched{{owner_, POLLIN, 0}, {listener_, POLLIN, 0}};
        for (Test const& test : tests_) {
            watched.push_back({test.abandoned ? -1 : test.connection, POLLIN, 0});
            watched.push_back({test.process_fd, POLLIN, 0});
        }
        int const ready = ::poll(watched.data(), watched.size(), tests_.empty() ? idle_milliseconds : -1);
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0 || watched[0].revents) break;
        for (std::size_t test = tests_.size(); test-- > 0;)
            look_after(test, watched[2 + 2 * test].revents, watched[3 + 2 * test].revents);
        if (watched[1].revents)
            if (auto words = accept()) return words;
    }
    kill_all();
    return {};
}

void Server::kill_all() {
    for (Test const& test : tests_) ::kill(-test.process, SIGKILL);
}

/// A client has nothing to say while its test runs: whatever comes from it means that it has gone.
void Server::look_after(std::size_t index, bool hung_up, bool ended) {
    Test& test = tests_[index];
    if (ended) {
        siginfo_t how{};
        ::waitid(P_PID, static_cast<id_t>(test.process), &how, WEXITED);
        bool const exited = how.si_code == CLD_EXITED;
        Answer const answer{Kind::ended, exited ? 0 : how.si_status, exited ? how.si_status : 1};  // 1: not known how
        ::send(test.connection, &answer, sizeof answer, MSG_NOSIGNAL);
        ::close(test.connection);
        ::close(test.process_fd);
        tests_.erase(tests_.begin() + static_cast<std::ptrdiff_t>(index));
    } else if (hung_up) {
        test.abandoned = true;
        ::kill(-test.process, SIGKILL);
    }
}

std::optional<Request> received(int connection) {
    timeval const patience{5, 0};  // a client that is stopped must not stop others
    ::setsockopt(connection, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    std::vector<char> bytes(most_bytes_of_words);
    Message message{bytes.data(), bytes.size()};
    ssize_t const got = ::recvmsg(connection, message.header(), MSG_CMSG_CLOEXEC);
    Request request;
    if (got <= 0 || !message.take(request.streams)) return {};
    for (char const* word = bytes.data(); word < bytes.data() + got; word += request.words.back().size() + 1)
        request.words.emplace_back(word);
    return request;
}

std::optional<Words> Server::accept() {
    int const connection = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (connection < 0) return {};
    auto request = is_own(connection) ? received(connection) : std::nullopt;
    if (!request) {
        ::close(connection);
        return {};
    }
    pid_t const server = ::getpid();
    pid_t const process = ::fork();
    if (process == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (::getppid() != server) ::_exit(1);
        ::setpgid(0, 0);
        ::close(connection);
        become_test(*request);
        return std::move(request->words);
    }
    for (int const stream : request->streams) ::close(stream);
    note(process, connection);
    return {};
}

void Server::note(pid_t process, int connection) {
    int process_fd = -1;
    if (process > 0) {
        ::setpgid(process, process);
        process_fd = static_cast<int>(::syscall(SYS_pidfd_open, process, 0));
    }
    Answer const answer{Kind::begun, 0, 0};
    if (process_fd >= 0 && ::send(connection, &answer, sizeof answer, MSG_NOSIGNAL) > 0) {
        tests_.push_back({process, process_fd, connection});
        return;
    }
    ::close(connection);
    if (process > 0) {
        ::kill(-process, SIGKILL);
        ::waitpid(process, nullptr, 0);
    }
    if (process_fd >= 0) ::close(process_fd);
}

/// Leaves of the server's descriptors none open.
void Server::become_test(Request const& request) {
    ::close(listener_);
    ::close(owner_);
    for (Test const& test : tests_) {
        ::close(test.connection);
        ::close(test.process_fd);
    }
    for (int stream = 0; stream < standard_streams; ++stream)
        if (::dup2(request.streams[stream], stream) < 0) ::_exit(1);
    for (int const stream : request.streams) ::close(stream);
}

/// Runs the tests that the words of a client name (client.cpp: is_for_server), in the process of a test.
[[noreturn]] void run_named(Words const& words) {
    static constexpr std::string_view filter = "--gtest_filter=";
    for (std::string const& word : words)
        if (word.starts_with(filter)) GTEST_FLAG_SET(filter, word.substr(filter.size()));
        else if (word == "--gtest_also_run_disabled_tests") GTEST_FLAG_SET(also_run_disabled_tests, true);
    int const result = RUN_ALL_TESTS();
    // No destructors of what is static: to destroy thousands of tests that did not run takes longer than most run. With
    // sanitizers, without a server, they are run.
    std::cout.flush();
    std::fflush(nullptr);
    ::_exit(result);
}

int serve(int count, char** words, char const* argument) {
    int listener = -1, owner = -1;
    unsigned long long binary = 0;
    if (std::sscanf(argument, "%d,%d,%llu", &listener, &owner, &binary) != 3) return 2;
    testing::InitGoogleTest(&count, words);  // tests with parameters are made once
    // Clients whose server ends before it has begun their tests run them themselves.
    if (identity("/proc/self/exe") != binary || !has_one_thread()) return 1;
    ::fcntl(listener, F_SETFD, FD_CLOEXEC);
    ::fcntl(owner, F_SETFD, FD_CLOEXEC);
    if (auto const named = Server{listener, owner}.run()) run_named(*named);
    return 0;
}

}  // namespace
}  // namespace tailback::serve

int main(int argc, char** argv) {
    using namespace tailback::serve;
    std::size_t const length = std::strlen(serve_option);
    if (argc > 1 && std::strncmp(argv[1], serve_option, length) == 0) return serve(argc, argv, argv[1] + length);
    testing::InitGoogleTest(&argc, argv);
    return RUN_ALL_TESTS();
}
