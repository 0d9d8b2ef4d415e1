// Routings whose routes depend on the source, for any graph. Each says in routing.cpp what it does.
#pragma once

#include "topologies/topology.hpp"

namespace tailback::topologies {

class RoutingSpec;

std::shared_ptr<model::PairRoutes const> pairs_ecmp(Topology const& topology, RoutingSpec const& spec);
std::shared_ptr<model::PairRoutes const> pairs_valiant(Topology const& topology, RoutingSpec const& spec);
std::shared_ptr<model::PairRoutes const> pairs_kshortest(Topology const& topology, RoutingSpec const& spec);
std::shared_ptr<model::PairRoutes const> pairs_allpath(Topology const& topology, RoutingSpec const& spec);

/// `ecmp:hash=same, seed 1`
std::string pairs_text(Arguments const& options, std::uint64_t seed);

}  // namespace tailback::topologies
