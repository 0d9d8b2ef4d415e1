// One destination's tree on the host: for everything that asks about routes a destination at a time.
#pragma once

#include "host/model/routes/forwarding.hpp"
#include "host/model/routes/trace.hpp"
#include "kernels/audit/destination_tree.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace tailback {

/// What all rows do with packets for one LID; `kernels/audit/destination_tree.hpp` run by a team of one. O(rows) a
/// destination. Not to be shared between threads: make one for each.
class DestinationTree {
public:
    /// `sources`: [row] (sources_by_row).
    DestinationTree(Forwarding const& forwarding, std::vector<std::uint32_t> sources);

    /// Routes towards `destination`. `counts_itself` tells whether its own endpoint is among the sources, and so must
    /// be left out of its row. Reads one column of the tables: O(rows) cache misses; see `grow_from` for many in a row.
    void grow(Destination destination, bool counts_itself = true);
    /// The same from a column that Forwarding::columns gave.
    template <class PortEntry>
    void grow_from(PortEntry const* column, Destination destination, bool counts_itself = true);

    Destination const& destination() const { return destination_; }
    std::uint32_t rows() const { return forwarding_.rows(); }
    /// How a route from this row ends.
    Fate fate(std::uint32_t row) const { return static_cast<Fate>(scratch_.state[row] >> fate_shift); }
    /// Links from this row to the destination, for delivered rows.
    std::uint32_t left(std::uint32_t row) const { return scratch_.state[row] & links_mask; }
    /// Sources whose routes pass this row or start there, delivered or not. (On a cycle: what came in at this row.)
    std::uint32_t weight(std::uint32_t row) const { return scratch_.weight[row]; }
    /// The row this one forwards to; no_row when the route ends with this step, well or badly.
    std::uint32_t next(std::uint32_t row) const {
        return scratch_.next[row] < arrival_bit ? scratch_.next[row] : no_row;
    }
    /// True when the next step is the last and arrives.
    bool arrives(std::uint32_t row) const { return scratch_.next[row] == ends_delivered; }
    /// The port this row sends by; ForwardingTables::no_entry when it has no entry. The port may not exist.
    Port port(std::uint32_t row) const { return ports_[row]; }
    /// The link this row sends on; none when it has no entry, or nothing is plugged in.
    Link link(std::uint32_t row) const { return forwarding_.link_behind(row, ports_[row]); }
    /// Rows that are on no cycle, each before the row it forwards to.
    std::span<std::uint32_t const> order() const { return {scratch_.order, scratch_.rows_peeled()}; }
    /// True for rows on a cycle (not for those that lead into one).
    bool on_cycle(std::uint32_t row) const { return scratch_.waiting[row] != 0; }

private:
    Forwarding const& forwarding_;
    Starts starts_;
    std::vector<std::uint64_t> memory_;
    TreeScratch scratch_{};
    std::vector<Port> ports_;
    std::vector<std::uint16_t> column_;
    Destination destination_;
};

}  // namespace tailback
