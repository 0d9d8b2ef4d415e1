// For people: what the schedules came to, and the jobs that congestion slows most.
#include "host/base/numbers.hpp"
#include "host/report/schedule/schedule_report.hpp"
#include "host/report/text_table.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>

namespace tailback::report {
namespace {

constexpr std::size_t slowest_jobs = 10;

struct Line {
    char const* name;
    double schedule::ScheduleSummary::*number;
    bool is_load = false;
};
constexpr Line lines[] = {
    {"makespan, s", &schedule::ScheduleSummary::makespan},
    {"utilisation of nodes", &schedule::ScheduleSummary::utilisation},
    {"waiting time, s, mean", &schedule::ScheduleSummary::wait},
    {"waiting time, s, longest", &schedule::ScheduleSummary::longest_wait},
    {"response time, s, mean", &schedule::ScheduleSummary::response},
    {"bounded slowdown, mean", &schedule::ScheduleSummary::bounded_slowdown},
    {"slowdown by congestion, mean", &schedule::ScheduleSummary::slowdown},
    {"slowdown by congestion, worst", &schedule::ScheduleSummary::worst_slowdown},
    {"largest load of a link", &schedule::ScheduleSummary::largest_load, true},
    {"  its mean over time", &schedule::ScheduleSummary::load_mean, true},
    {"  its standard deviation", &schedule::ScheduleSummary::load_deviation, true},
};

std::string five_digits(double value) { return fmt::format("{:.5g}", value); }

void write_slowest(std::ostream& out, ScheduleReport const& report) {
    std::vector<std::size_t> order;
    for (std::size_t j = 0; j < report.jobs.size(); ++j)
        if (report.run.jobs[j].load > 0 && report.run.jobs[j].slowdown > 1) order.push_back(j);
    if (order.empty()) return;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return report.run.jobs[a].slowdown > report.run.jobs[b].slowdown;
    });
    order.resize(std::min(order.size(), slowest_jobs));
    fmt::print(out, "\nJobs that congestion slows most{}\n", report.seeds.size() > 1 ? " (first seed)" : "");
    TextTable table = {{"job", "nodes", "waits, s", "begins, s", "ends, s", "slowdown", "worst"}};
    for (std::size_t const j : order) {
        schedule::JobRecord const& record = report.run.jobs[j];
        table.push_back({base::shortened(base::printable(report.jobs[j].name), 24), base::grouped(report.jobs[j].nodes),
                         five_digits(record.start - report.jobs[j].submit), five_digits(record.start),
                         five_digits(record.end), fmt::format("{:.3f}", record.slowdown),
                         fmt::format("{:.3f}", record.worst_slowdown)});
    }
    write_table(out, table);
}

}  // namespace

void write_text_report(std::ostream& out, ScheduleReport const& report) {
    std::vector<schedule::ScheduleSummary> const& seeds = report.seeds;
    fmt::print(out, "{} of {} on {} compute nodes, {}, nodes by {}, {} (from {})\n",
               base::counted(seeds.front().jobs, "job", "jobs"), base::printable(report.workload),
               base::grouped(report.nodes), report.queue, report.select, base::counted(seeds.size(), "seed", "seeds"),
               seeds.front().seed);
    fmt::print(out, "loads are {} / capacity of the link{}\n\n", report.has_bytes ? "bytes" : "flows",
               report.interrupted ? "; interrupted: jobs that ended by then" : "");
    TextTable table;
    if (seeds.size() > 1) table.push_back({"", "mean", "least", "most"});
    for (Line const& line : lines) {
        double sum = 0, least = seeds.front().*line.number, most = least;
        for (schedule::ScheduleSummary const& one : seeds) {
            sum += one.*line.number;
            least = std::min(least, one.*line.number);
            most = std::max(most, one.*line.number);
        }
        auto const shown = [&](double value) { return five_digits(line.is_load ? report.load(value) : value); };
        table.push_back({line.name, shown(sum / double(seeds.size()))});
        if (seeds.size() > 1) table.back().push_back(shown(least)), table.back().push_back(shown(most));
    }
    write_table(out, table);
    if (report.run.undelivered > 0)
        fmt::print(out, "\n{} of jobs have no route and are left out of loads\n",
                   base::counted(report.run.undelivered, "flow", "flows"));
    write_slowest(out, report);
}

}  // namespace tailback::report
