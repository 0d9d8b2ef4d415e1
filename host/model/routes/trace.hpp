// One route, walked link by link as a packet would go.
#pragma once

#include "host/model/tables.hpp"

#include <string>
#include <vector>

namespace tailback {

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
    no_way,     ///< a routing by pairs has no route (host/model/routes/pair_routes.hpp)
    wrong_host  ///< arrives at an adapter that does not own the LID
};

struct Route {
    Fate fate = Fate::delivered;
    Cause cause = Cause::none;
    std::vector<Link> links;                  ///< all links walked, also of a failed route
    Node end;                                 ///< where it ended: the destination, or the node that failed it
    Port entry = ForwardingTables::no_entry;  ///< the table entry that failed it, where there is one

    /// One clause for people: `switch "leaf-07" (0x..) has no entry for LID 63`. Empty when delivered.
    std::string why(Network const& network, Lid destination) const;
};

/// Walks from an adapter port towards `destination`. Where hosts have tables (ORCS dot with host-to-host routes) they
/// forward; otherwise a route ends at the first host it reaches.
Route trace_from_host(Fabric const& fabric, Host source, Lid destination);
/// The same of a fabric that its tables route.
Route trace_by_tables(Fabric const& fabric, Host source, Lid destination);
/// Walks from a node: a switch, or an adapter by its first cabled port.
Route trace_from_node(Fabric const& fabric, Node source, Lid destination);

}  // namespace tailback
