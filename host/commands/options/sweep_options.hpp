// The command line of `tailback sweep`, as values.
#pragma once

#include "host/evaluation/evaluation.hpp"

#include <string>
#include <vector>

namespace tailback::commands {

struct SweepOptions {
    std::string file, output;
    bool fresh = false, dry_run = false;
    bool page = false;  ///< sweep.html, too
    evaluation::ExecutionOptions execution;
};

/// @throws InputError for anything that is not right in itself; files are not opened.
SweepOptions parse_sweep_options(std::vector<std::string> const& words);

}  // namespace tailback::commands
