// tailback bracket: a study under every way to use candidate sets, side by side.
#include "host/commands/bracket/columns.hpp"

#include "host/base/numbers.hpp"
#include "host/commands/command.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/evaluate_options.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/threads.hpp"
#include "host/commands/visible_run.hpp"
#include "host/io/output_file.hpp"
#include "host/report/adaptive/bracket_report.hpp"
#include "host/report/html/page.hpp"
#include "host/study/fabric_digest.hpp"

#include <algorithm>

namespace tailback::commands {
namespace {

void write(io::OutputFile& file, ReportFormat format, report::BracketReport const& report) {
    switch (format) {
        case ReportFormat::json: return report::write_json_report(file.stream(), report);
        case ReportFormat::csv: return report::write_csv_report(file.stream(), report);
        case ReportFormat::html: return report::write_bracket_html(file.stream(), report);
        default: return report::write_text_report(file.stream(), report);
    }
}

}  // namespace

int exit_code_of(std::span<evaluation::BracketColumn const> columns, bool was_interrupted) {
    if (was_interrupted) return interrupted;
    std::uint64_t delivered = 0, failed = 0;
    for (evaluation::BracketColumn const& column : columns)
        delivered += column.delivered, failed = std::max(failed, column.failed);
    return tell_nothing_delivered(delivered, failed) ? faults_found : success;
}

int run_bracket(std::vector<std::string> const& arguments) {
    EvaluateOptions options = parse_study_options(options::bracket, arguments);
    Threads const threads(options.threads);
    api::PreparedStudy const study(options.request, listener());
    evaluation::BracketOptions execution = *options.request.bracket;
    VisibleRun run(study.plan().study.sample.mappings);
    run.watch(execution);
    evaluation::Bracket const result = evaluation::evaluate_bracket(study.plan(), execution);
    run.end(result);
    report::BracketReport const report{study.plan(), result, study::digest(*study.plan().fabric)};
    io::OutputFile file(options.output);
    write(file, options.format, report);
    file.commit();
    VisibleRun::tell_done(result);
    return exit_code_of(result.columns, result.interrupted);
}

std::string bracket_notes() {
    return R"(
Columns: static (by the static entries), equal division at every switch, a hash that picks a port
for every flow, and at best. For routings with candidate sets: ar:minimal, ar:updn, ar:ftree, a folder
with .far, a folder of routers.

Examples:
  tailback bracket --network torus:8x8 --routing ar:minimal --pattern rand
  tailback bracket --network frr:examples/roce --hash linux --queue-pairs 4
)";
}

}  // namespace tailback::commands
