// A route, walked from the forwarding tables as a packet would go.
#pragma once

#include "kernels/audit/next_hop.hpp"
#include "kernels/common/portable.hpp"

#include <cstddef>
#include <cstdint>

namespace tailback::kernels {

/// A table_of_row for rows that have no table and always send by port 1.
inline constexpr std::uint32_t sends_by_port_1 = no_row - 1;

/// The tables as they lie in memory. Entry: 8 or 16 bits, the largest = none.
template <class Entry>
struct TablesView {
    Entry const* entries;               ///< [table][lid]
    std::uint32_t const* table_of_row;  ///< [row] no_row = none, sends_by_port_1
    std::size_t lids;

    TAILBACK_KERNEL Entry port(std::uint32_t row, std::uint32_t lid) const {
        std::uint32_t const table = table_of_row[row];
        if (table == sends_by_port_1) return Entry{1};
        return table == no_row || lid >= lids ? Entry(~Entry{0}) : entries[table * lids + lid];
    }
};

/// Where the packets of a group of sources start: in a row, where a link leads that is fixed, or nowhere.
struct RouteStart {
    std::uint32_t row = no_row;         ///< no_row: a source without a cable
    std::uint32_t first_slot = no_row;  ///< of the link to that row, where it is part of the route
};

/// What a packet looks for. An endpoint that nobody is: the LID is owned by no one, so that it cannot arrive.
struct RouteTarget {
    std::uint32_t lid = 0;
    std::uint32_t endpoint = 0;  ///< kernels/audit/forwarding.hpp
};

/// How a walk ended. The order is that of host/model/routes/trace.hpp.
enum class WalkEnd : std::uint32_t { delivered, unreachable, loop, misdelivered };
struct WalkResult {
    WalkEnd end;
    std::uint32_t links;
};

/// Walks from `start` and calls visit(slot) for each link taken, by `slots`: [row][port]. A walk that meets a row again
/// is found out by Brent's rule: the row at a power of two of links is remembered until the next.
template <class Entry, class Visit>
TAILBACK_KERNEL WalkResult walk_route(ForwardingView const& f, TablesView<Entry> const& tables,
                                      std::uint32_t const* slots, RouteStart const& start, RouteTarget const& target,
                                      Visit&& visit) {
    if (start.row == no_row) return {WalkEnd::unreachable, 0};
    std::uint32_t links = 0, row = start.row, remembered = row, forget_at = 8;
    if (start.first_slot != no_row) {
        visit(start.first_slot);
        ++links;
    }
    for (;;) {
        Entry const port = tables.port(row, target.lid);
        std::uint32_t const next = next_row(f, row, port, target.endpoint);
        if (next == ends_unreachable) return {WalkEnd::unreachable, links};
        if (next == ends_misdelivered) return {WalkEnd::misdelivered, links + 1};
        visit(slots[std::size_t{row} * f.ports + port]);
        ++links;
        if (next == ends_delivered) return {WalkEnd::delivered, links};
        row = next;
        if (row == remembered) return {WalkEnd::loop, links};
        if (links >= forget_at) {
            remembered = row;
            forget_at *= 2;
        }
    }
}

}  // namespace tailback::kernels
