#include "host/audit/loads/edge_forwarding_index.hpp"

#include "host/audit/loads/all_pairs.hpp"
#include "host/model/routes/trace.hpp"

namespace tailback::audit {
namespace {

/// Where every pair has a route of its own there is no tree to count down.
std::vector<std::uint64_t> index_by_pairs(model::Fabric const& fabric) {
    model::Network const& net = fabric.network;
    std::vector<std::uint64_t> load(net.links().size());
    for (std::size_t s = 0; s < net.hosts().size(); ++s)
        for (std::size_t d = 0; d < net.hosts().size(); ++d) {
            if (s == d || net[model::Host{s}].role != model::HostRole::compute ||
                net[model::Host{d}].role != model::HostRole::compute)
                continue;
            model::HostRecord const& to = net[model::Host{d}];
            for (model::Lid lid = to.lid; lid < to.lid + (model::Lid{1} << to.lmc); ++lid) {
                model::Route const route = fabric.routing->trace(fabric, model::Host{s}, lid);
                if (route.fate != model::Fate::delivered) continue;
                for (model::Link const link : route.links) ++load[link.value];
            }
        }
    return load;
}

}  // namespace

std::vector<std::uint64_t> edge_forwarding_index(model::Fabric const& fabric) {
    if (fabric.routing->depends_on_source()) return index_by_pairs(fabric);
    AllPairsRequest request;
    request.shortest = request.turns = false;
    for (std::size_t i = 0; i < fabric.network.hosts().size(); ++i)
        if (fabric.network[model::Host{i}].role == model::HostRole::compute) request.sources.emplace_back(i);
    request.destinations = request.sources;
    return count_all_pairs(model::Forwarding(fabric), request, {evaluation::DeviceChoice::cpu, 0}).load;
}

}  // namespace tailback::audit
