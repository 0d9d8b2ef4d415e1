// A diff as text: first what it means for the routes, then what changed, ten of each kind.
#include "host/base/numbers.hpp"
#include "host/report/diff/diff_report.hpp"
#include "host/report/link_label.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace tailback::report {
namespace {

constexpr std::size_t name_width = 60;

std::string named(model::Network const& net, model::Node node) { return base::printable(net.describe(node)); }

std::string cable(model::Network const& net, model::Link link) {
    model::LinkRecord const& record = net[link];
    return end_label(net, record.from, record.from_port, name_width / 2) + " - " +
           end_label(net, record.to, record.to_port, name_width / 2);
}

std::string lid_range(model::Lid lid, std::uint8_t lmc) {
    if (lid == 0) return "none";
    return lmc == 0 ? std::to_string(lid) : fmt::format("{}-{}", lid, lid + (model::Lid{1} << lmc) - 1);
}

/// A heading and the first of a list; nothing for an empty list.
template <class List, class Line>
void write_list(std::ostream& out, DiffReport const& report, std::string const& heading, List const& list, Line line) {
    if (list.empty()) return;
    fmt::print(out, "{}\n", heading);
    std::size_t const shown = std::min<std::size_t>(report.top, list.size());
    for (std::size_t i = 0; i < shown; ++i) fmt::print(out, "  {}\n", line(list[i]));
    if (list.size() > shown) fmt::print(out, "  and {} more\n", base::grouped(list.size() - shown));
}

void write_fates(std::ostream& out, audit::FabricDiff const& diff) {
    fmt::print(out, "Of {} in both fabrics, {} another route and {} another fate.\n",
               base::counted(diff.pairs, "pair", "pairs"), base::counted(diff.rerouted, "pair takes", "pairs take"),
               base::counted(diff.refated(), "pair has", "pairs have"));
    for (std::size_t was = 0; was < 4; ++was)
        for (std::size_t now = 0; now < 4; ++now)
            if (diff.fates[was][now] > 0)
                fmt::print(out, "  {:>13}  {} -> {}\n", base::grouped(diff.fates[was][now]), model::fate_names[was],
                           model::fate_names[now]);
}

/// Nodes, cables, LIDs.
void write_parts(std::ostream& out, DiffReport const& report) {
    audit::FabricDiff const& diff = report.diff;
    model::Network const &before = report.before, &after = report.after;
    auto const nodes = [](model::Network const& net) { return [&net](model::Node node) { return named(net, node); }; };
    write_list(out, report, base::counted(diff.nodes_gone.size(), "node is", "nodes are") + " gone", diff.nodes_gone,
               nodes(before));
    write_list(out, report, base::counted(diff.nodes_new.size(), "node is", "nodes are") + " new", diff.nodes_new,
               nodes(after));
    auto const cables = [](model::Network const& net) { return [&net](model::Link link) { return cable(net, link); }; };
    write_list(out, report, base::counted(diff.cables_gone.size(), "cable is", "cables are") + " gone",
               diff.cables_gone, cables(before));
    write_list(out, report, base::counted(diff.cables_new.size(), "cable is", "cables are") + " new", diff.cables_new,
               cables(after));
    write_list(out, report, base::counted(diff.rates.size(), "cable has", "cables have") + " another rate", diff.rates,
               [&](auto const& pair) {
                   auto const rate = [](model::LinkRate const& r) {
                       return r.stated() ? r.text() : std::string("unknown");
                   };
                   return fmt::format("{}: {} -> {}", cable(before, pair.first), rate(before[pair.first].rate),
                                      rate(after[pair.second].rate));
               });
    write_list(out, report, base::counted(diff.renamed.size(), "node has", "nodes have") + " another name",
               diff.renamed, [&](auto const& pair) {
                   return fmt::format("{} -> \"{}\"", named(before, pair.first),
                                      base::printable(after[pair.second].name));
               });
    write_list(out, report, base::counted(diff.lids.size(), "port has", "ports have") + " other LIDs", diff.lids,
               [&](auto const& change) {
                   return fmt::format("{}{}: {} -> {}", named(before, change.node_before),
                                      change.port == 0 ? "" : fmt::format(" port {}", change.port),
                                      lid_range(change.before, change.lmc_before),
                                      lid_range(change.after, change.lmc_after));
               });
}

/// `1-4,7`; ports that stand several times, as hashes count them, one by one.
std::string ports_text(model::Network const& net, model::Node node, std::vector<model::Port> const& ports) {
    if (ports.empty()) return "none (the static entry)";
    std::string text = ports.size() == 1 ? "port " : "ports ";
    if (net.named_ports()) {
        for (std::size_t i = 0; i < ports.size(); ++i)
            text += (i > 0 ? "," : "") + base::printable(net.port_name(node, ports[i]));
        return text;
    }
    for (std::size_t first = 0, last = 0; first < ports.size(); first = last + 1) {
        for (last = first; last + 1 < ports.size() && ports[last + 1] == ports[last] + 1;) ++last;
        text += fmt::format("{}{}", first > 0 ? "," : "", ports[first]);
        if (last > first) text += fmt::format("{}{}", last > first + 1 ? "-" : ",", ports[last]);
    }
    return text;
}

void write_candidates(std::ostream& out, DiffReport const& report) {
    audit::FabricDiff const& diff = report.diff;
    write_list(out, report,
               fmt::format("Sets of ports to choose among differ for {} of {} (entries)",
                           base::counted(diff.candidate_entries(), "entry", "entries"),
                           base::counted(diff.candidates.size(), "switch", "switches")),
               diff.candidates, [&](audit::CandidateChange const& change) {
                   return fmt::format("{:>13}  {}; LID {}: {} -> {}", base::grouped(change.entries),
                                      named(report.before, change.before), change.first.before,
                                      ports_text(report.before, change.before, change.ports_before),
                                      ports_text(report.after, change.after, change.ports_after));
               });
}

/// What is wrong with the files of one fabric alone.
void write_notes(std::ostream& out, DiffReport const& report) {
    auto const line = [](std::string const& note) { return base::printable(note); };
    audit::NoteChanges const& notes = report.diff.notes;
    write_list(
        out, report,
        base::counted(notes.gone.size(), "trouble with the old files is", "troubles with the old files are") + " gone",
        notes.gone, line);
    write_list(
        out, report,
        base::counted(notes.added.size(), "trouble with the new files is", "troubles with the new files are") + " new",
        notes.added, line);
}

/// Tables, routes and loads.
void write_routes(std::ostream& out, DiffReport const& report) {
    audit::FabricDiff const& diff = report.diff;
    model::Network const &before = report.before, &after = report.after;
    write_list(out, report,
               "Tables of " + base::counted(diff.tables.size(), "switch", "switches") + " differ (entries)",
               diff.tables, [&](auto const& change) {
                   return fmt::format("{:>13}  {}", base::grouped(change.entries), named(before, change.before));
               });
    write_candidates(out, report);
    write_list(out, report,
               base::counted(diff.destinations.size(), "destination is", "destinations are") +
                   " affected (pairs: other route, other fate)",
               diff.destinations, [&](auto const& change) {
                   return fmt::format(
                       "{:>13} {:>13}  LID {:<6} {}", base::grouped(change.rerouted), base::grouped(change.refated),
                       change.lid.before,
                       base::shortened(base::printable(before[before[change.lid.host_before].node].name), name_width));
               });
    std::string const fell = diff.fell == 0 ? "" : fmt::format(" ({} carry less)", base::grouped(diff.fell));
    write_list(out, report, base::counted(diff.rose.size(), "link carries", "links carry") + " more pairs" + fell,
               diff.rose, [&](auto const& change) {
                   return fmt::format("{:>13} -> {:<13} {}", base::grouped(change.load_before),
                                      base::grouped(change.load_after),
                                      link_label(after, change.after, name_width / 2));
               });
}

/// Old and new side by side, and what they come to.
void write_verdict(std::ostream& out, Comparison const& comparison, std::uint64_t top) {
    auto const text = [](std::optional<double> const& value) {
        if (!value) return std::string("-");
        return *value == std::floor(*value) ? base::grouped(std::uint64_t(*value)) : base::fixed_text(*value, 4);
    };
    fmt::print(out, "\n{:<42}{:>14}{:>14}  {}\n", "Old and new", "old", "new", "verdict");
    for (ComparedNumber const& number : comparison.numbers) {
        fmt::print(out, "  {:<40}{:>14}{:>14}  {}\n", number.what, text(number.before), text(number.after),
                   change_name(number.change));
        std::size_t const told = std::min<std::size_t>(top, number.because.size());
        for (std::size_t i = 0; i < told; ++i) fmt::print(out, "    {}: {}\n", number.cause_name(), number.because[i]);
        if (number.because.size() > told) fmt::print(out, "    and {} more\n", number.because.size() - told);
    }
    fmt::print(out, "{}\n", comparison.sentence());
}

/// Those that changed, as far as --top goes.
void write_groups(std::ostream& out, DiffReport const& report) {
    std::vector<ComparedGroup> const& groups = report.comparison->groups;
    if (groups.empty()) return;
    std::vector<ComparedGroup> changed;
    std::copy_if(groups.begin(), groups.end(), std::back_inserter(changed),
                 [](ComparedGroup const& group) { return group.has_changed(); });
    fmt::print(out, "\nBy group ({}, {} changed; old -> new)\n", base::counted(groups.size(), "group", "groups"),
               base::grouped(changed.size()));
    if (changed.empty()) return;
    fmt::print(out, "  {:>16}{:>26}{:>18}{:>26}  group\n", "faults", "load out", "x ideal", "critical");
    auto const both = [](ComparedGroup const& group, auto text) {
        return (group.before ? text(*group.before) : std::string("-")) + " -> " +
               (group.after ? text(*group.after) : std::string("-"));
    };
    std::size_t const shown = std::min<std::size_t>(report.top, changed.size());
    for (std::size_t i = 0; i < shown; ++i) {
        ComparedGroup const& group = changed[i];
        fmt::print(out, "  {:>16}{:>26}{:>18}{:>26}  {}\n",
                   both(group, [](audit::GroupSum const& sum) { return base::grouped(sum.faults); }),
                   both(group, [](audit::GroupSum const& sum) { return base::grouped(sum.load_out); }),
                   both(group, [](audit::GroupSum const& sum) { return base::fixed_text(sum.largest, 2); }),
                   both(group, [](audit::GroupSum const& sum) { return base::grouped(sum.critical_pairs); }),
                   base::shortened(base::printable(group.name), 25));
    }
    if (changed.size() > shown) fmt::print(out, "  and {} more\n", base::grouped(changed.size() - shown));
}

}  // namespace

void write_diff_text(std::ostream& out, DiffReport const& report) {
    if (report.diff.equal()) return;
    if (report.diff.routed) write_fates(out, report.diff);
    write_notes(out, report);
    write_parts(out, report);
    write_routes(out, report);
    if (report.comparison == nullptr) return;
    write_verdict(out, *report.comparison, report.top);
    write_groups(out, report);
}

}  // namespace tailback::report
