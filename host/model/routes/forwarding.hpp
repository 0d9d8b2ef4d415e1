// A fabric's forwarding, renumbered for whole-table work: rows, what lies behind their ports, where sources enter.
#pragma once

#include "host/model/tables.hpp"
#include "kernels/audit/destination_tree.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace tailback::model {

/// Rows are, in this order: nodes that forward (all switches, adapters with tables), in node order; then one pseudo row
/// for every source whose cable leads straight into another adapter. The fabric must outlive it.
class Forwarding {
public:
    explicit Forwarding(Fabric const& fabric);

    Fabric const& fabric() const { return fabric_; }
    kernels::ForwardingView const& view() const { return view_; }
    std::uint32_t rows() const { return view_.rows; }
    std::uint32_t ports() const { return view_.ports; }
    /// The node of a row; of a pseudo row the source's adapter.
    Node node_of(std::uint32_t row) const { return nodes_[row]; }
    /// no_row for adapters that do not forward.
    std::uint32_t row_of(Node node) const { return row_of_node_[node.value]; }
    bool is_pseudo(std::uint32_t row) const { return row >= real_rows_; }
    /// The row's entry for a LID; ForwardingTables::no_entry when it has none.
    Port port(std::uint32_t row, Lid lid) const { return is_pseudo(row) ? 1 : fabric_.tables.port(nodes_[row], lid); }
    /// The link behind a port; none when nothing is plugged in, or there is no such port. Pseudo rows send by port 1.
    Link link_behind(std::uint32_t row, Port port) const {
        return port < view_.ports ? Link{links_[std::size_t{row} * view_.ports + port]} : Link{};
    }

    /// Where the packets of an endpoint enter: its row (no_row = it has no cable: every pair from it is unreachable),
    /// and the link they take to get there (none when they start in the row itself).
    struct Entry {
        std::uint32_t row = kernels::no_row;
        Link up;
    };
    Entry const& entry_of(Host host) const { return entries_[host]; }

    /// The endpoint number that means arrival at `host` (kernels/audit/forwarding.hpp). In networks of names all cables
    /// of a host's node lead to the host.
    std::uint32_t arrival_of(Host host) const { return arrival_[host]; }

    /// True when entries need 16 bits.
    bool wide() const { return wide_; }
    /// Out ports of all rows for LIDs first .. first + count - 1: [lid - first][row]; 255 (65535) = no entry.
    /// PortEntry is uint16_t, or uint8_t unless `wide()`.
    template <class PortEntry>
    void columns(Lid first, std::uint32_t count, PortEntry* out) const;

private:
    void lay_out_rows();
    void find_entries();
    void plug(std::uint32_t row, Port port, Link link);
    template <class Stored, class PortEntry>
    void turn(Lid first, std::uint32_t count, PortEntry* out) const;

    Fabric const& fabric_;
    bool wide_ = false;
    std::uint32_t real_rows_ = 0;
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> row_of_node_;
    std::vector<kernels::Target> targets_;
    std::vector<std::uint32_t> links_;
    std::vector<std::uint32_t> row_of_arrival_;
    kernels::IndexedVector<Host, std::uint32_t> arrival_;
    kernels::IndexedVector<Host, Entry> entries_;
    kernels::ForwardingView view_;
};

/// A destination LID and the endpoint that owns it.
struct Destination {
    Lid lid = 0;
    Host host;
    bool operator==(Destination const&) const = default;
};
/// All LIDs of these endpoints (2^LMC each), by LID. LIDs that are 0 or owned by another endpoint are left out.
std::vector<Destination> destinations_of(Network const& network, std::span<Host const> hosts);

/// [row] how many of `hosts` enter there. One without a cable enters nowhere.
std::vector<std::uint32_t> sources_by_row(Forwarding const& forwarding, std::span<Host const> hosts);

/// Endpoints that send, and the rows where their packets enter: where trees of destinations grow from.
class Senders {
public:
    /// One without a cable enters nowhere. The forwarding must outlive it.
    Senders(Forwarding const& forwarding, std::span<Host const> hosts);
    /// Nobody's hosts: [row] how many senders each row has.
    Senders(Forwarding const& forwarding, std::vector<std::uint32_t> in_row);

    bool has(Host host) const { return !is_sender_.empty() && is_sender_[host.value]; }
    /// [row] how many enter there.
    std::vector<std::uint32_t> const& in_row() const { return in_row_; }
    /// Where the packets of `host` enter if it sends; no_row when it does not, or has no cable.
    std::uint32_t row_of(Host host) const { return has(host) ? forwarding_.entry_of(host).row : kernels::no_row; }
    /// The rows with senders.
    kernels::StartsView rows() const { return view(rows_, is_start_); }
    /// All rows, for those who look at rows that no packet may meet.
    kernels::StartsView all_rows() const { return view(every_row_, every_is_start_); }

private:
    kernels::StartsView view(std::vector<std::uint32_t> const& rows, std::vector<std::uint8_t> const& is_start) const {
        return {rows.data(), static_cast<std::uint32_t>(rows.size()), is_start.data(), in_row_.data()};
    }
    Forwarding const& forwarding_;
    std::vector<bool> is_sender_;  // by host
    std::vector<std::uint32_t> in_row_, rows_, every_row_;
    std::vector<std::uint8_t> is_start_, every_is_start_;
};

}  // namespace tailback::model
