// How many host pairs are routed over each link, without walking every pair.
#pragma once

#include "host/model/tables.hpp"

#include <cstdint>
#include <vector>

namespace tailback::audit {

/// Edge forwarding index (Heydemann, Meyer, Sotteau: "On forwarding indices of networks", 1989): for each link, the
/// number of ordered pairs of different hosts whose delivered route uses it, by link index; with an LMC a pair of hosts
/// counts for every LID of its destination, as in audits. Hosts are the compute endpoints; pairs that fail count
/// nowhere (as docs/semantics.md wants: only delivered routes carry flow). By host/audit/loads/all_pairs.hpp: O(nodes x
/// destinations).
std::vector<std::uint64_t> edge_forwarding_index(model::Fabric const& fabric);

}  // namespace tailback::audit
