// One route, walked link by link as a packet would go.
#pragma once

#include "host/model/routes/next_hop.hpp"

#include <string>
#include <vector>

namespace tailback::model {

struct Route {
    Fate fate = Fate::delivered;
    Cause cause = Cause::none;
    std::vector<Link> links;                  ///< all links walked, also of a failed route
    Node end;                                 ///< where it ended: the destination, or the node that failed it
    Port entry = ForwardingTables::no_entry;  ///< the table entry that failed it, where there is one

    /// One clause for people: `switch "leaf-07" (0x..) has no entry for LID 63`. Empty when delivered.
    std::string why(Fabric const& fabric, Lid destination) const;
};

/// Does a chain of links end at a node that it has come to before?
bool meets_twice(Network const& network, std::vector<Link> const& links);

/// Walks from an adapter port towards `destination`. Where hosts have tables (ORCS dot with host-to-host routes) they
/// forward; otherwise a route ends at the first host it reaches.
Route trace_from_host(Fabric const& fabric, Host source, Lid destination);
/// The same of a fabric that its tables route.
Route trace_by_tables(Fabric const& fabric, Host source, Lid destination);
/// Walks from a node: a switch, or an adapter by its first cabled port.
Route trace_from_node(Fabric const& fabric, Node source, Lid destination);

}  // namespace tailback::model
