// For people: what the schedules came to, and the jobs that congestion slows most.
#include "host/base/numbers.hpp"
#include "host/report/schedule/schedule_report.hpp"
#include "host/result/undelivered.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::report {
namespace {

constexpr std::size_t slowest_jobs = 10;

std::string text_of(ScheduleReport const& report, ScheduleNumber const& number, double value) {
    if (number.kind == ScheduleNumber::Kind::time) return time_text(value);
    bool const is_load = number.kind == ScheduleNumber::Kind::load;
    return is_load && report.has_bytes ? bytes_text(report.load(value))
                                       : fmt::format("{:.5g}", is_load ? report.load(value) : value);
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

double mean_of(ScheduleNumber const& number, std::vector<schedule::ScheduleSummary> const& seeds) {
    double sum = 0;
    for (schedule::ScheduleSummary const& one : seeds) sum += number.of(one);
    return sum / double(seeds.size());
}

/// A column for each selection of nodes.
void add_others(Document& document, ScheduleReport const& report) {
    if (report.others.empty()) return;
    document.heading("The same beside other selections of nodes (means)");
    Table table{.columns = {word_column(), {report.select}}};
    for (std::size_t k = 0; k < report.others.size(); ++k)
        table.columns.push_back({schedule::name_of(schedule::NodePolicy(k))});
    for (ScheduleNumber const& number : schedule_numbers()) {
        if (number.title == nullptr) continue;
        std::vector<Cell> row = {number.title, text_of(report, number, mean_of(number, report.seeds))};
        for (auto const& other : report.others) row.emplace_back(text_of(report, number, mean_of(number, other)));
        table.rows.push_back(std::move(row));
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
    for (ScheduleNumber const& number : schedule_numbers()) {
        if (number.title == nullptr) continue;
        double sum = 0, least = number.of(seeds.front()), most = least;
        for (schedule::ScheduleSummary const& one : seeds) {
            double const value = number.of(one);
            sum += value, least = std::min(least, value), most = std::max(most, value);
        }
        table.rows.push_back({number.title, text_of(report, number, sum / double(seeds.size()))});
        if (seeds.size() == 1) continue;
        for (double const value : {least, most}) table.rows.back().emplace_back(text_of(report, number, value));
    }
    document.blank().table(std::move(table));
    if (report.run.undelivered > 0)
        document.heading(
            result::left_out_above({.count = report.run.undelivered, .one = "flow of jobs", .many = "flows of jobs"}));
    add_others(document, report);
    add_slowest(document, report);
    return document;
}

}  // namespace tailback::report
