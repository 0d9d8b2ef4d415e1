// Where every rank of every job runs, mapping by mapping: a function of the seed and the mapping's number alone.
#pragma once

#include "host/study/placement/node_list.hpp"
#include "host/study/placement/rank_order.hpp"
#include "host/study/rail_rule.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tailback::study {

/// `local-rank`, `round-robin`, `nearest`, or `file:PATH`: the adapter of each slot, a number from 0 on every line.
/// @throws InputError
RailRule read_rail_rule(std::string const& words);

/// The adapter that a rank in a slot of a node of so many uses. @throws InputError where a listed rule names one that
/// the node does not have
model::Host adapter_of(ComputeNodes::Node const& node, RailRule const& rail, std::uint32_t rank, std::uint32_t slot,
                       std::uint32_t slots);

/// The ranks of one job, and where they may run.
struct JobPlacement {
    std::string name;  ///< of a job; empty: a study without jobs, which runs on all nodes unless some are named
    NodeSelection nodes;
    RankOrder order;
    RailRule rail;
    std::uint32_t ranks = 0;
    std::uint32_t ranks_per_node = 1;          ///< slots of nodes whose file does not say
    bool may_share = false;                    ///< its nodes may be those of jobs before it
    std::optional<std::uint32_t> number = {};  ///< which its draws go by; none: its place among those of a Placer
};

/// Slots of the nodes of a job: as many ranks as it can have. 2^32 - 1 where there are more.
std::uint32_t slots_of(JobPlacement const& job);

/// Draws of job number 0 come from streams 1 (ranks) and 2 (nodes), of job k > 0 from 16 + 2k and 17 + 2k
/// (kernels/common/permutation.hpp).
class Placer {
public:
    static constexpr std::size_t most_jobs = 100;  ///< and numbers are below it

    /// Jobs whose nodes are not named take the first free ones; those that draw nodes draw them, in the order of jobs,
    /// from the ones that are free in that mapping.
    /// @param dims of the network, where it is a grid; empty otherwise.
    /// @throws InputError where ranks do not fit, and where two jobs name one node.
    Placer(ComputeNodes const& nodes, model::Network const& network, std::vector<JobPlacement> jobs,
           std::vector<std::uint32_t> dims, std::uint64_t seed);

    /// Of all jobs, one after the other.
    std::uint32_t ranks() const { return ranks_; }
    /// False when every mapping is the same.
    bool draws() const;
    /// Fills in the host of every rank. Not for several threads at once: each takes a copy.
    void place(std::uint64_t mapping, std::span<model::Host> hosts);

private:
    struct Job {
        JobPlacement placement;
        std::uint32_t first_rank = 0;
        std::vector<std::uint32_t> nodes, node_slots;  ///< of this mapping, or of all
        std::vector<Slot> slots;                       ///< by rank, of this mapping or all
        bool is_drawn = false;
    };
    void choose_fixed_nodes(Job& job);
    void draw_nodes(Job& job, std::uint32_t number, std::uint64_t mapping);
    void order_ranks(Job& job);
    void put_ranks(Job const& job, std::uint32_t number, std::uint64_t mapping, std::span<model::Host> hosts);
    std::uint32_t const* draw(std::uint32_t stream, std::uint64_t mapping, std::uint32_t size, std::uint32_t steps);

    ComputeNodes const& nodes_;
    std::vector<std::uint32_t> leaf_;  ///< by node
    std::vector<std::uint32_t> dims_;
    std::uint64_t seed_;
    std::uint32_t ranks_ = 0;
    std::vector<Job> jobs_;
    std::vector<char> taken_for_good_, taken_;  ///< by node: of a job whose nodes are fixed; in this mapping
    std::vector<std::uint32_t> order_, targets_, free_;
};

}  // namespace tailback::study
