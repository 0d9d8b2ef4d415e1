#include "host/commands/input.hpp"

#include "host/base/error.hpp"
#include "host/base/numbers.hpp"
#include "host/commands/cxxopts.hpp"
#include "host/commands/options.hpp"
#include "host/commands/quiet.hpp"
#include "host/formats/formats.hpp"
#include "host/formats/read/roots.hpp"
#include "host/io/output_file.hpp"
#include "topologies/named_files.hpp"
#include "topologies/routing.hpp"
#include "topologies/tree_routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace tailback {

namespace {
bool quiet = false, warnings_alone = false;
WarningsByPoint* by_point = nullptr;

void write_line(std::string const& kind, std::string const& text) {
    std::fputs(("tailback: " + kind + ": " + printable(text) + "\n").c_str(), stderr);
}

}  // namespace

void tell_warnings_alone() { warnings_alone = true; }

void tell_no_more() { quiet = true; }

void tell(std::string const& kind, std::string const& text) {
    if (quiet || (warnings_alone && kind != "warning")) return;
    if (by_point != nullptr && kind == "warning") return by_point->take(text);
    write_line(kind, text);
}

WarningsByPoint::WarningsByPoint() { by_point = this; }

WarningsByPoint::~WarningsByPoint() {
    by_point = nullptr;
    for (Met const& met : met_)
        if (met.points > 1)
            tell("note", fmt::format("the warning of point {} also holds for {}: {}", met.first,
                                     counted(met.points - 1, "other point", "other points"), met.warning));
}

void WarningsByPoint::take(std::string const& warning) {
    auto const same = std::find_if(met_.begin(), met_.end(), [&](Met const& met) { return met.warning == warning; });
    if (same == met_.end()) {
        met_.push_back({warning, point_, point_, 1});
        return write_line("warning", fmt::format("point {}: {}", point_, warning));
    }
    same->points += same->last != point_;
    same->last = point_;
}

namespace {

void tell_warning(std::string const& warning) { tell("warning", warning); }

Fabric read_and_warn(std::string const& network_path, std::optional<std::string> const& tables_path, bool strict,
                     TakeNote const& warn) {
    Disagreements disagreements(strict);
    Fabric fabric = read_fabric(network_path, tables_path, disagreements);
    for (std::string const& warning : disagreements.warnings()) warn(warning);
    return fabric;
}

}  // namespace

void tell_warnings(Disagreements const& disagreements) {
    for (std::string const& warning : disagreements.warnings()) tell_warning(warning);
}

Fabric read_and_tell(std::string const& network_path, std::optional<std::string> const& tables_path, bool strict) {
    return read_and_warn(network_path, tables_path, strict, tell_warning);
}

bool NetworkChoice::is_spec() const {
    std::error_code ignored;
    if (std::filesystem::exists(network, ignored)) return false;
    if (is_topology_spec(network)) return true;
    std::string const name = name_of_spec(network);
    return name.size() < network.size() && !name.empty() &&
           name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789+-") == std::string::npos;
}

std::vector<std::string> NetworkChoice::files() const {
    if (network.empty())
        throw InputError({}, "the network has an empty name", "",
                         "name a file, or a spec that `tailback list topologies` explains");
    std::vector<std::string> read;
    if (is_spec()) read = files_named_by_topology(network);
    else read.push_back(network);
    if (tables) read.push_back(*tables);
    if (routing)
        for (std::string& file : files_named_by_routing(*routing)) read.push_back(std::move(file));
    return read;
}

void check_places(std::vector<std::string> const& inputs, std::vector<std::string> const& outputs) {
    if (std::count(inputs.begin(), inputs.end(), "-") > 1)
        throw InputError({}, "standard input is given twice", "it can be read only once",
                         "name a file for one of them");
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j)
            if (same_target(outputs[i], outputs[j]))
                throw InputError({outputs[i] == "-" ? "standard output" : outputs[i], 0},
                                 "two outputs go to the same place", "", "give each its own");
        for (std::string const& input : inputs)
            if (input != "-" && outputs[i] != "-" && same_target(outputs[i], input))
                throw InputError({outputs[i], 0}, "an output would replace an input", "",
                                 "choose another place for the output");
    }
}

void check_files(std::vector<std::string> const& inputs, std::vector<std::string> const& outputs) {
    check_places(inputs, outputs);
    for (std::string const& output : outputs) check_writable(output);
}

void declare_network(cxxopts::Options& options, std::string const& group, bool with_network) {
    using cxxopts::value;
    using std::string;
    auto add = options.add_options(group);
    // clang-format off
    if (with_network)
        add("network", "the network: a file (ibnetdiscover output, opensm-subnet.lst or ORCS dot; .xz is unpacked; - is standard input), or a spec like torus:8x8x8 (see `tailback list topologies`)", value<string>(), "FILE|SPEC");
    add("tables", "forwarding tables: LFT dump or .fdbs; ORCS dot files contain their own", value<string>(), "FILE")
       ("routing", "compute the routes instead of reading tables: minhop, updn, dmodk, ... (see `tailback list routings`)", value<string>(), "NAME")
       ("routing-seed", "seed of the routing's random choices", value<string>()->default_value("1"), "S")
       ("fail-cables", "let random cables fail: a number (12) or a share (2%, rounded to the nearest whole number); switch:2% fails only cables between switches", value<string>(), "N|P%")
       ("fail-switches", "let random switches fail with all their cables: a number or a share", value<string>(), "N|P%")
       ("fail-seed", "seed of the random failures", value<string>()->default_value("1"), "S");
    // clang-format on
}

std::vector<std::string> const& network_option_names() {
    static std::vector<std::string> const names = {"--network",     "--tables",        "--routing",  "--routing-seed",
                                                   "--fail-cables", "--fail-switches", "--fail-seed"};
    return names;
}

NetworkChoice network_choice(std::function<std::optional<std::string>(std::string const&)> const& text) {
    NetworkChoice choice;
    choice.tables = text("tables");
    choice.routing = text("routing");
    if (auto const seed = text("routing-seed"))
        choice.routing_seed = whole_number("--routing-seed", *seed, 0, UINT64_MAX);
    if (auto const cables = text("fail-cables"))
        choice.failures.cables = parse_failures("--fail-cables", *cables, true);
    if (auto const switches = text("fail-switches"))
        choice.failures.switches = parse_failures("--fail-switches", *switches, false);
    if (auto const seed = text("fail-seed")) choice.failures.seed = whole_number("--fail-seed", *seed, 0, UINT64_MAX);
    if (choice.tables && choice.routing)
        throw InputError({}, "--tables and --routing are both given", "each of them decides the routes",
                         "give only one of them");
    return choice;
}

namespace {

Network fail(Network const& network, Failures const& failures, NetworkOrigin& origin, TakeNote const& note) {
    DegradedNetwork degraded = degrade(network, failures);
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

/// The same network, where switches and cabled hosts without a LID get one: tables name destinations by it.
Network with_lids(Network const& network) {
    NetworkBuilder builder(network.named());
    Lid next = network.max_lid();
    for (NodeRecord node : network.nodes()) {
        if (node.kind == NodeKind::switch_node && node.lid == 0) node.lid = ++next;
        builder.add_node(std::move(node));
    }
    for (std::size_t h = 0; h < network.hosts().size(); ++h) {
        HostRecord host = network[Host{h}];
        if (host.lid == 0 && network.up_link(Host{h}).exists()) host.lid = ++next;
        builder.add_host(host);
    }
    for (LinkRecord link : network.links()) {
        link.reverse = Link{};
        builder.add_link(link);
    }
    Disagreements told_already;
    return builder.finish(told_already, "");
}

/// What tables take, and the routes between all hosts packed from them (host/study/pack/route_store.hpp): rows of 16
/// bytes, or steps where these would exceed 4 GiB.
std::uint64_t route_bytes(Topology const& topology) {
    ForwardingGraph const graph(topology.network, topology.hosts_do);
    std::uint64_t const hosts = topology.network.hosts().size(), nodes = topology.network.nodes().size();
    std::uint64_t groups = 0;
    for (std::uint32_t const sources : graph.sources) groups += sources > 0;
    std::uint64_t const tables = std::uint64_t{graph.size()} * (std::uint64_t{topology.network.max_lid()} + 1);
    std::uint64_t const rows = groups * hosts * 16;
    return tables + (rows <= std::uint64_t{4} << 30 ? rows : nodes * hosts * 4);
}

}  // namespace

std::unique_ptr<RegularNetwork> obtain_regular(NetworkChoice const& choice, RoutesForm form, bool wants_tables,
                                               TakeNote const& note) {
    if (form == RoutesForm::tables || form == RoutesForm::trees || (form == RoutesForm::automatic && wants_tables))
        return nullptr;
    auto const refused = [&](std::string const& why) -> std::unique_ptr<RegularNetwork> {
        if (form == RoutesForm::automatic) return nullptr;
        throw InputError({}, "the routes cannot be computed", why, "leave out --routes arithmetic");
    };
    if (!choice.is_spec()) return refused("--network is a file");
    if (choice.tables) return refused("--tables gives them");
    if (choice.failures.cables || choice.failures.switches) return refused("the formula does not cover failures");
    std::unique_ptr<RegularNetwork> regular =
        make_regular(choice.network, choice.routing.value_or(""), choice.routing_seed);
    if (!regular) return refused("there is no formula for this network with this routing");
    regular->origin = {choice.network, choice.routing.value_or(regular->routing), choice.routing_seed};
    // One byte an entry, or at least sixteen for a pair's row.
    std::uint64_t const bytes = std::uint64_t{regular->hosts} *
                                (regular->depends_on_source ? std::uint64_t{regular->hosts} * 16 : regular->switches);
    if (form == RoutesForm::automatic && bytes <= most_table_bytes) return nullptr;
    if (form == RoutesForm::automatic)
        note(fmt::format("routes are computed by formula (tables would take {:.3g} GB; --routes tables makes them)",
                         double(bytes) * 1e-9));
    return regular;
}

std::unique_ptr<RegularNetwork> obtain_regular(NetworkChoice const& choice, RoutesForm form, bool wants_tables) {
    return obtain_regular(choice, form, wants_tables, [](std::string const& note) { tell("note", note); });
}

NetworkInput obtain_network(NetworkChoice const& choice, TakeNote const& warn) {
    if (!choice.is_spec()) return {read_and_warn(choice.network, choice.tables, choice.strict, warn), std::nullopt};
    if (choice.tables)
        throw InputError({}, "--tables does not go with the spec \"" + choice.network + "\"",
                         "tables refer to the nodes of a file; a generated network is routed by name",
                         "give --routing instead");
    return {Fabric{}, make_topology(choice.network)};
}

Fabric obtain_fabric(NetworkChoice const& choice, bool wants_routes, RoutesForm form) {
    return route_network(obtain_network(choice, tell_warning), choice, wants_routes, form,
                         [](std::string const& note) { tell("note", note); });
}

Fabric route_network(NetworkInput input, NetworkChoice const& choice, bool wants_routes, RoutesForm form,
                     TakeNote const& note) {
    Topology topology;
    Fabric fabric = std::move(input.read);
    std::optional<std::string> routing = choice.routing;
    if (input.made) {
        topology = std::move(*input.made);
        if (!routing && wants_routes) {
            routing = topology.usual_routing;
            note(fmt::format("routed by {} (the default for {}; --routing chooses another)", *routing,
                             name_of_spec(choice.network)));
        }
    } else {
        if (!routing && form == RoutesForm::trees)
            throw InputError({}, "--routes trees needs a routing", "", "name a --routing, or leave out --routes trees");
        if (!routing) {
            if (choice.failures.any()) fabric.network = fail(fabric.network, choice.failures, fabric.origin, note);
            return fabric;
        }
        topology.network = with_lids(fabric.network);
    }
    Routes routes{ForwardingTables(topology.network, 0), nullptr};
    bool const any_graph = routing && works_on_any_graph(*routing);
    auto const route = [&] {
        std::vector<Node> listed;
        if (!choice.roots.empty() && wants_roots(*routing)) listed = read_roots(choice.roots, topology.network);
        if (form == RoutesForm::trees && !any_graph && choice.failures.any())
            throw InputError({}, "--routes trees cannot route around failures here",
                             "\"" + *routing + "\" routes by a formula, which does not cover failures",
                             "leave out --routes trees");
        bool const serve = TreeRoutes::serve(topology, *routing) && (any_graph || !choice.failures.any());
        std::uint64_t const bytes = form == RoutesForm::automatic && serve ? route_bytes(topology) : 0;
        if (form != RoutesForm::trees && bytes <= most_route_bytes) {
            routes = make_routes(topology, *routing, choice.routing_seed, listed);
            return;
        }
        fabric.tree_routes = std::make_shared<TreeRoutes>(topology, *routing, choice.routing_seed, listed);
        routes.roots = fabric.tree_routes->roots();
        if (form == RoutesForm::automatic)
            note(fmt::format(
                "routes are computed on demand, one destination at a time (stored they would take {:.3g} GB; "
                "--routes tables stores them)",
                double(bytes) * 1e-9));
    };
    if (routing && !any_graph) route();
    if (choice.failures.any()) topology.network = fail(topology.network, choice.failures, fabric.origin, note);
    if (any_graph) route();
    fabric.tables = std::move(routes.tables);
    fabric.pair_routes = std::move(routes.pairs);
    fabric.find_lanes = std::move(routes.find_lanes);
    fabric.roots = std::move(routes.roots);
    fabric.routed = routing.has_value();
    fabric.network = std::move(topology.network);
    if (input.made) fabric.origin.spec = choice.network;
    if (routing) {
        fabric.origin.routing = *routing;
        fabric.origin.routing_seed = choice.routing_seed;
    }
    return fabric;
}

void require_tables(Fabric const& fabric, std::string const& what) {
    if (fabric.pair_routes)
        throw InputError({}, what + " needs forwarding tables",
                         "routes by " + fabric.pair_routes->text() + " also depend on the source",
                         "choose a routing that depends on the destination alone");
}

}  // namespace tailback
