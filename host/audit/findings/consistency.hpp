// The dumps against each other and against themselves: what no route needs to be walked for.
#pragma once

#include "host/audit/findings/finding.hpp"
#include "host/model/tables.hpp"

#include <vector>

namespace tailback::audit {

/// How many disagreements of a kind a reader is to keep for the report; the others are counted.
inline constexpr std::size_t kept_disagreements = 1000;

/// `switch "leaf-07" (0x0002c90200400028) port 5`
std::string port_location(model::Network const& network, model::Node node, model::Port port);

/// Findings of kind `inconsistent`:
/// - from the fabric: switches without a table; entries for LIDs nobody owns (a finding a LID); entries for ports that
/// do
///   not exist or have no cable (a finding a port); LIDs with two owners, LID ranges that overlap; port GUIDs on two
///   ports; adapter ports without a cable, or with one and without a LID;
/// - from what the readers noted: tables without a switch, cables listed from one end only, contradicting entries,
///   incomplete tables, GUIDs of two nodes, lines not understood.
/// Reads every entry of the tables once, O(tables x LIDs).
std::vector<Finding> find_inconsistencies(model::Fabric const& fabric, model::Disagreements const& disagreements);

}  // namespace tailback::audit
