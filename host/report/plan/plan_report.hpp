// Is it cabled as planned? What is not, by rack, and what it costs, for people and for programs.
#pragma once

#include "host/audit/changes/planned_cables.hpp"
#include "host/audit/changes/ports_of_names.hpp"
#include "host/report/forms.hpp"

#include <optional>
#include <string>
#include <vector>

namespace tailback::report {

struct PlanReport {
    model::Fabric const& fabric;
    formats::CablePlan const& plan;
    audit::PlanComparison const& found;
    std::optional<audit::PlanCosts> costs = {};  ///< none = not asked
    std::uint64_t top = 10;                      ///< how many the text names of each list
    model::NamedFiles files = {};

    /// Cables of the network's own files that were left out: they are at a port that has another.
    std::vector<std::string> doubles_there = {};
    audit::PortsOfNames names = audit::PortsOfNames(fabric.network);

    /// One sentence: how many cables are there, and which mistakes.
    std::string verdict() const;
    /// `line 9 (rack R1): leaf-1 [8] - spine-2 [1]`
    std::string text_of(audit::CableMistake const& mistake) const;
    /// How costs were found, what they come to, and why there are none; nothing where they were not asked for.
    std::vector<std::string> cost_words() const;
    bool as_planned() const { return found.mistakes.empty() && plan.doubles.empty() && doubles_there.empty(); }
};

Document document_of(PlanReport const& report);
/// `tailback-plan-1`
Json value_of(PlanReport const& report);
/// A page for a browser.
void write_html(std::ostream& out, PlanReport const& report);

}  // namespace tailback::report
