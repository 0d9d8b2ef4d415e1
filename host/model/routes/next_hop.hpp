// What a node does with a packet for a LID, and which endpoint a link leads into: the one rule of all routes by tables.
// Forwarding (forwarding.hpp) holds the same answers by row and port, for whole trees at once.
#pragma once

#include "host/model/tables.hpp"

namespace tailback::model {

/// How a route ends (semantics: docs/semantics.md, Routes).
enum class Fate : std::uint8_t { delivered, unreachable, loop, misdelivered };
inline constexpr char const* fate_names[] = {"delivered", "unreachable", "loop", "misdelivered"};

/// Why it did not end well.
enum class Cause : std::uint8_t {
    none,
    source_without_cable,
    no_table,            ///< the switch has no forwarding table
    no_entry,            ///< entry missing or 255
    own_port_zero,       ///< entry 0 at a switch that does not own the LID
    port_beyond_switch,  ///< entry names a port the switch does not have
    port_without_cable,
    met_twice,  ///< a node is met twice
    no_path,    ///< a routing by pairs has no route (host/model/pack/pair_routes.hpp)
    wrong_host  ///< arrives at an adapter that does not own the LID
};

/// The link that a node sends a packet on, or why it drops it.
struct NextHop {
    Link link;                                ///< none = dropped
    Cause cause = Cause::none;                ///< of the drop
    Port entry = ForwardingTables::no_entry;  ///< of the table
};
/// What `node` does with a packet that its table has `entry` for (ForwardingTables::no_entry = none).
inline NextHop next_hop(Fabric const& fabric, Node node, Port entry) {
    if (!fabric.tables.has_table(node)) return {{}, Cause::no_table, ForwardingTables::no_entry};
    if (entry == ForwardingTables::no_entry) return {{}, Cause::no_entry, entry};
    if (entry == 0) return {{}, Cause::own_port_zero, entry};
    if (Link const link = fabric.network.link_at(node, entry); link.exists()) return {link, Cause::none, entry};
    bool const beyond = entry > fabric.network[node].ports;
    return {{}, beyond ? Cause::port_beyond_switch : Cause::port_without_cable, entry};
}
/// The same for a LID, by the node's own table.
inline NextHop next_hop_to(Fabric const& fabric, Node node, Lid lid) {
    return next_hop(fabric, node, fabric.tables.port(node, lid));
}

/// Does a packet on this link arrive at `host`? In networks of names, and where the far port is not known, every cable
/// of its node leads to it.
inline bool leads_into(Network const& network, LinkRecord const& link, Host host) {
    HostRecord const& record = network[host];
    return link.to == record.node && (network.named() || link.to_port == 0 || link.to_port == record.port);
}

}  // namespace tailback::model
