// Choices and groups of a switch that follow from what its entries do, or from a host that is elsewhere.
#pragma once

#include "host/audit/findings/finding.hpp"

#include <vector>

namespace tailback::audit {

/// What the choices of a switch, or its groups, do wrong about the same LIDs as its entries, which a fate tells, is a
/// symptom of that; so is that choices end there for want of an entry. Of groups, so it is of choices, too;
/// and of groups elsewhere that are odd for hosts which were swapped, or whose port has no cable any more. A private
/// table that is not followed takes in that its switch chooses nowhere.
void fold_same_switch(std::vector<Finding>& findings);

}  // namespace tailback::audit
