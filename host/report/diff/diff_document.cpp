// A diff for people: first what it means for the routes, then what changed, ten of each kind.
#include "host/base/numbers.hpp"
#include "host/model/routes/fabric_words.hpp"
#include "host/report/diff/diff_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tailback::report {
namespace {

/// `leaf-07 [19] - spine-3 [7]`
std::string cable(model::Network const& net, model::Link link) {
    model::LinkRecord const& record = net[link];
    return end_label(net, record.from, record.from_port) + " - " + end_label(net, record.to, record.to_port);
}

std::string lid_range(model::Lid lid, std::uint8_t lmc) {
    if (lid == 0) return "none";
    return lmc == 0 ? std::to_string(lid) : fmt::format("{}-{}", lid, lid + (model::Lid{1} << lmc) - 1);
}

/// A heading and the first of a list, a row each; nothing for an empty list.
template <class List, class ToRow>
void add_list(Document& document, DiffReport const& report, std::string heading, List const& list,
              std::vector<Column> columns, ToRow to_row) {
    if (list.empty()) return;
    document.sentence(std::move(heading));
    Table table{.columns = std::move(columns)};
    add_rows(table, list, report.top, [&](auto const& item) -> std::vector<Cell> { return to_row(item); });
    if (table.rows.empty()) document.left_out(list.size());
    document.table(std::move(table));
}

/// The same of one name, or sentence, each.
template <class List, class ToText>
void add_names(Document& document, DiffReport const& report, std::string heading, List const& list, ToText to_text) {
    if (list.empty()) return;
    document.sentence(std::move(heading));
    add_first(document, list, report.top, [&](auto const& item) { document.sentence(to_text(item), 2); });
}

void add_fates(Document& document, audit::FabricDiff const& diff, bool divides) {
    document.sentence(fmt::format("{} {} in both fabrics, {} another route and {} another fate.",
                                  divides ? "By one choice of every switch and host, of" : "Of",
                                  base::counted(diff.pairs, "pair", "pairs"),
                                  base::counted(diff.rerouted, "pair takes", "pairs take"),
                                  base::counted(diff.refated(), "pair has", "pairs have")));
    Table table{.columns = {{}, word_column()}};
    for (std::size_t was = 0; was < 4; ++was)
        for (std::size_t now = 0; now < 4; ++now)
            if (diff.fates[was][now] > 0)
                table.rows.push_back({base::grouped(diff.fates[was][now]),
                                      fmt::format("{} -> {}", model::fate_names[was], model::fate_names[now])});
    document.table(std::move(table));
}

/// Nodes, cables, LIDs.
void add_parts(Document& document, DiffReport const& report) {
    audit::FabricDiff const& diff = report.diff;
    model::Network const &before = report.before.network, &after = report.after.network;
    auto const nodes = [](model::Network const& net) {
        return [&net](model::Node node) { return net.describe(node); };
    };
    auto const cables = [](model::Network const& net) { return [&net](model::Link link) { return cable(net, link); }; };
    add_names(document, report, base::counted(diff.nodes_gone.size(), "node is", "nodes are") + " gone",
              diff.nodes_gone, nodes(before));
    add_names(document, report, base::counted(diff.nodes_new.size(), "node is", "nodes are") + " new", diff.nodes_new,
              nodes(after));
    add_names(document, report, base::counted(diff.cables_gone.size(), "cable is", "cables are") + " gone",
              diff.cables_gone, cables(before));
    add_names(document, report, base::counted(diff.cables_new.size(), "cable is", "cables are") + " new",
              diff.cables_new, cables(after));
    add_names(document, report, base::counted(diff.rates.size(), "cable has", "cables have") + " another rate",
              diff.rates, [&](auto const& pair) {
                  return fmt::format("{}: {} -> {}", cable(before, pair.first),
                                     model::rate_text(report.before, before[pair.first].rate),
                                     model::rate_text(report.after, after[pair.second].rate));
              });
    add_names(document, report, base::counted(diff.renamed.size(), "node has", "nodes have") + " another name",
              diff.renamed, [&](auto const& pair) {
                  return fmt::format("{} -> \"{}\"", before.describe(pair.first), after[pair.second].name);
              });
    if (report.before.ip != nullptr && report.after.ip != nullptr) return;  // hosts are numbered by their names
    add_names(document, report, base::counted(diff.lids.size(), "port has", "ports have") + " other LIDs", diff.lids,
              [&](auto const& change) {
                  return fmt::format("{}{}: {} -> {}", before.describe(change.node_before),
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
        for (std::size_t i = 0; i < ports.size(); ++i) text += (i > 0 ? "," : "") + net.port_name(node, ports[i]);
        return text;
    }
    for (std::size_t first = 0, last = 0; first < ports.size(); first = last + 1) {
        for (last = first; last + 1 < ports.size() && ports[last + 1] == ports[last] + 1;) ++last;
        text += fmt::format("{}{}", first > 0 ? "," : "", ports[first]);
        if (last > first) text += fmt::format("{}{}", last > first + 1 ? "-" : ",", ports[last]);
    }
    return text;
}

void add_candidates(Document& document, DiffReport const& report) {
    audit::FabricDiff const& diff = report.diff;
    model::Network const &before = report.before.network, &after = report.after.network;
    add_list(document, report,
             fmt::format("Sets of ports to choose among differ for {} of {} (entries)",
                         base::counted(diff.candidate_entries(), "entry", "entries"),
                         base::counted(diff.candidates.size(), "switch", "switches")),
             diff.candidates, {{}, word_column()}, [&](audit::CandidateChange const& change) -> std::vector<Cell> {
                 return {base::grouped(change.entries),
                         fmt::format("{}; {}: {} -> {}", before.describe(change.before),
                                     model::destination_text(report.before, change.first.before),
                                     ports_text(before, change.before, change.ports_before),
                                     ports_text(after, change.after, change.ports_after))};
             });
}

/// What is wrong with the files of one fabric alone.
void add_notes(Document& document, DiffReport const& report) {
    auto const same = [](std::string const& note) { return note; };
    audit::NoteChanges const& notes = report.diff.notes;
    add_names(
        document, report,
        base::counted(notes.gone.size(), "trouble with the old files is", "troubles with the old files are") + " gone",
        notes.gone, same);
    add_names(
        document, report,
        base::counted(notes.added.size(), "trouble with the new files is", "troubles with the new files are") + " new",
        notes.added, same);
}

/// Tables, routes and loads.
void add_routes(Document& document, DiffReport const& report) {
    audit::FabricDiff const& diff = report.diff;
    model::Network const &before = report.before.network, &after = report.after.network;
    add_list(document, report,
             "Tables of " + base::counted(diff.tables.size(), "switch", "switches") + " differ (entries)", diff.tables,
             {{}, name_column()}, [&](auto const& change) -> std::vector<Cell> {
                 return {base::grouped(change.entries), before.describe(change.before)};
             });
    add_candidates(document, report);
    add_list(document, report,
             base::counted(diff.destinations.size(), "destination is", "destinations are") +
                 " affected (pairs: other route, other fate)",
             diff.destinations, {{}, {}, word_column(), name_column()}, [&](auto const& change) -> std::vector<Cell> {
                 return {base::grouped(change.rerouted), base::grouped(change.refated),
                         model::destination_text(report.before, change.lid.before),
                         before[before[change.lid.host_before].node].name};
             });
    std::string const fell = diff.fell == 0 ? "" : fmt::format(" ({} carry less)", base::grouped(diff.fell));
    add_list(
        document, report, base::counted(diff.rose.size(), "link carries", "links carry") + " more pairs" + fell,
        diff.rose, {{}, word_column(), word_column(), name_column()}, [&](auto const& change) -> std::vector<Cell> {
            return {amount_text(change.load_before), "->", amount_text(change.load_after), after.ends(change.after)};
        });
}

/// Old and new side by side, and what they come to.
void add_verdict(Document& document, Comparison const& comparison, std::uint64_t top) {
    auto const text = [](std::optional<double> const& value) {
        if (!value) return std::string("-");
        return *value == std::floor(*value) ? base::grouped(std::uint64_t(*value)) : base::fixed_text(*value, 4);
    };
    document.heading("Old and new");
    Table table{.columns = {name_column(), {"old"}, {"new"}, word_column("verdict")}};
    for (ComparedNumber const& number : comparison.numbers)
        table.rows.push_back({number.what, text(number.before), text(number.after), change_name(number.change)});
    document.table(std::move(table));
    for (ComparedNumber const& number : comparison.numbers)
        add_first(document, number.because, top, [&](std::string const& cause) {
            document.sentence(fmt::format("{}, {}: {}", number.what, number.cause_name(), cause), 2);
        });
    document.sentence(comparison.sentence());
}

/// Those that changed, as far as --top goes.
void add_groups(Document& document, DiffReport const& report) {
    std::vector<ComparedGroup> const& groups = report.comparison->groups;
    if (groups.empty()) return;
    std::vector<ComparedGroup> changed;
    std::copy_if(groups.begin(), groups.end(), std::back_inserter(changed),
                 [](ComparedGroup const& group) { return group.has_changed(); });
    document.heading(fmt::format("By group ({}, {} changed; old -> new)",
                                 base::counted(groups.size(), "group", "groups"), base::grouped(changed.size())));
    Table table{.columns = {{"faults"}, {"load out"}, {"x ideal"}, {"critical"}, name_column("group")}};
    add_rows(table, changed, report.top, [](ComparedGroup const& group) -> std::vector<Cell> {
        auto const both = [&](auto text_of) {
            return (group.before ? text_of(*group.before) : std::string("-")) + " -> " +
                   (group.after ? text_of(*group.after) : std::string("-"));
        };
        return {both([](audit::GroupSum const& sum) { return base::grouped(sum.faults); }),
                both([](audit::GroupSum const& sum) { return amount_text(sum.load_out); }),
                both([](audit::GroupSum const& sum) { return base::fixed_text(sum.largest, 2); }),
                both([](audit::GroupSum const& sum) { return amount_text(sum.critical_pairs); }), group.name};
    });
    document.table(std::move(table));
}

}  // namespace

Document document_of(DiffReport const& report) {
    Document document;
    if (report.diff.equal()) return document;
    if (report.diff.routed) add_fates(document, report.diff, report.before.candidates && report.after.candidates);
    model::Network const* const networks[] = {&report.before.network, &report.after.network};
    document.shorten_names(networks);
    add_notes(document, report);
    add_parts(document, report);
    add_routes(document, report);
    if (report.comparison == nullptr) return document;
    add_verdict(document, *report.comparison, report.top);
    add_groups(document, report);
    return document;
}

}  // namespace tailback::report
