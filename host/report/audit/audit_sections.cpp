#include "host/report/audit/audit_sections.hpp"

#include "host/base/numbers.hpp"
#include "host/model/fabric/fabric_traits.hpp"
#include "host/model/routes/candidate_sets.hpp"
#include "host/model/routes/fabric_words.hpp"
#include "host/model/routes/lags.hpp"
#include "host/report/bound_report.hpp"
#include "host/report/evaluate/evaluate_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tailback::report {
namespace {

Cell cell_of(AuditReport const& report, model::Link link) { return report.network().ends(link); }
std::string label_of(AuditReport const& report, model::Link link) { return link_label(report.network().ends(link)); }
std::string const& name_of(AuditReport const& report, model::Node node) { return report.network()[node].name; }

/// `63`; in an IP fabric the address.
std::string lid_text(AuditReport const& report, model::Lid lid) {
    return report.audit.fabric.ip == nullptr ? std::to_string(lid) : model::destination_text(report.audit.fabric, lid);
}

/// Where switches choose, permutations and shifts are of one choice a destination alone.
std::string by_static_entries(AuditReport const& report) {
    if (report.audit.fabric.candidates == nullptr) return "";
    return " (" + std::string(model::words_of(report.audit.fabric).fixed) + " alone; other choices use other cables)";
}

/// `, and 5 like it`
std::string others_like_it(std::uint64_t links) {
    return links > 1 ? fmt::format(", and {} like it", base::grouped(links - 1)) : "";
}

/// Where switches divide equally.
void add_divided_worst(Document& document, AuditReport const& report) {
    std::optional<audit::DividedWorst> const& worst = report.audit.worst_case.divided;
    if (!worst || !worst->link.exists()) return;
    document.sentence(
        worst->exact
            ? fmt::format("Where switches divide equally, some permutation of the hosts puts {} flows on one link: "
                          "{}{} (none puts more on any).",
                          base::fixed_text(worst->flows, 2), label_of(report, worst->link),
                          others_like_it(worst->links))
            : fmt::format("Where switches divide equally, some permutation of the hosts puts at least {} flows on one "
                          "link, and none more than {} (the most is not known exactly: it would take long; the bound "
                          "is that of {}{}).",
                          base::fixed_text(worst->at_least, 2), base::fixed_text(worst->flows, 2),
                          label_of(report, worst->link), others_like_it(worst->links)),
        2);
}

/// All groups with a fault, then the hottest.
void add_groups(Document& document, AuditReport const& report) {
    std::vector<audit::GroupSum> groups = report.audit.groups;
    if (groups.empty()) return;
    std::stable_sort(groups.begin(), groups.end(), [](audit::GroupSum const& a, audit::GroupSum const& b) {
        return (a.faults > 0) != (b.faults > 0) ? a.faults > 0
               : a.faults != b.faults           ? a.faults > b.faults
                                                : a.largest > b.largest;
    });
    document.heading(fmt::format("By group ({}; those with faults first, then by the largest load)",
                                 base::counted(groups.size(), "group", "groups")));
    Table table{.columns = {{"hosts"},
                            {"faults"},
                            {"others"},
                            {"load out"},
                            {"load in"},
                            {"x ideal"},
                            {"critical"},
                            name_column("group")}};
    add_rows(table, groups, report.top, [](audit::GroupSum const& sum) -> std::vector<Cell> {
        return {base::grouped(sum.hosts),        base::grouped(sum.faults),
                base::grouped(sum.others),       amount_text(sum.load_out),
                amount_text(sum.load_in),        base::fixed_text(sum.largest, 2),
                amount_text(sum.critical_pairs), sum.name};
    });
    document.table(std::move(table));
}

void add_stages(Document& document, AuditReport const& report) {
    audit::Balance const& balance = report.audit.balance;
    if (balance.hops == 0) return;
    auto const pairs = [&](double load) { return amount_text(balance.pairs(load)); };
    document.heading(report.audit.choices
                         ? "Balance: pairs over a link where switches divide equally among their ports, by stage"
                         : "Balance: pairs over a link (edge forwarding index), by stage");
    Table table{
        .columns = {word_column("stage"), {"links"}, {"unused"}, {"ideal"}, {"least"}, {"largest"}, {"x ideal"}}};
    for (audit::Stage const& stage : balance.stages)
        table.rows.push_back({stage_name(stage), base::grouped(stage.links), base::grouped(stage.unused),
                              base::fixed_text(balance.pairs(stage.ideal()), 1), pairs(double(stage.least)),
                              pairs(double(stage.most)),
                              stage.total == 0 ? "-" : base::fixed_text(stage.imbalance(), 2)});
    document.table(std::move(table));
    if (auto const& choices = report.audit.choices; choices && choices->always < choices->pairs)
        document.sentence(fmt::format("{} that some choice of the switches loses load nothing here.",
                                      base::counted(choices->pairs - choices->always, "pair", "pairs")),
                          2);
    if (balance.largest_between_switches == 0) return;
    std::string text =
        fmt::format("The largest between switches is {}.", pairs(double(balance.largest_between_switches)));
    for (std::string const& sentence : report.bound_words()) text += " " + sentence;
    if (!report.audit.no_bound.empty()) text += " How low it could be is not known: " + report.audit.no_bound + ".";
    document.sentence(text, 2);
}

bool has_several_rates(model::Network const& network) {
    model::LinkRate first;
    return std::ranges::any_of(network.links(), [&](model::LinkRecord const& link) {
        if (link.rate.stated() && !first.stated()) first = link.rate;
        return link.rate.stated() && link.rate.elevenths_of_gbps() != first.elevenths_of_gbps();
    });
}

void add_bisection(Document& document, AuditReport const& report) {
    if ((!report.audit.bisection && !report.audit.sampled) || report.audit.all_pairs.pairs.total == 0) return;
    document.heading(fmt::format("Effective bisection bandwidth (hosts paired at random, links counted alike{})",
                                 model::traits_of(report.audit.fabric).lmc > 0 ? ", base LIDs alone" : ""));
    if (std::optional<audit::SampledBisection> const& found = report.audit.sampled)
        return (void)document.sentence(
            fmt::format("{} +- {} where switches divide flows equally, {} +- {} where a hash picks one port for every "
                        "flow ({} mappings).",
                        base::fixed_text(found->equal.mean, 3), base::fixed_text(found->equal.half_width, 3),
                        base::fixed_text(found->hashed.mean, 3), base::fixed_text(found->hashed.half_width, 3),
                        base::grouped(found->mappings)),
            2);
    std::string text = bisection_sentence(*report.audit.bisection, report.audit.most_bisection);
    if (has_several_rates(report.network()))
        text += " Links have several rates here, which `tailback evaluate` counts with.";
    document.sentence(text, 2);
}

void add_hottest(Document& document, AuditReport const& report) {
    audit::Balance const& balance = report.audit.balance;
    if (balance.hottest.empty() || report.top == 0) return;
    std::vector<std::uint64_t> const& load = report.audit.load();
    auto const ties = std::uint64_t(std::count_if(balance.hottest.begin(), balance.hottest.end(), [&](model::Link l) {
        return load[l.value] == load[balance.hottest.front().value];
    }));
    document.heading(fmt::format(
        "Hottest links{}, by pairs{}", balance.largest_between_switches > 0 ? " between switches" : "",
        ties > report.top ? fmt::format(" ({} share the largest load; the first of them)", base::grouped(ties)) : ""));
    Table table{
        .columns = {{"pairs"}, {"x ideal"}, {model::words_of(report.audit.fabric).receivers}, name_column("link")}};
    add_rows(table, balance.hottest, report.top, [&](model::Link link) -> std::vector<Cell> {
        audit::Stage const& stage = balance.stages[balance.stage_of[link.value]];
        return {amount_text(report.audit.pairs_over(link)),
                base::fixed_text(double(load[link.value]) / stage.ideal(), 2),
                base::grouped(report.audit.all_pairs.destinations[link.value]), cell_of(report, link)};
    });
    document.table(std::move(table));
}

void add_worst_switches(Document& document, AuditReport const& report) {
    constexpr double even = 1.1;
    audit::Balance const& balance = report.audit.balance;
    std::vector<audit::SwitchLoad> uneven;
    for (audit::SwitchLoad const& load : balance.switches)
        if (load.total > 0 && double(load.most) > even * load.ideal()) uneven.push_back(load);
    if (uneven.empty() || report.top == 0) return;
    std::stable_sort(uneven.begin(), uneven.end(), [](audit::SwitchLoad const& a, audit::SwitchLoad const& b) {
        return double(a.most) * b.ideal() > double(b.most) * a.ideal();
    });
    document.heading("Least even switches (towards other switches)");
    Table table{.columns = {{"x ideal"}, {"largest"}, {"ideal"}, {"links"}, {"unused"}, name_column("switch")}};
    add_rows(table, uneven, report.top, [&](audit::SwitchLoad const& load) -> std::vector<Cell> {
        return {base::fixed_text(double(load.most) / load.ideal(), 2),
                amount_text(balance.pairs(double(load.most))),
                base::fixed_text(balance.pairs(load.ideal()), 1),
                base::grouped(load.links),
                base::grouped(load.unused),
                name_of(report, load.node)};
    });
    document.table(std::move(table));
}

}  // namespace

void add_fates(Document& document, AuditReport const& report) {
    audit::PairCounts const pairs = report.audit.fates();
    document.heading(fmt::format("Fates of all {} pairs (source port, destination {})", base::grouped(pairs.total),
                                 model::words_of(report.audit.fabric).destination));
    Table table{.columns = {word_column(), {""}, {""}}};
    for (auto const& [name, count] : {std::pair{"delivered", pairs.delivered},
                                      {"unreachable", pairs.unreachable},
                                      {"loop", pairs.loop},
                                      {"misdelivered", pairs.misdelivered}})
        table.rows.push_back({name, base::grouped(count), percent_text(count, pairs.total)});
    document.table(std::move(table));
    if (audit::SwitchLids const& lids = report.audit.switch_lids; lids.routed)
        document.sentence(
            fmt::format("Not counted: {} pairs (switch, LID of another switch), {} of them not delivered.",
                        base::grouped(lids.pairs.total), base::grouped(lids.pairs.total - lids.pairs.delivered)),
            2);
    else if (lids.lids > 0)
        document.sentence("Not checked: the LIDs of switches; no table has an entry for another switch's LID.", 2);
    if (report.audit.request.apart.empty()) return;
    audit::PairCounts const& apart = report.audit.apart_pairs;
    document.sentence(
        fmt::format("Not counted: {} pairs with an aggregation node at one end, {} of them not delivered.",
                    base::grouped(apart.total), base::grouped(apart.total - apart.delivered)),
        2);
}

void add_lengths(Document& document, AuditReport const& report) {
    audit::AllPairsResult const& all_pairs = report.audit.all_pairs;
    if (all_pairs.pairs.delivered == 0) return;
    document.heading("Links of a route (host links counted)");
    Bars bars;
    for (std::size_t k = 0; k < all_pairs.hops.size(); ++k)
        if (std::uint64_t const pairs = all_pairs.hops[k]; pairs > 0)
            bars.push_back({std::to_string(k), pairs, base::grouped(pairs),
                            base::right_aligned(percent_text(pairs, all_pairs.pairs.delivered), 9)});
    document.bars(std::move(bars));
    std::string by;
    for (std::size_t k = 0; k < all_pairs.excess.size(); ++k)
        if (all_pairs.excess[k] > 0)
            by += fmt::format("{}{} by {}", by.empty() ? "" : ", ", base::grouped(all_pairs.excess[k]), k);
    document.sentence(
        all_pairs.longer == 0
            ? "Every route is a shortest path."
            : fmt::format("{} pairs ({}) take more links than the shortest path: {}.", base::grouped(all_pairs.longer),
                          percent_text(all_pairs.longer, all_pairs.pairs.delivered), by),
        2);
    audit::UpDown const& updown = report.audit.updown;
    document.sentence(
        !updown.asked
            ? "up*/down* is not checked: " + updown.reason + "."
            : fmt::format("up*/down* from {} ({}): {}.", base::counted(updown.roots.size(), "root", "roots"),
                          updown.inferred ? "the switches farthest from the hosts" : "as given",
                          all_pairs.down_then_up == 0 ? "every route keeps to it"
                                                      : base::counted(all_pairs.down_then_up, "pair goes", "pairs go") +
                                                            " up again after going down"),
        2);
    audit::Asymmetry const& asymmetry = report.audit.asymmetry;
    document.sentence(asymmetry.differing == 0
                          ? "Both directions of every pair take the same cables."
                          : fmt::format("{} of {} pairs of endpoints ({}) return over other cables than they went.",
                                        base::grouped(asymmetry.differing), base::grouped(asymmetry.pairs),
                                        percent_text(asymmetry.differing, asymmetry.pairs)),
                      2);
}

void add_deadlock(Document& document, AuditReport const& report) {
    if (!report.audit.deadlock) return;
    audit::DeadlockReport const& verdict = *report.audit.deadlock;
    bool const undecided = report.audit.deadlock_is_undecided;
    model::FabricWords const& words = model::words_of(report.audit.fabric);
    document.heading(fmt::format("Deadlock, on {}: {}{}", base::counted(verdict.lanes, words.lane, words.lanes),
                                 undecided ? "undecided; at service level 0: " : "",
                                 verdict.free
                                     ? "free (no cycle of channel dependencies)"
                                     : base::counted(verdict.cycles.size(), "cyclic component", "cyclic components") +
                                           " of channels that can wait for each other"));
    if (std::optional<std::uint64_t> const& components = report.audit.cyclic_components_with_apart)
        document.sentence(
            "Without the pairs of aggregation nodes; with them: " +
                (*components == 0 ? "free." : base::counted(*components, "cyclic component.", "cyclic components.")),
            2);
    if (undecided)
        document.sentence(
            "All packets were taken to travel at service level 0. If the routing engine uses service levels (dfsssp, "
            "lash, nue, torus-2QoS), give them with --path-sl, and their lanes with --sl2vl. If it uses none (minhop, "
            "updn, ftree, dor), say so: --path-sl none.",
            2);
}

void add_what_if(Document& document, AuditReport const& report) {
    if (!report.audit.removal) return;
    audit::WhatIf const& answer = *report.audit.removal;
    model::Network const& network = report.network();
    document.heading(fmt::format(
        "What if: {} of {} break ({}) if the tables stay unchanged{}", amount_text(answer.broken),
        base::counted(answer.delivered, "delivered pair", "delivered pairs"),
        percent_text(static_cast<std::uint64_t>(std::llround(answer.broken * 1000)), answer.delivered * 1000),
        answer.divided ? fmt::format(" and switches divide equally: {} some of their routes, {} of them all",
                                     base::counted(answer.met, "pair loses", "pairs lose"), base::grouped(answer.cut))
                       : ""));
    for (audit::Removal const& removal : answer.removals)
        document.sentence(
            fmt::format("without {}: {} {}{}", removal.text, amount_text(removal.pairs),
                        removal.pairs == 1 ? "pair" : "pairs",
                        removal.other_members == 0 ? "" : "; " + model::taken_by_others_of_lag(removal.other_members)),
            2);
    Table destinations{.columns = {{"broken"},
                                   {"of"},
                                   {model::words_of(report.audit.fabric).destination},
                                   name_column("destination")}},
        sources{.columns = {{"broken"}, name_column("from hosts at")}};
    add_rows(destinations, answer.destinations, report.top,
             [&](audit::WhatIf::Destination const& loss) -> std::vector<Cell> {
                 return {amount_text(loss.broken), base::grouped(loss.delivered), lid_text(report, loss.lid),
                         name_of(report, network[loss.host].node)};
             });
    add_rows(sources, answer.sources, report.top, [&](audit::WhatIf::Source const& loss) -> std::vector<Cell> {
        return {amount_text(loss.broken), name_of(report, loss.node)};
    });
    document.table(std::move(destinations)).table(std::move(sources));
}

void add_criticality(Document& document, AuditReport const& report) {
    model::Network const& network = report.network();
    std::vector<audit::CablePairs> inner, outer;  // most pairs first, as they come
    for (audit::CablePairs const& cable : report.audit.cables) {
        if (report.audit.balance.stage_of[cable.link.value] == audit::Balance::no_stage)
            continue;  // of what is kept apart
        model::LinkRecord const& link = network[cable.link];
        bool const between = network.is_switch(link.from) && network.is_switch(link.to);
        (between ? inner : outer).push_back(cable);
    }
    if (inner.empty() && outer.empty()) return;
    bool const between = !inner.empty();
    document.heading(
        fmt::format("Cables{} by the pairs that depend on them (both directions)", between ? " between switches" : ""));
    Table table{.columns = {{"pairs"}, name_column("cable")}};
    add_rows(table, between ? inner : outer, report.top, [&](audit::CablePairs const& cable) -> std::vector<Cell> {
        return {amount_text(cable.pairs), cell_of(report, cable.link)};
    });
    document.table(std::move(table));
    if (between && !outer.empty())
        document.sentence(
            fmt::format("The cables of hosts ({}) carry {} to {} pairs each, all those of their hosts.",
                        base::grouped(outer.size()), amount_text(outer.back().pairs), amount_text(outer.front().pairs)),
            2);
}

void add_balance(Document& document, AuditReport const& report) {
    add_groups(document, report);
    add_stages(document, report);
    add_bisection(document, report);
    add_hottest(document, report);
    add_worst_switches(document, report);
}

void add_worst_case(Document& document, AuditReport const& report) {
    audit::WorstCase const& worst = report.audit.worst_case;
    if (!worst.kind && !worst.shifts) {
        document.heading("Worst case: left out (--worst-case exact --shifts all computes it)");
        return;
    }
    if (!worst.worst.exists() && !worst.shifts) return;
    bool const by_division = report.audit.worst_case.divided && report.audit.worst_case.divided->link.exists();
    document.heading("Worst case" + (by_division ? "" : by_static_entries(report)));
    add_divided_worst(document, report);
    if (by_division)
        document.sentence("The rest is " + std::string(model::words_of(report.audit.fabric).fixed) +
                              " alone; other choices use other cables:",
                          2);
    if (worst.worst.exists()) {
        std::uint32_t const flows = worst.flows[worst.worst.value];
        auto const ties = std::uint64_t(std::count(worst.flows.begin(), worst.flows.end(), flows));
        bool const exact = *worst.kind == audit::WorstCaseKind::exact;
        document.sentence(
            fmt::format("{} {} on one link: {}{}{}.",
                        exact ? "Some permutation of the hosts puts" : "No permutation of the hosts puts more than",
                        base::counted(flows, "flow", "flows"), label_of(report, worst.worst), others_like_it(ties),
                        exact ? " (none puts more on any)" : ""),
            2);
    }
    if (!worst.shifts || worst.shifts->worst_shift == 0) return;
    audit::ShiftLoads const& shifts = *worst.shifts;
    std::string const all = base::counted(shifts.largest.size() - 1, "shift", "shifts") + " of the hosts in " +
                            (worst.order == audit::ShiftOrder::file ? "the order of the file" : "breadth-first order");
    document.sentence(
        shifts.worst_load == 1
            ? all + ": none puts two flows on one link."
            : fmt::format("{}: {} without contention; the shift by {} puts {} on {}.", all,
                          base::grouped(shifts.without_contention()), base::grouped(shifts.worst_shift),
                          base::counted(shifts.worst_load, "flow", "flows"), label_of(report, shifts.worst_link)),
        2);
}

}  // namespace tailback::report
