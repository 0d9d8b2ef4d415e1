// The CPU's own way through a mapping: stage by stage, each a loop of its own over all flows of a level.
//
// What:  draw and shuffle; find every flow's row; count; read back. The same tally as evaluate_mapping, held to it by
// tests. Why so: in one loop over flows the look-up of the next row waits behind counters that are being written. Loops
// that do one
//        thing keep many look-ups under way, and what they read and write has a known place. Places of hosts are 16
//        bits wide while they suffice, so that a permutation of 11,664 stays in the first cache.
// Needs: a problem is_staged() holds for, and routes that are rows of a fixed width (pads) or computed in blocks.
#pragma once

#include "kernels/cpu/fast/blocks.hpp"
#include "kernels/cpu/fast/rows.hpp"
#include "kernels/cpu/fast/stage_memory.hpp"
#include "kernels/cpu/fast/tree_sums.hpp"
#include "kernels/cpu/fast/vector_stages.hpp"
#include "kernels/cpu/fast/ways.hpp"
#include "kernels/cpu/fast/x86_vectors.hpp"
#include "kernels/cpu/team.hpp"
#include "kernels/evaluate/dispatch.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <type_traits>
#include <vector>

namespace tailback::stages {

/// How many flows ahead rows that lie far from the core are asked for, and counters that do; how many flows a count at
/// once is behind.
inline constexpr std::uint32_t rows_ahead = 64, counters_ahead = 16, behind = 16;
/// Counters of so many bytes stay in a core's own caches.
inline constexpr std::size_t near_counter_bytes = std::size_t{1} << 20;
/// Counters of so many bytes leave room for the rest in the first cache.
inline constexpr std::size_t nearest_counter_bytes = std::size_t{1} << 14;

/// Are its rows hosts, of which blocks of slots are computed?
template <class Finder>
concept InBlocks = requires {
    typename Finder::Block;
};

template <class Finder, class Seat>
class Mapping {
    static_assert(std::is_trivially_copyable_v<Finder>);  // every loop has a copy of its own
    using Row = typename Finder::Row;
    template <class Slot, std::uint32_t width>
    static constexpr bool has_rows_of = std::is_same_v<Row, typename RouteRows<Slot, width>::Row>;
    /// Is there a RowKind for its rows, and which?
    static constexpr bool vectorised =
        has_rows_of<std::uint16_t, 2> || has_rows_of<std::uint16_t, 4> || has_rows_of<std::uint32_t, 4>;
    static constexpr RowKind row_kind = has_rows_of<std::uint16_t, 2>   ? RowKind::two16
                                        : has_rows_of<std::uint16_t, 4> ? RowKind::four16
                                                                        : RowKind::four32;

public:
    Mapping(Problem const& p, Finder const& finder)
        : p_(p), finder_(finder), scratch_(p), trial_(ways_of(p, finder), flows_of(p)) {
        pairs_only_ = p.level_count == 1 && in_pairs(p.levels[0]);
    }

    /// The ways there are for a problem.
    static std::vector<Ways> ways_of(Problem const& p, Finder const& finder) {
        std::size_t const counter_bytes = std::size_t{p.inner} * sizeof(std::uint16_t);
        std::vector<RowsBy> rows = {RowsBy::table};
        if constexpr (requires { finder.ways(); }) rows = finder.ways();
        std::vector<bool> in_turns = {false}, at_once = {counter_bytes <= nearest_counter_bytes};
        std::vector<ReadBackBy> read_back = {ReadBackBy::slots};
        if (has_avx2()) {
            if constexpr (sizeof(Seat) == 2) in_turns.push_back(true);
            if constexpr (vectorised) read_back.push_back(ReadBackBy::loads);
        }
        if (has_avx512())
            if constexpr (vectorised && row_kind != RowKind::four32)
                read_back = {ReadBackBy::gathers, ReadBackBy::loads};
        if constexpr (InBlocks<Finder>) at_once = {false};
        else if (counter_bytes <= near_counter_bytes) at_once.push_back(!at_once[0]);
        std::vector<Ways> all;
        for (RowsBy const r : rows)
            for (bool const t : in_turns)
                for (bool const o : at_once)
                    for (ReadBackBy const b : read_back) all.push_back({r, t, o, b});
        return all;
    }
    /// From now on in the fastest of these, out of ways_of().
    void set_ways(std::vector<Ways> const& ways) { trial_ = Trial(ways, flows_of(p_)); }
    Ways const& ways() const { return trial_.now(); }
    bool is_decided() const { return trial_.over(); }

    /// The same as evaluate_mapping.
    MappingTally evaluate(std::uint64_t m, TotalsView const& totals) {
        if (!trial_.over()) trial_.next_mapping();
        MappingTally tally;
        auto& s = scratch_;
        place_ranks(m);
        if (p_.wants_delay) std::fill_n(s.after, p_.ranks, 0);
        for (std::uint32_t l = 0; l < p_.level_count; ++l) {
            LevelView const& level = p_.levels[l];
            std::uint32_t const local = find_rows(level);
            tally.local += local;
            tally.delivered += level.slots_to_keep - local;
            ReadBack found;
            if (count(level, s.counters)) {
                found = look(level, local, s.counters, totals);
            } else {  // some counter passed 65,535: once more with wide ones
                std::fill_n(s.counters, std::size_t{p_.inner} + 4, std::uint16_t{0});
                s.wide_counters.resize(std::size_t{p_.inner} + 4);
                count(level, s.wide_counters.data());
                found = look(level, local, s.wide_counters.data(), totals);
            }
            tally.share_sum += found.share_sum;
            tally.congestion_sum += found.largest;
            if (p_.wants_route_links) tally.route_links += count_route_links(level, totals);
        }
        if (p_.wants_delay)
            for (std::uint32_t r = 0; r < p_.measured_ranks; ++r) tally.delay = std::max(tally.delay, s.after[r]);
        if (p_.wants_histogram)
            for (std::uint32_t c = 0; c < near_bins; ++c) {
                if (s.histogram[c] != 0) totals.histogram[c] += s.histogram[c];  // the totals may be shorter
                s.histogram[c] = 0;
            }
        return tally;
    }

    // The stages; a mapping is place_ranks, then for every level find_rows, count, look.

    void place_ranks(std::uint64_t m) {
        auto& s = scratch_;
        switch (p_.placement) {
            case Placement::random: draw(Stream::mapping, m, p_.ranks, p_.ranks, s.seat_of_rank); break;
            case Placement::identity:
                for (std::uint32_t r = 0; r < p_.ranks; ++r) s.seat_of_rank[r] = static_cast<Seat>(r);
                break;
            case Placement::listed:
                for (std::uint32_t r = 0; r < p_.ranks; ++r)
                    s.seat_of_rank[r] = static_cast<Seat>(p_.listed[m * p_.ranks + r]);
                break;
        }
        if (p_.draw_subset) {
            draw(Stream::subset, m, p_.seats, p_.ranks, s.subset);
            for (std::uint32_t r = 0; r < p_.ranks; ++r) s.seat_of_rank[r] = s.subset[s.seat_of_rank[r]];
        }
        for (std::uint32_t k = 0; k < 2; ++k)
            if (p_.drawn_ranks[k] > 0)
                draw(k == 0 ? Stream::first_pattern : Stream::second_pattern, m, p_.drawn_ranks[k], p_.drawn_ranks[k],
                     s.drawn[k]);
    }

    /// The rows of all flows of a level, in order; those of local flows are empty. @return how many are local.
    /// Most of them are counted, too, where that is the way and none can pass 16 bits.
    std::uint32_t find_rows(LevelView const& level) {
        bool const at_once = ways().counts_at_once && level.slots_to_keep <= 0xFFFF;
        auto find = [&](auto const& finder) {
            if constexpr (std::remove_cvref_t<decltype(finder)>::fetches)
                if (p_.far_routes)
                    return at_once ? find_rows<true, true>(level, finder) : find_rows<true, false>(level, finder);
            if constexpr (!InBlocks<Finder>)
                if (at_once) return find_rows<false, true>(level, finder);
            return find_rows<false, false>(level, finder);
        };
        if constexpr (requires { finder_.by(ways().rows, find); }) return finder_.by(ways().rows, find);
        else return find(finder_);
    }
    /// Is flow f of the level rank 2f+1 -> rank 2f for all flows, as in `bisect`?
    bool in_pairs(LevelView const& level) const {
        if (level.flows != level.slots_to_keep) return false;
        RankPair const* const flows = p_.flows + level.first_flow;
        for (std::uint32_t f = 0; f < level.flows; ++f)
            if (flows[f].source != 2 * f + 1 || flows[f].destination != 2 * f) return false;
        return true;
    }

    /// Adds every row of the level that is not counted yet to the counters. @return false when a narrow counter may
    /// have passed its end.
    template <class Counter>
    bool count(LevelView const& level, Counter* counters) {
        if (sizeof(Counter) > 2 || level.slots_to_keep <= 0xFFFF) return count<false>(level.slots_to_keep, counters);
        return count<true>(level.slots_to_keep, counters);
    }
    std::uint16_t* counters() { return scratch_.counters; }

    /// Reads every flow's congestion back, adds to the totals, and leaves the counters zero.
    template <class Counter>
    ReadBack look(LevelView const& level, std::uint32_t local, Counter* counters, TotalsView const& totals) {
        bool const by_flow = local > 0 || p_.wants_histogram || p_.wants_delay;
        ReadBack found = read_back(level, counters, by_flow);
        if (by_flow) note_flows(level, local, totals, found);
        if (p_.wants_link_sums && p_.count_host_links) add_host_links(level, totals);
        if (level.sparse) {
            each_slot(level, [&](std::uint32_t slot) {
                if (p_.wants_link_sums && slot != p_.inner) totals.link_sums[slot] += 1;
                counters[slot] = 0;
            });
        } else {
            if (p_.wants_link_sums)
                for (std::uint32_t slot = 0; slot < p_.inner; ++slot) totals.link_sums[slot] += counters[slot];
            std::fill_n(counters, p_.inner, Counter{0});
        }
        return found;
    }

private:
    static std::uint64_t flows_of(Problem const& p) {
        std::uint64_t flows = 0;
        for (std::uint32_t l = 0; l < p.level_count; ++l) flows += p.levels[l].slots_to_keep;
        return flows;
    }

    void draw(Stream stream, std::uint64_t m, std::uint32_t size, std::uint32_t steps, Seat* places) {
        Draws const draws(p_.seed, stream, m, size);
        if constexpr (sizeof(Seat) == 2)
            if (ways().draws_in_turns) return draw_places_in_turns(draws, steps, scratch_.identity, places);
        draw_places(draws, steps, scratch_.identity, scratch_.order, places);
    }

    /// @tparam at_once counts the row of `behind` flows earlier whenever one is found: its counters have known places
    /// by then, so nothing waits for them, and loads of rows fill the time that stores of counters take.
    template <bool far, bool at_once, class RowFinder>
    std::uint32_t find_rows(LevelView const& level, RowFinder const finder) {
        auto& s = scratch_;
        Seat const* const seat = s.seat_of_rank;
        Row* const rows = s.rows;
        std::uint16_t* const counters = s.counters;
        auto put = [&](std::uint32_t place, Row const& row) {
            if constexpr (at_once)
                if (place >= behind) finder.each(rows[place - behind], [&](std::uint32_t slot) { ++counters[slot]; });
            rows[place] = row;
        };
        if constexpr (at_once) counted_ = level.slots_to_keep > behind ? level.slots_to_keep - behind : 0;
        if (pairs_only_) {  // both places in one load
            auto with_pair = [&](std::uint32_t f, auto&& act) {
                Seat both[2];
                std::memcpy(both, seat + 2 * std::size_t{f}, sizeof both);
                return act(both[1], both[0]);
            };
            for (std::uint32_t f = 0; f < level.flows; ++f) {
                if constexpr (far)
                    with_pair(f + rows_ahead < level.flows ? f + rows_ahead : f,
                              [&](Seat from, Seat to) { finder.ask(from, to); });
                put(f, with_pair(f, [&](Seat from, Seat to) { return finder.find(from, to); }));
            }
            return 0;
        }
        RankPair const* const flows = p_.flows + level.first_flow;
        for (std::uint32_t f = 0; f < level.flows; ++f) {
            if constexpr (far) {
                RankPair const later = flows[f + rows_ahead < level.flows ? f + rows_ahead : f];
                finder.ask(seat[later.source], seat[later.destination]);
            }
            put(f, finder.find(seat[flows[f].source], seat[flows[f].destination]));
        }
        std::uint32_t local = 0, place = level.flows;
        for (RandomPart const& part : level.random) {
            Seat const* const pi = s.drawn[part.drawn];
            Seat const* const first = seat + part.first_rank;
            for (std::uint32_t i = 0; i < part.ranks; ++i) {
                if constexpr (far) {
                    std::uint32_t const later = i + rows_ahead < part.ranks ? i + rows_ahead : i;
                    finder.ask(first[later], first[pi[later]]);
                }
                bool const stays = pi[i] == i;
                local += stays;
                put(place++, stays ? finder.empty_row() : finder.find(first[i], first[pi[i]]));
            }
        }
        return local;
    }

    /// Calls visit(flow, block, its number there) for flows from .. to - 1; the counters of a block are asked for while
    /// the one before is visited.
    template <class Counter, class Visit>
    void each_in_blocks(std::uint32_t from, std::uint32_t to, Counter const* counters, Visit&& visit) {
        using Block = typename Finder::Block;
        constexpr std::uint32_t line = 64 / sizeof(Counter);
        Finder const finder = finder_;
        Block blocks[2];
        CpuTeam team;
        auto prepare = [&](std::uint32_t first, Block& block) {
            std::uint32_t const flows = std::min(to - first, block_flows);
            finder.find_block(scratch_.rows + first, flows, block);
            for (std::uint32_t i = 0; i < flows; ++i)
                block.each_run(i, [&](std::uint32_t slot, auto count) {
                    team.expect(counters + slot);
                    for (std::uint32_t k = line; k < count + line - 1; k += line)
                        team.expect(counters + slot + std::min<std::uint32_t>(k, count - 1));
                });
        };
        if (from < to) prepare(from, blocks[0]);
        for (std::uint32_t first = from, now = 0; first < to; first += std::min(to - first, block_flows), now ^= 1) {
            std::uint32_t const flows = std::min(to - first, block_flows);
            if (to - first > flows) prepare(first + flows, blocks[now ^ 1]);
            for (std::uint32_t i = 0; i < flows; ++i) visit(first + i, blocks[now], i);
        }
    }

    template <bool may_pass, class Counter>
    bool count(std::uint32_t flows, Counter* counters) {
        if constexpr (InBlocks<Finder>) return count_blocks<may_pass>(flows, counters);
        else return count_rows<may_pass>(flows, counters);
    }
    template <bool may_pass, class Counter>
    bool count_blocks(std::uint32_t flows, Counter* counters) {
        bool passed = false;
        std::uint32_t const padding = p_.inner;
        each_in_blocks(0, flows, counters, [&](std::uint32_t, auto const& block, std::uint32_t i) {
            block.each_run(i, [&](std::uint32_t slot, auto count) {
                bool any = false;
                for (std::uint32_t k = 0; k < count; ++k) {
                    Counter const now = ++counters[slot + k];
                    if constexpr (may_pass) any |= now == 0;
                }
                if constexpr (may_pass)
                    if (any) [[unlikely]]
                        passed |= !Finder::Block::pads || slot != padding;
            });
        });
        counters[p_.inner] = 0;
        return !passed;
    }
    template <bool may_pass, class Counter>
    bool count_rows(std::uint32_t flows, Counter* counters) {
        Finder const finder = finder_;
        Row const* const rows = scratch_.rows;
        bool const far = std::size_t{p_.inner} * sizeof(Counter) > near_counter_bytes;
        bool passed = false;
        std::uint32_t const padding = p_.inner;
        auto add = [&](std::uint32_t f) {
            finder.each(rows[f], [&](std::uint32_t slot) {
                Counter const now = ++counters[slot];
                if constexpr (may_pass) passed |= now == 0 && slot != padding;
            });
        };
        if (far) {
            CpuTeam team;
            for (std::uint32_t f = 0; f < flows; ++f) {
                finder.each(rows[f + counters_ahead < flows ? f + counters_ahead : f],
                            [&](std::uint32_t slot) { team.expect(counters + slot); });
                add(f);
            }
        } else {
            for (std::uint32_t f = counted_; f < flows; ++f) add(f);
            counted_ = 0;
        }
        counters[p_.inner] = 0;
        return !passed;
    }

    template <class Visit>
    void each_slot(LevelView const& level, Visit&& visit) {
        for (std::uint32_t f = 0; f < level.slots_to_keep; ++f) finder_.each(scratch_.rows[f], visit);
    }

    template <class Counter>
    ReadBack read_back(LevelView const& level, Counter const* counters, bool by_flow) {
        auto& s = scratch_;
        std::uint32_t* const congestion = by_flow ? s.congestion : nullptr;
        std::uint32_t const* const floors = level.unit_floor ? nullptr : p_.floors + level.first_flow;
        ReadBack listed = read_back(0, level.flows, counters, floors, congestion);
        ReadBack const drawn = read_back(level.flows, level.slots_to_keep, counters, nullptr, congestion);
        return {listed.share_sum + drawn.share_sum, std::max(listed.largest, drawn.largest)};
    }
    template <class Counter>
    ReadBack read_back(std::uint32_t from, std::uint32_t to, Counter const* counters, std::uint32_t const* floors,
                       std::uint32_t* congestion) {
        ReadBack found;
        if (from == to) return found;
        if constexpr (std::is_same_v<Counter, std::uint16_t> && vectorised)
            if (ways().read_back != ReadBackBy::slots)
                return read_back_vectorised(ways().read_back, row_kind,
                                            {scratch_.rows + from, to - from, counters, floors, p_.share,
                                             p_.max_congestion, congestion ? congestion + from : nullptr});
        auto note = [&](std::uint32_t f, auto&& each_load) {
            std::uint32_t largest = floors ? floors[f - from] : 1;
            each_load([&](std::uint32_t load) { largest = load > largest ? load : largest; });
            found.share_sum += p_.share[largest];
            found.largest = largest > found.largest ? largest : found.largest;
            if (congestion) congestion[f] = largest;
        };
        if constexpr (InBlocks<Finder>) {
            each_in_blocks(from, to, counters, [&](std::uint32_t f, auto const& block, std::uint32_t i) {
                note(f, [&](auto&& with) {
                    block.each_run(i, [&](std::uint32_t slot, auto count) {
                        Counter most = 0;
                        for (std::uint32_t k = 0; k < count; ++k) most = std::max(most, counters[slot + k]);
                        with(most);
                    });
                });
            });
        } else {
            Finder const finder = finder_;
            Row const* const rows = scratch_.rows;
            bool const far = std::size_t{p_.inner} * sizeof(Counter) > near_counter_bytes;
            CpuTeam team;
            for (std::uint32_t f = from; f < to; ++f) {
                if (far)
                    finder.each(rows[f + counters_ahead < to ? f + counters_ahead : f],
                                [&](std::uint32_t slot) { team.expect(counters + slot); });
                note(f, [&](auto&& with) { finder.each(rows[f], [&](std::uint32_t slot) { with(counters[slot]); }); });
            }
        }
        return found;
    }

    /// What needs the single flows: local ones are taken out again, histogram, delays.
    void note_flows(LevelView const& level, std::uint32_t local, TotalsView const& totals, ReadBack& found) {
        auto& s = scratch_;
        if (local > 0) {
            found.share_sum -= local * p_.share[1];
            // A level of local flows alone has no congestion.
            if (local == level.slots_to_keep) found.largest = 0;
            std::uint32_t* to = s.congestion + level.flows;
            for (RandomPart const& part : level.random) {
                for (std::uint32_t i = 0; i < part.ranks; ++i)
                    if (s.drawn[part.drawn][i] == i) to[i] = 0;
                to += part.ranks;
            }
        }
        if (p_.wants_histogram)
            for (std::uint32_t f = 0; f < level.slots_to_keep; ++f) {
                std::uint32_t const c = s.congestion[f];
                if (c == 0) continue;
                if (c < near_bins) ++s.histogram[c];
                else ++totals.histogram[c];
            }
        if (p_.wants_delay) note_delays(level);
    }

    /// How many links the routes of a level's flows have together; adds the flows by that number to the totals.
    std::uint64_t count_route_links(LevelView const& level, TotalsView const& totals) {
        std::uint64_t sum = 0;
        each_flow(level, [&](std::uint32_t place, std::uint32_t, std::uint32_t) {
            std::uint32_t links = p_.host_links_implied ? 2 : 0;
            finder_.each(scratch_.rows[place], [&](std::uint32_t slot) { links += slot != p_.inner; });
            sum += links;
            ++totals.lengths[links];
        });
        return sum;
    }

    void note_delays(LevelView const& level) {
        auto& s = scratch_;
        std::copy_n(s.after, p_.measured_ranks, s.before);
        each_flow(level, [&](std::uint32_t place, std::uint32_t from, std::uint32_t to) {
            if (from < p_.measured_ranks && to < p_.measured_ranks)
                s.after[to] = std::max(s.after[to], s.before[from] + s.congestion[place]);
        });
    }

    void add_host_links(LevelView const& level, TotalsView const& totals) {
        Seat const* const seat = scratch_.seat_of_rank;
        std::uint64_t* const up = totals.link_sums + p_.inner + 4;
        std::uint64_t* const down = up + p_.seats;
        each_flow(level, [&](std::uint32_t, std::uint32_t from, std::uint32_t to) {
            ++up[seat[from]];
            ++down[seat[to]];
        });
    }

    /// Calls visit(place, source rank, destination rank) for every flow that is not local.
    template <class Visit>
    void each_flow(LevelView const& level, Visit&& visit) {
        RankPair const* const flows = p_.flows + level.first_flow;
        std::uint32_t place = 0;
        for (; place < level.flows; ++place) visit(place, flows[place].source, flows[place].destination);
        for (RandomPart const& part : level.random) {
            Seat const* const pi = scratch_.drawn[part.drawn];
            for (std::uint32_t i = 0; i < part.ranks; ++i, ++place)
                if (pi[i] != i) visit(place, part.first_rank + i, part.first_rank + pi[i]);
        }
    }

    Problem p_;
    Finder finder_;
    Scratch<Row, Seat> scratch_;
    Trial trial_;
    bool pairs_only_ = false;
    std::uint32_t counted_ = 0;  ///< flows of the level that find_rows has counted
};

/// Do places of hosts need 32 bits?
inline bool seats_are_wide(Problem const& p) { return std::max(p.seats, p.ranks) > 0x10000; }

/// Are rows in blocks the faster way? Where rows have a fixed width it is when counters do not stay in the core's own
/// caches.
inline bool blocks_pay(Problem const& p) {
    bool const runs = p.form == RouteForm::torus || p.form == RouteForm::torus_by_middle;
    return runs || (seats_are_wide(p) && std::size_t{p.inner} * sizeof(std::uint16_t) > near_counter_bytes);
}

/// Calls run(finder) with the type that suits the problem, whose seats are of this width; it reads `tables`. @return
/// false when its routes are no rows, or is_staged() does not hold.
template <class Seat, class Run>
bool with_stages_of(Problem const& p, FinderTables& tables, Run&& run) {
    if (!is_staged(p) || seats_are_wide(p) != (sizeof(Seat) == sizeof(std::uint32_t))) return false;
    if (blocks_pay(p) && with_blocks(p, run)) return true;
    if (is_tree_of_sums(p)) {
        if (p.inner <= 0xFFFF - 4) run(ByTreeSum<std::uint16_t>(p, tables));
        else run(ByTreeSum<std::uint32_t>(p, tables));
        return true;
    }
    bool done = false;
    with_routes(p, [&]<class Routes>(Routes const& routes) {
        if constexpr (Routes::pads) {
            done = true;
            if constexpr (Routes::stored)
                if (p.sums.source != nullptr) return run(ByTableOrSum<Routes>(p, routes, tables));
            run(ByGroup<Routes>(p, routes, tables));
        }
    });
    return done;
}

/// The same for seats of either width: run.template operator()<Finder, Seat>(finder).
template <class Run>
bool with_stages(Problem const& p, FinderTables& tables, Run&& run) {
    auto const of = [&]<class Seat>() {
        return with_stages_of<Seat>(
            p, tables, [&]<class Finder>(Finder const& finder) { run.template operator()<Finder, Seat>(finder); });
    };
    return of.template operator()<std::uint16_t>() || of.template operator()<std::uint32_t>();
}

}  // namespace tailback::stages
