// Max-min rates and completion times of one mapping. All flows of a level start together; at every completion the rates
// of the others are found anew; the next level starts when the last flow has ended.
//
// Bound: a step ends at the next whole unit of time. So the times are the exact ones of flows that are larger by less
//        than what their rate carries in one unit of time.
#pragma once

#include "kernels/sharing/max_min.hpp"
#include "kernels/sharing/tell.hpp"

namespace tailback::kernels {
namespace kernel {

/// Adds a mapping's rates and times to its tally.
template <bool by_weight, class Flows>
struct Completion {
    Flows& flows;
    SharingScratch const& x;
    SharedSums sums = {};
    std::uint64_t makespan = 0;

    TAILBACK_KERNEL Problem const& problem() const { return flows.p; }

    TAILBACK_KERNEL void run_level(LevelView const& level) {
        MaxMin<by_weight, Flows> rates{flows, x};
        begin(level);
        std::uint64_t clock = 0;
        for (bool first = true;; first = false) {  // one call: its code is large
            rates.fill(level, first && problem().measures.sharing.bottlenecks);
            if (first) tell_rates(level);
            if (!problem().measures.sharing.times) return;
            std::uint64_t step;
            if (!find_step(level, step)) break;
            clock += step;
            advance(level, step, clock);
        }
        tell_times(rates, level);
        makespan += clock;
    }

private:
    TAILBACK_KERNEL bool is_sent(LevelView const& level, RankFlow const& flow) const {
        return !flows.is_within_node(flow) && flows.fate(flows.find(level, flow)) == 0;
    }
    TAILBACK_KERNEL std::uint64_t size_of(LevelView const& level, RankFlow const& flow) const {
        return flows.weight_of(level, flow);
    }
    /// Every flow of the level that is sent gets `is_open` for its rate, others 0.
    TAILBACK_KERNEL void begin(LevelView const& level) {
        SharingView const& sharing = problem().measures.sharing;
        each_flow(flows.team, problem(), level, flows.s, [&](RankFlow const& flow) {
            bool const sent = is_sent(level, flow);
            x.rate[flow.number] = sent ? MaxMin<by_weight, Flows>::is_open : 0;
            if (!sharing.times) return;
            std::uint64_t const time = size_of(level, flow) * sharing.time_unit;
            x.left[flow.number] = sent ? static_cast<WideWord>(time) * sharing.unit : 0;
            x.ended[flow.number] = 0;
        });
    }
    TAILBACK_KERNEL void tell_rates(LevelView const& level) {
        SharingView const& sharing = problem().measures.sharing;
        each_flow(flows.team, problem(), level, flows.s, [&](RankFlow const& flow) {
            if (!is_sent(level, flow)) return;
            std::uint64_t const rate = x.rate[flow.number];
            sums.add_rate(sharing, rate);
            flows.team.add_total(flows.totals.rates[rate_bin(sharing, rate)], 1);
        });
    }
    /// The least time until a flow ends. @return false where none is left.
    TAILBACK_KERNEL bool find_step(LevelView const& level, std::uint64_t& step) {
        std::uint64_t mine = ~std::uint64_t{0};
        each_flow(flows.team, problem(), level, flows.s, [&](RankFlow const& flow) {
            std::uint64_t const rate = x.rate[flow.number];
            if (rate == 0) return;
            WideWord const time = (x.left[flow.number] + rate - 1) / rate;
            if (time < mine) mine = static_cast<std::uint64_t>(time);
        });
        step = ~flows.team.max(~mine);
        return step != ~std::uint64_t{0};
    }
    TAILBACK_KERNEL void advance(LevelView const& level, std::uint64_t step, std::uint64_t clock) {
        each_flow(flows.team, problem(), level, flows.s, [&](RankFlow const& flow) {
            WideWord& left = x.left[flow.number];
            if (left == 0) return;
            WideWord const carried = static_cast<WideWord>(x.rate[flow.number]) * step;
            if (left <= carried) {
                left = 0;
                x.ended[flow.number] = clock;
                x.rate[flow.number] = 0;
            } else {
                left -= carried;
                x.rate[flow.number] = MaxMin<by_weight, Flows>::is_open;
            }
        });
    }
    TAILBACK_KERNEL void tell_times(MaxMin<by_weight, Flows> const& rates, LevelView const& level) {
        each_flow(flows.team, problem(), level, flows.s, [&](RankFlow const& flow) {
            if (!is_sent(level, flow)) return;
            std::uint64_t slowest = ~std::uint64_t{0};
            rates.each_link(level, flow, [&](std::uint32_t slot) {
                std::uint64_t const capacity = capacity_of(problem(), slot);
                slowest = capacity < slowest ? capacity : slowest;
            });
            if (slowest > problem().measures.sharing.unit && problem().measures.sharing.capacity == nullptr)
                slowest = problem().measures.sharing.unit;  // none of its links is counted
            std::uint64_t const end = x.ended[flow.number];
            sums.add_time(end, time_alone(problem().measures.sharing, size_of(level, flow), slowest));
            flows.team.add_total(flows.totals.times[weighted_bin(end)], 1);
        });
    }

public:
    TAILBACK_KERNEL void fold(MappingTally& tally) {
        sums.join(flows.team);
        sums.tell(problem().measures.sharing, tally);
        tally.makespan = makespan;
    }
};

}  // namespace kernel

/// The counts of flows alone.
TAILBACK_HD MappingTally fates_of(MappingTally const& tally) {
    MappingTally fates{};
    fates.delivered = tally.delivered;
    fates.unreachable = tally.unreachable;
    fates.loop = tally.loop;
    fates.misdelivered = tally.misdelivered;
    fates.local = tally.local;
    fates.within_nodes = tally.within_nodes;
    return fates;
}

/// Scratch of a mapping's flows, and of their rates.
template <class Scratch>
struct ScratchOfRates {
    Scratch const& flows;
    SharingScratch const& rates;
};
template <class Scratch>
ScratchOfRates(Scratch const&, SharingScratch const&) -> ScratchOfRates<Scratch>;

/// Adds max-min rates, and times where they are asked for, to the tally of a mapping whose ranks have their hosts, and
/// whose kept routes may be overwritten. The result is whole in the member that leads.
/// @param m number of the mapping, as evaluate_placed takes it
template <class Routes, class Team, class Scratch>
TAILBACK_KERNEL void share_placed(Team& team, Problem const& p, Routes const& routes, ScratchOfRates<Scratch> const& s,
                                  TotalsView const& totals, MappingTally& tally, std::uint64_t m = 0) {
    using Flows = kernel::Evaluation<false, Routes, Team, Scratch>;
    Flows flows{team, p, routes, s.flows, totals, lid_draw(p.routes.lids, m)};
    if (p.measures.sharing.alone) tally = fates_of(tally);
    auto const run = [&](auto completion) {
        for (std::uint32_t l = 0; l < p.traffic.level_count; ++l) completion.run_level(p.traffic.levels[l]);
        completion.fold(tally);
    };
    if constexpr (Flows::weighted)
        if (p.measures.sharing.by_weight) return run(kernel::Completion<true, Flows>{flows, s.rates});
    run(kernel::Completion<false, Flows>{flows, s.rates});
}

}  // namespace tailback::kernels
