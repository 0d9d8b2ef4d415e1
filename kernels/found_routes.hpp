// Routes that somebody finds for every flow of some mappings before these are evaluated.
#pragma once

#include <cstdint>

namespace tailback::kernels {

struct FoundRoutes {
    static constexpr std::uint32_t no_links[] = {0, 0, 0};
    /// What stands for drawn flows from a rank to itself, and flows inside a compute node; and for flows without a
    /// route.
    static constexpr std::uint32_t const *local = no_links, *unreachable = nullptr;
    /// The same for fates 1..3 (unreachable, loop, misdelivered).
    static std::uint32_t const* failed(std::uint64_t fate) { return fate == 1 ? unreachable : no_links + (fate - 1); }
    static std::uint32_t fate(std::uint32_t const* route) {
        return route == unreachable ? 1 : route == no_links + 1 ? 2 : route == no_links + 2 ? 3 : 0;
    }

    std::uint64_t first_mapping = 0;
    /// [mapping - first_mapping][flow: level by level, in each its LevelView::routes_to_keep] -> length of the route,
    /// then its slots.
    std::uint32_t const* const* routes = nullptr;
    std::uint64_t per_mapping = 0;  ///< flows of a mapping

    /// Those of a mapping: [LevelView::routes_before + number of the flow].
    std::uint32_t const* const* of_mapping(std::uint64_t mapping) const {
        return routes + (mapping - first_mapping) * per_mapping;
    }
};

/// The same as kernels ask for routes (kernels/evaluate/routes.hpp), of some levels of a mapping.
class RoutesOfFlows {
public:
    using Kept = std::uint32_t const*;
    static constexpr bool by_flow = true, pads = false, stored = true;

    RoutesOfFlows() = default;
    /// @param first LevelView::routes_before of the first of the levels
    RoutesOfFlows(std::uint32_t const* const* routes, std::uint64_t first) : routes_(routes), first_(first) {}
    /// @param place LevelView::routes_before + the flow's number
    Kept of_flow(std::uint64_t place) const { return routes_[place - first_]; }
    std::uint32_t fate(Kept route) const { return FoundRoutes::fate(route); }
    template <class Visit>
    void each(Kept route, Visit&& visit) const {
        for (std::uint32_t k = 1; k <= *route; ++k) visit(route[k]);
    }

private:
    std::uint32_t const* const* routes_ = nullptr;
    std::uint64_t first_ = 0;
};

}  // namespace tailback::kernels
