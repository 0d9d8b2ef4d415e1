#include "host/search/places/zones.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

namespace tailback::search {
namespace {

std::uint32_t zones_of(PlaceProblem const& problem) {
    return *std::max_element(problem.zone.begin(), problem.zone.end()) + 1;
}

std::uint32_t field_of(PlaceProblem const& problem, std::uint32_t zone) {
    return problem.field.empty() ? 0 : problem.field[zone];
}

/// By zone: how many groups it has places for.
std::vector<std::uint32_t> slots_of_zones(PlaceProblem const& problem) {
    std::vector<std::uint32_t> slots(zones_of(problem));
    for (std::uint32_t const zone : problem.zone) ++slots[zone];
    for (std::uint32_t& one : slots) one /= problem.kept;
    return slots;
}

bool rank_stays(PlaceProblem const& problem, std::uint32_t rank) {
    return rank < problem.stays.size() && problem.stays[rank];
}

/// By group: the zone that ranks which stay bind it to.
struct BoundGroups {
    std::vector<std::optional<std::uint32_t>> zone;
    std::uint32_t torn = UINT32_MAX;  ///< first rank of one that is bound to two
};
BoundGroups bound_groups(PlaceProblem const& problem, Order const& start) {
    BoundGroups bound;
    bound.zone.resize(problem.ranks / problem.kept);
    for (std::uint32_t r = 0; r < problem.ranks; ++r) {
        std::uint32_t const unit = r / problem.together * problem.together;
        bool stays = false;
        for (std::uint32_t k = 0; k < problem.together; ++k) stays = stays || rank_stays(problem, unit + k);
        if (!stays) continue;
        auto& zone = bound.zone[r / problem.kept];
        if (zone && *zone != problem.zone[start[r]] && bound.torn == UINT32_MAX)
            bound.torn = r / problem.kept * problem.kept;
        if (!zone) zone = problem.zone[start[r]];
    }
    return bound;
}

}  // namespace

ZoneSwaps::ZoneSwaps(PlaceProblem const& problem, Order const& places)
    : together_(problem.together), kept_(problem.kept), size_(problem.kept / problem.together) {
    auto const units = static_cast<std::uint32_t>(places.size()) / together_, full = problem.ranks / together_;
    std::vector<std::uint32_t> const slots = slots_of_zones(problem);
    zones_.resize(slots.size());
    for (std::uint32_t zone = 0, next = 0; zone < zones_.size(); ++zone) {
        zones_[zone].first_slot = next;
        zones_[zone].slots = slots[zone];
        next += slots[zone];
        zone_of_slot_.insert(zone_of_slot_.end(), slots[zone], zone);
    }
    for (std::uint32_t begin = 0, end = 0; begin < zones_.size(); begin = end) {
        while (end < zones_.size() && field_of(problem, end) == field_of(problem, begin)) ++end;
        for (std::uint32_t zone = begin; zone < end; ++zone) {
            zones_[zone].field_begin = zones_[begin].first_slot;
            zones_[zone].field_end = zones_[end - 1].first_slot + zones_[end - 1].slots;
        }
    }
    auto const groups = static_cast<std::uint32_t>(zone_of_slot_.size());
    group_at_.resize(groups);
    slot_of_.resize(groups);
    std::vector<std::uint32_t> used(zones_.size());
    for (std::uint32_t group = 0; group < groups; ++group) {
        std::uint32_t const zone = problem.zone[places[group * kept_]];
        slot_of_[group] = zones_[zone].first_slot + used[zone]++;
        group_at_[slot_of_[group]] = group;
    }
    stays_.resize(units);
    is_bound_.resize(groups);
    for (std::uint32_t unit = 0; unit < units; ++unit) {
        for (std::uint32_t k = 0; k < together_; ++k)
            if (rank_stays(problem, unit * together_ + k)) stays_[unit] = true;
        Zone& zone = zones_[problem.zone[places[unit * together_]]];
        ++zone.units;
        zone.moving += !stays_[unit];
        if (unit / size_ >= groups) zone.left.push_back(unit);
        else if (stays_[unit]) is_bound_[unit / size_] = true;
    }
    for (std::uint32_t unit = 0; unit < full; ++unit)
        if (!stays_[unit] && zones_[zone_of(unit)].moving > 1) units_.push_back(unit);
    std::vector<std::uint32_t> free_slots = {0};  // before each
    for (std::uint32_t const group : group_at_) free_slots.push_back(free_slots.back() + !is_bound_[group]);
    for (std::uint32_t group = 0; group * kept_ < problem.ranks; ++group) {
        Zone const& zone = zones_[zone_of_slot_[slot_of_[group]]];
        bool const has_others = free_slots[zone.field_end] - free_slots[zone.field_begin] >
                                free_slots[zone.first_slot + zone.slots] - free_slots[zone.first_slot];
        if (!is_bound_[group] && has_others) groups_.push_back(group);
    }
}

std::uint32_t ZoneSwaps::unit_in(std::uint32_t zone, std::uint32_t number) const {
    Zone const& of = zones_[zone];
    if (number >= of.slots * size_) return of.left[number - of.slots * size_];
    return group_at_[of.first_slot + number / size_] * size_ + number % size_;
}

Swap ZoneSwaps::draw(topologies::Draws& draws) const {
    bool const is_whole = !groups_.empty() && (units_.empty() || draws.below(2) == 0);
    if (!is_whole)
        for (;;) {
            std::uint32_t const unit = units_[draws.below(static_cast<std::uint32_t>(units_.size()))],
                                zone = zone_of(unit);
            if (zones_[zone].moving < 2) break;  // it has come to a zone of one place
            std::uint32_t other = unit;
            while (other == unit || stays_[other]) other = unit_in(zone, draws.below(zones_[zone].units));
            return {unit * together_, other * together_, together_};
        }
    std::uint32_t const group = groups_[draws.below(static_cast<std::uint32_t>(groups_.size()))];
    Zone const& zone = zones_[zone_of_slot_[slot_of_[group]]];
    std::uint32_t other = group;
    while (other == group || is_bound_[other])
        other = group_at_[zone.field_begin + draws.below(zone.field_end - zone.field_begin)];
    return {group * kept_, other * kept_, kept_};
}

void ZoneSwaps::took(Swap const& swap) {
    if (swap.count != kept_) return;
    std::uint32_t const a = swap.a / kept_, b = swap.b / kept_;
    std::swap(group_at_[slot_of_[a]], group_at_[slot_of_[b]]);
    std::swap(slot_of_[a], slot_of_[b]);
}

bool is_within_zones(PlaceProblem const& problem, Order const& order, Order const& start) {
    std::uint32_t groups = 0;
    for (std::uint32_t const slots : slots_of_zones(problem)) groups += slots;
    for (std::uint32_t r = 0; r < order.size(); ++r) {
        std::uint32_t const first = r / problem.kept * problem.kept, zone = problem.zone[order[r]];
        bool const is_in_group = r / problem.kept < groups;
        if (is_in_group ? zone != problem.zone[order[first]] ||
                              field_of(problem, zone) != field_of(problem, problem.zone[start[r]])
                        : zone != problem.zone[start[r]])
            return false;
    }
    return true;
}

Order put_within_zones(PlaceProblem const& problem, Order order, Order const& start,
                       std::span<std::uint32_t const> visited) {
    std::uint32_t const kept = problem.kept, together = problem.together, groups = problem.ranks / kept;
    std::vector<std::uint32_t> room = slots_of_zones(problem), of_group(groups, UINT32_MAX);
    BoundGroups const bound = bound_groups(problem, start);
    std::vector<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>> wishes;  // fewest ranks elsewhere first
    for (std::uint32_t group = 0; group < groups; ++group) {
        std::vector<std::uint32_t> in_zone(room.size());
        for (std::uint32_t r = group * kept; r < (group + 1) * kept; ++r) ++in_zone[problem.zone[order[r]]];
        std::uint32_t const field = field_of(problem, problem.zone[start[group * kept]]);
        for (std::uint32_t zone = 0; zone < room.size(); ++zone)
            if (bound.zone[group]) {
                if (*bound.zone[group] == zone) wishes.emplace_back(0, group, zone);
            } else if (field_of(problem, zone) == field && room[zone] > 0) {
                wishes.emplace_back(1 + kept - in_zone[zone], group, zone);
            }
    }
    std::sort(wishes.begin(), wishes.end());
    for (auto const& [elsewhere, group, zone] : wishes)
        if (of_group[group] == UINT32_MAX && room[zone] > 0) of_group[group] = zone, --room[zone];
    std::vector<bool> taken(problem.places());
    std::vector<std::uint32_t> homeless;  // first ranks of units
    for (std::uint32_t r = 0; r < problem.ranks; r += together)
        if (problem.zone[order[r]] != of_group[r / kept]) homeless.push_back(r);
        else std::fill_n(taken.begin() + order[r], together, true);
    std::vector<std::vector<std::uint32_t>> free(room.size());
    for (std::uint32_t unit = problem.places() / together; unit-- > 0;) {
        std::uint32_t const place = (visited.empty() ? unit : visited[unit]) * together;
        if (!taken[place]) free[problem.zone[place]].push_back(place);
    }
    for (std::uint32_t const first : homeless) {
        std::vector<std::uint32_t>& places = free[of_group[first / kept]];
        for (std::uint32_t k = 0; k < together; ++k) order[first + k] = places.back() + k;
        places.pop_back();
    }
    return order;
}

ZoneRoom room_in_zones(PlaceProblem const& problem, Order const& start) {
    std::vector<std::uint32_t> const slots = slots_of_zones(problem);
    std::vector<std::uint32_t> bound_to(slots.size()), places(slots.size());
    for (std::uint32_t const zone : problem.zone) ++places[zone];
    BoundGroups const bound = bound_groups(problem, start);
    std::vector<ZoneRoom> fields(field_of(problem, static_cast<std::uint32_t>(slots.size()) - 1) + 1);
    for (std::uint32_t zone = 0; zone < slots.size(); ++zone) {
        ZoneRoom& field = fields[field_of(problem, zone)];
        field.room += slots[zone];
        field.largest = std::max(field.largest, places[zone]);
    }
    fields[0].torn = bound.torn;
    for (std::uint32_t group = 0; group < bound.zone.size(); ++group) {
        ZoneRoom& field = fields[field_of(problem, problem.zone[start[group * problem.kept]])];
        ++field.groups;
        if (bound.zone[group] && ++bound_to[*bound.zone[group]] > slots[*bound.zone[group]])
            field.torn = std::min(field.torn, group * problem.kept);
    }
    for (ZoneRoom const& field : fields)
        if (!field.is_enough()) return field;
    return fields[0];
}

}  // namespace tailback::search
