// Every endpoint of a network, in its order.
#pragma once

#include "host/model/network.hpp"
#include "tests/support/rooms.hpp"

#include <vector>

namespace tailback {

inline std::vector<Host> all_hosts(Network const& net) {
    std::vector<Host> hosts;
    for (std::size_t i = 0; i < net.hosts().size(); ++i) hosts.emplace_back(i);
    return hosts;
}

}  // namespace tailback
