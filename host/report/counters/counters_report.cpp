#include "host/report/counters/counters_report.hpp"

#include "host/base/numbers.hpp"
#include "host/report/json_values.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <ostream>

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

std::string jobs_text(CountersReport const& report, model::Link link) {
    std::string text;
    for (auto const& [name, part] : jobs_on(report, link))
        text += fmt::format("{}{} {:.0f} %", text.empty() ? "  by " : ", ", base::printable(name), 100 * part);
    return text;
}

std::string ends_text(model::Network const& net, model::Link link) {
    return base::printable(net.place_of(net[link].from, net[link].from_port).text) + " -> " +
           base::printable(net.place_of(net[link].to, net[link].to_port).text);
}

/// Ports of the network that the file does not have.
std::uint64_t unrecorded(CountersReport const& report) {
    return report.measured.links - std::min<std::uint64_t>(report.measured.links, report.counters.ports.size());
}

std::string wait_text(audit::MeasuredPort const& port) {
    return port.waited ? base::grouped(*port.waited) + (port.waited_longer ? "+" : "") : "-";
}

/// As far as --top goes.
void write_measured_groups(std::ostream& out, CountersReport const& report) {
    if (report.groups.empty()) return;
    std::vector<audit::MeasuredGroup> groups = report.groups;
    std::stable_sort(groups.begin(), groups.end(), [](audit::MeasuredGroup const& a, audit::MeasuredGroup const& b) {
        return std::abs(double(a.sent) - a.expected) > std::abs(double(b.sent) - b.expected);
    });
    fmt::print(out, "\nBy group ({}; those that disagree most first)\n",
               base::counted(groups.size(), "group", "groups"));
    fmt::print(out, "  {:>18}{:>18}{:>18}{:>9}{:>9}  group\n", "sent (words)", "expected", "wait (ticks)", "waiting",
               "ports");
    std::size_t const shown = std::min<std::size_t>(report.top, groups.size());
    for (std::size_t i = 0; i < shown; ++i)
        fmt::print(out, "  {:>18}{:>18}{:>18}{:>9}{:>9}  {}\n", base::grouped(groups[i].sent),
                   base::fixed_text(groups[i].expected, 1), base::grouped(groups[i].waited),
                   base::grouped(groups[i].waiting), base::grouped(groups[i].ports),
                   base::shortened(base::printable(groups[i].name), 25));
    if (groups.size() > shown) fmt::print(out, "  and {} more\n", base::grouped(groups.size() - shown));
}

}  // namespace

void write_counters_text(std::ostream& out, CountersReport const& report) {
    audit::Measured const& measured = report.measured;
    fmt::print(out, "Counters of {} of {} links; rank correlation of sent and expected: {}\n",
               base::grouped(measured.ports.size()), base::grouped(measured.links),
               measured.rank_correlation ? base::fixed_text(*measured.rank_correlation, 4) : "not known");
    fmt::print(out,
               "Not used: {} saturated, {} without PortXmitData, {} of ports the network does not have; {} not in the "
               "file\n",
               base::grouped(report.counters.saturated - report.counters.saturated_waits),
               base::grouped(report.counters.missing), base::grouped(report.counters.unknown),
               base::counted(unrecorded(report), "port is", "ports are"));
    if (report.counters.saturated_waits > 0)
        fmt::print(out, "Waits with a + are saturated: at least so long ({})\n",
                   base::counted(report.counters.saturated_waits, "port", "ports"));
    if (measured.apart > 0)
        fmt::print(out, "Not compared: {} of aggregation nodes and routers, which send nothing for pairs of hosts\n",
                   base::counted(measured.apart, "port", "ports"));
    if (report.not_delivered > 0)
        fmt::print(out, "Expected nowhere, as they are not delivered: {}; `tailback audit` says why\n",
                   report.load_of_job == nullptr ? base::counted(report.not_delivered, "pair", "pairs")
                                                 : base::counted(report.not_delivered, "flow", "flows"));
    auto const list = [&](char const* heading, std::vector<std::size_t> const& order) {
        if (order.empty()) return;
        fmt::print(out, "\n{}\n  {:>18}{:>18}{:>18}{:>12}\n", heading, "sent (words)", "expected", "wait (ticks)",
                   report.load_of_job == nullptr ? "pairs" : "load");
        for (std::size_t i = 0; i < std::min<std::size_t>(report.top, order.size()); ++i) {
            audit::MeasuredPort const& port = measured.ports[order[i]];
            fmt::print(out, "  {:>18}{:>18}{:>18}{:>12}  {}{}\n", base::grouped(port.sent),
                       base::fixed_text(port.expected, 1), wait_text(port), base::grouped(report.load[port.link.value]),
                       ends_text(report.network, port.link), jobs_text(report, port.link));
        }
        if (order.size() > report.top) fmt::print(out, "  and {} more\n", base::grouped(order.size() - report.top));
    };
    std::vector<std::size_t> const differing(measured.by_difference.begin(),
                                             measured.by_difference.begin() + std::ptrdiff_t(measured.differing));
    bool const has_sent = std::any_of(measured.ports.begin(), measured.ports.end(),
                                      [](audit::MeasuredPort const& port) { return port.sent > 0; });
    if (!has_sent && !measured.ports.empty())
        fmt::print(out, "\nNo port has sent anything: the counters are as after a reset.\n");
    else if (differing.empty() && !measured.ports.empty())
        fmt::print(out, "\nEvery port sent what is expected of it.\n");
    list("Ports that disagree most", differing);
    list(report.load_of_job == nullptr ? "Ports that waited longest, and the pairs of hosts that cross them"
                                       : "Ports that waited longest, and the jobs that cross them",
         measured.by_wait);
    write_measured_groups(out, report);
}

void write_counters_json(std::ostream& out, CountersReport const& report) {
    audit::Measured const& measured = report.measured;
    Json ports = Json::array();
    for (std::size_t const i : measured.by_difference) {
        audit::MeasuredPort const& port = measured.ports[i];
        Json one = ends_json(report.network, port.link);
        one["sent_words"] = port.sent;
        one["expected_words"] = port.expected;
        one["wait_ticks"] = port.waited ? Json(*port.waited) : Json(nullptr);
        if (port.waited_longer) one["wait_saturated"] = true;
        one[report.load_of_job == nullptr ? "pairs" : "load"] = report.load[port.link.value];
        if (report.load_of_job != nullptr) {
            one["jobs"] = Json::object();
            for (auto const& [name, part] : jobs_on(report, port.link)) one["jobs"][base::printable(name)] = part;
        }
        ports.push_back(std::move(one));
    }
    Json json = {{"schema", "tailback-compare-1"},
                 {"links", measured.links},
                 {"ports_apart", measured.apart},
                 {"saturated", report.counters.saturated},
                 {"saturated_waits", report.counters.saturated_waits},
                 {"missing", report.counters.missing},
                 {"unrecorded", unrecorded(report)},
                 {"unknown", report.counters.unknown},
                 {"not_delivered", report.not_delivered},
                 {"words_a_pair", measured.words_a_unit},
                 {"rank_correlation", measured.rank_correlation ? Json(*measured.rank_correlation) : Json(nullptr)},
                 {"ports", std::move(ports)}};
    for (audit::MeasuredGroup const& sum : report.groups)
        json["groups"].push_back({{"name", base::printable(sum.name)},
                                  {"ports", sum.ports},
                                  {"sent_words", sum.sent},
                                  {"expected_words", sum.expected},
                                  {"waiting_ports", sum.waiting},
                                  {"wait_ticks", sum.waited}});
    out << json_text(json, 2) << '\n';
}

}  // namespace tailback::report
