// Shortest paths of a fabric, in links from rows to groups of destinations.
#pragma once

#include "host/model/routes/forwarding.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tailback::audit {

/// Endpoints that hang off the same rows are as far away from everywhere: they form a group.
struct Distances {
    std::vector<std::uint32_t> group_of_host;  ///< only of the destinations given
    std::uint32_t groups = 0;
    std::vector<std::uint8_t> links8;    ///< [group][row] links to its endpoints; 255 = none
    std::vector<std::uint16_t> links16;  ///< instead, where some way has more than 254 links; 65535 = none

    /// Links from a row to a host; the largest number of the type = no way.
    std::uint32_t operator()(model::Host host, std::uint32_t row, std::uint32_t rows) const {
        std::size_t const at = std::size_t{group_of_host[host.value]} * rows + row;
        return links16.empty() ? links8[at] : links16[at];
    }
};

/// Breadth-first search against the links from 64 groups at once (Then and others: "The More the Merrier: Efficient
/// Multi-Source Graph Traversal", VLDB 2014). Adapters that do not forward lie on no path.
/// In IP fabrics a host is where its address is, whatever other cables its node has. `threads`: 0 = all cores.
Distances find_distances(model::Forwarding const& forwarding, std::span<model::Destination const> destinations,
                         unsigned threads);

}  // namespace tailback::audit
