// Switches and hosts that are not up: none of their cables is active.
#pragma once

#include "host/audit/findings/finding.hpp"
#include "host/model/tables.hpp"

#include <vector>

namespace tailback::audit {

/// Cables that are not active (`port_not_active`), where a switch or a host has no others: one finding for it, or for
/// several such switches with cables between them. It explains what else is wrong there, as that it has no LID, and
/// that nobody owns the LID that its neighbours send to it.
void fold_idle_nodes(model::Fabric const& fabric, std::vector<Finding>& findings);

}  // namespace tailback::audit
