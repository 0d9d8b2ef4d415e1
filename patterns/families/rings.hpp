// Steps of ring algorithms, which several groups of ranks may take at once.
#pragma once

#include "patterns/families.hpp"

#include <cstdint>
#include <functional>

namespace tailback::patterns {

/// Rank number `member` of group number `group`.
using MemberOf = std::function<std::uint64_t(std::uint64_t group, std::uint64_t member)>;

/// `groups` groups of n ranks each reduce and scatter `bytes` around a ring: n - 1 levels. In step t member i sends
/// part (i - t) mod n to member i + 1. (Patarasuk and Yuan, "Bandwidth optimal all-reduce algorithms", 2009)
void write_ring_reduce_scatter(FlowListWriter& out, std::uint64_t groups, std::uint64_t n, std::uint64_t bytes,
                               MemberOf const& rank);
/// The parts go round once more, until everyone has all: n - 1 levels. In step t member i sends part (i + 1 - t) mod n.
void write_ring_allgather(FlowListWriter& out, std::uint64_t groups, std::uint64_t n, std::uint64_t bytes,
                          MemberOf const& rank);

}  // namespace tailback::patterns
