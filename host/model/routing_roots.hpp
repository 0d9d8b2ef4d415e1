// The root switches that a routing took for a network, and where they come from: what a report of its routes tells.
#pragma once

#include "host/model/index.hpp"

#include <cstdint>
#include <vector>

namespace tailback::model {

/// `parameter`: the routing's own `roots=`; `list`: a file given to the command; the others are its own choice.
enum class RootsFrom : std::uint8_t { none, parameter, list, farthest, central };

struct RoutingRoots {
    RootsFrom from = RootsFrom::none;  ///< none: the routing takes no roots
    std::vector<Node> nodes;           ///< each once

    /// Somebody named them; the routing did not choose them itself.
    bool are_given() const { return from == RootsFrom::parameter || from == RootsFrom::list; }
};

}  // namespace tailback::model
