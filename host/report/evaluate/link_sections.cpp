// The loads of links as sections of the report for people.
#include "host/base/numbers.hpp"
#include "host/report/evaluate/link_loads.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::report {
namespace {

constexpr std::size_t busiest_shown = 12, most_groups_shown = 20;

Table link_table(std::string heading, std::vector<LinkGroup const*> const& groups) {
    auto const number = [](double value) { return fmt::format("{:.5g}", value); };
    Table table{.columns = {name_column(std::move(heading)), {""}, {"mean"}, {"deviation"}, {"most"}, {"busy"}}};
    for (LinkGroup const* const group : groups)
        table.rows.push_back({group->name, base::grouped(group->links), number(group->load.mean),
                              number(group->load.deviation), number(group->load.largest),
                              fmt::format("{:.0f} %", 100 * group->utilisation)});
    return table;
}

/// How evenly links of each stage, and of each group of nodes, are loaded, in bytes or flows of a mapping.
void add_link_groups(Document& document, Report const& report) {
    LinkLoads const loads = link_loads(report);
    std::vector<LinkGroup const*> stages = {&loads.all, &loads.between_switches};
    if (loads.stages.size() > 1)
        for (LinkGroup const& stage : loads.stages) stages.push_back(&stage);
    document.table(link_table("links", stages));
    if (report.result.mappings > 1 && report.result.in_mappings) {
        evaluation::LoadsInMappings const& single = *report.result.in_mappings;
        document.sentence(
            fmt::format(
                "these are of each link's mean over the mappings; in a single mapping (mean of {}) deviation "
                "{:.5g}, most {:.5g}; between switches deviation {:.5g}, most {:.5g}",
                single.mappings == report.result.mappings ? "all" : "the first " + base::grouped(single.mappings),
                single.all.deviation, single.all.largest, single.between_switches.deviation,
                single.between_switches.largest),
            2);
    }
    if (report.groups == nullptr) return;
    std::vector<LinkGroup const*> groups;
    for (LinkGroup const& group : loads.groups) groups.push_back(&group);
    std::stable_sort(groups.begin(), groups.end(),
                     [](LinkGroup const* a, LinkGroup const* b) { return a->load.largest > b->load.largest; });
    std::size_t const left_out = groups.size() - std::min(groups.size(), most_groups_shown);
    groups.resize(groups.size() - left_out);
    Table table = link_table("links from", groups);
    table.left_out = left_out, table.hint = "(--format json and csv have all)";
    document.table(std::move(table));
}

/// Those that carry most; between switches, where some of these carry anything: links of hosts carry what the pattern
/// puts on them, and where routing makes it hot is between switches.
void add_busiest(Document& document, Report const& report, std::vector<evaluation::LinkSum> links, bool are_loads) {
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
    document.sentence(ties > busiest_shown
                          ? fmt::format("{} links{} share the largest {}; the first of them:", base::grouped(ties),
                                        where, are_loads ? "load" : "number")
                          : fmt::format("the busiest{}:", where),
                      2);
    links.resize(std::min(links.size(), busiest_shown));
    Bars bars;
    for (evaluation::LinkSum const& link : links)
        bars.push_back({report.ends(link.link), link.sum, base::grouped(link.sum), "", true});
    document.bars(std::move(bars));
}

}  // namespace

void add_links(Document& document, Report const& report, bool are_loads) {
    std::vector<evaluation::LinkSum> const& links = report.result.links;
    auto const used = std::count_if(links.begin(), links.end(), [](evaluation::LinkSum const& l) { return l.sum > 0; });
    document.sentence(
        fmt::format("{} of {} links {}; the most {} one link is {}{}, {:.6g} a mapping",
                    base::grouped(std::uint64_t(used)), base::grouped(report.plan.fabric->links()),
                    are_loads ? "carry flows" : "are a flow's bottleneck", are_loads ? "on" : "of",
                    base::grouped(report.result.largest_link_sum), are_loads && report.plan.has_bytes() ? " bytes" : "",
                    double(report.result.largest_link_sum) / double(report.result.mappings)),
        2);
    if (are_loads) add_link_groups(document, report);
    add_busiest(document, report, links, are_loads);
}

}  // namespace tailback::report
