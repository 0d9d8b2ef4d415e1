// The other half of `tailback compare`: cables beside their plan.
#pragma once

#include "host/options/parsed_options.hpp"

namespace tailback::commands {

/// `--plan FILE`. @returns the exit code
int run_compare_plan(options::ParsedOptions const& options);

}  // namespace tailback::commands
