// `tailback evaluate --bracket`: a study under every way to use candidate sets, side by side.
#pragma once

#include "host/evaluation/adaptive/bracket.hpp"

#include <span>
#include <string>
#include <vector>

namespace tailback::commands {

bool asks_for_bracket(std::vector<std::string> const& arguments);
/// Returns an ExitCode. @throws InputError, also for options that have no effect on it.
int run_bracket(std::vector<std::string> const& arguments);
/// Of columns that were evaluated; warns where none delivers a flow.
int exit_code_of(std::span<evaluation::BracketColumn const> columns, bool was_interrupted);

}  // namespace tailback::commands
