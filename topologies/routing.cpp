#include "topologies/routing.hpp"

#include "host/error.hpp"
#include "host/nearest.hpp"
#include "topologies/routings/any_graph.hpp"

namespace tailback {
namespace {

Routing const& find_routing(std::string const& spec) {
    std::string const name = name_of_spec(spec);
    std::vector<std::string> names;
    for (Routing const& routing : all_routings()) {
        if (routing.name == name) return routing;
        names.push_back(routing.name);
    }
    throw InputError({}, "unknown routing \"" + name + "\"", "the nearest is \"" + nearest_name(name, names) + "\"",
                     "`tailback list routings` shows all");
}

OwnRouting const& own_routing(Topology const& topology, Routing const& routing) {
    std::string names;
    for (OwnRouting const& own : topology.routings) {
        if (own.name == routing.name) return own;
        names += own.name + ", ";
    }
    for (Routing const& any : all_routings())
        if (any.make != nullptr) names += any.name + ", ";
    throw InputError({}, "this network has no routing \"" + routing.name + "\"", "that is for " + routing.where,
                     "choose one of " + names.substr(0, names.size() - 2));
}

}  // namespace

std::vector<Routing> const& all_routings() {
    static std::vector<Routing> const routings = {
        {"bfs", "shortest routes, by the lowest port", "any graph", {}, "bfs", {.minimal = true}, route_bfs},
        {"random", "shortest routes, by a port drawn for every switch and destination", "any graph", {}, "random",
         {.minimal = true}, route_random},
        {"minhop",
         "shortest routes, each by the port that carries the fewest destinations so far (the idea of OpenSM's minhop)",
         "any graph", {}, "minhop", {.minimal = true}, route_minhop},
        {"updn",
         "up*/down*: first towards the roots, then away from them; balanced like minhop",
         "any graph",
         {{.name = "roots",
           .kind = ParameterKind::text,
           .summary = "names of the root switches, divided by +; when not given: the switches farthest from all hosts where "
                      "those connect everything, else the most central one",
           .optional = true}},
         "updn:roots=S2_0+S2_1", {.deadlock_free = true}, route_updn},
        {"sssp",
         "shortest routes, by the links with the fewest routes so far (the idea of DFSSSP, without its lanes)",
         "any graph", {}, "sssp", {.minimal = true}, route_sssp},
        {"dmodk", "D-mod-K: up by the destination's number, down the only way (on several cables by its number, too)",
         "trees", {}, "dmodk", {}, nullptr},
        {"dor",
         "dimension order: the first dimension to its end, then the next",
         "torus, mesh, hypercube, hyperx, twisted-torus, midimew, triangular-torus, ring",
         {{.name = "ties",
           .kind = ParameterKind::choice,
           .fallback = "plus",
           .summary = "which way round a ring when both are equally long; parity: by the coordinate where the ring is entered, "
                      "which shares the load; random: drawn for every switch and destination",
           .choices = {"plus", "minus", "parity", "random"}}},
         "dor:ties=parity", {}, nullptr},
        {"minimal", "to the group of the destination by one global link: local, global, local", "dragonfly", {}, "minimal",
         {}, nullptr},
        {"dimensional", "server-centric: corrects the digits of the address one after the other", "bcube", {}, "dimensional",
         {}, nullptr},
        {"recursive", "server-centric: by the link that joins the parts in which source and destination are, part by part",
         "dcell, ficonn, hcn, bcn", {}, "recursive", {}, nullptr},
        {"columns", "server-centric: around the columns, setting a digit at each, then on to the column", "dpillar", {},
         "columns", {}, nullptr},
    };
    return routings;
}

bool works_on_any_graph(std::string const& spec) { return find_routing(spec).make != nullptr; }

RoutingClaims claims_of(Topology const& topology, std::string const& spec) {
    Routing const& routing = find_routing(spec);
    return routing.make != nullptr ? routing.claims : own_routing(topology, routing).claims;
}

Arguments routing_arguments(std::string const& spec) {
    Routing const& routing = find_routing(spec);
    return parse_arguments(spec, routing.parameters, routing.example);
}

ForwardingTables make_tables(Topology const& topology, std::string const& spec, std::uint64_t seed) {
    Routing const& routing = find_routing(spec);
    Arguments const arguments = routing_arguments(spec);
    if (routing.make != nullptr) return routing.make(topology, arguments, seed);
    return own_routing(topology, routing).make(topology.network, arguments, seed);
}

}  // namespace tailback
