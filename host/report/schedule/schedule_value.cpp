// The schedule as a value and in tables; docs/schedule.md lists keys and columns.
#include "host/report/schedule/schedule_report.hpp"

#include <algorithm>
#include <cmath>

namespace tailback::report {
namespace {

Json summary_json(ScheduleReport const& report, schedule::ScheduleSummary const& one) {
    Json json = {{"seed", one.seed}, {"jobs", one.jobs}};
    for (ScheduleNumber const& number : schedule_numbers()) {
        double const value = number.of(one);
        json[number.key] = number.kind == ScheduleNumber::Kind::count  ? Json(std::uint64_t(value))
                           : number.kind == ScheduleNumber::Kind::load ? Json(report.load(value))
                                                                       : Json(value);
    }
    json["undelivered_flows"] = one.undelivered;
    return json;
}

Json job_json(ScheduleReport const& report, std::size_t j) {
    schedule::WorkloadJob const& job = report.jobs[j];
    schedule::JobRecord const& record = report.run.jobs[j];
    Json json = {{"name", job.name},
                 {"submit", job.submit},
                 {"nodes", job.nodes},
                 {"seconds", job.seconds},
                 {"requested", job.requested},
                 {"stretches", job.stretches},
                 {"traffic", job.traffic ? Json(job.traffic->words()) : Json(nullptr)}};
    bool const ended = record.end >= record.start;
    json["start"] = record.nodes.empty() ? Json(nullptr) : Json(record.start);
    json["end"] = or_null(ended, record.end);
    json["slowdown"] = or_null(ended, record.slowdown);
    json["worst_slowdown"] = or_null(ended, record.worst_slowdown);
    json["load"] = report.load(double(record.load));
    json["on"] = record.nodes;
    return json;
}

Json head_of(ScheduleReport const& report) {
    Json network = network_json(*report.plan.fabric, report.digest);
    network["compute_nodes"] = report.nodes;
    return head("tailback-schedule-1", report.plan.study.files, std::move(network));
}

}  // namespace

Json value_of(ScheduleReport const& report) {
    Json json = head_of(report);
    json.update({{"workload", report.workload},
                 {"queue", report.queue},
                 {"select", report.select},
                 {"load_unit", report.has_bytes ? "bytes" : "flows"},
                 {"interrupted", report.interrupted}});
    json["seeds"] = Json::array();
    for (schedule::ScheduleSummary const& one : report.seeds) json["seeds"].push_back(summary_json(report, one));
    if (!report.others.empty()) json["others"] = Json::array();
    for (std::size_t k = 0; k < report.others.size(); ++k) {
        Json other = {{"select", schedule::name_of(schedule::NodePolicy(k))}, {"seeds", Json::array()}};
        for (schedule::ScheduleSummary const& one : report.others[k])
            other["seeds"].push_back(summary_json(report, one));
        json["others"].push_back(std::move(other));
    }
    json["jobs"] = Json::array();
    for (std::size_t j = 0; j < report.jobs.size(); ++j) json["jobs"].push_back(job_json(report, j));
    return json;
}

Json schedule_point(ScheduleReport const& report) {
    std::vector<Json> seeds;
    std::uint64_t undelivered = 0;
    for (schedule::ScheduleSummary const& one : report.seeds) {
        seeds.push_back(summary_json(report, one));
        undelivered += one.undelivered;
    }
    Json metrics = Json::object();
    for (ScheduleNumber const& number : schedule_numbers()) {
        char const* const key = number.key;
        double sum = 0, squares = 0, least = seeds.front().at(key).get<double>(), most = least;
        for (Json const& seed : seeds) {
            double const value = seed.at(key).get<double>();
            sum += value, least = std::min(least, value), most = std::max(most, value);
        }
        double const size = double(seeds.size()), mean = sum / size;
        for (Json const& seed : seeds)
            squares += (seed.at(key).get<double>() - mean) * (seed.at(key).get<double>() - mean);
        Json const error = seeds.size() > 1 ? Json(std::sqrt(squares / (size - 1) / size)) : Json(nullptr);
        metrics[number.point] = {{"mean", mean}, {"stderr", error}, {"min", least}, {"max", most}};
    }
    Json json = head_of(report);
    json.update({{"study",
                  {{"workload", report.workload},
                   {"queue", report.queue},
                   {"select", report.select},
                   {"jobs", report.seeds.front().jobs},
                   {"seed", report.seeds.front().seed},
                   {"seeds", report.seeds.size()},
                   {"load_unit", report.has_bytes ? "bytes" : "flows"}}},
                 {"pairs", {{"undelivered", undelivered}}},
                 {"metrics", std::move(metrics)}});
    return json;
}

std::span<ScheduleNumber const> schedule_numbers() {
    using Summary = schedule::ScheduleSummary;
    using enum ScheduleNumber::Kind;
    static constexpr ScheduleNumber numbers[] = {
        {"makespan", "schedule_time", "makespan", [](Summary const& s) { return s.makespan; }, time},
        {"utilisation", "utilisation", "utilisation of nodes", [](Summary const& s) { return s.utilisation; }, ratio},
        {"wait_mean", "wait", "waiting time, mean", [](Summary const& s) { return s.wait; }, time},
        {"wait_max", "longest_wait", "waiting time, longest", [](Summary const& s) { return s.longest_wait; }, time},
        {"response_mean", "response", "response time, mean", [](Summary const& s) { return s.response; }, time},
        {"bounded_slowdown_mean", "bounded_slowdown", "bounded slowdown, mean",
         [](Summary const& s) { return s.bounded_slowdown; }, ratio},
        {"slowdown_mean", "job_slowdown", "slowdown by congestion, mean", [](Summary const& s) { return s.slowdown; },
         ratio},
        {"slowdown_max", "worst_job_slowdown", "slowdown by congestion, worst",
         [](Summary const& s) { return s.worst_slowdown; }, ratio},
        {"largest_load", "largest_load", "largest load of a link", [](Summary const& s) { return s.largest_load; },
         load},
        {"largest_load_mean", "mean_load", "  its mean over time", [](Summary const& s) { return s.load_mean; }, load},
        {"largest_load_deviation", "load_deviation", "  its standard deviation",
         [](Summary const& s) { return s.load_deviation; }, load},
        {"waiting_max", "most_waiting", nullptr, [](Summary const& s) { return double(s.most_waiting); }, count},
        {"running_max", "most_running", nullptr, [](Summary const& s) { return double(s.most_running); }, count}};
    return numbers;
}

void write_schedule_jobs(std::ostream& out, ScheduleReport const& report) {
    CsvTable table(
        out, {"job", "submit", "nodes", "seconds", "requested", "start", "end", "slowdown", "worst_slowdown", "load"});
    for (std::size_t j = 0; j < report.jobs.size(); ++j) {
        Json row = job_json(report, j);
        row["job"] = row["name"];
        table.item(row);
    }
}

void write_moments(std::ostream& out, ScheduleReport const& report) {
    CsvTable table(out, {"time", "running", "waiting", "busy_nodes", "largest_load", "slowdown"});
    for (schedule::Moment const& moment : report.run.moments)
        table.row({moment.time, moment.running, moment.waiting, moment.busy_nodes,
                   report.load(double(moment.largest_load)), moment.slowdown});
}

}  // namespace tailback::report
