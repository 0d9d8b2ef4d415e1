// The report for people: the numbers wanted first, a histogram drawn in the terminal, and what is left out.
#include "host/base/bins.hpp"
#include "host/base/numbers.hpp"
#include "host/report/evaluate/evaluate_report.hpp"
#include "host/report/evaluate/link_loads.hpp"
#include "host/report/evaluate/timing_value.hpp"
#include "host/result/undelivered.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tailback::report {
namespace {

/// What numbers of a metric are divided by, and told in: `us`; empty where they have no unit, or bytes.
using Shown = Unit;

Shown unit_of(Report const& report, double largest, std::string const& in_unit) {
    if (in_unit.empty()) return {1, ""};
    if (!report.plan.in_seconds() || in_unit != report.in_unit()) return {1, in_unit};
    Unit const unit = unit_of_times(largest);
    return {unit.size, ", in " + unit.name};
}

/// Of a mean: those that show two digits of its error, within 4 and 9, and four of its own.
int decimals_of_mean(double mean, double error) {
    return std::max(std::clamp(base::decimals_for(error, 2, 4), 4, 9), base::decimals_for(mean, 4, 4));
}

/// Ascending values with their counts, in the unit in which they are told.
std::vector<std::pair<double, std::uint64_t>> in_unit(std::vector<std::pair<double, std::uint64_t>> values,
                                                      Shown const& unit) {
    for (auto& [value, count] : values) value = base::rounded(value / unit.size);  // else 40 may be below its bin
    return values;
}

Bars bars_of_mappings(evaluation::Distribution const& values, Shown const& unit) {
    base::Bins const bins = base::sensible_bins(in_unit(values.values(), unit), 20, values.error() / unit.size);
    double const mean = values.mean() / unit.size;
    Bars bars;
    bool marked = false;
    for (base::Bin const& bin : bins.bins) {
        bool const here = !marked && bins.bins.size() > 1 && (bins.width == 0 ? mean <= bin.low : mean < bin.high);
        marked = marked || here;
        bars.push_back({bins.label(bin), bin.count, base::grouped(bin.count), here ? "mean" : ""});
    }
    return bars;
}

void add_undefined(Document& document, Report const& report, evaluation::Distribution const& values) {
    if (values.undefined() > 0)
        document.sentence(fmt::format("{} of {} mappings have no delivered flow and are left out here",
                                      base::grouped(values.undefined()), base::grouped(report.result.mappings)),
                          2);
}

/// Below a mean over delivered flows: the same over all of them. Nothing where all are delivered.
void add_mean_of_all(Document& document, Report const& report, std::string const& mean) {
    if (report.failed_flows() == 0) return;
    document.fact("of all", fmt::format("{}   mean with the {} of flows that are not delivered as 0 (the other numbers "
                                        "here are of delivered flows alone)",
                                        mean, percent_text(report.failed_flows(), report.flows())));
}

void add_ideal(Document& document, Report const& report, study::MetricInfo const& info) {
    if (info.number->ideal == nullptr) return;
    if (std::optional<double> const ideal = info.number->ideal(report.plan))
        document.fact("ideal", fmt::format("{} if only links of hosts had a limit; the mean is {} % of it",
                                           base::significant_text(*ideal, 4),
                                           base::fixed_text(100 * report.number(info).mean() / *ideal, 1)));
}

/// A bandwidth as people buy it, where the links' rates are known.
void add_rate(Document& document, Report const& report, study::MetricInfo const& info, double mean) {
    double const base = base_gigabytes_per_s(*report.plan.fabric);
    if (!info.number->is_bandwidth || base == 0 || report.study().measures.capacities == model::CapacityKind::unit)
        return;
    document.fact("rate", fmt::format("{} (1 = {})", rate_text(mean * base), rate_text(base)));
}

/// Names above their numbers.
Table spread_of(std::string title, std::vector<std::pair<std::string, std::string>> const& cells) {
    Table table{.columns = {word_column(std::move(title))}, .rows = {{""}}, .folds = true};
    for (auto const& [name, value] : cells) {
        table.columns.push_back({name});
        table.rows.front().emplace_back(value);
    }
    return table;
}

/// A number for people, in its unit: all of a metric alike.
std::string number_text(study::MetricInfo const& info, Shown const& unit, double value) {
    constexpr int of_fractions = 4, of_times = 1, of_others = 3;  // decimals at least
    value /= unit.size;
    return info.number->bins            ? base::significant_text(value, of_fractions)
           : value == std::floor(value) ? base::fixed_text(value, 0)
                                        : base::significant_text(value, unit.size == 1 ? of_others : of_times);
}

/// The lines on a distribution that is more than one value.
void add_numbers(Document& document, Report const& report, study::MetricInfo const& info, Shown const& unit) {
    evaluation::Distribution const& values = report.number(info);
    double const mean = values.mean() / unit.size, error = values.standard_error() / unit.size;
    int const decimals = decimals_of_mean(mean, error);
    std::string text = base::fixed_text(mean, decimals);
    if (values.count() > 1) {
        auto const [low, high] = values.ci99();
        double const deviation = std::sqrt(values.variance()) / unit.size;
        text += fmt::format("   99 % confidence {} .. {}   standard deviation {}",
                            base::fixed_text(low / unit.size, decimals), base::fixed_text(high / unit.size, decimals),
                            base::fixed_text(deviation, base::decimals_for(deviation, 3, 4)));
    }
    document.fact("mean", text);
    add_rate(document, report, info, mean);
    if (info.metric == study::Metric::makespan && report.rates) add_rates(document, *report.rates);
    if (info.number->has_mean_of_all)
        add_mean_of_all(document, report, base::fixed_text(report.number_of_all(info).mean(), decimals));
    if (values.count() < 2) return;
    auto const number = [&](double value) { return number_text(info, unit, value); };
    static char const* const heads[] = {"1 %", "5 %", "25 %", "median", "75 %", "95 %", "99 %"};
    std::vector<std::pair<std::string, std::string>> cells = {{"min", number(values.min())}};
    for (std::size_t q = 0; q < std::size(heads); ++q)
        cells.emplace_back(heads[q], number(values.quantile(evaluation::reported_quantiles[q])));
    cells.emplace_back("max", number(values.max()));
    document.table(spread_of("spread", cells));
    bool const high_is_worse = info.number->higher_is_worse;
    if (values.worst_mapping())
        document.fact("worst",
                      fmt::format("mapping {0} with {1}; to see it again add --first-mapping {0} --mappings 1 "
                                  "--dump-mappings FILE",
                                  *values.worst_mapping(), number(high_is_worse ? values.max() : values.min())));
    if (values.best_mapping())
        document.fact("best", fmt::format("mapping {} with {}", *values.best_mapping(),
                                          number(high_is_worse ? values.min() : values.max())));
}

void add_distribution(Document& document, Report const& report, study::MetricInfo const& info, Shown const& unit) {
    evaluation::Distribution const& values = report.number(info);
    if (values.count() == 0) {
        char const* const why = why_no_number(report.plan);
        document.sentence(
            fmt::format("{}, so there is no number", why != nullptr ? why : "no mapping has a delivered flow"), 2);
        return;
    }
    if (values.count() > 1 && base::rounded(values.min()) == base::rounded(values.max())) {
        document.sentence(fmt::format("{} in each of {} mappings", number_text(info, unit, values.min()),
                                      base::grouped(values.count())),
                          2);
        add_rate(document, report, info, values.min());
        if (info.metric == study::Metric::makespan && report.rates) add_rates(document, *report.rates);
        if (info.number->has_mean_of_all)
            add_mean_of_all(document, report, number_text(info, unit, report.number_of_all(info).mean()));
        add_ideal(document, report, info);
        return add_undefined(document, report, values);
    }
    add_numbers(document, report, info, unit);
    add_undefined(document, report, values);
    add_ideal(document, report, info);
    if (values.count() < 2) return;
    document.sentence(fmt::format("mappings by {}{}:", info.number->sorted_by, unit.name), 2);
    document.bars(bars_of_mappings(values, unit));
}

/// The number with the fewest decimal digits from `begin` to below `end`.
double roundest(double begin, double end) {
    for (double step = std::pow(10, std::floor(std::log10(end))); step > (end - begin) / 100; step /= 10)
        if (double const next = base::rounded(std::ceil(base::rounded(begin / step)) * step); next < end) return next;
    return begin;
}

/// A number of flows as far as it is known: exact, or the roundest in its bin, in as many digits as the bin is wide.
struct FlowNumber {
    double value;
    int decimals;  ///< after the point, in the unit; -1: it is exact
};

/// Of each of `counts`.
std::vector<FlowNumber> numbers_of_flows(Report const& report, study::MetricInfo const& info, Shown const& unit) {
    evaluation::FlowsSorted const& sorted = report.flows_of(info);
    auto const& numbers = report.result.numbers;
    auto const mean = numbers.find(info.metric), last = numbers.find(study::Metric::makespan);
    // No flow ends after the makespan: where the mean is as late, all of them end then.
    if (info.metric == study::Metric::completion_time && sorted.counts.size() == 1 && mean != numbers.end() &&
        last != numbers.end() && mean->second.count() > 0 && last->second.count() > 0 &&
        base::rounded(mean->second.min()) == base::rounded(last->second.max()))
        return {{mean->second.min(), -1}};
    std::vector<FlowNumber> found;
    for (std::size_t i = 0; i < sorted.counts.size(); ++i) {
        double const value = sorted.counts[i].first,
                     width = i < sorted.ends.size() ? (sorted.ends[i] - value) / unit.size : 0;
        if (!(width > 0) || !std::isfinite(width)) {
            found.push_back({value, -1});
            continue;
        }
        int const digits = int(std::floor(std::log10(width)));
        found.push_back({roundest(value / unit.size, sorted.ends[i] / unit.size) * unit.size, std::max(0, -digits)});
    }
    return found;
}

/// Of all flows: the number, or the bin that it is in.
void add_flow_quantiles(Document& document, evaluation::FlowsSorted const& sorted,
                        std::vector<FlowNumber> const& numbers, Shown const& unit) {
    std::vector<std::pair<std::string, std::string>> from;
    std::vector<Cell> below = {{"to below"}};
    for (double const q : evaluation::reported_quantiles) {
        std::size_t const bin = bin_of_quantile(sorted, q);
        std::string low = base::significant_text(numbers[bin].value / unit.size, 0), high = low;
        if (numbers[bin].decimals >= 0) {
            double const begin = sorted.counts[bin].first / unit.size, end = sorted.ends[bin] / unit.size;
            int const decimals = std::max(0, 2 - int(std::floor(std::log10(end - begin))));
            low = base::fixed_text(begin, decimals);
            high = base::fixed_text(end, decimals);
        }
        from.emplace_back(fmt::format("{:g} %", 100 * q), low);
        below.emplace_back(high);
    }
    bool const are_bins =
        std::any_of(numbers.begin(), numbers.end(), [](FlowNumber const& n) { return n.decimals >= 0; });
    Table table = spread_of("flows", from);
    if (are_bins) {
        table.rows.front().front() = {"from"};
        table.rows.push_back(std::move(below));
    }
    document.table(std::move(table));
}

void add_flow_histogram(Document& document, Report const& report, study::MetricInfo const& info) {
    evaluation::FlowsSorted const& sorted = report.flows_of(info);
    if (sorted.counts.empty()) {
        if (!info.number) document.sentence("no flow was delivered, so there is no number", 2);
        return;
    }
    bool const has_unit = info.flows->of_congestion || info.flows->of_time;
    Shown const unit = unit_of(report, sorted.counts.back().first, has_unit ? report.in_unit() : "");
    std::uint64_t flows = 0;
    for (auto const& value : sorted.counts) flows += value.second;
    if (char const* const name = info.flows->inverse_title) {
        document.fact(name,
                      fmt::format("{}   mean of {} over {} flows", base::significant_text(sorted.mean_of_inverse, 6),
                                  report.plan.has_bytes() ? "bytes/congestion" : fmt::format("1/{}", info.flows->key),
                                  base::grouped(flows)));
        add_mean_of_all(document, report, base::significant_text(sorted.mean_of_inverse_of_all, 6));
    }
    std::vector<FlowNumber> const numbers = numbers_of_flows(report, info, unit);
    if (info.flows->of_time) add_flow_quantiles(document, sorted, numbers, unit);
    document.sentence(fmt::format("{}{}:", info.flows->heading, unit.name), 2);
    auto shown = sorted.counts;
    for (std::size_t i = 0; i < shown.size(); ++i) shown[i].first = base::rounded(numbers[i].value);
    base::Bins const bins = base::sensible_bins(in_unit(shown, unit), 24);
    Bars bars;
    for (base::Bin const& bin : bins.bins)
        bars.push_back({bins.label(bin), bin.count, base::grouped(bin.count),
                        base::right_aligned(percent_text(bin.count, flows), 9)});
    document.bars(std::move(bars));
}

bool tells_mean_of_all(Report const& report) {
    std::vector<study::MetricInfo const*> const metrics = report.metrics();
    return report.result.delivered > 0 && std::any_of(metrics.begin(), metrics.end(), [](auto const* info) {
               return (info->number && info->number->has_mean_of_all) || (info->flows && info->flows->mean_of_inverse);
           });
}

void add_undeliverable(Document& document, Report const& report) {
    study::FailedPairs const& failed = report.failed;
    if (failed.failed() == 0) return;
    model::Network const& network = report.network();
    document.heading(fmt::format("Undeliverable: {} of {} pairs of these hosts", base::grouped(failed.failed()),
                                 base::grouped(failed.pairs)));
    document.sentence(fmt::format("{} unreachable, {} loop, {} misdelivered", base::grouped(failed.unreachable),
                                  base::grouped(failed.loop), base::grouped(failed.misdelivered)),
                      2);
    for (study::FailedPair const& pair : failed.first) {
        document.sentence(fmt::format("{:<12} {} -> {}", model::fate_names[std::size_t(pair.fate)],
                                      host_label(network, pair.source), host_label(network, pair.destination)),
                          2);
        document.sentence(pair.why, 15);
    }
    document.left_out(failed.failed() - failed.first.size());
    std::uint64_t const lost = report.failed_flows();
    if (lost == 0) document.sentence("No flow of this study met one of them: the numbers above leave nothing out.");
    else
        document.sentence(
            result::left_out_above({.count = lost, .all = report.flows(), .share = percent_text(lost, report.flows())},
                                   tells_mean_of_all(report) ? ", but for the means of all" : ""));
}

/// What was studied, on what.
void add_head(Document& document, Report const& report) {
    document.sentence(study_sentence(report));
    if (std::string const ending = ending_sentence(report); !ending.empty()) document.sentence(ending);
    add_network(document, *report.plan.fabric, report.digest, report.study().placement.aggregation_nodes_are_hosts);
    if (report.plan.has_bytes()) document.sentence(weights_sentence(report));
    if (std::string const timing = timing_sentence(report.study().measures.timing); !timing.empty())
        document.sentence(timing);
    if (report.study().measures.capacities == model::CapacityKind::from_rates && report.plan.base_rate_elevenths > 0)
        document.sentence(
            fmt::format("capacities from link rates: 1 = {:.4g} Gb/s", report.plan.base_rate_elevenths / 11.0));
}

}  // namespace

Document document_of(Report const& report) {
    Document document;
    add_head(document, report);
    for (study::MetricInfo const* const info : study::metrics_for_people()) {
        if (!report.study().wants(info->metric)) continue;
        Shown unit{1, report.in_unit(*info)};
        if (info->number && report.number(*info).count() > 0)
            unit = unit_of(report, report.number(*info).max(), report.in_unit(*info));
        document.heading(fmt::format("{}: {}{}", info->name, info->title(report.study()), unit.name));
        if (info->number) add_distribution(document, report, *info, unit);
        if (info->flows) add_flow_histogram(document, report, *info);
        if (info->sums_links) add_links(document, report, info->sums_are_loads);
    }
    if (report.expected_bandwidth)
        document.heading(fmt::format("Effective bisection bandwidth by formula: {}.",
                                     base::fixed_text(*report.expected_bandwidth, 4)));
    if (report.result.within_nodes > 0) {
        std::uint64_t const all = report.plan.bytes * report.result.mappings, bytes = report.result.bytes_within_nodes;
        document.heading(
            fmt::format("Flows inside a compute node use no link and are in no number above: {}{}.",
                        base::grouped(report.result.within_nodes),
                        report.plan.has_bytes() ? fmt::format(", {} of the bytes", percent_text(bytes, all)) : ""));
    }
    if (report.result.local > 0)
        document.heading(fmt::format("Flows from a rank to itself use no link and are in no number above: {}.",
                                     base::grouped(report.result.local)));
    add_undeliverable(document, report);
    return document;
}

}  // namespace tailback::report
