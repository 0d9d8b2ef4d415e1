// What cables allow an all-to-all at best: any routes, flows divided as they like, endpoints may pass on what they get.
//
// What:  everybody sends everybody else a part. That is a concurrent flow: the least possible largest load / capacity,
//        with prices of links that prove it (load_bound.hpp).
// How:   vertices that have the same links are one, with the sum of these: there is a best division that treats them
//        alike. What they send each other goes out and comes back, so where they are several, what leaves them and what
//        enters them are two vertices; between the two goes what they pass on.
#pragma once

#include "host/search/bounds/capacity_graph.hpp"
#include "host/search/bounds/price_bound.hpp"

#include <cstdint>
#include <optional>

namespace tailback::search {

struct ExchangeBound {
    Fraction time;  ///< no less, of a part of one byte, on links of capacity 1
    double gap;     ///< some division of flows takes longer by this part of it at most; infinite: none was sought
};

/// Endpoints at one vertex send each other nothing. None where there are fewer than two vertices with endpoints, or
/// where it would take more than so much work (destinations x edges).
std::optional<ExchangeBound> bound_exchange(CapacityGraph const& graph, std::uint64_t most_work = 20'000'000);

}  // namespace tailback::search
