// tailback evaluate: a network, its tables, a study; out comes a report.
#include "host/base/digest.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/command.hpp"
#include "host/commands/evaluate_options.hpp"
#include "host/commands/evaluate_outputs.hpp"
#include "host/commands/failure.hpp"
#include "host/commands/input.hpp"
#include "host/commands/study_files.hpp"
#include "host/evaluation/checkpoint.hpp"
#include "host/evaluation/interruption.hpp"
#include "host/evaluation/processes.hpp"
#include "host/evaluation/study_identity.hpp"
#include "host/io/output_file.hpp"
#include "host/io/progress.hpp"
#include "host/report/evaluate_report.hpp"
#include "host/report/per_mapping.hpp"
#include "host/report/run_info.hpp"

#include <fmt/format.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

namespace tailback {
namespace {

void note_apart(Network const& network, Study const& study) {
    std::size_t engines = 0, routers = 0;
    for (HostRecord const& host : network.hosts()) {
        engines += host.role == HostRole::aggregation;
        routers += host.role == HostRole::router;
    }
    if (engines > 0 && !study.aggregation_nodes_are_hosts)
        tell("note", fmt::format("{} aggregation nodes inside switches are not counted as hosts (--aggregation-nodes "
                                 "hosts counts them)",
                                 engines));
    if (routers > 0) tell("note", fmt::format("{} router ports are not counted as hosts", routers));
}

/// What is studied: a network with tables, or one whose routes are arithmetic.
struct Input {
    std::unique_ptr<RegularNetwork> regular;
    Fabric fabric;
    Study study;
};

Input obtain_input(EvaluateOptions const& options) {
    Input input;
    bool const named_hosts = !options.mapping_file.empty() || !options.subset_file.empty();
    input.regular = obtain_regular(options.input, named_hosts, tell_note);
    if (!input.regular) input.fabric = obtain_fabric(options.input, true, listener());
    input.study = complete_study(options, input.fabric.network);
    note_apart(input.fabric.network, input.study);
    if (options.input.routing && options.input.routing->bounds_lanes())
        tell("note",
             "virtual lanes do not matter here; `tailback audit` and `tailback generate` check whether they "
             "suffice");
    return input;
}

StudyPlan make_whole_plan(Input const& input, EvaluateOptions const& options) {
    StudyPlan plan = input.regular ? make_plan(*input.regular, input.study) : make_plan(input.fabric, input.study);
    settle_mappings(plan, options);
    return plan;
}

/// What a run needs, all that may be wrong with what the user gave found out. Made in place: the plan points to the
/// input.
struct Prepared {
    Prepared(Processes const& processes, std::vector<std::string> const& arguments)
        : options(parse_evaluate_options(arguments)) {
        if (options.help) return;
        check_device(options.device);  // told before anything is read
        if (processes.shared())
            for (std::string const& file : options.input.files())
                if (file == "-")
                    throw InputError({}, "several processes cannot share standard input", "", "name a file");
        check_study(options);
        input = obtain_input(options);
        plan.emplace(make_whole_plan(input, options));
        if (processes.shared()) {
            Digest sum;
            for (auto const& [name, value] : identity_of(*plan)) sum.add(value);
            sum.add(plan->study.mappings);
            identity = sum.value();
        }
        if (!processes.leads()) return;
        if (!options.checkpoint.empty()) {
            checkpoint.emplace(options.checkpoint, *plan);
            keeping.before = checkpoint->load();
        }
        if (!options.per_mapping.empty()) rows.emplace(options.per_mapping);
        tell_size_of_dump(options, *plan);
    }

    EvaluateOptions options;
    Input input;
    std::optional<StudyPlan> plan;
    std::uint64_t identity = 0;
    std::optional<Checkpoint> checkpoint;  ///< rank 0
    Keeping keeping;
    std::optional<OutputFile> rows;  ///< rank 0: --per-mapping, written on the way
};

/// Runs `prepare` in every process. 0 when all of them are well and have the same before them; otherwise one of them
/// has told why, and this is the exit code.
int prepare_together(Processes const& processes, std::optional<Prepared>& prepared,
                     std::vector<std::string> const& arguments) {
    std::exception_ptr failure;
    try {
        prepared.emplace(processes, arguments);
    } catch (...) {
        if (!processes.shared()) throw;
        failure = std::current_exception();
    }
    if (!processes.shared()) return 0;
    std::uint64_t const place = processes.count() - processes.rank();
    std::uint64_t const first_failed = processes.largest(failure ? place : 0);
    int code = 0;
    if (first_failed == place) {
        code = tell_failure(failure);
        if (!processes.leads())
            std::fprintf(stderr, "tailback: note: process %u of %u says so (counted from 0)\n", processes.rank(),
                         processes.count());
    }
    if (first_failed != 0) return static_cast<int>(processes.largest(static_cast<std::uint64_t>(code)));
    auto const all = processes.gather(std::span(&prepared->identity, 1));
    for (std::size_t r = 1; r < all.size() && code == 0; ++r)
        if (all[r][0] != all[0][0]) {
            std::fprintf(stderr,
                         "tailback: process %zu has another network or study than process 0; give all of them the same "
                         "files, options and program\n",
                         r);
            code = bad_input;
        }
    return static_cast<int>(processes.largest(static_cast<std::uint64_t>(code)));
}

ExecutionOptions execution_of(EvaluateOptions const& options, Processes const& processes) {
    ExecutionOptions execution{.device = options.device, .threads = options.threads, .batch = options.batch};
    if (!processes.shared()) return execution;
    execution.processes = &processes;
    if (execution.threads == 0) execution.threads = threads_of_process(processes.local_count());
    return execution;
}

/// Writes checkpoints; what goes wrong is told when it begins, when it ends, and how often it came at the end of all.
class CheckpointKeeper {
public:
    explicit CheckpointKeeper(Checkpoint& checkpoint) : checkpoint_(checkpoint) {}
    void save(Findings const& findings) {
        try {
            checkpoint_.save(findings);
        } catch (InputError const& error) {  // the work goes on: an older checkpoint is still there
            if (failed_++ == 0) tell("warning", error.what());
            return;
        }
        if (failed_ > 0) tell("note", fmt::format("the checkpoint is written again, after {}", failures()));
        failed_ = 0;
    }
    /// Of a run whose checkpoint is to stay.
    void tell_at_end() const {
        if (failed_ > 1) tell("warning", fmt::format("the checkpoint is not up to date, after {}", failures()));
    }

private:
    std::string failures() const { return counted(failed_, "failure", "failures") + " to write it"; }

    Checkpoint& checkpoint_;
    std::uint64_t failed_ = 0;  ///< in a row
};

/// Writes what was found; returns the exit code.
int tell_result(Prepared& run, Evaluation const& result, double read_s, unsigned processes) {
    StudyPlan const& plan = *run.plan;
    Outputs outputs(run.options, std::move(run.rows));
    if (outputs.mappings) dump_mappings(*outputs.mappings, plan, result.mappings);
    Report const report = make_report(plan, result);
    write_report(outputs.report, run.options.format, report);
    if (outputs.picture) write_svg_histogram(outputs.picture->stream(), report, *plan.study.first_number());
    std::uint64_t const before = run.keeping.before ? run.keeping.before->mappings : 0;
    std::uint64_t const now = result.mappings - before;
    auto const hops = static_cast<std::uint64_t>(double(result.hops) * double(now) / double(result.mappings));
    RunInfo const info{result.device, result.threads, read_s, result.evaluate_s, now, hops, processes};
    if (outputs.run_info) write_run_info(outputs.run_info->stream(), info);
    outputs.commit();
    tell("done", run_info_line(info));
    if (result.interrupted) return interrupted;
    if (plan.study.until && !result.until->reached) {
        tell("note", "the goal of --until was not reached; allow more --mappings or a wider interval");
        return faults_found;
    }
    if (run.checkpoint) run.checkpoint->remove();
    return success;
}

int evaluate_together(Processes const& processes, std::vector<std::string> const& arguments) {
    auto const started = std::chrono::steady_clock::now();
    std::optional<Prepared> run;
    if (int const code = prepare_together(processes, run, arguments); code != 0) return code;
    if (run->options.help) {
        if (processes.leads()) write_standard_output(evaluate_help());
        return success;
    }
    StudyPlan const& plan = *run->plan;
    double const read_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();

    ExecutionOptions execution = execution_of(run->options, processes);
    std::optional<PerMappingWriter> rows;
    if (run->rows) {
        rows.emplace(run->rows->stream(), plan);
        execution.per_mapping = [&](std::uint64_t m, MappingTally const& tally) { rows->write(m, tally); };
    }
    std::uint64_t const before = run->keeping.before ? run->keeping.before->mappings : 0;
    if (before > 0)
        tell("note", fmt::format("continuing from {}: {} of {} mappings are done", run->options.checkpoint,
                                 grouped(before), grouped(plan.study.mappings)));
    std::optional<Progress> progress;
    if (processes.leads()) progress.emplace(plan.study.mappings, "mappings", before);
    execution.progress = [&](std::uint64_t done) {
        progress->show(done);
        if (run->rows && !run->rows->stream()) run->rows->stage();  // says why
    };
    execution.keeping = run->keeping;
    execution.keeping.every_s = run->options.checkpoint_every_s;
    std::optional<CheckpointKeeper> keeper;
    if (run->checkpoint) {
        keeper.emplace(*run->checkpoint);
        execution.keeping.save = [&](Findings const& findings) { keeper->save(findings); };
    }
    std::optional<Interruption> interruption;
    // mpirun ends its processes with SIGTERM when one of them has died: nothing is to be finished then.
    if (processes.shared()) interruption.emplace({SIGINT, SIGHUP, SIGUSR1, SIGXCPU});
    else interruption.emplace({SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU});
    execution.stop = [&] { return interruption->signal() != 0; };
    Evaluation const result = evaluate(plan, execution);
    progress.reset();
    if (result.interrupted)
        tell("note",
             fmt::format(
                 "interrupted after {} of {} mappings: reporting on those; another Ctrl-C or SIGTERM ends at once",
                 grouped(result.mappings), grouped(plan.study.mappings)));
    interruption.reset();
    if (keeper && (result.interrupted || (result.until && !result.until->reached))) keeper->tell_at_end();
    int const code = processes.leads() ? tell_result(*run, result, read_s, processes.count()) : 0;
    return static_cast<int>(processes.largest(static_cast<std::uint64_t>(code)));
}

}  // namespace

int run_evaluate(std::vector<std::string> const& arguments) {
    Processes const processes;
    if (!processes.shared()) return evaluate_together(processes, arguments);
    if (!processes.leads()) tell_no_more();
    try {
        return evaluate_together(processes, arguments);
    } catch (...) {  // the others would wait for this one for ever
        processes.abort(tell_failure(std::current_exception()));
    }
}

}  // namespace tailback
