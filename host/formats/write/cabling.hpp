// The ends of all cables, node by node, for formats that list them so.
#pragma once

#include "host/model/network.hpp"

#include <algorithm>
#include <vector>

namespace tailback::formats {

/// One end of a cable, as its port's line states it.
struct CableEnd {
    model::Port port = 0;
    model::Node far;
    model::Port far_port = 0;
    model::LinkRate rate;
};

/// The ends of all cables by node. A one-way link (of a dot file) becomes a cable too, as InfiniBand and ibsim know no
/// other; where its far port is unknown that is a free one above all others.
struct Cabling {
    kernels::IndexedVector<model::Node, std::vector<CableEnd>> ends;  ///< in port order
    kernels::IndexedVector<model::Node, model::Port> ports;           ///< ports of each node, those made up included

    explicit Cabling(model::Network const& network) : ends(network.nodes().size()), ports(network.nodes().size()) {
        for (std::size_t n = 0; n < network.nodes().size(); ++n)
            ports[model::Node{n}] =
                std::max<model::Port>(network[model::Node{n}].ports, network.is_switch(model::Node{n}) ? 0 : 1);
        for (model::LinkRecord const& link : network.links()) ports[link.to] = std::max(ports[link.to], link.to_port);
        for (model::LinkRecord const& link : network.links()) {
            model::Port const far_port = link.to_port != 0 ? link.to_port : ++ports[link.to];
            ends[link.from].push_back({link.from_port, link.to, far_port, link.rate});
            if (!network.link_at(link.to, far_port).exists())
                ends[link.to].push_back({far_port, link.from, link.from_port, link.rate});
        }
        for (std::vector<CableEnd>& of_node : ends)
            std::stable_sort(of_node.begin(), of_node.end(),
                             [](CableEnd const& a, CableEnd const& b) { return a.port < b.port; });
    }
};

}  // namespace tailback::formats
