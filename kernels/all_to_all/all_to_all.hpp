// The kernel of an all-to-all: one mapping, from its ranks' hosts to its tally, as evaluate_placed defines it.
//
// What:  n ranks have n(n - 1) flows, but those to one host from all hosts of a class (a leaf switch) take one route.
//        So a route is looked up once for each class and destination, and stands for as many flows as it has senders.
// Needs: one level, flows of one weight, every rank on a host and a compute node of its own.
#pragma once

#include "kernels/common/array_layout.hpp"
#include "kernels/common/portable.hpp"
#include "kernels/common/team.hpp"
#include "kernels/evaluate/problem.hpp"
#include "kernels/evaluate/weights.hpp"

#include <cstddef>

namespace tailback::kernels {

/// The working memory of one team.
struct AllToAllScratch {
    std::uint32_t* is_taken;            ///< by host index: 1 where a rank runs
    std::uint32_t* ranks_of_class;      ///< on its hosts
    std::uint32_t* delivered_of_class;  ///< hosts that its packets reach
    std::uint32_t* loads;               ///< by slot
    /// The team's own histograms of congestions and of routes' links, in 32 bits: all flows of a mapping would queue
    /// for a few words of the totals. Null where they are not wanted, or a mapping has 2^32 flows.
    std::uint32_t* near_histogram;
    std::uint32_t* near_lengths;
    static constexpr std::uint32_t near_congestions = 1024, near_links = 64;

    /// Lays the arrays out from `base` (16-byte aligned) on, but for the histograms; null base only measures. Returns
    /// the bytes needed.
    TAILBACK_HD std::size_t lay_out(Problem const& p, std::byte* base) {
        ArrayLayout layout(base);
        layout.take(is_taken, p.placement.study_hosts);
        layout.take(ranks_of_class, p.traffic.all_to_all.classes);
        layout.take(delivered_of_class, p.traffic.all_to_all.classes);
        layout.take(loads, p.routes.slots);
        return layout.used();
    }
    /// The same of the histograms, which lie in the nearest memory there is.
    TAILBACK_HD std::size_t lay_out_histograms(Problem const& p, std::byte* base) {
        ArrayLayout layout(base);
        bool const fits = p.placement.ranks <= 0xFFFF;
        layout.take(near_histogram, fits && p.measures.wants_histogram ? near_congestions : 0);
        layout.take(near_lengths, fits && p.measures.wants_route_links ? near_links : 0);
        return layout.used();
    }
};

namespace kernel {

template <class Routes, class Team>
struct AllToAll {
    using Route = typename Routes::Kept;
    static constexpr bool counts_near = TeamOfMany<Team>;  ///< one alone queues for nothing

    Team& team;
    Problem const& p;
    Routes const& routes;
    AllToAllScratch const& s;
    TotalsView const& totals;
    MappingTally tally{};
    /// Flows of one bin of near_histogram that this member has still to add: in a regular network nearly all that it
    /// meets have the congestion of the one before, and so have the other members'.
    std::uint32_t held_bin = 0, held_flows = 0;

    /// @param host_of_rank the host index of each rank
    template <class HostWord>
    TAILBACK_KERNEL void begin(HostWord const* host_of_rank) {
        AllToAllView const& view = p.traffic.all_to_all;
        for (std::uint32_t const host : team.each(p.placement.study_hosts)) s.is_taken[host] = 0;
        for (std::uint32_t const c : team.each(view.classes)) s.ranks_of_class[c] = s.delivered_of_class[c] = 0;
        for (std::uint32_t const slot : team.each(p.routes.slots)) s.loads[slot] = 0;
        if (has_near(s.near_histogram))
            for (std::uint32_t const c : team.each(s.near_congestions)) s.near_histogram[c] = 0;
        if (has_near(s.near_lengths))
            for (std::uint32_t const links : team.each(s.near_links)) s.near_lengths[links] = 0;
        team.sync("all-to-all: cleared");
        for (std::uint32_t const rank : team.each(p.placement.ranks)) {
            std::uint32_t const host = host_of_rank[rank];
            s.is_taken[host] = 1;
            team.add(s.ranks_of_class[view.class_of_host[host]], 1u);
        }
        team.sync("all-to-all: hosts taken");
    }

    TAILBACK_KERNEL static bool has_near(std::uint32_t const* near) { return counts_near && near != nullptr; }

    /// Calls visit(class, destination, senders, route) for this member's share of routes that have senders.
    template <class Visit>
    TAILBACK_KERNEL void each_route(Visit&& visit) {
        AllToAllView const& view = p.traffic.all_to_all;
        for (std::uint32_t c = 0; c < view.classes; ++c) {
            std::uint32_t const ranks = s.ranks_of_class[c];
            if (ranks == 0) continue;
            std::uint32_t const group = p.routes.group[view.hosts[view.first[c]]];
            for (std::uint32_t const host : team.each(p.placement.study_hosts)) {
                if (s.is_taken[host] == 0) continue;
                std::uint32_t const senders = ranks - (view.class_of_host[host] == c ? 1 : 0);
                if (senders > 0) visit(c, host, senders, routes.find(group, host));
            }
        }
    }
    TAILBACK_KERNEL std::uint32_t fate(Route const& route) const {
        return p.routes.all_delivered ? 0 : routes.fate(route);
    }
    TAILBACK_KERNEL std::uint32_t up(std::uint32_t host) const { return p.routes.inner + 4 + host; }
    TAILBACK_KERNEL std::uint32_t down(std::uint32_t host) const {
        return p.routes.inner + 4 + p.placement.study_hosts + host;
    }

    TAILBACK_KERNEL void count() {
        each_route([&](std::uint32_t c, std::uint32_t host, std::uint32_t senders, Route const& route) {
            std::uint32_t const fate_of_flows = fate(route);
            tally.delivered += fate_of_flows == 0 ? senders : 0;
            tally.unreachable += fate_of_flows == 1 ? senders : 0;
            tally.loop += fate_of_flows == 2 ? senders : 0;
            tally.misdelivered += fate_of_flows == 3 ? senders : 0;
            if (fate_of_flows != 0) return;
            routes.each(route, [&](std::uint32_t slot) {
                if (slot != p.routes.inner) team.add(s.loads[slot], senders);
            });
            if (!p.measures.count_host_links) return;
            team.add(s.loads[down(host)], senders);
            team.add(s.delivered_of_class[c], 1u);
        });
        team.sync("all-to-all: counted");
        if (p.measures.count_host_links) count_up_links();
    }
    /// What a host sends is what its class reaches, but itself.
    TAILBACK_KERNEL void count_up_links() {
        AllToAllView const& view = p.traffic.all_to_all;
        for (std::uint32_t const host : team.each(p.placement.study_hosts)) {
            if (s.is_taken[host] == 0) continue;
            std::uint32_t const c = view.class_of_host[host];
            bool const counts_itself = s.ranks_of_class[c] > 1 && fate(routes.find(p.routes.group[host], host)) == 0;
            s.loads[up(host)] = s.delivered_of_class[c] - (counts_itself ? 1 : 0);
        }
        team.sync("all-to-all: links of hosts counted");
    }

    TAILBACK_KERNEL std::uint32_t congestion_of(std::uint32_t slot) const {
        return s.loads[slot] * (p.routes.cost != nullptr ? p.routes.cost[slot] : 1u);
    }
    /// Of the links of hosts, where these are not counted: every host sends and receives as much.
    TAILBACK_KERNEL std::uint32_t least_congestion() const {
        return p.measures.count_host_links ? 0 : p.routes.host_links_implied ? p.placement.ranks - 1 : 1;
    }
    /// The congestion that near_histogram begins with: few flows have less than their hosts' links.
    TAILBACK_KERNEL std::uint32_t first_near() const {
        if (!p.measures.count_host_links) return least_congestion();
        return p.placement.ranks > s.near_congestions / 2 ? p.placement.ranks - s.near_congestions / 2 : 0;
    }
    TAILBACK_KERNEL void read_back() {
        std::uint32_t largest = 0;
        std::uint32_t const least = least_congestion();
        each_route([&](std::uint32_t c, std::uint32_t host, std::uint32_t senders, Route const& route) {
            if (fate(route) != 0) return;
            std::uint32_t congestion = least, links = p.routes.host_links_implied ? 2 : 0;
            auto const grow = [&](std::uint32_t more) { congestion = more > congestion ? more : congestion; };
            routes.each(route, [&](std::uint32_t slot) {
                if (slot == p.routes.inner) return;
                grow(congestion_of(slot));
                ++links;
            });
            if (p.measures.wants_route_links) count_links(links, senders);
            if (p.measures.count_host_links) grow(congestion_of(down(host)));
            if (!p.measures.count_host_links || (p.routes.all_delivered && p.routes.cost == nullptr))
                tell(congestion, senders);
            else congestion = tell_each(c, host, congestion);
            largest = congestion > largest ? congestion : largest;
        });
        if (has_near(s.near_histogram)) add_held();
        tally.congestion_sum = team.max(largest, "all-to-all: read back");
        if (p.measures.wants_delay) tally.delay = tally.congestion_sum;  // all flows start at once
    }
    /// The flows to a host from each host of a class, whose links up differ. Returns the largest congestion.
    TAILBACK_KERNEL std::uint32_t tell_each(std::uint32_t c, std::uint32_t host, std::uint32_t but_up) {
        std::uint32_t largest = 0;
        for (std::uint32_t i = p.traffic.all_to_all.first[c]; i < p.traffic.all_to_all.first[c + 1]; ++i) {
            std::uint32_t const sender = p.traffic.all_to_all.hosts[i];
            if (sender == host || s.is_taken[sender] == 0) continue;
            std::uint32_t const of_up = congestion_of(up(sender)), congestion = of_up > but_up ? of_up : but_up;
            tell(congestion, 1);
            largest = congestion > largest ? congestion : largest;
        }
        return largest;
    }
    TAILBACK_KERNEL void tell(std::uint32_t congestion, std::uint32_t flows) {
        if (p.measures.wants_shares)
            tally.share_sum += flows * ((p.traffic.all_to_all.whole_share + congestion / 2) / congestion);
        if (!p.measures.wants_histogram) return;
        if (std::uint32_t const near = congestion - first_near();
            has_near(s.near_histogram) && near < s.near_congestions)
            hold(near, flows);
        else team.add_total(totals.histogram[congestion], flows);
    }
    /// near_histogram has 32 bits where these hold all flows of a mapping.
    TAILBACK_KERNEL void hold(std::uint32_t bin, std::uint32_t flows) {
        if (bin != held_bin) {
            add_held();
            held_bin = bin;
        }
        held_flows += flows;
    }
    TAILBACK_KERNEL void add_held() {
        if (held_flows != 0) team.add(s.near_histogram[held_bin], held_flows);
        held_flows = 0;
    }
    TAILBACK_KERNEL void count_links(std::uint32_t links, std::uint32_t flows) {
        tally.route_links += std::uint64_t{links} * flows;
        tally.hop_weight += hops_of(links) * flows;
        tally.flow_weight += flows;
        if (has_near(s.near_lengths) && links < s.near_links) team.add(s.near_lengths[links], flows);
        else team.add_total(totals.lengths[links], flows);
    }
    /// Adds the team's own histograms to the totals.
    TAILBACK_KERNEL void hand_over() {
        if (has_near(s.near_histogram))
            for (std::uint32_t const c : team.each(s.near_congestions))
                if (s.near_histogram[c] != 0) team.add_total(totals.histogram[first_near() + c], s.near_histogram[c]);
        if (has_near(s.near_lengths))
            for (std::uint32_t const links : team.each(s.near_links))
                if (s.near_lengths[links] != 0) team.add_total(totals.lengths[links], s.near_lengths[links]);
    }

    /// Adds the loads to the links' sums, where they are asked for.
    TAILBACK_KERNEL void sum_links() {
        if (!p.measures.wants_link_sums) return;
        std::uint32_t const used = p.measures.count_host_links ? p.routes.slots : p.routes.inner;
        for (std::uint32_t const slot : team.each(used))
            if (s.loads[slot] != 0) team.add_total(totals.link_sums[slot], s.loads[slot]);
    }
    TAILBACK_KERNEL MappingTally fold() {
        tally.share_sum = team.sum(tally.share_sum);
        tally.delivered = team.sum(tally.delivered);
        if (!p.routes.all_delivered) {
            std::uint64_t failed[] = {tally.unreachable, tally.loop, tally.misdelivered};
            team.sum_each(failed);
            tally.unreachable = failed[0];
            tally.loop = failed[1];
            tally.misdelivered = failed[2];
        }
        if (p.measures.wants_route_links) {
            tally.route_links = team.sum(tally.route_links);
            tally.hop_weight = team.sum(tally.hop_weight);
            tally.flow_weight = team.sum(tally.flow_weight);
        }
        return tally;
    }
};

}  // namespace kernel

/// Evaluates a mapping whose ranks have their hosts. The result is whole in the member that leads.
template <class Routes, class Team, class HostWord>
TAILBACK_KERNEL MappingTally evaluate_all_to_all(Team& team, Problem const& p, Routes const& routes,
                                                 HostWord const* host_of_rank, AllToAllScratch const& s,
                                                 TotalsView const& totals) {
    kernel::AllToAll<Routes, Team> mapping{team, p, routes, s, totals};
    mapping.begin(host_of_rank);
    mapping.count();
    mapping.read_back();
    mapping.hand_over();
    mapping.sum_links();
    return mapping.fold();
}

}  // namespace tailback::kernels
