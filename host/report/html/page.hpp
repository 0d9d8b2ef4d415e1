// Reports as pages for a browser: one file that holds everything, opens from disk and fetches nothing.
#pragma once

#include "host/report/adaptive/bracket_report.hpp"
#include "host/report/audit/audit_report.hpp"
#include "host/report/diff/compared.hpp"
#include "host/report/diff/diff_report.hpp"
#include "host/report/evaluate/evaluate_report.hpp"
#include "host/report/improve/improve_report.hpp"
#include "host/report/jobs/jobs_report.hpp"

#include <iosfwd>
#include <optional>
#include <string>

namespace tailback::report {

/// False where the program was built without the library that pages use.
bool has_pages();
/// @throws InputError when the program was built without the library that pages use: says what to install.
void require_pages();

void write_html(std::ostream& out, AuditReport const& report);
void write_html(std::ostream& out, Report const& report);
/// What adaptive routing is worth to a study.
void write_html(std::ostream& out, BracketReport const& report);
void write_html(std::ostream& out, JobsReport const& report);
/// Both tables side by side, each with its map.
void write_html(std::ostream& out, ImproveReport const& report);

/// @param before, after null where there are no routes to audit
void write_html(std::ostream& out, DiffReport const& report, ComparedSide const* before, ComparedSide const* after);
void write_sweep_html(std::ostream& out, Json const& report);

}  // namespace tailback::report
