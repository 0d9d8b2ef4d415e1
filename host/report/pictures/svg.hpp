// What all pictures write alike.
#pragma once

#include "host/base/numbers.hpp"

#include <cmath>
#include <string>

namespace tailback::report {

/// A number of pixels, to a tenth.
inline std::string px(double value) { return base::fixed_text(value, 1); }

/// Of an axis from 0: the largest of 1, 2, 5 x 10^k that gives at least three steps up to `most`.
inline double tick_step(double most) {
    double const unit = std::pow(10, std::floor(std::log10(most / 3)));
    return unit * 5 <= most / 3 ? unit * 5 : unit * 2 <= most / 3 ? unit * 2 : unit;
}

}  // namespace tailback::report
