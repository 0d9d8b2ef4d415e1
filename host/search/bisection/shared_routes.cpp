#include "host/search/bisection/shared_routes.hpp"

#include "kernels/cpu/machine/stop.hpp"

#include <cmath>

namespace tailback::search {

std::uint64_t SharedRoutes::bytes(SwitchGraph const& graph) {
    std::uint64_t turns = 0;
    for (Arc const& arc : graph.arcs()) turns += graph.first_arc(arc.to + 1) - graph.first_arc(arc.to);
    return graph.seats().size() * graph.switches() * std::uint64_t{4} + turns * 12 + graph.arcs().size() * 40;
}

SharedRoutes::SharedRoutes(SwitchGraph const& graph, model::ForwardingTables const& tables)
    : graph_(graph), tables_(tables) {
    std::size_t const arcs = graph.arcs().size();
    pairs_.resize(arcs), source_squares_.resize(arcs), destination_squares_.resize(arcs), of_source_.resize(arcs);
    std::size_t turns = 0, ports = 0;
    for (Arc const& arc : graph.arcs()) {
        first_turn_.push_back(turns);
        turns += graph.first_arc(arc.to + 1) - graph.first_arc(arc.to);
    }
    turning_.resize(turns), source_turning_.resize(turns);
    for (std::uint32_t s = 0; s < graph.switches(); ++s) {
        first_port_.push_back(ports);
        ports += graph.network()[graph.node(s)].ports + std::size_t{1};
    }
    first_port_.push_back(ports);
    arc_at_.assign(ports, SwitchGraph::none);
    for (std::uint32_t a = 0; a < arcs; ++a)
        arc_at_[first_port_[graph[a].from] + graph.network()[graph[a].link].from_port] = a;
    passing_.resize(graph.seats().size() * std::size_t{graph.switches()});
    kernels::StopWish const wish = kernels::StopWish::now();
    for (std::uint32_t d = 0; d < graph.seats().size() && all_delivered_; ++d) {
        wish.heed();
        count_to(d);
    }
    for (std::uint32_t s = 0; s < graph.switches() && all_delivered_; ++s) {
        if (graph.hosts_at(s) == 0) continue;
        wish.heed();
        count_from(s);
        for (std::uint32_t a = 0; a < arcs; ++a)
            source_squares_[a] += double(graph.hosts_at(s)) * double(of_source_[a]) * double(of_source_[a]);
    }
}

std::uint32_t SharedRoutes::next(std::uint32_t at, std::uint32_t seat) const {
    model::Port const port = tables_.port(graph_.node(at), graph_.network()[graph_.seats()[seat].host].lid);
    if (port == 0 || port >= first_port_[at + 1] - first_port_[at]) return SwitchGraph::none;
    return arc_at_[first_port_[at] + port];
}

FlowMoments SharedRoutes::moments(std::uint32_t arc) const {
    double const n = double(graph_.seats().size()), f = std::floor(n / 2), all = double(pairs_[arc]);
    FlowMoments of{all * f / (n * (n - 1)), 0};
    double const two = all * all - source_squares_[arc] - destination_squares_[arc] + all;
    if (f >= 2) of.pairs = two * f * (f - 1) / (n * (n - 1) * (n - 2) * (n - 3));
    return of;
}

void SharedRoutes::count_to(std::uint32_t seat) {
    Seat const& to = graph_.seats()[seat];
    std::uint32_t* const passing = passing_.data() + std::size_t(seat) * graph_.switches();
    // The last hop, which may miss the host.
    all_delivered_ = tables_.port(graph_.node(to.at), graph_.network()[to.host].lid) == to.port;
    for (std::uint32_t s = 0; s < graph_.switches() && all_delivered_; ++s) {
        std::uint32_t const hosts = graph_.hosts_at(s);
        if (hosts == 0 || s == to.at) continue;
        std::uint32_t before = SwitchGraph::none, steps = 0;
        for (std::uint32_t at = s; at != to.at;) {
            std::uint32_t const arc = next(at, seat);
            if (arc == SwitchGraph::none || ++steps > graph_.switches()) {
                all_delivered_ = false;
                return;
            }
            passing[at] += hosts;
            if (before != SwitchGraph::none) turning_[turn(before, arc)] += hosts;
            before = arc;
            at = graph_[arc].to;
        }
    }
    for (std::uint32_t s = 0; s < graph_.switches(); ++s) {
        if (passing[s] == 0) continue;
        std::uint32_t const arc = next(s, seat);
        pairs_[arc] += passing[s];
        destination_squares_[arc] += double(passing[s]) * double(passing[s]);
    }
}

void SharedRoutes::count_from(std::uint32_t s) {
    of_source_.assign(of_source_.size(), 0);
    source_turning_.assign(source_turning_.size(), 0);
    for (std::uint32_t d = 0; d < graph_.seats().size(); ++d) {
        std::uint32_t before = SwitchGraph::none;
        for (std::uint32_t at = s; at != graph_.seats()[d].at;) {
            std::uint32_t const arc = next(at, d);
            ++of_source_[arc];
            if (before != SwitchGraph::none) ++source_turning_[turn(before, arc)];
            before = arc;
            at = graph_[arc].to;
        }
    }
}

}  // namespace tailback::search
