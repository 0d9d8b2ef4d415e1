// What no tables of a fabric can beat: the least possible largest load of a link between switches when every host sends
// 1 to every LID of every other, which links carry that bound, and where a cable would lower it.
#pragma once

#include "host/search/bounds/load_bound.hpp"
#include "host/search/bounds/table_bound.hpp"

#include <cstdint>
#include <iosfwd>
#include <span>
#include <string>
#include <vector>

namespace tailback::search {

/// A link that has a price: whatever the routes, it pays for the bound.
struct PricedLink {
    model::Link link;
    std::uint64_t price = 0;
    double share = 0;  ///< of the sum of price x capacity
};

struct ExtraCable {
    model::Link beside;       ///< a cable like this one, between the same switches
    std::uint64_t least = 0;  ///< FabricBound::least with it
};

struct FabricBound {
    BoundRoutes routes = BoundRoutes::shortest;
    Fraction divided;                ///< no flows that may divide have a smaller largest load
    PriceSums sums;                  ///< which prove that
    double upper = 0;                ///< some divided flows have this one; 0 = none were sought
    std::vector<PricedLink> prices;  ///< which prove that; the largest share first, then in link order
    TableBound whole;                ///< tables have one port for a destination, so flows do not divide
    model::Node at, next;            ///< of `whole`
    std::uint64_t least = 0;         ///< no tables have a smaller largest load
    std::vector<ExtraCable> cables;  ///< that were tried and lower `least`, the best first
    bool tried_cables = false;       ///< few enough links carry the bound to try

    /// Tables cannot have what divided flows could.
    bool is_by_whole() const { return whole.load.rounded_up() > divided.rounded_up(); }
    /// Of `divided`: what is not known of it.
    double gap() const { return divided.p == 0 || upper == 0 ? 0 : std::max(0.0, upper / divided.value() - 1); }
};

/// All links count alike. @throws InputError where a host is cabled to no switch; kernels::Stopped
FabricBound find_fabric_bound(model::Network const& network, std::span<model::Host const> hosts, BoundRoutes routes,
                              LoadBoundLimits const& limits = {});

/// CSV with the prices of all links that have one, behind lines with `#` that say what they prove: anyone can add up
/// again.
void write_certificate(std::ostream& out, model::Network const& network, FabricBound const& bound,
                       std::string const& digest);

}  // namespace tailback::search
