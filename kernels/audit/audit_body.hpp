// One destination of the audit. What: the fates, lengths, loads, detours and turns of all pairs that end there. Why
// this way: once the destination's tree has its weights, each row answers for all pairs that pass it, so a pair is
// never walked. Needs: the tree's scratch and a small histogram; entries of rows that packets meet are read a few
// times.
#pragma once

#include "kernels/audit/audit_problem.hpp"
#include "kernels/audit/destination_tree.hpp"

namespace tailback::kernels {

/// Routes of fewer links are counted by the team first: on a device all teams would queue for the same few cells.
inline constexpr std::uint32_t near_links = 64;

struct AuditScratch {
    TreeScratch tree;
    std::uint32_t* near_hops;  ///< [near_links]; zero between destinations

    TAILBACK_HD std::size_t lay_out(std::uint32_t rows, std::byte* base) {
        near_hops = reinterpret_cast<std::uint32_t*>(base);
        std::size_t const used = near_links * sizeof(std::uint32_t);
        return used + tree.lay_out(rows, base == nullptr ? nullptr : base + used);
    }
};

namespace kernel {

/// What the rows of a destination's tree come to.
template <class T, class Column>
struct RowsOfDestination {
    T& team;
    AuditView const& a;
    Column const& column;
    AuditDestination const& d;
    AuditScratch const& scratch;
    AuditTotals const& totals;
    AuditTally tally = {};  ///< this member's, until `fold`

    TAILBACK_KERNEL void tell(std::uint32_t row) {
        TreeScratch const& s = scratch.tree;
        RowState const state = s.state[row];
        std::uint64_t const starting = a.starts.sources[row] - (row == d.own_row ? 1 : 0);
        if (!note_fate(state, starting)) return;
        if (a.starts.is_start[row] != 0) team.add_total(totals.reached[row], 1);
        if (row == d.own_row) tally.own_delivered = 1;
        std::uint64_t const passing = s.weight[row];
        if (passing == 0) return;
        std::size_t const at = std::size_t{row} * a.forwarding.ports + column[row];
        team.add_total(totals.load[at], passing);
        team.add_total(totals.destinations[at], 1);
        if (starting != 0) tell_lengths(row, state, starting);
        std::uint32_t const next = s.next[row];
        if (a.distances8 != nullptr || a.distances16 != nullptr)
            tell_detours(row, next, state & links_mask, starting, passing);
        if (next < arrival_bit) tell_turn(at, next, passing);
    }
    /// Folds the members' parts into one tally, and hands the team's own histogram over.
    TAILBACK_KERNEL void fold() {
        tally.delivered = team.sum(tally.delivered);
        tally.unreachable = team.sum(tally.unreachable);
        tally.loop = team.sum(tally.loop);
        tally.misdelivered = team.sum(tally.misdelivered);
        tally.longer = team.sum(tally.longer);
        tally.down_then_up = team.sum(tally.down_then_up);
        tally.own_delivered = team.sum(tally.own_delivered, "destination told");
        for (std::uint32_t const links :
             team.each(near_links)) {  // after the sums, which order memory; before the next tree's
            if (scratch.near_hops[links] != 0) team.add_total(totals.hops[links], scratch.near_hops[links]);
            scratch.near_hops[links] = 0;
        }
    }

private:
    /// @return whether packets of that row arrive.
    TAILBACK_KERNEL bool note_fate(RowState state, std::uint64_t starting) {
        RowState const fate = state >> fate_shift << fate_shift;
        if (fate == delivered_state) tally.delivered += starting;
        else if (fate == unreachable_state) tally.unreachable += starting;
        else if (fate == loop_state) tally.loop += starting;
        else tally.misdelivered += starting;
        return fate == delivered_state;
    }
    TAILBACK_KERNEL void tell_lengths(std::uint32_t row, RowState state, std::uint64_t starting) {
        std::uint32_t const links = (state & links_mask) + a.entry_links[row];
        if (links < near_links) team.add(scratch.near_hops[links], static_cast<std::uint32_t>(starting));
        else team.add_total(totals.hops[links], starting);
        if ((state & down_then_up) != 0) tally.down_then_up += starting;
    }
    TAILBACK_KERNEL std::uint32_t distance(std::uint32_t row) const {
        std::size_t const at = std::size_t{d.group} * a.forwarding.rows + row;
        return a.distances8 != nullptr ? a.distances8[at] : a.distances16[at];
    }
    TAILBACK_KERNEL void tell_detours(std::uint32_t row, std::uint32_t next, std::uint32_t left, std::uint64_t starting,
                                      std::uint64_t passing) {
        std::uint32_t const least = distance(row);
        if (left > least && starting != 0) {
            tally.longer += starting;
            team.add_total(totals.excess[left - least], starting);
        }
        if (next < arrival_bit && distance(next) >= least) team.add_total(totals.detours[row], passing);
    }
    /// Of packets at port `at`, which go on through row `next`.
    TAILBACK_KERNEL void tell_turn(std::size_t at, std::uint32_t next, std::uint64_t passing) {
        std::size_t const ports = a.forwarding.ports;
        std::uint32_t const out = column[next];
        if (a.directions != nullptr && a.directions[at] == 2 && a.directions[next * ports + out] == 1)
            team.add_total(totals.wrong_turns[next], passing);
        if (totals.turns == nullptr) return;
        std::uint32_t const in = a.in_port8 != nullptr ? a.in_port8[at] : a.in_port16[at];
        team.set_bits(totals.turns[(next * ports + in) * a.turn_words + out / 32], 1u << (out % 32));
    }
};

}  // namespace kernel

/// `column[row]`: the out port for the destination.
template <class T, class Column>
TAILBACK_KERNEL AuditTally audit_destination(T& team, AuditView const& a, Column const& column,
                                             AuditDestination const& d, AuditScratch const& scratch,
                                             AuditTotals const& totals) {
    ForwardingView const& f = a.forwarding;
    grow_tree(
        team, a.starts, d.own_row, [&](std::uint32_t row) { return next_row(f, row, column[row], d.arrival); },
        [&](std::uint32_t row) -> std::uint8_t {
            return a.directions == nullptr ? 0 : a.directions[std::size_t{row} * f.ports + column[row]];
        },
        scratch.tree);
    kernel::RowsOfDestination<T, Column> rows{team, a, column, d, scratch, totals};
    for (std::uint32_t const i : team.each(scratch.tree.counts[0])) rows.tell(scratch.tree.met[i]);
    rows.fold();
    return rows.tally;
}

}  // namespace tailback::kernels
