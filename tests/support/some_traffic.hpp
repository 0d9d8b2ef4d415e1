// Traffic for routings that want some: of three hosts each, of bytes that repeat.
#pragma once

#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"

namespace tailback {

/// The routing itself where it needs none.
inline RoutingSpec with_some_traffic(RoutingSpec const& routing, Network const& network) {
    if (!routing.wants_traffic()) return routing;
    auto const hosts = static_cast<std::uint32_t>(network.hosts().size());
    HostTraffic traffic;
    for (std::uint32_t h = 0; h < hosts; ++h)
        for (std::uint32_t const step : {1u, hosts / 2, 2 * hosts / 3})
            if (step > 0 && step < hosts) traffic.push_back({Host{h}, Host{(h + step) % hosts}, 1 + (h * step) % 5});
    return routing.with_traffic(std::move(traffic));
}

}  // namespace tailback
