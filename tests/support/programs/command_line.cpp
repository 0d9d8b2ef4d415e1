// fork and exec, with files for the standard streams.
#include "tests/support/programs/command_line.hpp"

#include "tests/support/programs/paths.hpp"
#include "tests/support/programs/temporary_folder.hpp"
#include "tests/support/rooms.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tailback {

namespace {

/// Its standard output is the descriptor `out`, which is then closed.
Finished run_into(int out, std::string const& program, Words const& arguments, std::string const& input) {
    TemporaryFolder const folder;
    std::string const in = folder.write("in", input), err = folder / "err";
    std::vector<char*> words = {const_cast<char*>(program.c_str())};
    for (std::string const& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
    words.push_back(nullptr);
    pid_t const child = ::fork();
    if (child == 0) {
        int const in_file = ::open(in.c_str(), O_RDONLY),
                  err_file = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (::dup2(in_file, 0) < 0 || ::dup2(out, 1) < 0 || ::dup2(err_file, 2) < 0) ::_exit(127);
        ::execv(program.c_str(), words.data());
        ::_exit(127);
    }
    ::close(out);
    Finished finished;
    int status = 0;
    if (child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status)) finished.code = WEXITSTATUS(status);
    finished.err = read_whole(err);
    return finished;
}

}  // namespace

Finished run_program(std::string const& program, Words const& arguments, std::string const& input,
                     std::string const& stdout_path) {
    TemporaryFolder const folder;
    std::string const out = stdout_path.empty() ? folder / "out" : stdout_path;
    Finished finished = run_into(::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOCTTY, 0600),
                                 program, arguments, input);
    if (stdout_path.empty()) finished.out = read_whole(out);
    return finished;
}

Finished run_tailback_unread(Words const& arguments) {
    int ends[2] = {-1, -1};
    if (::pipe2(ends, O_CLOEXEC) != 0) return {};
    ::close(ends[0]);
    return run_into(ends[1], tailback_program(), arguments, "");
}

Finished run_tailback(std::vector<std::string> const& arguments, std::string const& input,
                      std::string const& stdout_path) {
    return run_program(tailback_program(), arguments, input, stdout_path);
}

std::vector<std::string> on_tree16(std::vector<std::string> const& more, std::string const& run) {
    std::string const folder = fixture("opensm/ft2-16/");
    std::vector<std::string> words = {"evaluate", "--network", folder + "minhop/ibnetdiscover.out.xz", "--tables",
                                      folder + run + "/opensm-lfts.dump.xz"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

}  // namespace tailback
