// How far each node is from the hosts; which way is up; where the roots of a tree are.
#pragma once

#include "host/model/routes/forwarding.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tailback::audit {

/// Distance from the nearest host, in links: hosts 0, the switches they are cabled to 1, and so on. Aggregation nodes
/// and routers are no hosts here (they sit on switches of every level) unless there are no others; all adapters have
/// level 0.
struct Levels {
    static constexpr std::uint32_t unreached = 0xFFFFFFFFu;
    std::vector<std::uint32_t> of_node;  ///< unreached: no cable leads there
    std::uint32_t top = 0;               ///< of any switch
};
Levels levels_of(model::Network const& network);

/// What up*/down* is asked about.
struct UpDown {
    bool asked = false;
    std::string reason;     ///< why not, when it is not
    bool inferred = false;  ///< the roots are not given
    std::vector<model::Node> roots;
    std::vector<std::uint8_t> directions;  ///< as AllPairsRequest wants them
};

/// Up is towards the nearest root; between switches equally far from the roots, towards the one with the smaller GUID
/// (or, without GUIDs, the earlier one). Cables of hosts are neither.
/// Without `roots` they are inferred: the switches of the highest level, when that makes a tree, that is, when no cable
/// between switches joins two of one level and every switch below the top has one above it. Otherwise it is not asked.
UpDown updown_of(model::Forwarding const& forwarding, Levels const& levels,
                 std::optional<std::vector<model::Node>> const& roots);

}  // namespace tailback::audit
