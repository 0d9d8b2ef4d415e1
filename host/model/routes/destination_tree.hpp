// One destination's tree on the host: for everything that asks about routes a destination at a time.
#pragma once

#include "host/model/routes/column_window.hpp"
#include "host/model/routes/forwarding.hpp"
#include "host/model/routes/next_hop.hpp"
#include "kernels/audit/destination_tree.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace tailback::model {

/// Which rows a tree tells of: those that senders' packets meet, or all.
enum class TreeRows : std::uint8_t { met, all };

/// What rows do with packets for one LID; `kernels/audit/destination_tree.hpp` run by a team of one. O(rows) a
/// destination. Not to be shared between threads: make one for each.
class DestinationTree {
public:
    /// Both must outlive it. With TreeRows::met nothing is to be asked about other rows.
    DestinationTree(Forwarding const& forwarding, Senders const& senders, TreeRows tells_of = TreeRows::all);

    /// Routes towards `destination`, whose own packets count for nothing. Fastest when LIDs ascend.
    void grow(Destination destination);
    /// Routes towards a LID that the node of a row owns, a switch as a rule: they end there.
    void grow_towards_row(Lid lid, std::uint32_t row);

    Destination const& destination() const { return destination_; }
    std::uint32_t rows() const { return forwarding_.rows(); }
    /// How a route from this row ends.
    Fate fate(std::uint32_t row) const { return static_cast<Fate>(scratch_.state[row] >> kernels::fate_shift); }
    /// Links from this row to the destination, for delivered rows.
    std::uint32_t left(std::uint32_t row) const { return scratch_.state[row] & kernels::links_mask; }
    /// Sources whose routes pass this row or start there, delivered or not. (On a cycle: what came in at this row.)
    std::uint32_t weight(std::uint32_t row) const { return scratch_.weight[row]; }
    /// The row this one forwards to; no_row when the route ends with this step, well or badly.
    std::uint32_t next(std::uint32_t row) const {
        return scratch_.next[row] < kernels::arrival_bit ? scratch_.next[row] : kernels::no_row;
    }
    /// True when the next step is the last and arrives.
    bool arrives(std::uint32_t row) const { return scratch_.next[row] == kernels::ends_delivered; }
    /// The port this row sends by; ForwardingTables::no_entry when it has no entry. The port may not exist.
    Port port(std::uint32_t row) const {
        return column_[row] == ColumnWindow::no_entry ? ForwardingTables::no_entry : column_[row];
    }
    /// The link this row sends on; none when it has no entry, or nothing is plugged in.
    Link link(std::uint32_t row) const { return forwarding_.link_behind(row, port(row)); }
    /// Rows that are on no cycle, each before the row it forwards to.
    std::span<std::uint32_t const> order() const { return {scratch_.order, scratch_.rows_peeled()}; }
    /// True for rows on a cycle (not for those that lead into one).
    bool on_cycle(std::uint32_t row) const { return scratch_.waiting[row] != 0; }

private:
    template <class NextOf>
    void grow_with(std::uint32_t own_row, NextOf const& next_of);

    Forwarding const& forwarding_;
    Senders const& senders_;
    kernels::StartsView starts_;
    ColumnWindow window_;
    std::vector<std::uint64_t> memory_;
    kernels::TreeScratch scratch_{};
    std::uint16_t const* column_ = nullptr;  // [row]
    Destination destination_;
};

}  // namespace tailback::model
