// The walk of ORCS: over the first edge that names the destination, until it is reached.
#include "host/orcs/routes.hpp"

#include <algorithm>
#include <ostream>

namespace tailback::orcs {

std::vector<std::uint32_t> const& OrcsRoutes::find(model::Host source, model::Host destination) {
    model::Network const& net = fabric_.network;
    model::Node at = net[source].node;
    model::Node const to = net[destination].node;
    model::Lid const lid = net[destination].lid;
    edges_.clear();
    met_.clear();
    while (at != to) {
        model::Link edge;
        if (fabric_.tables.has_table(at)) {
            model::Port const port = fabric_.tables.port(at, lid);
            if (port != model::ForwardingTables::no_entry) edge = net.link_at(at, port);
        } else if (net.link_count(at) > 0) {
            edge = net.first_link(at);  // a host's only edge, which takes everything
        }
        if (!edge.exists()) {
            out_ << "There seems to be no route from " << net[net[source].node].name << " to " << net[to].name << ".\n";
            break;
        }
        model::Node const head = net[edge].to;
        if (std::find(met_.begin(), met_.end(), head) != met_.end()) {
            out_ << "I tried to visit a node I already visited on the same route. This means we have a routing loop!\n";
            edges_.clear();
            break;
        }
        met_.push_back(head);
        edges_.push_back(edge.value);
        at = head;
    }
    return edges_;
}

}  // namespace tailback::orcs
