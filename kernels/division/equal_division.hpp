// A mapping whose flows every switch divides equally among its candidate ports, by a team: loads and congestions in
// whole units, those of host/evaluation/adaptive/equal_split.hpp.
//
// What:  weights are put where flows enter, class by class of destinations; a class's rows divide what has come to
// them,
//        each after all that send to it; links sum up what their groups of ports carry; then what is worst ahead goes
//        back through the classes to where flows enter, and every flow has its congestion.
// Why so: a class is one member's from its first row to its last, so no barrier is needed between rows, and rows are as
//        many as classes. They pull: of rows that send to the same rows, a bundle, each of these gets the same sum, so
//        there are few words a class to keep near. What classes have in common, units by group of ports, is added to,
//        in whole numbers, whose order does not matter.
// Why so: lanes of a warp each have a mapping of their own: all read the same of the plan at once, their own words lie
//        side by side, and the plan, which is large, is read once for all of them.
#pragma once

#include "kernels/common/team.hpp"
#include "kernels/division/division_state.hpp"
#include "kernels/evaluate/flows.hpp"
#include "kernels/evaluate/weights.hpp"

namespace tailback::kernels {
namespace kernel {

/// `Placed`: ranks have their hosts, and random patterns their permutations.
template <std::uint32_t lanes, class Team, class Placed>
struct EqualDivision {
    Team& team;
    Problem const& p;
    DivisionView const& d;
    DivisionState<lanes> const& s;
    Placed const& placed;
    TotalsView const& totals;
    MappingTally tally = {};  ///< this member's, until `fold`

    TAILBACK_KERNEL void run_level(LevelView const& level) {
        start_flows(level);
        for (std::uint32_t const c : team.each(d.classes))
            if (s.flows_of_class[c] != 0) divide(c);
        team.sync("flows divided");
        sum_links();
        find_worst_ports();
        for (std::uint32_t const c : team.each(d.classes))
            if (s.flows_of_class[c] != 0) look_ahead(c);
        team.sync("worst known");
        read_flows(level);
        clear(level);
    }
    TAILBACK_KERNEL void begin_delays() {
        if (passes_delays(p))
            for (std::uint32_t const r : team.each(p.traffic.measured_ranks)) s.after[r] = 0;
    }
    /// Folds the members' parts into one tally, whole in the member that leads.
    TAILBACK_KERNEL MappingTally fold() {
        MappingTally all = {};
        all.congestion_sum = tally.congestion_sum;
        if (p.measures.wants_delay) all.delay = all.congestion_sum;
        if (passes_delays(p)) {
            std::uint64_t delay = 0;
            for (std::uint32_t const r : team.each(p.traffic.measured_ranks))
                delay = s.after[r] > delay ? s.after[r] : delay;
            all.delay = team.max(delay);
        }
        all.share_sum = team.sum(tally.share_sum);
        all.delivered = team.sum(tally.delivered);
        all.unreachable = team.sum(tally.unreachable);
        all.local = team.sum(tally.local);
        all.within_nodes = team.sum(tally.within_nodes);
        if (p.measures.wants_histogram && team.leads())
            for (std::uint32_t part = 0; part < share_parts; ++part)
                team.add_total(totals.share_parts[part], share_part(all.share_sum, part));
        return all;
    }

private:
    /// A flow between two hosts.
    struct Sent {
        std::uint32_t from, to;  ///< host indices
        DivisionStart start;
        std::uint32_t cell;
    };
    /// Words of this member alone.
    TAILBACK_KERNEL std::size_t member() const {
        if constexpr (TeamOfMany<Team>) return team.member();
        else return 0;
    }
    TAILBACK_KERNEL std::uint64_t* passed_on() const { return &s.passed[member() * d.most_bundles]; }
    TAILBACK_KERNEL std::uint64_t* remainders() const { return &s.remainder[member() * d.rows]; }
    TAILBACK_KERNEL std::uint64_t weight_of(LevelView const& level, RankFlow const& flow) const {
        return flow.number < level.flows ? p.traffic.weights[level.first_flow + flow.number] : 1;
    }
    /// Calls visit(flow, sent) for this member's flows, but those inside a compute node, which are told to `within`.
    /// Returns how many stay on their rank.
    template <class Visit, class Within>
    TAILBACK_KERNEL std::uint64_t each_sent(LevelView const& level, Visit&& visit, Within&& within) const {
        return each_flow(team, p, level, placed, [&](RankFlow const& flow) {
            std::uint32_t const from = placed.host_index_of_rank[flow.source.value],
                                to = placed.host_index_of_rank[flow.destination.value];
            std::uint32_t const* const node = p.placement.nodes.node;
            if (from == to || (node != nullptr && node[from] == node[to])) return within(flow);
            std::uint32_t const c = d.class_of_host[to], entry = d.entry_of_host[from];
            if (c == DivisionView::none || entry == DivisionView::none)
                return visit(flow, Sent{from, to, DivisionStart::fails, 0});
            std::uint32_t const cell = c * d.entries + entry;
            visit(flow, Sent{from, to, d.start[cell], cell});
        });
    }

    /// Puts every flow where it enters, and on its host links.
    TAILBACK_KERNEL void start_flows(LevelView const& level) {
        if (passes_delays(p))
            for (std::uint32_t const r : team.each(p.traffic.measured_ranks)) s.before[r] = s.after[r];
        tally.local += each_sent(
            level,
            [&](RankFlow const& flow, Sent const& sent) {
                bool const fails = sent.start == DivisionStart::fails;
                ++(fails ? tally.unreachable : tally.delivered);
                if (fails) return;
                std::uint64_t const weight = weight_of(level, flow);
                add_load(d.up_link[sent.from], weight * d.unit);
                add_load(d.exit_link[sent.to], weight * d.unit);
                if (sent.start != DivisionStart::divided) return;
                team.add(s.cell[sent.cell], weight);
                team.add(s.flows_of_class[d.class_of_host[sent.to]], 1u);
            },
            [&](RankFlow const& flow) { tally.within_nodes += weight_of(level, flow); });
        team.sync("flows started");
    }
    TAILBACK_KERNEL void add_load(std::uint32_t link, std::uint64_t units) const {
        if (link != DivisionView::none) team.add(s.load[link], units);
    }

    /// Divides what has come to every row of a class among the ports of its group.
    TAILBACK_KERNEL void divide(std::uint32_t c) const {
        std::uint64_t* const passed = passed_on();
        std::size_t const first_cell = std::size_t{c} * d.entries;
        std::uint32_t const first = d.first_bundle[c], count = d.first_bundle[c + 1] - first;
        if (d.rounded)
            for (std::uint32_t row = 0; row < d.rows; ++row) remainders()[std::size_t{row} * lanes] = 0;
        for (std::uint32_t b = 0; b < count; ++b) {
            DivisionBundle const bundle = d.bundle[first + b];
            std::uint32_t const end = d.bundle[first + b + 1].first_step;
            std::uint64_t together = 0;
            for (std::uint32_t i = bundle.first_step; i < end; ++i) {
                DivisionStep const step = d.step[i];
                std::uint64_t units = step.entry == DivisionView::none ? 0 : s.cell[first_cell + step.entry] * d.unit;
                for (std::uint32_t k = step.first_pull; k < d.step[i + 1].first_pull; ++k)
                    units += passed[std::size_t{d.pull[k]} * lanes];
                if (d.rounded) units += remainders()[std::size_t{step.row} * lanes];
                if (units == 0) continue;
                std::uint64_t const each = share_of(bundle, units);
                together += each;
                team.add(s.port[step.group], each);
                if (d.rounded) pass_remainder(step.group, units - each * bundle.ports);
            }
            passed[std::size_t{b} * lanes] = together;
        }
    }
    /// Divisions without a remainder are multiplications.
    TAILBACK_KERNEL std::uint64_t share_of(DivisionBundle const& bundle, std::uint64_t units) const {
        return d.rounded ? units / bundle.ports : (units >> bundle.twos) * bundle.inverse;
    }
    TAILBACK_KERNEL void pass_remainder(std::uint32_t group, std::uint64_t rest) const {
        std::uint64_t* const kept = remainders();
        for (std::uint32_t k = d.first_port[group], end = k + static_cast<std::uint32_t>(rest); k < end; ++k) {
            if (std::uint32_t const row = d.target_of_port[k]; row != d.rows) ++kept[std::size_t{row} * lanes];
            team.add(s.load[d.link_of_port[k]], std::uint64_t{1});
        }
    }

    /// From units by group to loads of links.
    TAILBACK_KERNEL void sum_links() const {
        for (std::uint32_t const link : team.each(d.links)) {
            std::uint64_t load = s.load[link];
            for (std::uint32_t k = d.first_group[link]; k < d.first_group[link + 1]; ++k)
                load += s.port[d.group_of_link[k]];
            s.load[link] = load;
        }
        if (p.measures.wants_link_sums) sum_up();
        team.sync("loads known");
    }
    /// Adds the loads of this member's links to those of all mappings. Teams that add up together all come to each
    /// link, those without a mapping, too: their loads are 0.
    TAILBACK_KERNEL void sum_up() const {
        if constexpr (requires { team.add_together(totals.link_sums, s.load, d.links); })
            team.add_together(totals.link_sums, s.load, d.links);
        else
            for (std::uint32_t const link : team.each(d.links))
                if (s.load[link] != 0) team.add_total(totals.link_sums[link], s.load[link]);
    }
    TAILBACK_KERNEL std::uint64_t congestion_of(std::uint32_t link) const {
        return link == DivisionView::none ? 0 : s.load[link] * (d.cost != nullptr ? d.cost[link] : 1u);
    }
    TAILBACK_KERNEL void find_worst_ports() const {
        for (std::uint32_t const group : team.each(d.groups)) {
            std::uint64_t worst = 0;
            for (std::uint32_t k = d.first_port[group]; k < d.first_port[group + 1]; ++k)
                grow(worst, congestion_of(d.link_of_port[k]));
            s.port[group] = worst;
        }
        team.sync("worst ports known");
    }
    TAILBACK_KERNEL static void grow(std::uint64_t& most, std::uint64_t one) { most = one > most ? one : most; }

    /// What is worst ahead of the rows where flows enter, from the destination back.
    TAILBACK_KERNEL void look_ahead(std::uint32_t c) const {
        std::uint64_t* const worst_ahead = passed_on();
        std::size_t const first_cell = std::size_t{c} * d.entries;
        std::uint32_t const first = d.first_bundle[c];
        for (std::uint32_t b = d.first_bundle[c + 1] - first; b-- > 0;) {
            DivisionBundle const bundle = d.bundle[first + b], next = d.bundle[first + b + 1];
            std::uint64_t worst = 0;
            for (std::uint32_t k = bundle.first_ahead; k < next.first_ahead; ++k) {
                DivisionAhead const ahead = d.ahead[k];
                grow(worst, s.port[ahead.group]);
                grow(worst, worst_ahead[std::size_t{ahead.bundle} * lanes]);
            }
            worst_ahead[std::size_t{b} * lanes] = worst;
            for (std::uint32_t i = bundle.first_step; i < next.first_step; ++i) {
                DivisionStep const step = d.step[i];
                if (step.entry == DivisionView::none) continue;
                std::uint64_t& cell = s.cell[first_cell + step.entry];
                if (cell == 0) continue;
                std::uint64_t const own = s.port[step.group];
                cell = own > worst ? own : worst;
            }
        }
    }

    /// Every flow's congestion: the worst of its host links and of what is ahead of where it enters.
    TAILBACK_KERNEL void read_flows(LevelView const& level) {
        std::uint64_t largest = 0;
        each_sent(
            level,
            [&](RankFlow const& flow, Sent const& sent) {
                if (sent.start == DivisionStart::fails) return;
                std::uint64_t congestion = 1;
                grow(congestion, congestion_of(d.up_link[sent.from]));
                grow(congestion, congestion_of(d.exit_link[sent.to]));
                if (sent.start == DivisionStart::divided) grow(congestion, s.cell[sent.cell]);
                grow(largest, congestion);
                tally.share_sum += weighted_share(p.measures.weighted_share_unit, weight_of(level, flow), congestion);
                if (p.measures.wants_histogram) team.add_total(totals.histogram[weighted_bin(congestion)], 1);
                if (passes_delays(p) && flow.source.value < p.traffic.measured_ranks &&
                    flow.destination.value < p.traffic.measured_ranks)
                    team.raise(s.after[flow.destination.value], s.before[flow.source.value] + congestion);
            },
            [](RankFlow const&) {});
        tally.congestion_sum += team.max(largest, "congestions read");
    }
    TAILBACK_KERNEL void clear(LevelView const& level) const {
        each_sent(
            level,
            [&](RankFlow const&, Sent const& sent) {
                if (sent.start == DivisionStart::divided) team.clear(s.cell[sent.cell]);
            },
            [](RankFlow const&) {});
        for (std::uint32_t const c : team.each(d.classes)) s.flows_of_class[c] = 0;
        for (std::uint32_t const link : team.each(d.links)) s.load[link] = 0;
        for (std::uint32_t const group : team.each(d.groups)) s.port[group] = 0;
        team.sync("level cleared");
    }
};

}  // namespace kernel

/// Evaluates a mapping whose ranks have their hosts. The result is whole in the member that leads.
template <std::uint32_t lanes, class Team, class Placed>
TAILBACK_KERNEL MappingTally divide_placed(Team& team, Problem const& p, DivisionView const& d,
                                           DivisionState<lanes> const& s, Placed const& placed,
                                           TotalsView const& totals) {
    kernel::EqualDivision<lanes, Team, Placed> mapping{team, p, d, s, placed, totals};
    mapping.begin_delays();
    for (std::uint32_t l = 0; l < p.traffic.level_count; ++l) mapping.run_level(p.traffic.levels[l]);
    return mapping.fold();
}

}  // namespace tailback::kernels
