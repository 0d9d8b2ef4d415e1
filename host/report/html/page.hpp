// Reports as pages for a browser: one file that holds everything, opens from disk and fetches nothing.
#pragma once

#include "host/report/adaptive/bracket_report.hpp"
#include "host/report/adaptive/multipath_report.hpp"
#include "host/report/audit/audit_report.hpp"
#include "host/report/diff/compared.hpp"
#include "host/report/diff/diff_report.hpp"
#include "host/report/evaluate/evaluate_report.hpp"
#include "host/report/html/page_parts.hpp"
#include "host/report/improve/improve_report.hpp"
#include "host/report/jobs/jobs_report.hpp"

#include <iosfwd>
#include <optional>
#include <string>

namespace tailback::report {

void write_html(std::ostream& out, AuditReport const& report);
void write_html(std::ostream& out, Report const& report);
/// What adaptive routing is worth to a study.
void write_html(std::ostream& out, BracketReport const& report);
/// What several LIDs, or queue pairs, are worth to a study.
void write_html(std::ostream& out, MultipathReport const& report);
void write_html(std::ostream& out, JobsReport const& report);
/// Both tables side by side, each with its map.
void write_html(std::ostream& out, ImproveReport const& report);

/// @param before, after null where there are no routes to audit
void write_html(std::ostream& out, DiffReport const& report, ComparedSide const* before, ComparedSide const* after);
void write_sweep_html(std::ostream& out, Json const& report);

}  // namespace tailback::report
