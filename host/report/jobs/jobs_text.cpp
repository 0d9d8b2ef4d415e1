// For people: a line for each job, who disturbs whom, and the links that they share.
#include "host/base/numbers.hpp"
#include "host/model/host_order.hpp"
#include "host/report/evaluate_report.hpp"
#include "host/report/jobs/jobs_report.hpp"
#include "host/report/link_label.hpp"
#include "host/report/text_table.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace tailback::report {
namespace {

std::string number(double value) { return std::isfinite(value) ? fmt::format("{:.4g}", value) : "-"; }
std::string times(double value) { return std::isfinite(value) ? fmt::format("{:.3f}", value) : "-"; }

/// Names are the user's own: long ones are cut.
std::string name_of(evaluation::Job const& job) { return base::shortened(base::printable(job.name), 24); }

void write_jobs(std::ostream& out, JobsReport const& report) {
    TextTable table = {{"job", "ranks", "alone", "together", "slowdown", "median", "95 %", "worst", "in mapping"}};
    for (std::size_t j = 0; j < report.jobs.size(); ++j) {
        evaluation::JobResult const& job = report.result.jobs[j];
        bool const any = job.slowdown.count() > 0;
        table.push_back({name_of(report.jobs[j]), base::grouped(report.jobs[j].flows.ranks), number(job.alone.mean()),
                         number(job.together.mean()), times(job.slowdown.mean()), times(job.slowdown.quantile(0.5)),
                         times(job.slowdown.quantile(0.95)), times(job.slowdown.max()),
                         any ? base::grouped(*job.slowdown.worst_mapping()) : "-"});
    }
    fmt::print(out, "\nTimes in {}, means over mappings; slowdown = time with all others / time alone\n",
               report.unit_name());
    write_table(out, table);
}

void write_disturbance(std::ostream& out, JobsReport const& report, std::size_t width) {
    std::size_t const jobs = report.jobs.size();
    if (jobs < 2) return;
    fmt::print(out, "\nWho disturbs whom: mean slowdown of the job on the left by the job above, and no other\n");
    std::size_t name = 3;
    for (evaluation::Job const& job : report.jobs) name = std::max(name, base::columns(name_of(job)));
    std::size_t const each =
        std::max<std::size_t>(1, (std::max(width, name + 20) - name - 2) / (std::max<std::size_t>(name, 5) + 2));
    for (std::size_t from = 0; from < jobs; from += each) {
        std::size_t const end = std::min(jobs, from + each);
        TextTable table = {{""}};
        for (std::size_t j = from; j < end; ++j) table.front().push_back(name_of(report.jobs[j]));
        for (std::size_t i = 0; i < jobs; ++i) {
            table.push_back({name_of(report.jobs[i])});
            for (std::size_t j = from; j < end; ++j)
                table.back().push_back(times(report.result.disturbance[i * jobs + j]));
        }
        write_table(out, table);
    }
}

void write_links(std::ostream& out, JobsReport const& report) {
    constexpr std::size_t shown = 12;
    std::vector<evaluation::SharedLink> const& links = report.result.links;
    if (links.empty()) {
        fmt::print(out, "\nNo link carries flows of two jobs.\n");
        return;
    }
    fmt::print(out, "\nThe hottest of {} that several jobs use, by their mean load / capacity in {} a level:\n",
               base::counted(report.result.shared_links, "link", "links"), report.unit_name());
    for (std::size_t l = 0; l < std::min(shown, links.size()); ++l) {
        evaluation::SharedLink const& link = links[l];
        std::vector<std::pair<double, std::size_t>> parts;
        for (std::size_t j = 0; j < report.jobs.size(); ++j)
            if (link.load_of_job[j] > 0) parts.emplace_back(-link.load_of_job[j], j);
        std::sort(parts.begin(), parts.end());
        std::string who;
        for (auto const& [load, job] : parts)
            who += fmt::format("{}{} {:.0f} %", who.empty() ? "" : ", ", name_of(report.jobs[job]),
                               -100 * load / link.load);
        fmt::print(out, "  {}  {}\n    {}\n", number(link.load),
                   link_label(report.plan.fabric->ends(link.link, report.plan.study_hosts)), who);
    }
}

void write_groups(std::ostream& out, JobsReport const& report) {
    if (report.groups == nullptr || report.result.links.empty()) return;
    std::vector<SharedLinkGroup> groups = report.sums_by_group();
    std::stable_sort(groups.begin(), groups.end(), [](auto const& a, auto const& b) { return a.load > b.load; });
    constexpr std::size_t shown = 20;
    fmt::print(out, "\nThe same links by the group that they leave: how many, their loads added up, the hottest\n");
    TextTable table = {{"group", "links", "load", "hottest", "from"}};
    for (std::size_t g = 0; g < std::min(shown, groups.size()); ++g) {
        SharedLinkGroup const& group = groups[g];
        table.push_back(
            {base::shortened(base::printable(group.name), 24), base::grouped(group.links), number(group.load),
             group.hottest ? number(group.hottest->load) : "-",
             group.hottest ? link_label(report.plan.fabric->ends(group.hottest->link, report.plan.study_hosts)) : "-"});
    }
    write_table(out, table);
    if (groups.size() > shown)
        fmt::print(out, "  and {} with less load\n", base::counted(groups.size() - shown, "group", "groups"));
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

void write_text_report(std::ostream& out, JobsReport const& report, std::size_t width) {
    study::Study const& study = report.plan.study;
    fmt::print(out, "{} of {} on one fabric, {}{}\n", base::counted(report.jobs.size(), "job", "jobs"),
               base::counted(study.placement.ranks, "rank", "ranks"),
               base::counted(report.result.mappings, "mapping", "mappings"),
               study::draws_mappings(report.plan) ? fmt::format(" (seed {})", study.sample.seed) : "");
    model::Fabric const& fabric = *report.plan.fabric;
    fmt::print(
        out, "network of {}, {}, {}, digest {}\n",
        base::counted(model::usable_hosts(fabric, study.placement.aggregation_nodes_are_hosts).size(), "host", "hosts"),
        base::counted(fabric.switches(), "switch", "switches"), base::counted(fabric.links(), "link", "links"),
        report.digest);
    if (std::string const origin = fabric.origin.text(); !origin.empty())
        fmt::print(out, "{}\n", base::printable(origin));
    if (report.spread != evaluation::LidSpread::base)
        fmt::print(out, "flows are spread over the LIDs of their destinations: {}\n",
                   evaluation::spread_name(report.spread));
    if (std::string const timing = timing_sentence(study.measures.timing); !timing.empty())
        fmt::print(out, "times are simulated at max-min rates: {}\n", timing);
    write_jobs(out, report);
    write_disturbance(out, report, width);
    write_links(out, report);
    write_groups(out, report);
    std::uint64_t within = 0, failed = 0;
    for (evaluation::JobResult const& job : report.result.jobs) within += job.within_nodes, failed += job.failed;
    if (within > 0)
        fmt::print(out, "\nFlows inside a compute node use no link and are in no number above: {}.\n",
                   base::grouped(within));
    if (failed > 0)
        fmt::print(out, "\n{} are not delivered: they load no link and are in no number above.\n",
                   base::counted(failed, "flow", "flows"));
}

}  // namespace tailback::report
