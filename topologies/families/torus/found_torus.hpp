// Tori and meshes found in the cables of a network that nobody described: a file has no coordinates.
#pragma once

#include "topologies/families/torus_shape.hpp"
#include "topologies/forwarding_graph.hpp"

#include <cstdint>
#include <vector>

namespace tailback::topologies {

/// Dimensions come by the lowest port that their cables use; forwarder 0 has coordinate 0 in every ring, and its lower
/// port leads to coordinate 1. Four switches in a ring are a dimension of size 4 where the ports tell (the same two
/// ports at every switch, and of no other dimension), else two dimensions of size 2, which is the same network.
struct FoundTorus {
    TorusShape shape;                   ///< `hosts` says nothing: switches may differ in them
    std::vector<std::uint32_t> number;  ///< in the shape, by forwarder
    std::vector<std::uint32_t> cables;  ///< between two neighbours, by dimension
    /// Ports of a forwarder to its next switch along a dimension, as many as cables; none at the end of a mesh.
    std::vector<model::Port> const& ports(std::uint32_t v, TorusStep const& step) const {
        return ports_[(v * shape.sizes.size() + step.dimension) * 2 + (step.plus ? 0 : 1)];
    }

    /// @throws InputError for a network that is neither, with what is wrong: also where a cable or a switch is missing.
    FoundTorus(ForwardingGraph const& graph, model::Network const& network);

private:
    friend class TorusSearch;
    std::vector<std::vector<model::Port>> ports_;
};

}  // namespace tailback::topologies
