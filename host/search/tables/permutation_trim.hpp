// The worst permutation made smaller: the most flows that any permutation of the hosts puts on a link between switches.
#pragma once

#include "host/search/row_matching.hpp"
#include "host/search/tables/moves.hpp"

#include <cstdint>
#include <vector>

namespace tailback::search {

/// By arc: the maximum matching of the pairs over it, as audits find it. Links count alike.
class PermutationLoads {
public:
    /// The trees must outlive it. O(switches x targets + pairs of switch and target x links of a way)
    explicit PermutationLoads(MovableTrees const& movable);

    std::uint32_t operator[](std::uint32_t arc) const { return loads_[arc]; }
    std::uint32_t largest() const;
    /// Finds that of an arc anew, whose pairs to one target are others now: it changes by one at most.
    std::uint32_t find(std::uint32_t arc, std::uint32_t d);

private:
    void list(std::uint32_t d, std::uint32_t from, std::vector<std::uint32_t>& words) const;

    MovableTrees const& movable_;
    std::vector<std::uint32_t> hosts_;  // by switch
    RowMatching matching_;
    std::size_t words_of_bits_;
    std::vector<std::uint64_t> bits_;  // [arc][target] whether pairs to it take the arc
    std::vector<std::uint32_t> words_, loads_;
};

/// Takes entries of ways over the links with the most to links that have less, whole targets first, those first that
/// cost least collisions, as long as the most falls. @return entries that are other ones now, at most `most_entries`
std::uint64_t trim_permutation(MovableTrees& movable, LegalWays const& ways, std::uint64_t most_entries = UINT64_MAX);

/// The most of all arcs.
std::uint32_t worst_permutation_of(Trees const& trees);

}  // namespace tailback::search
