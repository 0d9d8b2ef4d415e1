// What all pictures write alike.
#pragma once

#include "host/base/numbers.hpp"

#include <string>

namespace tailback::report {

/// A number of pixels, to a tenth.
inline std::string px(double value) { return base::fixed_text(value, 1); }

}  // namespace tailback::report
