// tailback multipath: flows spread over the 2^LMC LIDs of hosts, in several ways side by side.
#include "host/base/numbers.hpp"
#include "host/commands/bracket/columns.hpp"
#include "host/commands/command.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/evaluate_options.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/threads.hpp"
#include "host/commands/visible_run.hpp"
#include "host/evaluation/multipath/multipath.hpp"
#include "host/io/output_file.hpp"
#include "host/report/adaptive/multipath_report.hpp"
#include "host/study/fabric_digest.hpp"

#include <algorithm>

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

int run_multipath(std::vector<std::string> const& arguments) {
    EvaluateOptions options = parse_study_options(options::multipath, arguments);
    Threads const threads(options.threads);
    api::PreparedStudy const study(options.request, listener());
    evaluation::MultipathOptions execution{.threads = options.threads, .spreads = options.spreads};
    VisibleRun run(study.plan().study.sample.mappings);
    run.watch(execution);
    evaluation::Multipath const result = evaluation::evaluate_multipath(study.plan(), execution);
    run.end(result);
    report::MultipathReport const report{study.plan(), result, study::digest(*study.plan().fabric)};
    io::OutputFile file(options.output);
    write(file, options.format, report);
    file.commit();
    VisibleRun::tell_done(result);
    return exit_code_of(result.columns, result.interrupted);
}

std::string multipath_notes() {
    return R"(
For fabrics whose hosts have several LIDs (LMC above 0): dumps, or --lmc with a routing.

Example:
  tailback multipath --network xgft:m=8x8,w=1x4 --lmc 2 --spread connection,all --pattern bisect
)";
}

}  // namespace tailback::commands
