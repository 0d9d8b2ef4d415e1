// For people: what the schedules came to, and the jobs that congestion slows most.
#include "host/base/numbers.hpp"
#include "host/report/schedule/schedule_report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::report {
namespace {

constexpr std::size_t slowest_jobs = 10;

struct Line {
    enum class Kind : std::uint8_t { time, ratio, load };
    char const* name;
    double schedule::ScheduleSummary::*number;
    Kind kind;
};
constexpr Line lines[] = {
    {"makespan", &schedule::ScheduleSummary::makespan, Line::Kind::time},
    {"utilisation of nodes", &schedule::ScheduleSummary::utilisation, Line::Kind::ratio},
    {"waiting time, mean", &schedule::ScheduleSummary::wait, Line::Kind::time},
    {"waiting time, longest", &schedule::ScheduleSummary::longest_wait, Line::Kind::time},
    {"response time, mean", &schedule::ScheduleSummary::response, Line::Kind::time},
    {"bounded slowdown, mean", &schedule::ScheduleSummary::bounded_slowdown, Line::Kind::ratio},
    {"slowdown by congestion, mean", &schedule::ScheduleSummary::slowdown, Line::Kind::ratio},
    {"slowdown by congestion, worst", &schedule::ScheduleSummary::worst_slowdown, Line::Kind::ratio},
    {"largest load of a link", &schedule::ScheduleSummary::largest_load, Line::Kind::load},
    {"  its mean over time", &schedule::ScheduleSummary::load_mean, Line::Kind::load},
    {"  its standard deviation", &schedule::ScheduleSummary::load_deviation, Line::Kind::load},
};

std::string text_of(ScheduleReport const& report, Line const& line, double value) {
    switch (line.kind) {
        case Line::Kind::time: return time_text(value);
        case Line::Kind::ratio: return fmt::format("{:.5g}", value);
        case Line::Kind::load: break;
    }
    return report.has_bytes ? bytes_text(report.load(value)) : fmt::format("{:.5g}", report.load(value));
}

void add_slowest(Document& document, ScheduleReport const& report) {
    std::vector<std::size_t> order;
    for (std::size_t j = 0; j < report.jobs.size(); ++j)
        if (report.run.jobs[j].load > 0 && report.run.jobs[j].slowdown > 1) order.push_back(j);
    if (order.empty()) return;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return report.run.jobs[a].slowdown > report.run.jobs[b].slowdown;
    });
    order.resize(std::min(order.size(), slowest_jobs));
    document.heading(std::string("Jobs that congestion slows most") + (report.seeds.size() > 1 ? " (first seed)" : ""));
    Table table{.columns = {name_column("job"), {"nodes"}, {"waits"}, {"begins"}, {"ends"}, {"slowdown"}, {"worst"}}};
    for (std::size_t const j : order) {
        schedule::JobRecord const& record = report.run.jobs[j];
        table.rows.push_back({report.jobs[j].name, base::grouped(report.jobs[j].nodes),
                              time_text(record.start - report.jobs[j].submit), time_text(record.start),
                              time_text(record.end), fmt::format("{:.3f}", record.slowdown),
                              fmt::format("{:.3f}", record.worst_slowdown)});
    }
    document.table(std::move(table));
}

}  // namespace

Document document_of(ScheduleReport const& report) {
    std::vector<schedule::ScheduleSummary> const& seeds = report.seeds;
    Document document;
    document.sentence(fmt::format("{} of {} on {} compute nodes, {}, nodes by {}, {} (from {})",
                                  base::counted(seeds.front().jobs, "job", "jobs"), report.workload,
                                  base::grouped(report.nodes), report.queue, report.select,
                                  base::counted(seeds.size(), "seed", "seeds"), seeds.front().seed));
    add_network(document, *report.plan.fabric, report.digest);
    document.sentence(fmt::format("loads are {} / capacity of the link{}", report.has_bytes ? "bytes" : "flows",
                                  report.interrupted ? "; interrupted: jobs that ended by then" : ""));
    Table table{.columns = {word_column(), {}}};
    if (seeds.size() > 1) table.columns = {word_column(), {"mean"}, {"least"}, {"most"}};
    for (Line const& line : lines) {
        double sum = 0, least = seeds.front().*line.number, most = least;
        for (schedule::ScheduleSummary const& one : seeds) {
            sum += one.*line.number;
            least = std::min(least, one.*line.number);
            most = std::max(most, one.*line.number);
        }
        table.rows.push_back({line.name, text_of(report, line, sum / double(seeds.size()))});
        if (seeds.size() == 1) continue;
        table.rows.back().emplace_back(text_of(report, line, least));
        table.rows.back().emplace_back(text_of(report, line, most));
    }
    document.blank().table(std::move(table));
    if (report.run.undelivered > 0)
        document.heading(fmt::format("{} of jobs have no route and are left out of loads",
                                     base::counted(report.run.undelivered, "flow", "flows")));
    add_slowest(document, report);
    return document;
}

}  // namespace tailback::report
