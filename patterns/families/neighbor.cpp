// Xneighbor: the greedy neighbour graph of degree X, where every joined pair exchanges both ways.
//
// Going over the ranks in order, each still-free slot of a rank takes the next higher rank that has a free slot and is
// not joined to it yet. Rank 0 so takes 1 .. X; ranks 1 .. X, one slot gone, find each other and are full together: the
// graph is disjoint cliques of X+1 consecutive ranks, and one of what is left over. It is written as such.
#include "patterns/families.hpp"

#include <algorithm>

namespace tailback::patterns {

void write_neighbor(FlowListWriter& out, std::uint32_t degree) {
    std::uint64_t const n = out.ranks();
    std::uint64_t const clique = std::uint64_t{degree} + 1;
    out.begin_level();
    for (std::uint64_t first = 0; first < n; first += clique) {
        std::uint64_t const end = std::min(n, first + clique);
        for (std::uint64_t i = first; i < end; ++i)
            for (std::uint64_t k = first; k < end; ++k)
                if (i != k) out.flow(i, k);
    }
}

std::uint64_t neighbor_flow_bound(std::uint32_t ranks, std::uint32_t degree) {
    return std::uint64_t{ranks} * std::min(degree, ranks);
}

}  // namespace tailback::patterns
