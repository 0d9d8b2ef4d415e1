// LIDs that ports get after their network was read.
#pragma once

#include "host/model/network.hpp"

#include <vector>

namespace tailback::model {

/// A LID for an endpoint, or for a switch (port 0).
struct PortLid {
    Node node;
    Port port = 0;
    Lid lid = 0;
    std::uint8_t lmc = 0;
};
/// The same network with these LIDs.
Network with_lids(Network const& network, std::vector<PortLid> const& lids);
/// The same network where hosts have their base LIDs alone.
Network with_base_lids(Network const& network);

}  // namespace tailback::model
