// The working memory of a team that shares contended links (contended.hpp). Where it lies is the executor's business.
#pragma once

#include "kernels/common/array_layout.hpp"
#include "kernels/common/portable.hpp"
#include "kernels/evaluate/problem.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

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
    bool host_links = false;  ///< of some level; of a level they are where shares_host_links, too

    /// Needs: levels and flows that this side can read.
    static ContendedSizes of(Problem const& p) {
        constexpr std::uint32_t most_near_bins = 1024;
        ContendedSizes sizes;
        bool& host_links = sizes.host_links;
        for (std::uint32_t l = 0; l < p.traffic.level_count; ++l)
            host_links |= shares_host_links(p, p.traffic.levels[l]) && !has_ranks_of_one_flow(p, p.traffic.levels[l]);
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
    /// Whether every rank has a host of its own, of the base rate, and sends one flow of the level at most and is sent
    /// one at most. Of levels with sizes nothing else tells.
    static bool has_ranks_of_one_flow(Problem const& p, LevelView const& level) {
        if (p.placement.nodes.node != nullptr || p.measures.sharing.capacity != nullptr ||
            level.routes_to_keep != level.flows)
            return false;
        std::vector<bool> sends(p.placement.ranks), is_sent(p.placement.ranks);
        for (std::uint64_t f = level.first_flow; f < level.first_flow + level.flows; ++f) {
            auto const [source, destination] = p.traffic.flows[f];
            if (sends[source] || is_sent[destination]) return false;
            sends[source] = is_sent[destination] = true;
        }
        return true;
    }
    /// Links of one flow and the base rate are no bottleneck.
    TAILBACK_HD std::uint32_t least_load() const { return capacities ? 1 : 2; }
    template <class Small>
    TAILBACK_HD bool fit() const {
        constexpr std::uint32_t most = static_cast<Small>(~Small{0});
        return flows < most && links < most && std::uint64_t{flows} * links_a_flow < most;
    }
};

namespace kernel {
/// Lists of ContendedState, of which the counts are kept: links, the flows of all links, open flows, links in the
/// queue.
inline constexpr std::uint32_t contended_counts = 4;
}  // namespace kernel

/// Small: an integer that every number of a flow and of a contended link fits, and one more.
template <class Small>
struct ContendedState {
    static constexpr Small none = std::numeric_limits<Small>::max();

    std::uint32_t* count;  ///< [contended_counts], which the caller has: what lists have, below
    // By flow.
    std::uint64_t* rate;      ///< 0: there is none, or the flow has ended
    std::uint64_t* end;       ///< when it ends, as far as is known; 0: it is not sent
    std::uint32_t* met_flow;  ///< 0 but while a completion spreads
    Small* open;              ///< list of flows to share anew
    Small* link_of_flow;      ///< [flow][links_a_flow] its contended links; `none` behind them
    // By contended link.
    Small* flow_on;  ///< the flows of all links, link by link
    std::uint32_t* slot;
    std::uint32_t* near_rates;                      ///< [near_bins]; the team's for as long as it likes
    std::uint32_t *remaining_low, *remaining_high;  ///< capacity that is not given away, in halves that add without
                                                    ///< a loop where there is no 64-bit add
    std::uint64_t* share;
    std::uint32_t* active;  ///< flows that are open
    std::uint32_t* mark;    ///< the last round in which one of its flows had less elsewhere; between rounds: 0, or met
    Small *first_on, *flows_on, *queue;
    // By slot, in the place of the links': these come when those are done with.
    std::uint32_t* load;
    Small* number;

    /// From `base` (16-byte aligned) on; null only measures. Returns the bytes needed.
    TAILBACK_HD std::size_t lay_out(ContendedSizes const& sizes, std::byte* base) {
        std::size_t const entries = std::size_t{sizes.flows} * sizes.links_a_flow;
        std::uint32_t const flows_timed = sizes.times ? sizes.flows : 0, links_timed = sizes.times ? sizes.links : 0;
        ArrayLayout lasting(base);
        take(lasting, slot, sizes.capacities ? sizes.links : 0);  // first: see take
        take(lasting, rate, sizes.flows);
        take(lasting, end, flows_timed);
        take(lasting, met_flow, flows_timed);
        take(lasting, open, sizes.flows);
        take(lasting, link_of_flow, entries);
        take(lasting, flow_on, sizes.times ? entries : 0);
        take(lasting, near_rates, sizes.near_bins);
        ArrayLayout links = lasting, slots = lasting;
        take(links, remaining_low, sizes.links);
        take(links, remaining_high, sizes.links);
        take(links, share, sizes.links);
        take(links, active, sizes.links);
        take(links, mark, sizes.links);
        take(links, first_on, links_timed);
        take(links, flows_on, links_timed);
        take(links, queue, links_timed);
        take(slots, load, sizes.slots);
        take(slots, number, sizes.slots);
        return links.used() > slots.used() ? links.used() : slots.used();
    }

private:
    /// Arrays of no items are not null: of a pointer that may be, nvcc does not know that it is to shared memory; nor
    /// of one to the very beginning of it.
    template <class Item>
    TAILBACK_HD static void take(ArrayLayout& layout, Item*& array, std::size_t count) {
        array = reinterpret_cast<Item*>(layout.take_bytes(count * sizeof(Item)));
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
