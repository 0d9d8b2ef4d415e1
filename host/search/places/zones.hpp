// What orders of ranks are allowed, and the swaps that lead from one to another: ranks that stay, units of ranks that
// go to places which follow each other, groups that each lie in one zone (a node, leaf or rack), jobs on their own
// nodes.
#pragma once

#include "host/search/places/place_problem.hpp"
#include "topologies/draws.hpp"

namespace tailback::search {

/// `count` ranks from `a` on change places with as many from `b` on; from PlaceProblem::ranks on they are empty places.
struct Swap {
    std::uint32_t a = 0, b = 0, count = 1;
};

/// Swaps of whole groups of one field (without zones: of units), and of units in one zone. Together they lead to every
/// order that is allowed. They go by where the ranks are.
class Swaps {
public:
    /// @param places of all ranks, as they are allowed, and behind them the empty ones as `filled` has them
    Swaps(PlaceProblem const& problem, Order const& places);
    /// Nothing can be swapped, or nothing that makes a difference.
    bool none() const { return groups_.empty() && units_.empty(); }
    /// Not of two that are both empty.
    Swap draw(topologies::Draws& draws) const;
    /// That swap is made.
    void took(Swap const& swap);
    /// First ranks of groups that may be swapped, those of one field after another.
    std::vector<std::uint32_t> const& movable() const { return movable_; }

private:
    void find_groups(PlaceProblem const& problem, Order const& places);
    void find_units(PlaceProblem const& problem);

    std::uint32_t together_, size_;  ///< ranks of a unit, of a group
    std::vector<std::uint32_t> movable_;
    struct Group {
        std::uint32_t at, begin, end;  ///< in `movable_`: its own place, and those of its field
    };
    std::vector<Group> groups_;                   ///< of ranks, that may be swapped
    std::vector<std::uint32_t> units_;            ///< of ranks, by number, that may be swapped in their zones
    std::vector<std::uint32_t> zone_;             ///< by unit of places; empty: units are not swapped
    std::vector<std::vector<std::uint32_t>> of_;  ///< by zone: its units of places
    std::vector<std::uint32_t> place_, unit_at_;  ///< by unit, by unit of places
    std::vector<bool> stays_;                     ///< by unit
};

/// Does a rank of the unit that this one is in stay?
bool unit_stays(PlaceProblem const& problem, std::uint32_t rank);

/// Is the unit of this first rank at places that follow each other, from a multiple on?
bool is_in_row(PlaceProblem const& problem, Order const& order, std::uint32_t first);

/// Are ranks that stay where they are in `start`, units at places that follow each other from a multiple on, groups in
/// zones of the fields where they are in `start`, and nobody at a closed place?
/// @param from the first rank that is looked at
bool is_allowed(PlaceProblem const& problem, Order const& order, Order const& start, std::uint32_t from = 0);

/// The same order, changed so that it is allowed, if there is room: ranks that stay go to their places, groups to the
/// zones that have most of them, units that are apart to where their first rank is, and nobody else moves that need
/// not.
/// @pre units that stay are in a row in `start`
/// @param start an order that tells where ranks stay, and the fields of groups
/// @param visited units of places, as they are given out to those who have to move; empty: in their order
Order allowed(PlaceProblem const& problem, Order order, Order const& start,
              std::span<std::uint32_t const> visited = {});

/// What keeps groups from finding room, of the first field where something does.
struct ZoneRoom {
    std::uint32_t groups = 0, room = 0;  ///< of the field: how many there are, how many its zones have places for
    std::uint32_t largest = 0;           ///< places of its largest zone
    std::uint32_t torn = UINT32_MAX;     ///< first rank of a group that cannot be in one zone as its ranks stay
    bool is_enough() const { return groups <= room && torn == UINT32_MAX; }
};
ZoneRoom room_in_zones(PlaceProblem const& problem, Order const& start);

}  // namespace tailback::search
