// How evenly the pairs lie on the links: against the ideal of a stage, and against what no routing can beat.
#pragma once

#include "host/audit/loads/all_pairs.hpp"
#include "host/audit/loads/levels.hpp"

#include <cstdint>
#include <vector>

namespace tailback::audit {

/// Links from one level to another (0 = hosts). Its ideal is the mean: its total spread evenly.
struct Stage {
    std::uint32_t from = 0, to = 0;
    std::uint64_t links = 0, unused = 0;
    std::uint64_t total = 0;            ///< sum of EFI
    std::uint64_t least = 0, most = 0;  ///< EFI of one link
    model::Link hottest;
    double ideal() const { return links == 0 ? 0 : double(total) / double(links); }
    /// How many times the ideal the hottest link carries; 1 = even; 0 when nothing is carried.
    double imbalance() const { return total == 0 ? 0 : double(most) / ideal(); }
};

/// What leaves a switch towards other switches.
struct SwitchLoad {
    model::Node node;
    std::uint32_t level = 0;
    std::uint64_t links = 0, unused = 0;
    std::uint64_t total = 0, most = 0;  ///< EFI of those links
    double ideal() const { return links == 0 ? 0 : double(total) / double(links); }
};

struct Balance {
    std::vector<Stage> stages;            ///< by level, upwards before downwards
    std::vector<std::uint32_t> stage_of;  ///< [link] place in `stages`; no_stage = kept out
    std::vector<SwitchLoad> switches;     ///< those with links to other switches, in node order
    std::vector<model::Link>
        hottest;  ///< all used links between switches (where there are none: all used), hottest first
    std::vector<model::Link> unused;  ///< between switches, in link order
    std::uint64_t largest = 0;        ///< EFI over all links
    std::uint64_t largest_between_switches = 0;
    std::uint64_t hops = 0;  ///< sum of EFI = sum of the lengths of delivered routes
    /// No routing of these pairs has a largest EFI below this: sum of distances / links (Heydemann, Meyer, Sotteau
    /// 1989); the second for links between switches alone, the hosts' own links taken off every distance.
    double lower_bound = 0, lower_bound_between_switches = 0;
    static constexpr std::uint32_t no_stage = 0xFFFFFFFFu;
};

/// Links at adapters that are no endpoint of the request (and links nothing leads to) are kept out.
Balance balance_of(model::Network const& network, Levels const& levels, AllPairsRequest const& request,
                   AllPairsResult const& all_pairs);

}  // namespace tailback::audit
