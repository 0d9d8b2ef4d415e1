// Messages that take several rounds, one after the other, in segments: while one is in a round, the next is in that
// before it.
#pragma once

#include "patterns/families.hpp"

#include <algorithm>
#include <cstdint>

namespace tailback::patterns {

/// How many segments `bytes` are; 0: all at once.
inline std::uint64_t segments_of(std::uint64_t bytes, std::uint64_t segment) {
    return segment == 0 ? 1 : bytes / segment + (bytes % segment != 0);
}
/// Bytes of one of them; the last may be smaller.
inline std::uint64_t segment_bytes(std::uint64_t bytes, std::uint64_t segment, std::uint64_t number) {
    return segment == 0 ? bytes : std::min(segment, bytes - number * segment);
}

/// rounds + segments - 1 levels: in level l segment s is in round l - s. `write(round, segment)` writes its flows.
template <class Write>
void write_pipeline(FlowListWriter& out, std::uint64_t rounds, std::uint64_t segments, Write&& write) {
    for (std::uint64_t level = 0; rounds > 0 && level + 1 < rounds + segments; ++level) {
        out.begin_level();
        std::uint64_t const first = level < segments ? 0 : level + 1 - segments;
        for (std::uint64_t round = first; round < std::min(rounds, level + 1); ++round) write(round, level - round);
    }
}

}  // namespace tailback::patterns
