// Which ranks share a compute node, as patterns want to know it.
#pragma once

#include "host/study/study.hpp"

namespace tailback::study {

/// Of `count` ranks from `first` on, of so many in each listed mapping: how many in a row are on each node, and which
/// adapters are theirs, where that is the same for all nodes and mappings; else why not.
patterns::NodesOfRanks ranks_in_rows(ComputeNodes const& nodes, std::span<model::Host const> mapping_hosts,
                                     std::size_t ranks, std::size_t first, std::size_t count);

/// Of all ranks of a study. Nothing is known where hosts are not those of compute nodes.
patterns::NodesOfRanks ranks_in_rows(Study const& study);

/// In every mapping, which are listed.
bool all_on_one_node(Study const& study);

}  // namespace tailback::study
