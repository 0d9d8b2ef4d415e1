#include "host/api/obtain.hpp"

#include "host/base/error.hpp"
#include "host/formats/formats.hpp"
#include "host/formats/read/roots.hpp"
#include "host/model/ip_plan.hpp"
#include "host/model/routes/candidate_sets.hpp"
#include "topologies/on_demand_routes.hpp"
#include "topologies/regular.hpp"
#include "topologies/routings/hashed_sets.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::api {
namespace {

model::Network fail(model::Network const& network, topologies::Failures const& failures, model::NetworkOrigin& origin,
                    TakeSentence const& note) {
    topologies::DegradedNetwork degraded = topologies::degrade(network, failures);
    if (failures.cables)
        note(fmt::format("{} of {} cable{} failed", degraded.failed_cables, degraded.cables,
                         degraded.cables == 1 ? "" : "s"));
    if (failures.switches)
        note(fmt::format("{} of {} switch{} failed", degraded.failed_switches, degraded.switches,
                         degraded.switches == 1 ? "" : "es"));
    if (failures.cables) origin.failed_cables = degraded.failed_cables, origin.cables = degraded.cables;
    if (failures.switches) origin.failed_switches = degraded.failed_switches, origin.switches = degraded.switches;
    origin.failure_seed = failures.seed;
    return std::move(degraded.network);
}

/// What tables take, and the routes between all hosts packed from them (host/model/pack/route_store.hpp): rows of 16
/// bytes, or steps where these would exceed 4 GiB.
std::uint64_t route_bytes(topologies::Topology const& topology) {
    topologies::ForwardingGraph const graph(topology.network, topology.hosts_do);
    std::uint64_t const hosts = topology.network.hosts().size(), nodes = topology.network.nodes().size();
    std::uint64_t groups = 0;
    for (std::uint32_t const sources : graph.sources) groups += sources > 0;
    std::uint64_t const tables = std::uint64_t{graph.size()} * (std::uint64_t{topology.network.max_lid()} + 1);
    std::uint64_t const rows = groups * hosts * 16;
    return tables + (rows <= std::uint64_t{4} << 30 ? rows : nodes * hosts * 4);
}

/// The routing with the roots that the choice lists, where it wants some.
topologies::RoutingSpec with_listed_roots(topologies::RoutingSpec const& routing, NetworkChoice const& choice,
                                          model::Network const& network) {
    if (choice.roots.empty() || !routing.wants_roots()) return routing;
    return routing.with_roots(formats::read_roots(choice.roots, network));
}

/// Routes of `topology` in the form that was chosen; the fabric's network and origin are left to the caller.
void route(model::Fabric& fabric, topologies::Topology const& topology, topologies::RoutingSpec const& asked,
           NetworkChoice const& choice, TakeSentence const& note) {
    topologies::RoutingSpec const routing = with_listed_roots(asked, choice, topology.network);
    bool const around_failures = routing.works_on_any_graph() || !choice.failures.any();
    if (choice.form == RoutesForm::trees && !around_failures)
        throw base::InputError({}, "--routes trees cannot route around failures here",
                               "\"" + routing.text() + "\" routes by a formula, which does not cover failures",
                               "leave out --routes trees");
    std::uint64_t const bytes = choice.form == RoutesForm::automatic && choice.lmc == 0 && around_failures &&
                                        topologies::OnDemandRoutes::serve(topology, routing)
                                    ? route_bytes(topology)
                                    : 0;
    if (choice.form != RoutesForm::trees && bytes <= most_route_bytes) {
        topologies::Routes routes = topologies::make_routes(topology, routing);
        fabric.tables = std::move(routes.tables);
        fabric.routing = std::move(routes.routing);
        fabric.find_lanes = std::move(routes.find_lanes);
        fabric.roots = std::move(routes.roots);
        fabric.candidates = std::move(routes.candidates);
        return;
    }
    fabric.tables = model::ForwardingTables(topology.network, 0);
    fabric.candidates = nullptr;
    auto const trees = std::make_shared<topologies::OnDemandRoutes const>(topology, routing);
    fabric.roots = trees->roots();
    fabric.routing = trees;
    if (choice.form == RoutesForm::automatic)
        note(
            fmt::format("routes are computed on demand, one destination at a time (stored they would take {:.3g} GB; "
                        "`tailback evaluate --routes tables` stores them)",
                        double(bytes) * 1e-9));
}

/// The routing that was chosen, or the usual one of a spec where routes are wanted.
std::optional<topologies::RoutingSpec> routing_of(topologies::Topology const& topology, NetworkChoice const& choice,
                                                  bool wants_routes, TakeSentence const& note) {
    if (choice.routing || !choice.spec || !wants_routes) return choice.routing;
    note(fmt::format("routed by {} (the default for {}; --routing chooses another)", topology.usual_routing,
                     choice.spec->family().name));
    return topologies::RoutingSpec(topology.usual_routing, choice.routing_seed);
}

bool has_equal_cost_routes(model::Fabric const& fabric) {
    return fabric.candidates != nullptr && fabric.candidates->chosen_by() == model::ChosenBy::hash;
}

}  // namespace

std::optional<model::Fabric> obtain_formula(NetworkChoice const& choice, TakeSentence const& note) {
    RoutesForm const form = choice.form;
    if (form == RoutesForm::tables || form == RoutesForm::trees) return std::nullopt;
    auto const refused = [&](std::string const& why) -> std::optional<model::Fabric> {
        if (form == RoutesForm::automatic) return std::nullopt;
        throw base::InputError({}, "the routes cannot be computed", why, "leave out --routes arithmetic");
    };
    if (!choice.spec) return refused("--network is a file");
    if (choice.tables) return refused("--tables gives them");
    if (choice.failures.any()) return refused("the formula does not cover failures");
    if (choice.lmc > 0) return refused("the formula gives every host one LID");
    std::shared_ptr<topologies::RegularNetwork const> const regular =
        topologies::make_regular(*choice.spec, choice.routing ? &*choice.routing : nullptr);
    if (!regular) return refused("there is no formula for this network with this routing");
    // One byte an entry, and at least sixteen for the row of a switch's hosts, or of a host.
    constexpr std::uint64_t row_bytes = 16;
    std::uint64_t const hosts = regular->hosts;
    std::uint64_t const bytes = regular->pairs_differ
                                    ? hosts * hosts * row_bytes
                                    : hosts * (regular->switches + regular->host_switches * row_bytes);
    std::uint32_t const longest_row = regular->inner <= 0xFFFF - 4 ? 32 : 16;  // of links in 16 bits, in 32
    bool const too_long = regular->pairs_differ && regular->longest > longest_row;
    if (form == RoutesForm::automatic && bytes <= most_table_bytes && !too_long) return std::nullopt;
    if (form == RoutesForm::automatic)
        note(too_long ? fmt::format("routes are computed by formula (they have up to {} links)", regular->longest)
                      : fmt::format("routes are computed by formula (stored they would take {:.3g} GB; --routes tables "
                                    "stores them, which pays for many thousands of mappings)",
                                    double(bytes) * 1e-9));
    model::Fabric fabric = topologies::fabric_of(regular);
    topologies::RoutingSpec const routing =
        choice.routing ? *choice.routing : topologies::RoutingSpec(regular->routing);
    fabric.origin = {choice.network, routing.text(), choice.routing_seed, routing.draws()};
    return fabric;
}

model::Fabric obtain_files(std::string const& network, std::optional<std::string> const& tables, bool strict,
                           TakeSentence const& warn) {
    model::Disagreements disagreements(strict);
    model::Fabric fabric = formats::read_fabric(network, tables, disagreements);
    for (std::string const& warning : disagreements.warnings()) warn(warning);
    if (fabric.ip != nullptr)
        for (std::string const& remark : fabric.ip->remarks) warn(remark);
    return fabric;
}

NetworkInput obtain_network(NetworkChoice const& choice, TakeSentence const& warn) {
    if (!choice.spec) return {obtain_files(choice.network, choice.tables, choice.strict, warn), std::nullopt};
    if (choice.tables)
        throw base::InputError({}, "--tables does not go with the spec \"" + choice.network + "\"",
                               "tables refer to the nodes of a file; a generated network is routed by name",
                               "give --routing instead");
    return {model::Fabric{}, topologies::make_topology(*choice.spec)};
}

model::Fabric route_network(NetworkInput input, NetworkChoice const& choice, bool wants_routes,
                            TakeSentence const& note) {
    model::Fabric fabric = std::move(input.read);
    if (!input.made && !choice.routing) {
        if (choice.lmc > 0)
            throw base::InputError({}, "--lmc needs a --routing", "tables that are read have the LIDs of their fabric",
                                   "name a --routing, or leave out --lmc");
        if (choice.form == RoutesForm::trees)
            throw base::InputError({}, "--routes trees needs a routing", "",
                                   "name a --routing, or leave out --routes trees");
        if (choice.failures.any()) fabric.network = fail(fabric.network, choice.failures, fabric.origin, note);
        return fabric;
    }
    if (!input.made && has_equal_cost_routes(fabric) && choice.routing->name() == "ecmp") {
        if (choice.failures.any()) fabric.network = fail(fabric.network, choice.failures, fabric.origin, note);
        fabric.routing = topologies::pairs_by_sets(fabric, *choice.routing);
        fabric.origin.routing = choice.routing->text();
        fabric.origin.routing_seed = choice.routing_seed;
        fabric.origin.routing_draws = true;
        return fabric;
    }
    topologies::Topology topology;
    if (input.made) topology = std::move(*input.made);
    else topology.network = model::with_lids(fabric.network);
    std::optional<topologies::RoutingSpec> const routing = routing_of(topology, choice, wants_routes, note);
    if (choice.lmc > 0) {
        if (!routing || routing->algorithm().trees == nullptr)
            throw base::InputError(
                {}, "--lmc needs a routing by destination for any graph",
                routing ? "\"" + routing->text() + "\" gives every host one route" : "the network is not routed",
                "choose --routing minhop, updn, sssp, ..");
        topology.network = model::with_lmc(topology.network, choice.lmc);
    }
    fabric.tables = model::ForwardingTables(topology.network, 0);
    if (routing && !routing->works_on_any_graph()) route(fabric, topology, *routing, choice, note);
    if (choice.failures.any()) topology.network = fail(topology.network, choice.failures, fabric.origin, note);
    if (routing && routing->works_on_any_graph()) route(fabric, topology, *routing, choice, note);
    fabric.routed = routing.has_value();
    fabric.network = std::move(topology.network);
    if (choice.spec) fabric.origin.spec = choice.network;
    if (routing) {
        fabric.origin.routing = routing->text();
        fabric.origin.routing_seed = choice.routing_seed;
        fabric.origin.routing_draws = routing->draws();
    }
    return fabric;
}

bool tells_all_seeds(model::Fabric const& fabric) {
    for (std::size_t n = 0; n < fabric.network.nodes().size(); ++n)
        if (model::Node const node{n}; fabric.network.is_switch(node) && fabric.tables.has_table(node))
            if (fabric.ip == nullptr || n >= fabric.ip->seed.size() || !fabric.ip->seed[n]) return false;
    return true;
}

void hash_flows(model::Fabric& fabric, NetworkChoice const& choice, TakeSentence const& note) {
    if (!has_equal_cost_routes(fabric) || choice.routing || choice.by_static_entries) return;
    bool const told = fabric.ip != nullptr && std::any_of(fabric.ip->seed.begin(), fabric.ip->seed.end(),
                                                          [](auto const& seed) { return seed.has_value(); });
    topologies::RoutingSpec const spec(told ? "ecmp:hash=linux" : "ecmp", choice.routing_seed);
    fabric.routing = topologies::pairs_by_sets(fabric, spec);
    fabric.origin.routing = spec.text();
    fabric.origin.routing_seed = choice.routing_seed;
    fabric.origin.routing_draws = true;
    if (!told)
        return note(
            "flows are hashed over routes of equal cost (ecmp; --routing ecmp:.. chooses the hash, bracket "
            "tells what others would do)");
    std::string text =
        "flows are hashed over routes of equal cost as the Linux kernel does, with the seeds of the files";
    if (!tells_all_seeds(fabric))
        text += "; those of routers whose files tell none (sysctl net.ipv4.fib_multipath_hash_seed) are drawn";
    note(text);
}

void note_no_aggregation(model::Network const& network, bool are_hosts, TakeSentence const& note) {
    bool const has_one = std::any_of(network.hosts().begin(), network.hosts().end(), [](model::HostRecord const& host) {
        return host.role == model::HostRole::aggregation;
    });
    if (are_hosts && !has_one && note)
        note("--aggregation-nodes hosts changes nothing: the network has no aggregation nodes");
}

model::Fabric obtain_fabric(NetworkChoice const& choice, bool wants_routes, Listener const& listener) {
    return route_network(obtain_network(choice, listener.warn), choice, wants_routes, listener.note);
}

std::shared_ptr<audit::NodeGroups const> groups_of(model::Fabric const& fabric, std::string const& words) {
    if (words.empty()) return nullptr;
    if (fabric.formula)
        throw base::InputError({}, "there are no groups of a network that is a formula",
                               "its nodes are not kept in memory", "add --routes tables");
    return std::make_shared<audit::NodeGroups const>(audit::group_nodes(fabric.network, words));
}

void require_tables(model::Fabric const& fabric, std::string const& what) {
    if (fabric.routing->depends_on_source())
        throw base::InputError({}, what + " needs forwarding tables",
                               "routes by " + fabric.routing->text() + " also depend on the source",
                               "choose a routing that depends on the destination alone");
}

}  // namespace tailback::api
