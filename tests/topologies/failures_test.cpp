// Failures: as many as asked for, every cable equally likely, routed around or counted.
#include "topologies/failures.hpp"

#include "host/base/error.hpp"
#include "tests/support/networks/network_facts.hpp"
#include "tests/support/rooms.hpp"
#include "topologies/routing.hpp"

#include <gtest/gtest.h>

namespace tailback::failures_test {
namespace {

TEST(Failures, CountsAndShares) {
    EXPECT_EQ(parse_failures("--fail-cables", "12", true).of(1000), 12u);
    EXPECT_EQ(parse_failures("--fail-cables", "2%", true).of(11664), 233u);  // 233.28
    EXPECT_EQ(parse_failures("--fail-cables", "0.5%", true).of(300), 2u);    // 1.5 is rounded up
    EXPECT_EQ(parse_failures("--fail-cables", "0.0001%", true).of(1'000'000), 1u);
    EXPECT_EQ(parse_failures("--fail-cables", "100%", true).of(7), 7u);
    EXPECT_TRUE(parse_failures("--fail-cables", "switch:3%", true).between_switches);
    for (std::string const wrong : {"", "%", "x", "-1", "1.5", "101%", "100.1%", "0.00001%", "1.%", "1.x%",
                                    "switch:", "3 ", "99999999999999999999"})
        EXPECT_THROW(parse_failures("--fail-cables", wrong, true), InputError) << wrong;
    EXPECT_THROW(parse_failures("--fail-switches", "switch:3", false), InputError);
}

TEST(Failures, CablesByTheirNames) {
    Network const net = make_topology("hyperx:2x2,hosts=1").network;
    Failures failures;
    Link const cable = net.link_at(net.links().front().from, net.links().front().from_port);
    std::string const name = net[net[cable].from].name + ":" + std::to_string(net[cable].from_port),
                      other_end = net[net[cable].to].name + " [" + std::to_string(net[cable].to_port) + "]";
    failures.named_cables = {name, other_end};  // one cable
    DegradedNetwork const left = degrade(net, failures);
    EXPECT_EQ(left.failed_cables, 1u);
    EXPECT_EQ(left.cables, net.links().size() / 2);
    EXPECT_EQ(left.network.links().size(), net.links().size() - 2);
    EXPECT_FALSE(left.network.link_at(net[cable].from, net[cable].from_port).exists());
    failures.named_cables = {"nobody:1"};
    EXPECT_THROW(degrade(net, failures), InputError);
}

/// Definition: switches that are named fail, each once; a glob takes all switches whose names it matches, and no host.
TEST(Failures, SwitchesByTheirNames) {
    Network const net = make_topology("hyperx:2x2,hosts=1").network;
    std::vector<std::string> names;
    for (std::size_t n = 0; n < net.nodes().size(); ++n)
        if (net.is_switch(Node{n})) names.push_back(net[Node{n}].name);
    ASSERT_EQ(names.size(), 4u);
    auto const left = [&](std::vector<std::string> words) {
        Failures failures;
        failures.named_switches = std::move(words);
        return degrade(net, failures);
    };
    DegradedNetwork const one = left({names[1], names[1]});
    EXPECT_EQ(one.failed_switches, 1u);
    EXPECT_EQ(one.switches, 4u);
    EXPECT_EQ(one.network.link_count(net.node_by_name(names[1])), 0u);
    EXPECT_EQ(one.network.links().size(), net.links().size() - 2 * 3);
    EXPECT_EQ(left({names[0], names[2]}).failed_switches, 2u);
    EXPECT_EQ(left({"*"}).failed_switches, 4u);
    EXPECT_THROW(left({"no-such-*"}), InputError);
    EXPECT_THROW(left({net[net[Host{0}].node].name}), InputError);
    Failures nothing_drawn;
    nothing_drawn.named_switches = {names[0]};
    EXPECT_TRUE(nothing_drawn.any());
    EXPECT_FALSE(nothing_drawn.draws());
}

TEST(Failures, EveryCableIsEquallyLikely) {  // one of 24 host and 16 switch cables, 4,000 times
    Network const net = make_topology("hyperx:4x2,hosts=3").network;
    std::map<std::pair<std::uint32_t, Port>, std::uint64_t> times;
    for (std::uint64_t seed = 0; seed < 4000; ++seed) {
        Failures failures;
        failures.cables = FailureCount{.number = 1};
        failures.seed = seed;
        DegradedNetwork const left = degrade(net, failures);
        ASSERT_EQ(left.network.links().size(), net.links().size() - 2);
        for (LinkRecord const& link : net.links())
            if (!left.network.link_at(link.from, link.from_port).exists() && link.from < link.to)
                ++times[{link.from.value, link.from_port}];
    }
    std::size_t const cables = net.links().size() / 2;
    EXPECT_EQ(cables, 40u);
    EXPECT_EQ(times.size(), cables);
    double chi = 0;
    for (auto const& [cable, n] : times) chi += (double(n) - 100.0) * (double(n) - 100.0) / 100.0;
    EXPECT_LT(chi, 72.1);  // 0.999 quantile with 39 degrees of freedom
}

TEST(Failures, AreDrawnBySeedAlone) {
    Network const net = make_topology("torus:6x6").network;
    auto const left = [&](std::uint64_t seed) {
        Failures failures;
        failures.cables = parse_failures("", "switch:10%", true);
        failures.seed = seed;
        std::vector<std::pair<std::uint32_t, Port>> links;
        DegradedNetwork const degraded = degrade(net, failures);
        EXPECT_EQ(degraded.failed_cables, 7u);
        EXPECT_EQ(degraded.cables, 72u);
        for (LinkRecord const& link : degraded.network.links()) links.emplace_back(link.from.value, link.from_port);
        EXPECT_EQ(facts_of(degraded.network).host_cables, 36u);
        return links;
    };
    EXPECT_EQ(left(3), left(3));
    EXPECT_NE(left(3), left(4));
}

TEST(Failures, SwitchesLoseAllCables) {
    Failures failures;
    failures.switches = parse_failures("", "2", false);
    DegradedNetwork const degraded = degrade(make_topology("fully-connected:n=6,hosts=2").network, failures);
    EXPECT_EQ(degraded.failed_switches, 2u);
    EXPECT_EQ(degraded.network.nodes().size(), 18u);
    EXPECT_EQ(facts_of(degraded.network).switch_cables, 6u);  // of a full mesh of 4
    EXPECT_EQ(facts_of(degraded.network).host_cables, 8u);
}

/// Definition: a host goes on by members of its LAG that carry something. Where the only other one waits, as a backup
/// does, the endpoint at the cable that fails stays, and has no cable.
TEST(Failures, AMemberThatWaitsDoesNotTakeOver) {
    NetworkBuilder builder(true);
    Node const leaf = builder.add_node({.name = "leaf", .ports = 3}),
               bond = builder.add_node({.kind = NodeKind::adapter, .name = "bond", .ports = 2}),
               other = builder.add_node({.kind = NodeKind::adapter, .name = "other", .ports = 1});
    auto const cable = [&](Node node, Port port, Port at_leaf) {
        builder.add_host({.node = node, .port = port, .lid = at_leaf});
        builder.add_link({.from = node, .from_port = port, .to = leaf, .to_port = at_leaf, .reverse = {}, .rate = {}});
        builder.add_link({.from = leaf, .from_port = at_leaf, .to = node, .to_port = port, .reverse = {}, .rate = {}});
    };
    cable(bond, 1, 1);
    cable(bond, 2, 2);
    cable(other, 1, 3);
    Disagreements none;
    Network const net = builder.finish(none, "");
    Failures failures;
    failures.named_cables = {"leaf:1"};
    for (bool const waits : {false, true}) {
        Lags lags;
        lags.add(leaf, {1, 2});
        if (waits) lags.add_idle(leaf, 2);
        DegradedNetwork const left = degrade(net, failures, &lags);
        EXPECT_EQ(left.failed_cables, 1u);
        EXPECT_EQ(left.failed_members, waits ? 0u : 1u);
        EXPECT_EQ(left.on_others, waits ? std::vector<Host>() : std::vector<Host>{Host{0}});
        ASSERT_EQ(left.network.hosts().size(), waits ? 3u : 2u);
        EXPECT_EQ(left.network.up_link(Host{0}).exists(), !waits);
    }
}

TEST(Failures, AreRoutedAroundOnAnyGraph) {
    Topology topology = make_topology("torus:5x5,hosts=2");
    Fabric broken;
    broken.tables = make_tables(topology, {"dor", 1});
    Failures failures;
    failures.cables = parse_failures("", "switch:4", true);
    topology.network = degrade(topology.network, failures).network;
    broken.network = topology.network;
    RoutedPairs const kept = walk_all_pairs(broken, false);
    EXPECT_GT(kept.failed, 0u);
    EXPECT_EQ(kept.failed + kept.delivered, 50u * 49u);
    for (std::string const routing : {"minhop", "sssp", "updn", "bfs"}) {
        broken.tables = make_tables(topology, {routing, 1});
        EXPECT_EQ(walk_all_pairs(broken, false).failed, 0u) << routing;
    }
}

}  // namespace
}  // namespace tailback::failures_test
