// One run of a study, in one of its processes: prepared, executed, written.
#pragma once

#include "host/api/study.hpp"
#include "host/commands/options/evaluate_options.hpp"
#include "host/commands/report_file.hpp"
#include "host/commands/threads.hpp"
#include "host/evaluation/adaptive/bracket.hpp"
#include "host/evaluation/checkpoint.hpp"
#include "host/evaluation/checkpoint_keeper.hpp"
#include "host/evaluation/multipath/multipath.hpp"
#include "host/report/run_info.hpp"

#include <cstdint>
#include <optional>

namespace tailback::commands {

/// Of `evaluate`, `bracket` or `multipath`, as the options are of.
class EvaluateRun {
public:
    /// Finds out all that may be wrong with what the user gave. @throws InputError
    EvaluateRun(evaluation::Processes const& processes, StudyCommand command);
    EvaluateRun(EvaluateRun const&) = delete;

    /// What identifies the study among several processes.
    std::uint64_t identity() const;
    /// With progress, checkpoints, rows on the way and signals heard. By column.
    std::vector<evaluation::Evaluation> execute();
    /// Of the leading process: writes what was found and tells how it went. Returns an exit code.
    int write(std::vector<evaluation::Evaluation>&& results, double read_s);

private:
    study::StudyPlan const& plan() const { return study_->plan(); }
    std::uint64_t done_before() const { return keeping_.before.empty() ? 0 : keeping_.before.front().mappings; }
    evaluation::ExecutionOptions execution() const;
    /// Of columns side by side; null: the study is alone.
    evaluation::StudyColumns const* side_by_side() const;
    /// What exit codes and notes on a run go by.
    struct Told {
        std::uint64_t delivered = 0, failed = 0;  ///< flows
        report::Json network;                     ///< of report::network_json
        std::vector<result::NextStep> next = {};
    };
    /// The report and pictures.
    Told write_report_of(evaluation::Evaluation const& result, OutputFiles& files);
    Told write_columns(std::vector<evaluation::Evaluation>&& results, OutputFiles& files);
    /// The best mapping and the worst, where they are asked for.
    void write_extremes(OutputFiles& files, evaluation::Evaluation const& result) const;
    report::RunInfo info_of(evaluation::Evaluation const& result, double read_s) const;

    evaluation::Processes const& processes_;
    EvaluateOptions const options_;
    result::OtherCommands const after_;
    std::optional<Threads> threads_;
    std::optional<api::PreparedStudy> study_;
    std::optional<evaluation::BracketStudy> bracket_;
    std::optional<evaluation::MultipathStudy> multipath_;
    std::vector<evaluation::Column> columns_;
    std::optional<evaluation::Checkpoint> checkpoint_;  ///< rank 0
    evaluation::Checkpointing keeping_;
    std::optional<io::OutputFile> rows_;  ///< rank 0: --per-mapping, written on the way
};

/// Runs a command of studies. @return an ExitCode
int run_study(options::Commands command, std::vector<std::string> const& arguments);

}  // namespace tailback::commands
