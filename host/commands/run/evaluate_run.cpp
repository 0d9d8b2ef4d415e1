#include "host/commands/run/evaluate_run.hpp"

#include "host/base/digest.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/command.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/report_file.hpp"
#include "host/commands/run/evaluate_outputs.hpp"
#include "host/commands/visible_run.hpp"
#include "host/evaluation/study_identity.hpp"
#include "host/report/link_loads.hpp"
#include "host/report/per_mapping.hpp"
#include "host/report/run_info.hpp"

#include <fmt/format.h>

#include <optional>
#include <tuple>
#include <utility>

namespace tailback::commands {
namespace {

/// Reports do not need the flows one by one.
EvaluateOptions without_list_of_flows(EvaluateOptions options) {
    options.request.study.traffic.may_leave_flows_unlisted = true;
    return options;
}

}  // namespace

EvaluateRun::EvaluateRun(evaluation::Processes const& processes, EvaluateOptions options)
    : processes_(processes), options_(without_list_of_flows(std::move(options))) {
    evaluation::check_device(options_.device);  // told before anything is read
    if (processes.shared())
        for (std::string const& file : options_.request.files())
            if (file == "-")
                throw base::InputError({}, "several processes cannot share standard input", "", "name a file");
    if (processes_.shared()) evaluation::choose_device(options_.device, processes_);
    threads_.emplace(options_.threads != 0 || !processes_.shared()
                         ? options_.threads
                         : evaluation::threads_of_process(processes_.local_count()));
    study_.emplace(options_.request, listener(), options_.device);
    if (auto const form = report::link_picture_form(options_.picture_links)) report::check_link_picture(plan(), *form);
    for (study::PlacementFile const* const file : {&options_.best, &options_.worst})
        if (!file->path.empty()) study::check_placement_names(plan(), file->form);
    if (!processes.leads()) return;
    if (!options_.checkpoint.empty()) {
        checkpoint_.emplace(options_.checkpoint, plan());
        keeping_.before = checkpoint_->load();
    }
    if (!options_.per_mapping.empty()) rows_.emplace(options_.per_mapping);
    tell_size_of_dump(options_, plan());
}

std::uint64_t EvaluateRun::identity() const {
    base::Digest sum;
    for (auto const& [name, value] : evaluation::identity_of(plan())) sum.add(value);
    sum.add(plan().study.sample.mappings);
    return sum.value();
}

evaluation::ExecutionOptions EvaluateRun::execution() const {
    evaluation::ExecutionOptions execution{
        .device = options_.device, .threads = options_.threads, .batch = options_.batch};
    execution.tell_device = [](std::string const&, std::string const& note) {
        if (!note.empty()) tell_note(note);
    };
    execution.checkpointing = keeping_;
    execution.checkpointing.every_s = options_.checkpoint_every_s;
    if (!processes_.shared()) return execution;
    execution.processes = &processes_;
    return execution;
}

evaluation::Evaluation EvaluateRun::execute() {
    evaluation::ExecutionOptions execution = this->execution();
    std::optional<report::PerMappingWriter> rows;
    if (rows_) {
        rows.emplace(rows_->stream(), plan());
        execution.per_mapping = [&](std::uint64_t m, kernels::MappingTally const& tally) { rows->write(m, tally); };
    }
    std::uint64_t const all = plan().study.sample.mappings;
    if (done_before() > 0)
        tell("note", fmt::format("continuing from {}: {} of {} mappings are done", options_.checkpoint,
                                 base::grouped(done_before()), base::grouped(all)));
    std::optional<VisibleRun> run;
    execution.progress = [&](std::uint64_t done) {
        run->show(done);
        if (rows_ && !rows_->stream()) rows_->stage();  // says why
    };
    std::optional<evaluation::CheckpointKeeper> keeper;
    if (checkpoint_) {
        keeper.emplace(*checkpoint_, tell_warning, tell_note);
        execution.checkpointing.save = [&](evaluation::Findings const& findings) { keeper->save(findings); };
    }
    // mpirun ends its processes with SIGTERM when one of them has died: nothing is to be finished then.
    run.emplace(VisibleRun::Work{"evaluating", all, "mappings", done_before(), processes_.leads()},
                processes_.shared() ? VisibleRun::Stops::by_signals_but_term : VisibleRun::Stops::by_signals);
    if (checkpoint_ && !keeping_.before) {  // it is this run's from now on
        evaluation::Findings const none(plan());
        processes_.shared() ? keeper->save(none) : checkpoint_->save(none);  // others wait for this process
    }
    execution.stop = [&] { return run->stop_asked(); };
    execution.wish = &run->wish();
    evaluation::Evaluation result = api::evaluate(*study_, execution);
    run->end();
    if (result.interrupted && result.mappings == 0)
        tell("note", "interrupted before the first mappings were evaluated: there is nothing to report");
    else if (result.interrupted)
        tell("note",
             fmt::format(
                 "interrupted after {} of {} mappings: reporting on those; another Ctrl-C or SIGTERM ends at once",
                 base::grouped(result.mappings), base::grouped(all)));
    if (checkpoint_ && result.mappings == 0) checkpoint_->remove();
    if (keeper && result.mappings > 0 && (result.interrupted || (result.until && !result.until->reached)))
        keeper->tell_at_end();
    return result;
}

void EvaluateRun::write_extremes(OutputFiles& files, evaluation::Evaluation const& result) const {
    evaluation::Distribution const& numbers = result.numbers.at(*plan().study.first_number());
    for (auto const& [path, form, mapping] :
         {std::tuple{options_.best.path, options_.best.form, numbers.best_mapping()},
          {options_.worst.path, options_.worst.form, numbers.worst_mapping()}}) {
        io::OutputFile* const file = files.asked(path);
        if (file == nullptr) continue;
        if (mapping) {
            study::write_placement(file->stream(), form, plan(), *mapping);
            std::uint32_t const others =
                form == study::PlacementForm::mapping ? 0 : study::ranks_on_other_adapters(plan(), *mapping);
            if (others > 0)
                tell("warning",
                     fmt::format("{} of mapping {} use another adapter of their node than their order there gives: "
                                 "read back, the file is another mapping; mapping:FILE keeps the adapters",
                                 base::counted(others, "rank", "ranks"), base::grouped(*mapping)));
        } else tell("warning", "no mapping has a number, so there is no best and no worst to write");
    }
}

int EvaluateRun::write(evaluation::Evaluation const& result, double read_s) {
    if (result.mappings == 0) return interrupted;
    OutputFiles files;
    if (rows_) files.add(std::move(*rows_));
    if (io::OutputFile* const file = files.asked(options_.dump_mappings)) dump_mappings(*file, plan(), result.mappings);
    report::Report const report = api::make_report(*study_, result);
    if (io::OutputFile* const file = files.asked(options_.picture))
        report::write_svg_histogram(file->stream(), report, *plan().study.first_number());
    if (io::OutputFile* const file = files.asked(options_.picture_links))
        report::write_link_picture(file->stream(), report, *report::link_picture_form(options_.picture_links));
    if (io::OutputFile* const file = files.asked(options_.timeline)) write_timeline(*file, options_.timeline, plan());
    if (!options_.best.path.empty() || !options_.worst.path.empty()) write_extremes(files, result);
    std::uint64_t const now = result.mappings - done_before();
    auto const hops = static_cast<std::uint64_t>(double(result.hops) * double(now) / double(result.mappings));
    report::RunInfo const info{
        result.device,        result.threads,        read_s, result.evaluate_s, now, hops, processes_.count(),
        report.study().files, report.network_value()};
    if (io::OutputFile* const file = files.asked(options_.run_info))
        result::write_json(file->stream(), report::value_of(info));
    write_report(files.add(options_.output), report, options_.format);
    files.commit();
    tell("done", report::run_info_line(info));
    if (result.interrupted) return interrupted;
    if (plan().study.sample.until && !result.until->reached) {
        tell("note", "the goal of --until was not reached; allow more --mappings or a wider interval");
        return faults_found;
    }
    if (checkpoint_) checkpoint_->remove();
    return tell_nothing_delivered(result.delivered, report.flows() - result.delivered) ? faults_found : success;
}

}  // namespace tailback::commands
