// Permutations, drawn and swapped.
#pragma once

#include "kernels/cpu/fast/permutation_draws.hpp"

#include <cstdint>

namespace tailback::kernels::stages {

/// The first `steps` places of the permutation that `draws` describe. `identity`: 0, 1, ..; null: `places`, where there
/// is room for the whole permutation, hold them already.
void draw_places(PermutationDraws const& draws, std::uint32_t steps, std::uint16_t const* identity,
                 std::uint16_t* places);
void draw_places(PermutationDraws const& draws, std::uint32_t steps, std::uint32_t const* identity,
                 std::uint32_t* places);

}  // namespace tailback::kernels::stages
