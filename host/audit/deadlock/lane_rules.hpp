// On which lane a packet leaves: the tables of a request, with their defaults, in one place.
#pragma once

#include "host/model/service_levels.hpp"

namespace tailback::audit {

struct LaneRules {
    bool one_lane = false;  ///< everything travels on lane 0
    model::LaneMaps const* maps = nullptr;
    model::ServiceLevels const* levels = nullptr;

    struct Lane {
        unsigned lane = 0;
        bool dropped = false;
        bool recorded = true;
    };
    /// Of packets of a service level at `node`, from port `in` to port `out`.
    Lane at(model::Node node, model::Port in, model::Port out, unsigned level) const {
        if (one_lane) return {};
        if (maps == nullptr) return {level, false, true};
        model::LaneMap const* const map = maps->find(node, in, out);
        if (map == nullptr) return {level, false, false};
        unsigned const lane = map->lane(level);
        return {lane, lane == model::dropping_lane, true};
    }
    /// True when the endpoint's own map drops the level.
    bool dropped_at(model::Host source, unsigned level) const {
        if (one_lane || maps == nullptr) return false;
        model::LaneMap const* const map = maps->find(source);
        return map != nullptr && map->lane(level) == model::dropping_lane;
    }
    /// The levels of a pair, as bits; 0 = not known.
    std::uint16_t known_levels(model::Host source, model::Lid lid) const {
        if (one_lane || levels == nullptr) return 1;
        auto const column = levels->to(lid);
        return column.empty() ? std::uint16_t{0} : column[source.value];
    }
    /// One more than the largest lane any packet can be on.
    unsigned lanes() const {
        if (one_lane) return 1;
        std::uint16_t const used = static_cast<std::uint16_t>(levels == nullptr ? 1 : levels->used() | 1);
        unsigned largest = 0;
        for (unsigned level = 0; level < model::service_level_count; ++level) {
            if ((used >> level & 1) == 0) continue;
            largest = level > largest ? level : largest;
            if (maps != nullptr)
                for (model::LaneMap const& map : maps->distinct())
                    largest = map.lane(level) > largest ? map.lane(level) : largest;
        }
        return largest + 1;
    }
};

}  // namespace tailback::audit
