// The dumps against each other and against themselves: what no route needs to be walked for.
#pragma once

#include "host/audit/findings/finding.hpp"
#include "host/model/tables.hpp"

#include <vector>

namespace tailback::audit {

/// How many disagreements of a kind a reader is to keep for the report; the others are counted.
inline constexpr std::size_t kept_disagreements = 1000;

/// What was read, and what the readers noted.
struct Dumps {
    model::Fabric const& fabric;
    model::Disagreements const& disagreements;
};

/// Finders of `inconsistent` things, in the order in which they run: later ones look at what earlier ones have found.
/// Port GUIDs on two ports.
void find_shared_guids(Dumps const& dumps, std::vector<Finding>& found);
/// LIDs that nobody owns, and that tables send to one port all the same: the port's LID in the topology is another, and
/// the tables do not know it there. One finding a port.
void find_former_lids(Dumps const& dumps, std::vector<Finding>& found);
/// Switches without a table.
void find_missing_tables(Dumps const& dumps, std::vector<Finding>& found);
/// LIDs with two owners, LID ranges that overlap, base LIDs that do not fit their LMC.
void find_shared_lids(Dumps const& dumps, std::vector<Finding>& found);
/// Adapter ports without a cable, or with one and without a LID.
void find_bare_ports(Dumps const& dumps, std::vector<Finding>& found);
/// Entries for LIDs that nobody owns (a finding a LID), for ports that do not exist or have no cable (a finding a
/// port), and above what a switch looks up. Reads every entry of the tables once, O(tables x LIDs).
void find_odd_entries(Dumps const& dumps, std::vector<Finding>& found);

/// What all of them find; before that what the readers noted: tables without a switch, cables listed from one end only,
/// contradicting entries, incomplete tables, GUIDs of two nodes, lines not understood.
std::vector<Finding> find_inconsistencies(model::Fabric const& fabric, model::Disagreements const& disagreements);

/// Switches whose table keeps the LID of another switch for itself (entry 0) and sends its own elsewhere: it is the
/// other's table, or their LIDs are swapped. Switches whose table has most of their hosts at other ports: it is of
/// another day, or these were plugged in anew.
std::vector<Finding> find_wrong_tables(model::Fabric const& fabric);

/// Do all neighbours of a switch that have an entry for the LID send it straight there, one at least?
bool is_sent_to(model::Fabric const& fabric, model::Lid lid, model::Node node);

/// Of a switch whose LID they do not know: the only LID that nobody owns and that all its neighbours send straight to
/// it; 0 = there is none.
model::Lid former_lid(model::Fabric const& fabric, model::Node node);

}  // namespace tailback::audit
