// `tailback evaluate --job ..`: several jobs on one fabric.
#pragma once

#include <string>
#include <vector>

namespace tailback::commands {

/// @return an exit code.
int run_jobs(std::vector<std::string> const& arguments);

}  // namespace tailback::commands
