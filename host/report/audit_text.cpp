// The audit for people: the verdict, what is wrong and where, then the numbers.
#include "host/base/bins.hpp"
#include "host/base/numbers.hpp"
#include "host/model/fabric/fabric_traits.hpp"
#include "host/model/routes/candidate_sets.hpp"
#include "host/model/routes/fabric_words.hpp"
#include "host/report/adaptive/choices.hpp"
#include "host/report/audit_report.hpp"
#include "host/report/bound_report.hpp"
#include "host/report/evaluate_report.hpp"
#include "host/report/forms.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <ostream>

namespace tailback::report {
namespace {

constexpr std::size_t width = 100;

void write_indented(std::ostream& out, std::string const& text, std::size_t indent) {
    if (text.empty()) return;
    for (std::string const& line : lines_of(text, width - indent))
        fmt::print(out, "{}{}\n", std::string(indent, ' '), line);
}

std::string short_link(model::Network const& network, model::Link link) { return link_label(network, link, 26); }

/// Those that the routing took, if it takes any.
void write_roots(std::ostream& out, AuditReport const& report) {
    model::RoutingRoots const& roots = report.audit.fabric.roots;
    if (roots.from == model::RootsFrom::none) return;
    bool const one = roots.nodes.size() == 1;
    char const* how = "as given";
    if (roots.from == model::RootsFrom::farthest) how = one ? "the top of the tree" : "the tops of the tree";
    if (roots.from == model::RootsFrom::central)
        how = !one ? "the most central switch of each part, or its tops where those connect it"
              : report.network()[roots.nodes[0]].kind == model::NodeKind::switch_node ? "the most central switch"
                                                                                      : "the most central node";
    std::size_t const named = std::min<std::size_t>(roots.nodes.size(), 4);
    std::string text = fmt::format("routed from {} ({}): ", base::counted(roots.nodes.size(), "root", "roots"), how);
    for (std::size_t i = 0; i < named; ++i)
        text += (i ? ", " : "") + base::printable(report.network().describe(roots.nodes[i]));
    if (roots.nodes.size() > named) text += ", and " + base::grouped(roots.nodes.size() - named) + " more";
    write_indented(out, text, 0);
}

void write_head(std::ostream& out, AuditReport const& report) {
    audit::Audit const& audit = report.audit;
    model::Network const& network = report.network();
    std::string line = fmt::format("{}, {}, {}", base::counted(audit.request.hosts.size(), "host", "hosts"),
                                   base::counted(network.switches(), "switch", "switches"),
                                   base::counted(network.links().size(), "link", "links"));
    if (!audit.request.apart.empty())
        line += ", " + base::counted(audit.request.apart.size(), "aggregation node", "aggregation nodes") + " apart";
    fmt::print(out, "Audit of {}, digest {}\n", line, report.digest);
    if (std::string const origin = report.audit.fabric.origin.text(); !origin.empty())
        fmt::print(out, "{}\n", base::printable(origin));
    std::string files;
    for (auto const& [what, names] : audit.request.used) files += (files.empty() ? "" : "; ") + what + ": " + names;
    if (!files.empty()) write_indented(out, base::printable("Files of the folder: " + files), 0);
    write_roots(out, report);
}

/// `a link level 1 -> level 2 carries 36.00 times its share (leaf-07 [19] -> spine-3 [7])`
std::string imbalance_text(AuditReport const& report) {
    audit::Stage const& stage = *report.audit.balance.least_even();
    return fmt::format("a link {} carries {} times its share ({})", stage_name(stage),
                       base::fixed_text(stage.imbalance(), 2), short_link(report.network(), stage.hottest));
}

constexpr char const* deadlock_unknown =
    "whether packets can deadlock depends on service levels that are not given (add --path-sl none where the routing "
    "uses none, as minhop, updn, ftree and dor; else --path-sl FILE, the dump of path records)";

/// What is weak about the choices of switches, and no fault; empty when nothing is.
std::string weak_choices_text(AuditReport const& report) {
    if (std::string empty = empty_groups_text(report); !empty.empty()) return empty;
    bool const hashed = model::traits_of(report.audit.fabric).by_hash;
    std::uint64_t const lacking = hashed ? report.audit.count(audit::FindingKind::groups) : 0;
    if (lacking == 0) return {};
    return fmt::format("routes lack next hops ({} {} of groups)", base::grouped(lacking),
                       lacking == 1 ? "finding" : "findings");
}

void write_verdict(std::ostream& out, AuditReport const& report) {
    std::string text, ignored, other;  // `ignored`: faults by themselves that --fail-on does not ask for
    for (audit::FindingKindInfo const& info : audit::finding_kinds()) {
        std::uint64_t const count =
            report.counts(info.kind) ? report.audit.count(info.kind) : report.count_others(info.kind);
        if (count == 0 || report.is_undecided(info.kind)) continue;
        std::string& list = report.counts(info.kind) ? text : info.fails ? ignored : other;
        list += fmt::format("{}{} {}", list.empty() ? "" : ", ", base::grouped(count), info.name);
    }
    for (audit::Code const code : report.fail_on_codes)
        if (std::uint64_t const count = report.count(code); count > 0 && !report.counts(diagnosis::kind_of(code)))
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", base::grouped(count), diagnosis::info_of(code).id);
    Verdict const verdict = report.verdict();
    std::string const weak = weak_choices_text(report);
    switch (verdict) {
        case Verdict::sound:
            text = weak.empty() ? "SOUND: nothing found that counts as a fault"
                                : "SOUND, but " + weak + "; nothing found that counts as a fault";
            break;
        case Verdict::unbalanced:
            text = "SOUND BUT BADLY BALANCED: " + imbalance_text(report) + "; nothing found that counts as a fault";
            break;
        case Verdict::undecided:
            text = fmt::format("UNDECIDED: {}; nothing else found that counts as a fault", deadlock_unknown);
            break;
        case Verdict::not_sound: text = "NOT SOUND, but no findings of the kinds that --fail-on counts"; break;
        case Verdict::faults: text = "FAULTS: " + text; break;
        case Verdict::nothing_examined:
            text = "NOTHING EXAMINED: no host has a LID of its own" + (text.empty() ? text : "; faults: " + text);
            break;
    }
    if (!ignored.empty()) text += "; faults that --fail-on leaves out: " + ignored;
    if (verdict > Verdict::undecided && report.audit.deadlock_is_undecided)
        text += fmt::format("; undecided: {}", deadlock_unknown);
    if (verdict > Verdict::unbalanced && report.audit.balance.is_bad())
        text += "; badly balanced: " + imbalance_text(report);
    if (verdict != Verdict::sound && !weak.empty()) text += "; " + weak;
    if (!other.empty()) text += "; not counted as faults: " + other;
    write_indented(out, text, 0);
}

void write_findings(std::ostream& out, AuditReport const& report) {
    std::vector<audit::Finding> const& findings = report.audit.findings;
    std::vector<audit::FindingKind> order;          // kinds as their worst comes
    for (audit::Finding const& finding : findings)  // how many pairs are asymmetric is told with their routes
        if (finding.kind != audit::FindingKind::asymmetric &&
            std::find(order.begin(), order.end(), finding.kind) == order.end())
            order.push_back(finding.kind);
    for (audit::FindingKind const kind : order) {
        audit::FindingKindInfo const& info = info_of(kind);
        auto const count = std::uint64_t(std::count_if(
            findings.begin(), findings.end(), [&](audit::Finding const& finding) { return finding.kind == kind; }));
        // A pair can take several detours: what is told here is pairs.
        std::uint64_t const pairs = kind == audit::FindingKind::nonminimal ? report.audit.all_pairs.longer
                                    : kind == audit::FindingKind::updown   ? report.audit.all_pairs.down_then_up
                                                                           : report.audit.pairs(kind);
        bool const failed = kind == audit::FindingKind::inconsistent && report.audit.fabric.origin.failed();
        fmt::print(out, "\n{}: {}{}{}\n", info.name,
                   failed ? "the tables do not fit the network after the requested failures" : info.meaning,
                   report.is_undecided(kind) ? ", undecided" : "",
                   pairs > 0 ? " (" + base::counted(pairs, "pair", "pairs") + ")" : "");
        std::uint64_t shown = 0;
        for (audit::Finding const& finding : findings) {
            if (finding.kind != kind) continue;
            if (shown++ == report.top) break;
            std::string const cost = finding.pairs > 0 ? ": " + base::counted(finding.pairs, "pair", "pairs") : "";
            write_indented(
                out,
                fmt::format("{}{} [{}]", base::printable(finding.where), cost, diagnosis::info_of(finding.code).id), 2);
            write_indented(out, base::printable(finding.message), 6);
            if (finding.symptoms.empty()) continue;
            audit::Finding const& symptom = finding.symptoms.front();
            write_indented(
                out,
                fmt::format("{} of it: {}{}: {}", base::counted(finding.symptoms.size(), "symptom", "symptoms"),
                            finding.symptoms.size() > 1 ? "the first is at " : "", base::printable(symptom.where),
                            base::printable(symptom.message)),
                6);
        }
        if (count > report.top) fmt::print(out, "  and {} more\n", base::grouped(count - report.top));
    }
}

void write_fates(std::ostream& out, AuditReport const& report) {
    audit::PairCounts const pairs = report.audit.fates();
    fmt::print(out, "\nFates of all {} pairs (source port, destination {})\n", base::grouped(pairs.total),
               model::words_of(report.audit.fabric).destination);
    for (auto const& [name, count] : {std::pair{"delivered", pairs.delivered},
                                      {"unreachable", pairs.unreachable},
                                      {"loop", pairs.loop},
                                      {"misdelivered", pairs.misdelivered}})
        fmt::print(out, "  {:<13}{} {}\n", name, base::right_aligned(base::grouped(count), 17),
                   base::right_aligned(percent_text(count, pairs.total), 10));
    if (audit::SwitchLids const& lids = report.audit.switch_lids; lids.routed)
        write_indented(
            out,
            fmt::format("Not counted: {} pairs (switch, LID of another switch), {} of them not delivered.",
                        base::grouped(lids.pairs.total), base::grouped(lids.pairs.total - lids.pairs.delivered)),
            2);
    else if (lids.lids > 0)
        write_indented(out, "Not checked: the LIDs of switches; no table has an entry for another switch's LID.", 2);
    if (report.audit.request.apart.empty()) return;
    audit::PairCounts const& apart = report.audit.apart_pairs;
    write_indented(out,
                   fmt::format("Not counted: {} pairs with an aggregation node at one end, {} of them not delivered.",
                               base::grouped(apart.total), base::grouped(apart.total - apart.delivered)),
                   2);
}

void write_lengths(std::ostream& out, AuditReport const& report) {
    audit::AllPairsResult const& all_pairs = report.audit.all_pairs;
    if (all_pairs.pairs.delivered == 0) return;
    fmt::print(out, "\nLinks of a route (host links counted)\n");
    std::uint64_t most = 0;
    for (std::uint64_t const pairs : all_pairs.hops) most = std::max(most, pairs);
    for (std::size_t k = 0; k < all_pairs.hops.size(); ++k)
        if (all_pairs.hops[k] > 0)
            fmt::print(out, "  {:>4} │{} {} {}\n", k, base::padded(base::block_bar(all_pairs.hops[k], most, 56), 56),
                       base::right_aligned(base::grouped(all_pairs.hops[k]), 17),
                       base::right_aligned(percent_text(all_pairs.hops[k], all_pairs.pairs.delivered), 10));
    if (all_pairs.longer == 0) {
        fmt::print(out, "  Every route is a shortest path.\n");
    } else {
        std::string by;
        for (std::size_t k = 0; k < all_pairs.excess.size(); ++k)
            if (all_pairs.excess[k] > 0)
                by += fmt::format("{}{} by {}", by.empty() ? "" : ", ", base::grouped(all_pairs.excess[k]), k);
        write_indented(
            out,
            fmt::format("{} pairs ({}) take more links than the shortest path: {}.", base::grouped(all_pairs.longer),
                        percent_text(all_pairs.longer, all_pairs.pairs.delivered), by),
            2);
    }
    audit::UpDown const& updown = report.audit.updown;
    if (!updown.asked) write_indented(out, "up*/down* is not checked: " + base::printable(updown.reason) + ".", 2);
    else
        write_indented(
            out,
            fmt::format("up*/down* from {} ({}): {}.", base::counted(updown.roots.size(), "root", "roots"),
                        updown.inferred ? "the switches farthest from the hosts" : "as given",
                        all_pairs.down_then_up == 0 ? "every route keeps to it"
                                                    : base::counted(all_pairs.down_then_up, "pair goes", "pairs go") +
                                                          " up again after going down"),
            2);
    audit::Asymmetry const& asymmetry = report.audit.asymmetry;
    write_indented(out,
                   asymmetry.differing == 0
                       ? "Both directions of every pair take the same cables."
                       : fmt::format("{} of {} pairs of endpoints ({}) return over other cables than they went.",
                                     base::grouped(asymmetry.differing), base::grouped(asymmetry.pairs),
                                     percent_text(asymmetry.differing, asymmetry.pairs)),
                   2);
}

void write_deadlock(std::ostream& out, AuditReport const& report) {
    if (!report.audit.deadlock) return;
    audit::DeadlockReport const& verdict = *report.audit.deadlock;
    bool const undecided = report.audit.deadlock_is_undecided;
    model::FabricWords const& words = model::words_of(report.audit.fabric);
    out << '\n';
    write_indented(
        out,
        fmt::format("Deadlock, on {}: {}{}", base::counted(verdict.lanes, words.lane, words.lanes),
                    undecided ? "undecided; at service level 0: " : "",
                    verdict.free ? "free (no cycle of channel dependencies)"
                                 : base::counted(verdict.cycles.size(), "cyclic component", "cyclic components") +
                                       " of channels that can wait for each other"),
        0);
    if (std::optional<std::uint64_t> const& components = report.audit.cyclic_components_with_apart)
        write_indented(
            out,
            "Without the pairs of aggregation nodes; with them: " +
                (*components == 0 ? "free." : base::counted(*components, "cyclic component.", "cyclic components.")),
            2);
    if (undecided)
        write_indented(out,
                       "All packets were taken to travel at service level 0. If the routing engine uses service levels "
                       "(dfsssp, lash, nue, torus-2QoS), give them with --path-sl, and their lanes with --sl2vl. If it "
                       "uses none (minhop, updn, ftree, dor), say so: --path-sl none.",
                       2);
}

/// Where switches choose, what is told of cables is told of one choice a destination.
std::string by_static_entries(AuditReport const& report) {
    if (report.audit.fabric.candidates == nullptr) return "";
    return " (" + std::string(model::words_of(report.audit.fabric).fixed) + "; other choices use other cables)";
}

void write_what_if(std::ostream& out, AuditReport const& report) {
    if (!report.audit.removal) return;
    audit::WhatIf const& answer = *report.audit.removal;
    model::Network const& network = report.network();
    fmt::print(out, "\nWhat if: {} of {} break ({}) if the tables stay unchanged{}\n", base::grouped(answer.broken),
               base::counted(answer.delivered, "delivered pair", "delivered pairs"),
               percent_text(answer.broken, answer.delivered), by_static_entries(report));
    for (audit::Removal const& removal : answer.removals)
        write_indented(
            out,
            fmt::format("without {}: {}", base::printable(removal.text), base::counted(removal.pairs, "pair", "pairs")),
            2);
    std::size_t const destinations = std::min<std::size_t>(report.top, answer.destinations.size());
    for (std::size_t i = 0; i < destinations; ++i) {
        audit::WhatIf::Destination const& loss = answer.destinations[i];
        fmt::print(out, "  {:>13} of {:>9} to LID {:<6} {}\n", base::grouped(loss.broken),
                   base::grouped(loss.delivered), loss.lid,
                   base::shortened(base::printable(network[network[loss.host].node].name), width - 51));
    }
    if (answer.destinations.size() > destinations)
        fmt::print(out, "  and {} more\n",
                   base::counted(answer.destinations.size() - destinations, "destination", "destinations"));
    std::size_t const sources = std::min<std::size_t>(report.top, answer.sources.size());
    for (std::size_t i = 0; i < sources; ++i)
        fmt::print(out, "  {:>13} from hosts at {}\n", base::grouped(answer.sources[i].broken),
                   base::shortened(base::printable(network[answer.sources[i].node].name), width - 31));
    if (answer.sources.size() > sources)
        fmt::print(out, "  and {} more\n", base::counted(answer.sources.size() - sources, "switch", "switches"));
}

void write_criticality(std::ostream& out, AuditReport const& report) {
    std::vector<audit::CablePairs> const& cables = report.audit.cables;
    if (cables.empty()) return;
    model::Network const& network = report.network();
    std::vector<audit::CablePairs> inner, outer;  // most pairs first, as they come
    for (audit::CablePairs const& cable : cables) {
        if (report.audit.balance.stage_of[cable.link.value] == audit::Balance::no_stage)
            continue;  // of what is kept apart
        model::LinkRecord const& link = network[cable.link];
        bool const between = network.is_switch(link.from) && network.is_switch(link.to);
        (between ? inner : outer).push_back(cable);
    }
    bool const between = !inner.empty();
    std::vector<audit::CablePairs> const& listed = between ? inner : outer;
    fmt::print(out, "\nCables{} by the pairs that depend on them (both directions)\n",
               between ? " between switches" : "");
    std::size_t const shown = std::min<std::size_t>(report.top, listed.size());
    for (std::size_t i = 0; i < shown; ++i)
        fmt::print(out, "  {:>13}  {}\n", base::grouped(listed[i].pairs), short_link(network, listed[i].link));
    if (listed.size() > shown) fmt::print(out, "  and {} more\n", base::grouped(listed.size() - shown));
    if (between && !outer.empty())
        write_indented(out,
                       fmt::format("The cables of hosts ({}) carry {} to {} pairs each, all those of their hosts.",
                                   base::grouped(outer.size()), base::grouped(outer.back().pairs),
                                   base::grouped(outer.front().pairs)),
                       2);
}

/// All groups with a fault, then the hottest, as far as --top goes.
void write_groups(std::ostream& out, AuditReport const& report) {
    std::vector<audit::GroupSum> groups = report.audit.groups;
    if (groups.empty()) return;
    std::stable_sort(groups.begin(), groups.end(), [](audit::GroupSum const& a, audit::GroupSum const& b) {
        return (a.faults > 0) != (b.faults > 0) ? a.faults > 0
               : a.faults != b.faults           ? a.faults > b.faults
                                                : a.largest > b.largest;
    });
    fmt::print(out, "\nBy group ({}; those with faults first, then by the largest load)\n",
               base::counted(groups.size(), "group", "groups"));
    fmt::print(out, "  {:>7}{:>7}{:>8}{:>14}{:>14}{:>9}{:>14}  group\n", "hosts", "faults", "others", "load out",
               "load in", "x ideal", "critical");
    std::size_t const shown = std::min<std::size_t>(report.top, groups.size());
    for (std::size_t i = 0; i < shown; ++i) {
        audit::GroupSum const& sum = groups[i];
        fmt::print(out, "  {:>7}{:>7}{:>8}{:>14}{:>14}{:>9}{:>14}  {}\n", base::grouped(sum.hosts),
                   base::grouped(sum.faults), base::grouped(sum.others), base::grouped(sum.load_out),
                   base::grouped(sum.load_in), base::fixed_text(sum.largest, 2), base::grouped(sum.critical_pairs),
                   base::shortened(base::printable(sum.name), 25));
    }
    if (groups.size() > shown) fmt::print(out, "  and {} more\n", base::grouped(groups.size() - shown));
}

void write_stages(std::ostream& out, AuditReport const& report) {
    audit::Balance const& balance = report.audit.balance;
    if (balance.hops == 0) return;
    fmt::print(out, "\nBalance: pairs over a link (edge forwarding index), by stage\n");
    fmt::print(out, "  {:<20}{:>10}{:>9}{:>15}{:>14}{:>14}{:>11}\n", "stage", "links", "unused", "ideal", "least",
               "largest", "x ideal");
    for (audit::Stage const& stage : balance.stages)
        fmt::print(out, "  {:<20}{:>10}{:>9}{:>15}{:>14}{:>14}{:>11}\n", stage_name(stage), base::grouped(stage.links),
                   base::grouped(stage.unused), base::fixed_text(stage.ideal(), 1), base::grouped(stage.least),
                   base::grouped(stage.most), stage.total == 0 ? "-" : base::fixed_text(stage.imbalance(), 2));
    if (balance.largest_between_switches == 0) return;
    std::string text =
        fmt::format("The largest between switches is {}.", base::grouped(balance.largest_between_switches));
    for (std::string const& sentence : report.bound_words()) text += " " + sentence;
    if (!report.audit.no_bound.empty()) text += " How low it could be is not known: " + report.audit.no_bound + ".";
    write_indented(out, text, 2);
}

void write_bisection(std::ostream& out, AuditReport const& report) {
    if (!report.audit.bisection || report.audit.all_pairs.pairs.total == 0) return;
    fmt::print(out, "\nEffective bisection bandwidth (hosts paired at random, links counted alike)\n");
    write_indented(out, bisection_sentence(*report.audit.bisection, report.audit.most_bisection), 2);
}

void write_hottest(std::ostream& out, AuditReport const& report) {
    audit::Balance const& balance = report.audit.balance;
    model::Network const& network = report.network();
    if (balance.hottest.empty() || report.top == 0) return;
    std::vector<std::uint64_t> const& load = report.audit.all_pairs.load;
    bool const inner = balance.largest_between_switches > 0;
    auto const ties = std::uint64_t(std::count_if(balance.hottest.begin(), balance.hottest.end(), [&](model::Link l) {
        return load[l.value] == load[balance.hottest.front().value];
    }));
    fmt::print(
        out, "\nHottest links{}, by pairs{}\n", inner ? " between switches" : "",
        ties > report.top ? fmt::format(" ({} share the largest load; the first of them)", base::grouped(ties)) : "");
    fmt::print(out, "  {:>13}{:>9}{:>7}  link\n", "pairs", "x ideal", model::words_of(report.audit.fabric).receivers);
    std::size_t const shown = std::min<std::size_t>(report.top, balance.hottest.size());
    for (std::size_t i = 0; i < shown; ++i) {
        model::Link const link = balance.hottest[i];
        audit::Stage const& stage = balance.stages[balance.stage_of[link.value]];
        fmt::print(out, "  {:>13}{:>9}{:>7}  {}\n", base::grouped(load[link.value]),
                   base::fixed_text(double(load[link.value]) / stage.ideal(), 2),
                   base::grouped(report.audit.all_pairs.destinations[link.value]), short_link(network, link));
    }
    if (balance.hottest.size() > shown)
        fmt::print(out, "  and {} more\n", base::grouped(balance.hottest.size() - shown));
}

void write_worst_switches(std::ostream& out, AuditReport const& report) {
    std::vector<audit::SwitchLoad> uneven;
    for (audit::SwitchLoad const& load : report.audit.balance.switches)
        if (load.total > 0 && double(load.most) > 1.1 * load.ideal()) uneven.push_back(load);
    if (uneven.empty() || report.top == 0) return;
    std::stable_sort(uneven.begin(), uneven.end(), [](audit::SwitchLoad const& a, audit::SwitchLoad const& b) {
        return double(a.most) * b.ideal() > double(b.most) * a.ideal();
    });
    fmt::print(out, "\nLeast even switches (towards other switches)\n");
    fmt::print(out, "  {:>9}{:>14}{:>14}{:>8}{:>8}  switch\n", "x ideal", "largest", "ideal", "links", "unused");
    std::size_t const shown = std::min<std::size_t>(report.top, uneven.size());
    for (std::size_t i = 0; i < shown; ++i) {
        audit::SwitchLoad const& load = uneven[i];
        fmt::print(out, "  {:>9}{:>14}{:>14}{:>8}{:>8}  {}\n", base::fixed_text(double(load.most) / load.ideal(), 2),
                   base::grouped(load.most), base::fixed_text(load.ideal(), 1), load.links, load.unused,
                   base::shortened(base::printable(report.network()[load.node].name), width - 57));
    }
    if (uneven.size() > shown) fmt::print(out, "  and {} more\n", base::grouped(uneven.size() - shown));
}

void write_worst_case(std::ostream& out, AuditReport const& report) {
    audit::WorstCase const& worst = report.audit.worst_case;
    if (!worst.kind && !worst.shifts) {
        fmt::print(out, "\nWorst case: left out (--worst-case exact --shifts all computes it)\n");
        return;
    }
    if (!worst.worst.exists() && !worst.shifts) return;
    fmt::print(out, "\nWorst case\n");
    if (worst.worst.exists()) {
        std::uint32_t const flows = worst.flows[worst.worst.value];
        auto const ties = std::uint64_t(std::count(worst.flows.begin(), worst.flows.end(), flows));
        bool const exact = *worst.kind == audit::WorstCaseKind::exact;
        write_indented(
            out,
            fmt::format("{} {} on one link: {}{}{}.",
                        exact ? "Some permutation of the hosts puts" : "No permutation of the hosts puts more than",
                        base::counted(flows, "flow", "flows"), short_link(report.network(), worst.worst),
                        ties > 1 ? fmt::format(", and {} like it", base::grouped(ties - 1)) : "",
                        exact ? " (none puts more on any)" : ""),
            2);
    }
    if (!worst.shifts || worst.shifts->worst_shift == 0) return;
    audit::ShiftLoads const& shifts = *worst.shifts;
    std::string const all = base::counted(shifts.largest.size() - 1, "shift", "shifts") + " of the hosts in " +
                            (worst.order == audit::ShiftOrder::file ? "the order of the file" : "breadth-first order");
    if (shifts.worst_load == 1) return write_indented(out, all + ": none puts two flows on one link.", 2);
    write_indented(
        out,
        fmt::format("{}: {} without contention; the shift by {} puts {} on {}.", all,
                    base::grouped(shifts.without_contention()), base::grouped(shifts.worst_shift),
                    base::counted(shifts.worst_load, "flow", "flows"), short_link(report.network(), shifts.worst_link)),
        2);
}

}  // namespace

void write_audit_text(std::ostream& out, AuditReport const& report) {
    write_head(out, report);
    write_verdict(out, report);
    write_findings(out, report);
    write_fates(out, report);
    write_lengths(out, report);
    write_deadlock(out, report);
    write_choices(out, report);
    write_what_if(out, report);
    write_criticality(out, report);
    write_groups(out, report);
    write_stages(out, report);
    write_bisection(out, report);
    write_hottest(out, report);
    write_worst_switches(out, report);
    write_worst_case(out, report);
}

}  // namespace tailback::report
