// Links between switches to the nearest of some.
#pragma once

#include "host/model/network.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tailback::audit {

inline constexpr std::uint32_t no_hops = 0xFFFFFFFF;  ///< there is no way

/// [node] links to the nearest of `targets` on ways through switches alone; `no_hops` where there is none.
void count_switch_hops(model::Network const& network, std::span<model::Node const> targets,
                       std::vector<std::uint32_t>& hops);

}  // namespace tailback::audit
