// Oblivious routing on tori that balances load and keeps locality.
#pragma once

#include "host/model/pack/pair_routes.hpp"
#include "topologies/families/torus_shape.hpp"

#include <memory>

namespace tailback::topologies {

/// RLB (Singh, Dally, Towles, Gupta: "Locality-Preserving Randomized Oblivious Routing on Torus Networks", SPAA 2002):
/// round a ring of k switches the short way of D links with probability (k - D)/k, else the long one; then to a switch
/// drawn among all of the quadrant that these ways span, and on, in an order of dimensions drawn for each of both
/// phases. @param threshold RLBth: where D < k/4 always the short way. On meshes there is one way.
std::shared_ptr<model::PairRoutes const> make_rlb_pairs(TorusShape const& shape, bool threshold, std::uint64_t seed,
                                                        std::string text);

}  // namespace tailback::topologies
