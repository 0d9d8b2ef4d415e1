// The hottest links relieved, entry by entry, for few collisions more.
#pragma once

#include "host/search/tables/moves.hpp"

#include <cstdint>

namespace tailback::search {

struct TrimWishes {
    std::uint64_t target = 0;  ///< no lower than this: loads times costs
    std::uint64_t most_entries = UINT64_MAX;
    bool at_any_price = false;  ///< also where collisions rise by more than a third of what the load falls, as parts
    bool by_relief = false;     ///< entries that relieve most go first, whatever they cost: for few entries
    double most_collisions = 0.003;  ///< that are added in all, as a part of those that are there
    /// So many, where that brings it to the target from no further than `near` times the target.
    double most_to_target = 0, near = 1.15;
};
/// Lowers the largest load (times cost) in steps of some percent: of each link above a step's end, hottest first,
/// entries of ways over it are moved where that lowers the sum over links of the squared excess, those that cost least
/// collisions first: of some of its entries where those are enough, and entries are not few. A step that does not lower
/// the largest load is undone, and is the last.
/// @return entries that are other ones now
std::uint64_t trim(MovableTrees& trees, LegalWays const& ways, TrimWishes const& wishes);

}  // namespace tailback::search
