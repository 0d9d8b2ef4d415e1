#include "host/api/room_for_routes.hpp"

#include "host/audit/audit.hpp"
#include "host/base/memory.hpp"
#include "host/base/numbers.hpp"
#include "host/model/pack/route_store.hpp"
#include "topologies/layout.hpp"

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

}  // namespace tailback::api
