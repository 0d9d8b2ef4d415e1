// tailback evaluate: a network, its tables, a study; out comes a report.
#include "host/base/error.hpp"
#include "host/commands/bracket/evaluate_bracket.hpp"
#include "host/commands/bracket/evaluate_multipath.hpp"
#include "host/commands/command.hpp"
#include "host/commands/evaluate_run.hpp"
#include "host/commands/failure.hpp"
#include "host/commands/jobs/evaluate_jobs.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/jobs_options.hpp"
#include "host/commands/together.hpp"

#include <chrono>
#include <exception>
#include <optional>

namespace tailback::commands {
namespace {

int evaluate_together(evaluation::Processes const& processes, std::vector<std::string> const& arguments) {
    auto const started = std::chrono::steady_clock::now();
    std::optional<EvaluateRun> run;
    auto const prepare = [&] {
        EvaluateOptions options = parse_evaluate_options(arguments);
        if (options.help) return std::uint64_t{0};
        run.emplace(processes, std::move(options));
        return processes.shared() ? run->identity() : 0;
    };
    if (int const code = prepare_together(processes, prepare); code != success) return code;
    if (!run) {
        if (processes.leads()) io::write_standard_output(evaluate_help());
        return success;
    }
    double const read_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    evaluation::Evaluation const result = run->execute();
    int const code = processes.leads() ? run->write(result, read_s) : 0;
    return static_cast<int>(processes.largest(static_cast<std::uint64_t>(code)));
}

}  // namespace

int run_evaluate(std::vector<std::string> const& arguments) {
    if (asks_for_jobs(arguments)) return require_one_process("a study of jobs"), run_jobs(arguments);
    if (asks_for_bracket(arguments)) return require_one_process("a bracket"), run_bracket(arguments);
    if (asks_for_multipath(arguments)) return require_one_process("--multipath"), run_multipath(arguments);
    evaluation::Processes const processes;
    if (!processes.shared()) return evaluate_together(processes, arguments);
    if (!processes.leads()) tell_no_more();
    try {
        return evaluate_together(processes, arguments);
    } catch (...) {  // the others would wait for this one for ever
        processes.abort(tell_failure(std::current_exception()));
    }
}

}  // namespace tailback::commands
