// fork, exec, and looking at /proc.
#include "tests/support/programs/running.hpp"
#include "tests/support/programs/paths.hpp"
#include "tests/support/rooms.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tailback {

Running::Running(std::vector<std::string> const& words) {
    std::string const out = folder_ / "out", err = folder_ / "err";
    std::vector<char*> list;
    for (std::string const& word : words) list.push_back(const_cast<char*>(word.c_str()));
    list.push_back(nullptr);
    pid_ = ::fork();
    if (pid_ != 0) return;
    for (int const number : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU}) std::signal(number, SIG_DFL);
    int const in_file = ::open("/dev/null", O_RDONLY),
              out_file = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600),
              err_file = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (::dup2(in_file, 0) < 0 || ::dup2(out_file, 1) < 0 || ::dup2(err_file, 2) < 0) ::_exit(127);
    ::execvp(list[0], list.data());
    ::_exit(127);
}

Running::~Running() {
    if (pid_ <= 0 || ended()) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, &status_, 0);
}

bool Running::ended() {
    if (!ended_) ended_ = ::waitpid(pid_, &status_, WNOHANG) == pid_;
    return ended_;
}

void Running::signal(int number) const { ::kill(pid_, number); }

bool Running::wait_for(std::function<bool()> const& true_at_last) {
    auto const end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    while (std::chrono::steady_clock::now() < end) {
        if (true_at_last()) return true;
        if (ended()) return true_at_last();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
}

Finished Running::wait() {
    auto const end = std::chrono::steady_clock::now() + std::chrono::minutes(2);
    while (!ended() && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    Finished finished;
    if (ended_) finished.code = WIFEXITED(status_) ? WEXITSTATUS(status_) : -WTERMSIG(status_);
    finished.out = read_whole(folder_ / "out");
    finished.err = read_whole(folder_ / "err");
    return finished;
}

bool tailback_catches(pid_t pid, int number) {
    std::string const folder = "/proc/" + std::to_string(pid);
    if (read_whole(folder + "/comm") != "tailback\n") return false;  // still what it was forked from
    std::string const status = read_whole(folder + "/status");
    std::size_t const at = status.find("SigCgt:");
    return at != std::string::npos && (std::stoull(status.substr(at + 7), nullptr, 16) >> (number - 1) & 1) != 0;
}

std::vector<pid_t> Running::children() const {
    std::string const pid = std::to_string(pid_);
    std::istringstream list(read_whole("/proc/" + pid + "/task/" + pid + "/children"));
    std::vector<pid_t> pids;
    for (pid_t child; list >> child;) pids.push_back(child);
    return pids;
}

std::vector<std::string> tailback_words(std::vector<std::string> const& arguments) {
    std::vector<std::string> words = {tailback_program()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    return words;
}

}  // namespace tailback
