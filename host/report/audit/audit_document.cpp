// The audit for people: the verdict, what is wrong and where, then the numbers.
#include "host/base/numbers.hpp"
#include "host/model/fabric/fabric_traits.hpp"
#include "host/model/routes/candidate_sets.hpp"
#include "host/model/routes/fabric_words.hpp"
#include "host/report/audit/audit_sections.hpp"
#include "host/report/audit/choices.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::report {
namespace {

/// Those that the routing took, if it takes any.
void add_roots(Document& document, AuditReport const& report) {
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
    for (std::size_t i = 0; i < named; ++i) text += (i ? ", " : "") + report.network().describe(roots.nodes[i]);
    if (roots.nodes.size() > named) text += ", and " + base::grouped(roots.nodes.size() - named) + " more";
    document.sentence(text);
}

void add_head(Document& document, AuditReport const& report) {
    audit::Audit const& audit = report.audit;
    model::Network const& network = report.network();
    std::string line = fmt::format("{}, {}, {}", base::counted(audit.request.hosts.size(), "host", "hosts"),
                                   base::counted(network.switches(), "switch", "switches"),
                                   base::counted(network.links().size(), "link", "links"));
    if (!audit.request.apart.empty())
        line += ", " + base::counted(audit.request.apart.size(), "aggregation node", "aggregation nodes") + " apart";
    document.sentence(fmt::format("Audit of {}, digest {}", line, report.digest));
    if (std::string const origin = audit.fabric.origin.text(); !origin.empty()) document.sentence(origin);
    std::string files;
    for (auto const& [what, names] : audit.request.used) files += (files.empty() ? "" : "; ") + what + ": " + names;
    if (!files.empty()) document.sentence("Files of the folder: " + files);
    add_roots(document, report);
}

/// `a link level 1 -> level 2 carries 36.00 times its share (leaf-07 [19] -> spine-3 [7])`
std::string imbalance_text(AuditReport const& report) {
    audit::Stage const& stage = *report.audit.balance.least_even();
    return fmt::format("a link {} carries {} times its share ({})", stage_name(stage),
                       base::fixed_text(stage.imbalance(), 2), link_label(report.network().ends(stage.hottest)));
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

void add_finding(Document& document, audit::Finding const& finding) {
    std::string const cost = finding.pairs > 0 ? ": " + base::counted(finding.pairs, "pair", "pairs") : "";
    document.sentence(fmt::format("{}{} [{}]", finding.where, cost, diagnosis::info_of(finding.code).id), 2);
    document.sentence(finding.message, 6);
    if (finding.symptoms.empty()) return;
    audit::Finding const& symptom = finding.symptoms.front();
    document.sentence(
        fmt::format("{} of it: {}{}: {}", base::counted(finding.symptoms.size(), "symptom", "symptoms"),
                    finding.symptoms.size() > 1 ? "the first is at " : "", symptom.where, symptom.message),
        6);
}

/// By kind, as the worst of each comes. How many pairs are asymmetric is told with their routes.
void add_findings(Document& document, AuditReport const& report) {
    std::vector<std::pair<audit::FindingKind, std::vector<audit::Finding const*>>> kinds;
    for (audit::Finding const& finding : report.audit.findings) {
        if (finding.kind == audit::FindingKind::asymmetric) continue;
        auto const at =
            std::find_if(kinds.begin(), kinds.end(), [&](auto const& one) { return one.first == finding.kind; });
        if (at == kinds.end()) kinds.push_back({finding.kind, {&finding}});
        else at->second.push_back(&finding);
    }
    for (auto const& [kind, findings] : kinds) {
        audit::FindingKindInfo const& info = info_of(kind);
        std::uint64_t const pairs = report.pairs(kind);
        bool const failed = kind == audit::FindingKind::inconsistent && report.audit.fabric.origin.failed();
        document.heading(
            fmt::format("{}: {}{}{}", info.name,
                        failed ? "the tables do not fit the network after the requested failures" : info.meaning,
                        report.is_undecided(kind) ? ", undecided" : "",
                        pairs > 0 ? " (" + base::counted(pairs, "pair", "pairs") + ")" : ""));
        add_first(document, findings, report.top, [&](audit::Finding const* one) { add_finding(document, *one); });
    }
}

}  // namespace

std::string AuditReport::sentence() const {
    std::string text, ignored, other;  // `ignored`: faults by themselves that --fail-on does not ask for
    for (audit::FindingKindInfo const& info : audit::finding_kinds()) {
        std::uint64_t const count = counts(info.kind) ? audit.count(info.kind) : count_others(info.kind);
        if (count == 0 || is_undecided(info.kind)) continue;
        std::string& list = counts(info.kind) ? text : info.fails ? ignored : other;
        list += fmt::format("{}{} {}", list.empty() ? "" : ", ", base::grouped(count), info.name);
    }
    for (audit::Code const code : fail_on_codes)
        if (std::uint64_t const count = this->count(code); count > 0 && !counts(diagnosis::kind_of(code)))
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", base::grouped(count), diagnosis::info_of(code).id);
    Verdict const found = verdict();
    std::string const weak = weak_choices_text(*this);
    switch (found) {
        case Verdict::sound:
            text = weak.empty() ? "SOUND: nothing found that counts as a fault"
                                : "SOUND, but " + weak + "; nothing found that counts as a fault";
            break;
        case Verdict::unbalanced:
            text = "SOUND BUT BADLY BALANCED: " + imbalance_text(*this) + "; nothing found that counts as a fault";
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
    if (found > Verdict::undecided && audit.deadlock_is_undecided)
        text += fmt::format("; undecided: {}", deadlock_unknown);
    if (found > Verdict::unbalanced && audit.balance.is_bad()) text += "; badly balanced: " + imbalance_text(*this);
    if (found != Verdict::sound && !weak.empty()) text += "; " + weak;
    if (!other.empty()) text += "; not counted as faults: " + other;
    return text;
}

Document document_of(AuditReport const& report) {
    Document document;
    add_head(document, report);
    document.sentence(report.sentence());
    model::Network const* const networks[] = {&report.network()};
    document.shorten_names(networks);
    add_findings(document, report);
    add_fates(document, report);
    add_lengths(document, report);
    add_deadlock(document, report);
    add_choices(document, report);
    add_what_if(document, report);
    add_criticality(document, report);
    add_balance(document, report);
    add_worst_case(document, report);
    add_tried_routings(document, report);
    add_returned_cables(document, report);
    result::add_next_steps(document, report.next_steps());
    return document;
}

}  // namespace tailback::report
