// Racks, pods, rails: findings, loads and criticality of an audit summed by groups of nodes.
#pragma once

#include "host/model/network.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tailback::audit {

struct Audit;

/// Which group each node belongs to.
struct NodeGroups {
    std::vector<std::string> names;      ///< in natural order
    std::vector<std::uint32_t> of_node;  ///< by node
};

/// Names in a file of groups that no node has.
enum class MissingNodes : std::uint8_t { are_refused, are_left_out };

/// @param words
/// - `leaf`: hosts go with the switch of their (first) cable; switches without hosts make a group a level (`level 2`);
/// - `name:REGEX`: what the first pair of parentheses of the extended regular expression (POSIX) matches in a node's
///   name, or all it matches; other nodes are `(other)`;
/// - `file:PATH`: a group a line, its name, then names of its nodes: Slurm's hostlists and globs, divided by blanks.
///   Nodes that no line names are `(other)`.
/// @param option that the words stand behind, for messages
/// @throws InputError for other words, wrong expressions, a node in two groups, and names that no node has, if those
/// are refused.
NodeGroups group_nodes(model::Network const& network, std::string const& words,
                       MissingNodes missing = MissingNodes::are_refused, std::string const& option = "--group-by");
/// The file that `words` name; empty = none.
std::string file_of_groups(std::string const& words);
/// The order of groups: natural, and by characters where that says nothing.
bool group_less(std::string const& a, std::string const& b);

/// The sums of one group.
struct GroupSum {
    std::string name;
    std::uint64_t hosts = 0, switches = 0;
    std::uint64_t faults = 0, others = 0;               ///< findings at its nodes, of kinds that fail and of others
    std::uint64_t fault_pairs = 0;                      ///< of the faults
    std::uint64_t links = 0;                            ///< that leave its nodes
    double load_within = 0, load_out = 0, load_in = 0;  ///< pairs over links inside, to and from other groups
    double largest = 0;                                 ///< load over its stage's ideal; 0 = no link has one
    model::Link hottest;                                ///< the link of `largest`
    double critical_pairs = 0;  ///< most pairs that a cable between switches at one of its nodes carries
    model::Link critical;       ///< that cable
};

/// In the order of the groups.
std::vector<GroupSum> sum_groups(Audit const& audit, NodeGroups const& groups);

}  // namespace tailback::audit
