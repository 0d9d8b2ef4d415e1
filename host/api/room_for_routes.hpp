// Memory for the routes of a request, asked for before they are made.
#pragma once

#include "host/api/obtain.hpp"

namespace tailback::api {

/// Routes of pairs that cannot be kept are refused before anything is made. @throws InputError
void check_pairs_fit(FabricRequest const& request);
/// The same, when the network is there and no table yet: no route is shorter than the shortest path, and all rows have
/// room for the longest. @throws InputError
void check_rows_fit(FabricRequest const& request, model::Network const& network);
/// A network that is routed here: what its tables and the lengths of shortest paths take at least, a byte for each
/// switch and LID, and for each switch and switch with hosts. @throws InputError
void check_paths_fit(FabricRequest const& request, model::Network const& network);

}  // namespace tailback::api
