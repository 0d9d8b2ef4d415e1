// What studies in columns side by side have in common.
#pragma once

#include "host/api/study.hpp"
#include "host/commands/options/evaluate_options.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/threads.hpp"
#include "host/commands/visible_run.hpp"
#include "host/evaluation/adaptive/bracket.hpp"
#include "host/io/output_file.hpp"

#include <span>

namespace tailback::commands {

/// Of columns that were evaluated; warns where none delivers a flow.
int exit_code_of(std::span<evaluation::BracketColumn const> columns, bool was_interrupted);

/// Evaluates a study where people see it, writes its report, and says what was done.
/// @param evaluate called with the plan and `execution` @param write the report to a file, of the plan and the result
/// @return an ExitCode
template <class Execution, class Evaluate, class Write>
int run_columns(EvaluateOptions const& options, Execution execution, Evaluate const& evaluate, Write const& write) {
    Threads const threads(options.threads);
    api::PreparedStudy const study(options.request, listener());
    VisibleRun run(study.plan().study.sample.mappings);
    run.watch(execution);
    auto const result = evaluate(study.plan(), execution);
    run.end(result);
    io::OutputFile file(options.output);
    write(file, study.plan(), result);
    file.commit();
    VisibleRun::tell_done(result);
    return exit_code_of(result.columns, result.interrupted);
}

}  // namespace tailback::commands
