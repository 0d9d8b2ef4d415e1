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

/// The network as a formula, where that is asked for, or tables and the routes packed from them would take more than
/// `most_table_bytes`; none otherwise.
/// @throws InputError when arithmetic is asked for and there is none.
std::optional<model::Fabric> obtain_formula(NetworkChoice const& choice, TakeSentence const& note);

/// A network read or made, for any number of routings and failures.
struct NetworkInput {
    model::Fabric read;                        ///< of files, with their tables
    std::optional<topologies::Topology> made;  ///< of a spec
    model::Network const& network() const { return made ? made->network : read.network; }
};
/// Reads or makes the network of a choice. @throws InputError
NetworkInput obtain_network(NetworkChoice const& choice, TakeSentence const& warn);

/// Routes a network and lets things fail: a routing for any graph routes what is left, other tables stay as they are
/// and the routes they break are counted. @param input what obtain_network gave for the same network and tables.
/// @param wants_routes false: a spec without a routing stays without tables.
/// @throws InputError
model::Fabric route_network(NetworkInput input, NetworkChoice const& choice, bool wants_routes,
                            TakeSentence const& note);

/// Where switches choose among routes of equal cost that were read, and no routing is asked for: a hash of the flow
/// chooses, as `ecmp` does; by the kernel's hash where the files tell its seeds.
void hash_flows(model::Fabric& fabric, NetworkChoice const& choice, TakeSentence const& note);

/// Says so where aggregation nodes are to be hosts, and the network has none.
void note_no_aggregation(model::Network const& network, bool are_hosts, TakeSentence const& note);
/// Do the files tell a seed of the kernel's hash for every router that has routes?
bool tells_all_seeds(model::Fabric const& fabric);

/// Both of them. @throws InputError
model::Fabric obtain_fabric(NetworkChoice const& choice, bool wants_routes, Listener const& listener);

/// Reads files as they are. @param strict disagreements are errors. @throws InputError as read_fabric does.
model::Fabric obtain_files(std::string const& network, std::optional<std::string> const& tables, bool strict,
                           TakeSentence const& warn);

/// Groups of its nodes (see audit::group_nodes); null where `words` is empty. @throws InputError also for a network
/// whose nodes are not kept in memory.
std::shared_ptr<audit::NodeGroups const> groups_of(model::Fabric const& fabric, std::string const& words);

/// For what only tables can give. @throws InputError when the routes of the fabric depend on the source.
void require_tables(model::Fabric const& fabric, std::string const& what);

}  // namespace tailback::api
