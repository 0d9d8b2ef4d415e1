// What adaptive routing is worth to a study, in the forms people and programs read.
#pragma once

#include "host/evaluation/adaptive/bracket.hpp"
#include "host/report/adaptive/columns.hpp"
#include "host/result/next_step.hpp"

#include <string>
#include <vector>

namespace tailback::report {

/// References must outlive it.
struct BracketReport {
    study::StudyPlan const& plan;
    evaluation::Bracket const& result;
    std::string digest;                 ///< of the fabric
    result::OtherCommands others = {};  ///< for next steps

    std::vector<NamedColumn> columns() const;
    /// One sentence: what adaptive routing gains over the static entries here, and what is left to gain.
    std::string verdict() const;
    /// Of routes of equal cost: what a hash loses.
    std::string verdict_of_hash() const;
    std::string not_clear() const;
    /// `, drawn for each mapping`
    std::string draws_text() const;
    std::string luck_text() const;
    std::string verdict_of_adaptive() const;
    std::string optimum_text() const;
    std::string ends_text() const;
    /// An audit, where columns cannot be compared; more queue pairs, where a hash loses much.
    std::vector<result::NextStep> next_steps() const;
};

Document document_of(BracketReport const& report);
/// Keys: docs/report.md.
Json value_of(BracketReport const& report);

}  // namespace tailback::report
