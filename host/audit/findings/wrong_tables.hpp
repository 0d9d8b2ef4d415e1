// Tables that are not those of their switch, or not of the topology's day.
#pragma once

#include "host/audit/findings/finding.hpp"
#include "host/model/tables.hpp"

#include <vector>

namespace tailback::audit {

/// Switches whose table keeps the LID of another switch for itself (entry 0) and sends its own elsewhere: it is the
/// other's table, or their LIDs are swapped. Switches whose table has most of their hosts at other ports: it is of
/// another day, or these were plugged in anew.
std::vector<Finding> find_wrong_tables(model::Fabric const& fabric);

/// LIDs that nobody owns, and that tables send to one port all the same: the port's LID in the topology is another, and
/// the tables do not know it there. One finding a port.
std::vector<Finding> find_former_lids(model::Fabric const& fabric);

/// Do all neighbours of a switch that have an entry for the LID send it straight there, one at least?
bool is_sent_to(model::Fabric const& fabric, model::Lid lid, model::Node node);

/// Of a switch whose LID they do not know: the only LID that nobody owns and that all its neighbours send straight to
/// it; 0 = there is none.
model::Lid former_lid(model::Fabric const& fabric, model::Node node);

/// LIDs of a switch and of its hosts, where no table has an entry for any of them: the tables were made without it.
/// Empty elsewhere, and for a switch without hosts.
std::vector<model::Lid> lids_of_new_leaf(model::Fabric const& fabric, model::Node node);

}  // namespace tailback::audit
