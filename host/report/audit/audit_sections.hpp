// Parts of an audit's document; each adds nothing where there is nothing to tell. Parts of its value that are made
// beside them.
#pragma once

#include "host/report/audit/audit_report.hpp"

namespace tailback::report {

/// What becomes of the pairs.
void add_fates(Document& document, AuditReport const& report);
/// Links of routes, up*/down*, asymmetry.
void add_lengths(Document& document, AuditReport const& report);
void add_deadlock(Document& document, AuditReport const& report);
/// Pairs that break without cables or switches.
void add_what_if(Document& document, AuditReport const& report);
void add_criticality(Document& document, AuditReport const& report);
/// Loads: of groups, stages, links and switches, with what no tables can beat.
void add_balance(Document& document, AuditReport const& report);
/// What missing cables would bring.
void add_returned_cables(Document& document, AuditReport const& report);
/// What other routings would give.
void add_tried_routings(Document& document, AuditReport const& report);
void add_worst_case(Document& document, AuditReport const& report);

/// Null where they were not asked for.
Json returned_cables_json(AuditReport const& report);
/// Null where they were not tried.
Json routings_json(AuditReport const& report);

}  // namespace tailback::report
