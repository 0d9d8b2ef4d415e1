#include "host/commands/bracket/evaluate_multipath.hpp"

#include "host/base/numbers.hpp"
#include "host/commands/bracket/evaluate_bracket.hpp"
#include "host/commands/command.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/evaluate_options.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/threads.hpp"
#include "host/evaluation/interruption.hpp"
#include "host/evaluation/multipath/multipath.hpp"
#include "host/io/output_file.hpp"
#include "host/io/progress.hpp"
#include "host/report/adaptive/multipath_report.hpp"
#include "host/study/fabric_digest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <optional>

namespace tailback::commands {
namespace {

void write(io::OutputFile& file, ReportFormat format, report::MultipathReport const& report) {
    switch (format) {
        case ReportFormat::json: return report::write_json_report(file.stream(), report);
        case ReportFormat::csv: return report::write_csv_report(file.stream(), report);
        default: return report::write_text_report(file.stream(), report);
    }
}

}  // namespace

bool asks_for_multipath(std::vector<std::string> const& arguments) {
    return std::any_of(arguments.begin(), arguments.end(), [](std::string const& word) {
        return word == "--multipath" || word.starts_with("--multipath=");
    });
}

int run_multipath(std::vector<std::string> const& arguments) {
    EvaluateOptions options = parse_evaluate_options(arguments);
    if (options.help) return io::write_standard_output(evaluate_help()), success;
    Threads const threads(options.threads);
    api::PreparedStudy const study(options.request, listener());
    evaluation::MultipathOptions execution{.threads = options.threads, .spreads = options.spreads};
    std::optional<io::Progress> progress;
    progress.emplace("evaluating", study.plan().study.sample.mappings, "mappings");
    execution.progress = [&](std::uint64_t done) { progress->show(done); };
    std::optional<evaluation::Interruption> interruption;
    interruption.emplace({SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU});
    execution.stop = [&] { return interruption->signal() != 0; };
    evaluation::Multipath const result = evaluation::evaluate_multipath(study.plan(), execution);
    interruption.reset();
    progress.reset();
    if (result.interrupted)
        tell("note", fmt::format("interrupted after {} of {} mappings: reporting on those",
                                 base::grouped(result.mappings), base::grouped(study.plan().study.sample.mappings)));
    report::MultipathReport const report{study.plan(), result, study::digest(*study.plan().fabric)};
    io::OutputFile file(options.output);
    write(file, options.format, report);
    file.commit();
    tell("done",
         fmt::format("{} in {} s on {}", base::counted(result.mappings, "mapping", "mappings"),
                     base::three_digits(result.evaluate_s), base::counted(result.threads, "thread", "threads")));
    return exit_code_of(result.columns, result.interrupted);
}

}  // namespace tailback::commands
