// tailback schedule: jobs over time on one fabric.
#include "host/api/outcomes/schedule_outcome.hpp"
#include "host/base/extensions.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/options/schedule_options.hpp"
#include "host/commands/registry.hpp"
#include "host/commands/report_file.hpp"
#include "host/commands/threads.hpp"
#include "host/commands/visible_run.hpp"
#include "host/sweep/schedule_point.hpp"

namespace tailback::commands {
namespace {

constexpr char const* schedule_text = R"(
A workload is YAML, or a file in the Standard Workload Format:

  jobs:
    - {name: cfd, nodes: 64, work: 3600, pattern: "stencil-3d", communication: 0.4}
    - {name: mix, count: 500, every: "exponential:60", nodes: [1, 2, 4, 8, 16], pattern: [bisect, ring],
       duration: "exponential:900", requested: 3600}

  submit, every  seconds at which a job comes, or from one of several to the next
  duration       seconds that it runs; work: seconds that it would run alone, longer by congestion
  requested      seconds that it asks for (for easy); communication: share of work that congestion lengthens
  pattern        what its ranks send (traffic: a file); mapping: the order of ranks on nodes
Numbers may be drawn: exponential:MEAN, uniform:LOW..HIGH, or a list whose entries are equally likely.

Examples:
  tailback schedule day.yaml --network xgft:m=12x12x8,w=1x12x12 --queue easy --select leaf
  tailback schedule KTH-SP2.swf --network torus:8x8x4 --pattern bisect --select random --seeds 100
)";

std::string schedule_notes() { return schedule_text; }

int run_schedule(std::vector<std::string> const& arguments) {
    ScheduleOptions const parsed = parse_schedule_options(arguments);
    Threads const threads(parsed.threads);
    api::PreparedSchedule const prepared(parsed.request, listener());
    VisibleRun run({parsed.request.seeds == 1 ? "running the schedule" : "running the schedules",
                    prepared.workload().jobs() * parsed.request.seeds, "jobs"});
    api::ScheduleResult const result = api::run_schedule(
        prepared, parsed.threads, [&] { return run.stop_asked(); }, [&](std::uint64_t done) { run.show(done); });
    run.end();
    if (result.seeds.empty()) {
        tell("note", "interrupted before the first schedule was done");
        return interrupted;
    }
    report::ScheduleReport const report = api::make_report(prepared, result, parsed.queue, parsed.select);
    OutputFiles files;
    io::OutputFile& file = files.add(parsed.output);
    if (parsed.format == report::Form::csv) report::write_schedule_jobs(file.stream(), report);
    else write_report(file, report, parsed.format);
    if (io::OutputFile* const moments = files.asked(parsed.moments)) report::write_moments(moments->stream(), report);
    files.commit();
    if (result.interrupted) tell("note", "interrupted: jobs that had not ended by then have no end");
    VisibleRun::tell_done(base::counted(result.seeds.size(), "schedule", "schedules") + " of " +
                              base::counted(result.first_workload.size(), "job", "jobs"),
                          result.seconds, result.threads);
    return result.interrupted ? interrupted : success;
}

std::shared_ptr<sweep::OtherPoint const> point_of(std::vector<std::string> const& words) {
    return sweep::schedule_point(parse_schedule_options(words).request);
}

}  // namespace

void register_schedule(Registry& registry) {
    base::insert_before(
        registry.commands, "list",
        Command{"schedule",
                "jobs over time on one fabric: who waits, who runs where, whom congestion slows",
                run_schedule,
                {options::command_named("schedule"),
                 "Runs the jobs of a workload on a fabric: who waits, who runs where, whom congestion slows.",
                 "WORKLOAD --network FILE|SPEC [options]",
                 "tailback schedule day.yaml --network xgft:m=12x12x8,w=1x12x12 --queue easy"},
                schedule_notes,
                false,
                point_of});
}

}  // namespace tailback::commands
