// Dimension order on the coordinates that cables give.
#include "topologies/families/torus/found_dor.hpp"

#include "host/base/error.hpp"
#include "topologies/families/torus/found_torus.hpp"

#include <algorithm>
#include <memory>

namespace tailback::topologies {

OwnRouting found_dor(Topology const& topology) {
    ForwardingGraph const graph(topology.network, topology.hosts_do);
    auto const found = std::make_shared<FoundTorus const>(graph, topology.network);
    bool const rings_are_short =
        std::all_of(found->shape.sizes.begin(), found->shape.sizes.end(),
                    [&, d = 0u](std::uint32_t n) mutable { return !found->shape.closed(d++) || n <= 3; });
    // Turns on parallel cables: neighbours and hosts of one switch differ.
    auto const turn = std::make_shared<std::vector<std::uint32_t>>(topology.network.max_lid());
    for (std::uint32_t t = 0; t < graph.size(); ++t) {
        std::uint32_t sum = 0, rest = found->number[t];
        for (std::uint32_t const n : found->shape.sizes) {
            sum += rest % n;
            rest /= n;
        }
        for (std::uint32_t d = graph.first_destination[t]; d < graph.first_destination[t + 1]; ++d)
            (*turn)[graph.destinations[d].lid - 1] = sum + d - graph.first_destination[t];
    }
    return {"dor",
            {.minimal = true, .deadlock_free = rings_are_short},
            [found, turn](model::Network const& network, Arguments const& options, std::uint64_t seed) {
                DimensionOrder const order = order_of(found->shape, options, seed);
                if (order.ties == Ties::random_pair)
                    throw base::InputError({}, "ties=random-pair is for generated tori",
                                           "here coordinates were found in the cables", "choose ties=random");
                if (options.word("lanes") != "one")
                    throw base::InputError({}, "dateline lanes are for generated tori",
                                           "here coordinates were found in the cables", "choose dfsssp");
                return tables_by_destination(
                    network, HostsDo::send, [&](std::uint32_t v, std::uint32_t t, std::uint32_t number) {
                        TorusStep const step = dor_step(found->shape, found->number[v], found->number[t], order);
                        std::vector<model::Port> const& ports = found->ports(v, step);
                        return ports[(*turn)[number] % ports.size()];
                    });
            }};
}

}  // namespace tailback::topologies
