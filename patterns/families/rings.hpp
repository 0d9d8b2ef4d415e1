// Steps of ring algorithms, which several groups of ranks may take at once.
#pragma once

#include "patterns/families.hpp"

#include <cstdint>
#include <functional>

namespace tailback::patterns {

/// `groups` rings of so many members each.
struct Rings {
    std::uint64_t groups, members;
    std::function<std::uint64_t(std::uint64_t group, std::uint64_t member)> rank;
    /// Bytes of part `member` of what goes round: that which the member owns.
    std::function<std::uint64_t(std::uint64_t group, std::uint64_t member)> part;
    /// So many members in a row are a chain inside one node: none but the last sends to others.
    std::uint64_t in_node = 1;
};

/// Each ring, of n members, reduces and scatters: n - 1 levels. In step t member i sends part (i - 1 - t) mod n to
/// member i + 1, and ends with the part that it owns. (Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms",
/// 2009)
void write_ring_reduce_scatter(FlowListWriter& out, Rings const& rings);
/// The parts go round until everyone has all: n - 1 levels. In step t member i sends part (i - t) mod n, in the first
/// its own.
void write_ring_allgather(FlowListWriter& out, Rings const& rings);
/// Both, one after the other; a member reduces the part of the next one.
void write_ring_allreduce(FlowListWriter& out, Rings const& rings);

}  // namespace tailback::patterns
