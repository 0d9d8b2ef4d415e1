// A matrix of traffic as a pattern: one level of flows with their bytes.
#pragma once

#include "host/traffic/goal.hpp"
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

/// The sends of a schedule, in their order, as one level; those of a rank to itself are local.
/// @throws InputError when no rank sends another a byte, or a message is too large for a flow.
patterns::FlowList flows_of(traffic::GoalSchedule const& schedule, std::string const& file);

}  // namespace tailback::study
