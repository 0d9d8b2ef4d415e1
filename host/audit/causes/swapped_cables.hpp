// Two cables in each other's place.
#pragma once

#include "host/audit/findings/finding.hpp"
#include "host/model/tables.hpp"

#include <vector>

namespace tailback::audit {

/// `inconsistent`: two cables between switches that lead to each other's switches by the topology, where the tables of
/// all ends still send the LIDs of the switches as before. They explain what else is wrong at these switches.
/// `findings` has the loops that are known: they show such cables where tables still send to a neighbour by another
/// cable to it.
std::vector<Finding> find_swapped_cables(model::Fabric const& fabric, std::vector<Finding> const& findings);

}  // namespace tailback::audit
