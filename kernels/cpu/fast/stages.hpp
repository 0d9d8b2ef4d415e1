// The CPU's own form of a mapping: stage by stage, each a loop of its own over all flows of a level.
//
// What:  draw and shuffle; find every flow's row; count; read back. The same tally as evaluate_mapping, held to it by
//        tests.
// Why so: in one loop over flows the look-up of the next row waits behind counters that are being written. Loops that
// do
//        one thing keep many look-ups under way, and what they read and write has a known place. Seats are 16 bits wide
//        while they suffice, so that a permutation of 11,664 stays in the first cache.
// Needs: rows (kernels/cpu/fast/rows.hpp).
#pragma once

#include "kernels/cpu/fast/rows.hpp"
#include "kernels/cpu/fast/stage_memory.hpp"
#include "kernels/evaluate/problem.hpp"

#include <vector>

namespace tailback::kernels::stages {

/// Do seats or ranks need 32 bits?
inline bool host_indices_are_wide(Problem const& p) {
    return p.placement.study_hosts > 0x10000 || p.placement.ranks > 0x10000;
}

template <class HostWord>
class Mapping {
public:
    /// `rows` has a finder.
    Mapping(Problem const& p, Rows<HostWord> const& rows);

    /// The same as evaluate_mapping.
    MappingTally evaluate(std::uint64_t m, TotalsView const& totals);

    // The stages; a mapping is place_ranks, then for every level find_rows, count, read_back, note_links.

    void place_ranks(std::uint64_t m);
    /// The rows of all flows of a level, in order.
    AbsentFlows const& find_rows(LevelView const& level);
    /// How many rows find_rows has written.
    std::uint32_t rows_of(LevelView const& level) const { return level.routes_to_keep + odd_.split.count; }
    /// Adds every row of the level to the counters.
    void count(LevelView const& level);
    /// Every flow's congestion, and what follows from it.
    ReadBack read_back(LevelView const& level, TotalsView const& totals);
    /// Adds to the sums of links where they are wanted, and leaves the counters zero.
    void note_links(LevelView const& level, TotalsView const& totals);

private:
    void draw(Stream stream, std::uint64_t m, std::uint32_t size, std::uint32_t steps, HostWord* places);
    bool in_pairs(LevelView const& level) const;
    template <class Counter>
    FlowsToCount<Counter> to_count(LevelView const& level, Counter* counters, std::vector<Counter> const& costs) const;
    /// Calls act(counters) with those of the level.
    template <class Act>
    void with_counters(Act&& act);
    template <class Counter>
    ReadBack read_back(LevelView const& level, Counter const* counters);
    template <class Counter>
    ReadBack read_back(LevelView const& level, std::uint32_t from, std::uint32_t to, Counter const* counters,
                       std::uint32_t const* min_congestions);
    template <class Counter>
    void note_links(LevelView const& level, Counter* counters, TotalsView const& totals);
    bool finds_floors(LevelView const& level) const;
    void find_floors(LevelView const& level);
    template <class Counter>
    void add_further(FlowsToRead<Counter> const& flows, std::uint32_t from, std::uint32_t all, ReadBack& found);
    void note_absent(LevelView const& level, ReadBack& found);
    void note_histogram(LevelView const& level, TotalsView const& totals);
    void note_delays(LevelView const& level);
    /// How many links the routes of a level's flows have; adds the flows by that number to the totals.
    void count_route_links(LevelView const& level, MappingTally& tally, TotalsView const& totals);
    void add_host_links(LevelView const& level, TotalsView const& totals);
    template <class Visit>
    void each_flow(LevelView const& level, Visit&& visit) const;

    Problem p_;
    Rows<HostWord> rows_;
    Scratch<HostWord> scratch_;
    std::uint32_t largest_cost_ = 1;
    std::vector<std::uint16_t> narrow_costs_;  ///< by slot; empty: 1 each
    std::vector<std::uint32_t> wide_costs_;
    std::uint64_t mapping_ = 0;
    OddFlows odd_{};           ///< of the level
    bool pairs_only_ = false;  ///< is flow f rank 2f + 1 -> rank 2f for all flows, as in `bisect`?
    bool wide_ = false;        ///< are the level's counters wide?
};

}  // namespace tailback::kernels::stages
