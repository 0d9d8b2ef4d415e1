// From a choice to a routed fabric: reads or makes the network, lets things fail, routes it.
#pragma once

#include "host/api/choose.hpp"
#include "host/audit/loads/groups.hpp"
#include "host/model/tables.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace tailback::api {

/// Gets a sentence: what was chosen for the user, or what is odd about the input.
using TakeSentence = std::function<void(std::string const&)>;
struct Listener {
    TakeSentence note = [](std::string const&) {};
    TakeSentence warn = [](std::string const&) {};
};

/// `automatic`: what tables and the packed routes of all hosts may take before routes are computed by a formula.
inline constexpr std::uint64_t most_table_bytes = std::uint64_t{1} << 30;
/// `automatic`: what tables and the packed routes of all hosts may take before routes by destination alone
/// are made on demand.
inline constexpr std::uint64_t most_route_bytes = std::uint64_t{8} << 30;

/// What a fabric is for: which forms of routes serve.
enum class Wanted : std::uint8_t {
    network,   ///< nodes and cables; tables that files have come along
    as_read,   ///< files with their tables, where they have some
    tables,    ///< routes by destination alone, in tables
    routes,    ///< every pair's, one by one: they may depend on the source
    flows,     ///< the same, of pairs that a study names: a formula serves, too
    mappings,  ///< of many mappings: routes that are made on demand, destination by destination, serve as well
};

/// The shortest paths that are looked for beside tables: between the switches of these hosts.
struct WantedPaths {
    std::string hosts;  ///< a glob on names; empty = all
    bool aggregation_nodes_are_hosts = false;
};

/// What hosts send each other, seen on the same network with other routes.
using TrafficOn = std::function<topologies::HostTraffic(model::Fabric const&)>;

/// Which fabric, and what for: nothing is read yet.
struct FabricRequest {
    NetworkChoice network;
    Wanted wanted = Wanted::routes;
    std::string user = {};           ///< who needs tables, as refusals name it: `an audit`
    std::string for_no_tables = {};  ///< the routing of files without tables; empty = they are refused
    bool names_nodes = false;  ///< of flows and mappings: nodes are called by name, so the network is kept in any case
    /// Routes of pairs are kept for so many hosts, of those that no list names; UINT64_MAX = for all; none = they are
    /// not kept.
    std::optional<std::uint64_t> hosts_of_pairs = {};
    std::optional<WantedPaths> paths = {};  ///< none = no shortest paths are looked for
    TrafficOn traffic = nullptr;            ///< for a routing that wants to know it; null = it is not known
    /// Takes what is wrong with the files, to be told by whom it is for; null = it is told as warnings.
    model::Disagreements* disagreements = nullptr;
    model::NamedFiles* used = nullptr;  ///< the files of a folder that are read are added; null = nobody asks

    /// What tells requests for one network with one routing apart.
    std::string purpose() const;
};

/// A network read or made, for any number of routings and failures.
struct NetworkInput {
    model::Fabric read;                        ///< of files, with their tables
    std::optional<topologies::Topology> made;  ///< of a spec
    model::Network const& network() const { return made ? made->network : read.network; }
};
/// Reads or makes the network of a request. @throws InputError
std::shared_ptr<NetworkInput> read_network(FabricRequest const& request, TakeSentence const& warn);
/// The same from a store of networks, say: what it hands over alone is taken, what it keeps is copied.
using ReadNetwork = std::function<std::shared_ptr<NetworkInput>(FabricRequest const&, TakeSentence const&)>;

/// A network of which everything was checked that can be checked before it is routed.
struct UnroutedFabric {
    std::optional<model::Fabric> formula;  ///< in place of `input`, where the routes are a formula
    std::shared_ptr<NetworkInput> input;
    /// The hosts that mappings may take.
    std::vector<model::Host> usable_hosts(bool aggregation_nodes_are_hosts) const;
};
/// The first half of `obtain`. @throws InputError for all that it refuses before it makes routes.
UnroutedFabric obtain_unrouted(FabricRequest const& request, Listener const& listener,
                               ReadNetwork const& read = read_network);

/// The one way to a fabric: reads or makes the network, lets things fail, gives out LIDs, and routes what is left: by
/// the tables of files (a hash of the flow chooses among routes of equal cost), by a routing, or by a formula where
/// tables would be large and one serves. Asks for memory before it takes any.
/// @throws InputError
model::Fabric obtain(FabricRequest const& request, Listener const& listener, ReadNetwork const& read = read_network);
/// The same, for many who need it.
std::shared_ptr<model::Fabric const> obtain_shared(FabricRequest const& request, Listener const& listener);

/// The network of a choice that was obtained, for more routings: with its family's own where they are of it as it is.
topologies::Topology topology_of(NetworkChoice const& choice, model::Network const& obtained);

/// Says so where aggregation nodes are to be hosts, and the network has none.
void note_no_aggregation(model::Network const& network, bool are_hosts, TakeSentence const& note);
/// Do the files tell a seed of the kernel's hash for every router that has routes?
bool tells_all_seeds(model::Fabric const& fabric);

/// Groups of its nodes (see audit::group_nodes); null where `words` is empty. @throws InputError also for a network
/// whose nodes are not kept in memory.
std::shared_ptr<audit::NodeGroups const> groups_of(model::Fabric const& fabric, std::string const& words);

/// For what only tables can give. @throws InputError when the routes of the fabric depend on the source.
void require_tables(model::Fabric const& fabric, std::string const& user);

}  // namespace tailback::api
