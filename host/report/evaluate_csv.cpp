// The report as CSV in long form: one number a row; `value` holds numbers alone.
#include "host/base/numbers.hpp"
#include "host/report/evaluate_report.hpp"
#include "host/report/link_loads.hpp"
#include "host/report/origin_json.hpp"
#include "host/study/placement/compute_nodes.hpp"

#include "version.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace tailback::report {
namespace {

class Rows {
public:
    /// @param with_guids of the nodes that links join
    Rows(std::ostream& out, bool with_links, bool with_guids)
        : out_(out),
          without_link_(std::string(!with_links  ? 0
                                    : with_guids ? 6
                                                 : 4,
                                    ',') +
                        '\n'),
          with_guids_(with_guids) {
        out_ << "metric,statistic,key,value" << (with_links ? ",from,from_port,to,to_port" : "")
             << (with_links && with_guids ? ",from_guid,to_guid\n" : "\n");
    }
    void number(std::string_view metric, std::string_view statistic, std::string_view key, double value) {
        row(metric, statistic, key, base::exact_text(value));
    }
    void count(std::string_view metric, std::string_view statistic, std::string_view key, std::uint64_t value) {
        row(metric, statistic, key, std::to_string(value));
    }
    /// What is no number stands in `key`; its value is empty.
    void word(std::string_view metric, std::string_view statistic, std::string_view key) {
        row(metric, statistic, key, "");
    }
    void link(std::string_view metric, std::string_view statistic, model::Link link, std::string const& value,
              Report const& report) {
        model::LinkEnds const ends = report.ends(link);
        out_ << metric << ',' << statistic << ',' << link.value << ',' << value << ',' << base::csv_field(ends.from)
             << ',' << base::csv_field(ends.from_port_text()) << ',' << base::csv_field(ends.to) << ','
             << base::csv_field(ends.to_port_text());
        if (with_guids_) {
            model::LinkRecord const& record = report.network()[link];
            out_ << fmt::format(",{:#018x},{:#018x}", report.network()[record.from].guid,
                                report.network()[record.to].guid);
        }
        out_ << '\n';
    }

private:
    void row(std::string_view metric, std::string_view statistic, std::string_view key, std::string const& value) {
        out_ << metric << ',' << statistic << ',' << base::csv_field(key) << ',' << value << without_link_;
    }
    std::ostream& out_;
    std::string without_link_;  ///< what ends a row that is of no link
    bool with_guids_;
};

void write_network(Rows& rows, Report const& report) {
    rows.count("network", "hosts", "", report.usable_hosts);
    rows.count("network", "switches", "", report.switches);
    rows.count("network", "links", "", report.links);
    rows.count("network", "endpoints", "", report.endpoints);
    if (std::uint32_t const elevenths = report.plan.base_rate_elevenths; elevenths > 0)
        rows.number("network", "base_rate_gbps", "", elevenths / 11.0);
    model::NetworkOrigin const& origin = report.origin();
    if (!origin.spec.empty()) rows.word("network", "spec", origin.spec);
    if (!origin.routing.empty()) {
        rows.word("network", "routing", origin.routing);
        rows.count("network", "routing_seed", "", origin.routing_seed);
    }
    if (origin.failed()) {
        rows.count("network", "failed_cables", "", origin.failed_cables);
        rows.count("network", "failed_switches", "", origin.failed_switches);
        rows.count("network", "failure_seed", "", origin.failure_seed);
    }
    rows.word("network", "digest", report.digest);
}

void write_study(Rows& rows, Report const& report) {
    study::Study const& study = report.study();
    rows.word("study", "pattern", study.traffic.pattern);
    if (study.traffic.pattern == "ptrnvsptrn") {
        rows.word("study", "first", study.traffic.first);
        rows.count("study", "first_ranks", "", study.traffic.first_ranks);
        rows.word("study", "second", study.traffic.second);
    }
    if (report.plan.has_bytes()) {
        rows.count("study", "bytes", "", report.plan.bytes);
        rows.word("study", "congestion_unit", report.plan.in_seconds() ? "seconds" : "bytes");
    }
    if (study.traffic.level) rows.count("study", "level", "", *study.traffic.level);
    rows.count("study", "levels", "", report.plan.flow_list.levels.size());
    rows.count("study", "ranks", "", study.placement.ranks);
    rows.word("study", "subset", study::subset_name(study));
    rows.word("study", "mapping", study::mapping_name(study));
    if (study.placement.nodes) {
        rows.word("placement", "nodes", study.placement.nodes->selection);
        rows.count("placement", "of_nodes", "", study.placement.nodes->nodes->nodes.size());
        rows.count("placement", "ranks_per_node", "", study.placement.nodes->ranks_per_node);
        rows.word("placement", "rail", study.placement.nodes->rail);
        rows.count("placement", "rail_aligned", "", study.placement.nodes->rail_aligned);
    }
    rows.count("study", "mappings", "", report.result.mappings);
    rows.count("study", "first_mapping", "", study.sample.first_mapping);
    rows.count("study", "seed", "", study.sample.seed);
    if (study.measures.sharing == study::Sharing::max_min || report.plan.problem.measures.sharing.wanted) {
        rows.word("study", "sharing", study.measures.sharing == study::Sharing::max_min ? "max-min" : "linear");
        rows.word("study", "shared_by", report.plan.problem.measures.sharing.by_weight ? "bytes" : "connections");
    }
    if (study.measures.timing.is_simulated()) {
        nlohmann::ordered_json const timing = timing_json(study.measures.timing);
        for (auto const& [name, value] : timing.items())
            if (value.is_string()) rows.word("timing", name, value.get<std::string>());
        for (study::ClassPriority const& one : study.measures.timing.priorities) {
            rows.count("timing", "priority_strict", one.name, one.priority.rank);
            rows.count("timing", "priority_weight", one.name, one.priority.weight);
        }
    }
    rows.word("study", "capacities", study.measures.capacities == model::CapacityKind::unit ? "unit" : "rates");
    rows.word("study", "aggregation_nodes", study.placement.aggregation_nodes_are_hosts ? "hosts" : "apart");
}

/// What became of the flows, and of all pairs.
void write_pairs(Rows& rows, Report const& report) {
    evaluation::Evaluation const& result = report.result;
    rows.count("pairs", "delivered", "", result.delivered);
    rows.count("pairs", "unreachable", "", result.unreachable);
    rows.count("pairs", "loop", "", result.loop);
    rows.count("pairs", "misdelivered", "", result.misdelivered);
    rows.count("pairs", "local", "", result.local);
    if (report.study().placement.nodes) {
        rows.count("pairs", "within_nodes", "", result.within_nodes);
        if (report.plan.has_bytes()) rows.count("pairs", "bytes_within_nodes", "", result.bytes_within_nodes);
    }
    study::FailedPairs const& failed = report.failed;
    rows.count("undeliverable", "of_pairs", "", failed.pairs);
    rows.count("undeliverable", "unreachable", "", failed.unreachable);
    rows.count("undeliverable", "loop", "", failed.loop);
    rows.count("undeliverable", "misdelivered", "", failed.misdelivered);
}

/// Rows that only studies with a goal, and interrupted ones, have.
void write_ending(Rows& rows, Report const& report) {
    study::Study const& study = report.study();
    if (study.sample.until) {
        rows.word("until", "metric", info_of(study.sample.until->metric).name);
        rows.number("until", study.sample.until->relative ? "relative" : "ci", "", study.sample.until->value);
        rows.count("until", "most_mappings", "", study.sample.mappings);
        rows.count("until", "reached", "", report.result.until && report.result.until->reached);
        if (report.result.until && std::isfinite(report.result.until->half_width))
            rows.number("until", "half_width", "", report.result.until->half_width);
    }
    if (report.result.interrupted) rows.count("interrupted", "of_mappings", "", study.sample.mappings);
}

void write_distribution(Rows& rows, Report const& report, study::MetricInfo const& info) {
    char const* const name = info.name;
    evaluation::Distribution const& values = report.number(info);
    std::optional<study::NumberBins> const& bins = info.number->bins;
    if (info.number->has_mean_of_all && report.number_of_all(info).count() > 0)
        rows.number(name, "mean_all", "", report.number_of_all(info).mean());
    rows.count(name, "undefined", "", values.undefined());
    if (info.number->ideal != nullptr)
        if (std::optional<double> const ideal = info.number->ideal(report.plan)) rows.number(name, "ideal", "", *ideal);
    if (values.count() == 0) return;
    if (info.number->ideal != nullptr)
        if (std::optional<double> const ideal = info.number->ideal(report.plan); ideal && *ideal > 0)
            rows.number(name, "share_of_ideal", "", values.mean() / *ideal);
    auto const [low, high] = values.ci99();
    rows.number(name, "mean", "", values.mean());
    rows.number(name, "stderr", "", values.standard_error());
    rows.number(name, "ci99_low", "", low);
    rows.number(name, "ci99_high", "", high);
    rows.number(name, "min", "", values.min());
    rows.number(name, "max", "", values.max());
    rows.number(name, "variance", "", values.variance());
    if (values.worst_mapping()) rows.count(name, "worst_mapping", "", *values.worst_mapping());
    if (values.best_mapping()) rows.count(name, "best_mapping", "", *values.best_mapping());
    for (double const q : evaluation::reported_quantiles)
        rows.number(name, "quantile", base::exact_text(q), values.quantile(q));
    if (!bins) {
        if (auto const many = bins_of_many(report, values)) {
            for (std::size_t b = 0; b < many->counts.size(); ++b)
                if (many->counts[b] > 0)
                    rows.count(name, "histogram", base::exact_text(many->edges[b]), many->counts[b]);
            return;
        }
        for (auto const& [value, mappings] : values.values())
            rows.count(name, "histogram", base::exact_text(value), mappings);
        return;
    }
    if (bins->coarse > 0) {
        evaluation::Distribution::Binned const coarse = values.binned(0, bins->end, bins->coarse);
        for (std::size_t b = 0; b < coarse.counts.size(); ++b)
            rows.count(name, "histogram", base::exact_text(coarse.edges[b]), coarse.counts[b]);
        rows.count(name, "above", base::exact_text(bins->end), coarse.above);
    }
    evaluation::Distribution::Binned const fine = fine_bins(values, *bins);
    for (std::size_t b = 0; b < fine.counts.size(); ++b)
        if (fine.counts[b] > 0) rows.count(name, bins->fine_name(), base::exact_text(fine.edges[b]), fine.counts[b]);
}

void write_flows(Rows& rows, study::MetricInfo const& info, evaluation::FlowsSorted const& sorted) {
    if (char const* const name = info.flows->mean_of_inverse) {
        rows.number(info.name, name, "", sorted.mean_of_inverse);
        rows.number(info.name, std::string(name) + "_all", "", sorted.mean_of_inverse_of_all);
    }
    if (info.flows->of_time && !sorted.counts.empty())
        for (double const q : evaluation::reported_quantiles) {
            std::size_t const bin = bin_of_quantile(sorted, q);
            rows.number(info.name, "flow_quantile", base::exact_text(q), sorted.counts[bin].first);
            rows.number(info.name, "flow_quantile_end", base::exact_text(q), sorted.ends[bin]);
        }
    for (std::size_t n = 0; n < sorted.counts.size(); ++n) {
        auto const& [value, flows] = sorted.counts[n];
        rows.count(info.name, info.flows->list, base::exact_text(value), flows);
        if (!sorted.ends.empty())
            rows.number(info.name, std::string(info.flows->list) + "_end", base::exact_text(value), sorted.ends[n]);
    }
}

/// `key` is the group; `prefix` tells groups of nodes from stages.
void write_link_group(Rows& rows, study::MetricInfo const& info, Report const& report, LinkGroup const& group,
                      std::string const& prefix = "") {
    auto const spread = [&](std::string const& of, Spread const& numbers) {
        rows.number(info.name, prefix + of + "_mean", group.name, numbers.mean);
        rows.number(info.name, prefix + of + "_standard_deviation", group.name, numbers.deviation);
        rows.number(info.name, prefix + of + "_max", group.name, numbers.largest);
    };
    rows.count(info.name, prefix + "links", group.name, group.links);
    rows.count(info.name, prefix + "used", group.name, group.used);
    spread("load", group.load);
    if (report.plan.has_bytes()) spread("flows", group.flows);
    rows.number(info.name, prefix + "utilisation", group.name, group.utilisation);
}

void write_links(Rows& rows, study::MetricInfo const& info, Report const& report) {
    rows.count(info.name, "max", "", report.result.largest_link_sum);
    for (evaluation::LinkSum const& sum : report.result.links) {
        rows.link(info.name, "sum", sum.link, std::to_string(sum.sum), report);
        rows.link(info.name, "scaled", sum.link, base::exact_text(sum.scaled), report);
        if (info.sums_are_loads && report.plan.has_bytes())
            rows.link(info.name, "flows", sum.link, std::to_string(sum.flows), report);
    }
    if (!info.sums_are_loads) return;
    LinkLoads const loads = link_loads(report);
    write_link_group(rows, info, report, loads.all);
    write_link_group(rows, info, report, loads.between_switches);
    for (LinkGroup const& stage : loads.stages) write_link_group(rows, info, report, stage);
    for (LinkGroup const& group : loads.groups) write_link_group(rows, info, report, group, "group_");
    if (report.result.in_mappings) {
        rows.count(info.name, "in_one_mapping_mappings", "", report.result.in_mappings->mappings);
        auto const write = [&](char const* links, evaluation::LoadsInMappings::Spread const& spread) {
            rows.number(info.name, "in_one_mapping_max", links, spread.largest);
            rows.number(info.name, "in_one_mapping_standard_deviation", links, spread.deviation);
        };
        write(loads.all.name.c_str(), report.result.in_mappings->all);
        write(loads.between_switches.name.c_str(), report.result.in_mappings->between_switches);
    }
    if (loads.unrestricted_throughput)
        rows.number(info.name, "unrestricted_throughput", "", *loads.unrestricted_throughput);
}

}  // namespace

void write_csv_report(std::ostream& out, Report const& report) {
    std::vector<study::MetricInfo const*> const metrics = report.metrics();
    bool const with_links =
        std::any_of(metrics.begin(), metrics.end(), [](study::MetricInfo const* info) { return info->sums_links; });
    Rows rows(out, with_links, !report.names_are_unique());
    rows.word("program", "version", version);
    for (auto const& [use, path] : report.study().files) rows.word("files", use, path);
    write_network(rows, report);
    write_study(rows, report);
    write_pairs(rows, report);
    write_ending(rows, report);
    for (study::MetricInfo const* const info : metrics) {
        if (info->number) write_distribution(rows, report, *info);
        if (info->flows) write_flows(rows, *info, report.flows_of(*info));
        if (info->sums_links) write_links(rows, *info, report);
    }
}

}  // namespace tailback::report
