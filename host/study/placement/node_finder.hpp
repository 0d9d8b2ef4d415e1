// Words to compute nodes; what is missing is told all at once.
#pragma once

#include "host/study/placement/compute_nodes.hpp"

#include <string>
#include <unordered_map>
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
    /// The node of that name, or the one that owns the adapter of that name, LID or GUID.
    /// @throws InputError where several nodes have the name.
    FoundNode find(std::string const& word, base::SourceLocation const& place);
    /// All nodes whose name matches, in their order.
    std::vector<std::uint32_t> match(std::string const& glob);
    /// All nodes with an adapter at a switch whose name matches; of `MF0;LG03-01:MQM8700/U1` also `LG03-01` does.
    std::vector<std::uint32_t> at_leaves(std::string const& glob);
    /// @throws InputError that names all that was not found.
    void check() const;

private:
    void add(std::string const& name, FoundNode found);
    FoundNode by_number(std::string const& word) const;
    bool is_at(model::Host host, std::string const& glob) const;

    ComputeNodes const& nodes_;
    model::Network const& network_;
    std::unordered_map<std::string, FoundNode> known_;
    std::vector<std::string> missing_;
    base::SourceLocation missing_at_;
};

}  // namespace tailback::study
