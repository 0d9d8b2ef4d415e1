// The report on several jobs as JSON, and as CSV; docs/report.md lists the keys.
#include "host/base/numbers.hpp"
#include "host/model/host_order.hpp"
#include "host/report/jobs/jobs_report.hpp"
#include "host/report/json_values.hpp"
#include "host/report/origin_json.hpp"

#include "version.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <cmath>
#include <ostream>

namespace tailback::report {
namespace {

Json distribution_json(evaluation::Distribution const& values) {
    if (values.count() == 0) return nullptr;
    Json quantiles = Json::object();
    for (double const q : evaluation::reported_quantiles) quantiles[fmt::format("{}", q)] = real(values.quantile(q));
    auto const [low, high] = values.ci99();
    return {{"mean", real(values.mean())},
            {"ci99", Json::array({real(low), real(high)})},
            {"min", real(values.min())},
            {"max", real(values.max())},
            {"worst_mapping", *values.worst_mapping()},
            {"best_mapping", *values.best_mapping()},
            {"quantiles", std::move(quantiles)}};
}

Json job_json(JobsReport const& report, std::size_t j) {
    evaluation::JobResult const& result = report.result.jobs[j];
    JobWords const& words = report.words[j];
    Json disturbed = Json::object();
    for (std::size_t other = 0; other < report.jobs.size(); ++other)
        if (other != j)
            disturbed[base::printable(report.jobs[other].name)] =
                real(report.result.disturbance[j * report.jobs.size() + other]);
    return {{"name", base::printable(report.jobs[j].name)},
            {"traffic", base::printable(words.traffic)},
            {"nodes", base::printable(words.nodes)},
            {"mapping", words.order},
            {"ranks", report.jobs[j].flows.ranks},
            {"ranks_per_node", words.ranks_per_node},
            {"levels", report.jobs[j].flows.levels.size()},
            {"flows",
             {{"delivered", result.delivered},
              {"failed", result.failed},
              {"local", result.local},
              {"within_nodes", result.within_nodes}}},
            {"alone", distribution_json(result.alone)},
            {"together", distribution_json(result.together)},
            {"slowdown", distribution_json(result.slowdown)},
            {"undefined", result.slowdown.undefined()},
            {"slowdown_by", std::move(disturbed)}};
}

Json link_json(JobsReport const& report, evaluation::SharedLink const& link) {
    Json jobs = Json::object();
    for (std::size_t j = 0; j < report.jobs.size(); ++j)
        if (link.load_of_job[j] > 0) jobs[base::printable(report.jobs[j].name)] = real(link.load_of_job[j]);
    Json json = ends_json(report.plan.fabric->ends(link.link, report.plan.study_hosts));
    json["load"] = real(link.load);
    json["mappings"] = link.mappings;
    json["jobs"] = std::move(jobs);
    return json;
}

Json group_json(JobsReport const& report, SharedLinkGroup const& group) {
    Json jobs = Json::object();
    for (std::size_t j = 0; j < report.jobs.size(); ++j)
        if (group.load_of_job[j] > 0) jobs[base::printable(report.jobs[j].name)] = real(group.load_of_job[j]);
    return {{"name", base::printable(group.name)},
            {"shared_links", group.links},
            {"load", real(group.load)},
            {"jobs", std::move(jobs)},
            {"hottest", group.hottest ? link_json(report, *group.hottest) : Json(nullptr)}};
}

}  // namespace

void write_json_report(std::ostream& out, JobsReport const& report) {
    study::Study const& study = report.plan.study;
    model::Fabric const& fabric = *report.plan.fabric;
    Json network = {
        {"hosts", model::usable_hosts(fabric, study.placement.aggregation_nodes_are_hosts).size()},
        {"switches", fabric.switches()},
        {"links", fabric.links()},
        {"base_rate_gbps",
         report.plan.base_rate_elevenths == 0 ? Json(nullptr) : real(report.plan.base_rate_elevenths / 11.0)},
        {"digest", report.digest}};
    add_origin(network, fabric.origin);
    Json jobs = Json::array(), links = Json::array();
    for (std::size_t j = 0; j < report.jobs.size(); ++j) jobs.push_back(job_json(report, j));
    for (std::size_t l = 0; l < std::min(evaluation::hottest_links, report.result.links.size()); ++l)
        links.push_back(link_json(report, report.result.links[l]));
    Json json = {{"schema", "tailback-jobs-1"},
                 {"version", version},
                 {"files", files_json(study.files)},
                 {"network", std::move(network)},
                 {"mappings", report.result.mappings},
                 {"first_mapping", study.sample.first_mapping},
                 {"seed", study.sample.seed},
                 {"unit", report.unit_name()},
                 {"jobs", std::move(jobs)},
                 {"shared_links", report.result.shared_links},
                 {"links", std::move(links)}};
    if (report.groups != nullptr) {
        json["groups"] = Json::array();
        for (SharedLinkGroup const& group : report.sums_by_group()) json["groups"].push_back(group_json(report, group));
    }
    if (study.measures.timing.is_simulated()) json["timing"] = timing_json(study.measures.timing);
    if (report.spread != evaluation::LidSpread::base) json["multipath"] = evaluation::spread_name(report.spread);
    out << json_text(json, 2) << '\n';
}

void write_csv_report(std::ostream& out, JobsReport const& report) {
    out << "job,statistic,key,value\n";
    for (std::size_t j = 0; j < report.jobs.size(); ++j) {
        std::string const name = base::csv_field(base::printable(report.jobs[j].name));
        evaluation::JobResult const& job = report.result.jobs[j];
        auto const row = [&](std::string_view statistic, std::string const& key, double value) {
            fmt::print(out, "{},{},{},{}\n", name, statistic, key, base::exact_text(value));
        };
        row("ranks", "", report.jobs[j].flows.ranks);
        for (auto const& [what, values] :
             {std::pair{"alone", &job.alone}, {"together", &job.together}, {"slowdown", &job.slowdown}}) {
            if (values->count() == 0) continue;
            row(what, "mean", values->mean());
            row(what, "min", values->min());
            row(what, "max", values->max());
            row(what, "worst_mapping", double(*values->worst_mapping()));
            for (double const q : evaluation::reported_quantiles) row(what, base::exact_text(q), values->quantile(q));
        }
        for (std::size_t other = 0; other < report.jobs.size(); ++other)
            if (other != j)
                row("slowdown_by", base::csv_field(base::printable(report.jobs[other].name)),
                    report.result.disturbance[j * report.jobs.size() + other]);
    }
    for (SharedLinkGroup const& group : report.sums_by_group()) {
        std::string const name = base::csv_field(base::printable(group.name));
        fmt::print(out, ",group_shared_links,{},{}\n,group_load,{},{}\n", name, group.links, name,
                   base::exact_text(group.load));
        for (std::size_t j = 0; j < report.jobs.size(); ++j)
            fmt::print(out, "{},group_load,{},{}\n", base::csv_field(base::printable(report.jobs[j].name)), name,
                       base::exact_text(group.load_of_job[j]));
    }
}

}  // namespace tailback::report
