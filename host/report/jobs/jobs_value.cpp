// The report on several jobs as a value; docs/report.md lists the keys.
#include "host/report/evaluate/timing_value.hpp"
#include "host/report/jobs/jobs_report.hpp"

#include <fmt/format.h>

#include <algorithm>

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
            disturbed[report.jobs[other].name] = real(report.result.disturbance[j * report.jobs.size() + other]);
    Json json = {{"name", report.jobs[j].name},
                 {"traffic", words.traffic},
                 {"nodes", words.nodes},
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
    for (auto const& [name, times] :
         {std::pair{"bandwidth_alone", &result.alone}, {"bandwidth_together", &result.together}})
        if (std::optional<CollectiveRates> const rates = report.rates_of(j, *times))
            json[name] = {{"algbw", real(rates->algbw)}, {"busbw", real(rates->busbw)}};
    return json;
}

Json link_json(JobsReport const& report, evaluation::SharedLink const& link) {
    Json jobs = Json::object();
    for (std::size_t j = 0; j < report.jobs.size(); ++j)
        if (link.load_of_job[j] > 0) jobs[report.jobs[j].name] = real(link.load_of_job[j]);
    Json json = ends_json(report.plan.fabric->ends(link.link, report.plan.study_hosts));
    json["load"] = real(link.load);
    json["mappings"] = link.mappings;
    json["jobs"] = std::move(jobs);
    return json;
}

Json group_json(JobsReport const& report, SharedLinkGroup const& group) {
    Json jobs = Json::object();
    for (std::size_t j = 0; j < report.jobs.size(); ++j)
        if (group.load_of_job[j] > 0) jobs[report.jobs[j].name] = real(group.load_of_job[j]);
    return {{"name", group.name},
            {"shared_links", group.links},
            {"load", real(group.load)},
            {"jobs", std::move(jobs)},
            {"hottest", group.hottest ? link_json(report, *group.hottest) : Json(nullptr)}};
}

}  // namespace

Json value_of(JobsReport const& report) {
    study::Study const& study = report.plan.study;
    Json jobs = Json::array(), links = Json::array();
    for (std::size_t j = 0; j < report.jobs.size(); ++j) jobs.push_back(job_json(report, j));
    for (std::size_t l = 0; l < std::min(evaluation::hottest_links, report.result.links.size()); ++l)
        links.push_back(link_json(report, report.result.links[l]));
    Json json = head("tailback-jobs-1", study.files,
                     network_json(*report.plan.fabric, report.digest, study.placement.aggregation_nodes_are_hosts));
    json.update({{"mappings", report.result.mappings},
                 {"first_mapping", study.sample.first_mapping},
                 {"seed", study.sample.seed},
                 {"unit", report.unit_name()},
                 {"jobs", std::move(jobs)},
                 {"shared_links", report.result.shared_links},
                 {"links", std::move(links)}});
    if (report.groups != nullptr) {
        json["groups"] = Json::array();
        for (SharedLinkGroup const& group : report.sums_by_group()) json["groups"].push_back(group_json(report, group));
    }
    if (study.measures.timing.is_simulated()) json["timing"] = timing_json(study.measures.timing);
    if (report.spread != evaluation::LidSpread::base) json["multipath"] = evaluation::spread_name(report.spread);
    return json;
}

}  // namespace tailback::report
