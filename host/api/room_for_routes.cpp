#include "host/api/room_for_routes.hpp"

#include "host/audit/audit.hpp"
#include "host/base/error.hpp"
#include "host/base/memory.hpp"
#include "host/base/numbers.hpp"
#include "host/model/pack/route_store.hpp"
#include "topologies/forwarding_graph.hpp"
#include "topologies/layout.hpp"
#include "topologies/regular.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::api {
namespace {

constexpr std::size_t most_row_bytes = std::size_t{4} << 30;

/// Is every route between hosts kept for itself?
bool keeps_pairs(FabricRequest const& request) {
    NetworkChoice const& choice = request.network;
    return request.hosts_of_pairs && choice.spec && choice.routing && choice.routing->algorithm().make_pairs != nullptr;
}

}  // namespace

void check_pairs_fit(FabricRequest const& request) {
    NetworkChoice const& choice = request.network;
    if (!keeps_pairs(request)) return;
    topologies::LayoutSizes const sizes = topologies::sizes_of(*choice.spec);
    bool fewer_ranks_help = true;
    if (choice.routing->algorithm().pairs_by_tables) {
        constexpr std::uint64_t most_entry_bytes = 3;  // while narrow entries become wide
        std::uint64_t const nodes = topologies::capped_sum(sizes.hosts, sizes.switches);
        base::require_memory("forwarding tables, by which its routes are made,",
                             topologies::capped_product(sizes.switches, nodes),
                             "choose a smaller network, or a routing by destination alone");
        std::optional<std::uint64_t> const left = base::available_memory();  // hosts may forward, too
        fewer_ranks_help = !left || topologies::capped_product(nodes, nodes) <= *left / most_entry_bytes;
    }
    model::require_pair_rows(std::min<std::uint64_t>(sizes.hosts, *request.hosts_of_pairs), model::least_pair_row_bytes,
                             most_row_bytes, fewer_ranks_help);
}

void check_rows_fit(FabricRequest const& request, model::Network const& network) {
    if (!keeps_pairs(request)) return;
    model::require_pair_rows(std::min<std::uint64_t>(network.hosts().size(), *request.hosts_of_pairs),
                             model::pair_row_bytes_at_least(network), most_row_bytes);
}

void check_paths_fit(FabricRequest const& request, model::Network const& network) {
    if (!request.paths) return;
    audit::AuditRequest chosen;
    audit::choose_endpoints(network, request.paths->hosts, request.paths->aggregation_nodes_are_hosts, chosen);
    std::vector<bool> is_place(network.nodes().size());
    std::uint64_t places = 0, switches = 0;
    for (std::size_t n = 0; n < network.nodes().size(); ++n) switches += network.is_switch(model::Node{n});
    for (model::Host const host : chosen.hosts)
        if (model::Link const up = network.up_link(host); up.exists() && network.is_switch(network[up].to)) {
            places += !is_place[network[up].to.value];
            is_place[network[up].to.value] = true;
        }
    std::uint64_t const lids = (std::uint64_t{network.max_lid()} << request.network.lmc) + 1;
    base::require_memory("the tables and shortest paths of " + base::counted(switches, "switch", "switches") + " and " +
                             base::counted(chosen.hosts.size(), "host", "hosts"),
                         switches * (lids + places), "audit some of the hosts (--hosts), or a smaller network");
}

RoutesForm form_of(FabricRequest const& request) {
    RoutesForm const form = request.network.form;
    if (request.wanted < Wanted::flows) return RoutesForm::tables;
    return request.wanted == Wanted::flows && form == RoutesForm::trees ? RoutesForm::tables : form;
}

std::uint64_t route_bytes(topologies::Topology const& topology) {
    topologies::ForwardingGraph const graph(topology.network, topology.hosts_do);
    std::uint64_t const hosts = topology.network.hosts().size(), nodes = topology.network.nodes().size();
    std::uint64_t groups = 0;
    for (std::uint32_t const sources : graph.sources) groups += sources > 0;
    std::uint64_t const tables = std::uint64_t{graph.size()} * (std::uint64_t{topology.network.max_lid()} + 1);
    std::uint64_t const rows = groups * hosts * 16;
    return tables + (rows <= std::uint64_t{4} << 30 ? rows : nodes * hosts * 4);
}

std::optional<model::Fabric> formula_of(FabricRequest const& request, TakeSentence const& note) {
    NetworkChoice const& choice = request.network;
    RoutesForm const form = form_of(request);
    if (form == RoutesForm::tables || form == RoutesForm::trees) return std::nullopt;
    auto const refused = [&](std::string const& why) -> std::optional<model::Fabric> {
        if (form == RoutesForm::automatic) return std::nullopt;
        throw base::InputError({}, "the routes cannot be computed", why, "leave out --routes arithmetic");
    };
    if (!choice.spec) return refused("--network is a file");
    if (choice.tables) return refused("--tables gives them");
    if (choice.failures.any()) return refused("the formula does not cover failures");
    if (choice.lmc > 0) return refused("the formula gives every host one LID");
    if (choice.link_rate) return refused("the formula knows no rates of links (--link-rate)");
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
                      : fmt::format("routes are computed by formula (stored they would take {:.3g} GB{})",
                                    double(bytes) * 1e-9,
                                    request.wanted == Wanted::mappings
                                        ? "; --routes tables stores them, which pays for many thousands of mappings"
                                        : ""));
    model::Fabric fabric = topologies::fabric_of(regular);
    topologies::RoutingSpec const routing =
        choice.routing ? *choice.routing : topologies::RoutingSpec(regular->routing);
    fabric.origin = {choice.network, routing.text(), choice.routing_seed, routing.draws()};
    return fabric;
}

}  // namespace tailback::api
