// What to do about what an audit has found.
#include "host/audit/changes/other_tables.hpp"
#include "host/diagnosis/registry.hpp"
#include "host/model/fabric/fabric_traits.hpp"
#include "host/report/audit/audit_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace tailback::report {
namespace {

constexpr std::size_t most_codes = 5;

/// Would other entries deliver more pairs, free the fabric of deadlock, or level its loads?
bool tables_may_be_better(AuditReport const& report) {
    if (!model::may_have_other_tables(report.audit.fabric)) return false;
    for (audit::FindingKind const kind : {audit::FindingKind::unreachable, audit::FindingKind::loop,
                                          audit::FindingKind::misdelivered, audit::FindingKind::deadlock})
        if (report.audit.count(kind) > 0) return true;
    return report.audit.balance.is_bad() &&
           audit::gain_at_first_sight(report.audit.fabric).value_or(1) >= audit::least_gain;
}

/// Is a cable between switches among those that fail? Hosts that lack theirs, and those that went with it, are taken
/// for all others.
bool a_trunk_fails(model::Fabric const& fabric) {
    std::uint64_t without = fabric.origin.failed_host_members;
    for (std::size_t h = 0; h < fabric.network.hosts().size(); ++h)
        without += !fabric.network.up_link(model::Host{h}).exists();
    return fabric.origin.cables > 0 && fabric.origin.failed_cables > without;
}

}  // namespace

std::vector<result::NextStep> AuditReport::next_steps() const {
    std::vector<result::NextStep> steps;
    std::set<audit::Code> told;
    model::FabricTraits const traits = model::traits_of(audit.fabric);
    bool const is_asked_for = audit.fabric.origin.failed();
    for (audit::Finding const& finding : audit.findings)
        if (is_fault(finding) && told.size() < most_codes && told.insert(finding.code).second) {
            diagnosis::CodeInfo const& info = diagnosis::info_of(finding.code);
            diagnosis::WordsOfIp const* const words = traits.is_ip ? diagnosis::words_of_ip(finding.code) : nullptr;
            std::string remedy = words != nullptr ? words->remedy : info.remedy;
            if (remedy.ends_with('.')) remedy.pop_back();
            if (is_asked_for && finding.kind != audit::FindingKind::deadlock)
                remedy = "it may come of the failures that were asked for";
            else if (traits.is_ip && words == nullptr && !diagnosis::is_of_ip(finding.code)) remedy = "what it means";
            steps.push_back({fmt::format("{} [{}]: {}", words != nullptr ? words->title : info.title, info.id, remedy),
                             {"list", "findings", info.id}});
        }
    if (is_asked_for && a_trunk_fails(audit.fabric) && !audit.returns)
        steps.push_back(
            {"see which failed cable brings back most", others.with("audit", {"--return-cables", "failed"})});
    if (audit.fates().total > audit.fates().delivered && audit.tried.empty() &&
        audit::others_may_go_round(audit.fabric))
        steps.push_back({"see which routings go round what fails", others.with("audit", {"--try-routings"})});
    if (audit.deadlock_is_undecided)
        steps.push_back({"say which service levels paths have: none with minhop, updn, ftree, dor; else --path-sl FILE",
                         others.with("audit", {"--path-sl", "none"})});
    if (tables_may_be_better(*this))
        steps.push_back({"find better tables that are free of deadlock", others.better_tables()});
    // Faults are expected where failures were asked for: what is left is worth a look.
    if (audit.all_pairs.pairs.total == 0 || (faults > 0 && !is_asked_for)) return steps;
    if (!audit.usable.empty()) return steps;  // some hosts were looked at; a study is of all
    if (traits.by_load || traits.by_hash)
        steps.push_back({"see what comes of the choices that switches have", others.with("bracket", {})});
    steps.push_back({"see what bandwidth random pairs of hosts get",
                     others.with("evaluate", {"--pattern", "bisect", "--mappings", "10000"})});
    return steps;
}

}  // namespace tailback::report
