#include "tests/support/networks/network_facts.hpp"

#include "host/model/routes/trace.hpp"
#include "tests/support/rooms.hpp"

#include <gtest/gtest.h>

#include <set>

namespace tailback {
namespace {

bool is_switch(Network const& net, Node node) { return net[node].kind == NodeKind::switch_node; }

/// Is there a cycle? Takes away channels nobody depends on until none is left.
bool has_cycle(std::size_t channels, std::set<std::pair<std::uint32_t, std::uint32_t>> const& dependencies) {
    std::vector<std::vector<std::uint32_t>> next(channels);
    std::vector<std::size_t> waiting(channels);
    for (auto const& [a, b] : dependencies) {
        next[a].push_back(b);
        ++waiting[b];
    }
    std::vector<std::uint32_t> free;
    for (std::uint32_t c = 0; c < channels; ++c)
        if (waiting[c] == 0) free.push_back(c);
    std::size_t taken = 0;
    while (!free.empty()) {
        std::uint32_t const c = free.back();
        free.pop_back();
        ++taken;
        for (std::uint32_t const n : next[c])
            if (--waiting[n] == 0) free.push_back(n);
    }
    return taken < channels;
}

}  // namespace

NetworkFacts facts_of(Network const& net) {
    NetworkFacts facts;
    facts.hosts = net.hosts().size();
    std::map<Node, std::size_t> degree;
    std::size_t host_links = 0, switch_links = 0;
    for (std::size_t n = 0; n < net.nodes().size(); ++n)
        if (is_switch(net, Node{n})) {
            ++facts.switches;
            degree[Node{n}] = 0;
        }
    for (LinkRecord const& link : net.links()) {
        bool const between = is_switch(net, link.from) && is_switch(net, link.to);
        if (between) {
            ++degree[link.from];
            ++switch_links;
        } else {
            ++host_links;
        }
        if (!link.reverse.exists()) ++facts.one_way_links;
    }
    facts.host_cables = host_links / 2;
    facts.switch_cables = switch_links / 2;
    for (auto const& [node, count] : degree) ++facts.degree[count];
    return facts;
}

void expect_sound_ports(Network const& net) {
    std::set<std::pair<std::uint32_t, Port>> out, in;
    for (std::size_t l = 0; l < net.links().size(); ++l) {
        LinkRecord const& link = net[Link{l}];
        EXPECT_TRUE(out.emplace(link.from.value, link.from_port).second)
            << net.describe(link.from) << " port " << link.from_port;
        EXPECT_TRUE(in.emplace(link.to.value, link.to_port).second)
            << net.describe(link.to) << " port " << link.to_port;
        EXPECT_GE(link.from_port, 1u);
        EXPECT_LE(link.from_port, net[link.from].ports);
        EXPECT_GE(link.to_port, 1u);
        EXPECT_LE(link.to_port, net[link.to].ports);
        EXPECT_NE(link.from, link.to);
        if (!link.reverse.exists()) continue;
        EXPECT_EQ(net[link.reverse].from, link.to);
        EXPECT_EQ(net[link.reverse].to, link.from);
        EXPECT_EQ(net[link.reverse].from_port, link.to_port);
        EXPECT_EQ(net[link.reverse].to_port, link.from_port);
    }
    std::set<std::string> names;
    for (NodeRecord const& node : net.nodes()) EXPECT_TRUE(names.insert(node.name).second) << node.name;
}

std::map<std::size_t, std::size_t> switch_distances(Network const& net) {
    constexpr std::uint32_t unmet = 0xFFFFFFFF;
    std::map<std::size_t, std::size_t> pairs;
    std::vector<std::uint32_t> hops(net.nodes().size());
    for (std::size_t n = 0; n < net.nodes().size(); ++n) {
        if (!is_switch(net, Node{n})) continue;
        hops.assign(hops.size(), unmet);
        hops[n] = 0;
        std::vector<Node> queue{Node{n}};
        for (std::size_t at = 0; at < queue.size(); ++at) {
            Node const node = queue[at];
            if (at > 0) ++pairs[hops[node.value]];
            for (std::uint32_t i = 0; i < net.link_count(node); ++i) {
                Node const to = net[Link{net.first_link(node).value + i}].to;
                if (hops[to.value] != unmet || !is_switch(net, to)) continue;
                hops[to.value] = hops[node.value] + 1;
                queue.push_back(to);
            }
        }
        if (queue.size() < net.switches()) pairs[0] += net.switches() - queue.size();
    }
    return pairs;
}

std::vector<std::vector<std::uint32_t>> host_distances(Network const& net, bool through_hosts) {
    constexpr std::uint32_t unmet = 0xFFFFFFFF;
    std::vector<std::vector<std::uint32_t>> distances;
    for (std::size_t h = 0; h < net.hosts().size(); ++h) {
        std::vector<std::uint32_t> hops(net.nodes().size(), unmet);
        std::vector<Node> queue{net[Host{h}].node};
        hops[queue[0].value] = 0;
        for (std::size_t at = 0; at < queue.size(); ++at) {
            Node const node = queue[at];
            if (at > 0 && !is_switch(net, node) && !through_hosts) continue;
            for (std::uint32_t i = 0; i < net.link_count(node); ++i) {
                Node const to = net[Link{net.first_link(node).value + i}].to;
                if (hops[to.value] != unmet) continue;
                hops[to.value] = hops[node.value] + 1;
                queue.push_back(to);
            }
        }
        std::vector<std::uint32_t> row;
        for (HostRecord const& host : net.hosts()) row.push_back(hops[host.node.value]);
        distances.push_back(std::move(row));
    }
    return distances;
}

RoutedPairs walk_all_pairs(Fabric const& fabric, bool through_hosts) {
    Network const& net = fabric.network;
    auto const distances = host_distances(net, through_hosts);
    RoutedPairs pairs;
    std::set<std::pair<std::uint32_t, std::uint32_t>> dependencies;
    for (std::size_t s = 0; s < net.hosts().size(); ++s)
        for (std::size_t d = 0; d < net.hosts().size(); ++d) {
            if (s == d) continue;
            Lid const lid = net[Host{d}].lid;
            Route const route = trace_from_host(fabric, Host{s}, lid);
            if (route.fate != Fate::delivered || route.end != net[Host{d}].node) {
                ++pairs.failed;
                if (pairs.first_failure.empty())
                    pairs.first_failure = net[net[Host{s}].node].name + " to " + net[net[Host{d}].node].name + ": " +
                                          route.why(fabric, lid);
                continue;
            }
            ++pairs.delivered;
            ++pairs.by_links[route.links.size()];
            if (route.links.size() > distances[s][d]) ++pairs.longer;
            for (std::size_t i = 1; i < route.links.size(); ++i)
                dependencies.emplace(route.links[i - 1].value, route.links[i].value);
        }
    pairs.cyclic = has_cycle(net.links().size(), dependencies);
    return pairs;
}

}  // namespace tailback
