// tailback schedule: jobs over time on one fabric.
#include "host/api/outcomes/outcomes.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/command.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/options/schedule_options.hpp"
#include "host/commands/report_file.hpp"
#include "host/commands/threads.hpp"
#include "host/commands/visible_run.hpp"

namespace tailback::commands {
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

}  // namespace tailback::commands
