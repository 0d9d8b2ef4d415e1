// `tailback evaluate --bracket`: a study under every way to use candidate sets, side by side.
#pragma once

#include <string>
#include <vector>

namespace tailback::commands {

bool asks_for_bracket(std::vector<std::string> const& arguments);
/// Returns an ExitCode. @throws InputError, also for options that have no effect on it.
int run_bracket(std::vector<std::string> const& arguments);

}  // namespace tailback::commands
