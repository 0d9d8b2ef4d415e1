// tailback jobs: several jobs on one fabric.
#include "host/api/outcomes/outcomes.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/command.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/jobs_options.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/report_file.hpp"
#include "host/commands/threads.hpp"
#include "host/commands/visible_run.hpp"

#include <algorithm>

namespace tailback::commands {
namespace {

/// Commands that look for nodes beside the other jobs name the nodes that those have here: without them `place` would
/// choose others. None where they are drawn.
std::vector<std::vector<std::string>> beside_named_nodes(JobsOptions const& options, api::PreparedJobs const& jobs) {
    if (jobs.jobs().size() != options.request.jobs.size()) return {};  // running jobs of one node are left out
    std::vector<std::vector<std::string>> lines = options.elsewhere;
    for (std::size_t job = 0; job < lines.size(); ++job) {
        if (lines[job].empty()) continue;
        if (std::uint32_t const most = api::nodes_of(jobs, job).most_ranks;
            most > 1 && options.request.jobs[job].placement.ranks_per_node == 0)  // a file of its nodes said so
            lines[job].insert(lines[job].end(), {"--ranks-per-node", std::to_string(most)});
        for (std::size_t other = 0; other < options.job_words.size(); ++other) {
            std::string const& asked = options.request.jobs[other].placement.nodes;
            auto const words = std::ranges::find(lines[job], options.job_words[other]);
            if (job == other || words == lines[job].end()) continue;
            if (asked.empty()) *words += ",nodes=" + api::nodes_of(jobs, other).names;
            else if (asked.starts_with("any:")) {
                lines[job].clear();
                break;
            }
        }
    }
    return lines;
}

}  // namespace

int run_jobs(std::vector<std::string> const& arguments) {
    JobsOptions const options = parse_jobs_options(arguments);
    Threads const threads(options.threads);
    api::PreparedJobs const jobs(options.request, listener());
    tell_static_entries(*jobs.plan().fabric);
    evaluation::JobsOptions execution{.threads = options.threads,
                                      .spread = options.spread,
                                      .every_link = jobs.groups() != nullptr,
                                      .progress = {},
                                      .stop = {},
                                      .wish = nullptr};
    VisibleRun run(jobs.plan().study.sample.mappings);
    run.watch(execution);
    evaluation::JobsResult const result = evaluation::evaluate_jobs(jobs.plan(), jobs.jobs(), execution);
    run.end(result);
    if (result.mappings == 0) return interrupted;
    if (std::string const text = api::unlike_times(jobs.jobs(), result); !text.empty()) tell_warning(text);
    report::JobsReport report = api::make_report(jobs, result, options.spread);
    report.elsewhere = beside_named_nodes(options, jobs);
    put_report(options.output, report, options.format);
    VisibleRun::tell_done(result, " of " + base::counted(jobs.jobs().size(), "job", "jobs"));
    for (result::NextStep const& step : report.next_steps()) tell("next", result::line_of(step));
    if (result.interrupted) return interrupted;
    std::uint64_t delivered = 0, failed = 0;
    for (evaluation::JobResult const& job : result.jobs)
        delivered += job.delivered + job.local + job.within_nodes, failed += job.failed;
    return tell_nothing_delivered(delivered, failed) ? faults_found : success;
}

std::string jobs_notes() {
    return R"(
Reports each job alone and together with the others, the slowdowns, and the links that jobs share.
A job is NAME:KEY=VALUE,..: traffic=FILE or pattern=NAME, ranks=N, nodes=.., mapping=ORDER,
ranks-per-node=.., rail=.., with=JOB, class=NAME, priority=..; many are easier in a file (--jobs).

Examples:
  tailback jobs --network torus:8x8x8 --job a:pattern=rand,nodes=any:200 \
                --job b:pattern=all-to-all,ranks=100
  squeue -h -t R -o "%i %N" > running; tailback jobs --network ibdiagnet2-output --squeue running
)";
}

}  // namespace tailback::commands
