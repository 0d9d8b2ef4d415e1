#include "host/search/switch_graph.hpp"

#include "host/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback::search {

SwitchGraph::SwitchGraph(model::Network const& network, std::span<model::Host const> hosts,
                         model::CapacityKind capacities)
    : network_(network) {
    number_.assign(network.nodes().size(), none);
    for (std::uint32_t n = 0; n < network.nodes().size(); ++n)
        if (network.is_switch(model::Node{n})) {
            number_[n] = switches();
            nodes_.push_back(model::Node{n});
        }
    model::LinkCosts const costs = model::link_costs(network, capacities);
    denominator_ = costs.denominator;
    arc_of_.assign(network.links().size(), none);
    for (model::Node const node : nodes_) {
        first_arc_.push_back(static_cast<std::uint32_t>(arcs_.size()));
        first_port_.push_back(static_cast<std::uint32_t>(arc_at_.size()));
        model::Link const first = network.first_link(node);
        for (std::uint32_t i = 0; i < network.link_count(node); ++i) {
            model::Link const link{first.value + i};
            std::uint32_t const to = number_[network[link].to.value];
            if (to == none) continue;
            arc_of_[link.value] = static_cast<std::uint32_t>(arcs_.size());
            arc_at_.resize(std::max<std::size_t>(arc_at_.size(), first_port_.back() + network[link].from_port + 1),
                           none);
            arc_at_[first_port_.back() + network[link].from_port] = static_cast<std::uint32_t>(arcs_.size());
            arcs_.push_back({number_[node.value], to, link, none, costs.cost.empty() ? 1 : costs.cost[link.value]});
        }
    }
    first_arc_.push_back(static_cast<std::uint32_t>(arcs_.size()));
    first_port_.push_back(static_cast<std::uint32_t>(arc_at_.size()));
    first_into_.assign(switches() + 1, 0);
    for (Arc& arc : arcs_) {
        model::Link const reverse = network[arc.link].reverse;
        if (reverse.exists()) arc.reverse = arc_of_[reverse.value];
        ++first_into_[arc.to + 1];
    }
    for (std::uint32_t s = 0; s < switches(); ++s) first_into_[s + 1] += first_into_[s];
    into_.resize(arcs_.size());
    std::vector<std::uint32_t> next(first_into_.begin(), first_into_.end() - 1);
    for (std::uint32_t a = 0; a < arcs_.size(); ++a) into_[next[arcs_[a].to]++] = a;

    for (model::Host const host : hosts) {
        model::HostRecord const& record = network[host];
        model::Link const up = network.up_link(host);
        if (record.lid == 0 || !up.exists()) continue;
        model::LinkRecord const& link = network[up];
        if (number_[link.to.value] == none)
            throw base::InputError(
                {}, fmt::format("{} is cabled to {}", network.describe(record.node), network.describe(link.to)),
                "tables are searched for switches alone, and no switch is between these",
                "give a network whose hosts are cabled to switches");
        seats_.push_back({host, number_[link.to.value], link.to_port});
    }
    first_seat_.assign(switches() + 1, 0);
    for (Seat const& seat : seats_) ++first_seat_[seat.at + 1];
    for (std::uint32_t s = 0; s < switches(); ++s) first_seat_[s + 1] += first_seat_[s];
    by_switch_.resize(seats_.size());
    next.assign(first_seat_.begin(), first_seat_.end() - 1);
    for (std::uint32_t i = 0; i < seats_.size(); ++i) by_switch_[next[seats_[i].at]++] = i;
}

std::vector<std::uint32_t> SwitchGraph::distances_to(std::uint32_t s) const {
    std::vector<std::uint32_t> distance(switches(), none), queue = {s};
    distance[s] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next) {
        std::uint32_t const to = queue[next];
        for (std::uint32_t i = first_into_[to]; i < first_into_[to + 1]; ++i) {
            std::uint32_t const from = arcs_[into_[i]].from;
            if (distance[from] != none) continue;
            distance[from] = distance[to] + 1;
            queue.push_back(from);
        }
    }
    return distance;
}

}  // namespace tailback::search
