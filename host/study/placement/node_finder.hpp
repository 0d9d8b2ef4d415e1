// Words to compute nodes; what is missing is told all at once.
#pragma once

#include "host/study/placement/compute_nodes.hpp"

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace tailback::study {

/// A node, or one adapter of it.
struct FoundNode {
    std::uint32_t node = ComputeNodes::none;  ///< none: missing
    model::Host adapter;                      ///< none: the word means the node
};

/// Refers to what it is made from.
class NodeFinder {
public:
    NodeFinder(ComputeNodes const& nodes, model::Network const& network);
    /// The node of that name, or the one that owns the adapter of that name, LID or GUID. A name with a domain is also
    /// the node without it, and the other way round, where that is one node. `node001-ib0`, the name of an interface,
    /// is its node where nothing else has that name, and is told in notes().
    /// @throws InputError where several nodes have the name.
    FoundNode find(std::string const& word, base::SourceLocation const& place);
    /// Would `find` find one or several?
    bool knows(std::string const& word) const { return look_up(word).node != ComputeNodes::none; }
    /// All nodes whose name matches, in their order.
    std::vector<std::uint32_t> match(std::string const& glob);
    /// All nodes with an adapter at a switch whose name matches; of `MF0;LG03-01:MQM8700/U1` also `LG03-01` does.
    std::vector<std::uint32_t> at_leaves(std::string const& glob);
    /// @throws InputError that names all that was not found.
    void check() const;
    /// What was taken otherwise than it was written: sentences without a full stop.
    std::vector<std::string> notes() const;

private:
    void add(std::string const& name, FoundNode found);
    FoundNode look_up(std::string const& word) const;
    FoundNode by_domain(std::string const& word) const;
    FoundNode by_interface(std::string const& word) const;
    void check_joined(std::string const& word, FoundNode found, base::SourceLocation const& place);
    FoundNode by_number(std::string const& word) const;
    bool is_at(model::Host host, std::string const& glob) const;

    ComputeNodes const& nodes_;
    model::Network const& network_;
    std::unordered_map<std::string, FoundNode> known_;
    std::unordered_map<std::string, std::uint32_t> without_domain_;  ///< of nodes whose names have one
    std::unordered_map<std::uint32_t, std::string> joined_;  ///< what nodes were called by more than their names
    std::unordered_set<std::string> interfaces_;             ///< words that name interfaces of nodes
    std::string first_interface_;                            ///< `"node001-ib0" as "node001"`
    std::vector<std::string> missing_;
    base::SourceLocation missing_at_;
};

}  // namespace tailback::study
