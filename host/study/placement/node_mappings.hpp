// Lists of mappings onto compute nodes: a placer's, or a file's.
#pragma once

#include "host/study/host_lists.hpp"
#include "host/study/placement/placer.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace tailback::study {

/// Hosts of mappings first .. first + count - 1: [mapping][rank].
/// @throws InputError where they take more than 1 GiB.
std::vector<model::Host> list_mappings(Placer& placer, std::uint64_t first, std::uint64_t count);

/// As read_mappings (host/study/host_lists.hpp), of compute nodes: one mapping a line, word r is the node of rank r, or
/// the adapter that it uses. Of a node, the i-th rank of a line takes slot i, and the rule gives its adapter.
/// @throws InputError with file:line where a node gets more than `ranks_per_node` ranks, and with all missing names.
MappingList read_node_mappings(io::LineReader& lines, ComputeNodes const& nodes, model::Network const& network,
                               JobPlacement const& rules);

/// A network of so many ranks that none but a damaged request has: refused before memory is asked for.
void check_mapping_list(std::uint64_t ranks, std::uint64_t mappings);

}  // namespace tailback::study
