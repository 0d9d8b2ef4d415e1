// Runs the program itself, as a person at a shell does.
#pragma once

#include "tests/support/rooms.hpp"

#include <string>
#include <vector>

namespace tailback {

/// What stands on a command line.
using Words = std::vector<std::string>;

inline Words joined(Words words, Words const& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

struct Finished {
    int code = -1;  ///< exit code; -1 when a signal ended it
    std::string out, err;
};

/// Runs a program with these arguments and this text on standard input.
/// @param stdout_path where its standard output goes instead of `out`: for full disks and the like.
Finished run_program(std::string const& program, Words const& arguments, std::string const& input = "",
                     std::string const& stdout_path = "");
/// Runs `tailback`.
Finished run_tailback(Words const& arguments, std::string const& input = "", std::string const& stdout_path = "");

/// Runs `tailback` into a pipe whose reader has ended, as `head` does when it has its lines.
Finished run_tailback_unread(Words const& arguments);

/// The 16-host tree of the fixtures: `--network .. --tables ..` followed by `more`.
Words on_tree16(Words const& more, std::string const& run = "minhop");

}  // namespace tailback
