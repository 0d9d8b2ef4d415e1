// All routes to one destination: its column of the tables is a forest of rows. What: who forwards to whom, how many
// sources pass each row, how each row's route ends. Why this way: rows are peeled off from the leaves of the forest (Kahn),
// so a destination costs O(rows) whatever its routes look like, and rows on a cycle are simply never peeled. Needs: four
// words a row, a team of any size; routes as long as R links take R rounds, so long chains are slow on large teams only.
#pragma once

#include "kernels/forwarding.hpp"
#include "kernels/portable.hpp"

#include <cstddef>
#include <cstdint>

namespace tailback {

/// Working memory of one team for one destination.
struct TreeScratch {
    std::uint32_t* next;         ///< [row] a row, or a RowState with `ends_here` (see below)
    std::uint32_t* waiting;      ///< [row] rows that forward to it and are not peeled yet
    std::uint32_t* weight;       ///< [row] sources whose routes pass it
    std::uint32_t* order;        ///< [row] rows as they are peeled: before the row they forward to
    std::uint32_t* round_start;  ///< [row + 1] first of each round in `order`
    RowState* state;             ///< [row]
    std::uint32_t* peeled;       ///< [1]

    /// Lays the arrays out from `base` on; null only measures. Returns the bytes needed.
    TAILBACK_HD std::size_t lay_out(std::uint32_t rows, std::byte* base) {
        std::size_t used = 0;
        auto take = [&](std::uint32_t*& array, std::size_t count) {
            array = reinterpret_cast<std::uint32_t*>(base + used);
            used += (count * sizeof(std::uint32_t) + 15) / 16 * 16;
        };
        take(next, rows);
        take(waiting, rows);
        take(weight, rows);
        take(order, rows);
        take(round_start, std::size_t{rows} + 1);
        take(state, rows);
        take(peeled, 1);
        return used;
    }
};

/// In `next`: the route ends here, well or badly.
inline constexpr std::uint32_t ends_delivered = arrival_bit;
inline constexpr std::uint32_t ends_unreachable = arrival_bit + 1;
inline constexpr std::uint32_t ends_misdelivered = arrival_bit + 2;

/// Where a row's entry for the destination leads.
template <class Entry>
TAILBACK_HD std::uint32_t next_of(ForwardingView const& f, std::uint32_t row, Entry port, std::uint32_t destination) {
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

/// Grows the tree of `destination` (an endpoint). `column[row]`: the out port, the largest of its type = none. `sources`: [row]
/// endpoints whose packets enter there; `own_row` has one less (the destination itself; no_row = none). `directions`:
/// [row][port] 1 = up, 2 = down, or null. Afterwards `scratch` is filled for all rows; rows on or before a cycle have
/// loop_state; weights on a cycle's rows are what came in from outside and starts there.
/// Returns the number of rounds.
template <class T, class Column>
TAILBACK_KERNEL std::uint32_t grow_tree(T& team, ForwardingView const& f, Column const& column, std::uint32_t const* sources,
                                        std::uint32_t own_row, std::uint32_t destination, std::uint8_t const* directions,
                                        TreeScratch const& s) {
    for (std::uint32_t const row : team.each(f.rows)) {
        s.waiting[row] = 0;
        s.weight[row] = sources[row] - (row == own_row ? 1 : 0);
        s.state[row] = loop_state;
        s.next[row] = next_of(f, row, column[row], destination);
    }
    if (team.leads()) *s.peeled = 0;
    team.sync();
    for (std::uint32_t const row : team.each(f.rows))
        if (std::uint32_t const next = s.next[row]; next < arrival_bit) team.add(s.waiting[next], 1u);
    team.sync();
    for (std::uint32_t const row : team.each(f.rows))
        if (s.waiting[row] == 0) s.order[team.fetch_add(*s.peeled, 1u)] = row;
    team.sync();
    std::uint32_t rounds = 0, begin = 0, end = *s.peeled;
    while (begin < end) {
        team.sync();  // all have read `peeled` before anybody goes on
        if (team.leads()) s.round_start[rounds] = begin;
        for (std::uint32_t const i : team.each(end - begin)) {
            std::uint32_t const row = s.order[begin + i], next = s.next[row];
            if (next >= arrival_bit) continue;
            team.add(s.weight[next], s.weight[row]);
            if (team.fetch_add(s.waiting[next], ~0u) == 1) s.order[team.fetch_add(*s.peeled, 1u)] = next;
        }
        ++rounds;
        begin = end;
        team.sync();
        end = *s.peeled;
    }
    for (std::uint32_t round = rounds, stop = end; round-- > 0;) {
        std::uint32_t const start = s.round_start[round];
        for (std::uint32_t const i : team.each(stop - start)) {
            std::uint32_t const row = s.order[start + i], next = s.next[row];
            RowState state;
            if (next == ends_delivered) state = delivered_state | 1u;
            else if (next == ends_unreachable) state = unreachable_state;
            else if (next == ends_misdelivered) state = misdelivered_state | 1u;
            else state = s.state[next] + 1;
            if (directions != nullptr && next != ends_unreachable) {
                std::uint8_t const direction = directions[std::size_t{row} * f.ports + column[row]];
                if (direction == 2 && (state & goes_up) != 0) state |= down_then_up;
                if (direction == 1) state |= goes_up;
            }
            s.state[row] = state;
        }
        stop = start;
        team.sync();
    }
    return rounds;
}

}  // namespace tailback
