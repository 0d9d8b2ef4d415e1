// The working memory of a team that shares contended links (contended.hpp). Where it lies is the executor's business.
#pragma once

#include "kernels/common/array_layout.hpp"
#include "kernels/common/portable.hpp"
#include "kernels/evaluate/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>

namespace tailback::kernels {

/// Rates by weight, and the links that froze a flow, are left to the plain rounds (max_min.hpp).
TAILBACK_HD bool shares_contended(Problem const& p) {
    return p.measures.sharing.wanted && !p.measures.sharing.by_weight && !p.measures.sharing.bottlenecks;
}

/// Whether flows of this level may share the links of their hosts, or be slowed down by them.
TAILBACK_HD bool shares_host_links(Problem const& p, LevelView const& level) {
    return p.routes.host_links_implied && !(p.traffic.weights == nullptr && p.placement.nodes.node == nullptr &&
                                            p.measures.sharing.capacity == nullptr && level.unit_min_congestion);
}

/// What of a study decides how much there is to remember.
struct ContendedSizes {
    std::uint32_t flows = 0;         ///< of the largest level
    std::uint32_t links_a_flow = 0;  ///< that are looked at, at most
    std::uint32_t slots = 0;         ///< that may be looked at
    std::uint32_t links = 0;         ///< contended at once, at most
    std::uint32_t near_bins = 0;     ///< of rates, counted by the team itself
    bool times = false, capacities = false;

    /// Needs: levels that this side can read.
    static ContendedSizes of(Problem const& p) {
        constexpr std::uint32_t most_near_bins = 1024;
        ContendedSizes sizes;
        bool host_links = false;
        for (std::uint32_t l = 0; l < p.traffic.level_count; ++l)
            host_links |= shares_host_links(p, p.traffic.levels[l]);
        SharingView const& sharing = p.measures.sharing;
        sizes.capacities = sharing.capacity != nullptr;
        sizes.times = sharing.times;
        sizes.flows = p.traffic.max_kept;
        sizes.slots = !p.routes.host_links_implied || host_links ? p.routes.slots : p.routes.inner;
        std::uint32_t const left_out = p.routes.host_links_implied && !host_links ? 2 : 0;
        sizes.links_a_flow = p.routes.longest_route > left_out ? p.routes.longest_route - left_out : 0;
        std::uint64_t const links = std::uint64_t{sizes.flows} * sizes.links_a_flow / sizes.least_load();
        sizes.links = static_cast<std::uint32_t>(links < sizes.slots ? links : sizes.slots);
        sizes.near_bins = sharing.bins <= most_near_bins ? sharing.bins : 0;
        return sizes;
    }
    /// Links of one flow and the base rate are no bottleneck.
    TAILBACK_HD std::uint32_t least_load() const { return capacities ? 1 : 2; }
    template <class Small>
    TAILBACK_HD bool fit() const {
        constexpr std::uint32_t most = std::numeric_limits<Small>::max();
        return flows < most && links < most;
    }
};

/// Small: an integer that every number of a flow and of a contended link fits, and one more.
template <class Small>
struct ContendedState {
    static constexpr Small none = std::numeric_limits<Small>::max();

    std::uint32_t* count;       ///< of the lists below: see Contended
    std::uint32_t* near_rates;  ///< [near_bins]; the team's for as long as it likes
    // By flow.
    std::uint64_t* rate;      ///< 0: there is none, or the flow has ended
    std::uint64_t* end;       ///< when it ends, as far as is known; 0: it is not sent
    std::uint32_t* met_flow;  ///< 0 but while a completion spreads
    Small* open;              ///< list of flows to share anew
    Small* link_of_flow;      ///< [flow][links_a_flow] its contended links; `none` behind them
    // By contended link.
    Small* flow_on;  ///< the flows of all links, link by link
    std::uint32_t* slot;
    std::uint32_t *remaining_low, *remaining_high;  ///< capacity that is not given away, in halves that add without
                                                    ///< a loop where there is no 64-bit add
    std::uint64_t* share;
    std::uint32_t* active;   ///< flows that are open
    std::uint32_t* blocked;  ///< the last round in which one of its flows had less elsewhere
    std::uint32_t* met;
    std::uint32_t* first_on;
    Small *flows_on, *queue;
    // By slot, in the place of the links': these come when those are done with.
    std::uint32_t* load;
    Small* number;

    /// From `base` (16-byte aligned) on; null only measures. Returns the bytes needed.
    TAILBACK_HD std::size_t lay_out(ContendedSizes const& sizes, std::byte* base) {
        std::size_t const entries = std::size_t{sizes.flows} * sizes.links_a_flow;
        std::uint32_t const flows_timed = sizes.times ? sizes.flows : 0, links_timed = sizes.times ? sizes.links : 0;
        ArrayLayout lasting(base);
        lasting.take(count, 4);
        lasting.take(near_rates, sizes.near_bins);
        lasting.take(rate, sizes.flows);
        lasting.take(end, flows_timed);
        lasting.take(met_flow, flows_timed);
        lasting.take(open, sizes.flows);
        lasting.take(link_of_flow, entries);
        lasting.take(flow_on, sizes.times ? entries : 0);
        lasting.take(slot, sizes.capacities ? sizes.links : 0);
        std::byte* const rest = base == nullptr ? nullptr : base + lasting.used();
        ArrayLayout links(rest), slots(rest);
        links.take(remaining_low, sizes.links);
        links.take(remaining_high, sizes.links);
        links.take(share, sizes.links);
        links.take(active, sizes.links);
        links.take(blocked, sizes.links);
        links.take(met, links_timed);
        links.take(first_on, links_timed);
        links.take(flows_on, links_timed);
        links.take(queue, links_timed);
        slots.take(load, sizes.slots);
        slots.take(number, sizes.slots);
        return lasting.used() + (links.used() > slots.used() ? links.used() : slots.used());
    }
};

/// What is looked at only when a flow's rate changes.
struct ContendedVolumes {
    WideWord* left;        ///< what a flow has to carry, in units of rate x time, ..
    std::uint64_t* since;  ///< .. from this time on

    TAILBACK_HD std::size_t lay_out(ContendedSizes const& sizes, std::byte* base) {
        ArrayLayout layout(base);
        layout.take(left, sizes.times ? sizes.flows : 0);
        layout.take(since, sizes.times ? sizes.flows : 0);
        return layout.used();
    }
};

}  // namespace tailback::kernels
