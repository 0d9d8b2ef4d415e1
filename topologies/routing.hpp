// The one table of routings: from a network and what its family knows to forwarding tables.
#pragma once

#include "topologies/topology.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tailback {

struct ForwardingGraph;
struct RoutingInput;
class Trees;
struct TreesFor;

struct Routing {
    std::string name;
    std::string summary;
    std::string where;  ///< `any graph`, or the families
    std::vector<Parameter> parameters;
    std::string example;
    RoutingClaims claims;  ///< of one for any graph; those of a family say it themselves
    /// For any graph, by destination: tables, some destinations at a time. Null for routings of families, whose
    /// networks bring them along. @throws InputError for a network that it cannot route.
    std::unique_ptr<Trees> (*trees)(ForwardingGraph const&, TreesFor const&, RoutingInput const&) = nullptr;
    /// For any graph, where routes depend on the source, too.
    std::shared_ptr<PairRoutes const> (*make_pairs)(Topology const&, Arguments const&, std::uint64_t seed) = nullptr;
    /// The virtual lanes that come with it.
    FindLanes (*lanes)(Topology const&, Arguments const&) = nullptr;
    /// Of one that ranks switches from roots: which. @param listed the roots of a list; empty = there is none. Its own
    /// parameter goes before them.
    RoutingRoots (*roots)(Topology const&, Arguments const&, std::vector<Node> const& listed) = nullptr;
    /// Its options say how many virtual lanes there are; whether they suffice shows when lanes are found.
    bool bounds_lanes = false;

    bool for_any_graph() const { return trees != nullptr || make_pairs != nullptr; }
};

/// In the order in which they are listed.
std::vector<Routing> const& all_routings();

/// The one that `NAME[:options]` names. @throws InputError for an unknown one.
Routing const& find_routing(std::string const& spec);

/// What holds for a routing on a network. @param spec as `make_tables` takes it. @throws InputError as it does.
RoutingClaims claims_of(Topology const& topology, std::string const& spec);
/// True when the routing looks at the network alone, so that it can go around what failed.
bool works_on_any_graph(std::string const& spec);

/// Either tables or, where routes depend on their source, the routes of pairs.
struct Routes {
    ForwardingTables tables;
    std::shared_ptr<PairRoutes const> pairs;
    FindLanes find_lanes = nullptr;  ///< empty: one lane
    RoutingRoots roots = {};         ///< of one that takes some
};

/// The options of `NAME[:options]`. @throws InputError for an unknown routing or a wrong option.
Arguments routing_arguments(std::string const& spec);

/// True when a list of roots matters to `NAME[:options]`: it takes some, and is not given them itself.
bool wants_roots(std::string const& spec);

/// True when `NAME:options` itself says how many virtual lanes there are. @throws InputError for an unknown routing.
bool bounds_lanes(std::string const& spec);

/// `NAME[:options]` on a network. @param seed of random choices. @param listed roots for one that wants them; empty =
/// it chooses.
/// @throws InputError for an unknown routing, one that the network does not have, or a wrong option.
Routes make_routes(Topology const& topology, std::string const& spec, std::uint64_t seed,
                   std::vector<Node> const& listed = {});

/// The same for a routing that tables can hold. @throws InputError also for one that they cannot.
ForwardingTables make_tables(Topology const& topology, std::string const& spec, std::uint64_t seed);

}  // namespace tailback
