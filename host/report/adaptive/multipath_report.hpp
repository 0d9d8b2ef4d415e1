// What several LIDs a host are worth to a study, in the forms people and programs read.
#pragma once

#include "host/evaluation/multipath/multipath.hpp"
#include "host/report/adaptive/columns.hpp"

#include <string>
#include <vector>

namespace tailback::report {

/// References must outlive it.
struct MultipathReport {
    study::StudyPlan const& plan;
    evaluation::Multipath const& result;
    std::string digest;                 ///< of the fabric
    result::OtherCommands others = {};  ///< for next steps

    std::vector<NamedColumn> columns() const;
    /// One sentence: which way of spreading is best, beside the base LID alone.
    std::string verdict() const;
    std::string verdict_of_queue_pairs() const;
    std::string largest_load_text() const;
    std::string luck_text() const;
    std::string largest_load_by_lids() const;
    std::string congestion_text(evaluation::StudyColumn const& column) const;
    std::string largest_congestion(std::string const& numbers) const;
    std::size_t spread_with(study::Metric metric, bool most) const;
    /// An audit, where columns cannot be compared.
    std::vector<result::NextStep> next_steps() const;
};

Document document_of(MultipathReport const& report);
/// Keys: docs/report.md.
Json value_of(MultipathReport const& report);

}  // namespace tailback::report
