// Two dumps of one fabric: what changed, and whether it is better.
#pragma once

#include "host/api/audit.hpp"
#include "host/audit/changes/diff.hpp"
#include "host/report/audit/audit_report.hpp"
#include "host/report/diff/compared.hpp"
#include "host/report/diff/trend.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tailback::api {

/// A fabric of a comparison: files.
struct DiffSide {
    std::string network;
    std::optional<std::string> tables;
};

/// Reads both, finds the differences, and where there are some and both have pairs with routes audits both and
/// evaluates 1,000 random bisections on each.
class FabricComparison {
public:
    /// @throws InputError where a file is wrong, or only one of the fabrics has tables
    FabricComparison(DiffSide const& before, DiffSide const& after, audit::DiffRequest const& request, bool strict,
                     Listener const& listener);

    model::Fabric const& before() const { return *before_; }
    model::Fabric const& after() const { return *after_; }
    audit::FabricDiff const& diff() const { return diff_; }
    /// Null where neither was audited.
    report::Comparison const* comparison() const { return comparison_ ? &*comparison_ : nullptr; }
    report::ComparedSide const* audited_before() const { return old_ ? &old_->compared : nullptr; }
    report::ComparedSide const* audited_after() const { return new_ ? &new_->compared : nullptr; }

    /// A fabric of a comparison, audited, with its bandwidth.
    struct AuditedSide {
        AuditedSide(DiffSide const& side, std::shared_ptr<model::Fabric const> const& fabric,
                    model::Disagreements disagreements, audit::DiffRequest const& request, TakeSentence const& note);
        FabricAudit audit;
        report::AuditReport report;
        report::ComparedSide compared;
    };

private:
    std::shared_ptr<model::Fabric const> before_, after_;
    audit::FabricDiff diff_;
    std::unique_ptr<AuditedSide> old_, new_;
    std::optional<report::Comparison> comparison_;
};

/// Many fabrics in the order of time: all are audited, each is held against the one before.
/// @throws InputError where a file is wrong, or a fabric has no tables or fewer than two hosts.
report::Trend find_trend(std::vector<DiffSide> const& sides, audit::DiffRequest const& request, bool strict,
                         Listener const& listener);

}  // namespace tailback::api
