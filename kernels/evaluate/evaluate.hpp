// The kernel: one mapping, from its permutation to its tally.
//
// What:  place the ranks; level by level, add every flow to the counters of its route's links, then read each flow's
//        congestion back as the largest counter on its route.
// Why so: the counters of one mapping are small and stay close to the core; the routes are the large thing, so each is
//        looked up once a level (and kept) or twice, as the team prefers.
// Needs: a Problem that host/study/plan/study_plan has checked: no index in it can be wrong.
#pragma once

#include "kernels/common/permutation.hpp"
#include "kernels/common/team.hpp"
#include "kernels/evaluate/routes.hpp"
#include "kernels/evaluate/scratch.hpp"

#include <type_traits>

namespace tailback {

namespace kernel {

/// Calls visit(place, source rank, destination rank) for this member's share of a level's flows, and, where the team
/// looks ahead, ahead(source rank, destination rank) some flows earlier. Returns how many drawn flows were local.
template <class Team, class Scratch, class Visit, class Ahead>
TAILBACK_KERNEL std::uint64_t each_flow(Team& team, Problem const& p, LevelView const& level, Scratch const& s,
                                        Visit&& visit, Ahead&& ahead) {
    RankPair const* const flows = p.flows + level.first_flow;
    for (std::uint32_t const f : team.each(level.flows)) {
        if constexpr (Team::looks_ahead > 0 && !std::is_null_pointer_v<std::remove_cvref_t<Ahead>>)
            if (f + Team::looks_ahead < level.flows)
                ahead(flows[f + Team::looks_ahead].source, flows[f + Team::looks_ahead].destination);
        RankPair const flow = flows[f];
        visit(f, flow.source, flow.destination);
    }
    std::uint64_t local = 0;
    std::uint32_t place = level.flows;
    for (RandomPart const& part : level.random) {
        auto const* const pi = s.permutation(part.drawn);
        for (std::uint32_t const i : team.each(part.ranks)) {
            if constexpr (Team::looks_ahead > 0 && !std::is_null_pointer_v<std::remove_cvref_t<Ahead>>)
                if (i + Team::looks_ahead < part.ranks)
                    ahead(part.first_rank + i + Team::looks_ahead, part.first_rank + pi[i + Team::looks_ahead]);
            if (pi[i] == i) ++local;
            else visit(place + i, part.first_rank + i, part.first_rank + pi[i]);
        }
        place += part.ranks;
    }
    return local;
}

template <class Team, class Scratch, class Visit>
TAILBACK_KERNEL std::uint64_t each_flow(Team& team, Problem const& p, LevelView const& level, Scratch const& s,
                                        Visit&& visit) {
    return each_flow(team, p, level, s, visit, nullptr);
}

/// What routes are looked up by for a source: its group, or its seat.
template <class Routes>
TAILBACK_KERNEL std::uint32_t origin(Problem const& p, std::uint32_t source) {
    if constexpr (requires { Routes::by_seat; }) return source;
    else return p.group[source];
}

/// seat_of_rank for mapping m.
template <class Team, class Scratch>
TAILBACK_KERNEL void place_ranks(Team& team, Problem const& p, std::uint64_t m, Scratch const& s) {
    using Place = std::remove_reference_t<decltype(*s.seat_of_rank)>;
    if (p.placement != Placement::random)
        for (std::uint32_t const r : team.each(p.ranks))
            s.seat_of_rank[r] = static_cast<Place>(p.placement == Placement::identity ? r : p.listed[m * p.ranks + r]);
    // One place that draws, as there is a copy of it in every kernel.
    for (std::uint32_t k = static_cast<std::uint32_t>(Stream::mapping);
         k <= static_cast<std::uint32_t>(Stream::second_pattern); ++k) {
        Stream const stream{k};
        Place* order = nullptr;
        std::uint32_t size = 0, steps = p.ranks;
        if (stream == Stream::mapping) {
            order = s.seat_of_rank;
            size = p.placement == Placement::random ? p.ranks : 0;
        } else if (stream == Stream::subset) {
            order = s.subset;
            size = p.draw_subset ? p.seats : 0;
        } else {
            order = s.permutation(stream == Stream::second_pattern);
            size = steps = p.drawn_ranks[stream == Stream::second_pattern];
        }
        if (size > 0) draw_permutation(team, p.seed, stream, m, size, steps, s.targets, order);
    }
    if (p.draw_subset)  // drawing ends in order, and what was not drawn is this member's own
        for (std::uint32_t const r : team.each(p.ranks)) s.seat_of_rank[r] = s.subset[s.seat_of_rank[r]];
    team.sync();
}

/// How many links the routes of a level's delivered flows have, this member's share of them together; adds the flows by
/// that number to the histograms. Needs the level's routes, where the team keeps them.
template <class Team, class Routes, class Scratch>
TAILBACK_KERNEL std::uint64_t count_route_links(Team& team, Problem const& p, LevelView const& level,
                                                Routes const& routes, Scratch const& s, TotalsView const& totals) {
    std::uint64_t sum = 0;
    each_flow(team, p, level, s, [&](std::uint32_t place, std::uint32_t from, std::uint32_t to) {
        auto const route = [&] {
            if constexpr (Team::keeps_routes) return s.kept[place];
            else return routes.find(origin<Routes>(p, s.seat_of_rank[from]), s.seat_of_rank[to]);
        }();
        if (!p.all_delivered && routes.fate(route) != 0) return;
        std::uint32_t links = p.host_links_implied ? 2 : 0;
        routes.each(route, [&](std::uint32_t slot) { links += slot != p.inner; });
        sum += links;
        if (links < near_bins) team.add(s.near_lengths[links], 1u);
        else team.add_total(totals.lengths[links], 1);
    });
    return sum;
}

/// Adds a team's own histogram to that of all mappings, and clears it.
template <class Team>
TAILBACK_KERNEL void hand_over(Team& team, std::uint32_t* near, std::uint64_t* total) {
    for (std::uint32_t const c : team.each(near_bins)) {
        if (near[c] != 0) team.add_total(total[c], near[c]);
        near[c] = 0;
    }
}

}  // namespace kernel

/// Evaluates a mapping whose ranks have their places, and the random patterns their permutations. `plain` = unit costs,
/// all pairs delivered, host links not counted (their loads are the floors). The counters in `s` are zero before and
/// after. The result is whole in the member that leads.
template <bool plain, class Routes, class Team, class Counter, class Place>
TAILBACK_KERNEL MappingTally evaluate_placed(Team& team, Problem const& p, Routes const& routes,
                                             Scratch<Counter, typename Routes::Kept, Place> const& s,
                                             TotalsView const& totals) {
    MappingTally tally;
    if (p.wants_delay)
        for (std::uint32_t const r : team.each(p.ranks)) s.after[r] = 0;
    std::uint32_t const up = p.inner + 4;
    std::uint32_t const down = up + p.seats;
    std::uint32_t const padding = p.inner;

    // Rows are short: counters of 8 bits, which most trees have, get a reading of their own.
    constexpr bool bytes_apart = plain && Routes::pads && Routes::stored && Team::skips_padding && requires {
        s.counters.are_bytes();
    };

    auto find = [&](std::uint32_t place, std::uint32_t source, std::uint32_t destination) {
        auto const route = routes.find(kernel::origin<Routes>(p, source), destination);
        if constexpr (Team::keeps_routes) s.kept[place] = route;
        return route;
    };
    auto find_again = [&](std::uint32_t place, std::uint32_t source, std::uint32_t destination) {
        if constexpr (Team::keeps_routes) return s.kept[place];
        else return routes.find(kernel::origin<Routes>(p, source), destination);
    };

    for (std::uint32_t l = 0; l < p.level_count; ++l) {
        LevelView const& level = p.levels[l];
        if (p.wants_delay)
            for (std::uint32_t const r : team.each(p.measured_ranks)) s.before[r] = s.after[r];

        // Load every link. Routes that lie far from the core are asked for some flows before they are needed.
        auto ask_for_route = [&](std::uint32_t from, std::uint32_t to) {
            if constexpr (Team::looks_ahead > 0)
                team.expect(routes.place(kernel::origin<Routes>(p, s.seat_of_rank[from]), s.seat_of_rank[to]));
        };
        auto count = [&](typename Routes::Kept const& route) {
            routes.each(route, [&](std::uint32_t slot) {
                if (!Team::skips_padding || !Routes::pads || slot != padding) s.counters.add(team, slot);
            });
        };
        // Counters that lie far from the core are asked for when the route is found, and counted some flows later.
        constexpr bool delays = Team::looks_ahead > 0 && Team::keeps_routes && Routes::far_counters;
        constexpr std::uint32_t pending = 16;
        [[maybe_unused]] typename Routes::Kept late[delays ? pending : 1];
        [[maybe_unused]] std::uint32_t found = 0;
        auto load_links = [&](std::uint32_t place, std::uint32_t from, std::uint32_t to) {
            std::uint32_t const source = s.seat_of_rank[from], destination = s.seat_of_rank[to];
            auto const route = find(place, source, destination);
            if constexpr (!plain) {
                std::uint32_t const fate = p.all_delivered ? 0 : routes.fate(route);
                tally.delivered += fate == 0;
                tally.unreachable += fate == 1;
                tally.loop += fate == 2;
                tally.misdelivered += fate == 3;
                if (fate != 0) return;
                if (p.count_host_links) {
                    s.counters.add(team, up + source);
                    s.counters.add(team, down + destination);
                }
            } else {
                ++tally.delivered;
            }
            if constexpr (delays) {
                routes.each(route, [&](std::uint32_t slot) { team.expect(s.counters.place(slot)); });
                if (found >= pending) count(late[found % pending]);
                late[found++ % pending] = route;
            } else {
                count(route);
            }
        };
        if (Team::looks_ahead > 0 && p.far_routes)
            tally.local += kernel::each_flow(team, p, level, s, load_links, ask_for_route);
        else tally.local += kernel::each_flow(team, p, level, s, load_links);
        if constexpr (delays)
            for (std::uint32_t k = found < pending ? 0 : found - pending; k < found; ++k) count(late[k % pending]);
        team.sync();
        if constexpr (Routes::pads && !Team::skips_padding) {
            if (team.leads()) s.counters.reset(padding);
            team.sync();
        }

        // Read every flow's congestion back.
        std::uint32_t largest = 0;
        bool const unit_floor = level.unit_floor;
        kernel::each_flow(team, p, level, s, [&](std::uint32_t place, std::uint32_t from, std::uint32_t to) {
            std::uint32_t const source = s.seat_of_rank[from], destination = s.seat_of_rank[to];
            auto const route = find_again(place, source, destination);
            if constexpr (delays)
                if (place + pending < p.max_kept)
                    routes.each(s.kept[place + pending],
                                [&](std::uint32_t slot) { team.expect(s.counters.place(slot)); });
            std::uint32_t congestion = 0;
            if constexpr (plain) {
                congestion = unit_floor || place >= level.flows ? 1 : p.floors[level.first_flow + place];
                auto const grow = [&](std::uint32_t load) { congestion = load > congestion ? load : congestion; };
                bool read = false;
                if constexpr (bytes_apart)
                    if ((read = s.counters.are_bytes()))
                        routes.each(route, [&](std::uint32_t slot) { grow(s.counters.read_byte(slot)); });
                if (!read) routes.each(route, [&](std::uint32_t slot) { grow(s.counters.read(slot)); });
            } else {
                if (!p.all_delivered && routes.fate(route) != 0) return;
                auto read = [&](std::uint32_t slot) {
                    std::uint32_t const load = s.counters.read(slot) * (p.cost ? p.cost[slot] : 1u);
                    congestion = load > congestion ? load : congestion;
                };
                if (p.count_host_links) {
                    read(up + source);
                    read(down + destination);
                } else {
                    congestion = place >= level.flows ? 1 : p.floors[level.first_flow + place];
                }
                routes.each(route, [&](std::uint32_t slot) {
                    if (slot != padding) read(slot);
                });
            }
            tally.share_sum += p.share[congestion];
            largest = congestion > largest ? congestion : largest;
            if (p.wants_histogram) {
                if (congestion < near_bins) team.add(s.near_histogram[congestion], 1u);
                else team.add_total(totals.histogram[congestion], 1);
            }
            if (p.wants_delay && from < p.measured_ranks && to < p.measured_ranks)
                team.raise(s.after[to], s.before[from] + congestion);
        });
        tally.congestion_sum += team.max(largest);

        if (p.wants_route_links) tally.route_links += kernel::count_route_links(team, p, level, routes, s, totals);

        // Leave the counters as they were found.
        if (level.sparse) {
            kernel::each_flow(team, p, level, s, [&](std::uint32_t place, std::uint32_t from, std::uint32_t to) {
                std::uint32_t const source = s.seat_of_rank[from], destination = s.seat_of_rank[to];
                auto const route = find_again(place, source, destination);
                if (!p.all_delivered && routes.fate(route) != 0) return;
                auto take_back = [&](std::uint32_t slot) {
                    if (p.wants_link_sums) team.add_total(totals.link_sums[slot], 1);
                    s.counters.clear(team, slot);
                };
                if (p.count_host_links) {
                    take_back(up + source);
                    take_back(down + destination);
                }
                routes.each(route, [&](std::uint32_t slot) {
                    if (slot != padding) take_back(slot);
                });
            });
        } else {
            std::uint32_t const used = p.count_host_links ? p.slots : p.inner;
            s.counters.drain(team, used, p.wants_link_sums, [&](std::uint32_t slot, std::uint32_t load) {
                // One thread adds zeros faster than it looks for them; a block would pay an atomic for each.
                if (!Team::skips_padding || load != 0) team.add_total(totals.link_sums[slot], load);
            });
        }
        team.sync();
    }

    if (p.wants_delay) {
        std::uint64_t delay = 0;
        for (std::uint32_t const r : team.each(p.measured_ranks)) delay = s.after[r] > delay ? s.after[r] : delay;
        tally.delay = team.max(delay);
    }
    if (p.wants_histogram) kernel::hand_over(team, s.near_histogram, totals.histogram);
    if (p.wants_route_links) {
        kernel::hand_over(team, s.near_lengths, totals.lengths);
        tally.route_links = team.sum(tally.route_links);
    }
    tally.share_sum = team.sum(tally.share_sum);
    tally.delivered = team.sum(tally.delivered);
    if constexpr (!plain) {
        tally.unreachable = team.sum(tally.unreachable);
        tally.loop = team.sum(tally.loop);
        tally.misdelivered = team.sum(tally.misdelivered);
    }
    tally.local = team.sum(tally.local);
    return tally;
}

/// Evaluates mapping `m` from its permutation on.
template <bool plain, class Routes, class Team, class Counter, class Place>
TAILBACK_KERNEL MappingTally evaluate_mapping(Team& team, Problem const& p, Routes const& routes, std::uint64_t m,
                                              Scratch<Counter, typename Routes::Kept, Place> const& s,
                                              TotalsView const& totals) {
    kernel::place_ranks(team, p, m, s);
    return evaluate_placed<plain>(team, p, routes, s, totals);
}

}  // namespace tailback
