// An audit in the forms people and programs read. Nothing in here varies from run to run or machine to machine.
#pragma once

#include "host/audit/audit.hpp"
#include "host/report/forms.hpp"
#include "host/report/pictures/fabric_picture.hpp"
#include "host/result/next_step.hpp"

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace tailback::report {

/// What an audit comes to, the best first.
enum class Verdict : std::uint8_t {
    sound,       ///< nothing found that is a fault by itself
    unbalanced,  ///< the same, but some link carries more than Balance::bad_imbalance times its ideal
    undecided,   ///< the same, but whether packets can deadlock is not known
    not_sound,   ///< only faults of kinds that do not count
    faults,
    nothing_examined  ///< no pair of hosts: their LIDs are not known
};

/// Everything a report tells. The audit must outlive it.
struct AuditReport {
    audit::Audit const& audit;
    std::vector<audit::FindingKind> fail_on;      ///< kinds that count as faults
    std::uint64_t top = 10;                       ///< how many of each kind the text names
    std::uint64_t faults = 0;                     ///< findings of those kinds
    std::string digest;                           ///< of the fabric
    std::vector<audit::Code> fail_on_codes = {};  ///< that count as faults, whatever their kind
    result::OtherCommands others = {};            ///< for next steps

    model::Network const& network() const { return audit.network(); }
    bool counts(audit::FindingKind kind) const;
    bool counts(audit::Code code) const;
    /// A cycle that service levels may avoid is no fault while nobody has told them.
    bool is_fault(audit::Finding const& finding) const {
        for (audit::Finding const& symptom : finding.symptoms)
            if (is_fault(symptom)) return true;
        return (counts(finding.kind) || counts(finding.code)) && !is_undecided(finding.kind);
    }
    bool is_undecided(audit::FindingKind kind) const {
        return kind == audit::FindingKind::deadlock && audit.deadlock_is_undecided;
    }
    /// What no tables can beat, sentence by sentence; empty where that is not known.
    std::vector<std::string> bound_words() const;
    /// Findings of a code that counts, and causes with symptoms of it.
    std::uint64_t count(audit::Code code) const;
    /// That findings of a kind are of. A pair can take several detours, and counts once.
    std::uint64_t pairs(audit::FindingKind kind) const;
    /// Findings of a kind that does not count, and causes with symptoms of it, but for those that count by their codes.
    std::uint64_t count_others(audit::FindingKind kind) const;
    Verdict verdict() const;
    /// The verdict in a sentence without its dot.
    std::string sentence() const;
    std::vector<result::NextStep> next_steps() const;
    /// Exit code 1: faults, a verdict on deadlock that counts and is not known, or nothing examined.
    bool fails() const {
        return faults > 0 ||
               (audit.deadlock_is_undecided &&
                (counts(audit::FindingKind::deadlock) || counts(audit::Code::channel_cycle))) ||
               audit.all_pairs.pairs.total == 0;
    }
};
AuditReport make_audit_report(audit::Audit const& audit, std::vector<audit::FindingKind> fail_on, std::uint64_t top,
                              std::vector<audit::Code> fail_on_codes = {});

/// Keys: docs/report.md.
Json value_of(AuditReport const& report);
/// Findings, switches, groups, cables, links. The report must outlive them.
std::vector<LongList> long_lists_of(AuditReport const& report);
/// A load over the ideal one; null where there is none.
Json times_ideal(double load, double ideal);
/// Hosts, switches, findings, loads and criticality of a group of nodes.
Json group_sum_json(audit::GroupSum const& sum);
/// The verdict, what is wrong and where, then the numbers.
Document document_of(AuditReport const& report);
/// The network with its loads.
FabricPicture picture_of(AuditReport const& report);
/// One row a link.
void write_links_csv(std::ostream& out, AuditReport const& report);

inline std::string stage_name(audit::Stage const& stage) { return stage_name(stage.from, stage.to); }
audit::FindingKindInfo const& info_of(audit::FindingKind kind);

}  // namespace tailback::report
