// Steps of ring algorithms, which several groups of ranks may take at once.
#pragma once

#include "patterns/families.hpp"

#include <cstdint>
#include <functional>

namespace tailback::patterns {

/// `groups` rings of so many ranks each.
struct Rings {
    std::uint64_t groups, ranks;
    std::function<std::uint64_t(std::uint64_t group, std::uint64_t member)> rank;
};

/// Each ring, of n ranks, reduces and scatters `bytes`: n - 1 levels. In step t member i sends part (i - t) mod n to
/// member i + 1. (Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms", 2009)
void write_ring_reduce_scatter(FlowListWriter& out, Rings const& rings, std::uint64_t bytes);
/// The parts go round until everyone has all: n - 1 levels. In step t member i sends part (i + 1 - t) mod n.
void write_ring_allgather(FlowListWriter& out, Rings const& rings, std::uint64_t bytes);
/// Both, one after the other.
void write_ring_allreduce(FlowListWriter& out, Rings const& rings, std::uint64_t bytes);

}  // namespace tailback::patterns
