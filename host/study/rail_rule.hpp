// Which adapter of its node a rank uses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tailback::study {

/// Of A adapters, in a node of S slots.
enum class RailKind : std::uint8_t {
    local_rank,   ///< slot mod A
    round_robin,  ///< rank mod A
    nearest,      ///< floor(slot A / S): neighbouring slots share an adapter
    listed        ///< as a file says, by slot
};

struct RailRule {
    RailKind kind = RailKind::local_rank;
    std::vector<std::uint32_t> listed;  ///< [slot] -> adapter
    std::string words = "local-rank";   ///< of a listed one `file`
    std::string file = {};              ///< that it was read from
};

}  // namespace tailback::study
