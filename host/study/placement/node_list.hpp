// Which compute nodes a job may use: a Slurm hostlist, globs, leaf switches, a hostfile, a rankfile, or so many at
// random.
#pragma once

#include "host/study/placement/compute_nodes.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tailback::study {

/// So many of the nodes, drawn anew for every mapping; they keep their order.
struct NodeDraw {
    std::uint32_t count = 0;
    /// 0: one run of neighbours; else of pieces of so many neighbours, which begin at multiples of it (1: any nodes).
    std::uint32_t piece = 1;
};

/// A slot that a file gives a rank.
struct GivenSlot {
    std::uint32_t node, slot;
    bool operator==(GivenSlot const&) const = default;
};

/// Nodes by their index in ComputeNodes.
struct NodeSelection {
    std::vector<std::uint32_t> nodes;  ///< in order, each once
    std::vector<std::uint32_t> slots;  ///< of each of `nodes`, as the file says; 0 or empty: it does not say
    std::optional<NodeDraw> draw;
    std::vector<GivenSlot> given;  ///< by rank, of a rankfile or a list with a host for every rank
    /// Are the nodes named (not just all of them)?
    bool named = false;
    std::vector<std::string> notes;  ///< what of a file was left out, sentences without a full stop
};

/// `words` is one of
/// - a file: a hostfile (`NAME`, `NAME slots=8`, `NAME:8`, one a line; a name that comes again takes the next rank;
///   `NAME NAME ..` and `NAME 8 NAME 8 ..` in one line), or a rankfile (`rank 3=NAME slot=2`, `3: NAME`);
/// - a list divided by commas: names, Slurm's hostlists (`node[001-128,130]`), globs (`luna-00*`), `leaf:GLOB` for the
///   nodes at the switches of these names;
/// - a file and behind it ` of LIST`: a rankfile whose hosts are among those of the list, by name or as `+n0`, `+n1`;
/// - `any:N`, `any:N,contiguous`, `any:N,piece=K`, and behind it ` of LIST`.
/// @throws InputError that tells all names that are missing, for what is no list, and more than 2^20 names.
NodeSelection read_node_selection(std::string const& words, ComputeNodes const& nodes, model::Network const& network);

/// All nodes.
NodeSelection every_node(ComputeNodes const& nodes);

}  // namespace tailback::study
