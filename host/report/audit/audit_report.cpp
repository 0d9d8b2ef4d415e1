// What all forms of an audit's report share.
#include "host/report/audit/audit_report.hpp"

#include "host/base/numbers.hpp"
#include "host/report/bound_report.hpp"
#include "host/study/fabric_digest.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::report {

AuditReport make_audit_report(audit::Audit const& audit, std::vector<audit::FindingKind> fail_on, std::uint64_t top,
                              std::vector<audit::Code> fail_on_codes) {
    AuditReport report{audit, std::move(fail_on), top, 0, study::digest(audit.fabric), std::move(fail_on_codes)};
    for (audit::Finding const& finding : audit.findings) report.faults += report.is_fault(finding);
    return report;
}

bool AuditReport::counts(audit::FindingKind kind) const {
    return std::find(fail_on.begin(), fail_on.end(), kind) != fail_on.end();
}

bool AuditReport::counts(audit::Code code) const {
    return std::find(fail_on_codes.begin(), fail_on_codes.end(), code) != fail_on_codes.end();
}

std::uint64_t AuditReport::count(audit::Code code) const {
    return std::uint64_t(std::count_if(audit.findings.begin(), audit.findings.end(),
                                       [&](audit::Finding const& one) { return one.has_code(code); }));
}

std::uint64_t AuditReport::count_others(audit::FindingKind kind) const {
    if (fail_on_codes.empty()) return audit.count(kind);
    return std::uint64_t(std::count_if(audit.findings.begin(), audit.findings.end(), [&](audit::Finding const& one) {
        return one.has_kind(kind) && std::none_of(fail_on_codes.begin(), fail_on_codes.end(), [&](audit::Code code) {
                   return diagnosis::kind_of(code) == kind && one.has_code(code);
               });
    }));
}

std::uint64_t AuditReport::pairs(audit::FindingKind kind) const {
    return kind == audit::FindingKind::nonminimal ? audit.all_pairs.longer
           : kind == audit::FindingKind::updown   ? audit.all_pairs.down_then_up
                                                  : audit.pairs(kind);
}

Verdict AuditReport::verdict() const {
    if (audit.all_pairs.pairs.total == 0) return Verdict::nothing_examined;
    if (faults > 0) return Verdict::faults;
    for (audit::FindingKindInfo const& info : audit::finding_kinds())
        if (info.fails && !is_undecided(info.kind) && audit.count(info.kind) > 0) return Verdict::not_sound;
    if (audit.deadlock_is_undecided) return Verdict::undecided;
    return audit.balance.is_bad() ? Verdict::unbalanced : Verdict::sound;
}

std::vector<std::string> AuditReport::bound_words() const {
    if (!audit.bound) return {};
    audit::PairCounts const pairs = audit.fates();
    bool const divided = audit.choices.has_value();
    return bound_sentences(network(), *audit.bound, audit.balance.pairs(double(audit.balance.largest_between_switches)),
                           divided,
                           divided ? audit.choices->always == audit.choices->pairs : pairs.delivered == pairs.total);
}

audit::FindingKindInfo const& info_of(audit::FindingKind kind) { return audit::finding_kinds()[std::size_t(kind)]; }

FabricPicture picture_of(AuditReport const& report) {
    audit::Audit const& audit = report.audit;
    audit::PairCounts const pairs = audit.fates();
    FabricPicture picture{
        .network = report.network(),
        .levels = audit.levels,
        .hosts = audit.request.hosts,
        .load = audit.load(),
        .parts = audit.balance.unit,
        .unit = "pairs",
        .sentence = fmt::format("{} of {} pairs delivered; most pairs on one link between switches: {}",
                                base::grouped(pairs.delivered), base::grouped(pairs.total),
                                amount_text(audit.balance.pairs(double(audit.balance.largest_between_switches)))),
        .digest = report.digest};
    for (std::uint32_t const place : audit.balance.stage_of)
        picture.ideal.push_back(place == audit::Balance::no_stage ? 0 : audit.balance.stages[place].ideal());
    for (audit::Finding const& finding : audit.findings)
        if (finding.node.exists() && report.is_fault(finding)) ++picture.faults[finding.node];
    return picture;
}

}  // namespace tailback::report
