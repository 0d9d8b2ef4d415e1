// ECMP over candidate sets that were read: at every switch a hash of the flow picks one of the next hops of its routes.
#pragma once

#include "host/model/routes/candidate_sets.hpp"
#include "host/model/routes/expected_routes.hpp"
#include "topologies/flow_hash.hpp"
#include "topologies/routing.hpp"

namespace tailback::topologies {

/// What `ecmp`'s options and seed say of its hash. @throws InputError for options that do not go together.
FlowHashOptions hash_options(Arguments const& options, std::uint64_t seed);

/// The routes of `spec`, an `ecmp`, over the sets of a fabric, with its addresses and seeds. Routers hash over
/// all next hops of their files, and what goes to one without a cable is lost. @param over what the sets are
std::shared_ptr<model::PairRoutes const> pairs_by_sets(model::Fabric const& fabric, RoutingSpec const& spec,
                                                       std::string const& over = "the routes of the files");

/// The ports among which a switch chooses for a LID: those of its set that have a cable (all where a hash chooses), or
/// the table's entry alone.
void usable_ports(model::Network const& network, model::ForwardingTables const& tables,
                  model::CandidateSets const* sets, model::Node at, model::Lid lid, std::vector<model::Port>& ports);

/// The way of one packet by the kernel's hash. @param links out, as far as it comes @return whether it arrives
bool follow_packet(model::Fabric const& fabric, FlowHash const& hash, model::FiveTuple const& packet,
                   model::Host source, model::Host destination, std::vector<model::Link>& links);

}  // namespace tailback::topologies
