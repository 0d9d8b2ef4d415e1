// The one table of routings: from a network and what its family knows to forwarding tables.
#pragma once

#include "topologies/topology.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tailback::topologies {

struct ForwardingGraph;
struct RoutingInput;
class RoutingSpec;
class DestinationTrees;
struct DestinationTreesFor;

/// Bytes that a host sends another.
struct HostDemand {
    model::Host source, destination;
    std::uint64_t bytes = 0;
};
/// What hosts send each other, every pair once; of pairs with equal bytes the first goes first.
using HostTraffic = std::vector<HostDemand>;

struct Routes;

/// One row of the table.
struct RoutingAlgorithm {
    std::string name;
    std::string summary;
    std::string where;  ///< `any graph`, or the families
    std::vector<Parameter> parameters;
    std::string example;
    RoutingClaims claims;  ///< of one for any graph; those of a family say themselves all but `draws`
    /// For any graph, by destination: tables, some destinations at a time. Null for routings of families, whose
    /// networks bring them along. @throws InputError for a network that it cannot route.
    std::unique_ptr<DestinationTrees> (*trees)(ForwardingGraph const&, DestinationTreesFor const&,
                                               RoutingInput const&) = nullptr;
    /// For any graph, where routes depend on the source, too.
    std::shared_ptr<model::PairRoutes const> (*make_pairs)(Topology const&, RoutingSpec const&) = nullptr;
    /// For any graph, where routes depend on the traffic: in either form.
    Routes (*make_for_traffic)(Topology const&, RoutingSpec const&) = nullptr;
    /// Of such a one: do its routes depend on the source?
    bool (*routes_pairs)(Arguments const&) = nullptr;
    /// The virtual lanes that come with it.
    model::FindLanes (*lanes)(Topology const&, Arguments const&) = nullptr;
    /// Of one that ranks switches from roots: which. @param listed the roots of a list; empty = there is none. Its own
    /// parameter goes before them.
    model::RoutingRoots (*roots)(Topology const&, Arguments const&, std::vector<model::Node> const& listed) = nullptr;
    /// Its options say how many virtual lanes there are; whether they suffice shows when lanes are found.
    bool bounds_lanes = false;
    /// Its routes of pairs are made from forwarding tables of the whole network.
    bool pairs_by_tables = false;
    /// For any graph, in a way of its own: candidate sets beside static entries, or tables that take destinations in
    /// another order.
    Routes (*make)(Topology const&, RoutingSpec const&) = nullptr;
    /// Of families: finds it in the cables of a network that none made, such as one from a file; its routes depend on
    /// the destination alone. @throws InputError for a network where it is not found, with the reason.
    OwnRouting (*find)(Topology const&) = nullptr;
    /// The spec of such a one that is tried beside other routings, also where its family has it.
    std::string found_as = {};

    bool for_any_graph() const {
        return trees != nullptr || make_pairs != nullptr || make_for_traffic != nullptr || make != nullptr;
    }
};

/// In the order in which they are listed.
std::vector<RoutingAlgorithm> const& all_routings();

/// `NAME[:options]`, understood, with what its choices depend on beside the network.
class RoutingSpec {
public:
    /// @param seed of random choices. @param roots of a list, for one that wants them; empty = it chooses.
    /// @throws InputError for an unknown routing or a wrong option.
    RoutingSpec(std::string text, std::uint64_t seed = 1,
                std::vector<model::Node> roots = {});  // implicit: written as text
    RoutingSpec(char const* text, std::uint64_t seed = 1, std::vector<model::Node> roots = {})
        : RoutingSpec(std::string(text), seed, std::move(roots)) {}

    std::string const& text() const { return text_; }  ///< as it was given
    std::string const& name() const { return algorithm_->name; }
    RoutingAlgorithm const& algorithm() const { return *algorithm_; }
    Arguments const& arguments() const { return arguments_; }
    std::uint64_t seed() const { return seed_; }
    std::vector<model::Node> const& roots() const { return roots_; }
    /// What the hosts of a study send each other, for a routing that wants it and was given no file; null = not known.
    HostTraffic const* traffic() const { return traffic_.get(); }
    /// Its routes depend on what a study sends, so they cannot be made before that is known.
    bool wants_traffic() const { return algorithm_->make_for_traffic != nullptr && !arguments_.given("file"); }
    /// The routing that is the value of its parameter `by`; null when none is given.
    RoutingSpec const* by() const { return by_.get(); }

    /// It looks at the network alone, so that it can go around what failed.
    bool works_on_any_graph() const { return algorithm_->for_any_graph(); }
    /// A list of roots matters: it takes some, and is not given them itself.
    bool wants_roots() const { return algorithm_->roots != nullptr && !arguments_.given("roots"); }
    /// The options themselves say how many virtual lanes there are.
    bool bounds_lanes() const { return algorithm_->bounds_lanes && text_ != algorithm_->name; }
    /// Its seed matters.
    bool draws() const;
    /// The files that it names.
    std::vector<std::string> files() const;
    /// The same with the roots of a list.
    RoutingSpec with_roots(std::vector<model::Node> roots) const;
    /// The same for this traffic.
    RoutingSpec with_traffic(HostTraffic traffic) const;

private:
    std::string text_;
    RoutingAlgorithm const* algorithm_;
    Arguments arguments_;
    std::shared_ptr<RoutingSpec const> by_;
    std::uint64_t seed_;
    std::vector<model::Node> roots_;
    std::shared_ptr<HostTraffic const> traffic_;
};

/// What holds for a routing on a network. @throws InputError for one that the network does not have.
RoutingClaims claims_of(Topology const& topology, RoutingSpec const& spec);

/// Its routes depend on the source: no tables hold them. Known before any is made. @throws InputError for a routing
/// that the network does not have.
bool depends_on_source(Topology const& topology, RoutingSpec const& spec);

/// Routings that belong to this network, as specs: its family's, or those that may be found in its cables.
std::vector<std::string> own_routings(Topology const& topology);

/// Tables, or a routing that none can hold.
struct Routes {
    model::ForwardingTables tables;
    std::shared_ptr<model::Routing const> routing = model::routing_by_tables();
    model::FindLanes find_lanes = nullptr;                             ///< empty: one lane
    model::RoutingRoots roots = {};                                    ///< of one that takes some
    std::shared_ptr<model::CandidateSets const> candidates = nullptr;  ///< of adaptive routing
};

/// The routes of a network. @throws InputError for a routing that the network does not have, or options that do not fit
/// it.
Routes make_routes(Topology const& topology, RoutingSpec const& spec);

/// The same for a routing that tables can hold. @throws InputError also for one that they cannot.
model::ForwardingTables make_tables(Topology const& topology, RoutingSpec const& spec);

}  // namespace tailback::topologies
