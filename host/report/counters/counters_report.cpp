#include "host/report/counters/counters_report.hpp"

#include "host/base/numbers.hpp"
#include "host/result/undelivered.hpp"
#include "host/study/fabric_digest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tailback::report {
namespace {

/// Jobs that load a link, the most first: name and part of the load.
std::vector<std::pair<std::string, double>> jobs_on(CountersReport const& report, model::Link link) {
    std::vector<std::pair<std::string, double>> found;
    if (report.load_of_job == nullptr || report.load[link.value] == 0) return found;
    for (std::size_t j = 0; j < report.jobs.size(); ++j)
        if (std::uint64_t const load = (*report.load_of_job)[j][link.value]; load > 0)
            found.emplace_back(report.jobs[j], double(load) / double(report.load[link.value]));
    std::stable_sort(found.begin(), found.end(), [](auto const& a, auto const& b) { return a.second > b.second; });
    return found;
}

/// `by app 60 %, io 40 %`; empty where no jobs are asked about.
std::string jobs_text(CountersReport const& report, model::Link link) {
    std::string text;
    for (auto const& [name, part] : jobs_on(report, link))
        text += fmt::format("{}{} {:.0f} %", text.empty() ? "by " : ", ", name, 100 * part);
    return text;
}

/// Ports of the network that the file does not have.
std::uint64_t unrecorded(CountersReport const& report) {
    return report.measured.links - std::min<std::uint64_t>(report.measured.links, report.counters.ports.size());
}

std::string wait_text(audit::MeasuredPort const& port) {
    return port.waited ? base::grouped(*port.waited) + (port.waited_longer ? "+" : "") : "-";
}

/// As far as --top goes.
void add_groups(Document& document, CountersReport const& report) {
    if (report.groups.empty()) return;
    std::vector<audit::MeasuredGroup> groups = report.groups;
    std::stable_sort(groups.begin(), groups.end(), [](audit::MeasuredGroup const& a, audit::MeasuredGroup const& b) {
        return std::abs(double(a.sent) - a.expected) > std::abs(double(b.sent) - b.expected);
    });
    document.heading(
        fmt::format("By group ({}; those that disagree most first)", base::counted(groups.size(), "group", "groups")));
    Table table{
        .columns = {{"sent (words)"}, {"expected"}, {"wait (ticks)"}, {"waiting"}, {"ports"}, name_column("group")}};
    add_rows(table, groups, report.top, [](audit::MeasuredGroup const& group) -> std::vector<Cell> {
        return {base::grouped(group.sent),    base::fixed_text(group.expected, 1), base::grouped(group.waited),
                base::grouped(group.waiting), base::grouped(group.ports),          group.name};
    });
    document.table(std::move(table));
}

/// Of ports as far as --top goes; nothing for none.
void add_ports(Document& document, CountersReport const& report, char const* heading,
               std::vector<std::size_t> const& order) {
    if (order.empty()) return;
    bool const of_jobs = report.load_of_job != nullptr;
    document.heading(heading);
    Table table{
        .columns = {{"sent (words)"}, {"expected"}, {"wait (ticks)"}, {of_jobs ? "load" : "pairs"}, name_column()}};
    if (of_jobs) table.columns.push_back(name_column());
    add_rows(table, order, report.top, [&](std::size_t i) {
        audit::MeasuredPort const& port = report.measured.ports[i];
        std::vector<Cell> row = {base::grouped(port.sent), base::fixed_text(port.expected, 1), wait_text(port),
                                 base::grouped(report.load[port.link.value]), report.network().ends(port.link)};
        if (of_jobs) row.emplace_back(jobs_text(report, port.link));
        return row;
    });
    document.table(std::move(table));
}

/// What of the file, and of the network, is in no comparison.
void add_unused(Document& document, CountersReport const& report) {
    document.sentence(
        fmt::format("Not used: {} saturated, {} without PortXmitData, {} of ports the network does not have",
                    base::grouped(report.counters.saturated - report.counters.saturated_waits),
                    base::grouped(report.counters.missing), base::grouped(report.counters.unknown)));
    document.sentence(base::counted(unrecorded(report), "port is", "ports are") + " not in the file");
    if (report.counters.saturated_waits > 0)
        document.sentence(fmt::format("Waits with a + are saturated: at least so long ({})",
                                      base::counted(report.counters.saturated_waits, "port", "ports")));
    if (report.measured.apart > 0)
        document.sentence(
            fmt::format("Not compared: {} of aggregation nodes and routers, which send nothing for pairs of hosts",
                        base::counted(report.measured.apart, "port", "ports")));
    result::Undelivered lost{.count = report.not_delivered};
    if (report.load_of_job == nullptr) lost.one = "pair", lost.many = "pairs";
    if (lost.count > 0)
        document.sentence(fmt::format("{}, and nothing is expected of {}; {}", result::not_delivered(lost),
                                      lost.count == 1 ? "it" : "them", result::audit_says_why));
}

}  // namespace

Document document_of(CountersReport const& report) {
    audit::Measured const& measured = report.measured;
    Document document;
    document.sentence(
        fmt::format("Counters of {} of {} links; rank correlation of sent and expected: {}",
                    base::grouped(measured.ports.size()), base::grouped(measured.links),
                    measured.rank_correlation ? base::fixed_text(*measured.rank_correlation, 4) : "not known"));
    add_unused(document, report);
    std::vector<std::size_t> const differing(measured.by_difference.begin(),
                                             measured.by_difference.begin() + std::ptrdiff_t(measured.differing));
    bool const has_sent = std::any_of(measured.ports.begin(), measured.ports.end(),
                                      [](audit::MeasuredPort const& port) { return port.sent > 0; });
    if (!has_sent && !measured.ports.empty())
        document.heading("No port has sent anything: the counters are as after a reset.");
    else if (differing.empty() && !measured.ports.empty()) document.heading("Every port sent what is expected of it.");
    add_ports(document, report, "Ports that disagree most", differing);
    add_ports(document, report,
              report.load_of_job == nullptr ? "Ports that waited longest, and the pairs of hosts that cross them"
                                            : "Ports that waited longest, and the jobs that cross them",
              measured.by_wait);
    add_groups(document, report);
    return document;
}

Json value_of(CountersReport const& report) {
    audit::Measured const& measured = report.measured;
    Json ports = Json::array();
    for (std::size_t const i : measured.by_difference) {
        audit::MeasuredPort const& port = measured.ports[i];
        Json one = ends_json(report.network(), port.link);
        one["sent_words"] = port.sent;
        one["expected_words"] = port.expected;
        one["wait_ticks"] = or_null(port.waited);
        if (port.waited_longer) one["wait_saturated"] = true;
        one[report.load_of_job == nullptr ? "pairs" : "load"] = report.load[port.link.value];
        if (report.load_of_job != nullptr) {
            one["jobs"] = Json::object();
            for (auto const& [name, part] : jobs_on(report, port.link)) one["jobs"][name] = part;
        }
        ports.push_back(std::move(one));
    }
    Json json = head("tailback-compare-1", report.files, network_json(report.fabric, study::digest(report.fabric)));
    json.update({{"links", measured.links},
                 {"ports_apart", measured.apart},
                 {"saturated", report.counters.saturated},
                 {"saturated_waits", report.counters.saturated_waits},
                 {"missing", report.counters.missing},
                 {"unrecorded", unrecorded(report)},
                 {"unknown", report.counters.unknown},
                 {"not_delivered", report.not_delivered},
                 {"words_a_pair", measured.words_a_unit},
                 {"rank_correlation", or_null(measured.rank_correlation)},
                 {"ports", std::move(ports)}});
    for (audit::MeasuredGroup const& sum : report.groups)
        json["groups"].push_back({{"name", sum.name},
                                  {"ports", sum.ports},
                                  {"sent_words", sum.sent},
                                  {"expected_words", sum.expected},
                                  {"waiting_ports", sum.waiting},
                                  {"wait_ticks", sum.waited}});
    return json;
}

}  // namespace tailback::report
