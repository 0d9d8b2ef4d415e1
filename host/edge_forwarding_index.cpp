#include "host/edge_forwarding_index.hpp"

#include "host/audit/sweep.hpp"

namespace tailback {

std::vector<std::uint64_t> edge_forwarding_index(Fabric const& fabric) {
    SweepRequest request;
    request.shortest = request.turns = false;
    request.base_lids_only = true;
    for (std::size_t i = 0; i < fabric.network.hosts().size(); ++i)
        if (fabric.network[Host{i}].role == HostRole::compute) request.sources.emplace_back(i);
    request.destinations = request.sources;
    return sweep(Forwarding(fabric), request, {DeviceChoice::cpu, 0}).load;
}

}  // namespace tailback
