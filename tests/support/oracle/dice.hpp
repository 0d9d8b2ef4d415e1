// A small deterministic source of damage (xorshift).
#pragma once

#include "tests/support/rooms.hpp"

#include <cstdint>

namespace tailback {

struct Dice {
    std::uint64_t state = 0x9E3779B97F4A7C15u;
    /// 0 .. below - 1.
    std::uint32_t operator()(std::uint32_t below) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return static_cast<std::uint32_t>(state >> 33) % below;
    }
};

}  // namespace tailback
