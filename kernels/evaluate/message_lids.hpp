// The LIDs that messages go to, where hosts have several, each with routes of its own, and which one a message takes is
// not told by its two hosts: it goes round them, or draws.
#pragma once

#include "kernels/common/philox.hpp"
#include "kernels/common/portable.hpp"

#include <cstdint>

namespace tailback::kernels {

/// The stream that messages draw their LIDs from.
inline constexpr std::uint32_t message_lid_stream = 15;

/// Rows are then those of [source][LID][host]: a group has `most` rows of rows, of which the number of the LID is
/// chosen message by message.
struct MessageLids {
    std::uint32_t most = 1;  ///< LIDs of a host, a power of 2; 1: a pair of hosts has one route. Rows of hosts with
                             ///< fewer repeat theirs
    std::uint8_t const* turn = nullptr;  ///< [LevelView::routes_before + number of the flow] -> LID; null: drawn
    std::uint64_t messages = 0;          ///< entries of `turn`
    std::uint64_t seed = 0;

    TAILBACK_HD bool are_several() const { return most > 1; }
};

/// What messages of a mapping draw with.
TAILBACK_HD std::uint32_t lid_draw(MessageLids const& lids, std::uint64_t mapping) {
    if (!lids.are_several() || lids.turn != nullptr) return 0;
    return philox(static_cast<std::uint32_t>(mapping), static_cast<std::uint32_t>(mapping >> 32), 1, message_lid_stream,
                  lids.seed)
               .word[0] |
           2;
}
/// The LID of message `number` of a level, counted from that of its host. @param draw lid_draw of the mapping
TAILBACK_HD std::uint32_t lid_of_message(MessageLids const& lids, std::uint64_t routes_before, std::uint32_t level,
                                         std::uint32_t number, std::uint32_t draw) {
    if (lids.turn != nullptr) return lids.turn[routes_before + number];
    return philox(number, level, draw, message_lid_stream, lids.seed).word[0] & (lids.most - 1);
}

}  // namespace tailback::kernels
