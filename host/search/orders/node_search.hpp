// Which of the free nodes a job takes beside others that run: its own time, and what it does to them.
#pragma once

#include "host/search/orders/order_search.hpp"

namespace tailback::search {

/// Groups of ranks (PlaceProblem::together) that each want a node. A number of a link is its load x cost with the
/// background, 1 = what the job's busiest adapter has alone; links that the job does not use have none.
struct NodeProblem {
    PlaceProblem places;     ///< of one level
    double unit = 1;         ///< load x cost of the job's busiest adapter where adapters are the fastest
    std::vector<double> of;  ///< by link: the share of its number that the harm there is; 0: nobody else uses it
};

/// `time`: the largest number of a link, 1 = what the job's busiest adapter takes alone where adapters are the fastest.
/// `harm`: the largest share (1: none), of a job that sends as fast as its own busiest adapter lets it. `alone`: what
/// the busiest adapter of this order takes alone, in the unit of `time`; other nodes may have more adapters for the
/// same ranks, or faster ones.
struct NodeValue {
    double time = 0, harm = 1, alone = 1;
};
NodeValue value_of(NodeProblem const& problem, Order const& order);

struct FoundNodes {
    Order order;
    NodeValue value;
};
struct FoundNodeSets {
    /// None of them is worse than another in both; by their time, the least first.
    std::vector<FoundNodes> sets;
    std::uint64_t moves = 0;
    bool stopped = false;
    bool is_proven = false;  ///< all sets were looked at: so many as `moves`
};

inline constexpr std::size_t most_node_sets = 10;

/// All sets, where they are so few that it takes some seconds. Else it searches the least time, then the least of the
/// larger of the time and W times the harm for several W, then the least harm: annealing of swaps of nodes, chosen and
/// free. As many moves as options say, shared among these.
/// @throws InputError as search_times does
FoundNodeSets search_nodes(NodeProblem const& problem, std::span<Order const> starts,
                           OrderSearchOptions const& options);

/// The least of the larger of the time and `weight` times the harm alone.
FoundNodes search_nodes_weighed(NodeProblem const& problem, double weight, std::span<Order const> starts,
                                OrderSearchOptions const& options);

/// Load x cost of the busiest link at the end of a way, of an order 0, 1, .. of ranks, where such links are the fastest
/// of the first place's.
double busiest_adapter(PlaceProblem const& problem);
/// Not all links at the ends of ways have one cost.
bool adapters_differ(PlaceProblem const& problem);

/// Of those sets the ones that none beats in both, by their time; at most most_node_sets: first, last, and between them
/// those at even distances.
std::vector<FoundNodes> best_in_both(std::vector<FoundNodes> sets);

/// Links of the flows' ways, of the order 0, 1, ..: what judging an order takes.
std::uint64_t links_of_flows(PlaceProblem const& problem);
/// So many moves as take some seconds on a core.
std::uint64_t usual_node_moves(PlaceProblem const& problem);

}  // namespace tailback::search
