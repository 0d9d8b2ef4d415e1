// All orders of a few ranks, one after the other: what none of them is better than, by every goal. In floating point,
// each number made anew for each order. Shares no code with the program.
#pragma once

#include <cstdint>
#include <vector>

namespace tailback::oracle {

struct WeighedFlow {
    std::uint32_t source, destination;
    double weight;
};

/// Links of the way from a place to another, and which part of a flow takes each.
struct PartOnLink {
    std::uint32_t link;
    double part;
};

struct OrdersQuestion {
    std::uint32_t ranks = 0;  ///< as many as places
    std::vector<std::vector<WeighedFlow>> levels;
    std::vector<std::vector<std::vector<PartOnLink>>> ways;  ///< [from][to]; none within a node
    std::uint32_t links = 0;                                 ///< each of capacity 1
    std::vector<std::uint32_t> node, leaf, rack;             ///< by place
};

/// The least of all orders; of `rate` the most. Rates and times where every part is a whole flow.
struct BestOfOrders {
    double time = 1e300, load = 1e300, hop_bytes = 1e300, leaf_bytes = 1e300, rack_bytes = 1e300, node_bytes = 1e300;
    double rate = 0, makespan = 1e300, completion_time = 1e300;
};

/// @param with_rates rates and times, too: a few times as long
BestOfOrders best_of_all_orders(OrdersQuestion const& question, bool with_rates);

}  // namespace tailback::oracle
