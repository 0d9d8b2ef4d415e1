// What a sweep would do and roughly cost, for --dry-run.
#pragma once

#include "host/commands/sweep_points.hpp"

#include <vector>

namespace tailback {

/// Lists the points on standard output. Networks are read or made for it, but not routed. Returns an exit code.
int tell_estimate(std::vector<CheckedPoint> const& points, unsigned threads);

}  // namespace tailback
