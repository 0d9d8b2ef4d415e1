// Randomised minimal routing on tori and meshes.
#pragma once

#include "host/model/routes/pair_routes.hpp"
#include "topologies/families/torus_shape.hpp"

#include <memory>

namespace tailback::topologies {

/// Two-phase ROMM (Nesson, Johnsson: "ROMM Routing on Mesh and Torus Networks", SPAA 1995): in dimension order to a
/// switch drawn for the pair among all those of the minimal quadrant between source and destination, then in dimension
/// order on. Of two ways round a ring that are equally long one is drawn, too. @param order its ties do not matter.
std::shared_ptr<model::PairRoutes const> make_romm(TorusShape const& shape, DimensionOrder const& order,
                                                   std::string text);

}  // namespace tailback::topologies
