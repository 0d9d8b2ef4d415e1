// What all forms of a report share.
#include "host/report/evaluate/evaluate_report.hpp"

#include "host/base/numbers.hpp"
#include "host/study/fabric_digest.hpp"
#include "host/study/placement/compute_nodes.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace tailback::report {

FabricFacts facts_of(study::StudyPlan const& plan) {
    return {study::failed_pairs(plan, named_pairs), study::digest(*plan.fabric)};
}

Report make_report(study::StudyPlan const& plan, evaluation::Evaluation const& result) {
    return make_report(plan, result, facts_of(plan));
}

Report make_report(study::StudyPlan const& plan, evaluation::Evaluation const& result, FabricFacts facts) {
    Report report{plan, result, std::move(facts.failed), std::move(facts.digest)};
    report.usable_hosts = usable_hosts(*plan.fabric, plan.study.placement.aggregation_nodes_are_hosts).size();
    std::optional<CableTime> cables;
    report.rates = collective_rates(plan, result, cables);
    return report;
}

Json Report::network_value() const {
    return network_json(*plan.fabric, digest, study().placement.aggregation_nodes_are_hosts);
}

model::LinkEnds Report::ends(model::Link link) const { return plan.fabric->ends(link, plan.study_hosts); }

bool Report::between_switches(model::Link link) const { return plan.fabric->between_switches(link); }

std::vector<study::MetricInfo const*> Report::metrics() const {
    std::vector<study::MetricInfo const*> wanted;
    for (study::MetricInfo const& info : study::all_metrics())
        if (study().wants(info.metric)) wanted.push_back(&info);
    return wanted;
}

evaluation::Distribution::Binned fine_bins(evaluation::Distribution const& values, study::NumberBins const& bins) {
    auto const per_one = double(bins.fine_per_one);
    auto const count = static_cast<std::size_t>(values.count() == 0 ? 1 : std::floor(values.max() * per_one) + 2);
    return values.binned(0, double(count) / per_one, count);
}

std::optional<evaluation::Distribution::Binned> bins_of_many(Report const& report,
                                                             evaluation::Distribution const& values) {
    constexpr std::size_t most_listed = 200, bins = 100;
    if (!report.plan.has_bytes() || values.integers().size() <= most_listed) return std::nullopt;
    return values.binned(values.min(), values.max() * (1 + 1e-12), bins);
}

std::string Report::in_unit() const {
    if (!plan.has_bytes()) return "";
    return plan.in_seconds() ? ", in seconds" : ", in bytes";
}

std::string Report::in_unit(study::MetricInfo const& info) const {
    if (info.number && info.number->is_time) return in_unit();
    if (!info.number || info.number->is_pure || info.number->scale(plan).integer.is_mean) return "";
    if (info.number->in_bytes) return plan.has_bytes() ? ", in bytes" : "";
    return in_unit();
}

std::string Report::axis(study::MetricInfo const& info) const {
    if (info.number) return info.number->axis + in_unit(info);
    return info.flows->heading + (info.flows->of_congestion || info.flows->of_time ? in_unit() : "");
}

std::string weights_sentence(Report const& report) {
    std::string const bytes =
        fmt::format("flows of {} in a mapping", base::counted(report.plan.bytes, "byte", "bytes"));
    if (!report.plan.in_seconds())
        return bytes + ", congestion in bytes: of the most loaded link, times base rate / its rate";
    return bytes + ", congestion in seconds: bytes of the most loaded link / its rate";
}

std::size_t bin_of_quantile(evaluation::FlowsSorted const& sorted, double q) {
    std::uint64_t flows = 0, below = 0;
    for (auto const& [value, count] : sorted.counts) flows += count;
    std::size_t bin = 0;
    while (double(below += sorted.counts[bin].second) < q * double(flows) && bin + 1 < sorted.counts.size()) ++bin;
    return bin;
}

namespace {

/// `8 ranks a node`, and where it has fewer adapters, `8 ranks a node on its 1 adapter`.
std::string ranks_of_node(study::NodePlacement const& placed) {
    std::string const ranks = base::counted(placed.ranks_per_node, "rank", "ranks") + " a node";
    std::size_t const adapters = placed.nodes->most_adapters();
    return adapters >= placed.ranks_per_node ? ranks
                                             : ranks + " on its " + base::counted(adapters, "adapter", "adapters");
}

}  // namespace

std::string study_sentence(Report const& report) {
    study::Study const& study = report.study();
    std::string text = study.traffic.pattern;
    if (study.traffic.pattern == "ptrnvsptrn")
        text = fmt::format("{} on the first {} ranks against {} on the others", study.traffic.first,
                           base::grouped(study.traffic.first_ranks), study.traffic.second);
    if (study.traffic.pattern == patterns::listed_pattern) text = "listed flows";
    if (study.traffic.level) text += fmt::format(", level {} alone", *study.traffic.level);
    text += fmt::format(", {} ranks on ", base::grouped(study.placement.ranks));
    std::uint64_t const hosts = report.usable_hosts, mappings = report.result.mappings;
    if (study.placement.nodes)
        text +=
            fmt::format("compute nodes ({}, {}), {} {} ", study.placement.nodes->selection,
                        study.placement.nodes->slots_listed ? "ranks as listed" : ranks_of_node(*study.placement.nodes),
                        base::grouped(mappings), study.placement.nodes->order);
    else if (study.placement.mapping == study::MappingKind::listed)
        text += fmt::format("listed hosts, {} listed ", base::grouped(mappings));
    else {
        char const* const how = study.placement.subset == study::SubsetKind::random   ? "random hosts of"
                                : study.placement.subset == study::SubsetKind::listed ? "listed hosts of"
                                : study.placement.ranks == hosts                      ? "all"
                                                                 : "the first in breadth-first order of";
        text += fmt::format("{} {} hosts, {} {} ", how, base::grouped(hosts), base::grouped(mappings),
                            study::mapping_name(study));
    }
    text += mappings == 1 ? "mapping" : "mappings";
    if (study.sample.first_mapping > 0) text += fmt::format(" from number {} on", study.sample.first_mapping);
    return text + (study::draws_mappings(report.plan) ? fmt::format(" (seed {})", study.sample.seed) : "");
}

namespace {

std::string goal_words(study::Goal const& goal, char const* of) {
    return goal.relative ? base::exact_text(100 * goal.value) + " %" + of : base::exact_text(goal.value);
}

}  // namespace

std::string ending_sentence(Report const& report) {
    study::Study const& study = report.study();
    evaluation::Evaluation const& result = report.result;
    std::string text;
    if (report.nothing_delivered())
        text = fmt::format("NOTHING DELIVERED: {}", report.flows() == 1
                                                        ? "the only flow fails"
                                                        : "all " + base::grouped(report.flows()) + " flows fail");
    if (result.interrupted)
        text +=
            fmt::format("{}INTERRUPTED after {} of {}{} mappings: what follows is over the first {} alone",
                        text.empty() ? "" : "; ", base::grouped(result.mappings), study.sample.until ? "at most " : "",
                        base::grouped(study.sample.mappings), base::grouped(result.mappings));
    if (!study.sample.until) return text;
    std::string const goal = goal_words(*study.sample.until, " of the mean");
    std::string const name = info_of(study.sample.until->metric).name;
    double const width = result.until ? result.until->half_width : std::numeric_limits<double>::quiet_NaN();
    std::string const known = std::isnan(width) ? "it is not known" : fmt::format("it is known to ± {:.3g}", width);
    if (result.until && result.until->reached)
        return fmt::format("enough to know the mean of {} to ± {} with 99 % confidence: {}", name, goal, known);
    return text + (text.empty() ? "" : "; ") +
           fmt::format("{}GOAL NOT REACHED: the mean of {} was wanted to ± {} with 99 % confidence, {}",
                       text.empty() ? "" : "its ", name, goal, known);
}

std::string ending_words(Report const& report) {
    study::Study const& study = report.study();
    evaluation::Evaluation const& result = report.result;
    std::string text = report.nothing_delivered() ? "NOTHING DELIVERED" : "";
    if (result.interrupted)
        text += fmt::format("{}INTERRUPTED after {} of {}{} mappings", text.empty() ? "" : "; ",
                            base::grouped(result.mappings), study.sample.until ? "at most " : "",
                            base::grouped(study.sample.mappings));
    if (!study.sample.until || (result.until && result.until->reached)) return text;
    std::string const goal = goal_words(*study.sample.until, "");
    return text + (text.empty() ? "" : "; ") +
           fmt::format("GOAL NOT REACHED: the mean of {} to ± {}", info_of(study.sample.until->metric).name, goal);
}

std::string host_label(model::Network const& network, model::Host host) {
    model::HostRecord const& record = network[host];
    std::string const name = base::printable(network[record.node].name);
    if (network.named() || record.lid == 0) return name;
    return fmt::format("{} (LID {})", name, record.lid);
}

std::string percent_text(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) return "0 %";
    double const percent = 100.0 * double(part) / double(whole);
    if (part > 0 && percent < 0.001) return "< 0.001 %";
    int const decimals = percent >= 10 ? 1 : percent >= 1 ? 2 : 3;
    std::string text = fmt::format("{:.{}f}", percent, decimals);
    if (part < whole && text.starts_with("100")) return "> 99.9 %";
    while (text.find('.') != std::string::npos && (text.back() == '0' || text.back() == '.')) {
        bool const point = text.back() == '.';
        text.pop_back();
        if (point) break;
    }
    return text + " %";
}

}  // namespace tailback::report
