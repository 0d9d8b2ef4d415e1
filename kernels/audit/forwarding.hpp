// Forwarding as kernels see it: rows that forward, what lies behind each of their ports, one column of the tables a
// destination.
#pragma once

#include <cstdint>

namespace tailback::kernels {

/// What lies behind a port: a row below `arrival_bit`, or an arrival (`arrival_bit` | endpoint), or one of the ends.
using Target = std::uint32_t;
inline constexpr Target arrival_bit = 0x80000000u;
inline constexpr Target nothing = 0xFFFFFFFFu;       ///< no cable
inline constexpr Target foreign_port = 0xFFFFFFFEu;  ///< a port of an adapter that is no endpoint
inline constexpr std::uint32_t no_row = 0xFFFFFFFFu;

/// Rows are switches, adapters that forward, and sources plugged straight into another adapter; made by
/// host/model/routes/forwarding.
struct ForwardingView {
    std::uint32_t rows = 0;
    std::uint32_t ports = 0;          ///< stride of `targets`: the highest port number + 1
    Target const* targets = nullptr;  ///< [row][port]; port 0 is `nothing`
    std::uint32_t const* row_of_arrival =
        nullptr;  ///< by endpoint: the row of its node where that forwards, else no_row
};

/// How a route from a row ends, packed with what else is asked of it.
/// Bits 0..23 links left, 24 an up link is left, 25 goes up after it went down, 30..31 fate
/// (host/model/routes/trace.hpp's order).
using RowState = std::uint32_t;
inline constexpr RowState links_mask = 0x00FFFFFFu;
inline constexpr RowState goes_up = 1u << 24;
inline constexpr RowState down_then_up = 1u << 25;
inline constexpr unsigned fate_shift = 30;
inline constexpr RowState delivered_state = 0u << fate_shift;
inline constexpr RowState unreachable_state = 1u << fate_shift;
inline constexpr RowState loop_state = 2u << fate_shift;
inline constexpr RowState misdelivered_state = 3u << fate_shift;

}  // namespace tailback::kernels
