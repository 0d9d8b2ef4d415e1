// Max-min fair rates of the flows of one level, in whole units, by progressive filling (Bertsekas and Gallager, Data
// Networks, 1992, 6.5.2).
//
// What:  the fair share of a link is what is left of its capacity over its flows that are not frozen, rounded down. In
// a
//        round the least share of all links is found, all flows of the links that have it get it, and leave their
//        links.
// Why so: sums and minima of whole numbers, and no more, so that neither the order of flows nor the number of members
//        can be seen in the result.
// Bound: the rates are the exact max-min rates of a network in which every link has less than one unit for each of its
//        flows less capacity: a link is left with less than that when it freezes its flows, and it is the bottleneck of
//        those.
#pragma once

#include "kernels/common/array_layout.hpp"
#include "kernels/common/portable.hpp"
#include "kernels/evaluate/evaluate.hpp"
#include "kernels/evaluate/sharing_view.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tailback::kernels {

/// What a team needs to share the links of a mapping, beside Scratch.
struct SharingScratch {
    std::uint64_t* remaining;  ///< by slot: capacity that is not given away
    std::uint64_t* active;     ///< by slot: flows that are not frozen, or their weights
    std::uint64_t* rate;       ///< by number of the flow in its level
    std::uint64_t* ended;      ///< by number: when the flow ended
    WideWord* left;            ///< by number: what the flow has to carry still, in units of rate x time

    /// From `base` (16-byte aligned) on; null only measures. Returns the bytes needed.
    TAILBACK_HD std::size_t lay_out(Problem const& p, std::byte* base) {
        ArrayLayout layout(base);
        layout.take(remaining, p.routes.slots);
        layout.take(active, p.routes.slots);
        layout.take(rate, p.traffic.max_kept);
        layout.take(ended, p.measures.sharing.times ? p.traffic.max_kept : 0);
        layout.take(left, p.measures.sharing.times ? p.traffic.max_kept : 0);
        return layout.used();
    }
};

/// A fair share: units of rate for each flow, or by weight units of 2^-64 for each 1 of weight.
template <bool by_weight>
using FairShare = std::conditional_t<by_weight, WideWord, std::uint64_t>;

template <bool by_weight>
TAILBACK_HD FairShare<by_weight> fair_share(std::uint64_t remaining, std::uint64_t active) {
    if constexpr (by_weight) return (static_cast<WideWord>(remaining) << 64) / active;
    else return remaining / active;
}
/// What a flow of this weight gets of a share; rounded down.
template <bool by_weight>
TAILBACK_HD std::uint64_t rate_of_share(FairShare<by_weight> share, std::uint64_t weight) {
    if constexpr (by_weight) return static_cast<std::uint64_t>(share * weight >> 64);
    else return share;
}

TAILBACK_HD std::uint64_t capacity_of(Problem const& p, std::uint32_t slot) {
    return p.measures.sharing.capacity == nullptr ? p.measures.sharing.unit : p.measures.sharing.capacity[slot];
}

namespace kernel {

/// `Flows` is an Evaluation: it knows flows, routes and fates.
template <bool by_weight, class Flows>
struct MaxMin {
    using Share = FairShare<by_weight>;
    static constexpr std::uint64_t is_open = ~std::uint64_t{0};        ///< in place of a rate: not frozen yet
    static constexpr std::uint64_t is_fresh = std::uint64_t{1} << 63;  ///< beside a rate: frozen in this round

    Flows& flows;
    SharingScratch const& x;

    TAILBACK_KERNEL Problem const& problem() const { return flows.p; }

    TAILBACK_KERNEL std::uint64_t weight_of(LevelView const& level, RankFlow const& flow) const {
        return by_weight ? std::uint64_t{flows.weight_of(level, flow)} : 1;
    }
    /// Calls visit(slot) for each link of the flow's route, those of its hosts included.
    template <class Visit>
    TAILBACK_KERNEL void each_link(LevelView const& level, RankFlow const& flow, Visit&& visit) const {
        Problem const& p = problem();
        if (p.routes.host_links_implied) flows.each_host_link(flow, visit);
        std::uint32_t const padding = p.routes.inner;
        auto const route = flows.find_again(level, flow);
        flows.routes.each(route, [&](std::uint32_t slot) {
            if (slot != padding) visit(slot);
        });
    }
    /// Calls visit(flow) for this member's flows of the level whose rate is not 0: others have none.
    template <class Visit>
    TAILBACK_KERNEL void each_sharing(LevelView const& level, Visit&& visit) const {
        each_flow(flows.team, problem(), level, flows.s, [&](RankFlow const& flow) {
            if (x.rate[flow.number] != 0) visit(flow);
        });
    }
    TAILBACK_KERNEL Share share_of(std::uint32_t slot) const {
        return fair_share<by_weight>(x.remaining[slot], x.active[slot]);
    }

    /// Gives every flow whose rate is `is_open` its rate. Those with rate 0 use no link.
    TAILBACK_KERNEL void fill(LevelView const& level, bool count_bottlenecks) {
        open_links(level);
        for (Share least; find_least(least);) freeze(level, least, count_bottlenecks);
    }

private:
    TAILBACK_KERNEL void open_links(LevelView const& level) {
        for (std::uint32_t const slot : flows.team.each(problem().routes.slots))
            x.remaining[slot] = capacity_of(problem(), slot), x.active[slot] = 0;
        flows.team.sync("links open");
        each_sharing(level, [&](RankFlow const& flow) {
            std::uint64_t const weight = weight_of(level, flow);
            each_link(level, flow, [&](std::uint32_t slot) { flows.team.add(x.active[slot], weight); });
        });
        flows.team.sync("links shared");
    }
    /// The least share of a link with open flows. @return false where there is none.
    TAILBACK_KERNEL bool find_least(Share& least) {
        Share mine = ~Share{0};
        for (std::uint32_t const slot : flows.team.each(problem().routes.slots))
            if (x.active[slot] != 0)
                if (Share const share = share_of(slot); share < mine) mine = share;
        if constexpr (by_weight) {
            auto const high = static_cast<std::uint64_t>(mine >> 64);
            std::uint64_t const least_high = ~flows.team.max(~high);
            std::uint64_t const low = high == least_high ? static_cast<std::uint64_t>(mine) : ~std::uint64_t{0};
            least = static_cast<WideWord>(least_high) << 64 | ~flows.team.max(~low, "least share found");
        } else {
            least = ~flows.team.max(~mine, "least share found");
        }
        return least != ~Share{0};
    }
    /// Gives the flows of all links with this share their rate, and takes them off their links.
    TAILBACK_KERNEL void freeze(LevelView const& level, Share const& share, bool count_bottlenecks) {
        each_sharing(level, [&](RankFlow const& flow) {
            if (x.rate[flow.number] != is_open) return;
            bool is_frozen = false;
            each_link(level, flow, [&](std::uint32_t slot) {
                if (share_of(slot) != share) return;
                is_frozen = true;
                if (count_bottlenecks) flows.team.add_total(flows.totals.link_sums[slot], 1);
            });
            if (is_frozen) x.rate[flow.number] = is_fresh | rate_of_share<by_weight>(share, weight_of(level, flow));
        });
        flows.team.sync("flows frozen");
        each_sharing(level, [&](RankFlow const& flow) {
            std::uint64_t const marked = x.rate[flow.number];
            if (marked == is_open || (marked & is_fresh) == 0) return;
            std::uint64_t const rate = marked & ~is_fresh, weight = weight_of(level, flow);
            x.rate[flow.number] = rate;
            each_link(level, flow, [&](std::uint32_t slot) {
                flows.team.add(x.remaining[slot], std::uint64_t{0} - rate);
                flows.team.add(x.active[slot], std::uint64_t{0} - weight);
            });
        });
        flows.team.sync("flows off their links");
    }
};

}  // namespace kernel
}  // namespace tailback::kernels
