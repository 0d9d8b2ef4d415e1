// The counters of one mapping's links, as kernels see them: one a cell, several in a word, or words spread over several
// memories.
#pragma once

#include "kernels/common/portable.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tailback::kernels {

/// One counter a cell.
template <class Counter>
struct PlainCounters {
    using Load = std::conditional_t<sizeof(Counter) == 8, std::uint64_t, std::uint32_t>;
    Counter* cell;

    template <class Team>
    TAILBACK_KERNEL void add(Team& team, std::uint32_t slot, Load amount = 1) const {
        team.add(cell[slot], static_cast<Counter>(amount));
    }
    TAILBACK_KERNEL Load read(std::uint32_t slot) const { return cell[slot]; }
    /// Several members may clear the same counter.
    template <class Team>
    TAILBACK_KERNEL void clear(Team& team, std::uint32_t slot) const {
        team.clear(cell[slot]);
    }
    /// For a counter that one member alone clears.
    TAILBACK_KERNEL void reset(std::uint32_t slot) const { cell[slot] = 0; }
    /// Clears the counters below `used`; where `wanted`, visit(slot, load) is called for each before.
    template <class Team, class Visit>
    TAILBACK_KERNEL void drain(Team& team, std::uint32_t used, bool wanted, Visit&& visit) const {
        for (std::uint32_t const slot : team.each(used)) {
            if (wanted) visit(slot, Load{cell[slot]});
            cell[slot] = 0;
        }
    }
    TAILBACK_KERNEL Counter* place(std::uint32_t slot) const { return cell + slot; }

    TAILBACK_HD static std::size_t bytes(std::uint32_t count, std::uint32_t) { return count * sizeof(Counter); }
    TAILBACK_HD static PlainCounters at(std::byte* memory, std::uint32_t) {
        return {reinterpret_cast<Counter*>(memory)};
    }
};

/// log2 of counters a word, where it is known when compiling.
template <std::uint32_t packing>
struct FixedPacking {
    static constexpr std::uint32_t value = packing;
    TAILBACK_HD constexpr operator std::uint32_t() const { return value; }
};

/// 1, 2 or 4 counters a 32-bit word, of 32, 16 or 8 bits. Needs: no counter passes its end
/// (kernels/evaluate/load_bound.hpp), or it would carry into its neighbour. `Words`: word number -> its cell.
template <class Words, class Packing = std::uint32_t>
struct PackedCounters {
    using Load = std::uint32_t;
    Words words;
    Packing packing;  ///< log2 of counters a word

    TAILBACK_KERNEL std::uint32_t shift(std::uint32_t slot) const {
        return (slot & ((1u << packing) - 1)) << (5 - packing);
    }
    TAILBACK_KERNEL std::uint32_t mask() const { return ~0u >> (32 - (32u >> packing)); }

    template <class Team>
    TAILBACK_KERNEL void add(Team& team, std::uint32_t slot, std::uint32_t amount = 1) const {
        team.add(words[slot >> packing], amount << shift(slot));
    }
    TAILBACK_KERNEL std::uint32_t read(std::uint32_t slot) const {
        return words[slot >> packing] >> shift(slot) & mask();
    }
    /// Counters of 8 bits are read at less expense, where the caller has found out that they are.
    TAILBACK_KERNEL bool are_bytes() const { return packing == 2; }
    TAILBACK_KERNEL std::uint32_t read_byte(std::uint32_t slot) const {
        if constexpr (requires { words.byte(slot); }) return words.byte(slot);
        else return words[slot >> 2] >> (slot << 3 & 31) & 0xFF;
    }
    template <class Team>
    TAILBACK_KERNEL void clear(Team& team, std::uint32_t slot) const {
        team.take_bits(words[slot >> packing], mask() << shift(slot));
    }
    template <class Team, class Visit>
    TAILBACK_KERNEL void drain(Team& team, std::uint32_t used, bool wanted, Visit&& visit) const {
        std::uint32_t const a_word = 1u << packing;
        if constexpr (requires { words.clear(team, 0u); })
            if (!wanted) return words.clear(team, (used + a_word - 1) >> packing);
        for (std::uint32_t const w : team.near((used + a_word - 1) >> packing)) {
            std::uint32_t& word = words[w];
            if (wanted)
                for (std::uint32_t rest = word, slot = w << packing; rest != 0;
                     rest = packing == 0 ? 0 : rest >> (32u >> packing), ++slot)
                    visit(slot, rest & mask());
            word = 0;
        }
    }

    TAILBACK_HD static std::size_t bytes(std::uint32_t count, std::uint32_t packing) {
        return (((count + (std::size_t{1} << packing) - 1) >> packing) * sizeof(std::uint32_t));
    }
    TAILBACK_HD static PackedCounters at(
        std::byte* memory, std::uint32_t packing) requires std::is_constructible_v<Words, std::uint32_t*> {
        if constexpr (std::is_same_v<Packing, std::uint32_t>)
            return {Words{reinterpret_cast<std::uint32_t*>(memory)}, packing};
        else return {Words{reinterpret_cast<std::uint32_t*>(memory)}, {}};
    }
};

/// Words in one piece.
struct WholeWords {
    std::uint32_t* word;
    WholeWords() = default;
    TAILBACK_HD explicit WholeWords(std::uint32_t* first) : word(first) {}
    TAILBACK_KERNEL std::uint32_t& operator[](std::uint32_t w) const { return word[w]; }
    /// Byte b mod 4, from the lowest, of word b div 4: machines that this runs on store the lowest first.
    TAILBACK_KERNEL std::uint32_t byte(std::uint32_t b) const {
        return reinterpret_cast<unsigned char const*>(word)[b];
    }
    /// Clears the first `count`, and what is left of their last 16 bytes. Needs: they begin at a multiple of 16.
    template <class Team>
    TAILBACK_KERNEL void clear(Team& team, std::uint32_t count) const {
        struct alignas(16) Four {
            std::uint32_t word[4];
        };
        for (std::uint32_t const f : team.each((count + 3) / 4)) reinterpret_cast<Four*>(word)[f] = Four{};
    }
};

/// Words dealt over 2^parts_log memories, word w to memory w mod 2^parts_log. Reach: (memory, pointer into one's own)
/// -> the same place in that memory.
template <class Reach>
struct SplitWords {
    Reach reach;
    std::uint32_t* own;
    std::uint32_t parts_log;
    TAILBACK_KERNEL std::uint32_t& operator[](std::uint32_t w) const {
        return *reach(w & ((1u << parts_log) - 1), own + (w >> parts_log));
    }
};

/// Narrow counters that hold sums of weights. `weight`, by flow, is set by who lays them out (narrow_weights).
template <class Narrow>
struct WeightCounters : Narrow {
    std::uint32_t const* weight;
    TAILBACK_HD static WeightCounters at(std::byte* memory, std::uint32_t packing) requires requires {
        Narrow::at(memory, packing);
    }
    { return {Narrow::at(memory, packing), nullptr}; }
};

/// A flow of a list with its weight, in one load.
struct alignas(16) ListedFlow {
    std::uint32_t source, destination, weight;
    std::uint32_t least;  ///< TrafficView::min_loads
};
/// Counters of 32 bits for sums of weights of studies of shares alone whose flows are all listed: they bring these
/// along. Other sums of flows would not fit 32 bits. `flow` is set by who lays them out.
struct ListedFlowCounters : PackedCounters<WholeWords, FixedPacking<0>> {
    using Words = PackedCounters<WholeWords, FixedPacking<0>>;
    ListedFlow const* flow;
    TAILBACK_HD static ListedFlowCounters at(std::byte* memory, std::uint32_t packing) {
        return {Words::at(memory, packing), nullptr};
    }
};

/// Counters of 64 bits, each two words that carry from the lower to the upper: in a GPU's shared memory an addition of
/// 64 bits is a loop that compares and swaps until nobody came between.
struct CarryCounters {
    using Load = std::uint64_t;
    struct alignas(8) Cell {
        std::uint32_t low, high;
    };
    Cell* cell;

    template <class Team>
    TAILBACK_KERNEL void add(Team& team, std::uint32_t slot, Load amount = 1) const {
        auto const low = static_cast<std::uint32_t>(amount);
        bool const carries = team.fetch_add(cell[slot].low, low) + low < low;
        std::uint32_t const high = static_cast<std::uint32_t>(amount >> 32) + (carries ? 1 : 0);
        if (high != 0) team.add(cell[slot].high, high);
    }
    TAILBACK_KERNEL Load read(std::uint32_t slot) const {
        Cell const both = cell[slot];
        return Load{both.high} << 32 | both.low;
    }
    template <class Team>
    TAILBACK_KERNEL void clear(Team& team, std::uint32_t slot) const {
        team.clear(cell[slot].low);
        team.clear(cell[slot].high);
    }
    TAILBACK_KERNEL void reset(std::uint32_t slot) const { cell[slot] = {}; }
    template <class Team, class Visit>
    TAILBACK_KERNEL void drain(Team& team, std::uint32_t used, bool wanted, Visit&& visit) const {
        for (std::uint32_t const slot : team.each(used)) {
            if (wanted) visit(slot, read(slot));
            cell[slot] = {};
        }
    }

    TAILBACK_HD static std::size_t bytes(std::uint32_t count, std::uint32_t) { return count * sizeof(Cell); }
    TAILBACK_HD static CarryCounters at(std::byte* memory, std::uint32_t) { return {reinterpret_cast<Cell*>(memory)}; }
};

/// What Scratch<Counter, ...> counts with: a view, or an integer for a cell each.
template <class Counter>
struct CountersOf {
    using Type = Counter;
};
template <class Counter>
requires std::is_integral_v<Counter>
struct CountersOf<Counter> {
    using Type = PlainCounters<Counter>;
};

}  // namespace tailback::kernels
