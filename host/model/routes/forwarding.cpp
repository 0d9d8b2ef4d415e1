#include "host/model/routes/forwarding.hpp"

#include "host/model/routes/next_hop.hpp"

#include <algorithm>
#include <numeric>

namespace tailback::model {

Forwarding::Forwarding(Fabric const& fabric) : fabric_(fabric), wide_(fabric.tables.is_wide()) {
    lay_out_rows();
    Network const& net = fabric.network;
    for (std::uint32_t row = 0; row < real_rows_; ++row) {
        Node const node = nodes_[row];
        for (std::uint32_t k = net.link_count(node); k-- > 0;) {  // the first of several links on one port stays
            Link const link{net.first_link(node).value + k};
            if (net[link].from_port > 0) plug(row, net[link].from_port, link);
        }
    }
    for (std::size_t i = 0; i < net.hosts().size(); ++i)
        if (Entry const& entry = entries_[Host{i}]; entry.row != kernels::no_row && is_pseudo(entry.row))
            plug(entry.row, 1, net.up_link(Host{i}));
}

/// Numbers the rows, and finds where every endpoint enters and arrives.
void Forwarding::lay_out_rows() {
    Network const& net = fabric_.network;
    row_of_node_.assign(net.nodes().size(), kernels::no_row);
    std::uint32_t ports = 2;  // pseudo rows use port 1
    for (std::size_t i = 0; i < net.nodes().size(); ++i) {
        Node const node{i};
        if (!net.is_switch(node) && !fabric_.tables.has_table(node)) continue;
        row_of_node_[i] = static_cast<std::uint32_t>(nodes_.size());
        nodes_.push_back(node);
        for (std::uint32_t k = 0; k < net.link_count(node); ++k)
            ports = std::max(ports, net[Link{net.first_link(node).value + k}].from_port + 1);
    }
    real_rows_ = static_cast<std::uint32_t>(nodes_.size());

    arrival_.assign(net.hosts().size(), 0);
    row_of_arrival_.assign(net.hosts().size(), kernels::no_row);
    for (std::size_t i = 0; i < net.hosts().size(); ++i) {
        Node const node = net[Host{i}].node;
        arrival_[Host{i}] = net.named() ? net.hosts_of(node).front().value : static_cast<std::uint32_t>(i);
        row_of_arrival_[i] = row_of(node);
    }
    find_entries();
    targets_.assign(nodes_.size() * ports, kernels::nothing);
    links_.assign(nodes_.size() * ports, Link::none_value);
    view_ = {static_cast<std::uint32_t>(nodes_.size()), ports, targets_.data(), row_of_arrival_.data()};
}

/// Where every endpoint's packets enter; adds the pseudo rows.
void Forwarding::find_entries() {
    Network const& net = fabric_.network;
    entries_.resize(net.hosts().size());
    for (std::size_t i = 0; i < net.hosts().size(); ++i) {
        Host const host{i};
        if (std::uint32_t const own = row_of(net[host].node); own != kernels::no_row) {
            entries_[host] = {own, {}};
        } else if (Link const up = net.up_link(host); up.exists()) {
            std::uint32_t const row = row_of(net[up].to);
            bool const into_adapter = !net.is_switch(net[up].to);
            if (row != kernels::no_row && !into_adapter) {
                entries_[host] = {row, up};
            } else {
                entries_[host] = {static_cast<std::uint32_t>(nodes_.size()), {}};
                nodes_.push_back(net[host].node);
            }
        }
    }
}

/// Notes where `link` leads from this port on.
void Forwarding::plug(std::uint32_t row, Port port, Link link) {
    Network const& net = fabric_.network;
    LinkRecord const& record = net[link];
    kernels::Target target = kernels::foreign_port;
    if (net.is_switch(record.to)) {
        target = row_of(record.to);
    } else {
        auto const hosts = net.hosts_of(record.to);
        auto const meant =
            std::find_if(hosts.begin(), hosts.end(), [&](Host host) { return leads_into(net, record, host); });
        if (meant != hosts.end()) target = kernels::arrival_bit | arrival_[*meant];
        else if (row_of(record.to) != kernels::no_row) target = row_of(record.to);
    }
    std::size_t const at = std::size_t{row} * view_.ports + port;
    targets_[at] = target;
    links_[at] = link.value;
}

template <class PortEntry>
void Forwarding::columns(Lid first, std::uint32_t count, PortEntry* out) const {
    if (wide_) turn<std::uint16_t>(first, count, out);
    else turn<std::uint8_t>(first, count, out);
}
template void Forwarding::columns(Lid, std::uint32_t, std::uint8_t*) const;
template void Forwarding::columns(Lid, std::uint32_t, std::uint16_t*) const;

template <class Stored, class PortEntry>
void Forwarding::turn(Lid first, std::uint32_t count, PortEntry* out) const {
    ForwardingTables const& tables = fabric_.tables;
    constexpr PortEntry none = PortEntry(~PortEntry{0});
    auto const port_of = [](Stored entry) {
        return entry == Stored(~Stored{0}) ? none : static_cast<PortEntry>(entry);
    };
    std::size_t const rows = nodes_.size();
    // Tiles small enough that both the rows read and the columns written stay in the first-level cache.
    constexpr std::size_t tile = 64;
    for (std::size_t row0 = 0; row0 < rows; row0 += tile) {
        std::size_t const row1 = std::min(rows, row0 + tile);
        for (std::uint32_t lid0 = 0; lid0 < count; lid0 += tile) {
            std::uint32_t const lid1 = std::min<std::uint32_t>(count, lid0 + tile);
            for (std::size_t row = row0; row < row1; ++row) {
                if (row >= real_rows_) {
                    for (std::uint32_t k = lid0; k < lid1; ++k) out[k * rows + row] = 1;
                    continue;
                }
                auto const entries = tables.row<Stored>(nodes_[row]);
                for (std::uint32_t k = lid0; k < lid1; ++k)
                    out[k * rows + row] = first + k < entries.size() ? port_of(entries[first + k]) : none;
            }
        }
    }
}

std::vector<Destination> destinations_of(Network const& network, std::span<Host const> hosts) {
    std::vector<Destination> found;
    for (Host const host : hosts) {
        HostRecord const& record = network[host];
        if (record.lid == 0) continue;
        for (std::uint32_t k = 0; k < (1u << record.lmc); ++k)
            if (network.owner(record.lid + k).host == host) found.push_back({record.lid + k, host});
    }
    std::sort(found.begin(), found.end(), [](Destination const& a, Destination const& b) { return a.lid < b.lid; });
    return found;
}

Senders::Senders(Forwarding const& forwarding, std::span<Host const> hosts)
    : Senders(forwarding, sources_by_row(forwarding, hosts)) {
    is_sender_.resize(forwarding.fabric().network.hosts().size());
    for (Host const host : hosts) is_sender_[host.value] = true;
}

Senders::Senders(Forwarding const& forwarding, std::vector<std::uint32_t> in_row)
    : forwarding_(forwarding),
      in_row_(std::move(in_row)),
      every_row_(forwarding.rows()),
      is_start_(forwarding.rows()),
      every_is_start_(forwarding.rows(), 1) {
    std::iota(every_row_.begin(), every_row_.end(), 0u);
    for (std::uint32_t const row : every_row_) {
        if (in_row_[row] == 0) continue;
        rows_.push_back(row);
        is_start_[row] = 1;
    }
}

std::vector<std::uint32_t> sources_by_row(Forwarding const& forwarding, std::span<Host const> hosts) {
    std::vector<std::uint32_t> sources(forwarding.rows());
    for (Host const host : hosts)
        if (std::uint32_t const row = forwarding.entry_of(host).row; row != kernels::no_row) ++sources[row];
    return sources;
}

}  // namespace tailback::model
