// A digest of what a study can see of a fabric: tells two fabrics apart, not for secrets.
#pragma once

#include "host/model/tables.hpp"

#include <string>

namespace tailback::study {

/// Everything a study can see of a fabric: 16 hex digits, the same on every machine. Of a formula its words alone.
std::string digest(model::Fabric const& fabric);

}  // namespace tailback::study
