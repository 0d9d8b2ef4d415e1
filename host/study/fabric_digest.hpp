// A digest of what a study can see of a fabric: tells two fabrics apart, not for secrets.
#pragma once

#include "host/model/tables.hpp"
#include "topologies/regular.hpp"

#include <string>

namespace tailback {

/// Everything a study can see of a fabric: 16 hex digits, the same on every machine.
std::string digest(Fabric const& fabric);
/// Of a network whose routes are arithmetic: its words alone.
std::string digest(RegularNetwork const& network);

}  // namespace tailback
