// In which form the routes of a request have room; memory for them, asked for before they are made.
#pragma once

#include "host/api/obtain.hpp"

namespace tailback::api {

/// The form in which routes may be had: of what needs them one by one, tables.
RoutesForm form_of(FabricRequest const& request);
/// What tables take, and the routes between all hosts packed from them (host/model/pack/route_store.hpp): rows of 16
/// bytes, or steps where these would exceed 4 GiB.
std::uint64_t route_bytes(topologies::Topology const& topology);
/// The network as a formula, where that is asked for, or tables and the routes packed from them would take more than
/// `most_table_bytes`; none otherwise. @throws InputError where a formula is asked for and there is none
std::optional<model::Fabric> formula_of(FabricRequest const& request, TakeSentence const& note);

/// Routes of pairs that cannot be kept are refused before anything is made. @throws InputError
void check_pairs_fit(FabricRequest const& request);
/// The same, when the network is there and no table yet: no route is shorter than the shortest path, and all rows have
/// room for the longest. @throws InputError
void check_rows_fit(FabricRequest const& request, model::Network const& network);
/// A network that is routed here: what its tables and the lengths of shortest paths take at least, a byte for each
/// switch and LID, and for each switch and switch with hosts. @throws InputError
void check_paths_fit(FabricRequest const& request, model::Network const& network);

}  // namespace tailback::api
