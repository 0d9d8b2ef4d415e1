// The least possible largest load of a link between switches, by flows that may divide as they like: a bound with
// prices that prove it, and how near to it a division of the flows was found.
#pragma once

#include "host/search/bounds/price_bound.hpp"

#include <cstdint>
#include <vector>

namespace tailback::search {

struct LoadBoundLimits {
    double gap = 0.0001;  ///< (upper - bound) / bound that suffices
    /// Ways looked at; after that the gap stays as it is. A second on one core.
    std::uint64_t most_steps = 100'000'000;
    /// Ways of all destinations together that are kept in memory, 24 bytes each; above that only simple prices are
    /// tried.
    std::uint64_t most_ways = 30'000'000;
};

struct LoadBound {
    BoundRoutes routes = BoundRoutes::shortest;
    PriceSums sums;                    ///< exact, by `price`
    Fraction bound;                    ///< of load / capacity, by `sums`
    std::vector<std::uint64_t> price;  ///< by bundle, per unit of load
    double upper = 0;                  ///< some division of the flows has this largest load; 0 = none was sought
    std::vector<double> load;          ///< by bundle: of that division
    double gap() const { return bound.p == 0 || upper == 0 ? 0 : upper / bound.value() - 1; }
};

/// The same on every machine, with any number of threads. @throws kernels::Stopped
LoadBound find_load_bound(Bundles const& bundles, Demand const& demand, BoundRoutes routes,
                          LoadBoundLimits const& limits = {});

}  // namespace tailback::search
