// Greedy routing as in PFSim (Takahashi, Date, Khureltulga, Kido, Shimojo, "PFAnalyzer: A Toolset for Analyzing
// Application-Aware Dynamic Interconnects", 2017; github.com/shimojo-lab/pfsim): GreedyRouter takes the least sum of
// loads over the links between switches, GreedyRouter2 the least largest load. Loads here are bytes / capacity. Among
// equal routes the one by the lowest port where they part is taken.
#include "topologies/routings/greedy.hpp"

#include "host/base/digest.hpp"
#include "host/base/error.hpp"
#include "host/io/progress.hpp"
#include "host/model/capacities.hpp"
#include "host/traffic/formats.hpp"
#include "topologies/routings/pairs_on_graph.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::topologies {
namespace {

__extension__ using Wide = unsigned __int128;

enum class Least : std::uint8_t { sum, largest };

/// The arcs of a graph with the bytes that routes have put on them so far, and the best of the shortest routes.
class LoadedGraph {
public:
    LoadedGraph(Topology const& topology, ForwardingGraph const& graph, Least least)
        : graph_(graph), least_(least), load_(graph.arcs.size()), cost_(graph.arcs.size(), 1) {
        model::LinkCosts const costs = model::link_costs(topology.network, model::CapacityKind::from_rates);
        for (std::uint32_t v = 0; !costs.cost.empty() && v < graph.size(); ++v)
            for (std::uint32_t a = graph.first_arc[v]; a < graph.first_arc[v + 1]; ++a)
                cost_[a] = costs.cost[topology.network.link_at(graph.nodes[v], graph.arcs[a].port).value];
        hops_to_.resize(graph.size());
        at_.resize(graph.size(), none);
    }
    void add(std::uint32_t arc, std::uint64_t bytes) { load_[arc] += bytes; }

    /// Links to forwarder `to`, by forwarder; none = no way.
    std::vector<std::uint32_t> const& hops_to(std::uint32_t to) {
        std::vector<std::uint32_t>& hops = hops_to_[to];
        if (hops.empty()) {
            if ((kept_ += graph_.size() * sizeof(std::uint32_t)) > most_bytes)
                throw base::InputError({}, "the routes need more than 4 GiB while they are made",
                                       "the network has very many switches", "use a smaller network");
            std::vector<std::uint32_t> order;
            graph_.distances(to, hops, order);
        }
        return hops;
    }
    /// Calls visit(arc) for the arcs of the best shortest route from `from` to `to`, one after the other.
    /// @param fixed fixed(v) is the arc that v has to take, or none. @return false where there is no way.
    template <class Fixed, class Visit>
    bool route(std::uint32_t from, std::uint32_t to, Fixed&& fixed, Visit&& visit) {
        std::vector<std::uint32_t> const& hops = hops_to(to);
        if (hops[from] == none) return false;
        weigh(from, to, hops, fixed);
        Wide budget = best_[at_[from]];
        for (std::uint32_t v = from; v != to;) {
            std::uint32_t taken = none;
            each_arc(v, to, hops, fixed, [&](std::uint32_t arc) {
                if (taken == none && with(arc, best_[at_[graph_.arcs[arc].to]]) <= budget) taken = arc;
            });
            if (least_ == Least::sum) budget -= cost_of(taken);
            visit(taken);
            v = graph_.arcs[taken].to;
        }
        for (std::uint32_t const v : met_) at_[v] = none;
        return true;
    }

private:
    Wide cost_of(std::uint32_t arc) const { return Wide{load_[arc]} * cost_[arc]; }
    Wide with(std::uint32_t arc, Wide rest) const {
        return least_ == Least::sum ? cost_of(arc) + rest : std::max(cost_of(arc), rest);
    }
    /// The arcs by which a shortest route to `to` can leave v.
    template <class Fixed, class Visit>
    void each_arc(std::uint32_t v, std::uint32_t to, std::vector<std::uint32_t> const& hops, Fixed& fixed,
                  Visit&& visit) const {
        if (std::uint32_t const only = fixed(v); only != none) return visit(only);
        for (std::uint32_t a = graph_.first_arc[v]; a < graph_.first_arc[v + 1]; ++a) {
            std::uint32_t const next = graph_.arcs[a].to;
            if (hops[next] != none && hops[next] + 1 == hops[v] && (next == to || graph_.transit[next])) visit(a);
        }
    }
    /// best_ of all forwarders that shortest routes from `from` to `to` can meet.
    template <class Fixed>
    void weigh(std::uint32_t from, std::uint32_t to, std::vector<std::uint32_t> const& hops, Fixed& fixed) {
        met_.assign(1, from);
        at_[from] = 0;
        for (std::size_t i = 0; i < met_.size(); ++i)
            if (met_[i] != to)
                each_arc(met_[i], to, hops, fixed, [&](std::uint32_t arc) {
                    std::uint32_t const next = graph_.arcs[arc].to;
                    if (at_[next] == none) at_[next] = static_cast<std::uint32_t>(met_.size()), met_.push_back(next);
                });
        best_.assign(met_.size(), 0);
        for (std::size_t i = met_.size(); i-- > 0;) {  // nearest to `to` first
            if (met_[i] == to) continue;
            best_[i] = ~Wide{0};
            each_arc(met_[i], to, hops, fixed, [&](std::uint32_t arc) {
                best_[i] = std::min(best_[i], with(arc, best_[at_[graph_.arcs[arc].to]]));
            });
        }
    }

    ForwardingGraph const& graph_;
    Least least_;
    std::vector<std::uint64_t> load_;
    std::vector<std::uint32_t> cost_;                  ///< by arc: the inverse of its capacity
    std::vector<std::vector<std::uint32_t>> hops_to_;  ///< [to][from]; empty: not asked for yet
    std::uint64_t kept_ = 0;
    std::vector<std::uint32_t> met_, at_;  ///< of one route: forwarders, the farthest first; where they are in it
    std::vector<Wide> best_;
};

/// The traffic of the routing's file.
HostTraffic read_host_traffic(std::string const& file, model::Network const& network) {
    traffic::TrafficMatrix const matrix = traffic::read_traffic(file);
    if (matrix.ranks > network.hosts().size())
        throw base::InputError({file, 0}, fmt::format("the traffic is of {} ranks", matrix.ranks),
                               fmt::format("the network has {} hosts, and rank r is host r", network.hosts().size()),
                               "add up what is sent between the hosts");
    HostTraffic demands;
    traffic::for_each_row(matrix, [&](traffic::Entry const& entry) {
        if (entry.source != entry.destination && entry.bytes > 0)
            demands.push_back({model::Host{entry.source}, model::Host{entry.destination}, entry.bytes});
    });
    return demands;
}

/// By falling bytes. @throws InputError where the traffic is not known.
HostTraffic demands_of(Topology const& topology, RoutingSpec const& spec) {
    HostTraffic demands;
    if (spec.arguments().given("file")) demands = read_host_traffic(spec.arguments().word("file"), topology.network);
    else if (spec.traffic() != nullptr) demands = *spec.traffic();
    else
        throw base::InputError({}, "the routing \"" + spec.text() + "\" needs traffic",
                               "only `tailback evaluate` knows that of a study",
                               "give it as " + spec.name() + ":file=PATH, rank r being host r");
    std::stable_sort(demands.begin(), demands.end(),
                     [](HostDemand const& a, HostDemand const& b) { return a.bytes > b.bytes; });
    return demands;
}

/// A route for every pair; pairs without traffic go by the lowest ports.
class GreedyPairs final : public PairsOnGraph {
public:
    GreedyPairs(Topology const& topology, RoutingSpec const& spec, Least least)
        : PairsOnGraph(topology, spec.text()), others_(make_tables(topology, "bfs")) {
        HostTraffic const demands = demands_of(topology, spec);
        LoadedGraph loaded(topology, graph_, least);
        io::Progress progress("routing the traffic", demands.size(), "pairs");
        base::Digest digest;
        for (HostDemand const& demand : demands) {
            progress.add(1);
            digest.add(key(demand.source, demand.destination));
            digest.add(demand.bytes);
            std::uint32_t const from = entrance(topology.network, demand.source), to = exit_of(demand.destination);
            if (from == none || to == none || from == to) continue;
            std::size_t const first = arcs_.size();
            if (!loaded.route(
                    from, to, [](std::uint32_t) { return none; }, [&](std::uint32_t arc) { arcs_.push_back(arc); }))
                continue;
            for (std::size_t i = first; i < arcs_.size(); ++i) loaded.add(arcs_[i], demand.bytes);
            routes_.push_back({key(demand.source, demand.destination), first, arcs_.size()});
            if ((arcs_.size() + 6 * routes_.size()) * sizeof(std::uint32_t) > most_bytes)
                throw base::InputError({}, "the routes of the traffic need more than 4 GiB", "it has very many pairs",
                                       "use " + spec.name() + ":per=destination");
        }
        std::sort(routes_.begin(), routes_.end(), [](OneRoute const& a, OneRoute const& b) { return a.pair < b.pair; });
        traffic_ = digest.text();
    }
    std::string text() const override { return PairsOnGraph::text() + ", traffic " + traffic_; }

protected:
    bool way(model::Network const& network, std::uint32_t from, std::uint32_t to, model::Host source,
             model::Host destination, std::vector<model::Link>& links) const override {
        std::uint64_t const pair = key(source, destination);
        auto const route = std::lower_bound(routes_.begin(), routes_.end(), pair,
                                            [](OneRoute const& a, std::uint64_t b) { return a.pair < b; });
        if (route == routes_.end() || route->pair != pair)
            return by_lowest_ports(network, from, to, destination, links);
        std::uint32_t at = from;
        for (std::size_t i = route->first; i < route->last; ++i) {
            links.push_back(link_of(network, arcs_[i], at));
            at = graph_.arcs[arcs_[i]].to;
        }
        return true;
    }

private:
    struct OneRoute {
        std::uint64_t pair;
        std::size_t first, last;  ///< of arcs_
    };
    static std::uint64_t key(model::Host source, model::Host destination) {
        return std::uint64_t{source.value} << 32 | destination.value;
    }
    bool by_lowest_ports(model::Network const& network, std::uint32_t at, std::uint32_t to, model::Host destination,
                         std::vector<model::Link>& links) const {
        for (std::uint32_t steps = 0; at != to; ++steps) {
            model::Port const port = others_.port(graph_.nodes[at], network[destination].lid);
            if (steps > graph_.size() || port == 0 || port == model::ForwardingTables::no_entry) return false;
            links.push_back(network.link_at(graph_.nodes[at], port));
            at = graph_.index[network[links.back()].to.value];
        }
        return true;
    }

    model::ForwardingTables others_;
    std::vector<std::uint32_t> arcs_;
    std::vector<OneRoute> routes_;  ///< by pair
    std::string traffic_;
};

/// One route for every switch and destination: what an earlier pair has chosen, a later one follows.
class GreedyTables {
public:
    GreedyTables(Topology const& topology, Least least)
        : topology_(topology), graph_(topology.network, topology.hosts_do), loaded_(topology, graph_, least) {}

    model::ForwardingTables make(HostTraffic const& demands) {
        model::ForwardingTables tables = tables_of(graph_, topology_.network);
        io::Progress progress("routing the traffic", demands.size() + graph_.destinations.size(), "routes");
        std::vector<std::uint32_t> target(topology_.network.max_lid() + 1, none);
        for (std::uint32_t t = 0; t < graph_.size(); ++t)
            for (std::uint32_t d = graph_.first_destination[t]; d < graph_.first_destination[t + 1]; ++d)
                target[graph_.destinations[d].lid] = t;
        for (HostDemand const& demand : demands) {
            progress.add(1);
            model::Lid const lid = topology_.network[demand.destination].lid;
            std::uint32_t const from = graph_.entrance(topology_.network, demand.source);
            if (from == none || lid == 0 || target[lid] == none || from == target[lid]) continue;
            follow_or_choose(tables, from, target[lid], lid, demand.bytes);
        }
        for (std::uint32_t t = 0; t < graph_.size(); ++t)
            for (std::uint32_t d = graph_.first_destination[t]; d < graph_.first_destination[t + 1]; ++d) {
                progress.add(1);
                complete(tables, t, graph_.destinations[d]);
            }
        return tables;
    }

private:
    void follow_or_choose(model::ForwardingTables& tables, std::uint32_t from, std::uint32_t to, model::Lid lid,
                          std::uint64_t bytes) {
        std::vector<std::uint32_t> arcs;
        loaded_.route(
            from, to,
            [&](std::uint32_t v) {
                model::Port const port = tables.port(graph_.nodes[v], lid);
                return port == model::ForwardingTables::no_entry ? none : arc_at(v, port);
            },
            [&](std::uint32_t arc) { arcs.push_back(arc); });
        std::uint32_t v = from;
        for (std::uint32_t const arc : arcs) {
            tables.set(graph_.nodes[v], lid, graph_.arcs[arc].port);
            loaded_.add(arc, bytes);
            v = graph_.arcs[arc].to;
        }
    }
    std::uint32_t arc_at(std::uint32_t v, model::Port port) const {
        auto const begin = graph_.arcs.begin() + graph_.first_arc[v],
                   end = graph_.arcs.begin() + graph_.first_arc[v + 1];
        auto const at = std::lower_bound(begin, end, port,
                                         [](ForwardingGraph::Arc const& arc, model::Port p) { return arc.port < p; });
        return static_cast<std::uint32_t>(at - graph_.arcs.begin());
    }
    /// Switches that no traffic for a destination meets: by their lowest port on a shortest route.
    void complete(model::ForwardingTables& tables, std::uint32_t t, ForwardingGraph::Destination const& to) {
        std::vector<std::uint32_t> const& hops = loaded_.hops_to(t);
        tables.set(graph_.nodes[t], to.lid, to.port);
        for (std::uint32_t v = 0; v < graph_.size(); ++v) {
            if (v == t || hops[v] == none) continue;
            if (tables.port(graph_.nodes[v], to.lid) != model::ForwardingTables::no_entry) continue;
            for (std::uint32_t a = graph_.first_arc[v]; a < graph_.first_arc[v + 1]; ++a) {
                std::uint32_t const next = graph_.arcs[a].to;
                if (hops[next] == none || hops[next] + 1 != hops[v] || !(next == t || graph_.transit[next])) continue;
                tables.set(graph_.nodes[v], to.lid, graph_.arcs[a].port);
                break;
            }
        }
    }

    Topology const& topology_;
    ForwardingGraph graph_;
    LoadedGraph loaded_;
};

Routes greedy(Topology const& topology, RoutingSpec const& spec, Least least) {
    if (spec.arguments().word("per") == "destination")
        return {.tables = GreedyTables(topology, least).make(demands_of(topology, spec))};
    return {.tables = model::ForwardingTables(topology.network, 0),
            .routing = std::make_shared<GreedyPairs>(topology, spec, least)};
}

}  // namespace

Routes greedy_sum(Topology const& topology, RoutingSpec const& spec) { return greedy(topology, spec, Least::sum); }
Routes greedy_max(Topology const& topology, RoutingSpec const& spec) { return greedy(topology, spec, Least::largest); }

}  // namespace tailback::topologies
