// allreduce by two binary trees, each for half of the data, up and down again. A rank inside one tree is a leaf of the
// other, so that all send and receive alike. (Sanders, Speck, Träff, "Two-tree algorithms for full bandwidth broadcast,
// reduction and scan", Parallel Computing 35, 2009)
#include "patterns/arguments.hpp"
#include "patterns/families.hpp"
#include "patterns/families/pipeline.hpp"
#include "patterns/families/rails.hpp"

#include <algorithm>
#include <vector>

namespace tailback::patterns {
namespace {

/// Rank 0 is the root of the first tree. The parent of r, whose lowest bit that is set is b: r with that bit cleared
/// and the next set, or only cleared where there is no such rank.
std::uint64_t parent_of(std::uint64_t r, std::uint64_t n) {
    std::uint64_t const lowest = r & (0 - r), below = r - lowest;
    std::uint64_t const above = below | lowest << 1;
    return above < n ? above : below;
}

/// A tree by its ranks' own numbers: node i of the first tree, and which rank that is in the second.
struct Tree {
    std::vector<std::uint64_t> parent;  ///< of node 0: itself
    std::vector<std::uint32_t> height, depth;
};

Tree first_tree(std::uint64_t n) {
    Tree tree{std::vector<std::uint64_t>(n), std::vector<std::uint32_t>(n), std::vector<std::uint32_t>(n)};
    for (std::uint64_t r = 1; r < n; ++r) tree.parent[r] = parent_of(r, n);
    for (std::uint64_t r = 1; r < n; ++r) {
        std::uint32_t steps = 0;
        for (std::uint64_t at = r; at != 0; at = tree.parent[at]) {
            ++steps;
            tree.height[tree.parent[at]] = std::max(tree.height[tree.parent[at]], steps);
        }
        tree.depth[r] = steps;
    }
    return tree;
}

}  // namespace

void write_double_binary_tree(FlowListWriter& out, Rails const& rails, std::uint64_t bytes, std::uint64_t segment) {
    std::uint64_t const n = rails.nodes;
    if (n < 2) return;
    Tree const tree = first_tree(n);
    // The second tree mirrors the nodes, or shifts them by one where they are odd in number.
    auto const mirrored = [&](std::uint64_t node, bool second) {
        return !second ? node : n % 2 == 0 ? n - 1 - node : (node + 1) % n;
    };
    auto const by = [&](std::vector<std::uint32_t> const& when, std::uint32_t first, std::uint32_t rounds) {
        std::vector<std::vector<std::uint64_t>> nodes(rounds);
        for (std::uint64_t r = 1; r < n; ++r) nodes[when[r] - first].push_back(r);
        return nodes;
    };
    auto const go = [&](std::vector<std::vector<std::uint64_t>> const& rounds, bool up) {
        std::uint64_t const most = part_of(bytes, rails.channels - 1, rails.channels);  // the last has the most
        write_pipeline(out, rounds.size(), segments_of(most, segment), [&](std::uint64_t round, std::uint64_t number) {
            for (std::uint64_t c = 0; c < rails.channels; ++c) {
                std::uint64_t const share = part_of(bytes, c, rails.channels);
                if (number >= segments_of(share, segment)) continue;
                for (bool const second : {false, true}) {
                    std::uint64_t const half = part_of(segment_bytes(share, segment, number), second, 2);
                    for (std::uint64_t const r : half > 0 ? rounds[round] : std::vector<std::uint64_t>{}) {
                        std::uint64_t const child = rails.rank(mirrored(r, second), c);
                        std::uint64_t const parent = rails.rank(mirrored(tree.parent[r], second), c);
                        if (up) out.flow(child, parent, half);
                        else out.flow(parent, child, half);
                    }
                }
            }
        });
    };
    go(by(tree.height, 0, tree.height[0]), true);
    go(by(tree.depth, 1, *std::max_element(tree.depth.begin(), tree.depth.end())), false);
}

}  // namespace tailback::patterns
