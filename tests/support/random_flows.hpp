// Flows between random ranks, for tests of sharing.
#pragma once

#include "tests/support/rooms.hpp"

#include "patterns/pattern.hpp"

#include <cstdint>
#include <random>

namespace tailback {

/// Adds a level of so many flows, less those from a rank to itself; of odd seeds with sizes.
inline void add_random_level(FlowList& list, std::mt19937& random, std::size_t flows, std::uint32_t seed) {
    list.levels.push_back({.first_flow = list.flows.size()});
    for (std::size_t f = 0; f < flows; ++f) {
        std::uint32_t const from = random() % list.ranks, to = random() % list.ranks;
        if (from == to) continue;
        list.flows.push_back({from, to});
        if (seed % 2 == 1) list.weights.push_back(1 + random() % (seed % 4 == 1 ? 13 : 100000));
        ++list.levels.back().flow_count;
    }
}

}  // namespace tailback
