// Networks as arithmetic, by the words of a spec and a routing.
#pragma once

#include "tests/support/rooms.hpp"
#include "topologies/regular.hpp"
#include "topologies/routing.hpp"
#include "topologies/topology.hpp"

#include <memory>
#include <string>

namespace tailback {

/// @param routing empty = the usual one.
inline std::shared_ptr<RegularNetwork const> regular_network(std::string const& spec, std::string const& routing,
                                                             std::uint64_t seed = 1) {
    if (routing.empty()) return make_regular(spec, nullptr);
    RoutingSpec const parsed(routing, seed);
    return make_regular(spec, &parsed);
}

}  // namespace tailback
