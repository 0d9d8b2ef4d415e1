// Slurm's topology.conf from a fabric, and one that exists against it.
#pragma once

#include "host/api/ranks/idle_nodes.hpp"
#include "host/io/line_reader.hpp"
#include "host/study/placement/compute_nodes.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace tailback::api {

/// A line of topology.conf: a leaf with its compute nodes, or a switch above others.
struct SlurmSwitch {
    std::string name;
    std::uint32_t level = 1;           ///< leaves: 1
    std::vector<std::uint32_t> nodes;  ///< of a leaf: indices into SlurmTree::names, in order
    std::vector<std::size_t> below;    ///< of others: indices into SlurmTree::switches
};

/// A leaf is the compute nodes that share a switch. Above, switches of a level stand for one another: what hangs
/// together by switches of one level (distance from the hosts) and below is one SwitchName. What is left hangs together
/// by any cables, as in a torus or a dragonfly, under one more.
struct SlurmTree {
    std::vector<std::string> names;     ///< of compute nodes, as Slurm may have them
    std::vector<SlurmSwitch> switches;  ///< those below before those above
    std::uint64_t renamed = 0;          ///< nodes with characters that Slurm's names do not have
    std::uint64_t several = 0;          ///< nodes with adapters at several switches: the most common, then the first
    /// The compute nodes under a switch, in order.
    std::vector<std::uint32_t> under(std::size_t at) const;
    /// The names of nodes as a hostlist.
    std::string folded(std::vector<std::uint32_t> const& nodes) const;
};

/// @throws InputError where hosts are not cabled to switches, or no node is.
SlurmTree slurm_tree(model::Fabric const& fabric, study::NodeGroupingChoice const& grouping);

/// For `TopologyPlugin=topology/tree`.
void write_slurm_tree(std::ostream& out, SlurmTree const& tree);
/// For `TopologyPlugin=topology/block` (Slurm 23.11 and later): a block is a leaf; `BlockSizes` is the smallest block
/// and its doubles.
void write_slurm_blocks(std::ostream& out, SlurmTree const& tree);

/// What a topology.conf says differently from the fabric.
struct SlurmFinding {
    std::size_t line = 0;  ///< 0 = of the whole file
    std::string message;
};
/// Reads SwitchName and BlockName lines, in any order, of topology.conf or as `scontrol show topology` prints them
/// (then Level, Nodes of switches above others and AggregatedBlock are derived, and must be what they derive from).
/// Found are: nodes that the fabric does not have, that the file does not have, or that it has twice; leaves whose
/// nodes sit at several switches; switches whose nodes are in several leaves; names that nothing defines; switches
/// below themselves; switches above others that put together what does not hang together so.
/// @throws InputError for a file without any such line.
std::vector<SlurmFinding> check_slurm(io::LineReader& lines, SlurmTree const& tree);

/// Jobs that run, as `squeue -h -t R -o "%i %N"` prints them: a name and a hostlist a line.
struct RunningJob {
    std::string name, nodes;
    std::size_t line = 0;
};
/// A line of the names of columns is passed over. Jobs that wait (`105`, `104 (Resources)`) have no nodes.
/// @throws InputError for a line of another form, and a file without any job that runs.
std::vector<RunningJob> read_squeue(io::LineReader& lines);

/// Names of nodes that are free, as Slurm tells: the output of `sinfo` in any form with columns NODELIST and STATE,
/// their heads first (`sinfo`, `sinfo -N`, `sinfo -Nl`, `sinfo -o "%N %t"`), of `scontrol show nodes` (`-o` or not), or
/// lists alone (`sinfo -h -t idle -o %N`). Free is a node that is idle, whose power may be off, and that may be planned
/// for a job that waits; not one that does not answer, drains, is reserved or is to be started again.
/// @throws InputError for a line of another form, lists that are none, and a file without a node.
IdleNodes read_sinfo(io::LineReader& lines);

}  // namespace tailback::api
