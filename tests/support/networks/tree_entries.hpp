// Routes made destination by destination, beside tables entry by entry.
#pragma once

#include "host/model/tables.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/on_demand/on_demand_routes.hpp"

namespace tailback {

struct ComparedEntries {
    std::size_t seen = 0, wrong = 0;  ///< of every forwarder for every host elsewhere
};

inline ComparedEntries compare_entries(OnDemandRoutes const& routes, Network const& network, unsigned threads,
                                       ForwardingTables const& tables) {
    ComparedEntries entries;
    ForwardingGraph const& graph = routes.graph();
    auto const trees = routes.start(network, threads);
    while (trees->next())
        for (std::uint32_t t = trees->first_target(); t < trees->last_target(); ++t)
            for (std::uint32_t d = graph.first_destination[t]; d < graph.first_destination[t + 1]; ++d)
                for (std::uint32_t v = 0; v < graph.size(); ++v) {
                    if (v == t || !graph.destinations[d].host) continue;
                    std::uint32_t const arc = trees->arc(v, t, d);
                    Port const port = arc == ForwardingGraph::none ? ForwardingTables::no_entry : graph.arcs[arc].port;
                    entries.wrong += port != tables.port(graph.nodes[v], graph.destinations[d].lid);
                    ++entries.seen;
                }
    return entries;
}

}  // namespace tailback
