#include "kernels/cpu/fast/draw_places.hpp"

#include "kernels/cpu/fast/philox.hpp"
#include "kernels/cpu/machine/isa.hpp"
#include "kernels/cpu/machine/x86_vectors.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

namespace tailback::kernels::stages {
namespace {

using DrawBetweenSwaps = bool (*)(PermutationDraws const&, std::uint32_t, std::uint32_t, std::uint32_t*, std::uint16_t*,
                                  std::uint32_t const*);

#ifdef TAILBACK_AVX512
/// Steps k .. k + 3 of a Fisher-Yates whose places from step 0 on are `rest`.
inline void swap_four(std::uint16_t* rest, std::uint32_t k, std::uint32_t const* draws) {
    auto swap = [&](std::uint32_t step) -> std::uint64_t {
        std::uint16_t* const place = rest + step;  // so that the address takes no addition of its own
        return std::exchange(place[draws[step]], *place);
    };
    std::uint64_t four = swap(k);
    four |= swap(k + 1) << 16;
    four |= swap(k + 2) << 32;
    four |= swap(k + 3) << 48;
    std::memcpy(rest + k, &four, sizeof four);
    asm volatile("" : : : "memory");  // or g++ moves all rounds of draws between swaps together
}

/// The draws of the chunk from step `first` on, and between their rounds the 128 swaps of another whose places begin at
/// `rest` and whose draws are `ready`. @return true when a draw may be in the biased tail.
TAILBACK_AVX512 bool draw_between_swaps(PermutationDraws const& draws, std::uint32_t first, std::uint32_t count,
                                        std::uint32_t* drawn, std::uint16_t* rest, std::uint32_t const* ready) {
    constexpr std::uint32_t swaps = PermutationDraws::chunk / PhiloxVectors::rounds_left;
    PhiloxVectors philox_vectors(draws, first / 4);
#pragma GCC unroll 8
    for (std::uint32_t round = 0; round < PhiloxVectors::rounds_left; ++round) {
        philox_vectors.round();
#pragma GCC unroll 4
        for (std::uint32_t k = swaps * round; k < swaps * (round + 1); k += 4) swap_four(rest, k, ready);
    }
    return philox_vectors.draws(count, drawn);
}

/// The same by AVX2, where a quarter of a chunk is drawn at once.
TAILBACK_AVX2 bool draw_between_swaps_avx2(PermutationDraws const& draws, std::uint32_t first, std::uint32_t count,
                                           std::uint32_t* drawn, std::uint16_t* rest, std::uint32_t const* ready) {
    constexpr std::uint32_t blocks = PhiloxEight::blocks;
    PhiloxStart const start(draws);
    bool doubtful = false;
    for (std::uint32_t block = 0; block < PermutationDraws::chunk / 4; block += blocks) {
        PhiloxEight eight(start, first / 4 + block);
#pragma GCC unroll 8
        for (std::uint32_t round = 0; round < PhiloxEight::rounds_left; ++round) {
            eight.round();
            static_assert(PhiloxEight::rounds_left * 4 == blocks * 4);
            swap_four(rest, 4 * (block + round), ready);
        }
        doubtful |= eight.draws(draws.size, count / 4 > block ? count / 4 - block : 0, drawn + 4 * block);
    }
    return doubtful;
}

/// Null where the machine has none of the two.
DrawBetweenSwaps best_draw_between_swaps() {
    if (has_avx512()) return draw_between_swaps;
    return has_avx2() ? draw_between_swaps_avx2 : nullptr;
}
#else
DrawBetweenSwaps best_draw_between_swaps() { return nullptr; }
#endif

/// A core draws a chunk while it waits for the stores of the chunk before: the rounds of the draws stand between its
/// swaps (between_swaps, for Seats of 16 bits), or the loops follow each other.
template <class HostWord>
void draw_places_by(DrawBetweenSwaps between_swaps, PermutationDraws const& draws, std::uint32_t steps,
                    HostWord const* identity, HostWord* places) {
    if (identity != nullptr) std::memcpy(places, identity, draws.size * sizeof *places);
    constexpr std::uint32_t chunk = PermutationDraws::chunk;
    std::uint32_t drawn[2][chunk], first = 0, now = 0;
    draws.draw(0, std::min(steps, chunk), drawn[0]);
    auto swap = [&](std::uint32_t k) { std::swap(places[first + k], places[first + k + drawn[now][k]]); };
    for (; first + chunk < steps; first += chunk, now ^= 1) {
        std::uint32_t const next = first + chunk, count = std::min(steps - next, chunk);
        if constexpr (sizeof(HostWord) == 2)
            if (between_swaps != nullptr) {
                bool const doubtful = between_swaps(draws, next, count, drawn[now ^ 1], places + first, drawn[now]);
                draws.settle(next, count, doubtful, drawn[now ^ 1]);
                continue;
            }
        draws.draw(next, count, drawn[now ^ 1]);
        for (std::uint32_t k = 0; k < chunk; ++k) swap(k);
    }
    for (std::uint32_t k = 0; first + k < steps; ++k) swap(k);
}

}  // namespace

void draw_places(PermutationDraws const& draws, std::uint32_t steps, std::uint16_t const* identity,
                 std::uint16_t* places) {
    draw_places_by(best_draw_between_swaps(), draws, steps, identity, places);
}

void draw_places(PermutationDraws const& draws, std::uint32_t steps, std::uint32_t const* identity,
                 std::uint32_t* places) {
    draw_places_by(nullptr, draws, steps, identity, places);
}

}  // namespace tailback::kernels::stages
