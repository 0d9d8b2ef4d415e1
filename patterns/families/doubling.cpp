// tree, bruck, recdbl: collectives whose partners are 1, 2, 4, ... ranks away.
#include "patterns/families.hpp"

#include <bit>

namespace tailback::patterns {

/// A binomial broadcast: in each level whoever has the message, ranks 0 .. distance-1, passes it on.
void write_tree(FlowListWriter& out) {
    std::uint64_t const n = out.ranks();
    for (std::uint64_t distance = 1; distance < n; distance *= 2) {
        out.begin_level();
        for (std::uint64_t i = 0; i < distance && i + distance < n; ++i) out.flow(i, i + distance);
    }
}

/// Bruck's all-to-all: everyone sends, around the end.
void write_bruck(FlowListWriter& out) {
    std::uint64_t const n = out.ranks();
    for (std::uint64_t distance = 1; distance < n; distance *= 2) {
        out.begin_level();
        for (std::uint64_t i = 0; i < n; ++i) out.flow(i, (i + distance) % n);
    }
}

/// Recursive doubling on the largest power of two; in one more level the ranks left over get the result.
void write_recdbl(FlowListWriter& out) {
    std::uint64_t const n = out.ranks();
    std::uint64_t const power = std::bit_floor(n);
    for (std::uint64_t distance = 1; distance < power; distance *= 2) {
        out.begin_level();
        for (std::uint64_t block = 0; block < power; block += 2 * distance)
            for (std::uint64_t k = block; k < block + distance; ++k) {
                out.flow(k, k + distance);
                out.flow(k + distance, k);
            }
    }
    if (power == n) return;
    out.begin_level();
    for (std::uint64_t i = 0; i + power < n; ++i) out.flow(i, i + power);
}

}  // namespace tailback::patterns
