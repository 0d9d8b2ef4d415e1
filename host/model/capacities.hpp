// Capacities as whole numbers: what one flow adds to a link's congestion, in units of 1/denominator.
#pragma once

#include "host/model/network.hpp"

#include <cstdint>
#include <vector>

namespace tailback::model {

enum class CapacityKind : std::uint8_t { from_rates, unit };

struct LinkCosts {
    /// The network's base rate: the most common rate among the up links of all its hosts, whoever takes part in a
    /// study (of equally common ones the slower), in 1/11 Gb/s; 0 = no rate known. A link's capacity is its rate in
    /// multiples of it; unknown rates count as base. Where no host link has a rate, LinkRecord::capacity stands for
    /// rates, and this is 0.
    std::uint32_t base_rate_elevenths = 0;
    std::uint32_t denominator = 1;
    /// By link: denominator / capacity. Empty when all capacities are 1.
    std::vector<std::uint32_t> cost;
};

/// @throws InputError where capacities have no common unit in 31 bits.
LinkCosts link_costs(Network const& network, CapacityKind kind);

}  // namespace tailback::model
