// Which findings follow from which: one table, run from its top to its end.
#pragma once

#include "host/audit/findings/finding.hpp"
#include "host/model/tables.hpp"

#include <span>
#include <vector>

namespace tailback::audit {

/// What is audited, for those who look for causes.
struct Audited {
    model::Fabric const& fabric;
    std::vector<model::Host> const& hosts;  ///< endpoints that send and are sent to
};

/// Findings by their codes, or else by their kinds.
struct Which {
    std::vector<Code> codes = {};
    std::vector<FindingKind> kinds = {};

    bool holds(Finding const& one) const;
};

/// Where a symptom is, seen from its cause.
enum class Relation : std::uint8_t {
    same_node,
    same_port,
    same_cable,       ///< at either end of it
    node_and_cables,  ///< at the node, or at a cable to it; what is about a switch that the topology does not have: at
                      ///< the only node, if that is a switch
    whole_fabric,
};

/// Findings of `symptoms` stand under the first of `causes` in their relation.
struct Rule {
    Which causes;
    Which symptoms;
    Relation relation{};
    /// Conditions beside that; null = none.
    bool (*of_cause)(model::Fabric const&, Finding const& cause) = nullptr;
    bool (*of_symptom)(model::Fabric const&, Finding const& symptom) = nullptr;
};

void fold(Rule const& rule, model::Fabric const& fabric, std::vector<Finding>& findings);

/// A rule, or what is none: a function that makes a cause of several findings, or needs more than a relation.
struct FoldStep {
    char const* name;  ///< what follows from what
    Rule rule = {};    ///< where `function` is null
    void (*function)(Audited const&, std::vector<Finding>&) = nullptr;
};

/// In the order in which they run: an earlier one takes findings from the later ones.
std::span<FoldStep const> fold_steps();

/// Puts symptoms under their causes.
void fold_all(Audited const& audited, std::vector<Finding>& findings);

}  // namespace tailback::audit
