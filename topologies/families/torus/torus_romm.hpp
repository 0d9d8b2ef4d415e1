// Routing of pairs on tori and meshes: ties drawn for every pair, and randomised minimal routing.
#pragma once

#include "host/model/pack/pair_routes.hpp"
#include "topologies/families/torus_shape.hpp"

#include <memory>

namespace tailback::topologies {

/// Two-phase ROMM (Nesson, Johnsson: "ROMM Routing on Mesh and Torus Networks", SPAA 1995): in dimension order to a
/// switch drawn for the pair among all those of the minimal quadrant between source and destination, then in dimension
/// order on. Of two ways round a ring that are equally long one is drawn, too. With one phase it is dimension order
/// with ties drawn for every pair of hosts (Ridruejo, "INSEE", 2013: "direction chosen at random"). @param order its
/// ties do not matter. @param phases 1 or 2.
std::shared_ptr<model::PairRoutes const> make_torus_pairs(TorusShape const& shape, DimensionOrder order,
                                                          unsigned phases, std::string text);

}  // namespace tailback::topologies
