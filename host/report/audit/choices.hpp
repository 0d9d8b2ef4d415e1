// The part of an audit's report that is about all choices of adaptive routing.
#pragma once

#include "host/report/audit/audit_report.hpp"

#include <nlohmann/json.hpp>

#include <iosfwd>
#include <string>

namespace tailback::report {

/// Nothing where the fabric has no candidate sets.
void add_choices(Document& document, AuditReport const& report);
/// `72 adaptive-routing groups are empty: their static entries are used`; empty where none in use is.
std::string empty_groups_text(AuditReport const& report);
/// The value of `choices`; null where the fabric has no candidate sets. Keys: docs/report.md.
Json choices_json(AuditReport const& report);

}  // namespace tailback::report
