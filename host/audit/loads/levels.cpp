#include "host/audit/loads/levels.hpp"

#include <algorithm>
#include <tuple>

namespace tailback::audit {
namespace {

/// Links from the nearest of `start`, over cables in either direction. Adapters pass nothing on.
std::vector<std::uint32_t> distances_from(model::Network const& net, std::vector<model::Node> const& start) {
    std::vector<std::vector<model::Node>> into;  // only for one-way links
    std::vector<std::uint32_t> distance(net.nodes().size(), Levels::unreached);
    bool one_way = false;
    for (model::LinkRecord const& link : net.links()) one_way |= !link.reverse.exists();
    if (one_way) {
        into.resize(net.nodes().size());
        for (model::LinkRecord const& link : net.links()) into[link.to.value].push_back(link.from);
    }
    std::vector<model::Node> queue = start;
    for (model::Node const node : start) distance[node.value] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
        model::Node const node = queue[i];
        if (distance[node.value] > 0 && !net.is_switch(node)) continue;
        auto const reach = [&](model::Node next) {
            if (distance[next.value] != Levels::unreached) return;
            distance[next.value] = distance[node.value] + 1;
            queue.push_back(next);
        };
        for (std::uint32_t k = 0; k < net.link_count(node); ++k)
            reach(net[model::Link{net.first_link(node).value + k}].to);
        if (one_way)
            for (model::Node const from : into[node.value]) reach(from);
    }
    return distance;
}

std::string count_of(std::size_t count, std::string const& one, std::string const& many) {
    return std::to_string(count) + " " + (count == 1 ? one : many);
}

/// Empty when the levels make a tree.
std::string why_no_tree(model::Network const& net, Levels const& levels) {
    if (levels.top == 0) return "no switch is cabled to a host";
    if (levels.top == 1) return "every switch has hosts, so none is a root";
    std::size_t level_cables = 0, orphans = 0;
    for (std::size_t n = 0; n < net.nodes().size(); ++n) {
        if (!net.is_switch(model::Node{n})) continue;
        std::uint32_t const level = levels.of_node[n];
        if (level == Levels::unreached) return net.describe(model::Node{n}) + " is not connected to any host";
        bool has_above = level == levels.top;
        for (std::uint32_t k = 0; k < net.link_count(model::Node{n}); ++k) {
            model::Node const to = net[model::Link{net.first_link(model::Node{n}).value + k}].to;
            if (!net.is_switch(to)) continue;
            has_above |= levels.of_node[to.value] > level;
            level_cables += levels.of_node[to.value] == level && to.value >= n;
        }
        orphans += !has_above;
    }
    if (level_cables > 0)
        return count_of(level_cables, "cable joins", "cables join") +
               " switches equally far from the hosts, so this is not a tree";
    if (orphans > 0)
        return count_of(orphans, "switch", "switches") + " below the top cannot go up, so this is not a tree";
    return "";
}

}  // namespace

Levels levels_of(model::Network const& network) {
    std::vector<model::Node> start, others;
    for (std::size_t h = 0; h < network.hosts().size(); ++h)
        if (network.up_link(model::Host{h}).exists() || network.named())
            (network[model::Host{h}].role == model::HostRole::compute ? start : others)
                .push_back(network[model::Host{h}].node);
    if (start.empty()) start = others;
    std::sort(start.begin(), start.end());
    start.erase(std::unique(start.begin(), start.end()), start.end());
    Levels levels;
    levels.of_node = distances_from(network, start);
    for (std::size_t n = 0; n < network.nodes().size(); ++n) {
        if (levels.of_node[n] == Levels::unreached) continue;
        if (network.is_switch(model::Node{n})) levels.top = std::max(levels.top, levels.of_node[n]);
        else levels.of_node[n] = 0;
    }
    return levels;
}

UpDown updown_of(model::Forwarding const& forwarding, Levels const& levels,
                 std::optional<std::vector<model::Node>> const& roots) {
    model::Network const& net = forwarding.fabric().network;
    UpDown updown;
    updown.inferred = !roots;
    if (roots) {
        updown.roots = *roots;
    } else {
        updown.reason = why_no_tree(net, levels);
        if (!updown.reason.empty()) {
            updown.reason += "; give the roots with --roots";
            return updown;
        }
        for (std::size_t n = 0; n < net.nodes().size(); ++n)
            if (net.is_switch(model::Node{n}) && levels.of_node[n] == levels.top) updown.roots.emplace_back(n);
    }
    updown.asked = true;
    std::vector<std::uint32_t> const depth = distances_from(net, updown.roots);
    auto const height = [&](model::Node node) { return std::tuple(depth[node.value], net[node].guid, node.value); };
    updown.directions.assign(std::size_t{forwarding.rows()} * forwarding.ports(), 0);
    for (std::uint32_t row = 0; row < forwarding.rows(); ++row) {
        model::Node const from = forwarding.node_of(row);
        if (!net.is_switch(from)) continue;
        for (model::Port port = 1; port < forwarding.ports(); ++port) {
            model::Link const link = forwarding.link_behind(row, port);
            if (!link.exists() || !net.is_switch(net[link].to)) continue;
            updown.directions[std::size_t{row} * forwarding.ports() + port] =
                height(net[link].to) < height(from) ? 1 : 2;
        }
    }
    return updown;
}

}  // namespace tailback::audit
