// tailback jobs: several jobs on one fabric.
#include "host/base/numbers.hpp"
#include "host/commands/command.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/jobs_options.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/report_file.hpp"
#include "host/commands/threads.hpp"
#include "host/commands/visible_run.hpp"
#include "host/report/jobs/jobs_report.hpp"
#include "host/study/fabric_digest.hpp"

#include <fmt/format.h>

namespace tailback::commands {
namespace {

/// Slowdowns of jobs whose times are of other orders say little: of one with bytes beside one whose flows have none, as
/// a rule.
void warn_of_unlike_times(std::vector<evaluation::Job> const& jobs, evaluation::JobsResult const& result) {
    constexpr double unlike = 1000;
    std::size_t longest = 0, shortest = jobs.size();
    auto const time = [&](std::size_t j) { return result.jobs[j].alone.count() > 0 ? result.jobs[j].alone.mean() : 0; };
    for (std::size_t j = 0; j < jobs.size(); ++j) {
        if (time(j) > time(longest)) longest = j;
        if (time(j) > 0 && (shortest == jobs.size() || time(j) < time(shortest))) shortest = j;
    }
    if (shortest == jobs.size() || time(longest) <= unlike * time(shortest)) return;
    std::string text =
        fmt::format("job {} takes {} times as long as job {}: their slowdowns cannot be compared", jobs[longest].name,
                    base::three_digits(time(longest) / time(shortest)), jobs[shortest].name);
    if (!jobs[shortest].flows.has_bytes())
        text += fmt::format("; the flows of {} have no bytes and count as 1 byte each: give them sizes (size=1MiB)",
                            jobs[shortest].name);
    tell_warning(text);
}

}  // namespace

int run_jobs(std::vector<std::string> const& arguments) {
    JobsOptions const options = parse_jobs_options(arguments);
    Threads const threads(options.threads);
    api::PreparedJobs const jobs(options.request, listener());
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
    warn_of_unlike_times(jobs.jobs(), result);
    report::JobsReport report{jobs.plan(),    jobs.jobs(),  result, {}, study::digest(*jobs.plan().fabric),
                              options.spread, jobs.groups()};
    for (api::JobRequest const& job : jobs.request().jobs)
        report.words.push_back({job.pattern.empty() ? job.traffic : job.pattern,
                                job.placement.nodes.empty() ? "free" : job.placement.nodes,
                                job.placement.order.empty() ? "block" : job.placement.order,
                                std::max(1u, job.placement.ranks_per_node)});
    put_report(options.output, report, options.format);
    VisibleRun::tell_done(result, " of " + base::counted(jobs.jobs().size(), "job", "jobs"));
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
