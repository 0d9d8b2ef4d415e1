// What a study must know of routes that are made destination by destination before any is made.
#include "host/base/error.hpp"
#include "host/model/pack/route_store.hpp"
#include "topologies/on_demand/on_demand_routes.hpp"

#include <algorithm>
#include <set>

namespace tailback::topologies {
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
        if (start[d] == ForwardingGraph::none) continue;
        graph.distances(start[d], hops, order);
        for (std::size_t s = 0; s < start.size(); ++s) {
            if (s == d || start[s] == ForwardingGraph::none || hops[start[s]] == ForwardingGraph::none) continue;
            ++pairs;
            links += hops[start[s]];
            found.longest = std::max(found.longest, hops[start[s]]);
        }
    }
    found.mean = pairs == 0 ? 0 : double(links) / double(pairs);
    return found;
}

}  // namespace

std::optional<model::UnreachablePairs> OnDemandRoutes::find_unreachable(model::Fabric const& fabric,
                                                                        std::vector<model::Host> const& study_hosts,
                                                                        std::size_t named) const {
    constexpr std::uint32_t none = ForwardingGraph::none;
    model::Network const& net = fabric.network;
    ForwardingGraph const& graph = graph_;
    std::vector<std::uint32_t> forwarder_of_lid(net.max_lid() + 1, none);
    for (std::uint32_t v = 0; v < graph.size(); ++v)
        for (std::uint32_t d = graph.first_destination[v]; d < graph.first_destination[v + 1]; ++d)
            forwarder_of_lid[graph.destinations[d].lid] = v;
    auto const count = static_cast<std::uint32_t>(study_hosts.size());
    std::vector<std::uint32_t> start, senders_at(graph.size());
    std::vector<std::vector<std::uint32_t>> seats_at(
        graph.size() + std::size_t{1});  // where packets for them leave; the last: nowhere
    for (std::uint32_t host_index = 0; host_index < count; ++host_index) {
        start.push_back(graph.entrance(net, study_hosts[host_index]));
        if (start.back() != none) ++senders_at[start.back()];
        std::uint32_t const at = forwarder_of_lid[net[study_hosts[host_index]].lid];
        seats_at[at == none ? graph.size() : at].push_back(host_index);
    }

    model::UnreachablePairs found;
    std::set<std::pair<std::uint32_t, std::uint32_t>> first;
    std::vector<bool> reaches(graph.size());
    auto const sends = [&](std::uint32_t host_index) {
        return start[host_index] != none && reaches[start[host_index]];
    };
    auto const is_late = [&](std::pair<std::uint32_t, std::uint32_t> const& pair) {
        return first.size() == named && (named == 0 || pair > *first.rbegin());
    };
    auto const add = [&](std::vector<std::uint32_t>& destinations, std::span<std::uint32_t const> sources) {
        std::uint64_t senders = 0, failed = 0;
        for (std::uint32_t const v : sources) {
            reaches[v] = true;
            senders += senders_at[v];
        }
        for (std::uint32_t const d : destinations) failed += count - 1 - (senders - (sends(d) ? 1 : 0));
        found.count += failed;
        std::sort(destinations.begin(), destinations.end());
        for (std::uint32_t s = 0; failed > 0 && s < count && !is_late({s, 0}); ++s) {
            if (sends(s)) continue;
            for (std::uint32_t const d : destinations) {
                if (is_late({s, d})) break;
                if (s == d) continue;
                first.insert({s, d});
                if (first.size() > named) first.erase(std::prev(first.end()));
            }
        }
        for (std::uint32_t const v : sources) reaches[v] = false;
    };
    reach(net, [&](std::span<std::uint32_t const> targets, std::span<std::uint32_t const> sources) {
        std::vector<std::uint32_t> destinations;
        for (std::uint32_t const t : targets)
            destinations.insert(destinations.end(), seats_at[t].begin(), seats_at[t].end());
        add(destinations, sources);
    });
    add(seats_at.back(), {});
    for (auto const& [s, d] : first) found.first.push_back({s, d, unreachable_route(net, study_hosts[s])});
    return found;
}

model::Route OnDemandRoutes::unreachable_route(model::Network const& net, model::Host source) const {
    std::uint32_t const entrance = graph_.entrance(net, source);
    model::Route route;
    route.fate = model::Fate::unreachable;
    route.cause = entrance == ForwardingGraph::none ? model::Cause::source_without_cable
                                                    : model::Cause::no_entry;  // what its table would lack
    route.end = entrance == ForwardingGraph::none ? net[source].node : graph_.nodes[entrance];
    return route;
}

model::Route OnDemandRoutes::trace(model::Fabric const& fabric, model::Host source, model::Lid destination) const {
    model::Network const& net = fabric.network;
    model::Route route;
    route.end = net[source].node;
    if (net.owner(destination).host == source) return route;
    std::uint32_t at = graph_.entrance(net, source);
    auto const trees = start(net, 1);
    bool met = false;
    while (at != ForwardingGraph::none && !met && trees->next())
        for (std::uint32_t t = trees->first_target(); t < trees->last_target() && !met; ++t)
            for (std::uint32_t d = graph_.first_destination[t]; d < graph_.first_destination[t + 1] && !met; ++d) {
                if (graph_.destinations[d].lid != destination) continue;
                met = true;
                if (graph_.index[net[source].node.value] == ForwardingGraph::none)
                    route.links.push_back(net.up_link(source));
                while (at != t) {
                    std::uint32_t const arc = trees->arc(at, t, d);
                    if (arc == ForwardingGraph::none) return unreachable_route(net, source);
                    route.links.push_back(net.link_at(graph_.nodes[at], graph_.arcs[arc].port));
                    at = graph_.arcs[arc].to;
                }
                route.end = graph_.nodes[t];
                if (graph_.destinations[d].port != 0)
                    route.links.push_back(net.link_at(route.end, graph_.destinations[d].port));
            }
    if (!met) return unreachable_route(net, source);
    if (!route.links.empty()) route.end = net[route.links.back()].to;
    return route;
}

model::RouteStore OnDemandRoutes::pack(model::Fabric const& fabric, std::vector<model::Host> const& study_hosts,
                                       model::LinkCosts const& costs, std::size_t, kernels::MakeRoutePacker) const {
    model::Network const& net = fabric.network;
    ForwardingGraph const& graph = graph_;
    auto const use_tables = [&](std::string const& problem, std::string const& why) {
        throw base::InputError({}, problem, why, "have the routes stored (`tailback evaluate --routes tables`)");
    };
    model::RouteStore store;
    std::vector<model::Link> down;
    std::vector<std::uint32_t> start;
    std::size_t forwarding = 0;
    for (model::Host const host : study_hosts) {
        forwarding += graph.index[net[host].node.value] != ForwardingGraph::none;
        start.push_back(graph.entrance(net, host));
    }
    store.host_links_implied = forwarding == 0 && model::host_links_are_implied(fabric, study_hosts, down);
    if (!store.host_links_implied && forwarding < study_hosts.size())
        use_tables("routes by " + text_ + " cannot be made destination by destination",
                   "some hosts of the study have several links, or one to another host");
    for (std::size_t l = 0; l < net.links().size(); ++l) {
        model::LinkRecord const& link = net[model::Link{l}];
        bool const is_arc = graph.index[link.from.value] != ForwardingGraph::none &&
                            graph.index[link.to.value] != ForwardingGraph::none;
        if (is_arc) store.link_of_index.push_back(model::Link{l});  // in the order of the graph's arcs
    }
    store.inner = static_cast<std::uint32_t>(store.link_of_index.size());
    store.groups = static_cast<std::uint32_t>(study_hosts.size());
    for (std::uint32_t s = 0; s < store.groups; ++s) store.group.push_back(s);
    SampledLengths const lengths = sample_lengths(graph, start);
    store.longest = lengths.longest;
    store.length_bound = graph.size();  // no forwarder is met twice
    store.mean_links = lengths.mean + (store.host_links_implied ? 2 : 0);
    std::uint64_t const failed = find_unreachable(fabric, study_hosts, 0)->count;
    store.all_delivered = failed == 0;
    store.none_delivered = failed == std::uint64_t{store.groups} * (store.groups - 1);
    store.row_width = 0;
    store.made_on_demand = true;
    store.add_outer_slots(net, study_hosts, down, costs);
    return store;
}

}  // namespace tailback::topologies
