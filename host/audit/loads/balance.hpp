// How evenly the pairs lie on the links: against the ideal of a stage, and against what no routing can beat.
#pragma once

#include "host/audit/loads/all_pairs.hpp"
#include "host/audit/loads/levels.hpp"

#include <cstdint>
#include <vector>

namespace tailback::audit {

/// What all pairs put on each link, in 1/unit of a pair: one route a pair, or equal division over all that there are.
struct PairLoads {
    std::vector<std::uint64_t> load;  ///< by link; the edge forwarding index where unit = 1
    std::uint64_t unit = 1;
    double error = 0;  ///< in pairs; 0 = exact
    double pairs(model::Link link) const { return double(load[link.value]) / double(unit); }
};

/// The share of a link: `total` spread evenly over so many links, or `together`, what no table can spread.
double even_share(double total, std::uint64_t links, std::uint64_t together);

/// Loads are in 1/Balance::unit of a pair. Links from one level to another (0 = hosts). Its ideal is the even share.
struct Stage {
    std::uint32_t from = 0, to = 0;
    std::uint64_t links = 0, unused = 0;
    double total = 0;                   ///< sum of loads; whole below 2^53
    std::uint64_t together = 0;         ///< between switches: Balance::together
    std::uint64_t least = 0, most = 0;  ///< load of one link
    model::Link hottest;
    double ideal() const { return even_share(total, links, together); }
    /// How many times the ideal the hottest link carries; 1 = even; 0 when nothing is carried.
    double imbalance() const { return total == 0 ? 0 : double(most) / ideal(); }
};

/// What leaves a switch towards other switches.
struct SwitchLoad {
    model::Node node;
    std::uint32_t level = 0;
    std::uint64_t links = 0, unused = 0;
    double total = 0;
    std::uint64_t most = 0;      ///< of those links
    std::uint64_t together = 0;  ///< Balance::together
    double ideal() const { return even_share(total, links, together); }
};

struct Balance {
    std::vector<Stage> stages;            ///< by level, upwards before downwards
    std::vector<std::uint32_t> stage_of;  ///< [link] place in `stages`; no_stage = kept out
    std::vector<SwitchLoad> switches;     ///< those with links to other switches, in node order
    std::vector<model::Link>
        hottest;  ///< all used links between switches (where there are none: all used), hottest first
    std::vector<model::Link> unused;  ///< between switches, in link order
    std::uint64_t unit = 1;           ///< PairLoads::unit
    std::uint64_t largest = 0;        ///< load over all links
    std::uint64_t largest_between_switches = 0;
    /// Most hosts at one switch: what they send to one destination goes one way. 0 where flows divide.
    std::uint64_t together = 0;
    double hops = 0;  ///< sum of loads = sum of the lengths of delivered routes
    /// No routing of these pairs has a largest EFI below this: sum of distances / links (Heydemann, Meyer, Sotteau
    /// 1989).
    double lower_bound = 0;
    static constexpr std::uint32_t no_stage = 0xFFFFFFFFu;
    /// A link that carries more than so many times its ideal makes a fabric badly balanced.
    static constexpr double bad_imbalance = 2;

    /// The stage between switches (where there is none: any) whose hottest link carries the largest multiple of its
    /// ideal; null = no link carries anything.
    Stage const* least_even() const;
    double pairs(double load) const { return load / double(unit); }
    bool is_bad() const { return least_even() != nullptr && least_even()->imbalance() > bad_imbalance; }
};

/// Links at adapters that are no endpoint of the request (and links nothing leads to) are kept out. `usable`: the links
/// that are looked at beside those that carry pairs, by link; empty = all.
/// @param divided what flows that divide put on links; null: the loads of `all_pairs`
Balance balance_of(model::Network const& network, Levels const& levels, AllPairsRequest const& request,
                   AllPairsResult const& all_pairs, std::vector<bool> const& usable = {},
                   PairLoads const* divided = nullptr);

}  // namespace tailback::audit
