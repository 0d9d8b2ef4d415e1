// `evaluate --pattern allreduce:algorithm=all`: a table of algorithms and sizes.
#pragma once

#include "host/commands/options/evaluate_options.hpp"

namespace tailback::commands {

/// @throws InputError for outputs that a table of many studies does not have
int run_algorithms(EvaluateOptions const& options);

}  // namespace tailback::commands
