// LAGs of routers (bonds, teams, PortChannels): routes and addresses are theirs, and LLDP hears on their members.
#pragma once

#include "host/formats/frr/devices.hpp"

namespace tailback::formats {

/// Where routes of a device go by a LAG, its members that somebody hears, and that are not down, take its place: in
/// next hops, each with an equal part of its weight; in networks and addresses. VLANs on a LAG are the LAG. Members are
/// those that `ip -j addr` names; where a device tells none, those at the other ends of a LAG in the same network.
/// A LAG without such members stays an interface of its own. Members that lead to another router than the one with the
/// LAG's gateways are left out, and told.
void take_members_of_lags(Devices& devices, model::Disagreements& disagreements);

}  // namespace tailback::formats
