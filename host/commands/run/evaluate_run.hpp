// One run of `tailback evaluate`, in one of its processes: prepared, executed, written.
#pragma once

#include "host/api/study.hpp"
#include "host/commands/options/evaluate_options.hpp"
#include "host/commands/report_file.hpp"
#include "host/commands/threads.hpp"
#include "host/evaluation/checkpoint_keeper.hpp"

#include <cstdint>
#include <optional>

namespace tailback::commands {

class EvaluateRun {
public:
    /// Finds out all that may be wrong with what the user gave. @throws InputError
    EvaluateRun(evaluation::Processes const& processes, EvaluateOptions options);
    EvaluateRun(EvaluateRun const&) = delete;

    /// What identifies the study among several processes.
    std::uint64_t identity() const;
    /// With progress, checkpoints, rows on the way and signals heard.
    evaluation::Evaluation execute();
    /// Of the leading process: writes what was found and tells how it went. Returns an exit code.
    int write(evaluation::Evaluation const& result, double read_s);

private:
    study::StudyPlan const& plan() const { return study_->plan(); }
    std::uint64_t done_before() const { return keeping_.before ? keeping_.before->mappings : 0; }
    evaluation::ExecutionOptions execution() const;
    /// The best mapping and the worst, where they are asked for.
    void write_extremes(OutputFiles& files, evaluation::Evaluation const& result) const;

    evaluation::Processes const& processes_;
    EvaluateOptions const options_;
    std::optional<Threads> threads_;
    std::optional<api::PreparedStudy> study_;
    std::optional<evaluation::Checkpoint> checkpoint_;  ///< rank 0
    evaluation::Checkpointing keeping_;
    std::optional<io::OutputFile> rows_;  ///< rank 0: --per-mapping, written on the way
};

}  // namespace tailback::commands
