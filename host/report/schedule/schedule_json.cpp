// The schedule as JSON and CSV; docs/schedule.md lists keys and columns.
#include "host/base/numbers.hpp"
#include "host/report/json_values.hpp"
#include "host/report/schedule/schedule_report.hpp"

#include "version.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <ostream>

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
    Json json = {{"name", base::printable(job.name)},
                 {"submit", job.submit},
                 {"nodes", job.nodes},
                 {"seconds", job.seconds},
                 {"requested", job.requested},
                 {"stretches", job.stretches},
                 {"traffic", job.traffic ? Json(base::printable(job.traffic->words())) : Json(nullptr)}};
    bool const ended = record.end >= record.start;
    json["start"] = record.nodes.empty() ? Json(nullptr) : Json(record.start);
    json["end"] = ended ? Json(record.end) : Json(nullptr);
    json["slowdown"] = ended ? Json(record.slowdown) : Json(nullptr);
    json["worst_slowdown"] = ended ? Json(record.worst_slowdown) : Json(nullptr);
    json["load"] = report.load(double(record.load));
    json["on"] = record.nodes;
    return json;
}

}  // namespace

void write_json_report(std::ostream& out, ScheduleReport const& report) {
    Json json = {{"schema", "tailback-schedule-1"},
                 {"version", version},
                 {"network", {{"compute_nodes", report.nodes}, {"digest", report.digest}}},
                 {"workload", base::printable(report.workload)},
                 {"queue", report.queue},
                 {"select", report.select},
                 {"load_unit", report.has_bytes ? "bytes" : "flows"},
                 {"interrupted", report.interrupted}};
    json["seeds"] = Json::array();
    for (schedule::ScheduleSummary const& one : report.seeds) json["seeds"].push_back(summary_json(report, one));
    json["jobs"] = Json::array();
    for (std::size_t j = 0; j < report.jobs.size(); ++j) json["jobs"].push_back(job_json(report, j));
    fmt::print(out, "{}\n", json_text(json, 2));
}

std::string schedule_point_json(ScheduleReport const& report) {
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
    model::Fabric const& fabric = *report.plan.fabric;
    Json network = {{"compute_nodes", report.nodes},
                    {"hosts", fabric.endpoints()},
                    {"switches", fabric.switches()},
                    {"links", fabric.links()},
                    {"digest", report.digest}};
    if (!fabric.origin.routing.empty()) {
        network["routing"] = fabric.origin.routing;
        network["routing_seed"] = fabric.origin.routing_seed;
    }
    return Json({{"schema", "tailback-schedule-1"},
                 {"version", version},
                 {"network", std::move(network)},
                 {"study",
                  {{"workload", base::printable(report.workload)},
                   {"queue", report.queue},
                   {"select", report.select},
                   {"jobs", report.seeds.front().jobs},
                   {"seed", report.seeds.front().seed},
                   {"seeds", report.seeds.size()},
                   {"load_unit", report.has_bytes ? "bytes" : "flows"}}},
                 {"pairs", {{"undelivered", undelivered}}},
                 {"metrics", std::move(metrics)}})
        .dump();
}

std::vector<std::string> schedule_numbers() {
    std::vector<std::string> names;
    for (auto const& [name, key] : point_numbers) names.emplace_back(name);
    return names;
}

void write_csv_report(std::ostream& out, ScheduleReport const& report) {
    fmt::print(out, "job,submit,nodes,seconds,requested,start,end,slowdown,worst_slowdown,load\n");
    for (std::size_t j = 0; j < report.jobs.size(); ++j) {
        schedule::WorkloadJob const& job = report.jobs[j];
        schedule::JobRecord const& record = report.run.jobs[j];
        bool const ended = record.end >= record.start;
        auto const cell = [](bool known, double value) { return known ? base::exact_text(value) : ""; };
        fmt::print(out, "{},{},{},{},{},{},{},{},{},{}\n", base::csv_field(base::printable(job.name)),
                   base::exact_text(job.submit), job.nodes, base::exact_text(job.seconds),
                   base::exact_text(job.requested), cell(!record.nodes.empty(), record.start), cell(ended, record.end),
                   cell(ended, record.slowdown), cell(ended, record.worst_slowdown),
                   base::exact_text(report.load(double(record.load))));
    }
}

void write_moments(std::ostream& out, ScheduleReport const& report) {
    fmt::print(out, "time,running,waiting,busy_nodes,largest_load,slowdown\n");
    for (schedule::Moment const& moment : report.run.moments)
        fmt::print(out, "{},{},{},{},{},{}\n", base::exact_text(moment.time), moment.running, moment.waiting,
                   moment.busy_nodes, base::exact_text(report.load(double(moment.largest_load))),
                   base::exact_text(moment.slowdown));
}

}  // namespace tailback::report
