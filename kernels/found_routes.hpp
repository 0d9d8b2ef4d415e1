// Routes that somebody finds for every flow of some mappings before these are evaluated.
#pragma once

#include <cstdint>

namespace tailback::kernels {

struct FoundRoutes {
    static constexpr std::uint32_t no_links[] = {0};
    /// What stands for drawn flows from a rank to itself, and for flows without a route.
    static constexpr std::uint32_t const *local = no_links, *unreachable = nullptr;

    std::uint64_t first_mapping = 0;
    /// [mapping - first_mapping][flow: level by level, in each its LevelView::routes_to_keep] -> length of the route,
    /// then its slots.
    std::uint32_t const* const* routes = nullptr;
};

}  // namespace tailback::kernels
