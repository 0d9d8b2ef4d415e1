#include "host/search/places/zones.hpp"

#include <algorithm>
#include <functional>
#include <tuple>

namespace tailback::search {
namespace {

std::uint32_t zones_of(PlaceProblem const& problem) {
    return problem.zone.empty() ? 1 : *std::max_element(problem.zone.begin(), problem.zone.end()) + 1;
}

std::uint32_t zone_of(PlaceProblem const& problem, std::uint32_t place) {
    return problem.zone.empty() ? 0 : problem.zone[place];
}

std::uint32_t field_of(PlaceProblem const& problem, std::uint32_t zone) {
    return problem.field.empty() ? 0 : problem.field[zone];
}

std::uint32_t group_size(PlaceProblem const& problem) { return problem.zone.empty() ? problem.together : problem.kept; }

/// By zone: how many groups it has places for.
std::vector<std::uint32_t> room_of_zones(PlaceProblem const& problem) {
    std::vector<std::uint32_t> room(zones_of(problem));
    for (std::uint32_t const zone : problem.zone) ++room[zone];
    for (std::uint32_t& one : room) one /= problem.kept;
    return room;
}

constexpr std::uint32_t nowhere = UINT32_MAX;

/// By group: the zone that ranks which stay bind it to, or nowhere.
struct BoundGroups {
    std::vector<std::uint32_t> zone;
    std::uint32_t torn = UINT32_MAX;  ///< first rank of one that is bound to two
};
BoundGroups bound_groups(PlaceProblem const& problem, Order const& start) {
    BoundGroups bound{std::vector<std::uint32_t>(problem.ranks / problem.kept, nowhere)};
    for (std::uint32_t r = problem.ranks; r-- > 0;) {
        if (!unit_stays(problem, r)) continue;
        std::uint32_t& zone = bound.zone[r / problem.kept];
        if (zone != nowhere && zone != problem.zone[start[r]]) bound.torn = r / problem.kept * problem.kept;
        zone = problem.zone[start[r]];
    }
    return bound;
}

/// By group: a zone with room for it, that with most of its ranks where it can be.
std::vector<std::uint32_t> zones_of_groups(PlaceProblem const& problem, Order const& order, Order const& start) {
    std::uint32_t const kept = problem.kept;
    std::vector<std::uint32_t> room = room_of_zones(problem), of_group = bound_groups(problem, start).zone;
    for (std::uint32_t const zone : of_group)
        if (zone != nowhere) --room[zone];
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> wishes;  // fewest ranks elsewhere first
    for (std::uint32_t group = 0; group < of_group.size(); ++group) {
        std::vector<std::uint32_t> in_zone(room.size());
        for (std::uint32_t r = group * kept; r < (group + 1) * kept; ++r) ++in_zone[problem.zone[order[r]]];
        std::uint32_t const field = field_of(problem, problem.zone[start[group * kept]]);
        for (std::uint32_t zone = 0; zone < room.size(); ++zone)
            if (field_of(problem, zone) == field) wishes.emplace_back(kept - in_zone[zone], group, zone);
    }
    std::sort(wishes.begin(), wishes.end());
    for (auto const& [elsewhere, group, zone] : wishes)
        if (of_group[group] == nowhere && room[zone] > 0) of_group[group] = zone, --room[zone];
    return of_group;
}

}  // namespace

Swaps::Swaps(PlaceProblem const& problem, Order const& places)
    : together_(problem.together), size_(group_size(problem)) {
    auto const units = static_cast<std::uint32_t>(places.size()) / together_;
    for (std::uint32_t unit = 0; unit < units; ++unit) stays_.push_back(unit_stays(problem, unit * together_));
    find_groups(problem, places);
    if (size_ == together_) return;  // units are groups
    of_.resize(zones_of(problem));
    unit_at_.resize(units);
    for (std::uint32_t unit = 0; unit < units; ++unit) {
        place_.push_back(places[unit * together_] / together_);
        unit_at_[place_.back()] = unit;
        zone_.push_back(zone_of(problem, unit * together_));
        of_[zone_.back()].push_back(unit);
    }
    find_units(problem);
}

void Swaps::find_groups(PlaceProblem const& problem, Order const& places) {
    std::vector<std::vector<std::uint32_t>> of_field(field_of(problem, zones_of(problem) - 1) + 1);
    std::uint32_t groups = static_cast<std::uint32_t>(places.size()) / size_;
    if (!problem.zone.empty()) {
        groups = 0;
        for (std::uint32_t const room : room_of_zones(problem)) groups += room;
    }
    for (std::uint32_t first = 0; first < groups * size_; first += size_) {
        bool moves = true;
        for (std::uint32_t r = first; r < first + size_; ++r)
            moves = moves && !stays_[r / together_] && (problem.closed.empty() || !problem.closed[places[r]]);
        if (moves) of_field[field_of(problem, zone_of(problem, places[first]))].push_back(first);
    }
    for (std::vector<std::uint32_t> const& field : of_field) {
        bool const is_one_zone = size_ > together_ && std::all_of(field.begin(), field.end(), [&](std::uint32_t r) {
                                     return zone_of(problem, places[r]) == zone_of(problem, places[field.front()]);
                                 });
        if (field.size() < 2 || is_one_zone) continue;
        auto const begin = static_cast<std::uint32_t>(movable_.size()),
                   end = begin + static_cast<std::uint32_t>(field.size());
        for (std::uint32_t at = begin; at < end && field[at - begin] < problem.ranks; ++at)
            groups_.push_back({at, begin, end});
        movable_.insert(movable_.end(), field.begin(), field.end());
    }
}

void Swaps::find_units(PlaceProblem const& problem) {
    std::vector<std::uint32_t> moving(of_.size());
    for (std::uint32_t unit = 0; unit < place_.size(); ++unit) moving[zone_[place_[unit]]] += !stays_[unit];
    for (std::uint32_t unit = 0; unit * together_ < problem.ranks; ++unit)
        if (!stays_[unit] && moving[zone_[place_[unit]]] > 1) units_.push_back(unit);
}

Swap Swaps::draw(topologies::Draws& draws) const {
    if (!groups_.empty() && (units_.empty() || draws.below(2) == 0)) {
        Group const& group = groups_[draws.below(static_cast<std::uint32_t>(groups_.size()))];
        std::uint32_t other = group.begin + draws.below(group.end - group.begin - 1);
        other += other >= group.at;
        return {movable_[group.at], movable_[other], size_};
    }
    std::uint32_t const unit = units_[draws.below(static_cast<std::uint32_t>(units_.size()))];
    std::vector<std::uint32_t> const& zone = of_[zone_[place_[unit]]];
    std::uint32_t other = unit;
    while (other == unit || stays_[other]) other = unit_at_[zone[draws.below(static_cast<std::uint32_t>(zone.size()))]];
    return {unit * together_, other * together_, together_};
}

void Swaps::took(Swap const& swap) {
    if (place_.empty()) return;
    for (std::uint32_t k = 0; k < swap.count / together_; ++k) {
        std::uint32_t const a = swap.a / together_ + k, b = swap.b / together_ + k;
        std::swap(place_[a], place_[b]);
        std::swap(unit_at_[place_[a]], unit_at_[place_[b]]);
    }
}

bool unit_stays(PlaceProblem const& problem, std::uint32_t rank) {
    std::size_t const first = rank / problem.together * problem.together,
                      end = std::min<std::size_t>(problem.stays.size(), first + problem.together);
    for (std::size_t r = first; r < end; ++r)
        if (problem.stays[r]) return true;
    return false;
}

bool is_in_row(PlaceProblem const& problem, Order const& order, std::uint32_t first) {
    if (order[first] % problem.together != 0) return false;
    for (std::uint32_t k = 1; k < problem.together; ++k)
        if (order[first + k] != order[first] + k) return false;
    return true;
}

bool is_allowed(PlaceProblem const& problem, Order const& order, Order const& start, std::uint32_t from) {
    for (std::uint32_t r = from; r < order.size(); ++r) {
        std::uint32_t const zone = zone_of(problem, order[r]);
        if (unit_stays(problem, r) && order[r] != start[r]) return false;
        if (r % problem.together == 0 && !is_in_row(problem, order, r)) return false;
        if (!problem.closed.empty() && problem.closed[order[r]]) return false;
        if (zone != zone_of(problem, order[r / problem.kept * problem.kept]) && !problem.zone.empty()) return false;
        if (field_of(problem, zone) != field_of(problem, zone_of(problem, start[r]))) return false;
    }
    return true;
}

Order allowed(PlaceProblem const& problem, Order order, Order const& start, std::span<std::uint32_t const> visited) {
    std::uint32_t const together = problem.together;
    std::vector<std::uint32_t> const of_group =
        problem.zone.empty() ? std::vector<std::uint32_t>() : zones_of_groups(problem, order, start);
    auto const zone_for = [&](std::uint32_t rank) { return of_group.empty() ? 0 : of_group[rank / problem.kept]; };
    std::vector<bool> taken(problem.places());
    auto const take = [&](std::uint32_t first, std::uint32_t place) {
        for (std::uint32_t k = 0; k < together; ++k) order[first + k] = place + k, taken[place + k] = true;
    };
    for (std::uint32_t r = 0; r < problem.ranks; r += together)
        if (unit_stays(problem, r)) take(r, start[r]);
    auto const fits = [&](std::uint32_t first, std::uint32_t place) {
        return !taken[place] && zone_of(problem, place) == zone_for(first);
    };
    std::vector<std::uint32_t> homeless;  // first ranks of units
    for (std::uint32_t r = 0; r < problem.ranks; r += together)
        if (unit_stays(problem, r)) continue;
        else if (is_in_row(problem, order, r) && fits(r, order[r])) take(r, order[r]);
        else homeless.push_back(r);
    std::erase_if(homeless, [&](std::uint32_t first) {  // of those whose ranks are apart the first one tells where
        std::uint32_t const place = order[first] / together * together;
        if (!fits(first, place)) return false;
        take(first, place);
        return true;
    });
    std::vector<std::vector<std::uint32_t>> free(zones_of(problem));
    for (std::uint32_t unit = problem.places() / together; unit-- > 0;) {
        std::uint32_t const place = (visited.empty() ? unit : visited[unit]) * together;
        if (!taken[place]) free[zone_of(problem, place)].push_back(place);
    }
    for (std::uint32_t const first : homeless) {
        take(first, free[zone_for(first)].back());
        free[zone_for(first)].pop_back();
    }
    return order;
}

ZoneRoom room_in_zones(PlaceProblem const& problem, Order const& start) {
    std::vector<std::uint32_t> const room = room_of_zones(problem);
    std::vector<std::uint32_t> bound_to(room.size()), places(room.size());
    for (std::uint32_t const zone : problem.zone) ++places[zone];
    BoundGroups const bound = bound_groups(problem, start);
    std::vector<ZoneRoom> fields(field_of(problem, static_cast<std::uint32_t>(room.size()) - 1) + 1);
    for (std::uint32_t zone = 0; zone < room.size(); ++zone) {
        ZoneRoom& field = fields[field_of(problem, zone)];
        field.room += room[zone];
        field.largest = std::max(field.largest, places[zone]);
    }
    fields[0].torn = bound.torn;
    for (std::uint32_t group = 0; group < bound.zone.size(); ++group) {
        ZoneRoom& field = fields[field_of(problem, problem.zone[start[group * problem.kept]])];
        ++field.groups;
        std::uint32_t const zone = bound.zone[group];
        if (zone != nowhere && ++bound_to[zone] > room[zone]) field.torn = std::min(field.torn, group * problem.kept);
    }
    auto const full = std::find_if_not(fields.begin(), fields.end(), std::mem_fn(&ZoneRoom::is_enough));
    return full == fields.end() ? fields[0] : *full;
}

}  // namespace tailback::search
