// tailback bracket: a study under every way to use candidate sets, side by side.
#include "host/commands/bracket/columns.hpp"

#include "host/commands/command.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/report_file.hpp"
#include "host/report/adaptive/bracket_report.hpp"
#include "host/study/fabric_digest.hpp"

#include <algorithm>

namespace tailback::commands {
int exit_code_of(std::span<evaluation::BracketColumn const> columns, bool was_interrupted) {
    if (was_interrupted) return interrupted;
    std::uint64_t delivered = 0, failed = 0;
    for (evaluation::BracketColumn const& column : columns)
        delivered += column.delivered, failed = std::max(failed, column.failed);
    return tell_nothing_delivered(delivered, failed) ? faults_found : success;
}

int run_bracket(std::vector<std::string> const& arguments) {
    EvaluateOptions const options = parse_study_options(options::bracket, arguments);
    return run_columns(
        options, *options.request.bracket, evaluation::evaluate_bracket,
        [&](io::OutputFile& file, study::StudyPlan const& plan, evaluation::Bracket const& result) {
            write_report(file, report::BracketReport{plan, result, study::digest(*plan.fabric)}, options.format);
        });
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
