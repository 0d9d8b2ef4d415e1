// What the options of a study leave to files: flows, mappings, subsets.
#pragma once

#include "host/commands/evaluate_options.hpp"

namespace tailback {

/// The study with the hosts and flows that files list. @throws InputError
Study complete_study(EvaluateOptions const& options, Network const& network);

}  // namespace tailback
