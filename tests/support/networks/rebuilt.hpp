// The same networks with other cables, other ports, or written in another order.
#pragma once

#include "host/model/network.hpp"
#include "tests/support/rooms.hpp"

#include <functional>
#include <set>
#include <vector>

namespace tailback {

struct NewCable {
    Node a, b;
};
/// The cables between switches, each once.
std::vector<Link> cables_of_switches(Network const& net);

/// The network without some cables and with others, on new ports; every switch renames its ports by `port`.
Network rebuilt(
    Network const& net, std::set<Link> const& gone, std::vector<NewCable> const& more,
    std::function<Port(Node, Port)> const& port = [](Node, Port p) { return p; });

/// Written as ibnetdiscover, the paragraphs in another order, and read.
Network shuffled(Network const& net, unsigned seed);

}  // namespace tailback
