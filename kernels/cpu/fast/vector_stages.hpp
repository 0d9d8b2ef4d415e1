// The stages that pay for instructions of their own: permutations, and reading counters back.
#pragma once

#include "kernels/cpu/fast/ways.hpp"
#include "kernels/cpu/team.hpp"

#include <cstdint>

namespace tailback::stages {

/// The first `steps` places of the permutation that `draws` describe, by swapping in `order`, scratch that begins as
/// `identity` (0, 1, ..). A final place is never looked at again, so four of 16 bits leave in one store.
void draw_places(Draws const& draws, std::uint32_t steps, std::uint16_t const* identity, std::uint16_t* order,
                 std::uint16_t* places);
void draw_places(Draws const& draws, std::uint32_t steps, std::uint32_t const* identity, std::uint32_t* order,
                 std::uint32_t* places);
/// The same without `order`, each chunk's swaps between the rounds of the next one's draws. Needs room for all of the
/// permutation in `places`.
void draw_places_in_turns(Draws const& draws, std::uint32_t steps, std::uint16_t const* identity,
                          std::uint16_t* places);

/// What the flows of a level come to.
struct ReadBack {
    std::uint64_t share_sum = 0;
    std::uint32_t largest = 0;
};

/// Rows that there are instructions for: two or four slots of 16 bits, four of 32.
enum class RowKind : std::uint8_t { two16, four16, four32 };

/// Flows whose congestion is to be read back: the largest 16-bit counter of a row, and at least the flow's floor.
struct FlowsToRead {
    void const* rows;
    std::uint32_t count;
    std::uint16_t const* counters;  ///< seven more than there are must be readable
    std::uint32_t const* floors;    ///< null: 1 each
    std::uint64_t const* share;     ///< by congestion
    std::uint32_t max_congestion;
    std::uint32_t* congestion;  ///< by flow, to be written; or null
};
/// By gathers (16-bit slots only; needs has_avx512()) or loads (needs has_avx2()).
ReadBack read_back_vectorised(ReadBackBy way, RowKind kind, FlowsToRead const& flows);

}  // namespace tailback::stages
