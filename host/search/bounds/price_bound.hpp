// What prices of links prove: no routing of a demand has a smaller largest load, however it divides flows.
//
// Whatever way a flow takes, its links cost at least its priced distance. So sum of load x price >= sum of demand x
// distance; and the largest congestion times the sum of price x capacity is no less than the first of these. This is
// the dual of the maximum concurrent flow problem (Shahrokhi and Matula, J. ACM 1990): with the best prices both sides
// meet.
#pragma once

#include "host/search/bounds/bundles.hpp"
#include "host/search/bounds/demand.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tailback::search {

__extension__ using Whole = unsigned __int128;

/// p / q in lowest terms.
struct Fraction {
    Whole p = 0, q = 1;
    double value() const { return double(p) / double(q); }
    std::uint64_t rounded_up() const { return static_cast<std::uint64_t>((p + q - 1) / q); }
    bool operator<(Fraction const& other) const;
    bool operator==(Fraction const&) const = default;
};
Fraction fraction(Whole p, Whole q);
std::string text_of(Whole number);

/// Least sum of prices from every switch to `to`, over ways of as few links as can be or over any; `no_way` where
/// there is none.
template <class Price>
std::vector<Price> priced_distances(Bundles const& bundles, std::uint32_t to, BoundRoutes routes,
                                    std::vector<Price> const& price);
inline constexpr std::uint64_t no_way = ~std::uint64_t{0};

/// Both sums times what makes capacities whole (1 where all capacities are 1).
struct PriceSums {
    Whole distances = 0;   ///< sum of demand x distance
    Whole capacities = 0;  ///< sum of price x capacity
    /// Of the largest load / capacity.
    Fraction bound() const { return capacities == 0 ? Fraction{} : fraction(distances, capacities); }
};
/// Pairs without a way are left out. @param price by bundle, per unit of load: of each of its links
PriceSums price_sums(Bundles const& bundles, Demand const& demand, BoundRoutes routes,
                     std::vector<std::uint64_t> const& price);

}  // namespace tailback::search
