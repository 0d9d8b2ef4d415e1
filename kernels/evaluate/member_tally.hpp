// What one member of a team counts of a mapping, before members are folded into one.
#pragma once

#include <cstdint>

namespace tailback::kernels::kernel {

/// What one member of many counts of a mapping: it has so few flows that 32 bits suffice, which the executor sees to.
/// They take half the registers. Weight: an integer for sums of weights.
template <class Weight>
struct MemberTally {
    std::uint64_t share_sum = 0, congestion_sum = 0;
    std::uint32_t delivered = 0, unreachable = 0, loop = 0, misdelivered = 0, local = 0, route_links = 0;
    Weight hop_weight = 0, flow_weight = 0, within_nodes = 0;
};

}  // namespace tailback::kernels::kernel
