// What a sweep would do and roughly cost, without evaluating any point.
#pragma once

#include "host/sweep/evaluate_points.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace tailback::sweep {

struct SweepEstimate {
    std::string text;            ///< a line a point, then the sum
    std::size_t impossible = 0;  ///< points that cannot be run
};
/// Networks are read or made for it, but not routed. @param threads what is estimated for; 0 = all cores
SweepEstimate estimate_sweep(std::vector<CheckedPoint> const& points, unsigned threads, SweepListener const& listener);

}  // namespace tailback::sweep
