// Networks in parts: switches that no cable joins, so that no routes could.
#pragma once

#include "host/audit/findings/finding.hpp"
#include "host/model/tables.hpp"

#include <vector>

namespace tailback::audit {

/// Where switches with hosts are in several parts, one finding takes in those about packets from one part for others.
/// `hosts`: those between which routes are looked at.
void fold_parts(model::Fabric const& fabric, std::vector<model::Host> const& hosts, std::vector<Finding>& findings);

}  // namespace tailback::audit
