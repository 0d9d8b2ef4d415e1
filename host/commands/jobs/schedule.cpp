// tailback schedule: jobs over time on one fabric.
#include "host/api/schedule.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/command.hpp"
#include "host/commands/messages.hpp"
#include "host/commands/options/network_options.hpp"
#include "host/commands/options/schedule_options.hpp"
#include "host/commands/threads.hpp"
#include "host/evaluation/interruption.hpp"
#include "host/io/output_file.hpp"
#include "host/io/progress.hpp"
#include "host/report/schedule/schedule_report.hpp"
#include "host/study/fabric_digest.hpp"

#include <fmt/format.h>

#include <csignal>
#include <optional>

namespace tailback::commands {
int run_schedule(std::vector<std::string> const& arguments) {
    ScheduleOptions const parsed = parse_schedule_options(arguments);
    Threads const threads(parsed.threads);
    api::PreparedSchedule const prepared(parsed.request, listener());
    std::optional<io::Progress> progress;
    progress.emplace(parsed.request.seeds == 1 ? "running the schedule" : "running the schedules",
                     prepared.workload().jobs() * parsed.request.seeds, "jobs");
    std::optional<evaluation::Interruption> interruption;
    interruption.emplace({SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU});
    api::ScheduleResult const result = api::run_schedule(
        prepared, parsed.threads, [&] { return interruption->signal() != 0; },
        [&](std::uint64_t done) { progress->show(done); });
    interruption.reset();
    progress.reset();
    if (result.seeds.empty()) {
        tell("note", "interrupted before the first schedule was done");
        return interrupted;
    }
    report::ScheduleReport const report{prepared.plan(),
                                        prepared.nodes().nodes.size(),
                                        parsed.request.workload,
                                        parsed.queue,
                                        parsed.select,
                                        result.seeds,
                                        result.first_workload,
                                        result.first,
                                        prepared.workload().has_bytes(),
                                        result.interrupted,
                                        study::digest(*prepared.plan().fabric)};
    io::OutputFile file(parsed.output);
    switch (parsed.format) {
        case 0: report::write_text_report(file.stream(), report); break;
        case 1: report::write_json_report(file.stream(), report); break;
        default: report::write_csv_report(file.stream(), report);
    }
    file.commit();
    if (!parsed.moments.empty()) {
        io::OutputFile moments(parsed.moments);
        report::write_moments(moments.stream(), report);
        moments.commit();
    }
    if (result.interrupted) tell("note", "interrupted: jobs that had not ended by then have no end");
    tell("done", fmt::format("{} of {} in {} s on {}", base::counted(result.seeds.size(), "schedule", "schedules"),
                             base::counted(result.first_workload.size(), "job", "jobs"),
                             base::three_digits(result.seconds), base::counted(result.threads, "thread", "threads")));
    return result.interrupted ? interrupted : success;
}

}  // namespace tailback::commands
