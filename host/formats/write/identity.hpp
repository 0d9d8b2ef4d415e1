// GUIDs and LIDs for InfiniBand's formats, made up where a network has none.
#pragma once

#include "host/model/network.hpp"
#include "host/model/tables.hpp"

#include <cstdint>
#include <string>

namespace tailback::formats {

/// What each node and endpoint is called in an InfiniBand file. A function of the network alone, so that a topology
/// file and a table file written apart fit each other.
///
/// GUIDs: the network's own where there are any. A node without one gets 0x02'54'42'00'00'00'00'00 + 256 * (its index +
/// 1): the bit 0x02 of the first byte marks an EUI-64 as locally administered, `54 42` is "TB", and the low byte is
/// left for port numbers; where some node of the network has that GUID already, the next free multiple of 256 counts. A
/// port without a GUID gets its node's GUID, plus the port number on adapters (a switch is one port 0). LIDs: the
/// network's own; where it has none at all, hosts get 1, 2, .. in their order and switches those that follow.
struct FabricIdentity {
    kernels::IndexedVector<model::Node, std::uint64_t> guid;
    kernels::IndexedVector<model::Node, model::Lid> switch_lid;    ///< by node; 0 for others
    kernels::IndexedVector<model::Host, model::Lid> host_lid;      ///< base LID
    kernels::IndexedVector<model::Host, std::uint64_t> host_guid;  ///< port GUID

    explicit FabricIdentity(model::Network const& network);
    /// Port GUID: of a switch its port 0's; of an adapter that of the port.
    std::uint64_t port_guid(model::Network const& network, model::Node node, model::Port port) const;
    /// The LID that answers at that port: a switch's own, an endpoint's base LID, 0 where there is none.
    model::Lid port_lid(model::Network const& network, model::Node node, model::Port port) const;
};

/// The endpoint at that port of an adapter; none where there is none.
model::Host host_at(model::Network const& network, model::Node node, model::Port port);
/// @throws InputError when a LID is above 0xBFFF or a port above 254, which InfiniBand cannot hold.
void check_fits_infiniband(model::Network const& network, FabricIdentity const& identity);
/// Hosts may have tables (of dot files, of server-centric networks), which InfiniBand's files leave out: that loses
/// nothing where they hold no choice. @throws InputError where they do
void check_only_switches_choose(model::ForwardingTables const& tables, model::Network const& network);

}  // namespace tailback::formats
