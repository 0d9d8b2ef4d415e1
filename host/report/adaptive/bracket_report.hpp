// What adaptive routing is worth to a study, in the forms people and programs read.
#pragma once

#include "host/evaluation/adaptive/bracket.hpp"

#include <iosfwd>
#include <string>

namespace tailback::report {

/// References must outlive it.
struct BracketReport {
    study::StudyPlan const& plan;
    evaluation::Bracket const& result;
    std::string digest;  ///< of the fabric

    /// One sentence: what adaptive routing gains over the static entries here, and what is left to gain.
    std::string verdict() const;
    /// Of routes of equal cost: what a hash loses.
    std::string verdict_of_hash() const;
};

void write_text_report(std::ostream& out, BracketReport const& report);
/// Keys: docs/report.md.
void write_json_report(std::ostream& out, BracketReport const& report);
/// division,metric,statistic,value
void write_csv_report(std::ostream& out, BracketReport const& report);

}  // namespace tailback::report
