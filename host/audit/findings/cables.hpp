// Cables that are not what they should be: two rates for one cable, slower than others of their kind.
#pragma once

#include "host/audit/findings/finding.hpp"

#include <vector>

namespace tailback::audit {

bool between_switches(model::Network const& network, model::LinkRecord const& link);

/// `inconsistent`: the two ends of a cable state different rates.
/// `degraded`: a cable between switches that is slower than both could have it, as other cables of each show; a cable
/// of a host that is narrower than nine out of ten of all hosts' cables. Aggregation nodes are left out.
std::vector<Finding> find_odd_cables(model::Fabric const& fabric);

}  // namespace tailback::audit
