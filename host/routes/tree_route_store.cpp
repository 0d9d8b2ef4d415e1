// What a study must know of routes that are made destination by destination before any is made.
#include "host/error.hpp"
#include "host/routes/route_store.hpp"
#include "topologies/tree_routes.hpp"

#include <algorithm>

namespace tailback {
namespace {

/// Links between forwarders of shortest routes from all seats to some of them, which stand for all.
struct SampledLengths {
    double mean = 0;
    std::uint32_t longest = 0;
};
SampledLengths sample_lengths(ForwardingGraph const& graph, std::vector<std::uint32_t> const& start) {
    constexpr std::size_t samples = 64;
    std::vector<std::uint32_t> hops, order;
    SampledLengths found;
    std::uint64_t links = 0, pairs = 0;
    std::size_t const step = std::max<std::size_t>(1, start.size() / samples);
    for (std::size_t d = 0; d < start.size(); d += step) {
        graph.distances(start[d], hops, order);
        for (std::size_t s = 0; s < start.size(); ++s) {
            if (s == d) continue;
            ++pairs;
            links += hops[start[s]];
            found.longest = std::max(found.longest, hops[start[s]]);
        }
    }
    found.mean = pairs == 0 ? 0 : double(links) / double(pairs);
    return found;
}

}  // namespace

RouteStore pack_tree_routes(Fabric const& fabric, std::vector<Host> const& seats, LinkCosts const& costs) {
    Network const& net = fabric.network;
    TreeRoutes const& routes = *fabric.tree_routes;
    ForwardingGraph const& graph = routes.graph();
    auto const use_tables = [&](std::string const& problem, std::string const& why) {
        throw InputError({}, problem, why, "use --routes tables, which tells what fails");
    };
    if (!routes.connects(net, seats))
        use_tables("routes by " + routes.text() + " cannot be made destination by destination",
                   "not all hosts of the study can reach each other");
    RouteStore store;
    std::vector<Link> down;
    std::vector<std::uint32_t> start;
    std::size_t forwarding = 0;
    for (Host const host : seats) {
        forwarding += graph.index[net[host].node.value] != ForwardingGraph::none;
        start.push_back(graph.entrance(net, host));
    }
    store.host_links_implied = forwarding == 0 && host_links_are_implied(fabric, seats, down);
    if (!store.host_links_implied && forwarding < seats.size())
        use_tables("routes by " + routes.text() + " cannot be made destination by destination",
                   "some hosts of the study have several links, or one to another host");
    for (std::size_t l = 0; l < net.links().size(); ++l) {
        LinkRecord const& link = net[Link{l}];
        bool const is_arc = graph.index[link.from.value] != ForwardingGraph::none &&
                            graph.index[link.to.value] != ForwardingGraph::none;
        if (is_arc) store.slot_link.push_back(Link{l});  // in the order of the graph's arcs
    }
    store.inner = static_cast<std::uint32_t>(store.slot_link.size());
    store.groups = static_cast<std::uint32_t>(seats.size());
    for (std::uint32_t s = 0; s < store.groups; ++s) store.group.push_back(s);
    SampledLengths const lengths = sample_lengths(graph, start);
    store.longest = lengths.longest;
    store.mean_links = lengths.mean + (store.host_links_implied ? 2 : 0);
    store.all_delivered = true;
    store.row_width = 0;
    store.add_outer_slots(net, seats, down, costs);
    return store;
}

}  // namespace tailback
