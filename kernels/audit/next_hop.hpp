// What a row does with a packet: the one rule that all trees of destinations are grown by, on every device.
#pragma once

#include "kernels/audit/forwarding.hpp"
#include "kernels/common/portable.hpp"

#include <cstddef>
#include <cstdint>

namespace tailback::kernels {

/// Instead of a row: the route ends here, well or badly.
inline constexpr std::uint32_t ends_delivered = arrival_bit;
inline constexpr std::uint32_t ends_unreachable = arrival_bit + 1;
inline constexpr std::uint32_t ends_misdelivered = arrival_bit + 2;

/// No endpoint has this number: a packet for it arrives nowhere.
inline constexpr std::uint32_t no_endpoint = 0x7FFFFFFFu;

/// Where `row` sends a packet for the endpoint `destination` when its entry is `port`: a row, or one of `ends_..`.
/// host/model/routes/next_hop.hpp tells the same of nodes, with the reason.
template <class Entry>
TAILBACK_HD std::uint32_t next_row(ForwardingView const& f, std::uint32_t row, Entry port, std::uint32_t destination) {
    if (port >= f.ports) return ends_unreachable;
    Target const target = f.targets[std::size_t{row} * f.ports + port];
    if (target < arrival_bit) return target;
    if (target == nothing) return ends_unreachable;
    if (target == foreign_port) return ends_misdelivered;
    std::uint32_t const endpoint = target & ~arrival_bit;
    if (endpoint == destination) return ends_delivered;
    std::uint32_t const row_there = f.row_of_arrival[endpoint];
    return row_there == no_row ? ends_misdelivered : row_there;
}

}  // namespace tailback::kernels
