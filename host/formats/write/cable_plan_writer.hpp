// A network's cables as a plan of cables, as planners and UFM's network diff tool (NDT) have them.
#pragma once

#include "host/model/network.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace tailback::formats {

/// A row a cable, of hosts first. Devices go by their names, without what dumps put around them; ports by their names
/// where they have some, else by numbers: `Port 21` of a switch, of a host's `node01 HCA-1`, or `node01/1` where no
/// adapter is told. Cables inside a director are no cables of a plan.
/// @throws InputError where two devices have one name, one has none or a name that would be read as another, a cable
/// joins two hosts, or a port is above those that plans know
void write_cable_plan(std::ostream& out, model::Network const& network);
/// Sentences on what of cables and devices a plan does not hold or tells otherwise: cables inside directors, devices
/// without a cable, ports of switches that have other names than those have.
std::vector<std::string> left_out_of_plan(model::Network const& network);

}  // namespace tailback::formats
