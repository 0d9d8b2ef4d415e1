#include "host/report/queueing/latency_report.hpp"

#include "host/base/numbers.hpp"

#include <fmt/format.h>

namespace tailback::report {
namespace {

using queueing::LatencyEstimate;

/// With its unit, or a number alone where times have none.
std::string time_of(LatencyReport const& report, double time) {
    return report.estimate.in_seconds ? time_text(time) : base::plain_text(time);
}

/// A part of the base rate, and what that is.
std::string injected(LatencyReport const& report, double load) {
    double const base = base_gigabytes_per_s(*report.plan.fabric);
    bool const known = base > 0 && report.plan.study.measures.capacities == model::CapacityKind::from_rates;
    return base::plain_text(load) + (known ? " (" + rate_text(load * base) + ")" : "");
}

char const* switching(LatencyReport const& report) {
    return report.question.timing.switching == study::Switching::cut_through ? "cut-through" : "store-and-forward";
}

/// A few of them where they are many: equal parts of the range.
Table values_table(LatencyReport const& report, std::vector<std::pair<double, std::uint64_t>> const& values) {
    constexpr std::size_t most_rows = 16;
    Table table{.columns = {{}, {}, word_column()}, .indent = 4};
    double const least = values.front().first, width = (values.back().first - least) / double(most_rows);
    std::size_t at = 0;
    bool const whole = values.size() <= most_rows;
    for (std::size_t row = 0; at < values.size(); ++row) {
        double const from = values[at].first, end = least + width * double(row + 1);
        std::uint64_t count = 0;
        do count += values[at++].second;
        while (at < values.size() && !whole && values[at].first < end);
        table.rows.push_back({time_of(report, from) + (whole ? "" : " .."), base::grouped(count), "pairs"});
    }
    return table;
}

void add_zero_load(Document& document, LatencyReport const& report) {
    LatencyEstimate const& estimate = report.estimate;
    auto const spread = [&](double mean, std::vector<std::pair<double, std::uint64_t>> const& values) {
        return fmt::format("mean {}   min {}   max {}", time_of(report, mean), time_of(report, values.front().first),
                           time_of(report, values.back().first));
    };
    document.heading(fmt::format(
        "Without load, of {} ordered pairs{}", base::grouped(estimate.pairs),
        estimate.failed > 0 ? fmt::format(" ({} are not delivered and left out)", base::grouped(estimate.failed))
                            : ""));
    if (estimate.latencies.empty()) return;
    document.fact("latency", spread(estimate.mean_latency, estimate.latencies));
    document.table(values_table(report, estimate.latencies));
    if (!estimate.ping_pongs.empty()) document.fact("ping-pong", spread(estimate.mean_ping_pong, estimate.ping_pongs));
    document.fact("switches", base::plain_text(estimate.mean_switches) + " on a route");
}

void add_load(Document& document, LatencyReport const& report) {
    LatencyEstimate const& estimate = report.estimate;
    document.heading(
        fmt::format("Load of {}, from {}", report.traffic, base::counted(estimate.senders, "sender", "senders")));
    document.fact("largest", base::plain_text(estimate.largest_load) +
                                 " of its capacity expected on a link, if each sender injects 1");
    if (estimate.largest_between_switches > 0)
        document.fact("", base::plain_text(estimate.largest_between_switches) + " on a link between switches");
    document.fact("saturation",
                  fmt::format("at {} of the base rate for each sender", injected(report, estimate.saturation)));
    document.sentence(fmt::format("hottest links, each sender injecting {}:", injected(report, estimate.load)), 2);
    Table hottest{.columns = {{}, word_column(), {}, name_column()}, .indent = 4};
    for (LatencyEstimate::HotLink const& hot : estimate.hottest)
        hottest.rows.push_back({base::fixed_text(100 * hot.utilisation, 2) + " % busy", "wait",
                                time_of(report, hot.wait), report.ends(hot.link)});
    document.table(std::move(hottest));
    Table curve{.columns = {{"of saturation"}, {"injected"}, {"wait"}, {"latency"}}};
    for (LatencyEstimate::Point const& point : estimate.curve)
        curve.rows.push_back({base::plain_text(100 * point.share) + " %", injected(report, point.load),
                              time_of(report, point.wait), time_of(report, point.latency)});
    document.blank().table(std::move(curve));
}

Json values_json(std::vector<std::pair<double, std::uint64_t>> const& values) {
    Json json = Json::array();
    for (auto const& [value, count] : values) json.push_back({{"value", value}, {"pairs", count}});
    return json;
}

}  // namespace

Document document_of(LatencyReport const& report) {
    Document document;
    document.sentence(latency_assumptions);
    document.sentence(fmt::format("packets of {} bytes, {}, latency of a link {}, of a switch {}; {} hosts",
                                  base::plain_text(report.question.packet), switching(report),
                                  report.question.timing.link_latency.text, report.question.timing.switch_latency.text,
                                  base::grouped(report.plan.study.placement.ranks)));
    if (!report.estimate.in_seconds)
        document.heading("times: 1 is what a link of the base rate takes for a byte (no rates are known)");
    add_zero_load(document, report);
    add_load(document, report);
    return document;
}

Json value_of(LatencyReport const& report) {
    LatencyEstimate const& estimate = report.estimate;
    Json hottest = Json::array(), curve = Json::array();
    for (LatencyEstimate::HotLink const& hot : estimate.hottest) {
        Json one = ends_json(report.ends(hot.link));
        one["load"] = hot.load;
        one["utilisation"] = hot.utilisation;
        one["wait"] = hot.wait;
        hottest.push_back(std::move(one));
    }
    for (LatencyEstimate::Point const& point : estimate.curve)
        curve.push_back(
            {{"share", point.share}, {"load", point.load}, {"wait", point.wait}, {"latency", point.latency}});
    Json json = head("tailback-estimate-1", report.plan.study.files, network_json(*report.plan.fabric, report.digest));
    json.update({{"assumptions", latency_assumptions},
                 {"hosts", report.plan.study.placement.ranks},
                 {"traffic", report.traffic},
                 {"packet", report.question.packet},
                 {"switching", switching(report)},
                 {"link_latency", report.question.timing.link_latency.text},
                 {"switch_latency", report.question.timing.switch_latency.text},
                 {"unit", estimate.in_seconds ? "seconds" : "byte times"},
                 {"zero_load",
                  {{"pairs", estimate.pairs},
                   {"failed", estimate.failed},
                   {"mean", estimate.mean_latency},
                   {"mean_ping_pong", real(estimate.mean_ping_pong)},
                   {"mean_switches", estimate.mean_switches},
                   {"latencies", values_json(estimate.latencies)},
                   {"ping_pongs", values_json(estimate.ping_pongs)}}},
                 {"senders", estimate.senders},
                 {"largest_load", estimate.largest_load},
                 {"largest_between_switches", estimate.largest_between_switches},
                 {"saturation", estimate.saturation},
                 {"load", estimate.load},
                 {"hottest", std::move(hottest)},
                 {"curve", std::move(curve)}});
    return json;
}

}  // namespace tailback::report
