/// Runs one test: test_client BINARY --gtest_filter=.. asks a server of BINARY, and is BINARY where none answers.
///
/// Loading a test binary costs more than most tests. The first client of a ctest starts a server, which loads it once
/// and forks for each test (main.cpp). A server has a name that no other has: of the binary, of the process that
/// started the client (its owner, a ctest), and of all that a process inherits (environment, folder, limits). So a test
/// finds what it would find without a server. The name is an abstract one: nothing is left in any folder.
/// A server ends with its owner, and after five minutes without a test. A test ends with its client, whatever ends
/// that.
#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <initializer_list>

#include "protocol.hpp"

extern char** environ;

namespace {
using namespace tailback::serve;

constexpr unsigned close_on_exec = 1U << 2;  ///< CLOSE_RANGE_CLOEXEC of newer headers

struct Name {
    sockaddr_un address{};
    socklen_t size = 0;
};

void add_link(Digest& digest, char const* path) {
    char target[256];
    ssize_t const length = ::readlink(path, target, sizeof target);
    digest.add(target, length < 0 ? 0 : static_cast<std::size_t>(length));
}

/// Of the server that would run a test as this process would.
Name name_of(char const* binary, pid_t owner) {
    Digest digest;
    digest.add(binary);
    digest.add_number(identity(binary));
    digest.add_number(owner);
    digest.add_number(::getuid());
    digest.add_number(::getgid());
    for (char const* space : {"/proc/self/ns/mnt", "/proc/self/ns/pid", "/proc/self/ns/user", "/proc/self/cwd"})
        add_link(digest, space);
    for (int resource = 0; resource < static_cast<int>(RLIM_NLIMITS); ++resource) {
        rlimit limit{};
        ::getrlimit(static_cast<__rlimit_resource>(resource), &limit);
        digest.add_number(limit.rlim_cur);
        digest.add_number(limit.rlim_max);
    }
    mode_t const mask = ::umask(0);
    ::umask(mask);
    digest.add_number(mask);
    cpu_set_t cores{};
    ::sched_getaffinity(0, sizeof cores, &cores);
    digest.add_number(cores);
    digest.add_number(::getpriority(PRIO_PROCESS, 0));
    for (char** variable = environ; *variable; ++variable) digest.add(*variable);

    Name name;
    name.address.sun_family = AF_UNIX;
    int const length = std::snprintf(name.address.sun_path + 1, sizeof name.address.sun_path - 1,
                                     "tailback-tests-%016llx", static_cast<unsigned long long>(digest.value()));
    name.size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + static_cast<std::size_t>(length));
    return name;
}

/// In a process of its own that nobody waits for.
[[noreturn]] void become_server(char const* binary, int listener, int owner) {
    int const nothing = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int stream = 0; stream < standard_streams; ++stream)
        if (::dup2(nothing, stream) < 0) ::_exit(1);
    ::syscall(SYS_close_range, 3, ~0u, close_on_exec);  // what ctest leaves open is not for the server
    ::fcntl(listener, F_SETFD, 0);
    ::fcntl(owner, F_SETFD, 0);
    char option[96];
    std::snprintf(option, sizeof option, "%s%d,%d,%llu", serve_option, listener, owner,
                  static_cast<unsigned long long>(identity(binary)));
    // The filter is for a binary with another main function, which shall run no test here.
    ::execl(binary, binary, option, "--gtest_filter=-*", static_cast<char*>(nullptr));
    ::_exit(1);
}

void start_server(char const* binary, int listener, int owner) {
    pid_t const between = ::fork();
    if (between == 0) {
        ::setsid();
        if (::fork() == 0) become_server(binary, listener, owner);
        ::_exit(0);
    }
    if (between > 0) ::waitpid(between, nullptr, 0);
}

int new_socket() { return ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0); }

/// A connection to the server, which is started where there is none; -1: there cannot be one.
int connection_to_server(char const* binary) {
    pid_t const parent = ::getppid();
    int const owner = static_cast<int>(::syscall(SYS_pidfd_open, parent, 0));
    if (owner < 0 || ::getppid() != parent) return -1;
    Name const name = name_of(binary, parent);
    auto const* const address = reinterpret_cast<sockaddr const*>(&name.address);
    for (int attempt = 0; attempt < 50; ++attempt) {  // another client may be between bind and listen
        int const connection = new_socket();
        if (::connect(connection, address, name.size) == 0) return connection;
        ::close(connection);
        int const listener = new_socket();
        bool const is_bound = ::bind(listener, address, name.size) == 0 && ::listen(listener, 128) == 0;
        bool const is_taken = !is_bound && errno == EADDRINUSE;
        if (is_bound) start_server(binary, listener, owner);
        else if (is_taken) ::usleep(1000);
        ::close(listener);
        if (!is_bound && !is_taken) return -1;
    }
    return -1;
}

bool ask(int connection, int count, char** words) {
    static char bytes[most_bytes_of_words];
    std::size_t used = 0;
    for (int i = 0; i < count; ++i) {
        std::size_t const length = std::strlen(words[i]) + 1;
        if (length > sizeof bytes - used) return false;
        std::memcpy(bytes + used, words[i], length);
        used += length;
    }
    Message message{bytes, used};
    message.add({0, 1, 2});
    return ::sendmsg(connection, message.header(), MSG_NOSIGNAL) == static_cast<ssize_t>(used);
}

bool receive(int connection, Kind kind, Answer& answer) {
    ssize_t got = 0;
    do got = ::recv(connection, &answer, sizeof answer, 0);
    while (got < 0 && errno == EINTR);
    return got == sizeof answer && answer.kind == kind;
}

/// As the test did.
[[noreturn]] void end(Answer const& answer) {
    if (answer.signal == 0) ::_exit(answer.exit_code);
    rlimit const none{0, 0};  // the test has left its core already
    ::setrlimit(RLIMIT_CORE, &none);
    std::signal(answer.signal, SIG_DFL);
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, answer.signal);
    ::sigprocmask(SIG_UNBLOCK, &signals, nullptr);
    ::raise(answer.signal);
    ::_exit(128 + answer.signal);
}

/// Lists of tests, reports in files and all else that a ctest does not ask of single tests need no server.
bool is_for_server(int count, char** words) {
    bool single = false;
    for (int i = 1; i < count; ++i) {
        bool const filter = std::strncmp(words[i], "--gtest_filter=", 15) == 0;
        if (!filter && std::strcmp(words[i], "--gtest_also_run_disabled_tests") != 0) return false;
        single |= filter;
    }
    return single;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fputs("usage: test_client BINARY [--gtest_filter=TEST ..]\n", stderr);
        return 2;
    }
    int const count = argc - 1;
    char** const words = argv + 1;
    if (is_for_server(count, words)) {
        int const connection = connection_to_server(words[0]);
        Answer answer{};
        if (connection >= 0 && is_own(connection) && ask(connection, count, words) &&
            receive(connection, Kind::begun, answer)) {
            if (receive(connection, Kind::ended, answer)) end(answer);
            std::fputs("test_client: the server of tests ended before the test\n", stderr);
            return 1;
        }
        if (connection >= 0) ::close(connection);
    }
    ::execv(words[0], words);
    std::perror(words[0]);
    return 127;
}
