// Ranks that want places: what they send each other, and which links lead from place to place.
#pragma once

#include "host/model/index.hpp"

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

namespace tailback::search {

struct PlacedFlow {
    std::uint32_t source = 0, destination = 0;  ///< ranks, not the same
    std::uint64_t weight = 1;                   ///< bytes, or 1
    auto operator<=>(PlacedFlow const&) const = default;
};

/// What runs at once: flows of different pairs, by source and destination.
struct PlacedLevel {
    std::vector<PlacedFlow> flows;
    std::uint64_t times = 1;  ///< so many levels of the traffic are this one
};

struct PackedWays {
    std::vector<std::uint16_t> words;
    std::size_t row = 0;  ///< 0: there are none

    std::span<std::uint16_t const> way(std::size_t number) const {
        std::uint16_t const* const at = words.data() + number * row;
        return {at, at[row - 1]};
    }
    void expect(std::size_t number) const { __builtin_prefetch(words.data() + number * row); }
};

/// The links of the ways between places. A way between two places of one node has none. Copies share them.
class Ways {
public:
    Ways() = default;
    /// @param links of every way, ways in the order (0, 0), (0, 1), ..; `first`: where each begins, and the end
    Ways(std::uint32_t places, std::vector<std::uint64_t> first, std::vector<std::uint32_t> links)
        : places_(places), lists_(std::make_shared<Lists const>(std::move(first), std::move(links))) {
        first_ = lists_->first.data();
        links_ = lists_->links.data();
    }

    std::uint32_t places() const { return places_; }
    std::span<std::uint32_t const> way(std::uint32_t from, std::uint32_t to) const { return way(number(from, to)); }
    std::size_t number(std::uint32_t from, std::uint32_t to) const { return std::size_t{from} * places_ + to; }
    std::span<std::uint32_t const> way(std::size_t number) const {
        return {links_ + first_[number], links_ + first_[number + 1]};
    }
    /// The same ways in rows of one size, their number of links last: what is asked for by chance is one line of
    /// memory. Null where ways are long, or links many.
    PackedWays const* packed() const;

private:
    struct Lists {
        Lists(std::vector<std::uint64_t> starts, std::vector<std::uint32_t> all)
            : first(std::move(starts)), links(std::move(all)) {}
        std::vector<std::uint64_t> first;
        std::vector<std::uint32_t> links;
        mutable std::once_flag packing;
        mutable PackedWays packed;
    };
    std::uint32_t places_ = 0;
    std::shared_ptr<Lists const> lists_;
    std::uint64_t const* first_ = nullptr;
    std::uint32_t const* links_ = nullptr;
};

struct PlaceProblem {
    std::uint32_t ranks = 0;  ///< at most as many as places; the others stay empty
    std::vector<PlacedLevel> levels;
    Ways ways;
    /// By link of the ways, from 0: what a weight of 1 adds to its congestion, in units of 1/denominator of the base
    /// rate (model::LinkCosts).
    std::vector<std::uint32_t> cost;
    std::vector<std::uint64_t> background;  ///< by link: load that flows meet where they use it; empty: none
    std::vector<std::uint32_t> node, leaf;  ///< by place: its compute node, its first switch
    std::vector<std::uint32_t> rack;        ///< by place; empty: nothing goes by racks
    /// So many consecutive ranks go to consecutive places, from a multiple on: they move together. Divides `ranks` and
    /// the number of places.
    std::uint32_t together = 1;
    /// Groups of so many consecutive ranks, from a multiple on, lie within one zone each. A multiple of `together`;
    /// where there are zones, it divides `ranks`.
    std::uint32_t kept = 1;
    std::vector<std::uint32_t> zone;   ///< by place, from 0 on; the places of a unit are in one. Empty: there are none
    std::vector<std::uint32_t> field;  ///< by zone, ascending: groups do not leave theirs; empty: all is one field
    std::vector<bool> stays;           ///< by rank: its place is that of the start; empty: none
    std::vector<bool> closed;          ///< by place: no rank may go there; empty: none. For searches by loads alone

    std::uint32_t places() const { return ways.places(); }
};

/// By rank: its place. Different ranks have different places.
using Order = std::vector<std::uint32_t>;

/// Its ranks' places and, behind them, the places that stay empty, in their order; where there are zones, first in
/// groups of one zone.
Order filled(PlaceProblem const& problem, Order order);

/// Sorts flows, adds up those of one pair, leaves out those of a rank to itself and of weight 0, and unites levels that
/// are the same (in the order of the first of each).
std::vector<PlacedLevel> tidied(std::vector<PlacedLevel> levels);
/// All flows in one level, each as often as its level comes.
PlacedLevel all_in_one(std::span<PlacedLevel const> levels);

}  // namespace tailback::search
