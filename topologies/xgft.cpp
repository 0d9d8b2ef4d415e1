#include "topologies/xgft.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace tailback {
namespace {

constexpr std::uint64_t most_nodes = std::uint64_t{1} << 24;

std::string list(std::vector<std::uint32_t> const& numbers) {
    std::string text;
    for (std::uint32_t const n : numbers) text += (text.empty() ? "" : ",") + std::to_string(n);
    return text;
}

[[noreturn]] void refuse(XgftSpec const& spec, std::string const& why) {
    throw InputError({}, spec.text() + " is no tree that can be built", why,
                     "give h numbers of children and h numbers of parents, all at least 1, the first of the parents 1");
}

/// Sizes of a valid spec, by level 0..h.
struct Shape {
    std::size_t height;
    std::vector<std::uint64_t> hosts_below;  ///< of a node of the level: prod_{j<=i} m_j
    std::vector<std::uint64_t> twins;        ///< nodes that share a subtree: W_i = prod_{j<=i} w_j
    std::vector<std::uint64_t> nodes;        ///< of the level

    explicit Shape(XgftSpec const& spec) : height(spec.children.size()) {
        auto const zero = [](std::vector<std::uint32_t> const& v) { return std::find(v.begin(), v.end(), 0u) != v.end(); };
        if (height == 0 || spec.parents.size() != height) refuse(spec, "the two lists differ in length or are empty");
        if (zero(spec.children) || zero(spec.parents)) refuse(spec, "a zero in the lists");
        if (spec.parents.front() != 1) refuse(spec, "hosts have one port");
        hosts_below.assign(1, 1);
        twins.assign(1, 1);
        for (std::size_t i = 0; i < height; ++i) {
            hosts_below.push_back(hosts_below[i] * spec.children[i]);
            twins.push_back(twins[i] * spec.parents[i]);
            if (hosts_below.back() > most_nodes || twins.back() > most_nodes) refuse(spec, "more than 2^24 nodes");
            if (std::uint64_t{spec.children[i]} + (i + 1 < height ? spec.parents[i + 1] : 0) > 0xFFFE)
                refuse(spec, "a switch of more than 65,534 ports");
        }
        std::uint64_t all = 0;
        for (std::size_t i = 0; i <= height; ++i) {
            nodes.push_back(twins[i] * (hosts_below[height] / hosts_below[i]));
            all += nodes.back();
        }
        if (all > most_nodes) refuse(spec, "more than 2^24 nodes");
        if (spec.hosts > hosts_below[height])
            refuse(spec, std::to_string(spec.hosts) + " hosts wanted of " + std::to_string(hosts_below[height]));
    }
};

Network build_network(XgftSpec const& spec, Shape const& shape, std::vector<Node>& first_of_level) {
    NetworkBuilder builder(true);
    std::uint32_t const hosts = spec.hosts != 0 ? spec.hosts : static_cast<std::uint32_t>(shape.nodes[0]);
    first_of_level.assign(1, Node{0});
    Lid lid = 0;
    for (std::uint32_t d = 0; d < hosts; ++d) {
        NodeRecord record;
        record.kind = NodeKind::adapter;
        record.name = fmt::format("H{}", d + 1);
        record.ports = 1;
        builder.add_host({.node = builder.add_node(std::move(record)), .port = 1, .lid = ++lid});
    }
    for (std::size_t level = 1; level <= shape.height; ++level) {
        first_of_level.push_back(Node{builder.nodes().size()});
        for (std::uint64_t x = 0; x < shape.nodes[level]; ++x) {
            NodeRecord record;
            record.name = fmt::format("S{}_{}", level, x);
            record.ports = spec.children[level - 1] + (level < shape.height ? spec.parents[level] : 0);
            record.lid = ++lid;
            builder.add_node(std::move(record));
        }
    }
    for (std::size_t level = 0; level < shape.height; ++level) {
        std::uint64_t const present = level == 0 ? hosts : shape.nodes[level];
        std::uint32_t const siblings = spec.children[level];
        for (std::uint64_t x = 0; x < present; ++x) {
            std::uint64_t const u = x % shape.twins[level];
            std::uint64_t const t = x / shape.twins[level];
            for (std::uint32_t q = 0; q < spec.parents[level]; ++q) {
                std::uint64_t const parent = t / siblings * shape.twins[level + 1] + u + q * shape.twins[level];
                Node const below{first_of_level[level].value + x};
                Node const above{first_of_level[level + 1].value + parent};
                Port const up = (level == 0 ? 0 : spec.children[level - 1]) + q + 1;
                Port const down = static_cast<Port>(t % siblings) + 1;
                builder.add_link({.from = below, .from_port = up, .to = above, .to_port = down});
                builder.add_link({.from = above, .from_port = down, .to = below, .to_port = up});
            }
        }
    }
    Disagreements disagreements(true);
    return builder.finish(disagreements, spec.text());
}

}  // namespace

std::string XgftSpec::text() const {
    return "XGFT(" + std::to_string(children.size()) + ";" + list(children) + ";" + list(parents) + ")";
}

Fabric make_xgft(XgftSpec const& spec) {
    Shape const shape(spec);
    Fabric fabric;
    std::vector<Node> first_of_level;
    fabric.network = build_network(spec, shape, first_of_level);
    fabric.tables = ForwardingTables(fabric.network);
    fabric.routed = true;

    std::size_t const hosts = fabric.network.hosts().size();
    std::vector<Port> upward(hosts);  // the same for all switches of a level
    for (std::size_t level = 1; level <= shape.height; ++level) {
        std::uint32_t const children = spec.children[level - 1];
        for (std::size_t d = 0; d < hosts && level < shape.height; ++d)
            upward[d] = children + 1 + static_cast<Port>(d / shape.twins[level] % spec.parents[level]);
        for (std::uint64_t x = 0; x < shape.nodes[level]; ++x) {
            Node const node{first_of_level[level].value + x};
            fabric.tables.add_table(node);
            std::size_t const begin = std::min<std::size_t>(hosts, x / shape.twins[level] * shape.hosts_below[level]);
            std::size_t const end = std::min<std::size_t>(hosts, begin + shape.hosts_below[level]);
            for (std::size_t d = 0; d < begin; ++d) fabric.tables.set(node, Lid(d + 1), upward[d]);
            for (std::size_t d = begin; d < end; ++d)
                fabric.tables.set(node, Lid(d + 1), Port(d / shape.hosts_below[level - 1] % children + 1));
            for (std::size_t d = end; d < hosts; ++d) fabric.tables.set(node, Lid(d + 1), upward[d]);
            fabric.tables.set(node, fabric.network[node].lid, 0);
        }
    }
    return fabric;
}

}  // namespace tailback
