// A digest of what a study can see of a fabric: tells two fabrics apart, not for secrets.
#pragma once

#include "host/model/tables.hpp"

#include <string>

namespace tailback {

/// Everything a study can see of a fabric: 16 hex digits, the same on every machine. Of a formula its words alone.
std::string digest(Fabric const& fabric);

}  // namespace tailback
