// What several LIDs a host are worth to a study, in the forms people and programs read.
#pragma once

#include "host/evaluation/multipath/multipath.hpp"

#include <iosfwd>
#include <string>

namespace tailback::report {

/// References must outlive it.
struct MultipathReport {
    study::StudyPlan const& plan;
    evaluation::Multipath const& result;
    std::string digest;  ///< of the fabric

    /// One sentence: which way of spreading is best, beside the base LID alone.
    std::string verdict() const;
};

void write_text_report(std::ostream& out, MultipathReport const& report);
/// Keys: docs/report.md.
void write_json_report(std::ostream& out, MultipathReport const& report);
/// spread,metric,statistic,value
void write_csv_report(std::ostream& out, MultipathReport const& report);

}  // namespace tailback::report
