// The report as a value; docs/report.md lists the keys.
#include "host/base/numbers.hpp"
#include "host/report/evaluate/evaluate_report.hpp"
#include "host/report/evaluate/link_loads.hpp"
#include "host/report/evaluate/timing_value.hpp"
#include "host/study/placement/compute_nodes.hpp"

#include <fmt/format.h>

#include <cmath>

namespace tailback::report {
namespace {

/// Whole where it is.
Json whole_or_real(double value) {
    if (std::isfinite(value) && value == std::floor(value) && std::abs(value) < 9e15)
        return static_cast<std::int64_t>(value);
    return real(value);
}

Json placement_json(study::Study const& study) {
    study::NodePlacement const& placed = *study.placement.nodes;
    return {{"nodes", placed.selection},
            {"of_nodes", placed.nodes->nodes.size()},
            {"ranks_per_node", placed.ranks_per_node},
            {"adapters_of_a_node", placed.nodes->most_adapters()},
            {"rail", placed.rail.words},
            {"rail_aligned", placed.rail_aligned}};
}

Json study_json(Report const& report) {
    study::Study const& study = report.study();
    Json json = {{"pattern", study.traffic.pattern}};
    if (study.traffic.pattern == "ptrnvsptrn") {
        json["first"] = study.traffic.first;
        json["first_ranks"] = study.traffic.first_ranks;
        json["second"] = study.traffic.second;
    }
    if (report.plan.has_bytes()) {
        json["bytes"] = report.plan.bytes;
        json["congestion_unit"] = report.plan.in_seconds() ? "seconds" : "bytes";
    }
    json["level"] = or_null(study.traffic.level);
    json["levels"] = report.plan.flow_list.levels.size();
    json["ranks"] = study.placement.ranks;
    json["subset"] = study::subset_name(study);
    json["mapping"] = study::mapping_name(study);
    json["mappings"] = report.result.mappings;
    json["first_mapping"] = study.sample.first_mapping;
    json["seed"] = study.sample.seed;
    if (study.placement.nodes) json["placement"] = placement_json(study);
    json["capacities"] = study.measures.capacities == model::CapacityKind::unit ? "unit" : "rates";
    if (study.measures.sharing == study::Sharing::max_min || report.plan.problem.measures.sharing.wanted) {
        json["sharing"] = study.measures.sharing == study::Sharing::max_min ? "max-min" : "linear";
        json["shared_by"] = report.plan.problem.measures.sharing.by_weight ? "bytes" : "connections";
    }
    if (study.measures.timing.is_simulated()) json["timing"] = timing_json(study.measures.timing);
    json["aggregation_nodes"] = study.placement.aggregation_nodes_are_hosts ? "hosts" : "apart";
    return json;
}

Json until_json(Report const& report) {
    if (!report.study().sample.until) return nullptr;
    study::Goal const& goal = *report.study().sample.until;
    std::optional<evaluation::Precision> const& until = report.result.until;
    return {{"metric", info_of(goal.metric).name},
            {goal.relative ? "relative" : "ci", real(goal.value)},
            {"most_mappings", report.study().sample.mappings},
            {"reached", until && until->reached},
            {"half_width", until ? real(until->half_width) : Json(nullptr)}};
}

Json interrupted_json(Report const& report) {
    if (!report.result.interrupted) return nullptr;
    return {{"of_mappings", report.study().sample.mappings}};
}

Json pairs_json(Report const& report) {
    evaluation::Evaluation const& result = report.result;
    Json json = {{"delivered", result.delivered},
                 {"unreachable", result.unreachable},
                 {"loop", result.loop},
                 {"misdelivered", result.misdelivered},
                 {"local", result.local}};
    if (!report.study().placement.nodes) return json;
    json["within_nodes"] = result.within_nodes;
    if (report.plan.has_bytes()) json["bytes_within_nodes"] = result.bytes_within_nodes;
    return json;
}

Json undeliverable_json(Report const& report) {
    study::FailedPairs const& failed = report.failed;
    Json first = Json::array();
    for (study::FailedPair const& pair : failed.first)
        first.push_back({{"source", host_label(report.network(), pair.source)},
                         {"destination", host_label(report.network(), pair.destination)},
                         {"fate", model::fate_names[std::size_t(pair.fate)]},
                         {"why", pair.why}});
    return {{"of_pairs", failed.pairs},
            {"unreachable", failed.unreachable},
            {"loop", failed.loop},
            {"misdelivered", failed.misdelivered},
            {"first", std::move(first)}};
}

Json bins_json(evaluation::Distribution::Binned const& binned, bool empty_ones) {
    Json bins = Json::array();
    for (std::size_t b = 0; b < binned.counts.size(); ++b)
        if (empty_ones || binned.counts[b] > 0)
            bins.push_back(
                {{"low", real(binned.edges[b])}, {"high", real(binned.edges[b + 1])}, {"mappings", binned.counts[b]}});
    return bins;
}

Json distribution_json(Report const& report, study::MetricInfo const& info) {
    evaluation::Distribution const& values = report.number(info);
    std::optional<study::NumberBins> const& bins = info.number->bins;
    auto const number = [&](double value) { return bins ? real(value) : whole_or_real(value); };
    bool const any = values.count() > 0;
    auto const known = [&](auto const& value) { return any ? Json(value()) : Json(nullptr); };
    auto const [low, high] = any ? values.ci99() : std::pair<double, double>(NAN, NAN);
    Json json = {{"mean", known([&] { return real(values.mean()); })},
                 {"stderr", known([&] { return real(values.standard_error()); })},
                 {"ci99", Json::array({real(low), real(high)})},
                 {"min", known([&] { return number(values.min()); })},
                 {"max", known([&] { return number(values.max()); })},
                 {"variance", known([&] { return real(values.variance()); })},
                 {"worst_mapping", or_null(values.worst_mapping())},
                 {"best_mapping", or_null(values.best_mapping())}};
    if (info.number->has_mean_of_all) json["mean_all"] = real(report.number_of_all(info).mean());
    if (info.number->ideal != nullptr) {
        std::optional<double> const ideal = info.number->ideal(report.plan);
        json["ideal"] = real(ideal);
        json["share_of_ideal"] =
            ideal && *ideal > 0 ? known([&] { return real(values.mean() / *ideal); }) : Json(nullptr);
    }
    Json quantiles = Json::object();
    for (double const q : evaluation::reported_quantiles)
        quantiles[fmt::format("{}", q)] = known([&] { return number(values.quantile(q)); });
    json["quantiles"] = std::move(quantiles);
    json["undefined"] = values.undefined();
    if (!bins) {
        if (auto const many = bins_of_many(report, values)) {
            json["histogram"] = bins_json(*many, false);
            return json;
        }
        json["histogram"] = Json::array();
        for (auto const& [value, mappings] : values.values())
            json["histogram"].push_back({{"value", whole_or_real(value)}, {"mappings", mappings}});
        return json;
    }
    if (bins->coarse > 0) {
        evaluation::Distribution::Binned const coarse = values.binned(0, bins->end, bins->coarse);
        json["histogram"] = bins_json(coarse, true);
        json["above"] = coarse.above;
    }
    json[bins->fine_name()] = bins_json(fine_bins(values, *bins), false);
    return json;
}

/// The bins that quantiles of the flows are in.
Json flow_quantiles_json(study::FlowHistogram const& info, evaluation::FlowsSorted const& sorted) {
    Json json = Json::object();
    for (double const q : evaluation::reported_quantiles) {
        if (sorted.counts.empty()) break;
        std::size_t const bin = bin_of_quantile(sorted, q);
        json[base::exact_text(q)] = {{info.key, real(sorted.counts[bin].first)}, {"end", real(sorted.ends[bin])}};
    }
    return json;
}

void add_flows(Json& json, study::FlowHistogram const& info, evaluation::FlowsSorted const& sorted) {
    if (info.of_time) json["flow_quantiles"] = flow_quantiles_json(info, sorted);
    if (info.mean_of_inverse != nullptr) {
        json[info.mean_of_inverse] = real(sorted.mean_of_inverse);
        json[std::string(info.mean_of_inverse) + "_all"] = real(sorted.mean_of_inverse_of_all);
    }
    Json list = Json::array();
    for (std::size_t n = 0; n < sorted.counts.size(); ++n) {
        auto const& [value, flows] = sorted.counts[n];
        Json one = {{info.key, whole_or_real(value)}};
        if (!sorted.ends.empty()) one["end"] = whole_or_real(sorted.ends[n]);
        one["flows"] = flows;
        list.push_back(std::move(one));
    }
    json[info.list] = std::move(list);
}

Json spread_json(Spread const& spread) {
    return {{"mean", real(spread.mean)}, {"standard_deviation", real(spread.deviation)}, {"max", real(spread.largest)}};
}

Json link_group_json(Report const& report, LinkGroup const& group) {
    Json json = {{"links", group.links}, {"used", group.used}, {"load", spread_json(group.load)}};
    if (report.plan.has_bytes()) json["flows"] = spread_json(group.flows);
    json["utilisation"] = real(group.utilisation);
    return json;
}

Json in_one_mapping_json(std::optional<evaluation::LoadsInMappings> const& loads) {
    if (!loads) return nullptr;
    auto const spread = [](evaluation::LoadsInMappings::Spread const& one) -> Json {
        return {{"max", real(one.largest)}, {"standard_deviation", real(one.deviation)}};
    };
    return {{"mappings", loads->mappings},
            {"all", spread(loads->all)},
            {"between_switches", spread(loads->between_switches)}};
}

void add_links(Json& json, Report const& report, bool are_loads) {
    Json links = Json::array();
    for (evaluation::LinkSum const& sum : report.result.links) {
        Json one = ends_json(report.ends(sum.link));
        one["sum"] = sum.sum;
        one["scaled"] = real(sum.scaled);
        if (are_loads && report.plan.has_bytes()) one["flows"] = sum.flows;
        if (!report.names_are_unique()) {
            model::LinkRecord const& link = report.network()[sum.link];
            one["from_guid"] = fmt::format("{:#018x}", report.network()[link.from].guid);
            one["to_guid"] = fmt::format("{:#018x}", report.network()[link.to].guid);
        }
        links.push_back(std::move(one));
    }
    json["max"] = report.result.largest_link_sum;
    json["links"] = std::move(links);
    if (!are_loads) return;
    LinkLoads const loads = link_loads(report);
    json["all"] = link_group_json(report, loads.all);
    json["in_one_mapping"] = in_one_mapping_json(report.result.in_mappings);
    json["between_switches"] = link_group_json(report, loads.between_switches);
    auto const list = [&](char const* name, std::vector<LinkGroup> const& groups) {
        Json all = Json::array();
        for (LinkGroup const& group : groups) {
            Json one = {{name, group.name}};
            one.update(link_group_json(report, group));
            all.push_back(std::move(one));
        }
        return all;
    };
    json["stages"] = list("stage", loads.stages);
    if (report.groups != nullptr) json["groups"] = list("group", loads.groups);
    json["unrestricted_throughput"] = real(loads.unrestricted_throughput);
}

}  // namespace

Json value_of(Report const& report) {
    Json metrics = Json::object();
    for (study::MetricInfo const* const info : report.metrics()) {
        Json json = Json::object();
        if (info->number) json = distribution_json(report, *info);
        if (info->flows) add_flows(json, *info->flows, report.flows_of(*info));
        if (info->sums_links) add_links(json, report, info->sums_are_loads);
        if (info->metric == study::Metric::makespan && report.rates) json["collective"] = value_of(*report.rates);
        metrics[info->name] = std::move(json);
    }
    Json json = head("tailback-report-1", report.study().files, report.network_value());
    json.update({{"study", study_json(report)},
                 {"until", until_json(report)},
                 {"interrupted", interrupted_json(report)},
                 {"pairs", pairs_json(report)},
                 {"undeliverable", undeliverable_json(report)},
                 {"metrics", std::move(metrics)}});
    if (report.expected_bandwidth) json["bisection"] = {{"expected", real(*report.expected_bandwidth)}};
    return json;
}

}  // namespace tailback::report
