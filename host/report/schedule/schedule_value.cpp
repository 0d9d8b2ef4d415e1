// The schedule as a value and in tables; docs/schedule.md lists keys and columns.
#include "host/report/schedule/schedule_report.hpp"

#include <algorithm>
#include <cmath>

namespace tailback::report {
namespace {

Json summary_json(ScheduleReport const& report, schedule::ScheduleSummary const& one) {
    return {{"seed", one.seed},
            {"jobs", one.jobs},
            {"makespan", one.makespan},
            {"utilisation", one.utilisation},
            {"wait_mean", one.wait},
            {"wait_max", one.longest_wait},
            {"response_mean", one.response},
            {"bounded_slowdown_mean", one.bounded_slowdown},
            {"slowdown_mean", one.slowdown},
            {"slowdown_max", one.worst_slowdown},
            {"largest_load", report.load(one.largest_load)},
            {"largest_load_mean", report.load(one.load_mean)},
            {"largest_load_deviation", report.load(one.load_deviation)},
            {"waiting_max", one.most_waiting},
            {"running_max", one.most_running},
            {"undelivered_flows", one.undelivered}};
}

/// Names that no metric of a study has.
constexpr std::pair<char const*, char const*> point_numbers[] = {{"schedule_time", "makespan"},
                                                                 {"utilisation", "utilisation"},
                                                                 {"wait", "wait_mean"},
                                                                 {"longest_wait", "wait_max"},
                                                                 {"response", "response_mean"},
                                                                 {"bounded_slowdown", "bounded_slowdown_mean"},
                                                                 {"job_slowdown", "slowdown_mean"},
                                                                 {"worst_job_slowdown", "slowdown_max"},
                                                                 {"largest_load", "largest_load"},
                                                                 {"mean_load", "largest_load_mean"},
                                                                 {"load_deviation", "largest_load_deviation"},
                                                                 {"most_waiting", "waiting_max"},
                                                                 {"most_running", "running_max"}};

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
    json["end"] = ended ? Json(record.end) : Json(nullptr);
    json["slowdown"] = ended ? Json(record.slowdown) : Json(nullptr);
    json["worst_slowdown"] = ended ? Json(record.worst_slowdown) : Json(nullptr);
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
    for (auto const& [name, key] : point_numbers) {
        double sum = 0, squares = 0, least = seeds.front().at(key).get<double>(), most = least;
        for (Json const& seed : seeds) {
            double const value = seed.at(key).get<double>();
            sum += value, least = std::min(least, value), most = std::max(most, value);
        }
        double const count = double(seeds.size()), mean = sum / count;
        for (Json const& seed : seeds)
            squares += (seed.at(key).get<double>() - mean) * (seed.at(key).get<double>() - mean);
        Json const error = seeds.size() > 1 ? Json(std::sqrt(squares / (count - 1) / count)) : Json(nullptr);
        metrics[name] = {{"mean", mean}, {"stderr", error}, {"min", least}, {"max", most}};
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

std::vector<std::string> schedule_numbers() {
    std::vector<std::string> names;
    for (auto const& [name, key] : point_numbers) names.emplace_back(name);
    return names;
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
