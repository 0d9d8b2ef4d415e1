// The report for people: the numbers wanted first, a histogram drawn in the terminal, and what is left out.
#include "host/base/bins.hpp"
#include "host/base/numbers.hpp"
#include "host/report/evaluate_report.hpp"
#include "host/report/link_label.hpp"
#include "host/report/link_loads.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace tailback::report {
namespace {

constexpr std::size_t least_bar = 4;

/// Of a mean: those that show two digits of its error, within 4 and 9, and four of its own.
int decimals_of_mean(evaluation::Distribution const& values) {
    return std::max(std::clamp(base::decimals_for(values.standard_error(), 2, 4), 4, 9),
                    base::decimals_for(values.mean(), 4, 4));
}

/// Names above their numbers, in as many lines as it takes.
void write_spread(std::ostream& out, std::vector<std::pair<std::string, std::string>> const& cells, std::size_t width,
                  char const* title = "  spread ") {
    constexpr std::size_t margin = 9;
    std::size_t cell = 7;
    for (auto const& [name, value] : cells) cell = std::max(cell, base::columns(value) + 1);
    std::size_t const each = std::max<std::size_t>(1, (width - margin) / cell);
    for (std::size_t first = 0; first < cells.size(); first += each) {
        std::string head = first == 0 ? title : std::string(margin, ' '), line(margin, ' ');
        for (std::size_t c = first; c < std::min(first + each, cells.size()); ++c) {
            head += base::right_aligned(cells[c].first, cell);
            line += base::right_aligned(cells[c].second, cell);
        }
        fmt::print(out, "{}\n{}\n", head, line);
    }
}

struct Row {
    std::string label, count;
    std::uint64_t value;
    std::string note;
};

/// Rows of label, bar and count, the bars scaled to fit the terminal.
void draw(std::ostream& out, std::vector<Row> const& rows, std::size_t width) {
    std::size_t label_width = 0, count_width = 0, note_width = 0;
    std::uint64_t most = 0;
    for (Row const& row : rows) {
        label_width = std::max(label_width, base::columns(row.label));
        count_width = std::max(count_width, base::columns(row.count));
        note_width = std::max(note_width, base::columns(row.note));
        most = std::max(most, row.value);
    }
    std::size_t const taken = 2 + label_width + 2 + 1 + count_width + (note_width > 0 ? 1 + note_width : 0);
    std::size_t const bar = width > taken + least_bar ? width - taken : least_bar;
    for (Row const& row : rows) {
        std::string line = "  " + base::right_aligned(row.label, label_width) + " │" +
                           base::padded(base::block_bar(row.value, most, bar), bar) + " " +
                           base::right_aligned(row.count, count_width);
        if (!row.note.empty()) line += " " + row.note;
        fmt::print(out, "{}\n", line);
    }
}

void draw_mappings(std::ostream& out, evaluation::Distribution const& values, std::size_t width) {
    base::Bins const bins = base::sensible_bins(values.values(), 20);
    std::vector<Row> rows;
    bool marked = false;
    for (base::Bin const& bin : bins.bins) {
        bool const mean =
            !marked && bins.bins.size() > 1 && (bins.width == 0 ? values.mean() <= bin.low : values.mean() < bin.high);
        marked = marked || mean;
        rows.push_back({bins.label(bin), base::grouped(bin.count), bin.count, mean ? "mean" : ""});
    }
    draw(out, rows, width);
}

void write_undefined(std::ostream& out, Report const& report, evaluation::Distribution const& values) {
    if (values.undefined() > 0)
        fmt::print(out, "  {} of {} mappings have no delivered flow and are left out here\n",
                   base::grouped(values.undefined()), base::grouped(report.result.mappings));
}

/// Below a mean over delivered flows: the same over all of them. Nothing where all are delivered.
void write_mean_of_all(std::ostream& out, Report const& report, std::string const& mean) {
    if (report.failed_flows() == 0) return;
    fmt::print(out, "  of all  {}   mean with the {} of flows that are not delivered as 0\n", mean,
               percent_text(report.failed_flows(), report.flows()));
    fmt::print(out, "          (the other numbers here are of delivered flows alone)\n");
}

void write_ideal(std::ostream& out, Report const& report, study::MetricInfo const& info) {
    if (info.number->ideal == nullptr) return;
    if (std::optional<double> const ideal = info.number->ideal(report.plan))
        fmt::print(out, "  ideal   {} if only links of hosts had a limit; the mean is {} of it\n",
                   base::significant_text(*ideal, 4),
                   base::fixed_text(100 * report.number(info).mean() / *ideal, 1) + " %");
}

void write_distribution(std::ostream& out, Report const& report, study::MetricInfo const& info, std::size_t width) {
    evaluation::Distribution const& values = report.number(info);
    if (values.count() == 0) {
        fmt::print(out, "  no mapping has a delivered flow, so there is no number\n");
        return;
    }
    auto const number = [&](double value) {
        return info.number->bins            ? base::significant_text(value, 4)
               : value == std::floor(value) ? base::fixed_text(value, 0)
                                            : base::significant_text(value, 3);
    };
    if (values.count() > 1 && base::rounded(values.min()) == base::rounded(values.max())) {
        fmt::print(out, "  {} in each of {} mappings\n", number(values.min()), base::grouped(values.count()));
        if (info.number->has_mean_of_all) write_mean_of_all(out, report, number(report.number_of_all(info).mean()));
        write_ideal(out, report, info);
        write_undefined(out, report, values);
        return;
    }
    auto const [low, high] = values.ci99();
    int const decimals = decimals_of_mean(values);
    double const deviation = std::sqrt(values.variance());
    fmt::print(out, "  mean    {}", base::fixed_text(values.mean(), decimals));
    if (values.count() > 1)
        fmt::print(out, "   99 % confidence {} .. {}   standard deviation {}", base::fixed_text(low, decimals),
                   base::fixed_text(high, decimals), base::fixed_text(deviation, base::decimals_for(deviation, 3, 4)));
    fmt::print(out, "\n");
    if (info.number->has_mean_of_all)
        write_mean_of_all(out, report, base::fixed_text(report.number_of_all(info).mean(), decimals));
    if (values.count() > 1) {
        static char const* const heads[] = {"1 %", "5 %", "25 %", "median", "75 %", "95 %", "99 %"};
        std::vector<std::pair<std::string, std::string>> cells = {{"min", number(values.min())}};
        for (std::size_t q = 0; q < std::size(heads); ++q)
            cells.emplace_back(heads[q], number(values.quantile(evaluation::reported_quantiles[q])));
        cells.emplace_back("max", number(values.max()));
        write_spread(out, cells, width);
    }
    if (values.count() > 1 && values.worst_mapping())
        fmt::print(out,
                   "  worst   mapping {} with {}; to see it again add\n          --first-mapping {} --mappings 1 "
                   "--dump-mappings FILE\n",
                   *values.worst_mapping(), number(info.number->higher_is_worse ? values.max() : values.min()),
                   *values.worst_mapping());
    if (values.count() > 1 && values.best_mapping())
        fmt::print(out, "  best    mapping {} with {}\n", *values.best_mapping(),
                   number(info.number->higher_is_worse ? values.min() : values.max()));
    write_undefined(out, report, values);
    write_ideal(out, report, info);
    if (values.count() > 1) {
        fmt::print(out, "  mappings by {}{}:\n", info.number->sorted_by, report.in_unit(info));
        draw_mappings(out, values, width);
    }
}

/// Where the bins begin that quantiles of all flows are in.
void write_flow_quantiles(std::ostream& out, evaluation::FlowsSorted const& sorted, std::size_t width) {
    std::vector<std::pair<std::string, std::string>> cells;
    for (double const q : evaluation::reported_quantiles)
        cells.emplace_back(fmt::format("{:g} %", 100 * q),
                           base::significant_text(sorted.counts[bin_of_quantile(sorted, q)].first, 3));
    write_spread(out, cells, width, "  flows  ~");
}

void write_flows(std::ostream& out, Report const& report, study::MetricInfo const& info, std::size_t width) {
    evaluation::FlowsSorted const& sorted = report.flows_of(info);
    auto const& values = sorted.counts;
    if (values.empty()) {
        if (!info.number) fmt::print(out, "  no flow was delivered, so there is no number\n");
        return;
    }
    std::uint64_t flows = 0;
    for (auto const& value : values) flows += value.second;
    if (char const* const name = info.flows->inverse_title) {
        fmt::print(
            out, "  {:<7} {}   mean of {} over {} flows\n", name, base::significant_text(sorted.mean_of_inverse, 6),
            report.plan.has_bytes() ? "bytes/congestion" : fmt::format("1/{}", info.flows->key), base::grouped(flows));
        write_mean_of_all(out, report, base::significant_text(sorted.mean_of_inverse_of_all, 6));
    }
    if (info.flows->of_time) write_flow_quantiles(out, sorted, width);
    fmt::print(out, "  {}{}:\n", info.flows->heading,
               info.flows->of_congestion || info.flows->of_time ? report.in_unit() : "");
    base::Bins const bins = base::sensible_bins(values, 24);
    std::vector<Row> rows;
    for (base::Bin const& bin : bins.bins)
        rows.push_back({bins.label(bin), base::grouped(bin.count), bin.count,
                        base::right_aligned(percent_text(bin.count, flows), 9)});
    draw(out, rows, width);
}

constexpr std::size_t most_groups_shown = 20;

void write_link_table(std::ostream& out, char const* heading, std::vector<LinkGroup const*> const& groups) {
    std::size_t name_width = base::columns(heading);
    std::vector<std::string> names;
    for (LinkGroup const* const group : groups) {
        names.push_back(base::shortened(base::printable(group->name), 30));
        name_width = std::max(name_width, base::columns(names.back()));
    }
    fmt::print(out, "  {} {:>7} {:>11} {:>11} {:>11}  busy\n", base::padded(heading, name_width), "", "mean",
               "deviation", "most");
    for (std::size_t g = 0; g < groups.size(); ++g)
        fmt::print(out, "  {} {:>7} {:>11.5g} {:>11.5g} {:>11.5g} {:>4.0f} %\n", base::padded(names[g], name_width),
                   base::grouped(groups[g]->links), groups[g]->load.mean, groups[g]->load.deviation,
                   groups[g]->load.largest, 100 * groups[g]->utilisation);
}

/// Beside the table, whose numbers are of each link's mean over mappings.
void write_loads_in_mappings(std::ostream& out, evaluation::LoadsInMappings const& loads, std::uint64_t mappings) {
    fmt::print(out,
               "  these are of each link's mean over the mappings; in a single mapping (mean of {})\n"
               "  deviation {:.5g}, most {:.5g}; between switches deviation {:.5g}, most {:.5g}\n",
               loads.mappings == mappings ? "all" : "the first " + base::grouped(loads.mappings), loads.all.deviation,
               loads.all.largest, loads.between_switches.deviation, loads.between_switches.largest);
}

/// How evenly links of each stage, and of each group of nodes, are loaded, in bytes or flows of a mapping.
void write_link_groups(std::ostream& out, Report const& report) {
    LinkLoads const loads = link_loads(report);
    std::vector<LinkGroup const*> stages = {&loads.all, &loads.between_switches};
    if (loads.stages.size() > 1)
        for (LinkGroup const& stage : loads.stages) stages.push_back(&stage);
    write_link_table(out, "links", stages);
    if (report.result.mappings > 1 && report.result.in_mappings)
        write_loads_in_mappings(out, *report.result.in_mappings, report.result.mappings);
    if (report.groups == nullptr) return;
    std::vector<LinkGroup const*> groups;
    for (LinkGroup const& group : loads.groups) groups.push_back(&group);
    std::stable_sort(groups.begin(), groups.end(),
                     [](LinkGroup const* a, LinkGroup const* b) { return a->load.largest > b->load.largest; });
    std::size_t const left_out = groups.size() - std::min(groups.size(), most_groups_shown);
    groups.resize(groups.size() - left_out);
    write_link_table(out, "links from", groups);
    if (left_out > 0)
        fmt::print(out, "  and {} (--format json and csv have all)\n",
                   base::counted(left_out, "group more", "groups more"));
}

void write_links(std::ostream& out, Report const& report, bool are_loads, std::size_t width) {
    constexpr std::size_t shown = 12;
    std::vector<evaluation::LinkSum> links = report.result.links;
    auto const used =
        std::size_t(std::count_if(links.begin(), links.end(), [](evaluation::LinkSum const& l) { return l.sum > 0; }));
    fmt::print(out, "  {} of {} links {}; the most {} one link is {}{}, {:.6g} a mapping\n", base::grouped(used),
               base::grouped(report.links), are_loads ? "carry flows" : "are a flow's bottleneck",
               are_loads ? "on" : "of", base::grouped(report.result.largest_link_sum),
               are_loads && report.plan.has_bytes() ? " bytes" : "",
               double(report.result.largest_link_sum) / double(report.result.mappings));
    if (are_loads) write_link_groups(out, report);
    // Links of hosts carry what the pattern puts on them; where routing makes it hot is between switches.
    std::erase_if(links, [](evaluation::LinkSum const& l) { return l.sum == 0; });
    bool const inner = std::any_of(links.begin(), links.end(),
                                   [&](evaluation::LinkSum const& l) { return report.between_switches(l.link); });
    if (inner) std::erase_if(links, [&](evaluation::LinkSum const& l) { return !report.between_switches(l.link); });
    if (links.empty()) return;
    std::stable_sort(links.begin(), links.end(),
                     [](evaluation::LinkSum const& a, evaluation::LinkSum const& b) { return a.sum > b.sum; });
    auto const ties = std::size_t(std::count_if(
        links.begin(), links.end(), [&](evaluation::LinkSum const& l) { return l.sum == links.front().sum; }));
    char const* const where = inner ? " between switches" : "";
    if (ties > shown)
        fmt::print(out, "  {} links{} share the largest {}; the first of them:\n", base::grouped(ties), where,
                   are_loads ? "load" : "number");
    else fmt::print(out, "  the busiest{}:\n", where);
    links.resize(std::min(links.size(), shown));
    std::size_t label_width = 0;
    std::vector<Row> rows;
    for (evaluation::LinkSum const& link : links) {
        // Which link it is matters more than the bar.
        std::size_t const room = width - 5 - least_bar - base::columns(base::grouped(links.front().sum));
        rows.push_back({link_label(report.ends(link.link), room), base::grouped(link.sum), link.sum, ""});
        label_width = std::max(label_width, base::columns(rows.back().label));
    }
    for (Row& row : rows) row.label = base::padded(row.label, label_width);
    draw(out, rows, width);
}

bool tells_mean_of_all(Report const& report) {
    std::vector<study::MetricInfo const*> const metrics = report.metrics();
    return report.result.delivered > 0 && std::any_of(metrics.begin(), metrics.end(), [](auto const* info) {
               return (info->number && info->number->has_mean_of_all) || (info->flows && info->flows->mean_of_inverse);
           });
}

void write_undeliverable(std::ostream& out, Report const& report) {
    study::FailedPairs const& failed = report.failed;
    if (failed.failed() == 0) return;
    evaluation::Evaluation const& result = report.result;
    model::Network const& network = report.network();
    fmt::print(out, "\nUndeliverable: {} of {} pairs of these hosts\n  {} unreachable, {} loop, {} misdelivered\n",
               base::grouped(failed.failed()), base::grouped(failed.pairs), base::grouped(failed.unreachable),
               base::grouped(failed.loop), base::grouped(failed.misdelivered));
    for (study::FailedPair const& pair : failed.first)
        fmt::print(out, "  {:<12} {} -> {}\n               {}\n", model::fate_names[std::size_t(pair.fate)],
                   host_label(network, pair.source), host_label(network, pair.destination), base::printable(pair.why));
    if (failed.failed() > failed.first.size())
        fmt::print(out, "  and {} more\n", base::grouped(failed.failed() - failed.first.size()));
    std::uint64_t const lost = report.flows() - result.delivered;
    if (lost == 0) fmt::print(out, "No flow of this study met one of them: the numbers above leave nothing out.\n");
    else
        fmt::print(out,
                   "{} of {} flows ({}) met such a pair: they load no link and\nare in no number above{}, which are of "
                   "delivered flows alone.\n",
                   base::grouped(lost), base::grouped(report.flows()), percent_text(lost, report.flows()),
                   tells_mean_of_all(report) ? " but the means of all" : "");
}

/// Divided into lines that fit the terminal, at blanks.
std::string wrapped(std::string const& text, std::size_t width) {
    std::string lines;
    std::size_t used = 0;
    for (std::size_t at = 0; at < text.size();) {
        std::size_t const end = std::min(text.find(' ', at), text.size());
        std::string const word = text.substr(at, end - at);
        if (used > 0 && used + 1 + base::columns(word) > width) {
            lines += '\n';
            used = 0;
        }
        lines += (used > 0 ? " " : "") + word;
        used += base::columns(word) + (used > 0 ? 1 : 0);
        at = end + 1;
    }
    return lines;
}

}  // namespace

void write_text_report(std::ostream& out, Report const& report, std::size_t width) {
    fmt::print(out, "{}\n", wrapped(study_sentence(report), width));
    if (std::string const ending = ending_sentence(report); !ending.empty())
        fmt::print(out, "{}\n", wrapped(ending, width));
    fmt::print(out, "network of {}, {}, {}, digest {}\n", base::counted(report.usable_hosts, "host", "hosts"),
               base::counted(report.switches, "switch", "switches"), base::counted(report.links, "link", "links"),
               report.digest);
    if (report.plan.has_bytes()) fmt::print(out, "{}\n", wrapped(weights_sentence(report), width));
    if (std::string const timing = timing_sentence(report.study().measures.timing); !timing.empty())
        fmt::print(out, "{}\n", wrapped(timing, width));
    if (std::string const origin = report.origin().text(); !origin.empty())
        fmt::print(out, "{}\n", wrapped(base::printable(origin), width));
    if (report.study().measures.capacities == model::CapacityKind::from_rates && report.plan.base_rate_elevenths > 0)
        fmt::print(out, "capacities from link rates: 1 = {:.4g} Gb/s\n", report.plan.base_rate_elevenths / 11.0);
    for (study::MetricInfo const* const info : study::metrics_for_people()) {
        if (!report.study().wants(info->metric)) continue;
        fmt::print(out, "\n{}: {}{}\n", info->name, info->title(report.study()), report.in_unit(*info));
        if (info->number) write_distribution(out, report, *info, width);
        if (info->flows) write_flows(out, report, *info, width);
        if (info->sums_links) write_links(out, report, info->sums_are_loads, width);
    }
    if (report.result.within_nodes > 0) {
        std::uint64_t const all = report.plan.bytes * report.result.mappings, bytes = report.result.bytes_within_nodes;
        fmt::print(out, "\nFlows inside a compute node use no link and are in no number above: {}{}.\n",
                   base::grouped(report.result.within_nodes),
                   report.plan.has_bytes() ? fmt::format(", {} of the bytes", percent_text(bytes, all)) : "");
    }
    if (report.result.local > 0)
        fmt::print(out, "\nFlows from a rank to itself use no link and are in no number above: {}.\n",
                   base::grouped(report.result.local));
    write_undeliverable(out, report);
}

}  // namespace tailback::report
