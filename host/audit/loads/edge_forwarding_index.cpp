#include "host/audit/loads/edge_forwarding_index.hpp"

#include "host/audit/loads/all_pairs.hpp"
#include "host/model/routes/trace.hpp"

namespace tailback {
namespace {

/// Where every pair has a route of its own there is no tree to count down.
std::vector<std::uint64_t> index_by_pairs(Fabric const& fabric) {
    Network const& net = fabric.network;
    std::vector<std::uint64_t> load(net.links().size());
    for (std::size_t s = 0; s < net.hosts().size(); ++s)
        for (std::size_t d = 0; d < net.hosts().size(); ++d) {
            if (s == d || net[Host{s}].role != HostRole::compute || net[Host{d}].role != HostRole::compute) continue;
            Route const route = fabric.routing->trace(fabric, Host{s}, net[Host{d}].lid);
            if (route.fate != Fate::delivered) continue;
            for (Link const link : route.links) ++load[link.value];
        }
    return load;
}

}  // namespace

std::vector<std::uint64_t> edge_forwarding_index(Fabric const& fabric) {
    if (fabric.routing->depends_on_source()) return index_by_pairs(fabric);
    AllPairsRequest request;
    request.shortest = request.turns = false;
    request.base_lids_only = true;
    for (std::size_t i = 0; i < fabric.network.hosts().size(); ++i)
        if (fabric.network[Host{i}].role == HostRole::compute) request.sources.emplace_back(i);
    request.destinations = request.sources;
    return count_all_pairs(Forwarding(fabric), request, {DeviceChoice::cpu, 0}).load;
}

}  // namespace tailback
