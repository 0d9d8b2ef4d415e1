// A program that runs beside the test, for those who want to stop it.
#pragma once

#include "tests/support/programs/command_line.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <functional>

#include <sys/types.h>

namespace tailback {

/// True when that process is the program under test, and a handler of its own waits for this signal.
bool tailback_catches(pid_t pid, int number);

/// Started on construction, with signals as at a shell in the foreground; killed on the way out.
class Running {
public:
    /// `words` with the program in front, found as a shell finds it.
    explicit Running(std::vector<std::string> const& words);
    ~Running();
    Running(Running const&) = delete;
    Running& operator=(Running const&) = delete;

    pid_t pid() const { return pid_; }
    void signal(int number) const;
    /// Waits until `true_at_last`, the end of the program, or a minute has passed; false unless it came true.
    bool wait_for(std::function<bool()> const& true_at_last);
    /// Waits for the end, two minutes at most. `code` is minus the signal's number when one ended it.
    Finished wait();
    /// What it has written to standard error so far.
    std::string err() const { return read_whole(folder_ / "err"); }
    bool catches(int number) const { return tailback_catches(pid_, number); }
    /// Processes that it started and that still run.
    std::vector<pid_t> children() const;

private:
    bool ended();
    TemporaryFolder folder_;
    pid_t pid_ = -1;
    bool ended_ = false;
    int status_ = 0;
};

/// The program under test with these arguments.
std::vector<std::string> tailback_words(std::vector<std::string> const& arguments);

}  // namespace tailback
