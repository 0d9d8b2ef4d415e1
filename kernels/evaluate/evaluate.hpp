// The kernel: one mapping, from its permutation to its tally, in the steps that docs/semantics.md defines.
//
// What:  place the ranks; level by level, add every flow to the counters of its route's links, then read each flow's
//        congestion back as the largest counter on its route.
// Why so: the counters of one mapping are small and stay close to the core; the routes are the large thing, so each is
//        looked up once a level (and kept) or twice, as the team prefers.
// Needs: a Problem that host/study/plan/study_plan has checked: no index in it can be wrong.
#pragma once

#include "kernels/common/team.hpp"
#include "kernels/evaluate/flows.hpp"
#include "kernels/evaluate/member_tally.hpp"
#include "kernels/evaluate/place_ranks.hpp"
#include "kernels/evaluate/routes.hpp"
#include "kernels/evaluate/scratch.hpp"
#include "kernels/evaluate/weights.hpp"

namespace tailback::kernels {

namespace kernel {

/// One mapping in the hands of a team. `plain` = unit costs, all pairs delivered, host links not counted (their loads
/// are the floors).
template <bool plain, class Routes, class Team, class Scratch>
struct Evaluation {
    using Route = typename Routes::Kept;
    using Counters = typename Scratch::Counters;
    using Counted = typename Counters::Load;
    static constexpr bool brings_flows = requires(Counters counters) { counters.flow; };
    static constexpr bool narrow_weights = brings_flows || requires(Counters counters) { counters.weight; };
    static constexpr bool weighted = narrow_weights || sizeof(Counted) == 8;  ///< counters hold weights, others flows
    using Load = std::conditional_t<weighted && !brings_flows, std::uint64_t, std::uint32_t>;
    /// In blocks, sums of weights that few studies want have a look at the flows of their own: with the others, and the
    /// fates of flows, they would take more registers than a GPU's threads have.
    static constexpr bool sums_apart = weighted && TeamOfMany<Team> && !TeamOfLanes<Team>;
    /// Of studies that want shares and congestions alone: what others want is left out of the code.
    static constexpr bool shares_alone = requires { requires Team::shares_alone; };

    Team& team;
    Problem const& p;
    Routes const& routes;
    Scratch const& s;
    TotalsView const& totals;
    std::uint32_t lid_draw = 0;  ///< of the mapping, where messages draw their LIDs
    std::conditional_t<TeamOfMany<Team>, MemberTally<Load>, MappingTally> tally = {};  ///< this member's, until `fold`

    TAILBACK_KERNEL bool passes_on_delays() const { return !shares_alone && passes_delays(p); }
    TAILBACK_KERNEL bool wants_histogram() const { return !shares_alone && p.measures.wants_histogram; }
    TAILBACK_KERNEL bool wants_route_links() const { return !shares_alone && p.measures.wants_route_links; }
    TAILBACK_KERNEL bool wants_link_sums() const { return !shares_alone && p.measures.wants_link_sums; }
    /// Whether links are summed up where they are counted: looking through all counters of a mapping takes longer.
    TAILBACK_KERNEL bool sums_near() const {
        return !weighted && wants_link_sums() && totals.near_link_sums != nullptr;
    }

    // ---- routes ----

    TAILBACK_KERNEL HostIndex host_of(Rank rank) const { return HostIndex{s.host_index_of_rank[rank.value]}; }
    /// Does the flow stay in a compute node?
    TAILBACK_KERNEL bool is_within_node(RankFlow const& flow) const {
        if constexpr (plain) return false;
        else
            return p.placement.nodes.node != nullptr && p.placement.nodes.node[host_of(flow.source).value] ==
                                                            p.placement.nodes.node[host_of(flow.destination).value];
    }
    /// The host that a flow leaves its node by.
    TAILBACK_KERNEL HostIndex source_of(RankFlow const& flow) const {
        HostIndex const own = host_of(flow.source);
        if constexpr (plain) return own;
        else return leaving_host(p.placement.nodes, own, host_of(flow.destination));
    }
    /// @param lid counted from the first of the host that it goes to
    TAILBACK_KERNEL Route look_up(RankFlow const& flow, std::uint32_t lid = 0) const {
        HostIndex const source = source_of(flow), destination = host_of(flow.destination);
        if constexpr (requires { Routes::by_seat; }) return routes.find(source.value, destination.value);
        else return routes.find(p.routes.group[source.value] + lid, destination.value);
    }
    TAILBACK_KERNEL std::uint32_t lid_of(LevelView const& level, RankFlow const& flow) const {
        if constexpr (plain || !(Routes::stored && Routes::pads) || requires { Routes::by_seat; }) return 0;
        else if (!p.routes.lids.are_several()) return 0;
        else
            return lid_of_message(p.routes.lids, level.routes_before,
                                  static_cast<std::uint32_t>(&level - p.traffic.levels), flow.number, lid_draw);
    }
    TAILBACK_KERNEL Route find(LevelView const& level, RankFlow const& flow) const {
        Route route;
        if constexpr (requires { Routes::by_flow; }) route = routes.of_flow(level.routes_before + flow.number);
        else route = look_up(flow, lid_of(level, flow));
        if constexpr (Team::keeps_routes) s.kept[flow.number] = route;
        return route;
    }
    TAILBACK_KERNEL Route find_again(LevelView const& level, RankFlow const& flow) const {
        if constexpr (Team::keeps_routes) return s.kept[flow.number];
        else return look_up(flow, lid_of(level, flow));
    }
    /// 0 = delivered, else 1..3 (unreachable, loop, misdelivered).
    TAILBACK_KERNEL std::uint32_t fate(Route const& route) const {
        if constexpr (plain) return 0;
        else return p.routes.all_delivered ? 0 : routes.fate(route);
    }
    /// Calls visit(slot) for the counted host links of a flow.
    template <class Visit>
    TAILBACK_KERNEL void each_host_link(RankFlow const& flow, Visit&& visit) const {
        std::uint32_t const first_up = p.routes.inner + 4, first_down = first_up + p.placement.study_hosts;
        visit(first_up + source_of(flow).value);
        visit(first_down + host_of(flow.destination).value);
    }

    // ---- a level ----

    TAILBACK_KERNEL Counted weight_of(LevelView const& level, RankFlow const& flow) const {
        if constexpr (!weighted || brings_flows) return flow.weight;
        else if (flow.number >= level.flows) return 1;  // drawn
        else if constexpr (narrow_weights) return s.counters.weight[level.first_flow + flow.number];
        else return p.traffic.weights[level.first_flow + flow.number];
    }
    /// Adds every flow to its route's links.
    TAILBACK_KERNEL void count_level(LevelView const& level) {
        std::uint32_t const padding = p.routes.inner;
        tally.local += each_flow(team, p, level, s, [&](RankFlow const& flow) {
            if (is_within_node(flow)) {
                if constexpr (!sums_apart) tally.within_nodes += weight_of(level, flow);
                return;
            }
            Route const route = find(level, flow);
            if (!note_fate(fate(route))) return;
            Counted const amount = weight_of(level, flow);
            auto const add = [&](std::uint32_t slot) {
                if constexpr (weighted) {
                    s.counters.add(team, slot, amount);
                    if (!shares_alone && p.measures.wants_link_flows && slot != padding)
                        team.add_total(totals.link_sums[p.routes.slots + slot], 1);
                } else {
                    s.counters.add(team, slot);
                    if (sums_near()) team.add(totals.near_link_sums[slot], 1u);
                }
            };
            if constexpr (!plain)
                if (p.measures.count_host_links) each_host_link(flow, add);
            if (sums_near() && p.measures.sums_host_links)
                each_host_link(flow, [&](std::uint32_t slot) { team.add(totals.near_link_sums[slot], 1u); });
            routes.each(route, [&](std::uint32_t slot) {
                if (!Team::skips_padding || !Routes::pads || slot != padding) add(slot);
            });
        });
        team.sync("level counted");
        if constexpr (Routes::pads && !Team::skips_padding) {
            if (team.leads()) s.counters.reset(padding);
            team.sync("padding forgotten");
        }
    }
    /// @return whether the flow is delivered.
    TAILBACK_KERNEL bool note_fate(std::uint32_t fate_of_flow) {
        tally.delivered += fate_of_flow == 0;
        if constexpr (!plain) {
            tally.unreachable += fate_of_flow == 1;
            tally.loop += fate_of_flow == 2;
            tally.misdelivered += fate_of_flow == 3;
        }
        return fate_of_flow == 0;
    }

    /// Reads every flow's congestion back: the largest load of a link of its route, in units of the link's capacity.
    TAILBACK_KERNEL void read_level(LevelView const& level) {
        Load largest = 0;
        bool const unit_min_congestion = !weighted && level.unit_min_congestion;
        each_flow(team, p, level, s, [&](RankFlow const& flow) {
            if (is_within_node(flow)) {
                if (passes_on_delays()) pass_on(flow, 0);
                return;
            }
            Route const route = find_again(level, flow);
            if (fate(route) != 0) return;
            Load congestion = flow.least;  // of its host links
            if (!brings_flows && !unit_min_congestion && flow.number < level.flows) {
                if constexpr (weighted) congestion = p.traffic.min_loads[level.first_flow + flow.number];
                else congestion = p.traffic.min_congestions[level.first_flow + flow.number];
            }
            if constexpr (plain) congestion = largest_load(route, congestion);
            else congestion = largest_cost(flow, route, p.measures.count_host_links ? 0 : congestion);
            largest = congestion > largest ? congestion : largest;
            if constexpr (weighted) tell_weighted(weight_of(level, flow), congestion);
            else tell(congestion);
            if (passes_on_delays()) pass_on(flow, congestion);
            if constexpr (!sums_apart)
                if (wants_route_links()) count_links(route, weight_of(level, flow), tally);
        });
        tally.congestion_sum += team.max(largest, "level read back");
    }
    /// What the receiver of a flow waits for.
    TAILBACK_KERNEL void pass_on(RankFlow const& flow, Load congestion) {
        if (flow.source.value < p.traffic.measured_ranks && flow.destination.value < p.traffic.measured_ranks)
            team.raise(s.after[flow.destination.value],
                       static_cast<typename Scratch::Delay>(s.before[flow.source.value] + congestion));
    }
    /// The largest load of the route's links, or `least`.
    TAILBACK_KERNEL Load largest_load(Route const& route, Load least) const {
        if constexpr (!narrow_weights) return largest_counter(route, least);
        Load const load = largest_counter(route, Counted{0});
        return load > least ? load : least;
    }
    TAILBACK_KERNEL Counted largest_counter(Route const& route, Counted least) const {
        auto const grow = [&](Counted load) { least = load > least ? load : least; };
        // Rows are short: counters of 8 bits, which most trees have, get a reading of their own.
        if constexpr (Routes::pads && Routes::stored && Team::skips_padding && requires { s.counters.are_bytes(); })
            if (s.counters.are_bytes()) {
                routes.each(route, [&](std::uint32_t slot) { grow(s.counters.read_byte(slot)); });
                return least;
            }
        routes.each(route, [&](std::uint32_t slot) { grow(s.counters.read(slot)); });
        return least;
    }
    /// The largest load times cost, host links included where they are counted.
    TAILBACK_KERNEL Load largest_cost(RankFlow const& flow, Route const& route, Load least) const {
        std::uint32_t const padding = p.routes.inner;
        auto const read = [&](std::uint32_t slot) {
            Load const load = Load{s.counters.read(slot)} * (p.routes.cost ? p.routes.cost[slot] : 1u);
            least = load > least ? load : least;
        };
        if (p.measures.count_host_links) each_host_link(flow, read);
        routes.each(route, [&](std::uint32_t slot) {
            if (slot != padding) read(slot);
        });
        return least;
    }
    /// What the metrics want to know of a flow's congestion.
    TAILBACK_KERNEL void tell(std::uint32_t congestion) {
        tally.share_sum += p.measures.share[congestion];
        if (!wants_histogram()) return;
        if (congestion < near_bins) team.add(s.near_histogram[congestion], 1u);
        else team.add_total(totals.histogram[congestion], 1);
    }
    TAILBACK_KERNEL void tell_weighted(std::uint64_t weight, std::uint64_t congestion) {
        if (p.measures.wants_shares)
            tally.share_sum += weighted_share(p.measures.weighted_share_unit, weight, congestion);
        if (wants_histogram()) team.add_total(totals.histogram[weighted_bin(congestion)], 1);
    }

    /// The links of a delivered flow's route, those of its hosts included.
    template <class Sums>
    TAILBACK_KERNEL void count_links(Route const& route, Load weight, Sums& sums) {
        std::uint32_t const padding = p.routes.inner;
        std::uint32_t links = p.routes.host_links_implied ? 2 : 0;
        routes.each(route, [&](std::uint32_t slot) { links += slot != padding; });
        sums.route_links += links;
        sums.hop_weight += hops_of(links) * weight;
        sums.flow_weight += weight;
        if (links < near_bins) team.add(s.near_lengths[links], 1u);
        else team.add_total(totals.lengths[links], 1);
    }

    /// Adds what routes have of links, and what stays in nodes, to the scratch's sums.
    TAILBACK_KERNEL void sum_level_apart(LevelView const& level) {
        if constexpr (sums_apart) {
            if (s.apart == nullptr) return;
            SumsApart sums;
            each_flow(team, p, level, s, [&](RankFlow const& flow) {
                if (is_within_node(flow)) {
                    sums.within_nodes += weight_of(level, flow);
                    return;
                }
                Route const route = find_again(level, flow);
                if (wants_route_links() && fate(route) == 0) count_links(route, weight_of(level, flow), sums);
            });
            std::uint64_t links[] = {sums.route_links, sums.hop_weight, sums.flow_weight};
            team.sum_each(links);
            std::uint64_t const within = team.sum(sums.within_nodes);
            if (!team.leads()) return;
            s.apart->route_links += links[0], s.apart->hop_weight += links[1], s.apart->flow_weight += links[2];
            s.apart->within_nodes += within;
        }
    }

    /// Leaves the counters as they were found; where asked for, adds them to the links' sums first.
    TAILBACK_KERNEL void clear_level(LevelView const& level) {
        if (level.sparse) {
            clear_by_flow(level);
        } else {
            std::uint32_t const used = p.measures.count_host_links ? p.routes.slots : p.routes.inner;
            s.counters.drain(team, used, wants_link_sums() && !sums_near(), [&](std::uint32_t slot, Counted load) {
                // One thread adds zeros faster than it looks for them; a block would pay an atomic for each.
                if (!Team::skips_padding || load != 0) team.add_total(totals.link_sums[slot], load);
            });
        }
        team.sync("counters cleared");
    }
    TAILBACK_KERNEL void clear_by_flow(LevelView const& level) {
        std::uint32_t const padding = p.routes.inner;
        each_flow(team, p, level, s, [&](RankFlow const& flow) {
            if (is_within_node(flow)) return;
            Route const route = find_again(level, flow);
            if (fate(route) != 0) return;
            auto const clear = [&](std::uint32_t slot) {
                if (wants_link_sums() && !sums_near()) team.add_total(totals.link_sums[slot], weight_of(level, flow));
                s.counters.clear(team, slot);
            };
            if constexpr (!plain)
                if (p.measures.count_host_links) each_host_link(flow, clear);
            routes.each(route, [&](std::uint32_t slot) {
                if (slot != padding) clear(slot);
            });
        });
    }

    // ---- the mapping ----

    /// Delays after a level begin as those before it.
    TAILBACK_KERNEL void begin_delays() {
        if (passes_on_delays())
            for (std::uint32_t const r : team.each(p.placement.ranks)) s.after[r] = 0;
    }
    TAILBACK_KERNEL void pass_delays_on() {
        if (passes_on_delays())
            for (std::uint32_t const r : team.each(p.traffic.measured_ranks)) s.before[r] = s.after[r];
    }
    /// Adds the team's own histogram to that of all mappings, and clears it.
    TAILBACK_KERNEL void hand_over(std::uint32_t* near, std::uint64_t* total) {
        for (std::uint32_t const c : team.each(near_bins)) {
            if (near[c] != 0) team.add_total(total[c], near[c]);
            near[c] = 0;
        }
    }
    /// Folds the members' shares into one tally, whole in the member that leads.
    TAILBACK_KERNEL MappingTally fold() {
        MappingTally all = {};
        all.congestion_sum = tally.congestion_sum;
        if (p.measures.wants_delay) all.delay = all.congestion_sum;
        if (passes_on_delays()) {
            std::uint64_t delay = 0;
            for (std::uint32_t const r : team.each(p.traffic.measured_ranks))
                delay = s.after[r] > delay ? s.after[r] : delay;
            all.delay = team.max(delay);
        }
        if (wants_histogram() && !weighted) hand_over(s.near_histogram, totals.histogram);
        if (wants_route_links()) {
            hand_over(s.near_lengths, totals.lengths);
            if constexpr (!sums_apart) {
                all.route_links = team.sum(tally.route_links);
                all.hop_weight = team.sum(tally.hop_weight);
                all.flow_weight = team.sum(tally.flow_weight);
            }
        }
        std::uint64_t sums[] = {tally.share_sum, tally.delivered, tally.local};
        team.sum_each(sums);
        all.share_sum = sums[0];
        all.delivered = sums[1];
        all.local = sums[2];
        if (weighted && wants_histogram() && team.leads())
            for (std::uint32_t part = 0; part < share_parts; ++part)
                team.add_total(totals.share_parts[part], share_part(all.share_sum, part));
        if constexpr (!plain) {
            std::uint64_t failed[] = {tally.unreachable, tally.loop, tally.misdelivered};
            team.sum_each(failed);
            all.unreachable = failed[0];
            all.loop = failed[1];
            all.misdelivered = failed[2];
            if constexpr (!sums_apart)
                if (p.placement.nodes.node != nullptr) all.within_nodes = team.sum(tally.within_nodes);
        }
        if constexpr (sums_apart)
            if (s.apart != nullptr && team.leads()) s.apart->move_to(all);
        return all;
    }
};

}  // namespace kernel

/// Evaluates a mapping whose ranks have their hosts, and the random patterns their permutations. The counters in `s`
/// are zero before and after. The result is whole in the member that leads.
/// @param m number of the mapping, which messages that draw their LIDs need
template <bool plain, class Routes, class Team, class Counter, class HostWord>
TAILBACK_KERNEL MappingTally evaluate_placed(Team& team, Problem const& p, Routes const& routes,
                                             Scratch<Counter, typename Routes::Kept, HostWord> const& s,
                                             TotalsView const& totals, std::uint64_t m = 0) {
    kernel::Evaluation<plain, Routes, Team, Scratch<Counter, typename Routes::Kept, HostWord>> mapping{
        team, p, routes, s, totals, plain ? 0 : lid_draw(p.routes.lids, m)};
    mapping.begin_delays();
    for (std::uint32_t l = 0; l < p.traffic.level_count; ++l) {
        LevelView const& level = p.traffic.levels[l];
        mapping.pass_delays_on();
        mapping.count_level(level);
        mapping.read_level(level);
        mapping.sum_level_apart(level);
        mapping.clear_level(level);
    }
    return mapping.fold();
}

/// Evaluates mapping `m` from its permutation on.
template <bool plain, class Routes, class Team, class Counter, class HostWord>
TAILBACK_KERNEL MappingTally evaluate_mapping(Team& team, Problem const& p, Routes const& routes, std::uint64_t m,
                                              Scratch<Counter, typename Routes::Kept, HostWord> const& s,
                                              TotalsView const& totals) {
    kernel::place_ranks(team, p, m, s);
    return evaluate_placed<plain>(team, p, routes, s, totals, m);
}

}  // namespace tailback::kernels
