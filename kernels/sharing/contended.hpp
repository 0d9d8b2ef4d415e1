// Max-min rates and completion times of one mapping by a team: the numbers of max_min.hpp and completion.hpp, of
// contended links alone.
//
// What:  links that several flows use get numbers; flows know theirs by them. In a round every flow says which of its
//        links has the least share, and blocks the others: a link that none of its flows blocks is a bottleneck,
//        whatever happens elsewhere, and freezes them. After a completion only those flows are open again whose rate
//        can change: they are found along links from the flow that has ended.
// Why so: shares of links only grow while flows are frozen at less. So a link with the least share of all that its
//        flows use keeps it until the plain rounds, which go by the least share of the whole network, come to it; they
//        give its flows the same, and take the same off other links. There are as many rounds as bottlenecks depend on
//        each other in a row, not as there are different rates, and no round takes the least of all.
// Why so: the flows that a completion reaches: kernels/cpu/fast/shared_links.hpp.
// Needs: shares_contended(problem).
#pragma once

#include "kernels/evaluate/evaluate.hpp"
#include "kernels/sharing/contended_state.hpp"
#include "kernels/sharing/max_min.hpp"
#include "kernels/sharing/tell.hpp"

namespace tailback::kernels {
namespace kernel {

/// `Flows` is an Evaluation: it knows flows, routes and fates.
template <class Small, class Flows>
struct Contended {
    static constexpr std::uint64_t is_open = ~std::uint64_t{0}, no_share = ~std::uint64_t{0};
    static constexpr std::uint64_t is_fresh = std::uint64_t{1} << 63;  ///< beside a rate: frozen in this round
    static constexpr Small none = ContendedState<Small>::none;

    Flows& flows;
    ContendedState<Small> const& x;
    ContendedVolumes const& volumes;
    ContendedSizes const& sizes;
    SharedSums sums = {};
    std::uint64_t makespan = 0;
    std::uint32_t round = 0;

    TAILBACK_KERNEL void run_level(LevelView const& level) {
        collect(level);
        list_flows(level);
        fill(level.routes_to_keep);
        tell_rates(level);
        if (sizes.times) {
            begin_times(level);
            complete(level);
            tell_times(level);
        }
        flows.team.sync("level told");
    }
    /// Where `alone`, counts of flows are of this, too. Whole in the member that leads.
    TAILBACK_KERNEL void fold(bool alone, MappingTally& tally) {
        sums.join(flows.team);
        if (alone) fold_fates(tally);
        sums.tell(problem().measures.sharing, tally);
        tally.makespan = makespan;
    }
    /// Adds the team's own counts of rates to those of all mappings; when its last mapping is done.
    TAILBACK_KERNEL void hand_rates_over() {
        for (std::uint32_t const bin : flows.team.each(sizes.near_bins))
            if (x.near_rates[bin] != 0) flows.team.add_total(flows.totals.rates[bin], x.near_rates[bin]);
    }

private:
    enum Count : std::uint8_t { links, on, open, queue };

    TAILBACK_KERNEL Problem const& problem() const { return flows.p; }
    /// Calls visit(number) for the contended links of a flow.
    template <class Visit>
    TAILBACK_KERNEL void each_link(std::uint32_t flow, Visit&& visit) const {
        Small const* const own = x.link_of_flow + std::size_t{flow} * sizes.links_a_flow;
        for (std::uint32_t k = 0; k < sizes.links_a_flow && own[k] != none; ++k) visit(std::uint32_t{own[k]});
    }
    /// Calls visit(slot) for the links of a flow's route that may be contended.
    template <class Route, class Visit>
    TAILBACK_KERNEL void each_slot(bool host_links, RankFlow const& flow, Route const& route, Visit&& visit) const {
        std::uint32_t const padding = problem().routes.inner;
        if (host_links) flows.each_host_link(flow, visit);
        flows.routes.each(route, [&](std::uint32_t slot) {
            if (slot != padding) visit(slot);
        });
    }
    TAILBACK_KERNEL void add_remaining(std::uint32_t link, std::uint64_t amount) const {
        auto const low = static_cast<std::uint32_t>(amount);
        std::uint32_t const before = flows.team.fetch_add(x.remaining_low[link], low);
        std::uint32_t const carry = before + low < low;
        flows.team.add(x.remaining_high[link], static_cast<std::uint32_t>(amount >> 32) + carry);
    }
    TAILBACK_KERNEL std::uint64_t share_of(std::uint32_t link) const {
        if (x.active[link] == 0) return no_share;
        return fair_share<false>(std::uint64_t{x.remaining_high[link]} << 32 | x.remaining_low[link], x.active[link]);
    }
    TAILBACK_KERNEL bool any(bool mine, char const* name) const {
        if constexpr (requires { flows.team.any(mine, name); }) return flows.team.any(mine, name);
        else return flows.team.max(mine, name) != 0;
    }

    // ---- a level's flows and links ----

    /// Counts the flows of every link, and numbers those that several use. Flows that are sent have the base rate.
    TAILBACK_KERNEL void collect(LevelView const& level) {
        bool const host_links = sizes.host_links && shares_host_links(problem(), level);
        for (std::uint32_t const slot : flows.team.each(sizes.slots)) x.load[slot] = 0;
        for (std::uint32_t const f : flows.team.each(level.routes_to_keep)) {
            x.rate[f] = 0;
            x.open[f] = static_cast<Small>(f);
            if (sizes.times) x.end[f] = 0, x.met_flow[f] = 0;
        }
        for (std::uint32_t const k : flows.team.each(contended_counts)) x.count[k] = 0;
        flows.team.sync("level begun");
        flows.tally.local += each_flow(flows.team, problem(), level, flows.s, [&](RankFlow const& flow) {
            if (flows.is_within_node(flow)) {
                flows.tally.within_nodes += weight_of(level, flow);
                return;
            }
            auto const route = flows.find(level, flow);
            if (!flows.note_fate(flows.fate(route))) return;
            x.rate[flow.number] = problem().measures.sharing.unit;
            each_slot(host_links, flow, route, [&](std::uint32_t slot) { count_on(slot); });
        });
        flows.team.sync("links counted");
        each_flow(flows.team, problem(), level, flows.s, [&](RankFlow const& flow) {
            if (x.rate[flow.number] == 0) return;
            Small* const own = x.link_of_flow + std::size_t{flow.number} * sizes.links_a_flow;
            std::uint32_t kept = 0;
            each_slot(host_links, flow, flows.find_again(level, flow), [&](std::uint32_t slot) {
                if (x.load[slot] >= sizes.least_load()) own[kept++] = x.number[slot];
            });
            if (kept > 0) x.rate[flow.number] = is_open;
            if (kept < sizes.links_a_flow) own[kept] = none;
        });
        flows.team.sync("links numbered");
    }
    TAILBACK_KERNEL void count_on(std::uint32_t slot) const {
        if (flows.team.fetch_add(x.load[slot], 1u) + 1 != sizes.least_load()) return;
        std::uint32_t const number = flows.team.fetch_add(x.count[links], 1u);
        x.number[slot] = static_cast<Small>(number);
        if (sizes.capacities) x.slot[number] = slot;
    }
    TAILBACK_KERNEL std::uint64_t weight_of(LevelView const& level, RankFlow const& flow) const {
        TrafficView const& traffic = problem().traffic;
        return traffic.weights != nullptr && flow.number < level.flows ? traffic.weights[level.first_flow + flow.number]
                                                                       : 1;
    }
    /// The shares of contended links, and for times their flows.
    TAILBACK_KERNEL void list_flows(LevelView const& level) const {
        std::uint32_t const contended = x.count[links];
        for (std::uint32_t const l : flows.team.each(contended)) {
            std::uint64_t const capacity =
                sizes.capacities ? problem().measures.sharing.capacity[x.slot[l]] : problem().measures.sharing.unit;
            x.remaining_low[l] = static_cast<std::uint32_t>(capacity);
            x.remaining_high[l] = static_cast<std::uint32_t>(capacity >> 32);
            x.active[l] = x.mark[l] = 0;
        }
        flows.team.sync("links open");
        each_open(level.routes_to_keep,
                  [&](std::uint32_t f) { each_link(f, [&](std::uint32_t l) { flows.team.add(x.active[l], 1u); }); });
        flows.team.sync("flows counted");
        for (std::uint32_t const l : flows.team.each(contended)) {
            x.share[l] = share_of(l);
            if (!sizes.times) continue;
            x.first_on[l] = static_cast<Small>(flows.team.fetch_add(x.count[on], x.active[l]));
            x.flows_on[l] = static_cast<Small>(x.active[l]);
        }
        flows.team.sync("shares known");
        if (!sizes.times) return;
        each_open(level.routes_to_keep, [&](std::uint32_t f) {
            each_link(f, [&](std::uint32_t l) {
                x.flow_on[x.first_on[l] + flows.team.fetch_add(x.mark[l], 1u)] = static_cast<Small>(f);
            });
        });
        flows.team.sync("flows listed");
        for (std::uint32_t const l : flows.team.each(contended)) x.mark[l] = 0;
        flows.team.sync("marks cleared");
    }

    // ---- rates ----

    /// Calls visit(flow) for this member's open flows among the first `count` that are listed.
    template <class Visit>
    TAILBACK_KERNEL void each_open(std::uint32_t count, Visit&& visit) const {
        for (std::uint32_t const i : flows.team.each(count))
            if (std::uint32_t const f = x.open[i]; x.rate[f] == is_open) visit(f);
    }
    TAILBACK_KERNEL std::uint64_t least_share(std::uint32_t flow) const {
        std::uint64_t least = no_share;
        each_link(flow, [&](std::uint32_t l) { least = x.share[l] < least ? x.share[l] : least; });
        return least;
    }
    /// Gives a rate to each of the first `count` listed flows that is open. Shares of their links are known.
    TAILBACK_KERNEL void fill(std::uint32_t count) {
        for (;;) {
            ++round;
            bool is_any = false;
            each_open(count, [&](std::uint32_t f) {
                is_any = true;
                std::uint64_t const least = least_share(f);
                each_link(f, [&](std::uint32_t l) {
                    if (x.share[l] > least) x.mark[l] = round;  // others write the same
                });
            });
            if (!any(is_any, "links blocked")) return;
            each_open(count, [&](std::uint32_t f) { freeze_at_bottleneck(f); });
            flows.team.sync("flows frozen");
            for (std::uint32_t const i : flows.team.each(count)) {
                std::uint32_t const f = x.open[i];
                std::uint64_t const marked = x.rate[f];
                if (marked == is_open || (marked & is_fresh) == 0) continue;
                x.rate[f] = marked & ~is_fresh;
                each_link(f, [&](std::uint32_t l) { x.share[l] = share_of(l); });  // others write the same
            }
            flows.team.sync("shares grown");
        }
    }
    TAILBACK_KERNEL void freeze_at_bottleneck(std::uint32_t f) const {
        std::uint64_t const least = least_share(f);
        bool is_frozen = false;
        each_link(f, [&](std::uint32_t l) { is_frozen |= x.share[l] == least && x.mark[l] != round; });
        if (!is_frozen) return;
        x.rate[f] = least | is_fresh;
        each_link(f, [&](std::uint32_t l) {
            add_remaining(l, std::uint64_t{0} - least);
            flows.team.add(x.active[l], ~0u);
        });
    }
    TAILBACK_KERNEL void tell_rates(LevelView const& level) {
        SharingView const& sharing = problem().measures.sharing;
        for (std::uint32_t const f : flows.team.each(level.routes_to_keep)) {
            std::uint64_t const rate = x.rate[f];
            if (rate == 0) continue;
            sums.add_rate(sharing, rate);
            std::uint32_t const bin = rate_bin(sharing, rate);
            if (sizes.near_bins != 0) flows.team.add(x.near_rates[bin], 1u);
            else flows.team.add_total(flows.totals.rates[bin], 1);
        }
    }

    // ---- times ----

    /// When flows end at the rates that they begin with. Those without contended links are done with.
    TAILBACK_KERNEL void begin_times(LevelView const& level) {
        SharingView const& sharing = problem().measures.sharing;
        flows.team.sync("rates told");
        each_flow(flows.team, problem(), level, flows.s, [&](RankFlow const& flow) {
            std::uint32_t const f = flow.number;
            if (x.rate[f] == 0) return;
            volumes.left[f] = static_cast<WideWord>(weight_of(level, flow) * sharing.time_unit) * sharing.unit;
            volumes.since[f] = 0;
            x.end[f] = time_to_carry(volumes.left[f], x.rate[f]);
            bool is_contended = false;
            each_link(f, [&](std::uint32_t) { is_contended = true; });
            if (!is_contended) x.rate[f] = 0;
        });
        for (std::uint32_t const l : flows.team.each(x.count[links])) x.mark[l] = 0;
        flows.team.sync("times begun");
    }
    TAILBACK_KERNEL static std::uint64_t time_to_carry(WideWord left, std::uint64_t rate) {
        return static_cast<std::uint64_t>((left + rate - 1) / rate);
    }
    /// Completion by completion.
    TAILBACK_KERNEL void complete(LevelView const& level) {
        for (;;) {
            std::uint64_t mine = no_share;
            for (std::uint32_t const f : flows.team.each(level.routes_to_keep))
                if (x.rate[f] != 0 && x.end[f] < mine) mine = x.end[f];
            std::uint64_t const clock = ~flows.team.max(~mine, "next completion found");
            if (clock == no_share) return;
            std::uint64_t least = no_share;
            if (mine == clock) least = end_flows(level, clock);
            least = ~flows.team.max(~least, "flows ended");
            spread(clock, least);
            std::uint32_t const opened = x.count[open], reached = x.count[queue];
            for (std::uint32_t const i : flows.team.each(reached)) {
                std::uint32_t const l = x.queue[i];
                x.share[l] = share_of(l);
                x.mark[l] = 0;
            }
            flows.team.sync("shares known anew");
            if (flows.team.leads()) x.count[open] = x.count[queue] = 0;
            fill(opened);
            for (std::uint32_t const i : flows.team.each(reached)) x.mark[x.queue[i]] = 0;
            for (std::uint32_t const i : flows.team.each(opened)) {
                std::uint32_t const f = x.open[i];
                x.met_flow[f] = 0;
                x.end[f] = clock + time_to_carry(volumes.left[f], x.rate[f]);
            }
            flows.team.sync("ends known anew");
        }
    }
    /// Takes this member's flows that end now off their links. @return the least rate that one of them had.
    TAILBACK_KERNEL std::uint64_t end_flows(LevelView const& level, std::uint64_t clock) const {
        std::uint64_t least = no_share;
        for (std::uint32_t const f : flows.team.each(level.routes_to_keep)) {
            std::uint64_t const rate = x.rate[f];
            if (rate == 0 || x.end[f] != clock) continue;
            least = rate < least ? rate : least;
            x.rate[f] = 0;
            each_link(f, [&](std::uint32_t l) {
                add_remaining(l, rate);
                reach(l);
            });
        }
        return least;
    }
    TAILBACK_KERNEL void reach(std::uint32_t link) const {
        if (flows.team.fetch_add(x.mark[link], 1u) == 0)
            x.queue[flows.team.fetch_add(x.count[queue], 1u)] = static_cast<Small>(link);
    }
    /// Opens the flows whose rates may change: those of the links that are reached, unless they have less than `least`.
    TAILBACK_KERNEL void spread(std::uint64_t clock, std::uint64_t least) const {
        for (std::uint32_t from = 0;;) {
            std::uint32_t const to = x.count[queue];
            flows.team.sync("queue seen");
            if (from == to) return;
            for (std::uint32_t const i : flows.team.each(to - from)) {
                std::uint32_t const l = x.queue[from + i], first = x.first_on[l];
                for (std::uint32_t k = 0; k < x.flows_on[l]; ++k) {
                    std::uint32_t const f = x.flow_on[first + k];
                    std::uint64_t const rate = x.rate[f];
                    if (rate == 0 || rate == is_open || rate < least) continue;
                    if (flows.team.fetch_add(x.met_flow[f], 1u) == 0) open_again(f, rate, clock);
                }
            }
            from = to;
            flows.team.sync("links followed");
        }
    }
    TAILBACK_KERNEL void open_again(std::uint32_t f, std::uint64_t rate, std::uint64_t clock) const {
        volumes.left[f] -= static_cast<WideWord>(rate) * (clock - volumes.since[f]);
        volumes.since[f] = clock;
        x.rate[f] = is_open;
        x.open[flows.team.fetch_add(x.count[open], 1u)] = static_cast<Small>(f);
        each_link(f, [&](std::uint32_t l) {
            add_remaining(l, rate);
            flows.team.add(x.active[l], 1u);
            reach(l);
        });
    }
    TAILBACK_KERNEL void tell_times(LevelView const& level) {
        SharingView const& sharing = problem().measures.sharing;
        std::uint64_t last = 0;
        each_flow(flows.team, problem(), level, flows.s, [&](RankFlow const& flow) {
            std::uint64_t const end = x.end[flow.number];
            if (end == 0) return;
            last = end > last ? end : last;
            std::uint64_t slowest = sizes.capacities ? no_share : sharing.unit;
            if (sizes.capacities)
                each_link(flow.number, [&](std::uint32_t l) {
                    std::uint64_t const capacity = sharing.capacity[x.slot[l]];
                    slowest = capacity < slowest ? capacity : slowest;
                });
            sums.add_time(end, time_alone(sharing, weight_of(level, flow), slowest));
            flows.team.add_total(flows.totals.times[weighted_bin(end)], 1);
        });
        makespan += flows.team.max(last);
    }
    TAILBACK_KERNEL void fold_fates(MappingTally& tally) {
        std::uint64_t sent[] = {flows.tally.delivered, flows.tally.local, flows.tally.within_nodes};
        std::uint64_t failed[] = {flows.tally.unreachable, flows.tally.loop, flows.tally.misdelivered};
        flows.team.sum_each(sent);
        flows.team.sum_each(failed);
        tally.delivered = sent[0], tally.local = sent[1], tally.within_nodes = sent[2];
        tally.unreachable = failed[0], tally.loop = failed[1], tally.misdelivered = failed[2];
    }
};

}  // namespace kernel

/// Adds max-min rates, and times where they are asked for, to the tally of a mapping whose ranks have their hosts;
/// where nothing else is asked for, counts of flows, too. The result is whole in the member that leads.
/// @param of_others the mapping's tally, of what else is asked for
template <class Small, class Flows>
TAILBACK_KERNEL void share_contended_links(kernel::Contended<Small, Flows>& links, MappingTally const* of_others,
                                           MappingTally& out) {
    Problem const& p = links.flows.p;
    for (std::uint32_t l = 0; l < p.traffic.level_count; ++l) links.run_level(p.traffic.levels[l]);
    MappingTally tally{};
    if (of_others != nullptr && links.flows.team.leads()) tally = *of_others;
    links.fold(of_others == nullptr, tally);
    if (links.flows.team.leads()) out = tally;
}

}  // namespace tailback::kernels
