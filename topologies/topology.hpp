// A generated network together with what only its family knows: its own routings. And the one table of families.
#pragma once

#include "host/base/spec.hpp"
#include "host/model/pack/pair_routes.hpp"
#include "host/model/tables.hpp"
#include "topologies/regular.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tailback::model {
class Lags;  // host/model/routes/lags.hpp
}

namespace tailback::topologies {

using base::Arguments;
using base::Parameter;
using base::ParameterKind;

/// What a host with several cables does: `send` on its first (InfiniBand), `choose` among them for its own packets, or
/// `forward` the packets of others too (server-centric networks). In the last two cases hosts have tables.
enum class HostsDo : std::uint8_t { send, choose, forward };

/// What holds for all routes of a routing on a network: of fewest links, without a cycle of waiting links on one lane.
struct RoutingClaims {
    bool minimal = false;
    bool deadlock_free = false;
    bool draws = false;  ///< choices are drawn: another seed, other routes
};

/// The port of forwarder v (of ForwardingGraph) towards the destination LID `number` (the network's, counted from 0) on
/// forwarder t, v != t; no_entry = none.
using NextPort = std::function<model::Port(std::uint32_t v, std::uint32_t t, std::uint32_t number)>;

/// A routing that belongs to a family, for one network of it.
struct OwnRouting {
    std::string name;
    RoutingClaims claims;
    /// The tables of the network it was made for. @param seed of random choices. Empty when routes depend on the
    /// source.
    std::function<model::ForwardingTables(model::Network const&, Arguments const&, std::uint64_t seed)> make;
    /// The routes of every pair, where they depend on the source; giving nothing: `make` serves with these arguments.
    std::function<std::shared_ptr<model::PairRoutes const>(Arguments const&, std::uint64_t seed)> make_pairs = nullptr;
    /// The virtual lanes that come with the tables; empty, or giving nothing: one lane.
    std::function<model::FindLanes(Arguments const&, std::uint64_t seed)> lanes = nullptr;
    /// What `make` fills tables with, where that is a formula to be asked for every step.
    std::function<NextPort(Arguments const&, std::uint64_t seed)> next_port = nullptr;
};

struct Topology {
    model::Network network;
    HostsDo hosts_do = HostsDo::send;
    std::vector<OwnRouting> routings;      ///< beside those that work on any graph
    std::string usual_routing = "minhop";  ///< where none is asked for
    std::vector<std::uint32_t> groups;     ///< of each switch, in node order; empty where there are none
    /// Cables that are one next hop together (topologies/lag_routes.hpp); null where nothing tells of any.
    std::shared_ptr<model::Lags const> lags = nullptr;
};

class RoutingSpec;  // topologies/routing.hpp

struct Family {
    std::string name;
    std::string summary;
    std::string sizes;  ///< hosts and switches as formulas
    std::vector<Parameter> parameters;
    std::string example;
    Topology (*make)(Arguments const&);
    /// Turns another notation into `name=value` ones; null where there is none. Gets and gives a whole spec.
    std::string (*rewrite)(std::string const&) = nullptr;
    /// The network as arithmetic (topologies/regular.hpp) with a routing, null = the usual one; null where there is no
    /// such form. Gives null for arguments or a routing that have none.
    std::unique_ptr<RegularNetwork> (*regular)(Arguments const&, RoutingSpec const* routing) = nullptr;
};

/// In the order in which they are listed.
std::vector<Family> const& all_families();

/// True when the word up to the colon (or the whole) names a family.
bool is_topology_spec(std::string const& word);
/// `NAME[:parameters]`, understood.
class TopologySpec {
public:
    /// @throws InputError for an unknown family or a wrong parameter, with the character of the spec.
    TopologySpec(std::string text);  // implicit: a spec is written as text
    TopologySpec(char const* text) : TopologySpec(std::string(text)) {}

    std::string const& text() const { return text_; }  ///< as it was given
    Family const& family() const { return *family_; }
    Arguments const& arguments() const { return arguments_; }
    /// The files that it names.
    std::vector<std::string> files() const;

private:
    std::string text_;
    Family const* family_;
    Arguments arguments_;
};
/// The family's network. @throws InputError for parameters that do not go together.
Topology make_topology(TopologySpec const& spec);

}  // namespace tailback::topologies
