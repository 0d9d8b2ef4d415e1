#include "host/api/obtain.hpp"

#include "host/api/room_for_routes.hpp"
#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/formats/fabric/read_fabric.hpp"
#include "host/formats/formats.hpp"
#include "host/formats/read/roots.hpp"
#include "host/model/fabric/fabric_traits.hpp"
#include "host/model/host_order.hpp"
#include "host/model/routes/ip_plan.hpp"
#include "topologies/on_demand/on_demand_routes.hpp"
#include "topologies/routings/hashed_sets.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::api {
namespace {

/// What is left of a network, which is the fabric's or will be.
model::Network fail(model::Network const& network, topologies::Failures const& failures, model::Fabric& fabric,
                    TakeSentence const& note) {
    model::NetworkOrigin& origin = fabric.origin;
    topologies::DegradedNetwork degraded = topologies::degrade(network, failures, model::lags_of(fabric).get());
    bool const cables = failures.cables || !failures.named_cables.empty();
    if (cables)
        note(fmt::format("{} of {} cable{} failed", degraded.failed_cables, degraded.cables,
                         degraded.cables == 1 ? "" : "s"));
    bool const switches = failures.switches || !failures.named_switches.empty();
    if (switches)
        note(fmt::format("{} of {} switch{} failed", degraded.failed_switches, degraded.switches,
                         degraded.switches == 1 ? "" : "es"));
    if (cables) origin.failed_cables = degraded.failed_cables, origin.cables = degraded.cables;
    origin.failed_host_members = degraded.on_others.size();
    if (degraded.failed_members > 0) note(model::failed_members_of_lags(degraded.failed_members));
    model::take_out_endpoints(fabric, network, degraded.on_others);
    if (switches) origin.failed_switches = degraded.failed_switches, origin.switches = degraded.switches;
    origin.failure_seed = failures.seed;
    origin.failures_are_named = !failures.cables && !failures.switches;
    return std::move(degraded.network);
}

/// The routing with the roots that the choice lists, where it wants some.
topologies::RoutingSpec with_listed_roots(topologies::RoutingSpec const& routing, NetworkChoice const& choice,
                                          model::Network const& network) {
    if (choice.roots.empty() || !routing.wants_roots()) return routing;
    return routing.with_roots(formats::read_roots(choice.roots, network));
}

/// Routes of `topology` in the form that was chosen; the fabric's network and origin are left to the caller.
void route(model::Fabric& fabric, topologies::Topology const& topology, topologies::RoutingSpec const& asked,
           FabricRequest const& request, TakeSentence const& note) {
    NetworkChoice const& choice = request.network;
    RoutesForm const form = form_of(request);
    topologies::RoutingSpec const routing = with_listed_roots(asked, choice, topology.network);
    bool const around_failures = routing.works_on_any_graph() || !choice.failures.any();
    if (form == RoutesForm::trees && !around_failures)
        throw base::InputError({}, "--routes trees cannot route around failures here",
                               "\"" + routing.text() + "\" routes by a formula, which does not cover failures",
                               "leave out --routes trees");
    bool const may_be_made_on_demand =
        request.wanted == Wanted::mappings && form == RoutesForm::automatic && choice.lmc == 0 && around_failures;
    std::uint64_t const bytes =
        may_be_made_on_demand && topologies::OnDemandRoutes::serve(topology, routing) ? route_bytes(topology) : 0;
    if (form != RoutesForm::trees && bytes <= most_route_bytes) {
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
    if (form == RoutesForm::automatic)
        note(
            fmt::format("routes are computed on demand, one destination at a time (stored they would take {:.3g} GB; "
                        "`tailback evaluate --routes tables` stores them)",
                        double(bytes) * 1e-9));
}

/// The routing that was chosen, or the usual one of a spec where routes are wanted; none = those of the files.
std::optional<topologies::RoutingSpec> routing_of(FabricRequest const& request, NetworkInput const& input) {
    NetworkChoice const& choice = request.network;
    if (choice.routing || request.wanted == Wanted::network) return choice.routing;
    if (input.made) return topologies::RoutingSpec(input.made->usual_routing, choice.routing_seed);
    if (!input.read.routed && !request.for_no_tables.empty())
        return topologies::RoutingSpec(request.for_no_tables, choice.routing_seed);
    return std::nullopt;
}

void tell_routing(FabricRequest const& request, NetworkInput const& input, topologies::RoutingSpec const& routing,
                  TakeSentence const& note) {
    NetworkChoice const& choice = request.network;
    if (choice.routing) return;
    if (input.made)
        note(fmt::format("routed by {} (the default for {}; --routing chooses another)", routing.text(),
                         choice.spec->family().name));
    else note("no tables are given: those of " + routing.text() + " stand for the input");
}

/// Hosts that get a LID, where a network that was read is routed anew.
void tell_new_lids(model::Network const& network, TakeSentence const& note) {
    std::uint64_t without = 0;
    for (std::size_t h = 0; h < network.hosts().size(); ++h)
        without += network[model::Host{h}].lid == 0 && network.up_link(model::Host{h}).exists();
    if (without > 0)
        note(fmt::format(
            "{} without a LID {} one; `tailback convert --to ibnetdiscover` writes the network with the same",
            base::counted(without, "host", "hosts"), without == 1 ? "gets" : "get"));
}

/// Of routes of equal cost that were read, a hash chooses: that of `ecmp`.
bool goes_by_sets(NetworkInput const& input, topologies::RoutingSpec const& routing) {
    return !input.made && model::traits_of(input.read).by_hash && routing.name() == "ecmp";
}

/// Where switches choose among routes of equal cost that were read, and no routing is asked for: a hash of the flow
/// chooses, as `ecmp` does; by the kernel's hash where the files tell its seeds.
void hash_flows(model::Fabric& fabric, NetworkChoice const& choice, TakeSentence const& note) {
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
    note(text +
         "; the source ports of flows are drawn once (--routing-seed S draws others; `tailback bracket --hash-draws N` "
         "tells of many)");
}

/// Of tables made anew where entries lead into LAGs: a hash of the flow picks the member.
void divide_over_lags(model::Fabric& fabric, FabricRequest const& request, TakeSentence const& note) {
    std::shared_ptr<model::Lags const> const lags = model::lags_of(fabric);
    if (lags == nullptr || !fabric.routed) return;
    model::keep_cabled_ports(fabric.network, lags.get(), fabric.tables, fabric.candidates);
    note(model::lag_is_one_next_hop);
    if (request.wanted < Wanted::routes || !model::traits_of(fabric).by_hash || request.network.by_static_entries)
        return;
    fabric.routing = topologies::pairs_by_sets(fabric, topologies::RoutingSpec("ecmp", request.network.routing_seed),
                                               "the members of LAGs");
    fabric.origin.routing_draws = true;
}

[[noreturn]] void refuse_pairs(std::string const& user, std::string const& routing) {
    throw base::InputError({}, user + " needs forwarding tables", "routes by " + routing + " also depend on the source",
                           "choose a routing that depends on the destination alone");
}

/// What routes that are read cannot have.
void check_read(FabricRequest const& request, NetworkInput const& input) {
    NetworkChoice const& choice = request.network;
    if (choice.lmc > 0)
        throw base::InputError({}, "--lmc needs a --routing", "tables that are read have the LIDs of their fabric",
                               "name a --routing, or leave out --lmc");
    if (form_of(request) == RoutesForm::trees)
        throw base::InputError({}, "--routes trees needs a routing", "",
                               "name a --routing, or leave out --routes trees");
    if (request.wanted >= Wanted::tables && !input.read.routed)
        throw base::InputError({choice.network, 0}, "there are no forwarding tables",
                               "the file contains only the network",
                               "add --tables FILE (an LFT dump or .fdbs file of the same fabric), or --routing NAME");
}

/// The network that is routed: of files with a LID for every host.
topologies::Topology topology_of(NetworkInput&& input) {
    if (input.made) return std::move(*input.made);
    topologies::Topology topology;
    topology.network = model::with_lids(input.read.network);
    return topology;
}

bool routes_pairs(NetworkInput const& input, topologies::RoutingSpec const& routing) {
    return goes_by_sets(input, routing) ||
           topologies::depends_on_source(input.made ? *input.made : topologies::Topology{}, routing);
}

void check_routing(FabricRequest const& request, NetworkInput const& input, topologies::RoutingSpec const& routing) {
    if (input.made) topologies::claims_of(*input.made, routing);  // throws for no such routing
    else if (!routing.works_on_any_graph() && routing.algorithm().find == nullptr) topologies::claims_of({}, routing);
    if (request.network.lmc > 0 && routing.algorithm().trees == nullptr)
        throw base::InputError({}, "--lmc needs a routing by destination for any graph",
                               "\"" + routing.text() + "\" gives every host one route",
                               "choose --routing minhop, updn, sssp, ..");
    if (routes_pairs(input, routing)) {
        if (request.wanted == Wanted::tables) refuse_pairs(request.user, routing.text());
        return check_rows_fit(request, input.network());
    }
    check_paths_fit(request, input.network());
}

/// Routes what was read or made, and lets things fail: a routing for any graph routes what is left, other tables stay
/// as they are and the routes they break are counted.
model::Fabric route_input(FabricRequest const& request, NetworkInput&& input, TakeSentence const& note) {
    NetworkChoice const& choice = request.network;
    std::optional<topologies::RoutingSpec> const routing = routing_of(request, input);
    if (routing) tell_routing(request, input, *routing, note);
    if (routing && request.wanted == Wanted::tables && !input.made) tell_new_lids(input.read.network, note);
    model::Fabric fabric = std::move(input.read);
    auto const tell_origin = [&](topologies::RoutingSpec const& by) {
        fabric.origin.routing = by.text();
        fabric.origin.routing_seed = choice.routing_seed;
        fabric.origin.routing_draws = by.draws();
    };
    auto const let_fail = [&] {
        if (!choice.failures.any()) return;
        fabric.network = fail(fabric.network, choice.failures, fabric, note);
        model::keep_cabled_ports(fabric.network, model::lags_of(fabric).get(), fabric.tables, fabric.candidates);
    };
    if (!input.made && !routing) {
        let_fail();
        if (request.wanted >= Wanted::routes && model::traits_of(fabric).by_hash && !choice.by_static_entries)
            hash_flows(fabric, choice, note);
        return fabric;
    }
    if (!input.made && model::traits_of(fabric).by_hash && routing->name() == "ecmp") {
        let_fail();
        fabric.routing = topologies::pairs_by_sets(fabric, *routing);
        tell_origin(*routing);
        fabric.origin.routing_draws = true;
        return fabric;
    }
    NetworkInput unrouted{model::Fabric{}, std::move(input.made)};
    unrouted.read.network = std::move(fabric.network);
    topologies::Topology topology = topology_of(std::move(unrouted));
    topology.lags = model::lags_of(fabric);
    if (choice.lmc > 0) topology.network = model::with_lmc(topology.network, choice.lmc);
    fabric.tables = model::ForwardingTables(topology.network, 0);
    if (routing && !routing->works_on_any_graph()) route(fabric, topology, *routing, request, note);
    if (choice.failures.any()) topology.network = fail(topology.network, choice.failures, fabric, note);
    if (routing && routing->works_on_any_graph()) route(fabric, topology, *routing, request, note);
    fabric.routed = routing.has_value();
    fabric.network = std::move(topology.network);
    if (choice.spec) fabric.origin.spec = choice.network;
    if (routing) tell_origin(*routing);
    divide_over_lags(fabric, request, note);
    return fabric;
}

/// What options cannot know of a folder: that it has the routes.
void refuse_idle_seed(FabricRequest const& request, model::Fabric const& fabric) {
    if (!request.network.wants_draws || request.wanted == Wanted::network || fabric.origin.routing_draws) return;
    throw base::InputError({}, "--routing-seed has no effect",
                           request.network.routing
                               ? "the routing " + request.network.routing->text() + " draws nothing"
                               : "the routes are those of the network's files, and nothing of them is drawn",
                           "leave it out, or name a --routing that draws", "routing-seed");
}

/// The request with what its hosts send each other, for a routing that wants to know it: on the same network with other
/// routes.
FabricRequest with_traffic(FabricRequest request, NetworkInput const& input) {
    topologies::RoutingSpec const* const routing = request.network.routing ? &*request.network.routing : nullptr;
    if (routing == nullptr || !routing->wants_traffic() || !request.traffic) return request;
    FabricRequest other = request;
    other.network.routing = topologies::RoutingSpec("bfs");
    other.network.form = RoutesForm::tables;
    model::Fabric const fabric = route_input(other, NetworkInput(input), [](std::string const&) {});
    request.network.routing = routing->with_traffic(request.traffic(fabric));
    return request;
}

/// The second half of `obtain`.
model::Fabric route_unrouted(FabricRequest const& request, UnroutedFabric unrouted, TakeSentence const& note) {
    if (unrouted.formula) return std::move(*unrouted.formula);
    FabricRequest const informed = with_traffic(request, *unrouted.input);
    bool const is_ours = unrouted.input.use_count() == 1;
    return route_input(informed, is_ours ? std::move(*unrouted.input) : NetworkInput(*unrouted.input), note);
}

}  // namespace

bool tells_all_seeds(model::Fabric const& fabric) {
    for (std::size_t n = 0; n < fabric.network.nodes().size(); ++n)
        if (model::Node const node{n}; fabric.network.is_switch(node) && fabric.tables.has_table(node))
            if (fabric.ip == nullptr || n >= fabric.ip->seed.size() || !fabric.ip->seed[n]) return false;
    return true;
}

namespace {

void give_rate(NetworkChoice const& choice, model::Network& network, model::NetworkOrigin& origin,
               TakeSentence const& warn) {
    if (!choice.link_rate) return;
    origin.links = network.links().size();
    origin.links_by_default = model::give_rate(network, *choice.link_rate);
    origin.default_gbps = choice.link_rate->elevenths_of_gbps() / 11.0;
    if (origin.links > 0 && origin.links_by_default == 0 && warn)
        warn("--link-rate changes nothing: " + choice.network + " tells the rate of every link");
}

}  // namespace

std::shared_ptr<NetworkInput> read_network(FabricRequest const& request, TakeSentence const& warn) {
    NetworkChoice const& choice = request.network;
    if (choice.spec) {
        if (choice.tables)
            throw base::InputError({}, "--tables does not go with the spec \"" + choice.network + "\"",
                                   "tables refer to the nodes of a file; a generated network is routed by name",
                                   "give --routing instead");
        auto made =
            std::make_shared<NetworkInput>(NetworkInput{model::Fabric{}, topologies::make_topology(*choice.spec)});
        give_rate(choice, made->made->network, made->read.origin, warn);
        return made;
    }
    model::Disagreements own(choice.strict);
    model::Disagreements& disagreements = request.disagreements != nullptr ? *request.disagreements : own;
    auto input = std::make_shared<NetworkInput>();
    input->read = formats::read_fabric(choice.network, choice.tables, disagreements, request.used);
    give_rate(choice, input->read.network, input->read.origin, warn);
    if (request.disagreements != nullptr) return input;
    for (std::string const& warning : own.warnings()) warn(warning);
    if (input->read.ip != nullptr)
        for (std::string const& remark : input->read.ip->remarks) warn(remark);
    return input;
}

UnroutedFabric obtain_unrouted(FabricRequest const& request, Listener const& listener, ReadNetwork const& read) {
    UnroutedFabric unrouted;
    unrouted.formula = formula_of(request, listener.note);
    if (unrouted.formula) {
        if (request.names_nodes) unrouted.formula->network = topologies::make_topology(*request.network.spec).network;
        return unrouted;
    }
    check_pairs_fit(request);
    unrouted.input = read(request, listener.warn);
    if (std::optional<topologies::RoutingSpec> const routing = routing_of(request, *unrouted.input))
        check_routing(request, *unrouted.input, *routing);
    else if (!unrouted.input->made) check_read(request, *unrouted.input);
    else if (request.network.lmc > 0)
        throw base::InputError({}, "--lmc needs a routing by destination for any graph", "the network is not routed",
                               "choose --routing minhop, updn, sssp, ..");
    return unrouted;
}

std::string FabricRequest::purpose() const {
    std::string words = fmt::format("{} {}", int(wanted), int(names_nodes));
    if (hosts_of_pairs) words += fmt::format(" {}", *hosts_of_pairs);
    return words;
}

std::vector<model::Host> UnroutedFabric::usable_hosts(bool aggregation_nodes_are_hosts) const {
    return formula ? model::usable_hosts(*formula, aggregation_nodes_are_hosts)
                   : model::usable_hosts(input->network(), aggregation_nodes_are_hosts);
}

std::shared_ptr<model::Fabric const> obtain_shared(FabricRequest const& request, Listener const& listener) {
    return std::make_shared<model::Fabric const>(obtain(request, listener));
}

model::Fabric obtain(FabricRequest const& request, Listener const& listener, ReadNetwork const& read) {
    model::Fabric fabric = route_unrouted(request, obtain_unrouted(request, listener, read), listener.note);
    refuse_idle_seed(request, fabric);
    return fabric;
}

topologies::Topology topology_of(NetworkChoice const& choice, model::Network const& obtained) {
    topologies::Topology topology;
    bool const is_whole = choice.spec && !choice.failures.any() && choice.lmc == 0;
    if (is_whole) topology = topologies::make_topology(*choice.spec);
    if (!is_whole || choice.link_rate) topology.network = obtained;
    return topology;
}

void note_no_aggregation(model::Network const& network, bool are_hosts, TakeSentence const& note) {
    if (are_hosts && note && model::count_apart(network).aggregation_nodes == 0)
        note("--aggregation-nodes hosts changes nothing: the network has no aggregation nodes");
}

std::shared_ptr<audit::NodeGroups const> groups_of(model::Fabric const& fabric, std::string const& words) {
    if (words.empty()) return nullptr;
    if (fabric.formula)
        throw base::InputError({}, "there are no groups of a network that is a formula",
                               "its nodes are not kept in memory", "add --routes tables");
    return std::make_shared<audit::NodeGroups const>(audit::group_nodes(fabric.network, words));
}

void require_tables(model::Fabric const& fabric, std::string const& user) {
    if (fabric.routing->depends_on_source()) refuse_pairs(user, fabric.routing->text());
}

}  // namespace tailback::api
