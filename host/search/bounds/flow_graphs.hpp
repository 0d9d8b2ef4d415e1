// The ways to one destination switch, as flows divide over them.
#pragma once

#include "host/search/bounds/bundles.hpp"
#include "host/search/bounds/demand.hpp"
#include "host/search/bounds/divided_flows.hpp"

#include <span>

namespace tailback::search {

/// Ways of as few links as can be, flows divided equally. Links are bundles. What has no way there is left out.
FlowsToOne shortest_ways(Bundles const& bundles, Demand const& demand, std::uint32_t to);

/// Ways by which the priced distance falls: those that are not much longer than the shortest, and those that carry
/// flow now. Flow keeps its shares where it may.
/// @param away by switch: priced distances to `to` @param before the flow by the ways it had
FlowsToOne falling_ways(Bundles const& bundles, Demand const& demand, std::uint32_t to, std::span<double const> price,
                        std::span<double const> away, FlowsToOne const& before);

}  // namespace tailback::search
