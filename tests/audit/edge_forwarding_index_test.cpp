// Edge forwarding index: pairs routed over each link, counted down trees, against a walk of every pair.
#include "host/audit/loads/edge_forwarding_index.hpp"

#include "host/model/routes/trace.hpp"
#include "tests/support/oracle/dice.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/families/xgft.hpp"

#include <gtest/gtest.h>

namespace tailback::edge_forwarding_index_test {
namespace {

/// The definition, taken at its word.
std::vector<std::uint64_t> by_walking(Fabric const& fabric) {
    Network const& net = fabric.network;
    std::vector<std::uint64_t> load(net.links().size());
    for (std::size_t s = 0; s < net.hosts().size(); ++s)
        for (std::size_t d = 0; d < net.hosts().size(); ++d) {
            if (s == d || net[Host{s}].role != HostRole::compute || net[Host{d}].role != HostRole::compute) continue;
            Lid const lid = net[Host{d}].lid;
            if (net.owner(lid).host != Host{d}) continue;
            Route const route = trace_from_host(fabric, Host{s}, lid);
            if (route.fate != Fate::delivered) continue;
            for (Link const link : route.links) ++load[link.value];
        }
    return load;
}

TEST(EdgeForwardingIndex, SoundTrees) {
    for (XgftSpec const& spec :
         std::vector<XgftSpec>{{{3}, {1}}, {{4, 4}, {1, 4}}, {{3, 4, 5}, {1, 2, 3}}, {{4, 3, 3}, {1, 4, 3}, 31}}) {
        Fabric const fabric = make_xgft(spec);
        EXPECT_EQ(edge_forwarding_index(fabric), by_walking(fabric)) << spec.text();
    }
}

TEST(EdgeForwardingIndex, RandomTablesWithLoopsHolesAndWrongEnds) {
    Dice dice;
    for (int trial = 0; trial < 60; ++trial) {
        Fabric fabric = make_xgft({{3, 2, 2}, {1, 2, 3}});
        Network const& net = fabric.network;
        for (int damage = 0; damage < 3 * trial; ++damage) {
            Node const node{net.hosts().size() + dice(static_cast<std::uint32_t>(net.switches()))};
            Port const port = dice(net[node].ports + 2);
            fabric.tables.set(node, 1 + dice(static_cast<std::uint32_t>(net.hosts().size())),
                              port == net[node].ports + 1 ? ForwardingTables::no_entry : port);
        }
        EXPECT_EQ(edge_forwarding_index(fabric), by_walking(fabric)) << "trial " << trial;
    }
}

/// Hosts cabled to each other, hosts with tables, a two-port adapter, an aggregation node, a LID owned twice, a one-way
/// link.
Fabric odd_fabric(bool named, Dice& dice) {
    NetworkBuilder builder(named);
    Node const a = builder.add_node({.name = "a", .guid = 1, .ports = 8, .lid = 1});
    Node const b = builder.add_node({.name = "b", .guid = 2, .ports = 8, .lid = 2});
    std::vector<Node> adapters;
    for (int i = 0; i < 6; ++i)
        adapters.push_back(builder.add_node(
            {.kind = NodeKind::adapter,
             .name = i == 5 ? "Mellanox Technologies Aggregation Node" : std::string("H") + std::to_string(i),
             .guid = std::uint64_t(10 + i),
             .ports = 2}));
    auto cable = [&](Node x, Port px, Node y, Port py) {
        builder.add_link({.from = x, .from_port = px, .to = y, .to_port = py});
        builder.add_link({.from = y, .from_port = py, .to = x, .to_port = px});
    };
    Lid lid = 10;
    for (Node const n : adapters) builder.add_host({.node = n, .port = 1, .lid = lid++});
    builder.add_host({.node = adapters[0], .port = 2, .lid = lid++});  // second rail
    builder.add_host({.node = adapters[1], .port = 2, .lid = 11});     // LID of its first port: owned twice
    builder.add_host({.node = adapters[2], .port = 2, .lid = 0});
    cable(adapters[0], 1, a, 1);
    cable(adapters[0], 2, b, 1);
    cable(adapters[1], 1, a, 2);
    cable(adapters[1], 2, adapters[3], 2);  // hosts cabled to each other
    cable(adapters[2], 1, b, 2);
    cable(adapters[3], 1, adapters[4], 1);
    cable(adapters[5], 1, b, 3);
    cable(a, 4, b, 4);
    cable(a, 5, b, 5);
    builder.add_link({.from = adapters[4], .from_port = 2, .to = a});
    Disagreements disagreements;
    Fabric fabric{builder.finish(disagreements, "test"), {}, true};
    fabric.tables = ForwardingTables(fabric.network);
    std::vector<Node> forwarders = {a, b};
    if (dice(2) == 0) forwarders.push_back(adapters[3]);
    if (dice(2) == 0) forwarders.push_back(adapters[4]);
    if (dice(3) == 0) forwarders.push_back(adapters[0]);
    for (Node const n : forwarders) {
        fabric.tables.add_table(n);
        for (Lid l = 10; l < 18; ++l)
            fabric.tables.set(n, l, dice(8) == 0 ? ForwardingTables::no_entry : dice(fabric.network[n].ports + 1));
    }
    return fabric;
}

TEST(EdgeForwardingIndex, OddFabrics) {
    Dice dice;
    std::uint64_t counted = 0;
    for (int trial = 0; trial < 2000; ++trial) {
        Fabric const fabric = odd_fabric(trial % 2 == 0, dice);
        auto const load = edge_forwarding_index(fabric);
        ASSERT_EQ(load, by_walking(fabric)) << "trial " << trial;
        for (std::uint64_t const l : load) counted += l;
    }
    EXPECT_GT(counted, 5000u);
}

}  // namespace
}  // namespace tailback::edge_forwarding_index_test
