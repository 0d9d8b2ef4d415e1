#include "host/commands/run/evaluate_run.hpp"

#include "host/api/outcomes/outcomes.hpp"
#include "host/base/digest.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/registry.hpp"
#include "host/commands/report_file.hpp"
#include "host/commands/run/algorithms_run.hpp"
#include "host/commands/run/evaluate_outputs.hpp"
#include "host/commands/together.hpp"
#include "host/commands/visible_run.hpp"
#include "host/evaluation/study_identity.hpp"
#include "host/report/adaptive/columns_picture.hpp"
#include "host/report/adaptive/multipath_report.hpp"
#include "host/report/evaluate/link_loads.hpp"
#include "host/report/evaluate/per_mapping.hpp"
#include "host/report/html/page.hpp"
#include "host/study/fabric_digest.hpp"

#include <fmt/format.h>

#include <chrono>
#include <exception>
#include <functional>
#include <optional>
#include <utility>

namespace tailback::commands {
namespace {

/// Reports do not need the flows one by one.
EvaluateOptions without_list_of_flows(EvaluateOptions options) {
    if (options.request.is_alone()) options.request.study.traffic.may_leave_flows_unlisted = true;
    return options;
}

}  // namespace

EvaluateRun::EvaluateRun(evaluation::Processes const& processes, StudyCommand command)
    : processes_(processes),
      options_(without_list_of_flows(std::move(command.options))),
      after_(std::move(command.after)) {
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
    if (!options_.picture_links.empty())
        report::check_link_picture(plan(), report::link_picture_form(options_.picture_links));
    for (study::PlacementFile const* const file : {&options_.best, &options_.worst})
        if (!file->path.empty()) study::check_placement_names(plan(), file->form);
    if (options_.request.bracket) bracket_.emplace(plan(), *options_.request.bracket, options_.threads);
    if (!options_.request.spreads.empty()) multipath_.emplace(plan(), options_.request.spreads);
    if (evaluation::QueuePairCounts const& counts = options_.request.queue_pairs; !counts.counts.empty())
        multipath_.emplace(plan(), counts, options_.threads);
    columns_ = side_by_side() != nullptr ? side_by_side()->columns() : std::vector{evaluation::Column{.plan = &plan()}};
    if (!processes.leads()) return;
    if (!options_.checkpoint.empty()) {
        checkpoint_.emplace(options_.checkpoint, columns_);
        keeping_.before = checkpoint_->load();
    }
    if (!options_.per_mapping.empty()) rows_.emplace(options_.per_mapping);
    tell_size_of_dump(options_, plan());
}

evaluation::StudyColumns const* EvaluateRun::side_by_side() const {
    if (bracket_) return &bracket_->columns();
    return multipath_ ? &multipath_->columns() : nullptr;
}

std::uint64_t EvaluateRun::identity() const {
    base::Digest sum;
    for (auto const& [name, value] : evaluation::identity_of(columns_)) sum.add(value);
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

std::vector<evaluation::Evaluation> EvaluateRun::execute() {
    evaluation::ExecutionOptions execution = this->execution();
    std::optional<report::PerMappingWriter> rows;
    if (rows_) {
        if (side_by_side() == nullptr) rows.emplace(rows_->stream(), plan());
        else rows.emplace(rows_->stream(), columns_, side_by_side()->told_names());
        execution.per_mapping = [&](std::uint64_t m, std::span<kernels::MappingTally const> tallies) {
            rows->write(m, tallies);
        };
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
        keeper.emplace(tell_warning, tell_note);
        execution.checkpointing.save = [&](std::span<evaluation::RunSums const> sums) {
            keeper->save([&] { checkpoint_->save(sums); });
        };
    }
    // mpirun ends its processes with SIGTERM when one of them has died: nothing is to be finished then.
    run.emplace(VisibleRun::Work{"evaluating", all, "mappings", done_before(), processes_.leads()},
                processes_.shared() ? VisibleRun::Stops::by_signals_but_term : VisibleRun::Stops::by_signals);
    if (checkpoint_ && keeping_.before.empty()) {  // it is this run's from now on
        std::vector<evaluation::RunSums> const none = checkpoint_->nothing();
        auto const save = [&] { checkpoint_->save(none); };
        processes_.shared() ? keeper->save(save) : save();  // others wait for this process
    }
    execution.stop = [&] { return run->stop_asked(); };
    execution.wish = &run->wish();
    std::vector<evaluation::Evaluation> results = evaluation::evaluate(columns_, execution);
    evaluation::Evaluation const& result = results.front();
    run->end();
    if (result.interrupted && result.mappings == 0)
        tell("note", "interrupted before the first mappings were evaluated: there is nothing to report");
    else if (result.interrupted)
        tell("note",
             fmt::format(
                 "interrupted after {} of {} mappings: reporting on those; another Ctrl-C or SIGTERM ends at once",
                 base::grouped(result.mappings), base::grouped(all)));
    if (checkpoint_ && result.mappings == 0) checkpoint_->remove();
    if (keeper && result.mappings > 0 && (result.interrupted || evaluation::missed_goal(results)))
        keeper->tell_at_end();
    return results;
}

void EvaluateRun::write_extremes(OutputFiles& files, evaluation::Evaluation const& result) const {
    evaluation::Distribution const& numbers = result.numbers.at(*plan().study.first_number());
    for (auto const& [extreme, mapping] :
         {std::pair{&options_.best, numbers.best_mapping()}, {&options_.worst, numbers.worst_mapping()}}) {
        if (extreme->path.empty()) continue;
        if (mapping) api::write_mapping(files.add(extreme->path).stream(), *extreme, plan(), *mapping, tell_warning);
        else
            tell("warning",
                 "no mapping has a number, so there is no best and no worst: " + extreme->path + " is not written");
    }
}

EvaluateRun::Told EvaluateRun::write_report_of(evaluation::Evaluation const& result, OutputFiles& files) {
    report::Report report = api::make_report(*study_, result);
    report.others = after_;
    if (io::OutputFile* const file = files.asked(options_.picture))
        report::write_svg_histogram(file->stream(), report, *plan().study.first_number());
    if (io::OutputFile* const file = files.asked(options_.picture_links))
        report::write_link_picture(file->stream(), report, report::link_picture_form(options_.picture_links));
    for (auto const& [output, path] : options_.more_outputs) output->write(*files.asked(path), path, plan());
    if (!options_.best.path.empty() || !options_.worst.path.empty()) write_extremes(files, result);
    write_report(files.add(options_.output), report, options_.format);
    return {result.delivered, report.flows() - result.delivered, report.network_value(), report.next_steps()};
}

EvaluateRun::Told EvaluateRun::write_columns(std::vector<evaluation::Evaluation>&& results, OutputFiles& files) {
    std::string const digest = study::digest(*plan().fabric);
    Told told{.network =
                  report::network_json(*plan().fabric, digest, plan().study.placement.aggregation_nodes_are_hosts)};
    auto const write_all = [&](auto const& study, auto const& report_of) {
        auto const found = study.conclude(std::move(results));
        for (evaluation::StudyColumn const& column : found.columns)
            told.delivered += column.result.delivered, told.failed = std::max(told.failed, column.failed());
        auto const report = report_of(found);
        if constexpr (requires { report.next_steps(); }) told.next = report.next_steps();
        write_report(files.add(options_.output), report, options_.format);
        if (io::OutputFile* const file = files.asked(options_.picture))
            report::write_svg_columns(file->stream(), plan(), found.columns, *plan().study.first_number());
    };
    if (bracket_)
        write_all(*bracket_, [&](evaluation::Bracket const& found) {
            return report::BracketReport{plan(), found, digest, after_};
        });
    else
        write_all(*multipath_, [&](evaluation::Multipath const& found) {
            return report::MultipathReport{plan(), found, digest, after_};
        });
    return told;
}

report::RunInfo EvaluateRun::info_of(evaluation::Evaluation const& result, double read_s) const {
    std::uint64_t const now = result.mappings - done_before();
    auto const hops = static_cast<std::uint64_t>(double(result.hops) * double(now) / double(result.mappings));
    return {result.device,      result.threads,     read_s, result.evaluate_s, now, hops,
            processes_.count(), plan().study.files, nullptr};
}

int EvaluateRun::write(std::vector<evaluation::Evaluation>&& results, double read_s) {
    evaluation::Evaluation const& first = results.front();
    if (first.mappings == 0) return interrupted;
    bool const was_interrupted = first.interrupted, missed_goal = evaluation::missed_goal(results);
    report::RunInfo info = info_of(first, read_s);
    OutputFiles files;
    if (rows_) files.add(std::move(*rows_));
    if (io::OutputFile* const file = files.asked(options_.dump_mappings)) dump_mappings(*file, plan(), first.mappings);
    Told told = side_by_side() == nullptr ? write_report_of(first, files) : write_columns(std::move(results), files);
    info.network = std::move(told.network);
    if (io::OutputFile* const file = files.asked(options_.run_info))
        result::write_json(file->stream(), report::value_of(info));
    files.commit();
    tell("done", report::run_info_line(info));
    for (result::NextStep const& step : told.next) tell("next", result::line_of(step));
    if (was_interrupted) return interrupted;
    if (missed_goal) {
        tell("note", "the goal of --until was not reached; allow more --mappings or a wider interval");
        return faults_found;
    }
    if (checkpoint_) checkpoint_->remove();
    return tell_nothing_delivered(told.delivered, told.failed) ? faults_found : success;
}

namespace {

/// @param parse called where all processes hear what it refuses
int run_together(evaluation::Processes const& processes, std::function<StudyCommand()> const& parse) {
    auto const started = std::chrono::steady_clock::now();
    std::optional<EvaluateRun> run;
    auto const prepare = [&] {
        run.emplace(processes, parse());
        return processes.shared() ? run->identity() : 0;
    };
    if (int const code = prepare_together(processes, prepare); code != success) return code;
    double const read_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
    std::vector<evaluation::Evaluation> results = run->execute();
    int const code = processes.leads() ? run->write(std::move(results), read_s) : 0;
    return static_cast<int>(processes.largest(static_cast<std::uint64_t>(code)));
}

}  // namespace

int run_study(options::Commands command, std::vector<std::string> const& arguments) {
    evaluation::Processes const processes;
    auto const parse = [&] { return parse_study_command(command, arguments); };
    if (!processes.shared()) {
        StudyCommand parsed = parse();
        bool const is_table = command == options::evaluate &&
                              !patterns::with_every_algorithm(parsed.options.request.study.traffic.pattern).empty();
        if (is_table) return run_algorithms(parsed.options);
        return run_together(processes, [&] { return std::move(parsed); });
    }
    if (!processes.leads()) tell_no_more();
    try {
        return run_together(processes, parse);
    } catch (...) {  // the others would wait for this one for ever
        processes.abort(tell_failure(std::current_exception()));
    }
}

}  // namespace tailback::commands
