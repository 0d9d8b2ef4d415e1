// What the options of a study leave to files (flows, mappings, subsets) and to its plan (how many mappings there are).
#pragma once

#include "host/commands/evaluate_options.hpp"

namespace tailback {

/// Checks what can be known of a study without its network, before that is made: names of patterns, a level that cannot
/// be, files that are not there. Reads the flows of a pattern file. @throws InputError
void check_study(EvaluateOptions& options);

/// The study with the hosts and flows that files list; flows that check_study has read are kept. @throws InputError
Study complete_study(EvaluateOptions const& options, Network const& network);

/// One mapping, unless more are asked for, where nothing is random. @throws InputError for a goal without anything
/// random.
void settle_mappings(StudyPlan& plan, EvaluateOptions const& options);

}  // namespace tailback
