// The options of dimension-order routing that say in which order dimensions are corrected.
#pragma once

#include "host/base/spec.hpp"

#include <cstdint>
#include <vector>

namespace tailback::topologies {

/// Dimensions, from 0, in the order that option `order` names: letters (zyx; up to four dimensions x, y, z, w) or
/// numbers from 1 (3x2x1). Without it as they are. @throws InputError when it does not name each of `dimensions` once.
std::vector<std::uint32_t> dimension_order(base::Arguments const& options, std::size_t dimensions);

/// For networks whose dimensions are no rings. @throws InputError when `order` or dateline lanes are asked for.
void refuse_order_and_lanes(base::Arguments const& options);

}  // namespace tailback::topologies
