// `tailback evaluate --multipath`: flows spread over the 2^LMC LIDs of hosts, in several ways side by side.
#pragma once

#include <string>
#include <vector>

namespace tailback::commands {

/// --multipath is among them.
bool asks_for_multipath(std::vector<std::string> const& arguments);
/// Returns an ExitCode. @throws InputError, also for options that have no effect on it.
int run_multipath(std::vector<std::string> const& arguments);

}  // namespace tailback::commands
