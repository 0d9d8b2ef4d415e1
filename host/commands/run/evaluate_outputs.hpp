// Files that `tailback evaluate` writes beside its report.
#pragma once

#include "host/commands/options/evaluate_options.hpp"
#include "host/io/output_file.hpp"
#include "host/study/plan/study_plan.hpp"

namespace tailback::commands {

/// The first so many mappings of the study.
void dump_mappings(io::OutputFile& file, study::StudyPlan const& plan, std::uint64_t mappings);
/// Tells beforehand when --dump-mappings will be more than a disk may like.
void tell_size_of_dump(EvaluateOptions const& options, study::StudyPlan const& plan);

}  // namespace tailback::commands
