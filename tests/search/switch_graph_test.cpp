// The switches of a fabric as searches see them: arcs are the links between switches, seats the hosts with a LID.
#include "host/search/switch_graph.hpp"

#include "host/base/error.hpp"
#include "tests/support/networks/all_hosts.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/topology.hpp"

#include <gtest/gtest.h>

namespace tailback::switch_graph_test {
namespace {

TEST(SwitchGraph, HasEveryLinkBetweenSwitchesAndEveryHost) {
    for (char const* const spec : {"xgft:m=4x4,w=1x4", "torus:4x4", "dragonfly:a=2,p=2,h=1"}) {
        Topology const topology = make_topology(spec);
        Network const& network = topology.network;
        SwitchGraph const graph(network, all_hosts(network), CapacityKind::unit);
        EXPECT_EQ(graph.switches(), network.switches()) << spec;
        EXPECT_EQ(graph.seats().size(), network.hosts().size()) << spec;
        std::size_t between = 0;
        for (std::uint32_t l = 0; l < network.links().size(); ++l) {
            Link const link{l};
            bool const inner = network.is_switch(network[link].from) && network.is_switch(network[link].to);
            between += inner;
            ASSERT_EQ(graph.arc_of(link) != SwitchGraph::none, inner) << spec;
            if (!inner) continue;
            Arc const& arc = graph[graph.arc_of(link)];
            EXPECT_EQ(graph.node(arc.from), network[link].from);
            EXPECT_EQ(graph.node(arc.to), network[link].to);
            EXPECT_EQ(graph[arc.reverse].link, network[link].reverse);
        }
        EXPECT_EQ(graph.arcs().size(), between) << spec;
        std::size_t seats = 0;
        for (std::uint32_t s = 0; s < graph.switches(); ++s) {
            for (Arc const& arc : graph.arcs_of(s)) EXPECT_EQ(arc.from, s);
            for (std::uint32_t const seat : graph.seats_at(s)) {
                EXPECT_EQ(graph.seats()[seat].at, s);
                EXPECT_EQ(network[network.link_at(graph.node(s), graph.seats()[seat].port)].to,
                          network[graph.seats()[seat].host].node);
            }
            seats += graph.hosts_at(s);
        }
        EXPECT_EQ(seats, graph.seats().size());
    }
}

TEST(SwitchGraph, DistancesAreThoseOfShortestWays) {
    Topology const ring = make_topology("ring:7");
    SwitchGraph const graph(ring.network, all_hosts(ring.network), CapacityKind::unit);
    for (std::uint32_t d = 0; d < 7; ++d)
        for (std::uint32_t s = 0; s < 7; ++s) {
            std::uint32_t const way = (d + 7 - s) % 7;
            EXPECT_EQ(graph.distances_to(d)[s], std::min(way, 7 - way));
        }
}

TEST(SwitchGraph, HostsWithoutASwitchAreRefused) {
    NetworkBuilder builder(true);
    Node const a = builder.add_node({.kind = NodeKind::adapter, .name = "a", .ports = 1});
    Node const b = builder.add_node({.kind = NodeKind::adapter, .name = "b", .ports = 1});
    builder.add_host({.node = a, .lid = 1});
    builder.add_host({.node = b, .lid = 2});
    builder.add_link({.from = a, .from_port = 1, .to = b, .to_port = 1});
    builder.add_link({.from = b, .from_port = 1, .to = a, .to_port = 1});
    Disagreements disagreements;
    Network const network = builder.finish(disagreements, "two adapters");
    EXPECT_THROW(SwitchGraph(network, all_hosts(network), CapacityKind::unit), InputError);
    EXPECT_NO_THROW(SwitchGraph(network, {}, CapacityKind::unit));
}

}  // namespace
}  // namespace tailback::switch_graph_test
