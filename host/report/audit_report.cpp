// What all forms of an audit's report share.
#include "host/report/audit_report.hpp"

#include "host/base/numbers.hpp"
#include "host/evaluation/evaluation.hpp"
#include "host/report/bound_report.hpp"
#include "host/study/fabric_digest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

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
    return bound_sentences(network(), *audit.bound, audit.balance.largest_between_switches,
                           pairs.delivered == pairs.total);
}

std::string stage_name(audit::Stage const& stage) {
    auto const level = [](std::uint32_t number) {
        return number == 0 ? std::string("hosts") : fmt::format("level {}", number);
    };
    return level(stage.from) + " -> " + level(stage.to);
}

audit::FindingKindInfo const& info_of(audit::FindingKind kind) { return audit::finding_kinds()[std::size_t(kind)]; }

FabricPicture picture_of(AuditReport const& report) {
    audit::Audit const& audit = report.audit;
    audit::PairCounts const pairs = audit.fates();
    FabricPicture picture{
        .network = report.network(),
        .levels = audit.levels,
        .hosts = audit.request.hosts,
        .load = audit.all_pairs.load,
        .unit = "pairs",
        .sentence = fmt::format("{} of {} pairs delivered; most pairs on one link between switches: {}",
                                base::grouped(pairs.delivered), base::grouped(pairs.total),
                                base::grouped(audit.balance.largest_between_switches)),
        .digest = report.digest};
    for (std::uint32_t const place : audit.balance.stage_of)
        picture.ideal.push_back(place == audit::Balance::no_stage ? 0 : audit.balance.stages[place].ideal());
    for (audit::Finding const& finding : audit.findings)
        if (finding.node.exists() && report.is_fault(finding)) ++picture.faults[finding.node];
    return picture;
}

std::string load_colour(std::uint64_t load, double ideal) {
    if (load == 0 || ideal <= 0) return "#c9c9c9";
    struct Stop {
        double ratio;
        int red, green, blue;
    };
    // No two neighbours mix to grey, which means unused.
    static constexpr Stop stops[] = {{0.0, 158, 202, 225}, {0.8, 66, 126, 180}, {1.0, 52, 120, 160},
                                     {1.15, 70, 150, 110}, {1.5, 240, 170, 50}, {2.0, 205, 30, 30},
                                     {4.0, 90, 0, 20}};
    double const ratio = std::min(double(load) / ideal, 4.0);
    for (std::size_t i = 1; i < std::size(stops); ++i) {
        if (ratio > stops[i].ratio) continue;
        Stop const &a = stops[i - 1], &b = stops[i];
        double const part = (ratio - a.ratio) / (b.ratio - a.ratio);
        auto const mix = [&](int from, int to) { return int(std::lround(from + part * (to - from))); };
        return fmt::format("#{:02x}{:02x}{:02x}", mix(a.red, b.red), mix(a.green, b.green), mix(a.blue, b.blue));
    }
    return "#5a0014";
}

}  // namespace tailback::report
