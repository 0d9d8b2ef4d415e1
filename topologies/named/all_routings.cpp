#include "topologies/routing.hpp"

#include "host/base/error.hpp"
#include "host/base/extensions.hpp"
#include "host/base/nearest.hpp"
#include "host/io/progress.hpp"
#include "topologies/families/torus/found_dor.hpp"
#include "topologies/lag_routes.hpp"
#include "topologies/registry.hpp"
#include "topologies/routings/adaptive.hpp"
#include "topologies/routings/any_graph.hpp"
#include "topologies/routings/ftree/ftree.hpp"
#include "topologies/routings/greedy.hpp"
#include "topologies/routings/lane_layers.hpp"
#include "topologies/routings/pairs.hpp"

#include <algorithm>

namespace tailback::topologies {
namespace {

bool is_to_be_found(Topology const& topology, RoutingAlgorithm const& routing) {
    return routing.find != nullptr && topology.routings.empty();
}

OwnRouting own_routing(Topology const& topology, RoutingAlgorithm const& routing) {
    if (is_to_be_found(topology, routing)) return routing.find(topology);
    std::string names;
    for (OwnRouting const& own : topology.routings) {
        if (own.name == routing.name) return own;
        names += own.name + ", ";
    }
    for (RoutingAlgorithm const& any : all_routings())
        if (any.for_any_graph() || is_to_be_found(topology, any)) names += any.name + ", ";
    throw base::InputError({}, "this network has no routing \"" + routing.name + "\"", "that is for " + routing.where,
                           "choose one of " + names.substr(0, names.size() - 2));
}

}  // namespace

namespace {

std::vector<Parameter> const digit_parameter = {
    {.name = "digit",
     .kind = ParameterKind::choice,
     .fallback = "parents",
     .summary =
         "the number on level i is divided by w_1 .. w_i (Zahavi), or by m_1 .. m_(i-1), the hosts below a child "
         "(thin trees of INRFlow and INSEE); they differ where switches have fewer parents than children",
     .choices = {"parents", "children"}}};

std::vector<Parameter> const greedy_parameters = {
    {.name = "per",
     .kind = ParameterKind::choice,
     .fallback = "pair",
     .summary =
         "a route for every pair of hosts, or one for every switch and destination, which forwarding tables hold",
     .choices = {"pair", "destination"}},
    {.name = "file",
     .kind = ParameterKind::file,
     .summary = "the traffic, in any form that `tailback traffic` reads: rank r is host r in the order of the network; "
                "otherwise what the first mapping of the study sends",
     .optional = true}};

bool greedy_routes_pairs(Arguments const& arguments) { return arguments.word("per") == "pair"; }

}  // namespace

std::vector<RoutingAlgorithm> routings_of_core() {
    return {
        {"bfs", "shortest routes, by the lowest port", "any graph", {}, "bfs", {.minimal = true}, bfs_trees},
        {"random",
         "shortest routes, by a port drawn for every switch and destination",
         "any graph",
         {},
         "random",
         {.minimal = true, .draws = true},
         random_trees},
        {"minhop",
         "shortest routes, each by the port that carries the fewest destinations so far (the idea of OpenSM's minhop)",
         "any graph",
         {},
         "minhop",
         {.minimal = true},
         minhop_trees},
        {"updn",
         "up*/down*: first towards the roots, then away from them; balanced like minhop",
         "any graph",
         {{.name = "roots",
           .kind = ParameterKind::text,
           .summary =
               "root switches, separated by +: names, GUIDs (0x..), or file:PATH with one per line, as OpenSM's -a "
               "takes "
               "them (`audit --roots PATH` does the same); by default the top of the tree if that connects the hosts, "
               "otherwise the most central switch, for each part of the network that failures left",
           .optional = true}},
         "updn:roots=S2_0+S2_1",
         {.deadlock_free = true},
         updn_trees,
         nullptr,
         nullptr,
         nullptr,
         nullptr,
         updn_roots},
        {.name = "ftree",
         .summary =
             "the tables of OpenSM's ftree, entry by entry, on any tree of switches with hosts on its lowest level; "
             "uneven trees want roots",
         .where = "any graph",
         .parameters = {{.name = "roots",
                         .kind = ParameterKind::text,
                         .summary = "root switches as for updn (OpenSM's -a); otherwise those farthest from the hosts, "
                                    "and switches of a level must be alike",
                         .optional = true},
                        {.name = "compute",
                         .kind = ParameterKind::choice,
                         .fallback = "all",
                         .summary = "compute nodes, which belong on the lowest level: all hosts and aggregation nodes, "
                                    "or hosts alone (OpenSM's -u with their GUIDs)",
                         .choices = {"all", "hosts"}}},
         .example = "ftree:roots=file:roots.txt,compute=hosts",
         .claims = {.deadlock_free = true},
         .roots = ftree_roots,
         .make = ftree_routes},
        {"sssp",
         "shortest routes, by the links with the fewest routes so far (Hoefler, Schneider, Lumsdaine 2009)",
         "any graph",
         {},
         "sssp",
         {.minimal = true},
         sssp_trees},
        {"dfsssp",
         "sssp with virtual lanes: each path takes the first lane where it closes no cycle of waiting packets; `audit` "
         "and `generate` use the lanes",
         "any graph",
         {{.name = "lanes",
           .fallback = "8",
           .summary = "number of lanes (most hardware has 8, the maximum is 15); an error says how many are needed",
           .least = 1,
           .most = 15}},
         "dfsssp:lanes=4",
         {.minimal = true},
         sssp_trees,
         nullptr,
         nullptr,
         nullptr,
         lanes_by_layers,
         nullptr,
         true},
        {"ecmp",
         "shortest routes, at every switch by a hash of the flow (equal-cost multipath); routes depend on the source",
         "any graph",
         {{.name = "fields",
           .kind = ParameterKind::choice,
           .fallback = "both",
           .summary = "what is hashed of a flow",
           .choices = {"both", "source", "destination"}},
          {.name = "hash",
           .kind = ParameterKind::choice,
           .fallback = "per-switch",
           .summary = "a hash of its own for each switch, or the same for all, whose choices then repeat from switch "
                      "to switch (polarisation); linux: the Linux kernel's, bit for bit",
           .choices = {"per-switch", "same", "linux"}},
          {.name = "seed",
           .summary = "of linux: net.ipv4.fib_multipath_hash_seed of all switches, which then choose alike; otherwise "
                      "each has its own, drawn from --routing-seed (where the network is a folder of routers: as they "
                      "tell)",
           .least = 1,
           .most = 0xFFFFFFFFu,
           .optional = true},
          {.name = "policy",
           .kind = ParameterKind::choice,
           .fallback = "l4",
           .summary = "of linux: fib_multipath_hash_policy, l3 (addresses) or l4 (addresses, ports, protocol)",
           .choices = {"l4", "l3"}}},
         "ecmp:hash=linux,seed=7",
         {.minimal = true, .draws = true},
         nullptr,
         pairs_ecmp},
        {"valiant",
         "first to a random switch with hosts, drawn for every pair, then to the destination, both by another "
         "routing; hosts of one switch go straight; routes depend on the source",
         "any graph",
         {{.name = "by",
           .kind = ParameterKind::routing,
           .summary = "the routing of both parts (otherwise the usual one of the network, minhop on trees)",
           .optional = true},
          {.name = "via",
           .kind = ParameterKind::choice,
           .fallback = "switch",
           .summary = "group: only until the drawn switch's group is reached, and pairs of one group stay in it "
                      "(dragonflies; Kim et al. 2008); other-group: the same, never by the group of the source or of "
                      "the destination (INRFlow's dragonfly-valiant)",
           .choices = {"switch", "group", "other-group"}}},
         "valiant:by=dor",
         {.draws = true},
         nullptr,
         pairs_valiant,
         nullptr,
         nullptr,
         nullptr,
         nullptr,
         false,
         true},
        {"kshortest",
         "one of the k shortest routes without a circle between two switches, drawn for every pair (Yen 1971); routes "
         "depend on the source",
         "any graph",
         {{.name = "k",
           .fallback = "4",
           .summary = "how many routes there are to choose from",
           .least = 1,
           .most = 64}},
         "kshortest:k=8",
         {.draws = true},
         nullptr,
         pairs_kshortest},
        {"allpath",
         "one of all routes of at most d links more than the shortest, drawn for every pair; routes depend on the "
         "source",
         "any graph",
         {{.name = "d", .fallback = "1", .summary = "links more than the shortest", .least = 0, .most = 8}},
         "allpath:d=1",
         {.draws = true},
         nullptr,
         pairs_allpath},
        {.name = "ar",
         .summary = "adaptive: every switch has a set of ports for a destination and chooses as packets come; static "
                    "entries as minhop and updn would choose among them. `evaluate` takes the static entries, "
                    "`tailback bracket` what the sets allow",
         .where = "any graph",
         .parameters = {{.name = "sets",
                         .kind = ParameterKind::choice,
                         .fallback = "minimal",
                         .summary = "the ports of a set: minimal, all that lead nearer to the destination; updn, those "
                                    "of the shortest up*/down* ways; ftree, the same by cables between neighbouring "
                                    "levels of a tree alone",
                         .choices = {"minimal", "updn", "ftree"}},
                        {.name = "roots",
                         .kind = ParameterKind::text,
                         .summary = "of updn and ftree: as for the routing updn",
                         .optional = true}},
         .example = "ar:updn",
         .claims = {},
         .roots = updn_roots,
         .make = adaptive_routes},
        {"greedy-sum",
         "knows the traffic: pairs of hosts by falling bytes, each takes the shortest route whose links between "
         "switches "
         "have the least load together (PFSim's GreedyRouter)",
         "any graph",
         greedy_parameters,
         "greedy-sum:per=destination",
         {.minimal = true},
         nullptr,
         nullptr,
         greedy_sum,
         greedy_routes_pairs},
        {"greedy-max",
         "knows the traffic: pairs of hosts by falling bytes, each takes the shortest route whose most loaded link "
         "between switches has the least load (PFSim's GreedyRouter2)",
         "any graph",
         greedy_parameters,
         "greedy-max:per=destination",
         {.minimal = true},
         nullptr,
         nullptr,
         greedy_max,
         greedy_routes_pairs},
        {"smodk",
         "S-mod-K: up by the source's number, down the only way; routes depend on the source",
         "trees",
         digit_parameter,
         "smodk",
         {},
         nullptr},
        {"random-up",
         "up by a port drawn for every pair and level, down the only way; routes depend on the source",
         "trees",
         {},
         "random-up",
         {.draws = true},
         nullptr},
        {"round-robin-up",
         "up by the sum of the source's and the destination's numbers, down the only way: each source goes round its "
         "ports",
         "trees",
         digit_parameter,
         "round-robin-up",
         {},
         nullptr},
        {"dmodk",
         "D-mod-K: up by the destination's number, down the only way (on several cables by its number, too)",
         "trees",
         digit_parameter,
         "dmodk",
         {},
         nullptr},
        {.name = "dor",
         .summary = "dimension order: the first dimension to its end, then the next",
         .where = "torus, mesh, hypercube, hyperx, fully-connected, twisted-torus, midimew, triangular-torus, ring, "
                  "and any whole "
                  "torus or mesh from a file",
         .parameters =
             {{.name = "ties",
               .kind = ParameterKind::choice,
               .fallback = "plus",
               .summary =
                   "which way round a ring when both are equally long; parity: by the coordinate where the ring is "
                   "entered, "
                   "which shares the load; random: drawn for every switch and destination; "
                   "random-pair: drawn for every pair of hosts (INSEE), routes then depend on the source; the last "
                   "two on tori and rings",
               .choices = {"plus", "minus", "parity", "random", "random-pair"}},
              {.name = "order",
               .kind = ParameterKind::text,
               .summary = "the dimensions as they are corrected, zyx or 3x2x1; otherwise the first one first",
               .optional = true},
              {.name = "lanes",
               .kind = ParameterKind::choice,
               .fallback = "one",
               .summary =
                   "dateline: a route that passes the end of a ring takes a second lane there, which frees tori of "
                   "deadlock; "
                   "`audit` and `generate` use the lanes",
               .choices = {"one", "dateline"}}},
         .example = "dor:ties=parity,lanes=dateline",
         .claims = {},
         .find = found_dor,
         .found_as = "dor:ties=parity"},
        {"romm",
         "ROMM of two phases: in dimension order to a switch drawn for every pair in the minimal quadrant, then on to "
         "the "
         "destination (Nesson, Johnsson 1995); routes depend on the source",
         "torus, mesh, ring",
         {{.name = "order",
           .kind = ParameterKind::text,
           .summary = "the dimensions as both phases correct them, zyx or 3x2x1; otherwise the first one first",
           .optional = true}},
         "romm",
         {.draws = true},
         nullptr},
        {"rlb",
         "oblivious and balanced: round every ring the short way of D of k links with probability (k-D)/k, else the "
         "long one; then by a switch drawn in the quadrant of these ways, in drawn orders of the dimensions (Singh, "
         "Dally, Towles, Gupta 2002); routes depend on the source",
         "torus, mesh, ring",
         {{.name = "threshold",
           .kind = ParameterKind::choice,
           .fallback = "none",
           .summary = "quarter: the short way always where D is less than k/4 (RLBth)",
           .choices = {"none", "quarter"}}},
         "rlb:threshold=quarter",
         {.draws = true},
         nullptr},
        {"minimal",
         "to the group of the destination by one global link: local, global, local (of Aries up to two local links "
         "each "
         "time); of dragonfly+ leaf, spine, spine, leaf",
         "dragonfly, dragonfly+, aries",
         {{.name = "lanes",
           .kind = ParameterKind::choice,
           .fallback = "one",
           .summary = "global: a second lane behind the global link, which frees dragonflies of deadlock (dragonfly+ "
                      "is free on one)",
           .choices = {"one", "global"}}},
         "minimal:lanes=global",
         {},
         nullptr},
        {"nested",
         "in dimension order in the small torus; to another, by the nearest uplink, the usual routing of the network "
         "above and the uplink that is nearest to the destination",
         "nesttree, nestghc",
         {},
         "nested",
         {},
         nullptr},
    };
}

std::vector<RoutingAlgorithm> const& all_routings() { return tables().routings; }

namespace {

RoutingAlgorithm const& find_routing(std::string const& name) {
    std::vector<std::string> names;
    for (RoutingAlgorithm const& routing : all_routings()) {
        if (routing.name == name) return routing;
        names.push_back(routing.name);
    }
    base::refuse_left_out("routing", name);
    throw base::InputError({}, "unknown routing \"" + name + "\"", base::nearest_hint(name, names),
                           "`tailback list routings` shows all");
}

}  // namespace

RoutingSpec::RoutingSpec(std::string text, std::uint64_t seed, std::vector<model::Node> roots)
    : text_(std::move(text)),
      algorithm_(&find_routing(base::name_of_spec(text_))),
      arguments_(base::parse_arguments(text_, algorithm_->parameters, algorithm_->example)),
      seed_(seed),
      roots_(std::move(roots)) {
    for (Parameter const& parameter : algorithm_->parameters)
        if (parameter.kind == ParameterKind::routing && arguments_.given(parameter.name))
            by_ = std::make_shared<RoutingSpec const>(arguments_.word(parameter.name), seed);
}

std::vector<std::string> RoutingSpec::files() const {
    std::vector<std::string> files = base::files_named(algorithm_->parameters, arguments_);
    if (by_)
        for (std::string& file : by_->files()) files.push_back(std::move(file));
    return files;
}

bool RoutingSpec::draws() const {
    auto const drawn = [&](Parameter const& parameter) {
        return parameter.kind == ParameterKind::choice && arguments_.word(parameter.name).starts_with("random");
    };
    return algorithm_->claims.draws || std::any_of(algorithm_->parameters.begin(), algorithm_->parameters.end(), drawn);
}

RoutingSpec RoutingSpec::with_roots(std::vector<model::Node> roots) const {
    RoutingSpec other = *this;
    other.roots_ = std::move(roots);
    return other;
}

RoutingSpec RoutingSpec::with_traffic(HostTraffic traffic) const {
    RoutingSpec other = *this;
    other.traffic_ = std::make_shared<HostTraffic const>(std::move(traffic));
    return other;
}

std::vector<std::string> own_routings(Topology const& topology) {
    std::vector<std::string> specs;
    for (OwnRouting const& own : topology.routings) specs.push_back(own.name);
    for (RoutingAlgorithm const& routing : all_routings())
        if (is_to_be_found(topology, routing) ||
            (!routing.found_as.empty() && std::ranges::find(specs, routing.name) != specs.end()))
            specs.push_back(routing.found_as);
    return specs;
}

RoutingClaims claims_of(Topology const& topology, RoutingSpec const& spec) {
    RoutingAlgorithm const& routing = spec.algorithm();
    return routing.for_any_graph() ? routing.claims : own_routing(topology, routing).claims;
}

bool depends_on_source(Topology const& topology, RoutingSpec const& spec) {
    RoutingAlgorithm const& routing = spec.algorithm();
    if (routing.make_for_traffic != nullptr) return routing.routes_pairs(spec.arguments());
    if (routing.for_any_graph()) return routing.make_pairs != nullptr;
    if (is_to_be_found(topology, routing)) return false;
    OwnRouting const own = own_routing(topology, routing);
    return !own.make || (own.make_pairs && own.make_pairs(spec.arguments(), spec.seed()) != nullptr);
}

Routes make_routes(Topology const& topology, RoutingSpec const& spec) {
    if (has_lags(topology))
        return over_all_members(topology, spec, make_routes(without_further_members(topology), spec));
    io::Progress const progress("computing the routes");
    RoutingAlgorithm const& routing = spec.algorithm();
    Arguments const& arguments = spec.arguments();
    if (routing.trees != nullptr) {
        Routes routes{model::ForwardingTables(topology.network, 0), model::routing_by_tables(),
                      routing.lanes != nullptr ? routing.lanes(topology, arguments) : model::FindLanes{}};
        if (routing.roots != nullptr) routes.roots = routing.roots(topology, arguments, spec.roots());
        ForwardingGraph const graph(topology.network, topology.hosts_do);
        auto const trees = routing.trees(graph, {}, {topology.network, spec.seed(), routes.roots});
        routes.tables = tables_of(graph, topology.network, *trees);
        return routes;
    }
    if (routing.make_pairs != nullptr)
        return {model::ForwardingTables(topology.network, 0), routing.make_pairs(topology, spec)};
    if (routing.make != nullptr) return routing.make(topology, spec);
    if (routing.make_for_traffic != nullptr) return routing.make_for_traffic(topology, spec);
    OwnRouting const own = own_routing(topology, routing);
    if (own.make_pairs)
        if (auto pairs = own.make_pairs(arguments, spec.seed()))
            return {model::ForwardingTables(topology.network, 0), std::move(pairs)};
    return {own.make(topology.network, arguments, spec.seed()), model::routing_by_tables(),
            own.lanes ? own.lanes(arguments, spec.seed()) : model::FindLanes{}};
}

model::ForwardingTables make_tables(Topology const& topology, RoutingSpec const& spec) {
    Routes routes = make_routes(topology, spec);
    if (routes.routing->depends_on_source())
        throw base::InputError({}, "forwarding tables cannot hold the routes of \"" + spec.text() + "\"",
                               "they also depend on the source",
                               "choose a routing that depends on the destination alone");
    return std::move(routes.tables);
}

}  // namespace tailback::topologies
