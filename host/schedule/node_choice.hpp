// Which of the free nodes a job gets.
#pragma once

#include "host/study/placement/compute_nodes.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tailback::schedule {

enum class NodePolicy : std::uint8_t {
    first,       ///< the first free ones, in the order of nodes
    contiguous,  ///< the first run of neighbours that suffices; where there is none, the first free ones
    leaf,        ///< those of the leaf switch with the fewest free nodes that suffice; where none does, of the leaf
                 ///< switches with the most free nodes (Slurm's topology plugin does so within a switch)
    random,      ///< drawn
    search       ///< searched beside the jobs that run (node_search.hpp), where the job sends; else as `leaf`
};

/// As `--select` and reports call it.
inline char const* name_of(NodePolicy policy) {
    constexpr char const* names[] = {"first", "contiguous", "leaf", "random", "search"};
    return names[std::size_t(policy)];
}

/// Of each node: the number of the switch of its first adapter, numbered in the order of nodes.
std::vector<std::uint32_t> leaf_numbers(study::ComputeNodes const& nodes, model::Network const& network);

/// The free nodes of a machine.
class FreeNodes {
public:
    /// @param leaf of each node: the number of its leaf switch
    /// @param is_free of each node; empty: all are
    explicit FreeNodes(std::vector<std::uint32_t> leaf, std::vector<char> is_free = {});
    std::uint32_t count() const { return count_; }
    /// Takes so many; there must be. @param draw the number of the draw, for `random`. @return ascending
    std::vector<std::uint32_t> take(std::uint32_t nodes, NodePolicy policy, std::uint64_t seed, std::uint64_t draw);
    /// Takes these, which are free.
    void take_these(std::vector<std::uint32_t> const& nodes);
    bool is_free(std::uint32_t node) const { return is_free_[node] != 0; }
    void give_back(std::vector<std::uint32_t> const& nodes);

private:
    std::vector<std::uint32_t> first_free(std::uint32_t nodes) const;
    std::vector<std::uint32_t> neighbours(std::uint32_t nodes) const;
    std::vector<std::uint32_t> by_leaf(std::uint32_t nodes) const;
    std::vector<std::uint32_t> drawn(std::uint32_t nodes, std::uint64_t seed, std::uint64_t draw) const;

    std::vector<std::uint32_t> leaf_;
    std::vector<char> is_free_;
    std::uint32_t leaves_ = 0, count_ = 0;
};

}  // namespace tailback::schedule
