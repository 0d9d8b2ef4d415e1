// All routes to one destination: its column of the tables is a forest of rows. What: who forwards to whom, how many
// sources pass each row, how each row's route ends. Why this way: only rows that packets can meet are looked at, and
// they are peeled off from the outside (Kahn), so a destination costs O(rows met) whatever its routes look like, and
// rows on a cycle are simply never peeled. Needs: seven words a row; routes of R links take R rounds of the team.
#pragma once

#include "kernels/audit/next_hop.hpp"
#include "kernels/common/array_layout.hpp"
#include "kernels/common/portable.hpp"

#include <cstddef>
#include <cstdint>

namespace tailback::kernels {

/// Working memory of one team for one destination. All zero before the first.
struct TreeScratch {
    std::uint32_t* next;         ///< [row] a row, or one of `ends_..` below
    std::uint32_t* waiting;      ///< [row] rows that forward to it and are not peeled yet
    std::uint32_t* weight;       ///< [row] sources whose routes pass it
    RowState* state;             ///< [row]
    std::uint32_t* met;          ///< [row] rows that packets can meet
    std::uint32_t* order;        ///< [row] of these, as they are peeled: before the row they forward to
    std::uint32_t* round_start;  ///< [row + 1] first of each round in `order`
    std::uint32_t* counts;       ///< [2] how many are met, how many are peeled

    std::uint32_t rows_peeled() const { return counts[1]; }

    /// Lays the arrays out from `base` on; null only measures. Returns the bytes needed.
    TAILBACK_HD std::size_t lay_out(std::uint32_t rows, std::byte* base) {
        ArrayLayout layout(base);
        layout.take(next, rows);
        layout.take(waiting, rows);
        layout.take(weight, rows);
        layout.take(state, rows);
        layout.take(met, rows);
        layout.take(order, rows);
        layout.take(round_start, std::size_t{rows} + 1);
        layout.take(counts, 2);
        return layout.used();
    }
};

/// Where packets start, or where they are looked at from.
struct StartsView {
    std::uint32_t const* rows = nullptr;  ///< each once
    std::uint32_t count = 0;
    std::uint8_t const* is_start = nullptr;  ///< [row] 1 for these
    std::uint32_t const* sources = nullptr;  ///< [row] endpoints whose packets enter there; 0 where it is no start
};

namespace kernel {

/// Finds the rows that packets can meet, and what they forward to; what is left of the last tree is forgotten.
template <class T, class NextOf>
TAILBACK_KERNEL void meet_rows(T& team, StartsView const& starts, std::uint32_t own_row, NextOf const& next_of,
                               TreeScratch const& s) {
    for (std::uint32_t const i : team.each(s.counts[0])) s.waiting[s.met[i]] = 0;
    team.sync("last tree forgotten");
    for (std::uint32_t const i : team.each(starts.count)) s.met[i] = starts.rows[i];
    if (team.leads()) {
        s.counts[0] = starts.count;
        s.counts[1] = 0;
    }
    team.sync("starts met");
    for (std::uint32_t begin = 0, end = starts.count; begin < end;) {
        for (std::uint32_t const i : team.each(end - begin)) {
            std::uint32_t const row = s.met[begin + i], next = next_of(row);
            s.next[row] = next;
            s.weight[row] = starts.sources[row] - (row == own_row ? 1 : 0);
            s.state[row] = loop_state;
            if (next < arrival_bit && team.fetch_add(s.waiting[next], 1u) == 0 && starts.is_start[next] == 0)
                s.met[team.fetch_add(s.counts[0], 1u)] = next;
        }
        team.sync("rows met");
        begin = end;
        end = s.counts[0];
        team.sync("count of rows met read");  // all have read how many are met before anybody meets more
    }
}

/// Peels off rows round by round, from the outside, and passes their weights on. Returns how many rounds there were.
template <class T>
TAILBACK_KERNEL std::uint32_t peel_rows(T& team, TreeScratch const& s) {
    for (std::uint32_t const i : team.each(s.counts[0]))
        if (std::uint32_t const row = s.met[i]; s.waiting[row] == 0) s.order[team.fetch_add(s.counts[1], 1u)] = row;
    team.sync("outermost rows found");
    std::uint32_t rounds = 0, begin = 0, end = s.counts[1];
    while (begin < end) {
        team.sync("count of rows peeled read");  // all have read how many are peeled before anybody goes on
        if (team.leads()) s.round_start[rounds] = begin;
        for (std::uint32_t const i : team.each(end - begin)) {
            std::uint32_t const row = s.order[begin + i], next = s.next[row];
            if (next >= arrival_bit) continue;
            team.add(s.weight[next], s.weight[row]);
            if (team.fetch_add(s.waiting[next], ~0u) == 1) s.order[team.fetch_add(s.counts[1], 1u)] = next;
        }
        ++rounds;
        begin = end;
        team.sync("rows peeled");
        end = s.counts[1];
    }
    return rounds;
}

/// How a row's route ends, once that of the row it forwards to is known.
template <class DirectionOf>
TAILBACK_KERNEL RowState state_of(std::uint32_t row, DirectionOf const& direction_of, TreeScratch const& s) {
    std::uint32_t const next = s.next[row];
    if (next == ends_unreachable) return unreachable_state;
    RowState state;
    if (next == ends_delivered) state = delivered_state | 1u;
    else if (next == ends_misdelivered) state = misdelivered_state | 1u;
    else state = s.state[next] + 1;
    std::uint8_t const direction = direction_of(row);
    if (direction == 2 && (state & goes_up) != 0) state |= down_then_up;
    if (direction == 1) state |= goes_up;
    return state;
}

}  // namespace kernel

/// Grows the tree of a destination from the starts on. `next_of(row)`: where the row sends its packets, as `next_row`
/// tells it. `own_row` has one source less (the destination itself; no_row = none). `direction_of(row)`: 1 = it sends
/// up, 2 = down, 0 = neither. Afterwards `scratch` tells of the rows in `met`; rows on or before a cycle have
/// loop_state, and the weight of one on a cycle is what came in from outside and starts there. Other rows keep what an
/// earlier destination left.
template <class T, class NextOf, class DirectionOf>
TAILBACK_KERNEL void grow_tree(T& team, StartsView const& starts, std::uint32_t own_row, NextOf const& next_of,
                               DirectionOf const& direction_of, TreeScratch const& s) {
    kernel::meet_rows(team, starts, own_row, next_of, s);
    std::uint32_t const rounds = kernel::peel_rows(team, s);
    for (std::uint32_t round = rounds, stop = s.counts[1]; round-- > 0;) {
        std::uint32_t const start = s.round_start[round];
        for (std::uint32_t const i : team.each(stop - start)) {
            std::uint32_t const row = s.order[start + i];
            s.state[row] = kernel::state_of(row, direction_of, s);
        }
        stop = start;
        team.sync("round resolved");
    }
}

}  // namespace tailback::kernels
