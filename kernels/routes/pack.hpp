// Rows of slots from forwarding tables, pair by pair: what CPU threads and a CUDA device both run.
//
// What:  a team takes pairs of one start, walks each, writes its row in place and adds up how the walks end.
// Why so: pairs know nothing of each other, so any number of members can share them, and tables are read as they are.
#pragma once

#include "kernels/common/team.hpp"
#include "kernels/routes/walk.hpp"

namespace tailback::kernels {

/// Sources that share their routes.
struct PackGroup {
    RouteStart start;
    std::uint32_t sources = 0;
};
struct PackDestination {
    RouteTarget target;
    std::uint32_t group = 0;         ///< of the host's own packets
    std::uint32_t own_row = no_row;  ///< the row of its node, where that forwards
};

/// All that packing needs to know but the tables.
struct PackView {
    ForwardingView forwarding;
    std::uint32_t const* slots = nullptr;  ///< [row][port] of the link behind it; `inner` for links that are no slots
    PackGroup const* groups = nullptr;
    PackDestination const* destinations = nullptr;
    std::uint32_t group_count = 0;
    std::uint32_t destination_count = 0;
    std::uint32_t inner = 0;     ///< padding; + 1, 2, 3: codes in place of a route (kernels/evaluate/problem.hpp)
    std::uint32_t unstored = 0;  ///< links of every delivered route that are no slots: 1, or 0
};

/// How the walks between different hosts end: every source of a group counts.
struct PairSums {
    std::uint64_t delivered = 0, failed = 0;
    std::uint64_t links = 0;    ///< of the delivered ones
    std::uint64_t longest = 0;  ///< slots of the longest delivered one

    TAILBACK_HD void add(PairSums const& other) {
        delivered += other.delivered;
        failed += other.failed;
        links += other.links;
        longest = other.longest > longest ? other.longest : longest;
    }
};

/// Rows to be written: [group][destination][width]. Null: the pairs are only looked at.
template <class LinkWord>
struct RowsOut {
    LinkWord* rows = nullptr;
    std::uint32_t width = 0;
};

namespace kernel {

/// Writes what a walk found; slots beyond the width are lost.
template <class LinkWord>
struct RowWriter {
    LinkWord* row;
    std::uint32_t width, used = 0;

    TAILBACK_KERNEL void put(std::uint32_t slot) {
        if (used < width) row[used] = static_cast<LinkWord>(slot);
        ++used;
    }
    TAILBACK_KERNEL void pad(std::uint32_t padding) {
        for (; used < width; ++used) row[used] = static_cast<LinkWord>(padding);
    }
};

}  // namespace kernel

/// Pairs of one group: `count` destinations from `first` on, every `step`-th.
struct PairBlock {
    std::uint32_t group = 0;
    std::uint32_t first = 0, count = 0, step = 1;
};
/// Destinations whose columns of all tables are worked on at once: an entry of 8 bits each, a line of a cache.
inline constexpr std::uint32_t destinations_a_tile = 64;

/// Walks the pairs of a block and fills their rows. The sums are whole in all members.
template <class Team, class Entry, class LinkWord>
TAILBACK_KERNEL PairSums pack_pairs(Team& team, PackView const& v, TablesView<Entry> const& tables,
                                    PairBlock const& pairs, RowsOut<LinkWord> const& out) {
    PackGroup const from = v.groups[pairs.group];
    PairSums sums;
    for (std::uint32_t const i : team.each(pairs.count)) {
        std::uint32_t const d = pairs.first + i * pairs.step;
        PackDestination const to = v.destinations[d];
        kernel::RowWriter<LinkWord> row{out.rows, out.rows == nullptr ? 0 : out.width};
        if (out.rows != nullptr) row.row += (std::size_t{pairs.group} * v.destination_count + d) * out.width;
        std::uint32_t const sources = from.sources - (to.group == pairs.group ? 1 : 0);
        if (sources > 0) {
            WalkResult const walk =
                walk_route(v.forwarding, tables, v.slots, from.start, to.target, [&](std::uint32_t slot) {
                    if (slot != v.inner) row.put(slot);
                });
            if (walk.end == WalkEnd::delivered) {
                sums.delivered += sources;
                sums.links += std::uint64_t{sources} * (walk.links + v.unstored);
                sums.longest = row.used > sums.longest ? row.used : sums.longest;
            } else {
                sums.failed += sources;
                row.used = 0;
                row.put(v.inner + static_cast<std::uint32_t>(walk.end));
            }
        }
        row.pad(v.inner);
    }
    sums.delivered = team.sum(sums.delivered);
    sums.failed = team.sum(sums.failed);
    sums.links = team.sum(sums.links);
    sums.longest = team.max(sums.longest);
    return sums;
}

/// Where a step table has its rows: those that forward, then the starts, then one where every packet has arrived.
TAILBACK_HD std::uint32_t step_rows(PackView const& v) { return v.forwarding.rows + v.group_count + 1; }

}  // namespace tailback::kernels
