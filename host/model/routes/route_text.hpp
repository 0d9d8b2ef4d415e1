// A route as `ibtracert` prints it, and why it failed.
#pragma once

#include "host/model/locate.hpp"
#include "host/model/routes/trace.hpp"

#include <string>

namespace tailback::model {

/// The route from `source` to `destination`; any LID of either end will do.
/// @throws InputError when `source` is an LID nobody owns.
Route trace_between(Fabric const& fabric, Located const& source, Lid destination);

/// `From`, a line per hop, `To`, each ended by a newline. A failed route has no `To`; like ibtracert it then leaves out
/// the hop into a switch whose entry is missing or beyond its ports. A loop ends where a node is met again (ibtracert
/// goes on to 63 hops). Of a folder of routers in words of its own: `leaf01 swp50 -> swp1 spine02`. Nodes without a
/// GUID have their name in its place.
std::string ibtracert_text(Fabric const& fabric, Located const& source, Lid destination, Route const& route);

/// `unreachable: switch "leaf-07" (0x..) has no entry for LID 63; ...`: fate, cause, the last hop where the text above
/// leaves it out, and who owns the LID. Empty for a delivered route.
std::string failure_text(Fabric const& fabric, Lid destination, Route const& route);

}  // namespace tailback::model
