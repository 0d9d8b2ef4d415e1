// In which order ranks take the slots of a job's nodes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tailback::study {

/// The order in which nodes are filled, and how. Node i is the i-th node of the job.
/// Nodes on a grid of `dims` (the first coordinate varies fastest; so many nodes to a place as the grid has fewer
/// places) go by place.
enum class RankOrderKind : std::uint8_t {
    block,     ///< the slots of node 0, then those of node 1, ..
    cyclic,    ///< a rank on every node in turn, full ones left out
    row,       ///< block, places by their first coordinate first (the order of the nodes)
    column,    ///< block, places by their last coordinate first
    quadrant,  ///< block, all places of a box of half the grid in each dimension, then the next box
    diagonal,  ///< block, place k of two dimensions at x = k mod X, y = (k mod X + floor(k / X)) mod Y
    shuffle,   ///< block, a node of every leaf switch in turn
    spread,    ///< block, on p of N nodes at even distances: node floor(i N / p), p as few as have the slots
    shift,     ///< block, from node `by` on, the last followed by the first
    random,    ///< block, then the ranks permuted, anew for every mapping
    given      ///< as a file says
};

struct RankOrder {
    RankOrderKind kind = RankOrderKind::block;
    std::vector<std::uint32_t> dims;  ///< row, column, quadrant, diagonal; empty: those of the network
    std::uint32_t by = 1;             ///< shift
    std::string words = "block";      ///< as it was asked for
};

/// Is this the name of an order (also with arguments)?
bool is_rank_order(std::string const& words);

/// `block`, `column:dims=8x8`, `shift:by=3`, .. @throws InputError with the nearest name.
RankOrder read_rank_order(std::string const& words);

/// The names of all orders, for messages and help: `block, cyclic, ..`.
std::string names_of_rank_orders();

/// What orders go by besides the number of nodes.
struct NodesToOrder {
    std::vector<std::uint32_t> slots;  ///< of every node
    std::vector<std::uint32_t> leaf;   ///< of every node: its leaf switch, for shuffle
    std::vector<std::uint32_t> dims;   ///< of the network, where it is a grid
    std::uint32_t ranks = 0;
};

struct Slot {
    std::uint32_t node, slot;  ///< the job's node; which of its slots
    bool operator==(Slot const&) const = default;
};

/// The slots that ranks 0, 1, .. take (of `random`: before they are permuted). Not for `given`.
/// @throws InputError where there are fewer slots than ranks, and grids do not fit the nodes.
std::vector<Slot> slots_in_order(RankOrder const& order, NodesToOrder const& nodes);

}  // namespace tailback::study
