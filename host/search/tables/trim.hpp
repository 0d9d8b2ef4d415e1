// The hottest links relieved, entry by entry, for few collisions more.
#pragma once

#include "host/search/tables/moves.hpp"

#include <cstdint>

namespace tailback::search {

struct TrimWishes {
    std::uint64_t target = 0;  ///< loads times costs above this are too much; as far down as it goes
    std::uint64_t most_entries = UINT64_MAX;
    double most_collisions = 0.003;  ///< that are added in all, as a part of those that are there
};
struct TrimResult {
    std::uint64_t entries = 0;  ///< changed
    bool complete = true;       ///< false: it was asked to stop
};

/// Lowers the largest load (times cost) in steps of some percent: of each link above a step's end, hottest first,
/// entries of ways over it are moved where that lowers the sum over links of the squared excess, those that cost least
/// collisions first. A step that does not lower the largest load is undone, and is the last.
TrimResult trim(MovableTrees& trees, LegalWays const& ways, TrimWishes const& wishes);

}  // namespace tailback::search
