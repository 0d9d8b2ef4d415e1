// Routes that depend on the source or on chance: what links carry on average over all draws, and the permutation whose
// expected load on some link is largest.
//
// Towles and Dally, "Worst-case Traffic for Oblivious Routing Functions" (SPAA 2002): of all traffic that loads no host
// with more than 1, a permutation puts the most on a link; it is the maximum-weight matching of sources and
// destinations, weighed with the share of the pair's flow that the link carries.
#pragma once

#include "host/audit/worst_case/worst_permutation.hpp"
#include "host/model/tables.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace tailback::audit {

struct ExpectedLoads {
    std::uint64_t pairs = 0, delivered = 0;  ///< ordered pairs of different hosts; delivered: whatever is drawn
    double mean_links = 0;                   ///< of a delivered route, over all draws
    /// By link: expected pairs over it, all pairs sending (the edge forwarding index).
    std::vector<double> load;
    std::uint64_t links = 0;  ///< between switches
    double mean = 0;          ///< of the loads of those links
    model::Link hottest;      ///< the first of them with the most

    /// Over all permutations of the hosts the largest expected load of a link between switches; none = it takes too
    /// long (`most_steps`), or there is no such link.
    std::optional<double> worst;
    model::Link worst_link;
    std::vector<HostPair> permutation;  ///< that puts it there; hosts that it does not name stay silent
};

/// What the worst permutation may take: hosts^3 x links between switches, some 20 s on one core.
inline constexpr double most_matching_steps = 2e10;

/// @param threads 0 = all cores; never changes a result
/// @throws InputError where routes are drawn by a law that the routing does not tell, or do not depend on pairs.
ExpectedLoads expect_loads(model::Fabric const& fabric, std::span<model::Host const> hosts, unsigned threads = 0);

}  // namespace tailback::audit
