// Ranks that stay within zones of places: groups of some ranks each in one node, leaf or rack, and each job on nodes of
// its own.
#pragma once

#include "host/search/places/place_problem.hpp"
#include "topologies/draws.hpp"

namespace tailback::search {

/// `count` ranks from `a` on change places with as many from `b` on; from PlaceProblem::ranks on they are empty places.
struct Swap {
    std::uint32_t a = 0, b = 0, count = 1;
};

/// Swaps that keep groups in zones: of two units in a zone, and of two whole groups (or of a group and as many empty
/// places of one zone). Together they lead to every order that is allowed. They go by where the ranks are.
class ZoneSwaps {
public:
    /// @param places of all ranks, within their zones, and behind them the empty ones as `filled` has them
    ZoneSwaps(PlaceProblem const& problem, Order const& places);
    bool none() const { return groups_.empty() && units_.empty(); }
    Swap draw(topologies::Draws& draws) const;
    /// That swap is made.
    void took(Swap const& swap);

private:
    std::uint32_t zone_of(std::uint32_t unit) const { return zone_of_slot_[slot_of_[unit / size_]]; }
    std::uint32_t unit_in(std::uint32_t zone, std::uint32_t number) const;

    std::uint32_t together_, kept_, size_;  ///< ranks of a unit, of a group; units of a group
    std::vector<std::uint32_t> units_;      ///< of ranks, which may be swapped within their zones
    std::vector<std::uint32_t> groups_;     ///< of ranks, which may be swapped as a whole
    std::vector<bool> stays_, is_bound_;    ///< by unit; by group: a rank of it stays
    std::vector<std::uint32_t> group_at_, slot_of_, zone_of_slot_;  ///< zones have slots for groups
    struct Zone {
        std::uint32_t first_slot = 0, slots = 0, units = 0, moving = 0;
        std::uint32_t field_begin = 0, field_end = 0;  ///< slots that groups of it may go to
        std::vector<std::uint32_t> left;               ///< units in no slot: empty places
    };
    std::vector<Zone> zones_;
};

/// Are groups in zones, those of their fields, as in `start`? @param order of the ranks, or of the empty places, too
bool is_within_zones(PlaceProblem const& problem, Order const& order, Order const& start);

/// The same order with every group in a zone, where most of it is already and there is room; ranks that stay do not
/// move. @param start tells their fields @param order has the ranks that stay where `start` has them
/// @param visited units of places, as they are given out to those who have to move; empty: in their order
Order put_within_zones(PlaceProblem const& problem, Order order, Order const& start,
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
