// The first half of a level: where each flow's row comes from. A finder is shared by all threads.
#pragma once

#include "kernels/evaluate/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tailback::kernels::stages {

/// How many flows ahead rows that lie far from the core are asked for.
inline constexpr std::uint32_t rows_ahead = 64;

/// A level's flows, and where its ranks are.
template <class HostWord>
struct LevelSeats {
    std::uint64_t mapping;
    RankPair const* flows;
    LevelView const* level;
    HostWord const* host_index;  ///< by rank
    HostWord const* drawn[2];    ///< the pattern's random permutations
    bool in_pairs;               ///< flow f is rank 2f + 1 -> rank 2f, and there are no others
};

/// Flows of a level that load no link: drawn from a rank to itself, or without a route. Their rows are empty.
struct AbsentFlows {
    std::uint32_t* places;  ///< ascending
    std::uint32_t count = 0;
    std::uint32_t by_fate[4] = {};  ///< [0]: local

    void add(std::uint32_t place, std::uint32_t fate) {
        places[count++] = place;
        ++by_fate[fate];
    }
};

/// Flows of a level whose links do not fit into one row. The rest of them is in a further row, behind those of all
/// flows.
struct LongFlows {
    std::uint32_t* places;  ///< ascending; that of further row i is places[i]
    std::uint32_t count = 0;
};

/// Flows of a level that a row alone does not tell.
struct OddFlows {
    AbsentFlows absent;
    LongFlows split;
};

/// HostWord: std::uint16_t, where it suffices for seats and ranks, or std::uint32_t.
template <class HostWord>
class RowFinder {
public:
    virtual ~RowFinder() = default;
    /// Writes the rows of all flows of a level, in order, and then further rows.
    virtual void find(LevelSeats<HostWord> const& level, void* rows, OddFlows& odd) const = 0;
    /// May there be further rows?
    virtual bool splits() const { return false; }
};

/// In place of a fate: the route takes two rows.
inline constexpr std::uint32_t in_two_rows = 4;

/// Needs of a View, of which every loop has a copy of its own: Row; find(source seat, destination seat); empty();
/// where `asks`, ask(source, destination); where `codes`, code(row): 0, a fate, or in_two_rows, and then find_both.
template <class View, class HostWord, bool asks, bool codes>
class RowLoops {
    using Row = typename View::Row;

public:
    RowLoops(View const& view, LevelSeats<HostWord> const& level, void* rows, OddFlows& odd)
        : view_(view), level_(level), rows_(static_cast<Row*>(rows)), odd_(odd) {}

    void run() {
        if (level_.in_pairs) return find_pairs();
        find_listed();
        find_drawn();
    }

private:
    void put(std::uint32_t place, std::uint32_t source, std::uint32_t destination) {
        Row const row = view_.find(source, destination);
        if constexpr (codes)
            if (std::uint32_t const code = view_.code(row)) [[unlikely]] {
                if (code != in_two_rows) return put_absent(place, code);
                std::uint32_t const further = level_.level->routes_to_keep + odd_.split.count;
                odd_.split.places[odd_.split.count++] = place;
                return view_.find_both(source, destination, rows_[place], rows_[further]);
            }
        rows_[place] = row;
    }
    void put_absent(std::uint32_t place, std::uint32_t fate) {
        odd_.absent.add(place, fate);
        rows_[place] = view_.empty();
    }
    void find_pairs() {
        std::uint32_t const flows = level_.level->flows;
        auto const with_pair = [&](std::uint32_t f, auto&& act) {  // both in one load
            HostWord both[2];
            std::memcpy(both, level_.host_index + 2 * std::size_t{f}, sizeof both);
            act(both[1], both[0]);
        };
        for (std::uint32_t f = 0; f < flows; ++f) {
            if constexpr (asks)
                with_pair(f + rows_ahead < flows ? f + rows_ahead : f,
                          [&](HostWord s, HostWord d) { view_.ask(s, d); });
            with_pair(f, [&](HostWord s, HostWord d) { put(f, s, d); });
        }
    }
    void find_listed() {
        std::uint32_t const flows = level_.level->flows;
        RankPair const* const listed = level_.flows;
        HostWord const* const host_index = level_.host_index;
        for (std::uint32_t f = 0; f < flows; ++f) {
            if constexpr (asks) {
                RankPair const later = listed[f + rows_ahead < flows ? f + rows_ahead : f];
                view_.ask(host_index[later.source], host_index[later.destination]);
            }
            put(f, host_index[listed[f].source], host_index[listed[f].destination]);
        }
    }
    void find_drawn() {
        std::uint32_t place = level_.level->flows;
        for (RandomPart const& part : level_.level->random) {
            HostWord const* const pi = level_.drawn[part.drawn];
            HostWord const* const first = level_.host_index + part.first_rank;
            for (std::uint32_t i = 0; i < part.ranks; ++i, ++place) {
                if constexpr (asks) {
                    std::uint32_t const later = i + rows_ahead < part.ranks ? i + rows_ahead : i;
                    view_.ask(first[later], first[pi[later]]);
                }
                if (pi[i] != i) put(place, first[i], first[pi[i]]);
                else put_absent(place, 0);
            }
        }
    }

    View const view_;
    LevelSeats<HostWord> const level_;
    Row* const rows_;
    OddFlows& odd_;
};

template <bool asks, bool codes, class View, class HostWord>
void find_rows(View const& view, LevelSeats<HostWord> const& level, void* rows, OddFlows& odd) {
    RowLoops<View, HostWord, asks, codes>(view, level, rows, odd).run();
}

}  // namespace tailback::kernels::stages
