// How large a link's load can get in any mapping: what tells how narrow its counter may be, without a look-out for
// overflow.
#pragma once

#include "kernels/evaluate/counters.hpp"
#include "kernels/evaluate/problem.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace tailback::kernels {

/// Most flows of a level, or most of their weights, that leave one rank, and that one rank gets.
struct RankDegrees {
    std::uint64_t out = 0, in = 0;
};
/// Each in the worst of all levels.
RankDegrees most_flows_of_a_rank(Problem const& p);

/// No counter of any level of any mapping exceeds this. Where every rank has a seat of its own, a link carries at most
/// min(most flows from one rank x seats that send over it, most flows to one rank x seats that are sent to over it), in
/// the worst of levels; in any case no more than all flows of a level. Reads all rows once (twice where 16 bits are not
/// enough by the number of flows alone, or 8).
std::uint32_t load_bound(Problem const& p);

/// Weights of flows as counters of 32 bits or fewer can hold their sums.
struct NarrowWeights {
    std::vector<std::uint32_t> weight;  ///< by flow
    std::uint32_t bound = 0;            ///< as load_bound, of weights
};
/// None where a sum may pass 32 bits.
std::optional<NarrowWeights> narrow_weights(Problem const& p);

/// What ListedFlowCounters bring along, by flow. Empty where flows are drawn, too, or a least load passes 32 bits.
std::vector<ListedFlow> listed_flows(Problem const& p, NarrowWeights const& narrow);

/// Whether a rank's delay, summed up over the levels, fits 32 bits in every mapping; so where none is passed on.
/// @param bound load_bound, or that of narrow_weights
bool narrow_delays(Problem const& p, std::uint32_t bound);

/// log2 of how many counters a 32-bit word can hold for that bound: 2, 1 or 0.
inline std::uint32_t packing_for(std::uint32_t bound) { return bound <= 0xFF ? 2 : bound <= 0xFFFF ? 1 : 0; }

}  // namespace tailback::kernels
