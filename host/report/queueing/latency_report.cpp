#include "host/report/queueing/latency_report.hpp"

#include "host/base/numbers.hpp"
#include "host/report/evaluate_report.hpp"
#include "host/report/json_values.hpp"
#include "host/report/link_label.hpp"
#include "host/report/origin_json.hpp"

#include "version.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <ostream>

namespace tailback::report {
namespace {

using queueing::LatencyEstimate;

/// `1.25 us`, or a number alone where times have no unit.
std::string time_text(LatencyReport const& report, double time) {
    if (!report.estimate.in_seconds) return base::plain_text(time);
    return time >= 1e-3 ? base::plain_text(time * 1e3) + " ms" : base::plain_text(time * 1e6) + " us";
}

char const* unit(LatencyReport const& report) { return report.estimate.in_seconds ? "seconds" : "byte times"; }

char const* switching(LatencyReport const& report) {
    return report.question.timing.switching == study::Switching::cut_through ? "cut-through" : "store-and-forward";
}

/// A few of them where they are many: equal parts of the range.
void write_values(std::ostream& out, LatencyReport const& report,
                  std::vector<std::pair<double, std::uint64_t>> const& values, char const* of) {
    constexpr std::size_t most_rows = 16;
    if (values.empty()) return;
    double const least = values.front().first, width = (values.back().first - least) / double(most_rows);
    std::size_t at = 0;
    bool const whole = values.size() <= most_rows;
    for (std::size_t row = 0; at < values.size(); ++row) {
        double const from = values[at].first, end = least + width * double(row + 1);
        std::uint64_t count = 0;
        do count += values[at++].second;
        while (at < values.size() && !whole && values[at].first < end);
        fmt::print(out, "    {:>14}{} {:>16} {}\n", time_text(report, from), whole ? "" : " ..", base::grouped(count),
                   of);
    }
}

void write_zero_load(std::ostream& out, LatencyReport const& report) {
    LatencyEstimate const& estimate = report.estimate;
    fmt::print(out, "Without load, of {} ordered pairs", base::grouped(estimate.pairs));
    if (estimate.failed > 0) fmt::print(out, " ({} are not delivered and left out)", base::grouped(estimate.failed));
    fmt::print(out, "\n");
    if (estimate.latencies.empty()) return;
    fmt::print(out, "  latency    mean {}   min {}   max {}\n", time_text(report, estimate.mean_latency),
               time_text(report, estimate.latencies.front().first), time_text(report, estimate.latencies.back().first));
    write_values(out, report, estimate.latencies, "pairs");
    if (!estimate.ping_pongs.empty())
        fmt::print(out, "  ping-pong  mean {}   min {}   max {}\n", time_text(report, estimate.mean_ping_pong),
                   time_text(report, estimate.ping_pongs.front().first),
                   time_text(report, estimate.ping_pongs.back().first));
    fmt::print(out, "  switches   {} on a route\n\n", base::plain_text(estimate.mean_switches));
}

void write_load(std::ostream& out, LatencyReport const& report) {
    LatencyEstimate const& estimate = report.estimate;
    fmt::print(out, "Load of {}, from {}\n", base::printable(report.traffic),
               base::counted(estimate.senders, "sender", "senders"));
    fmt::print(out, "  largest    {} of its capacity expected on a link, if each sender injects 1\n",
               base::plain_text(estimate.largest_load));
    if (estimate.largest_between_switches > 0)
        fmt::print(out, "             {} on a link between switches\n",
                   base::plain_text(estimate.largest_between_switches));
    fmt::print(out, "  saturation at {} of the base rate for each sender\n", base::plain_text(estimate.saturation));
    fmt::print(out, "  hottest links, each sender injecting {}:\n", base::plain_text(estimate.load));
    for (LatencyEstimate::HotLink const& hot : estimate.hottest)
        fmt::print(out, "    {:>6} % busy   wait {:>12}   {}\n", base::fixed_text(100 * hot.utilisation, 2),
                   time_text(report, hot.wait), link_label(report.ends(hot.link), 60));
    fmt::print(out, "\n  {:>13} {:>12} {:>16} {:>16}\n", "of saturation", "injected", "wait", "latency");
    for (LatencyEstimate::Point const& point : estimate.curve)
        fmt::print(out, "  {:>11} % {:>12} {:>16} {:>16}\n", base::plain_text(100 * point.share),
                   base::plain_text(point.load), time_text(report, point.wait), time_text(report, point.latency));
}

Json values_json(std::vector<std::pair<double, std::uint64_t>> const& values) {
    Json json = Json::array();
    for (auto const& [value, count] : values) json.push_back({{"value", base::rounded(value)}, {"pairs", count}});
    return json;
}

}  // namespace

void write_text_report(std::ostream& out, LatencyReport const& report) {
    fmt::print(out, "{}\npackets of {} bytes, {}, latency of a link {}, of a switch {}; {} hosts\n\n",
               latency_assumptions, base::plain_text(report.question.packet), switching(report),
               report.question.timing.link_latency.text, report.question.timing.switch_latency.text,
               base::grouped(report.plan.study.placement.ranks));
    if (!report.estimate.in_seconds)
        fmt::print(out, "times: 1 is what a link of the base rate takes for a byte (no rates are known)\n\n");
    write_zero_load(out, report);
    write_load(out, report);
}

void write_json_report(std::ostream& out, LatencyReport const& report) {
    LatencyEstimate const& estimate = report.estimate;
    Json hottest = Json::array(), curve = Json::array();
    for (LatencyEstimate::HotLink const& hot : estimate.hottest) {
        Json one = ends_json(report.ends(hot.link));
        one["load"] = base::rounded(hot.load);
        one["utilisation"] = base::rounded(hot.utilisation);
        one["wait"] = base::rounded(hot.wait);
        hottest.push_back(std::move(one));
    }
    for (LatencyEstimate::Point const& point : estimate.curve)
        curve.push_back({{"share", base::rounded(point.share)},
                         {"load", base::rounded(point.load)},
                         {"wait", base::rounded(point.wait)},
                         {"latency", base::rounded(point.latency)}});
    Json network = {{"digest", report.digest}};
    add_origin(network, report.plan.fabric->origin);
    Json const json = {{"format", "tailback-estimate-1"},
                       {"version", version},
                       {"assumptions", latency_assumptions},
                       {"network", std::move(network)},
                       {"hosts", report.plan.study.placement.ranks},
                       {"traffic", base::printable(report.traffic)},
                       {"packet", base::rounded(report.question.packet)},
                       {"switching", switching(report)},
                       {"link_latency", report.question.timing.link_latency.text},
                       {"switch_latency", report.question.timing.switch_latency.text},
                       {"unit", unit(report)},
                       {"zero_load",
                        {{"pairs", estimate.pairs},
                         {"failed", estimate.failed},
                         {"mean", base::rounded(estimate.mean_latency)},
                         {"mean_ping_pong", base::rounded(estimate.mean_ping_pong)},
                         {"mean_switches", base::rounded(estimate.mean_switches)},
                         {"latencies", values_json(estimate.latencies)},
                         {"ping_pongs", values_json(estimate.ping_pongs)}}},
                       {"senders", estimate.senders},
                       {"largest_load", base::rounded(estimate.largest_load)},
                       {"largest_between_switches", base::rounded(estimate.largest_between_switches)},
                       {"saturation", base::rounded(estimate.saturation)},
                       {"load", base::rounded(estimate.load)},
                       {"hottest", std::move(hottest)},
                       {"curve", std::move(curve)}};
    out << json_text(json, 2) << '\n';
}

void write_csv_report(std::ostream& out, LatencyReport const& report) {
    out << "share,load,wait,latency\n";
    for (LatencyEstimate::Point const& point : report.estimate.curve)
        fmt::print(out, "{},{},{},{}\n", base::exact_text(point.share), base::exact_text(point.load),
                   base::exact_text(point.wait), base::exact_text(point.latency));
}

}  // namespace tailback::report
