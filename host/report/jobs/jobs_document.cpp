// For people: a line for each job, who disturbs whom, and the links that they share.
#include "host/base/numbers.hpp"
#include "host/report/evaluate/timing_value.hpp"
#include "host/report/jobs/jobs_report.hpp"
#include "host/result/undelivered.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tailback::report {
namespace {

std::string number(double value) { return std::isfinite(value) ? fmt::format("{:.4g}", value) : "-"; }
std::string times(double value) { return std::isfinite(value) ? fmt::format("{:.3f}", value) : "-"; }

/// With its unit where it is in seconds.
std::string time_of(JobsReport const& report, double value) {
    return report.unit().in_seconds ? time_text(value) : number(value);
}

void add_jobs(Document& document, JobsReport const& report) {
    document.heading(fmt::format("Times{}, means over mappings; slowdown = time with all others / time alone",
                                 report.unit().in_seconds ? "" : std::string(" in ") + report.unit_name()));
    Table table{.columns = {name_column("job"),
                            {"ranks"},
                            {"alone"},
                            {"together"},
                            {"slowdown"},
                            {"median"},
                            {"95 %"},
                            {"worst"},
                            {"in mapping"}}};
    for (std::size_t j = 0; j < report.jobs.size(); ++j) {
        evaluation::JobResult const& job = report.result.jobs[j];
        bool const any = job.slowdown.count() > 0;
        table.rows.push_back({report.jobs[j].name, base::grouped(report.jobs[j].flows.ranks),
                              time_of(report, job.alone.mean()), time_of(report, job.together.mean()),
                              times(job.slowdown.mean()), times(job.slowdown.quantile(0.5)),
                              times(job.slowdown.quantile(0.95)), times(job.slowdown.max()),
                              any ? base::grouped(*job.slowdown.worst_mapping()) : "-"});
    }
    document.table(std::move(table));
    Table bandwidths{
        .columns = {name_column("collective"), {"algbw alone"}, {"together"}, {"busbw alone"}, {"together"}}};
    for (std::size_t j = 0; j < report.jobs.size(); ++j) {
        evaluation::JobResult const& job = report.result.jobs[j];
        auto const alone = report.rates_of(j, job.alone), together = report.rates_of(j, job.together);
        if (!alone || !together) continue;
        bandwidths.rows.push_back({report.jobs[j].name, rate_words(*alone, alone->algbw),
                                   rate_words(*together, together->algbw), rate_words(*alone, alone->busbw),
                                   rate_words(*together, together->busbw)});
    }
    if (!bandwidths.rows.empty()) document.table(std::move(bandwidths));
}

void add_disturbance(Document& document, JobsReport const& report) {
    constexpr std::size_t longest_name = 24;  // of a column
    std::size_t const jobs = report.jobs.size();
    if (jobs < 2) return;
    document.heading("Who disturbs whom: mean slowdown of the job on the left by the job above, and no other");
    auto const name = [&](std::size_t j) {
        return base::shortened_within(base::printable(report.jobs[j].name), longest_name);
    };
    Table table{.columns = {name_column()}, .folds = true};
    for (std::size_t j = 0; j < jobs; ++j) table.columns.push_back({name(j)});
    for (std::size_t i = 0; i < jobs; ++i) {
        table.rows.push_back({name(i)});
        for (std::size_t j = 0; j < jobs; ++j)
            table.rows.back().emplace_back(times(report.result.disturbance[i * jobs + j]));
    }
    document.table(std::move(table));
}

/// `app 60 %, io 40 %`: the jobs that load a link, the most first.
std::string parts_of(JobsReport const& report, evaluation::SharedLink const& link) {
    std::vector<std::pair<double, std::size_t>> parts;
    for (std::size_t j = 0; j < report.jobs.size(); ++j)
        if (link.load_of_job[j] > 0) parts.emplace_back(-link.load_of_job[j], j);
    std::sort(parts.begin(), parts.end());
    std::string who;
    for (auto const& [load, job] : parts)
        who += fmt::format("{}{} {:.0f} %", who.empty() ? "" : ", ", report.jobs[job].name, -100 * load / link.load);
    return who;
}

void add_links(Document& document, JobsReport const& report) {
    constexpr std::size_t most = 12;
    std::vector<evaluation::SharedLink> const& links = report.result.links;
    if (links.empty()) {
        document.heading("No link carries flows of two jobs.");
        return;
    }
    bool const timed = report.unit().in_seconds;
    document.heading(fmt::format("The hottest of {} that several jobs use, by their mean load / capacity{} a level:",
                                 base::counted(report.result.shared_links, "link", "links"),
                                 timed ? "" : std::string(" in ") + report.unit_name()));
    for (std::size_t l = 0; l < std::min(most, links.size()); ++l) {
        document.sentence(time_of(report, links[l].load) + "  " +
                              link_label(report.plan.fabric->ends(links[l].link, report.plan.study_hosts)),
                          2);
        document.sentence(parts_of(report, links[l]), 4);
    }
}

void add_groups(Document& document, JobsReport const& report) {
    if (report.groups == nullptr || report.result.links.empty()) return;
    std::vector<SharedLinkGroup> groups = report.sums_by_group();
    std::stable_sort(groups.begin(), groups.end(), [](auto const& a, auto const& b) { return a.load > b.load; });
    constexpr std::size_t most = 20;
    document.heading("The same links by the group that they leave: how many, their loads added up, the hottest");
    Table table{.columns = {name_column("group"), {"links"}, {"load"}, {"hottest"}, name_column("from")},
                .hint = "with less load"};
    add_rows(table, groups, most, [&](SharedLinkGroup const& group) -> std::vector<Cell> {
        if (group.hottest == nullptr)
            return {group.name, base::grouped(group.links), time_of(report, group.load), "-", "-"};
        return {group.name, base::grouped(group.links), time_of(report, group.load),
                time_of(report, group.hottest->load),
                report.plan.fabric->ends(group.hottest->link, report.plan.study_hosts)};
    });
    document.table(std::move(table));
}

}  // namespace

std::vector<SharedLinkGroup> JobsReport::sums_by_group() const {
    std::vector<SharedLinkGroup> sums;
    if (groups == nullptr) return sums;
    for (std::string const& name : groups->names)
        sums.push_back({name, 0, 0, std::vector<double>(jobs.size()), nullptr});
    for (evaluation::SharedLink const& link : result.links) {
        SharedLinkGroup& sum = sums[groups->of_node[plan.fabric->network[link.link].from.value]];
        if (sum.links++ == 0) sum.hottest = &link;  // hottest first
        sum.load += link.load;
        for (std::size_t j = 0; j < jobs.size(); ++j) sum.load_of_job[j] += link.load_of_job[j];
    }
    return sums;
}

char const* JobsReport::unit_name() const {
    evaluation::JobsUnit const known = unit();
    return known.in_seconds ? "seconds" : known.has_bytes ? "bytes" : "flows";
}

Document document_of(JobsReport const& report) {
    study::Study const& study = report.plan.study;
    Document document;
    document.sentence(
        fmt::format("{} of {} on one fabric, {}{}", base::counted(report.jobs.size(), "job", "jobs"),
                    base::counted(study.placement.ranks, "rank", "ranks"),
                    base::counted(report.result.mappings, "mapping", "mappings"),
                    study::draws_mappings(report.plan) ? fmt::format(" (seed {})", study.sample.seed) : ""));
    add_network(document, *report.plan.fabric, report.digest, study.placement.aggregation_nodes_are_hosts);
    if (report.spread != evaluation::LidSpread::base)
        document.sentence(std::string("flows are spread over the LIDs of their destinations: ") +
                          evaluation::spread_name(report.spread));
    if (std::string const timing = timing_sentence(study.measures.timing); !timing.empty())
        document.sentence("times are simulated at max-min rates: " + timing);
    add_jobs(document, report);
    add_disturbance(document, report);
    add_links(document, report);
    add_groups(document, report);
    std::uint64_t within = 0, failed = 0;
    for (evaluation::JobResult const& job : report.result.jobs) within += job.within_nodes, failed += job.failed;
    if (within > 0)
        document.heading(fmt::format("Flows inside a compute node use no link and are in no number above: {}.",
                                     base::grouped(within)));
    if (failed > 0) document.heading(result::left_out_above({.count = failed}));
    return document;
}

}  // namespace tailback::report
