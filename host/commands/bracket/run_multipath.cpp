// tailback multipath: flows spread over the 2^LMC LIDs of hosts, in several ways side by side.
#include "host/commands/bracket/columns.hpp"
#include "host/commands/command.hpp"
#include "host/commands/report_file.hpp"
#include "host/evaluation/multipath/multipath.hpp"
#include "host/report/adaptive/multipath_report.hpp"
#include "host/study/fabric_digest.hpp"

namespace tailback::commands {
int run_multipath(std::vector<std::string> const& arguments) {
    EvaluateOptions const options = parse_study_options(options::multipath, arguments);
    return run_columns(
        options, evaluation::MultipathOptions{.threads = options.threads, .spreads = options.spreads},
        evaluation::evaluate_multipath,
        [&](io::OutputFile& file, study::StudyPlan const& plan, evaluation::Multipath const& result) {
            write_report(file, report::MultipathReport{plan, result, study::digest(*plan.fabric)}, options.format);
        });
}

std::string multipath_notes() {
    return R"(
For fabrics whose hosts have several LIDs (LMC above 0): dumps, or --lmc with a routing.

Example:
  tailback multipath --network xgft:m=8x8,w=1x4 --lmc 2 --spread connection,all --pattern bisect
)";
}

}  // namespace tailback::commands
