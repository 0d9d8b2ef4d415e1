// Ranks of compute nodes that have several adapters: channels between nodes, each on the rail of its adapters.
#pragma once

#include "patterns/families.hpp"

#include <cstdint>
#include <vector>

namespace tailback::patterns {

/// What `per-node`, `rails` and `channels` say, or else where ranks are: the ranks of a node follow each other. Channel
/// c leaves nodes and enters them by adapter c mod rails, that is by the first rank whose adapter it is. What ranks of
/// one node send each other takes no link, and is not listed. (NCCL's channels)
class Rails {
public:
    enum class Use : std::uint8_t {
        none,    ///< the algorithm has none: `per-node` and its kin are refused
        chosen,  ///< where nodes are said, or have several rails
        needed   ///< the algorithm is of nodes: they must be known
    };
    /// @throws InputError where arguments contradict each other, the number of ranks, or where ranks are
    Rails(FlowListWriter& out, base::Arguments const& arguments, Use use);
    /// Every rank is a node.
    explicit Rails(std::uint64_t ranks) : nodes(ranks), slots_{0}, sharers_{1} {}

    std::uint64_t nodes, per_node = 1, channels = 1;

    /// Nodes have several ranks.
    bool any() const { return per_node > 1; }
    std::uint64_t rails() const { return slots_.size(); }
    std::uint64_t rank(std::uint64_t node, std::uint64_t channel) const {
        return node * per_node + slots_[channel % slots_.size()];
    }
    /// Rank of the n-th place of the chain inside a node, which begins at the channel's own.
    std::uint64_t in_chain(std::uint64_t node, std::uint64_t channel, std::uint64_t n) const {
        return node * per_node + (slots_[channel % slots_.size()] + n) % per_node;
    }
    /// How many ranks of a node have an adapter on the rail.
    std::uint64_t ranks_on(std::uint64_t rail) const { return sharers_[rail]; }

private:
    std::vector<std::uint32_t> slots_, sharers_;  ///< by rail
};

}  // namespace tailback::patterns
