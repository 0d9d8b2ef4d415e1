// Runs the program itself, as a person at a shell does.
#pragma once

#include <string>
#include <vector>

namespace tailback {

struct Finished {
    int code = -1;  ///< exit code; -1 when a signal ended it
    std::string out, err;
};

/// Runs `tailback` with these arguments and this text on standard input.
/// @param stdout_path where its standard output goes instead of `out`: for full disks and the like.
Finished run_tailback(std::vector<std::string> const& arguments, std::string const& input = "",
                      std::string const& stdout_path = "");

/// The 16-host tree of the fixtures: `--network .. --tables ..` followed by `more`.
std::vector<std::string> on_tree16(std::vector<std::string> const& more, std::string const& run = "minhop");

}  // namespace tailback
