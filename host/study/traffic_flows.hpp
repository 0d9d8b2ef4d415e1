// A matrix of traffic as a pattern: one level of flows with their bytes.
#pragma once

#include "host/traffic/traffic_matrix.hpp"
#include "patterns/pattern.hpp"

#include <string>
#include <vector>

namespace tailback::study {

/// A flow for every pair that has bytes, all of them at once; what a rank sends to itself is local.
/// @param notes gets what was made of the matrix, in sentences without a full stop.
/// @throws InputError when no rank sends another anything, or one pair has more bytes than a flow can have.
patterns::FlowList flows_of(traffic::TrafficMatrix const& matrix, std::string const& file,
                            std::vector<std::string>& notes);

}  // namespace tailback::study
